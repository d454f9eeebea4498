"""What an event is about."""

from __future__ import annotations

import pytest

from ..small import CREATURE, INSTANT, Plain, cast, event, fact, graph


@pytest.mark.parametrize(
    ("events", "subject", "spell"),
    [
        ([cast()], "#bolt", "#s"),
        ([cast(), event("Resolve", object="#s")], "#bolt", "#s"),
        ([cast(), event("Observe", card="#bolt")], "#bolt", "#s"),
        ([event("Observe", card="#bolt")], "#bolt", None),
        ([cast(), event("Copy", object="#c", of="#s"), event("Resolve", object="#c")], "none", "#c"),
        ([event("Trigger", object="#t", source="#bear", ability="x")], "#bear", None),
        ([event("Step", step="draw")], None, None),
        ([event("Move", card="#bear", **{"from": "hand"}, to="exile")], "#bear", "none"),
    ],
)
def test_card_and_spell(events: list[Plain], subject: str | None, spell: str | None) -> None:
    found = graph(*events, cards=[INSTANT, CREATURE])
    assert (fact(found, len(events), "subjectCard"), fact(found, len(events), "spell")) == (subject, spell)


@pytest.mark.parametrize(
    ("stated", "player"),
    [
        ({"from": "hand"}, "#ben"),
        ({"from": "graveyard"}, "#ben"),
        ({"from": "exile"}, "#ana"),
        ({"from": "hand", "fromPlayer": "#ana"}, "#ana"),
    ],
)
def test_whose_zone_it_was_cast_from(stated: Plain, player: str) -> None:
    """CR 400.3: a card is in its owner's hand, library or graveyard, and nobody else's; exile is everybody's."""
    assert fact(graph(cast(**stated), cards=[{**INSTANT, "owner": "#ben"}]), 1, "fromPlayer") == player


def test_what_was_paid_has_one_spelling() -> None:
    one, other = (event("Suspend", card="#bolt", counters=1, paid=mana) for mana in ("{r}{1}", "{1}{R}"))
    found = graph(one, other)
    assert fact(found, 1, "paidText") == fact(found, 2, "paidText")


def test_what_comes_after_an_observation() -> None:
    found = graph(event("Observe", card="#bolt"), cast(), event("Observe", card="#bolt"))
    assert [fact(found, n, "next") for n in (1, 2, 3)] == ["#2", None, "none"]


def test_the_event_that_made_what_is_copied() -> None:
    found = graph(cast(), event("Copy", object="#c", of="#s"), event("Copy", object="#d", of="#c"))
    assert [fact(found, n, "originalEvent") for n in (2, 3)] == ["#1", "#2"]


def test_how_it_came_to_its_zone() -> None:
    found = graph(event("Move", card="#bolt", to="hand"), cast(), event("Observe", card="#bolt"))
    assert [fact(found, n, "arrivedBy") for n in (1, 2, 3)] == [None, "#1", "#2"]
