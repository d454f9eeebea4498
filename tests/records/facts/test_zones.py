"""What moves, and what arrival in a zone means (CR 400)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Graph

from ..small import CREATURE, INSTANT, Plain, cast, event, fact, graph, listed

BEAR = {**CREATURE, "zone": "battlefield"}
TO_EXILE = {"id": "#rip", "replaces": "Move", "to": "graveyard", "instead": "exile"}


def then(*events: Plain, cards: list[Plain] | None = None, **more: Any) -> tuple[Graph, int]:
    """The record with an observation of the bear at its end, and that event."""
    seen = event("Observe", card="#bear")
    return graph(*events, seen, cards=cards or [INSTANT, BEAR], **more), len(events) + 1


@pytest.mark.parametrize(
    ("moves", "zone"),
    [
        (event("Move", card="#bear", to="hand"), "hand"),
        (event("Move", card="#bear"), None),
        (event("Sacrifice", cards=["#bear"]), None),
        (cast("bear"), "stack"),
        (event("Play", card="#bear"), "battlefield"),
        (event("Suspend", card="#bear", counters=2), "exile"),
        (event("Reveal", cards=["#bear"]), "battlefield"),
    ],
)
def test_where_an_event_puts_a_card(moves: Plain, zone: str | None) -> None:
    found, last = then(moves)
    assert fact(found, last, "zoneBefore") == zone


@pytest.mark.parametrize("kind", ["Sacrifice", "Discard"])
@pytest.mark.parametrize(
    ("keywords", "effects", "zone"),
    [
        ({"keywords": []}, {"effects": []}, "graveyard"),
        ({"keywords": []}, {"effects": [TO_EXILE]}, "exile"),
        ({"keywords": []}, {"effects": [TO_EXILE, {"id": "#any", "label": "something"}]}, None),
        ({"keywords": []}, {}, None),
        ({}, {"effects": []}, None),
        ({"keywords": ["kindle"]}, {"effects": []}, None),
    ],
)
def test_where_something_given_up_goes(kind: str, keywords: Plain, effects: Plain, zone: str | None) -> None:
    """CR 614.6; what is not known to be all may replace it."""
    found, last = then(event(kind, cards=["#bear"]), cards=[INSTANT, {**BEAR, **keywords}], **effects)
    assert fact(found, last, "zoneBefore") == zone


def test_what_is_stated_to_have_moved_is_there() -> None:
    """Each event is judged by what the record says happened before, right or wrong."""
    found, last = then(event("Move", card="#bear", to="graveyard"), effects=[TO_EXILE])
    assert fact(found, last, "zoneBefore") == "graveyard"


def test_it_is_a_new_object_there() -> None:
    """CR 400.7: a keyword gained is lost, and so is a colour."""
    gained = [event("GainKeyword", card="#bear", keyword="haste"),
              event("Change", card="#bear", of="colors", colors=["U"])]  # fmt: skip
    keeps, last = then(*gained)
    assert (fact(keeps, last, "keywordsInForce"), fact(keeps, last, "cardColorsKey")) == (("kw:haste",), listed("blue"))
    loses, last = then(*gained, event("Move", card="#bear", to="graveyard"))
    assert (fact(loses, last, "keywordsInForce"), fact(loses, last, "cardColorsKey")) == ((), None)


def test_a_spell_that_moves_has_left_the_stack() -> None:
    found, last = then(cast("bear"), event("Resolve", object="#s"), event("Move", card="#bear", to="battlefield"))
    assert fact(found, "s", "leftStackAt") == 3
    assert fact(found, last, "spell") is None
