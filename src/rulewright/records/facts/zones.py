"""Zones: what an event moves, and what arrival in a zone means (CR 400)."""

from __future__ import annotations

from rulewright.records.facts import attachments, costs, counters, effects, faces, objects, paying
from rulewright.records.facts.places import zone_of
from rulewright.records.facts.state import GameObject, State
from rulewright.records.facts.values import BATTLEFIELD, GRAVEYARD, REMOVING_COUNTERS, STACK, game, iri
from rulewright.records.model import Node, Value
from rulewright.vocabulary import NONE, EventType, Iri


def moved(state: State, event: Node, kind: EventType) -> None:
    """Everything that an event moves by its type."""
    for thing in kind.moved(event.facts):
        if isinstance(thing, Iri):
            _move(state, event, thing, _destination(state, event, kind, thing))


def pay(state: State, event: Node) -> None:
    """Cards that pay a cost change zones by that alone (CR 601.2h), save where the record tells of it as an event."""
    for payment in state.parts(event, "additionalCosts"):
        if paying.done_with_cards(state, event, payment) == REMOVING_COUNTERS:
            for card in paying.cards(payment):
                counters.paid(state, card, payment)
    moving = costs.moves(state, event)
    told = _told(state, event) if moving else frozenset()
    for card, to in moving:
        if card in told:
            continue
        if to is None:
            _lose_sight(state, card)
        elif zone_of(state, card, event) != STACK:
            _arrive(state, event, card, effects.destination(state, event, card, state.zone.get(card), to))


def _told(state: State, cast: Node) -> frozenset[Value | None]:
    """The cards that are said to move in a casting."""
    later = state.events[state.order[cast.iri] :]
    return frozenset(
        e.facts.get("card") for e in later
        if e.kind == "Move" and cast.iri in (e.facts.get("during"), e.facts.get("cause"))
    )  # fmt: skip


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
    _became(state, event, permanent, spell, to)
    was = state.objects.get(spell)
    was = was if was is not None and was.kind == "Spell" else None
    _controlled(state, event, permanent, was, to)
    if permanent != thing:
        objects.token(state, event, permanent)
        _arrive(state, event, permanent, to)
    if to == BATTLEFIELD:
        faces.enters(state, event, permanent, was)
    state.changes.pop(thing, None)
    state.spell_of.pop(thing, None)


def _became(state: State, event: Node, permanent: Iri, spell: Iri | None, to: Value | None) -> None:
    """Which spell a permanent was (CR 608.3): none if it was not on the stack, else perhaps one that is not told."""
    from_stack = to in (None, BATTLEFIELD) and state.facts(event.iri).get("from", STACK) == STACK
    origin = iri(state.value(spell, "originSpell")) if from_stack else NONE
    if origin is None:
        state.became.pop(permanent, None)
    else:
        state.became[permanent] = origin


def _controlled(state: State, event: Node, thing: Iri, was: GameObject | None, to: Value | None) -> None:
    """A permanent is controlled by whom the spell was, or whoever it is put onto the battlefield for (CR 110.2)."""
    who = state.controller.get(was.iri) if was is not None else event.facts.get("toPlayer")
    if was is None or thing != was.iri:
        state.controller.pop(thing, None)
        state.control_unknown.discard(thing)
    if who is not None and to == BATTLEFIELD:
        state.controller[thing] = who


def _lose_sight(state: State, card: Iri) -> None:
    """What is done with a card is not known: it may have gone anywhere, and lost what was on it."""
    state.untraced.add(card)
    state.zone.pop(card, None)
    state.counters[card] = None


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
    state.unsure.discard(thing)
    attachments.left(state, event, thing)
