"""Zones: what an event moves, and what arrival in a zone means (CR 400)."""

from __future__ import annotations

from rulewright.records.facts import attachments, costs, effects, faces, objects
from rulewright.records.facts.places import zone_of
from rulewright.records.facts.state import State
from rulewright.records.facts.values import BATTLEFIELD, GRAVEYARD, STACK, game, iri
from rulewright.records.model import Node, Value
from rulewright.vocabulary import NONE, EventType, Iri


def moved(state: State, event: Node, kind: EventType) -> None:
    """Everything that an event moves by its type."""
    things = event.facts.get(kind.moves or "")
    for thing in things if isinstance(things, tuple) else (things,):
        if isinstance(thing, Iri):
            _move(state, event, thing, _destination(state, event, kind, thing))


def pay(state: State, event: Node) -> None:
    """Cards that pay a cost change zones by that alone (CR 601.2h)."""
    for card, to in costs.moves(state, event):
        if zone_of(state, card, event) != STACK:
            _arrive(state, event, card, effects.destination(state, event, card, state.zone.get(card), to))


def _destination(state: State, event: Node, kind: EventType, thing: Iri) -> Value | None:
    if event.kind in ("Sacrifice", "Discard"):
        return effects.destination(state, event, thing, state.zone.get(thing), GRAVEYARD)
    return event.facts.get("to") if kind.arrives == "to" else game(str(kind.arrives))


def _move(state: State, event: Node, thing: Iri, to: Value | None) -> None:
    """A card or object changes zones; the spell that it was leaves the stack."""
    if event.kind == "Cast":
        _arrive(state, event, thing, to)
        return
    spell = state.spell_of.get(thing, thing)
    if spell in state.objects:
        objects.leave_stack(state, event, state.objects[spell])
    _arrive(state, event, thing, to)
    permanent = iri(event.facts.get("newObject")) or thing
    origin = state.value(spell, "originSpell") if to == BATTLEFIELD else None
    state.became[permanent] = origin if isinstance(origin, Iri) else NONE
    _controlled(state, event, permanent, spell, to)
    was = state.objects.get(spell) if spell is not None else None
    if permanent != thing:
        objects.token(state, event, permanent)
        _arrive(state, event, permanent, to)
    if to == BATTLEFIELD:
        faces.enters(state, event, permanent, was)
    state.gained.pop(thing, None)
    state.spell_of.pop(thing, None)


def _controlled(state: State, event: Node, thing: Iri, spell: Iri | None, to: Value | None) -> None:
    """A permanent is controlled by whom the spell was, or whoever it is put onto the battlefield for (CR 110.2)."""
    who = state.controller.get(spell) if spell is not None else event.facts.get("toPlayer")
    if thing != spell:
        state.controller.pop(thing, None)
    if who is not None and to == BATTLEFIELD:
        state.controller[thing] = who


def _arrive(state: State, event: Node, thing: Iri, zone: Value | None) -> None:
    """In its new zone it is a new object: no counters, no changes, nothing attached to it (CR 400.7, 122.2)."""
    if zone is None:
        state.zone.pop(thing, None)
    else:
        state.zone[thing] = zone
    state.arrival[thing] = event.iri
    state.counters[thing] = {}
    state.counters_stated.discard(thing)
    state.colour.pop(thing, None)
    state.permanents.pop(thing, None)
    attachments.left(state, event, thing)
