"""Cards with keywords as they are when a step begins (CR 603.2)."""

from __future__ import annotations

from typing import Any

from rulewright.records import Graph, Value
from rulewright.vocabulary import Iri

from ..small import Plain, card, event, graph

EMBER = card("ember", zone="exile", keywords=["kindle"], counters=[{"counter": "ash", "n": 1}])


def step(name: str, turn: int = 1, player: str = "#ana") -> Plain:
    return event("Step", step=name, turn=turn, activePlayer=player)


def at(found: Graph, turn: int, step: str, name: str) -> Value | None:
    """A fact of the card at a step."""
    (node,) = [n for n in found.of_kind("Standing") if n.endswith(f"/{turn}/{step}/ember")]
    value = found.facts[node].get(name)
    return value.rpartition("#")[2] if isinstance(value, Iri) else value


def of(*events: Plain, of_card: Plain = EMBER, **more: Any) -> Graph:
    return graph(*events, cards=[of_card, card("plain", zone="hand")], steps=("upkeep", "end"), **more)


def test_each_card_with_keywords_stands_at_each_step_wanted() -> None:
    found = of(step("upkeep"), step("draw"), step("end"), step("upkeep", 2, "#ben"))
    names = sorted(n.partition("#")[2].partition("/")[2] for n in found.of_kind("Standing"))
    assert len(names) == 3
    assert all(name.endswith("/ember") for name in names)
    assert at(found, 1, "upkeep", "activePlayer") == "ana"
    assert at(found, 2, "upkeep", "activePlayer") == "ben"


def test_none_is_wanted_by_default() -> None:
    assert graph(step("upkeep"), cards=[EMBER]).of_kind("Standing") == []


def test_it_is_as_the_step_begins() -> None:
    removed = event("RemoveCounters", card="#ember", counter="ash", n=1)
    found = of(step("upkeep"), removed, event("Move", card="#ember", to="hand"), step("end"))
    assert (at(found, 1, "upkeep", "countersOn"), at(found, 1, "upkeep", "zone")) == ((Iri("urn:g#ash"),), "exile")
    assert (at(found, 1, "end", "countersOn"), at(found, 1, "end", "zone")) == ((), "hand")
    assert [at(found, 1, s, "focusEvent") for s in ("upkeep", "end")] == ["1", "4"]


def test_a_step_is_past_once_another_is_recorded() -> None:
    found = of(step("upkeep"), step("draw"), step("end"))
    assert (at(found, 1, "upkeep", "past"), at(found, 1, "end", "past")) == (True, False)


def test_a_keyword_that_the_card_may_have_leaves_the_list_open() -> None:
    granted = {**EMBER, "keywords": [{"keyword": "kindle", "grantedBy": "#plain"}]}
    found = graph(step("upkeep"), cards=[granted, card("plain")], steps=("upkeep",))
    assert at(found, 1, "upkeep", "keywordsInForceCount") is None
    assert at(found, 1, "upkeep", "keywordsNamedCount") == 1
