"""Targets (CR 115, 601.2c, 608.2b)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Graph

from ..small import CREATURE, INSTANT, Plain, card, cast, event, fact, graph, listed

BEAR = {**CREATURE, "zone": "battlefield"}
CARDS = [BEAR, card("isle", types=["Land"], zone="battlefield"), card("owl", types=["Creature"], zone="graveyard"),
         card("fog", zone="battlefield")]  # fmt: skip


def of(kind: str, target: str, *before: Plain, n: int = 1, **more: Any) -> Graph:
    bolt = {**INSTANT, "targets": [{"kind": kind, "n": n}]}
    return graph(*before, cast(targets=[target], **more), cards=[bolt, *CARDS])


@pytest.mark.parametrize(
    ("kind", "target", "fits"),
    [
        ("player", "#ben", True), ("player", "#bear", False), ("any", "#ben", True), ("creature", "#ben", False),
        ("creature", "#bear", True), ("creature", "#isle", False), ("creature", "#owl", False),
        ("creature", "#fog", None), ("land", "#isle", True), ("permanent", "#isle", True), ("permanent", "#owl", False),
        ("any", "#bear", True), ("any", "#isle", False), ("spell", "#bear", False), ("artifact", "#isle", False),
        ("blarg", "#isle", None),
    ],
)  # fmt: skip
def test_a_target_is_of_the_kind_asked_for(kind: str, target: str, fits: bool | None) -> None:
    """CR 115.4: any target is a creature, player, planeswalker or battle."""
    assert fact(of(kind, target), "1/target/1", "fits") is fits


@pytest.mark.parametrize(("kind", "fits"), [("spell", True), ("instant or sorcery spell", False), ("creature", False)])
def test_a_spell_on_the_stack(kind: str, fits: bool) -> None:
    assert fact(of(kind, "#other", cast("bear", "other")), "2/target/1", "fits") is fits


def test_a_spell_that_has_left_the_stack_is_none() -> None:
    """CR 112.1."""
    before = [cast("bear", "other"), event("Countered", object="#other")]
    assert fact(of("spell", "#other", *before), "3/target/1", "fits") is False


def test_more_targets_than_are_asked_for() -> None:
    bolt = {**INSTANT, "targets": [{"kind": "player", "n": 1}]}
    found = graph(cast(targets=["#ana", "#ben"]), cards=[bolt])
    assert [fact(found, f"1/target/{n}", "unasked") for n in (1, 2)] == [False, True]
    nothing_said = graph(cast(targets=["#ana"]))
    assert fact(nothing_said, "1/target/1", "unasked") is True


def test_a_copy_may_have_new_targets() -> None:
    """CR 707.10c."""
    found = graph(cast(targets=["#ana", "#ben"]), event("Copy", object="#c", of="#s", targets=["#ana", "#bear"]),
                  cards=[INSTANT, BEAR])  # fmt: skip
    assert [fact(found, f"2/target/{n}", "kept") for n in (1, 2)] == [True, False]


@pytest.mark.parametrize(
    ("after", "gone"),
    [
        ([], False),
        ([event("Move", card="#bear", to="graveyard")], True),
        ([event("Move", card="#bear", to="exile"), event("Move", card="#bear", to="battlefield")], True),
        ([event("Move", card="#isle", to="graveyard")], False),
    ],
)
def test_targets_that_are_gone_as_it_resolves(after: list[Plain], gone: bool) -> None:
    """CR 608.2b, 400.7: a card that comes back is another object."""
    found = graph(cast(targets=["#bear"]), *after, event("Resolve", object="#s"), cards=[INSTANT, *CARDS])
    assert fact(found, 2 + len(after), "allTargetsGone") is gone


def test_a_player_is_never_gone_and_no_targets_are_not_gone() -> None:
    found = graph(cast(targets=["#bear", "#ben"]), event("Move", card="#bear", to="exile"),
                  event("Resolve", object="#s"), cards=[INSTANT, *CARDS])  # fmt: skip
    assert fact(found, 3, "allTargetsGone") is False
    assert fact(graph(cast(targets=[]), event("Resolve", object="#s")), 2, "allTargetsGone") is None


@pytest.mark.parametrize(("paid", "needed"), [(None, None), ([], 1), ([{"kind": "gift"}], 3)])
def test_how_many_are_needed_with_what_is_paid(paid: list[Plain] | None, needed: int | None) -> None:
    """CR 601.2c."""
    asks = [{"kind": "player"}, {"kind": "creature", "n": 2, "ifPaid": "gift"}]
    more: Plain = {} if paid is None else {"additionalCosts": paid}
    assert fact(graph(cast(**more), cards=[{**INSTANT, "targets": asks}]), 1, "targetsNeeded") == needed


def test_a_division_in_the_order_of_targets() -> None:
    found = graph(cast(targets=["#ana", "#ben"], division={"#ben": 1, "#ana": 2}),
                  cast(spell="t", targets=["#ana", "#ben"], division={"#ben": 1}))  # fmt: skip
    assert [fact(found, n, "divisionKey") for n in (1, 2)] == [listed(2, 1), None]
