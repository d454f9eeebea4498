"""Turns, and cards as they are when a step begins, as nodes of their own (CR 500, 603.2)."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.records.facts import counters, effects
from rulewright.records.facts.keywords import InForce, in_force
from rulewright.records.facts.state import State
from rulewright.records.graph import Facts
from rulewright.records.model import Node
from rulewright.records.turns import Beginning
from rulewright.vocabulary import Iri, slug


def turns(state: State) -> None:
    """Each recorded turn (CR 500.1)."""
    for turn, facts in state.turns.nodes(state.record.id).items():
        if effects.none_bears(state, ""):
            facts["noEffectBears"] = True
        if "ExtraTurn" in state.complete:
            facts["extraTurnsRecorded"] = True
        state.graph.add(turn, "Turn", facts)


def beginnings(state: State, steps: Iterable[Iri]) -> dict[Iri, list[Beginning]]:
    """The event that shows a step begun -> these beginnings, for the steps wanted."""
    found: dict[Iri, list[Beginning]] = {}
    for step in steps:
        for beginning in state.turns.beginnings(step):
            found.setdefault(beginning.event, []).append(beginning)
    return found


def standing(state: State, beginning: Beginning, event: Node) -> None:
    """Cards with keywords as they are when a step begins, before its first event (CR 603.2).

    Of a card whose keywords are not listed, an ability that it is said to have cannot be told to be wrong.
    """
    for card in state.record.children("cards"):
        has = in_force(state, event, None, card.iri, None)
        if has.surely or has.maybe or (not has.all_stated and card.iri in state.sources):
            _add(state, beginning, event, card, has)


def _add(state: State, at: Beginning, event: Node, card: Node, has: InForce) -> None:
    surely = has.surely
    have = {state.instances[i] for i in surely}
    named = tuple(sorted(have | {state.instances[i] for i in has.maybe}))
    facts: Facts = {
        "inRecord": state.record.id, "card": card.iri, "turnNode": at.turn, "step": at.step, "focusEvent": event.iri,
        "past": at.past, "order": state.order[event.iri], "instancesInForce": tuple(surely),
        "keywordsInForce": tuple(sorted(have)), "keywordsNamed": named,
    }  # fmt: skip
    if has.all_stated:
        facts["keywordsNamedCount"] = len(named)
        if not has.maybe:
            facts["keywordsInForceCount"], facts["instancesInForceCount"] = len(have), len(surely)
    for name, value in (
        ("zone", state.zone.get(card.iri)),
        ("owner", card.facts.get("owner")),
        ("activePlayer", state.value(at.turn, "activePlayer")),
    ):
        if value is not None:
            facts[name] = value
    counters.on(state, facts, card.iri)
    name = f"{at.turn}/{slug(state.schema.word_of[at.step])}/{card.iri.rpartition('#')[2]}"
    state.graph.add(Iri(name), "Standing", facts)
