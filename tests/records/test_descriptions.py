"""Descriptions taken apart into what they ask for."""

from __future__ import annotations

import pytest

from rulewright.records.descriptions import Phrase, description, quality
from rulewright.vocabulary import local_name


def told(phrase: Phrase) -> str:
    """A phrase in one line: the kind of thing, and what else it asks for; `?` unseen, `??` not understood."""
    asked = sorted(f"{'not ' * q.negated}{local_name(str(q.value))}" for q in phrase.qualities)
    return " ".join([phrase.thing or "permanent", *asked, *["?"] * phrase.unseen, *["??"] * phrase.unknown])


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("creature", ["permanent creature"]),
        ("Target Creatures", ["permanent creature"]),
        ("creature or player", ["permanent creature", "player"]),
        ("instant or sorcery spell", ["spell instant", "spell sorcery"]),
        ("creature or spell", ["permanent creature", "spell"]),
        ("spell or nonland permanent", ["spell", "permanent not land"]),
        ("activated or triggered ability", ["ability Activate", "ability Trigger"]),
        ("permanent card in your graveyard", ["card True graveyard you"]),
        ("red or white creature", ["permanent creature red", "permanent creature white"]),
        ("white or artifact creature", ["permanent artifact creature white ??", "permanent artifact creature"]),
        ("nonland, nontoken permanent", ["permanent not True not land"]),
        ("permanent that isn't a creature", ["permanent ?"]),
        ("creature with power 4 or less", ["permanent creature ?"]),
        ("creature or frobnicated thing", ["permanent creature", "permanent ??"]),
        ("Spontanzauber- oder Hexereikarte im Exil", ["card exile instant", "card exile sorcery"]),
        ("Kreatur, die du beherrschst", ["permanent creature you"]),
        ("Nichtkreaturenzauberspruch", ["spell not creature"]),
        ("Verzauberungskarte", ["card enchantment"]),
        ("", ["permanent ??"]),
        ("nonplayer", ["permanent ??"]),
        ("player card", ["player ??"]),
    ],
)
def test_what_a_description_asks_for(text: str, phrases: list[str]) -> None:
    assert [told(phrase) for phrase in description(text).readings[0]] == phrases


def test_several_readings_where_a_clause_may_go_with_all_or_with_the_last() -> None:
    first, second = description("artifact or enchantment you control").readings
    assert [told(p) for p in first] == ["permanent artifact you", "permanent enchantment you"]
    assert [told(p) for p in second] == ["permanent artifact", "permanent enchantment you"]


def test_any_target_is_what_its_words_stand_for() -> None:
    """CR 115.4."""
    assert len(description("any target").readings[0]) == 4
    assert description("beliebiges Ziel") == description("any") == description("any target")


def test_fewer_may_be_chosen() -> None:
    """CR 115.6."""
    assert description("up to two creatures").optional
    assert description("bis zu zwei Kreaturen").optional
    assert not description("two creatures").optional


def test_what_a_word_asks_for() -> None:
    known = quality("Kreatur")
    assert known is not None
    assert known == quality("creature")
    assert quality("frobnicated") is quality("with") is None
