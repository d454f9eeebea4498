"""How long lasts what events and effects have brought about: until when it surely does, and may do so (CR 611.2)."""

from __future__ import annotations

from rulewright.records.facts.state import Lasting, State
from rulewright.records.facts.values import UNTIL_END_OF_TURN, integer, iri
from rulewright.records.model import Node
from rulewright.vocabulary import Iri


def begin(state: State, event: Node, thing: Iri) -> None:
    """An event begins to change a thing: its controller (CR 613.1b), its colours (613.1e), its keywords (613.1f)."""
    changes = state.changes.setdefault(thing, [])
    if all(change.event.kind != event.kind for change in changes):
        if event.kind == "ChangeControl":
            state.control_before[thing] = state.controller.get(thing)
        elif event.kind == "Change":
            state.colour_before[thing] = (state.colour[thing],) if thing in state.colour else ()
    changes.append(Lasting(event))
    _settle(state, thing, event.kind)


def end(state: State, event: Node) -> None:
    """What was changed is as it was before once the change is over, and unknown where it may be (CR 514.2, 611.2a)."""
    for thing, changes in state.changes.items():
        ended: set[str] = set()
        for change in changes:
            over = is_over(state, change.event, change.event, event)
            if over is not change.over:
                change.over = over
                ended.add(change.event.kind)
        for kind in ended:
            _settle(state, thing, kind)
        if ended:
            changes[:] = [change for change in changes if change.over is not True]


def is_over(state: State, node: Node, since: Node, event: Node) -> bool | None:
    """Whether what has lasted since an event is over at another; `node` says until when it lasts.

    Where it does not say so, it may have been until the end of the turn.
    """
    until = node.facts.get("until")
    if isinstance(until, Iri):
        return state.order[event.iri] > state.order[until]
    if until is None:
        over = _is_past(state, since, event, UNTIL_END_OF_TURN)
        if over is not False:
            state.facts(node.iri)["mayHaveEnded"] = True
        return over and None
    meant = iri(state.value(node.iri, "untilMeant"))
    return None if meant is None else _is_past(state, since, event, meant)


def _is_past(state: State, since: Node, event: Node, duration: Iri) -> bool | None:
    """Whether the step is past in which a duration ends, if it ends in one; in that step itself, it may be or not."""
    step = state.schema.ends_in.get(duration)
    if step is None:
        return False
    then, now = state.facts(since.iri), state.facts(event.iri)
    if now.get("step") != step and state.turns.same_step(since.iri, event.iri):
        return False
    if then.get("turn") != now.get("turn"):
        return None if None in (then.get("turn"), now.get("turn")) else True
    began, position = integer(then.get("stepPosition")), integer(now.get("stepPosition"))
    if began is None or position is None or "turn" not in then:
        return None
    last = state.schema.step_position[step]
    return False if began <= position < last else True if began <= last < position else None


def _settle(state: State, thing: Iri, kind: str) -> None:
    """Control or colours of a thing, by the last change of it that is not over."""
    last = next((change for change in reversed(state.changes[thing]) if _counts(change, kind)), None)
    if kind == "ChangeControl":
        before = state.control_before[thing]
        who = before if last is None else last.event.facts.get("recipient") if last.over is False else None
        state.controller.pop(thing, None)
        state.control_unknown.discard(thing)
        if who is not None:
            state.controller[thing] = who
        elif last is not None:
            state.control_unknown.add(thing)
    elif kind == "Change":
        state.colour.pop(thing, None)
        if last is not None:
            state.colour[thing] = state.facts(last.event.iri).get("colorsKey") if last.over is False else None
        elif state.colour_before[thing]:
            (state.colour[thing],) = state.colour_before[thing]


def _counts(change: Lasting, kind: str) -> bool:
    return change.event.kind == kind and change.over is not True
