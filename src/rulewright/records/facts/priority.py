"""Priority, and the order of players (CR 101.4, 117)."""

from __future__ import annotations

from itertools import islice

from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import iri
from rulewright.records.model import Node
from rulewright.vocabulary import NONE

_WITH_PRIORITY = frozenset({"Cast", "Activate", "Play", "Suspend", "Resolve", "Step"})
"""These happen only once players have had priority since what was before (CR 117.1, 117.4)."""
_ACTS = frozenset({"Cast", "Activate", "Suspend", "Play"})
_GIVE_PRIORITY = _WITH_PRIORITY | {"Countered", "NotResolved"}
"""After these a player receives priority (CR 117.3)."""


def holder(state: State, at: Moment) -> None:
    """Who receives priority at this point (CR 117.3): who just acted, else the active player.

    What else happens, such as counters put on a permanent or a belief noted, gives nobody priority.
    """
    last = None
    for event in state.before(at.event):
        if state.order[event.iri] in state.gaps:
            return
        if event.kind in _GIVE_PRIORITY:
            last = event
            break
    if last is None and not state.has_beginning:
        return
    acted = last is not None and last.kind in _ACTS and not state.turns.other_step(last.iri, at.event.iri)
    player = last.facts.get("player") if last is not None and acted else at.facts.get("activePlayer")
    if player is not None:
        at.facts["priorityPlayer"] = player


def settled(state: State, event: Node) -> None:
    """Whether abilities that triggered on an event would have been put on the stack by now (CR 603.3)."""
    if event.kind != "Observe":
        state.facts(event.iri)["settled"] = next_received(state, event) is not None


def next_received(state: State, event: Node) -> Node | None:
    """The first event after one that shows that players have had priority since (CR 117.5)."""
    if event.iri not in state.received:
        later = islice(state.events, state.order[event.iri], None)
        state.received[event.iri] = next((other for other in later if _had_priority(state, event, other)), None)
    return state.received[event.iri]


def _had_priority(state: State, event: Node, later: Node) -> bool:
    """Whether players have had priority between two events (CR 117.5, 603.3)."""
    if state.turns.other_step(event.iri, later.iri) or (
        later.kind == "Step" and not state.turns.same_step(event.iri, later.iri)
    ):
        return True
    if later.kind not in _WITH_PRIORITY:
        return False
    here = state.facts(event.iri)
    cause = here.get("cause")
    inside = event.iri if event.kind == "Resolve" else here.get("during", cause)
    return state.facts(later.iri).get("during") not in (None, inside, cause)


def reaches_back(state: State, at: Moment) -> None:
    """Whether players had priority before something is put on the stack, in what the record has without a gap.

    What triggered before that was put on the stack before that (CR 603.3).
    """
    start = max((gap for gap in state.gaps if gap < state.order[at.event.iri]), default=0)
    earlier = islice(state.events, start, state.order[at.event.iri] - 1)
    at.facts["reachesBack"] = any(
        e.kind == "Resolve" or (e.kind in _ACTS and state.facts(e.iri).get("during") == NONE) for e in earlier
    )


def rank(state: State, event: Node) -> None:
    """The place of a player who chooses or whose ability triggers, from the active player on (CR 101.4)."""
    if event.kind not in ("Choose", "Trigger"):
        return
    facts, seats = state.facts(event.iri), state.turns.seats
    player, active = iri(facts.get("player")), iri(facts.get("activePlayer"))
    if player is not None and active is not None and player in seats and active in seats:
        facts["playerRank"] = (seats.index(player) - seats.index(active)) % len(seats)
