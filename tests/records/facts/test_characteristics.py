"""Characteristics at an event (CR 109.3, 202.3, 709, 715)."""

from __future__ import annotations

from typing import Any

import pytest

from ..small import INSTANT, Plain, card, cast, event, fact, graph, listed

FIRE = {"name": "Fire", "manaCost": "{1}{R}", "types": ["Instant"]}
SPLIT = card("split", layout="split", faces=[FIRE, {"name": "Ice", "manaCost": "{1}{U}", "types": ["Instant"]}])
GIANT = {"name": "Giant", "manaCost": "{2}{R}", "types": ["Creature"]}
STOMP = {"name": "Stomp", "manaCost": "{1}{R}", "types": ["Instant"], "subtypes": ["Adventure"]}
ADVENTURER = card("giant", layout="adventure", faces=[GIANT, STOMP])
BLAZE = card("bolt", manaCost="{X}{R}", types=["Sorcery"])


@pytest.mark.parametrize(
    ("event_", "value"),
    [
        (cast(x=3), 4),
        (cast(x=0), 1),
        (cast(), None),
    ],
)
def test_on_the_stack_x_is_what_was_chosen(event_: Plain, value: int | None) -> None:
    """CR 202.3e."""
    found = graph(event_, cards=[BLAZE])
    assert fact(found, 1, "spellManaValue") == value
    assert fact(found, 1, "cardManaValue") == 1
    assert fact(found, 1, "hasX") is True


def test_a_copy_has_the_x_of_the_spell_copied() -> None:
    """CR 707.10."""
    found = graph(
        cast(x=3), event("Copy", object="#c", of="#s", player="#ana"), event("Copy", object="#d", of="#c"),
        event("Observe", object="#d"), cards=[BLAZE],
    )  # fmt: skip
    assert [fact(found, n, "spellManaValue") for n in (2, 3, 4)] == [4, 4, 4]


def test_halves_have_a_mana_value_each_and_one_together() -> None:
    """CR 709.4b, 202.3d."""
    found = graph(cast("split", face="Ice"), event("Observe", object="#s"), cards=[SPLIT])
    assert (fact(found, 1, "cardManaValue"), fact(found, 1, "spellManaValue")) == (4, 2)
    assert fact(found, 2, "halvesManaValueKey") == listed(2)
    assert fact(found, 1, "subjectSplit") is True


@pytest.mark.parametrize(
    ("more", "value"),
    [({"face": "Stomp"}, True), ({"face": "Giant"}, False), ({}, None)],
)
def test_cast_as_an_adventure(more: dict[str, Any], value: bool | None) -> None:
    """CR 715.3."""
    assert fact(graph(cast("giant", **more), cards=[ADVENTURER]), 1, "castAsAdventure") is value


def test_a_card_without_an_adventure_is_never_cast_as_one() -> None:
    assert fact(graph(cast()), 1, "castAsAdventure") is False


def test_off_the_stack_an_adventurer_card_is_the_creature() -> None:
    """CR 715.4."""
    found = graph(event("Observe", card="#giant"), cards=[{**ADVENTURER, "zone": "exile"}])
    assert fact(found, 1, "cardManaValue") == 3
    assert fact(found, 1, "cardTypes") == ("Creature",)


def test_a_list_is_counted_and_has_one_spelling() -> None:
    found = graph(cast(), cards=[{**INSTANT, "types": ["Kindred", "Instant"]}])
    assert fact(found, 1, "spellTypesCount") == 2
    assert fact(found, 1, "spellTypesKey") == listed("Instant", "Kindred")
