"""The words of descriptions."""

from __future__ import annotations

import pytest

from rulewright.vocabulary import local_name
from rulewright.vocabulary.lexicon import load_lexicon, tokens


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("creature", ["creature"]), ("noncreature", ["not", "creature"]), ("non-creature", ["not", "creature"]),
        ("kreaturenkarte", ["creature", "card"]), ("verzauberungskarte", ["enchantment", "card"]),
        ("nichtkreaturenzauberspruch", ["not", "creature", "spell"]), ("creatureish", []), ("frobnicated", []),
    ],
)  # fmt: skip
def test_compounds(token: str, words: list[str]) -> None:
    assert [local_name(word.iri) for word in load_lexicon().parts(token)] == words


def test_the_longest_label_counts() -> None:
    parts = tokens("any target, or in a graveyard")
    assert parts == ("any", "target", ",", "or", "in", "a", "graveyard")
    found = [load_lexicon().at(parts, start) for start in (0, 4, 5)]
    assert [(local_name(f[0].iri), f[1]) for f in found if f] == [("any-target", 2), ("in-graveyard", 7), ("filler", 6)]


def test_what_a_word_asks_for() -> None:
    words = load_lexicon().named
    by_name = {local_name(iri): word for iri, word in words.items()}
    assert dict(by_name["multicoloured"].asks) == {"coloursAtLeast": 2}
    assert local_name(str(dict(by_name["in-exile"].asks)["inZone"])) == "exile"
