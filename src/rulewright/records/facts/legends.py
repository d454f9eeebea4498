"""Legendary permanents of one name under one controller: one of them goes (CR 704.5j)."""

from __future__ import annotations

from itertools import combinations

from rulewright.records.facts import effects, priority
from rulewright.records.facts.stack import controller_of
from rulewright.records.facts.state import State
from rulewright.records.facts.values import BATTLEFIELD, texts
from rulewright.records.graph import Facts
from rulewright.records.model import Node
from rulewright.vocabulary import Iri


def namesakes(state: State) -> None:
    """Legendary cards of the record that share a name, of those with one face."""
    by_name: dict[str, list[Iri]] = {}
    for card in state.record.children("cards"):
        if "Legendary" in texts(card.facts, "supertypes") and "name" in card.facts and "faces" not in card.facts:
            by_name.setdefault(str(card.facts["name"]), []).append(card.iri)
    state.namesakes = [cards for cards in by_name.values() if len(cards) > 1]


def together(state: State, event: Node) -> None:
    """Notes which of them an event brought together under one controller, and which it parted."""
    for group in state.namesakes:
        there = {card: controller_of(state, card, event) for card in group if state.zone.get(card) == BATTLEFIELD}
        for pair in combinations(group, 2):
            one, other = pair
            joined = there.get(one) is not None and there.get(one) == there.get(other)
            if not joined or _is_face_down(state, *pair):
                if (node := state.legends.pop(pair, None)) is not None:
                    state.parted[node] = event
            elif pair not in state.legends:
                state.legends[pair] = _add(state, event, one, other)


def _is_face_down(state: State, *cards: Iri) -> bool:
    return any(state.value(state.arrival.get(card), "faceDown") is True for card in cards)


def _add(state: State, event: Node, one: Iri, other: Iri) -> Iri:
    node = Iri(f"{event.iri}/legends/{one.rpartition('#')[2]}/{other.rpartition('#')[2]}")
    facts: Facts = {"inRecord": state.record.id, "card": other, "namesake": one, "focusEvent": event.iri,
                    "order": state.order[event.iri]}  # fmt: skip
    if effects.none_bears(state, ""):
        facts["noEffectBears"] = True
    state.graph.add(node, "LegendPair", facts)
    return node


def settled(state: State) -> None:
    """Whether one had gone when a player next received priority (CR 704.3), as far as moves are recorded."""
    for pair in state.graph.of_kind("LegendPair"):
        facts = state.facts(pair)
        event = state.record.nodes[Iri(str(facts["focusEvent"]))]
        after, parted = priority.next_received(state, event), state.parted.get(pair)
        if parted is not None and (after is None or state.order[parted.iri] < state.order[after.iri]):
            facts["oneGone"] = True
        elif after is not None and {"Move", "Sacrifice"} <= state.complete:
            facts["oneGone"] = False
        facts["checked"] = after is not None
