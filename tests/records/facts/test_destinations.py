"""Where a spell goes from the stack unless something replaces that (CR 608.2n, 608.3, 701.6a, 707.10a)."""

from __future__ import annotations

import pytest

from rulewright.records import Graph

from ..small import Plain, cast, event, fact, graph

TO_GRAVEYARD = event("Move", card="#bolt", **{"from": "stack"}, to="graveyard")


def of(*events: Plain) -> Graph:
    return graph(cast(), *events)


def test_a_spell_leaves_by_its_own_end() -> None:
    found = of(event("Resolve", object="#s"), {**TO_GRAVEYARD, "cause": "#2"})
    assert (fact(found, 3, "byOwnEnd"), fact(found, 3, "defaultDestination")) == (True, "graveyard")
    assert fact(of(event("Countered", object="#s"), TO_GRAVEYARD), 3, "byOwnEnd") is True


def test_an_effect_of_something_else_takes_it_away() -> None:
    """A spell that is returned to hand by another spell's effect did not resolve."""
    found = graph(
        cast(), event("Cast", card="#other", object="#o", player="#ben"), event("Resolve", object="#o"),
        event("Move", card="#bolt", **{"from": "stack"}, to="hand", cause="#3"),
        cards=[{"id": "#bolt", "name": "Bolt", "types": ["Instant"]}, {"id": "#other", "name": "Other"}],
    )  # fmt: skip
    assert fact(found, 4, "byOwnEnd") is False
    assert fact(found, "s", "resolved") is False


@pytest.mark.parametrize("end", ["Resolve", "Countered", "NotResolved"])
def test_a_copy_of_an_instant_ceases_to_exist(end: str) -> None:
    """CR 707.10a, 608.2n."""
    found = of(event("Copy", object="#c", of="#s"), event(end, object="#c"),
               event("Move", card="#c", **{"from": "stack"}, to="graveyard"))  # fmt: skip
    assert fact(found, 4, "defaultDestination") == "none"


def test_off_the_stack_there_is_no_such_destination() -> None:
    found = graph(event("Move", card="#bolt", **{"from": "hand"}, to="graveyard"))
    assert fact(found, 1, "defaultDestination") is None
    assert fact(found, 1, "spell") == "none"


def test_how_it_ended_is_not_recorded() -> None:
    found = of(TO_GRAVEYARD)
    assert (fact(found, 2, "byOwnEnd"), fact(found, 2, "defaultDestination")) == (None, None)
