"""The stack: what is on it when something resolves, and who may activate abilities (CR 405, 602.2, 608.1)."""

from __future__ import annotations

from rulewright.records.facts import gaps
from rulewright.records.facts.places import zone_of
from rulewright.records.facts.priority import next_received
from rulewright.records.facts.state import GameObject, Moment, State
from rulewright.records.facts.subjects import thing_at
from rulewright.records.facts.values import BATTLEFIELD, STACK, iri
from rulewright.records.model import Node, Value
from rulewright.vocabulary import NONE, Iri

_MAKE_TOKENS = frozenset({"CreateToken", "Copy"})


def ending(state: State, at: Moment) -> None:
    """Of a spell or ability that resolves or is countered: whether it had left the stack, and what is above it."""
    if at.kind is None or not at.kind.ends_object or at.subject is None or at.subject not in state.objects:
        return
    found = state.objects[at.subject]
    at.facts["leftBefore"] = at.subject in state.ended or not found.on_stack
    if not at.facts["leftBefore"]:
        above = [(o.iri, _is_there(state, o, at.event)) for o in state.objects.values() if _is_above(state, o, found)]
        surely = tuple([thing for thing, there in above if there])
        at.facts["objectsAbove"] = surely
        if surely or all(there is False for _, there in above):
            at.facts["objectsAboveCount"] = len(surely)


def _is_above(state: State, other: GameObject, found: GameObject) -> bool:
    """Whether an object was put on the stack after another, and is not known to have left it (CR 405.2)."""
    if other.kind == "Token" or not other.on_stack or other.iri in state.ended:
        return False
    return state.order[state.created[other.iri]] > state.order[state.created[found.iri]]


def _is_there(state: State, other: GameObject, event: Node) -> bool | None:
    """Whether an object that was put on the stack is still there: surely if it leaves it later.

    Mana abilities are not put on the stack (CR 605.3b), whatever a record says of them, and copies leave it untold; of
    a card's spell every move is told where moves are, and with it how it leaves the stack.
    """
    if other.uncertain:
        return True if other.iri in state.ends else None
    if _leaves_later(state, other, event):
        return True
    if other.card is None or other.copy or not state.turns.same_step(state.created[other.iri], event.iri):
        return False
    return True if "Move" in state.complete else None


def _leaves_later(state: State, other: GameObject, event: Node) -> bool:
    for later in state.events[state.order[event.iri]:]:
        kind = state.schema.event_types.get(later.kind)
        if kind is not None and kind.ends_object and later.facts.get("object") == other.iri:
            return True
        moved = later.facts.get("card") if later.kind == "Move" and later.facts.get("from") == STACK else None
        if moved is not None and moved in (other.iri, other.card):
            return True
        if later.kind == "Cast" and later.facts.get("card") == other.card:
            return False
    return False


def leaving(state: State, event: Node) -> None:
    """Whether a spell that has ended leaves the stack before a player has priority again (CR 608.2n, 608.3, 701.6a).

    Only a card has to be moved: a copy is gone by itself. Said where players have had priority since, nothing is
    missing until then, and the record tells of moves at all. Of what is told to end twice, that is the break.
    """
    facts = state.facts(event.iri)
    found = state.objects.get(iri(event.facts.get("object")) or NONE)
    if facts.get("leftBefore") is not False or found is None or found.card is None or found.copy:
        return
    after = next_received(state, event)
    if after is None or not state.tells_of_moves or gaps.between(state, event, after) or found.iri in state.ends_again:
        return
    meanwhile = state.events[state.order[event.iri] : state.order[after.iri] - 1]
    types = state.schema.event_types
    moved = {thing for other in meanwhile if other.kind in types for thing in types[other.kind].moved(other.facts)}
    facts["leavingDue"] = True
    if not moved.isdisjoint((found.iri, found.card)):
        facts["leavesStack"] = True
    elif None not in moved and state.has_every_move:
        facts["leavesStack"] = False


def token_gone(state: State, at: Moment) -> None:
    """Whether what moves is a token that has left the battlefield before (CR 111.8)."""
    thing = thing_at(at.event)
    made = state.node(state.created.get(thing)) if thing is not None else None
    if thing is None or made is None or state.objects[thing].kind != "Token" or made.kind not in _MAKE_TOKENS:
        return
    if (zone := zone_of(state, thing)) is not None:
        at.facts["tokenGone"] = zone != BATTLEFIELD


def activation(state: State, at: Moment) -> None:
    """Who controls the source of an activated ability, or owns it where nobody controls it (CR 602.2)."""
    source = iri(at.event.facts.get("source"))
    if source is not None and (controller := controller_of(state, source, at.event)) is not None:
        at.facts["sourceController"] = controller


def controller_of(state: State, thing: Iri, event: Node) -> Iri | None:
    """The controller of a permanent (CR 110.2), elsewhere the owner of a card (108.4); None where it is not known."""
    zone = zone_of(state, thing, event)
    if zone is None or zone == STACK:
        return None
    if zone != BATTLEFIELD:
        return iri(state.owner(thing))
    if thing in state.control_unknown:
        return None
    return iri(state.controller.get(thing)) or _as_it_arrived(state, thing)


def _as_it_arrived(state: State, thing: Iri) -> Iri | None:
    """Of a permanent that was no spell: who played or created it, or whose it was when the record began."""
    arrived = state.node(state.created.get(thing) or state.arrival.get(thing))
    if arrived is None:
        node = state.node(thing)
        return iri(node.facts.get("controller", node.facts.get("owner"))) if node is not None else None
    names = {"Play": ("player",), "CreateToken": ("recipient", "player")}.get(arrived.kind, ("toPlayer",))
    given: list[Value] = [arrived.facts[name] for name in names if name in arrived.facts]
    return iri(given[0]) if given else None
