"""The words that messages are made of."""

from __future__ import annotations

import pytest

from rulewright.terms.phrases import fill, load_phrases, sentence
from rulewright.vocabulary import GAME

SLOTS = {"player": "Ana", "card": "Bolt", "empty": ""}


def missing(name: str) -> str:
    return f"some {name}"


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{player} casts {card}", "Ana casts Bolt"),
        ("{player} casts {spell}", "Ana casts some spell"),
        ("{player} casts {card}[ from {zone}]", "Ana casts Bolt"),
        ("{player} casts[ {card}][ from {zone}][ now]", "Ana casts Bolt now"),
        ("[{player}][{zone} of {card}]", "Ana"),
        ("nothing", "nothing"),
        ("", ""),
        ("{empty}!", "some empty!"),
    ],
)
def test_slots_are_filled_and_optional_parts_left_out(template: str, filled: str) -> None:
    assert fill(template, SLOTS.get, missing) == filled


def test_what_stands_in_a_slot_is_not_read_as_a_template() -> None:
    """A name with brackets or braces stays as it is."""
    assert fill("{name} and {player}", {"name": "{X} Bolt", "player": "Ana"}.get, missing) == "{X} Bolt and Ana"
    assert fill("[{name}] goes", {"name": "a {player} [or two]", "player": "Ana"}.get, missing) == (
        "a {player} [or two] goes"
    )


@pytest.mark.parametrize(
    ("text", "wanted"), [("the card", "The card"), ("über", "Über"), ("", ""), ("X", "X"), ("{0}", "{0}")]
)
def test_a_sentence_has_a_capital(text: str, wanted: str) -> None:
    assert sentence(text) == wanted


def test_phrases_by_language_and_kind() -> None:
    phrases = load_phrases()
    assert phrases.get(GAME + "graveyard", "de", "toPhrase") == "auf den Friedhof"
    assert phrases.get(GAME + "graveyard", "en", "fromPhrase") == "from the graveyard"
    assert phrases.get(GAME + "graveyard", "fr", "toPhrase") is None
    assert phrases.get("urn:x", "en") is None
    with pytest.raises(KeyError):
        phrases.term("no-such-term", "en")


def test_labels_of_the_ontology_are_read_where_they_are_wanted() -> None:
    assert load_phrases().get(GAME + "from", "en", "label") is None
    assert load_phrases(labels=True).get(GAME + "from", "de", "label") == "von"
