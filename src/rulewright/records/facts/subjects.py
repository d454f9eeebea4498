"""What an event is about: the spell or ability, its card, where they were, and whether anything is on the stack."""

from __future__ import annotations

from itertools import islice

from rulewright.records import mana
from rulewright.records.facts import keywords
from rulewright.records.facts.places import surely_on_stack, zone_of
from rulewright.records.facts.state import GameObject, Moment, State
from rulewright.records.facts.values import GRAVEYARD, HAND, LIBRARY, STACK, iri, texts
from rulewright.records.model import Node, Value
from rulewright.vocabulary import NONE, Iri

_ABOUT = ("card", "object", "source", "of")
_LEAVES_A_ZONE = frozenset({"Move", "Cast", "Play", "Suspend"})
_SHOWN = frozenset({"Observe", "Reveal"})
_OF_ITS_OWN = frozenset({"Trigger", "Cast", "Observe", "Step"})
_LOOKS_AT_STACK = frozenset({"Cast", "Suspend", "Play", "Observe", "Activate"})


def moment(state: State, event: Node) -> Moment:
    """An event with the spell or ability that it is about, its card, and the faces that it has as a spell."""
    kind = state.schema.event_types.get(event.kind)
    facts = state.facts(event.iri)
    if event.kind == "Cast":
        faces = texts(event.facts, "face") or None
        return Moment(event, facts, kind, iri(event.facts.get("object")), iri(event.facts.get("card")), faces)
    made = "object" if kind is not None and kind.creates is not None else ""
    thing = iri(next((event.facts[name] for name in _ABOUT if name in event.facts and name != made), None))
    if thing is None:
        return Moment(event, facts, kind, None, None, None)
    found = state.objects.get(thing)
    if found is not None and found.kind != "CardCopy":
        return Moment(event, facts, kind, thing, found.card, found.faces)
    spell = state.spell_of.get(thing)
    if spell is not None and (state.zone.get(thing) == STACK or thing in state.card_copies):
        return Moment(event, facts, kind, spell, thing, state.objects[spell].faces)
    return Moment(event, facts, kind, None, thing, None)


def thing_at(event: Node) -> Iri | None:
    """The card, else the object, else the source of which an event tells."""
    thing = event.facts.get("card", event.facts.get("object", event.facts.get("source")))
    return thing if isinstance(thing, Iri) else None


def subject(state: State, at: Moment) -> None:
    """The card concerned, how it came to its zone (CR 400.7), that zone (400.1), the spell, its controller (112.2)."""
    facts, stated = at.facts, at.event.facts
    if "cause" not in facts and (reason := _instructed_by(state, at.event)) is not None:
        facts["cause"] = reason
    if "stackEmpty" not in facts and (empty := _stack_empty(state, at.event)) is not None:
        facts["stackEmpty"] = empty
    token = iri(stated.get("newObject")) or iri(stated.get("source", stated.get("card", stated.get("object"))))
    found = state.objects.get(token) if token is not None else None
    if "newObject" in stated or (found is not None and found.kind == "Token"):
        facts["subjectCard"] = token or NONE
    elif at.card is not None:
        facts["subjectCard"] = at.card
        if at.card in state.arrival:
            facts["arrivedBy"] = state.arrival[at.card]
    elif at.subject is not None:
        facts["subjectCard"] = NONE
    thing = thing_at(at.event)
    if thing is not None and (zone := zone_of(state, thing, at.event)) is not None:
        facts["zoneBefore"] = zone
        if at.event.kind in _LEAVES_A_ZONE:
            facts.setdefault("from", zone)
    if at.subject is not None:
        facts["spell"] = at.subject
        if at.subject in state.controller:
            facts["spellController"] = state.controller[at.subject]
    elif at.event.kind == "Move" and facts.get("from", facts.get("zoneBefore", STACK)) != STACK:
        facts["spell"] = NONE


def _instructed_by(state: State, event: Node) -> Iri | None:
    """The resolution that an event is said to be a part of: what resolves is the reason (CR 608.2)."""
    inside = state.node(event.facts.get("during"))
    return inside.iri if inside is not None and inside.kind == "Resolve" and event.kind not in _OF_ITS_OWN else None


def traced(state: State, at: Moment) -> None:
    """Whether the record leaves out no zone change of what the event is about (CR 400.7): it hides none from view."""
    thing = at.facts.get("subjectCard")
    if thing is not None and thing not in state.untraced:
        at.facts["traced"] = True


def card_shown(state: State, at: Moment) -> Iri | None:
    """The card whose characteristics count: of a copy, that of the spell copied (CR 707.10)."""
    original = state.original(at.subject)
    return original.card if original is not None else at.card


def original_event(state: State, at: Moment) -> None:
    """The event that made what is copied (CR 707.10)."""
    if at.subject is not None:
        origin = state.value(at.subject, "createdBy")
        if isinstance(origin, Iri):
            at.facts["originalEvent"] = origin


def from_player(state: State, at: Moment) -> None:
    """Whose zone a card was cast or played from: its owner's, or for shared zones the player's (CR 400.3)."""
    facts = at.facts
    if "fromPlayer" in facts:
        return
    owner = state.owner(at.card)
    if facts.get("from") in (HAND, LIBRARY, GRAVEYARD):
        if owner is not None:
            facts["fromPlayer"] = owner
    elif "player" in facts:
        facts["fromPlayer"] = facts["player"]


def paid(state: State, at: Moment) -> None:
    """What was paid, in one spelling: a cost of the keyword of the event, where the mana pays for it (CR 118.1)."""
    amount = at.event.facts.get("paid")
    if not isinstance(amount, str) or amount == NONE:
        return
    text: str | None = mana.text(amount)
    keyword = state.names.iri(at.kind.names_keyword) if at.kind is not None and at.kind.names_keyword else None
    for instance in keywords.of_instances(state, at.facts, keyword):
        cost = state.facts(instance).get("keywordCost")
        if cost is not None and cost != NONE:
            pays = mana.pays(amount, str(cost))
            if pays:
                text = mana.text(str(cost))
                break
            text = None if pays is None else text
    if text is not None:
        at.facts["paidText"] = text


def following(state: State, at: Moment) -> None:
    """What comes after an observation: not another one, nor a card that is only shown."""
    later = islice(state.events, state.order[at.event.iri], None)
    at.facts["next"] = next((event.iri for event in later if event.kind not in _SHOWN), NONE)


def _stack_empty(state: State, event: Node) -> bool | None:
    """Whether the stack is empty (CR 405.1): known where it is not, or where all that is put on it is recorded."""
    if event.kind not in _LOOKS_AT_STACK:
        return None
    there = {still_there(state, found, event) for found in state.objects.values()}
    if True in there:
        return False
    if None in there:
        return None
    known = {"Cast", "Copy", "Activate", "Trigger"} <= state.complete
    return True if known and state.turns.step_began(event.iri) else None


def still_there(state: State, found: GameObject, event: Node) -> bool | None:
    """Whether an object is on the stack, though its leaving need not be recorded (CR 500.2, 608.2n)."""
    if not found.on_stack:
        return False
    if found.uncertain:
        return None
    if not state.turns.same_step(state.created[found.iri], event.iri):
        return False
    resolution = state.resolution_of.get(found.iri)
    if resolution is None:
        return True if surely_on_stack(state, found) else None
    inside: Value | None = state.facts(event.iri).get("during")
    return None if inside is None else inside == resolution
