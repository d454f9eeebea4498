"""Spells, abilities and tokens: how they come to be and how they end (CR 111, 112, 113, 707)."""

from __future__ import annotations

from typing import Any

import pytest

from ..small import CREATURE, INSTANT, Plain, card, cast, event, fact, graph, listed


def test_a_cast_spell() -> None:
    found = graph(cast())
    names = ("isCopy", "castEvent", "originSpell", "card", "controller")
    assert [fact(found, "s", name) for name in names] == [False, "#1", "#s", "#bolt", "#ana"]


def test_a_copy_of_a_copy_was_not_cast_and_goes_back_to_the_original() -> None:
    found = graph(
        cast(), event("Copy", object="#c", of="#s", player="#ben"), event("Copy", object="#d", of="#c", player="#ana")
    )
    names = ("isCopy", "castEvent", "originSpell", "card", "controller")
    assert [fact(found, "d", name) for name in names] == [True, "none", "#s", "none", "#ana"]
    assert fact(found, "c", "controller") == "#ben"


@pytest.mark.parametrize(
    ("chosen", "name", "kept"),
    [
        ({"x": 3}, "chosenX", 3),
        ({"modes": ["b", "a"]}, "chosenModesKey", listed("a", "b")),
        ({"additionalCosts": [{"kind": "discard"}]}, "chosenPaymentsKey", '{"discard": 1}'),
        ({"additionalCosts": [{"kind": "gift", "opponent": "#ben"}]}, "chosenOpponent", "#ben"),
        ({"targets": ["#ana", "#ben"], "division": {"#ben": 1, "#ana": 3}}, "chosenDivisionKey", listed(3, 1)),
    ],
)
def test_a_copy_takes_over_what_was_chosen(chosen: dict[str, Any], name: str, kept: object) -> None:
    """CR 707.10: modes, targets, the value of X, how it is divided, costs paid."""
    found = graph(cast(**chosen), event("Copy", object="#c", of="#s"), event("Copy", object="#d", of="#c"))
    assert [fact(found, node, name) for node in "scd"] == [kept] * 3


def test_copied_permanent_spells_become_tokens() -> None:
    """CR 608.3f, 111.1: it does not cease to exist as it resolves."""
    found = graph(
        cast("bear"), event("Copy", object="#c", of="#s"), event("Resolve", object="#c"),
        event("Move", object="#c", card="#c", **{"from": "stack"}, to="battlefield", newObject="#token", cause="#3"),
        event("Observe", object="#token"), cards=[CREATURE],
    )  # fmt: skip
    assert fact(found, "c", "permanentSpell") is True
    assert fact(found, "c", "leftStackAt") == 4
    assert (fact(found, "token", "createdBy"), fact(found, 5, "zoneBefore")) == ("#4", "battlefield")


@pytest.mark.parametrize("end", ["Resolve", "Countered", "NotResolved"])
def test_how_a_spell_ended(end: str) -> None:
    found = graph(cast(), event(end, object="#s"), event("Countered", object="#s"))
    assert (fact(found, "s", "outcome"), fact(found, "s", "resolved")) == (end, end == "Resolve")


def test_a_spell_that_does_not_leave_the_stack_never_left_it() -> None:
    found = graph(cast(), event("Countered", object="#s"), cast(spell="t"))
    assert (fact(found, "s", "leftStackAt"), fact(found, "t", "leftStackAt")) == (2, 99991231)


def test_an_ability_has_its_source_and_the_spell_that_this_was() -> None:
    found = graph(
        cast("bear"), event("Resolve", object="#s"),
        event("Move", card="#bear", **{"from": "stack"}, to="battlefield", cause="#2"),
        event("Trigger", object="#t", source="#bear", ability="kindle", player="#ana"), cards=[CREATURE],
    )  # fmt: skip
    names = ("source", "originSpell", "abilityLabel", "controller", "isCopy", "castEvent")
    assert [fact(found, "t", name) for name in names] == ["#bear", "#s", "kindle", "#ana", False, "none"]


def test_a_card_that_was_no_spell_has_no_origin() -> None:
    """CR 400.7: what it was before it left the battlefield does not count."""
    found = graph(
        cast("bear"), event("Resolve", object="#s"),
        event("Move", card="#bear", **{"from": "stack"}, to="battlefield", cause="#2"),
        event("Move", card="#bear", to="exile"), event("Move", card="#bear", to="battlefield"),
        event("Trigger", object="#t", source="#bear", ability="kindle"), cards=[CREATURE],
    )  # fmt: skip
    assert fact(found, "t", "originSpell") == "none"


def test_a_token_comes_to_be_on_the_battlefield() -> None:
    """CR 111.1."""
    found = graph(event("CreateToken", object="#fish", name="Fish", player="#ana"), event("Observe", object="#fish"))
    assert (fact(found, 2, "zoneBefore"), fact(found, 2, "subjectCard")) == ("battlefield", "#fish")


@pytest.mark.parametrize(
    ("types", "permanent"), [(["Instant"], False), (["Artifact", "Creature"], True), (None, None)]
)
def test_a_permanent_spell(types: list[str] | None, permanent: bool | None) -> None:
    """CR 110.4, 112.1."""
    bare: Plain = card("bolt")
    assert fact(graph(cast(), cards=[bare if types is None else {**bare, "types": types}]), "s", "permanentSpell") is (
        permanent
    )


def test_what_ends_is_no_unknown_object() -> None:
    found = graph(cast(), event("Resolve", object="#s"), event("Countered", object="#s"), cards=[INSTANT])
    assert fact(found, "s", "outcome") == "Resolve"
