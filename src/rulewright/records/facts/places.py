"""Where cards and objects are, and which copies and tokens have ceased to exist (CR 400.1, 704.5d, 704.5e)."""

from __future__ import annotations

from rulewright.records.facts.priority import next_received
from rulewright.records.facts.state import GameObject, State
from rulewright.records.facts.values import BATTLEFIELD, STACK
from rulewright.records.model import Node, Value
from rulewright.vocabulary import NONE, Iri


def zone_of(state: State, thing: Iri, at: Node | None = None) -> Value | None:
    """Where a card or object is (CR 400.1); none where it has ceased to exist, None where it is not known.

    `at`: the event before which that is asked; without it, what ceases to exist as soon as it leaves is gone at once.
    """
    found = state.objects.get(thing)
    if found is None or found.kind in ("Token", "CardCopy"):
        zone = state.zone.get(thing)
        return NONE if found is not None and _ceased(state, found, zone, at) else zone
    if found.on_stack:
        return STACK if surely_on_stack(state, found) else None
    if not found.copy:
        return state.zone.get(found.card) if found.card else NONE
    if state.ended.get(thing) == "Resolve" and state.value(thing, "permanentSpell") is not False:
        return state.zone.get(thing)
    return NONE if at is None or _passed(state, thing, at) else state.zone.get(thing)


def surely_on_stack(state: State, found: GameObject) -> bool:
    """Whether what nothing recorded has removed from the stack is there, also after a gap in the record.

    A copy that leaves the stack does so unseen, unless the record has every such event: it is surely there until
    something else resolves, and where the record tells later how it ends.
    """
    if found.iri in state.ends or (not found.uncertain and (not found.copy or state.endings_recorded)):
        return True
    if found.uncertain:
        return False
    return state.last_resolution < state.order[state.created[found.iri]]


def _ceased(state: State, found: GameObject, zone: Value | None, at: Node | None) -> bool:
    """Whether a token, or a copy of a card, is gone for being where it cannot stay (CR 704.5d, 704.5e)."""
    made = found.iri in state.created
    return made and zone not in (None, BATTLEFIELD, STACK) and at is not None and _passed(state, found.iri, at)


def _passed(state: State, thing: Iri, at: Node) -> bool:
    """Whether state-based actions have surely been checked since a thing came to where it is (CR 704.3)."""
    since = state.node(state.arrival.get(thing))
    first = next_received(state, since) if since is not None else None
    return first is not None and state.order[first.iri] <= state.order[at.iri]
