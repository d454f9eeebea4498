"""The steps of each recorded turn: which were left out, the draw of the draw step, lands played (CR 305, 500, 504)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from rulewright.records.descriptions import named, quality
from rulewright.records.facts import effects
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import HAND, NORMAL, game, number, texts
from rulewright.records.graph import Facts
from rulewright.records.model import Node
from rulewright.vocabulary import NONE, Iri, local_name

DRAW, DECLARE_BLOCKERS, COMBAT_DAMAGE = map(game, ("drawStep", "declareBlockers", "combatDamage"))
_LANDS = frozenset(Iri(str(land.value)) for land in [quality("Land")] if land is not None)
_WITHOUT_ATTACKERS = frozenset({DECLARE_BLOCKERS, COMBAT_DAMAGE})
"""Left out where nothing attacks (CR 508.8)."""
_OWN_ACTIONS = frozenset({"Cast", "Play", "Activate", "Suspend"})
_PUT_ON_STACK = frozenset({"Cast", "Copy", "Activate", "Trigger"})
_UNEVENTFUL = frozenset({"Observe", "Step", "Draw", "Reveal"})


@dataclass
class _Run:
    """Events in a row that are in the same step of the same turn."""

    turn: Iri
    number: int
    step: Iri
    begun: bool
    """Whether the record tells of its beginning."""
    events: list[Node] = field(default_factory=list)

    @property
    def iri(self) -> Iri:
        return Iri(f"{self.events[0].iri}/step/{local_name(self.step)}")


def recorded(state: State) -> None:
    """A node for each step of a turn as the record tells it, with the one before it in the turn (CR 500.1)."""
    previous: _Run | None = None
    had: set[tuple[Iri, int]] = set()
    for run in _runs(state):
        if run is not None:
            _add(state, run, previous, had)
            had.add((run.step, run.number))
        previous = run


def _runs(state: State) -> list[_Run | None]:
    """The runs in order; None where it is not known in which step the record is, or a part of it is missing."""
    runs: list[_Run | None] = []
    current: _Run | None = None
    for event in state.events:
        facts = state.facts(event.iri)
        turn, step, count = facts.get("turnNode"), facts.get("step"), facts.get("turn")
        begins = event.kind == "Step"
        missing = state.order[event.iri] in state.gaps
        if missing or not (isinstance(turn, Iri) and isinstance(step, Iri) and isinstance(count, int)):
            if runs and runs[-1] is not None:
                runs.append(None)
            current = None
            continue
        if current is None or (turn, step) != (current.turn, current.step) or (begins and current.begun):
            current = _Run(turn, count, step, begins)
            runs.append(current)
        current.begun = current.begun or begins
        current.events.append(event)
    return runs


def _add(state: State, run: _Run, previous: _Run | None, had: Collection[tuple[Iri, int]]) -> None:
    first = run.events[0]
    facts: Facts = {
        "inRecord": state.record.id, "turnNode": run.turn, "turn": run.number, "step": run.step,
        "stepPosition": state.schema.step_position[run.step], "focusEvent": first.iri, "order": state.order[first.iri],
    }  # fmt: skip
    if (active := state.value(first.iri, "activePlayer")) is not None:
        facts["activePlayer"] = active
    if previous is not None:
        if previous.turn == run.turn:
            facts["previousStep"] = previous.iri
            closed = "Resolve" in state.complete and state.turns.turn_began(first.iri)
            if closed and not _has_resolved(state, run):
                facts["nothingResolved"] = True
        if (between := _between(state, previous, run)) is not None:
            left_out = tuple([step for step, turn in between if (step, turn) not in had])
            facts["stepsLeftOut"], facts["stepsLeftOutCount"] = left_out, len(left_out)
    if effects.none_bears(state, "Step"):
        facts["noEffectBears"] = True
    if run.step == DRAW and (drawn := _drawn(state, run)) is not None:
        facts["drawn"] = drawn
    state.graph.add(run.iri, "RecordedStep", facts)


def _has_resolved(state: State, run: _Run) -> bool:
    """Whether something resolved in the turn before a step: it may have added a step (CR 500.8, 500.9)."""
    earlier = (e for e in state.before(run.events[0]) if e.kind == "Resolve" or state.order[e.iri] in state.gaps)
    return any(state.value(e.iri, "turnNode") == run.turn for e in earlier)


def _between(state: State, previous: _Run, run: _Run) -> list[tuple[Iri, int]] | None:
    """The steps that should have come between two, each with its turn; None where that cannot be said.

    What resolves last in a step can end it, its phase or the whole turn (CR 723).
    """
    if "Step" not in state.complete or not (previous.begun and run.begun) or _ends_with_resolution(state, previous):
        return None
    position = state.schema.step_position
    start, end = position[previous.step], position[run.step]
    if previous.turn == run.turn:
        between = [(s, run.number) for s, p in position.items() if start < p < end]
    elif run.number == previous.number + 1:
        between = [(s, previous.number) for s, p in position.items() if p > start]
        between += [(s, run.number) for s, p in position.items() if p < end]
    else:
        return None
    blocked = previous.step == DECLARE_BLOCKERS
    return [
        (step, turn) for step, turn in sorted(between, key=lambda b: (b[1], position[b[0]]))
        if (blocked or step not in _WITHOUT_ATTACKERS) and (step != DRAW or _skips_draw(state, turn) is False)
    ]  # fmt: skip


def _ends_with_resolution(state: State, run: _Run) -> bool:
    """Whether a resolution is the last thing in a step that somebody did."""
    last = next((e for e in reversed(run.events) if e.kind == "Resolve" or e.kind in _PUT_ON_STACK), None)
    return last is not None and last.kind == "Resolve"


def _drawn(state: State, run: _Run) -> bool | None:
    """Whether the active player drew a card in the draw step (CR 504.1); None where one may be missing.

    A replaced draw puts a card into the hand in another way, as a move would tell, unless no effect can have replaced
    it. Who cannot draw loses the game and acts no more.
    """
    active = state.value(run.events[0].iri, "activePlayer")
    if active is None:
        return None
    if any(e.kind == "Draw" and e.facts.get("player") in (active, None) for e in run.events):
        return True
    moved = any(e.kind == "Move" and e.facts.get("to") in (HAND, None) for e in run.events)
    last = state.order[run.events[-1].iri]
    acts = any(e.kind in _OWN_ACTIONS and e.facts.get("player") == active for e in state.events[last:])
    told = "Move" in state.complete or effects.none_bears(state, "Draw")
    closed = told and {"Draw", "Step"} <= state.complete and run.begun and last + 1 not in state.gaps
    due = _skips_draw(state, run.number) is False
    return False if closed and due and acts and not moved else None


def _skips_draw(state: State, turn: int) -> bool | None:
    """Whether the draw step of a turn is skipped as the game's first (CR 103.8): of two players, or of teams of two."""
    if turn != 1:
        return False
    players = state.record.children("players")
    if len(players) == 2:
        return True
    return None if len(players) % 2 == 0 or any("team" in player.facts for player in players) else False


def draw(state: State, at: Moment) -> None:
    """Whether a draw in the draw step is one more than the turn-based one (CR 504.1); absent where it is not known.

    Only draws at the very beginning of the step are surely not the work of something that resolved.
    """
    facts = at.facts
    if facts.get("step") != DRAW or not _is_of_active_player(facts):
        return
    if effects.none_bears(state, "Draw"):
        facts["noEffectBears"] = True
    if not _turn_based(at.event, facts):
        if "during" in facts:
            facts["extraDraw"] = False
        return
    earlier = 0
    for event in state.before(at.event):
        if not state.turns.same_step(event.iri, at.event.iri) or event.kind == "Step":
            break
        if event.kind not in _UNEVENTFUL:
            return
        if event.kind == "Draw" and _turn_based(event, state.facts(event.iri)):
            earlier += number(event.facts, "n", 1)
    due = 0 if _is_first(state, facts) else 1
    extra = earlier + number(at.event.facts, "n", 1) > due
    if not extra or "Resolve" in state.complete:
        facts["extraDraw"] = extra


def _is_first(state: State, facts: Facts) -> bool:
    """Whether it is the draw step that the player skips who takes the first turn of a game of two."""
    of_two = facts.get("turn") == 1 and _skips_draw(state, 1) is True
    return of_two and state.value(facts.get("activePlayer"), "turnOrder") == 1


def _turn_based(event: Node, facts: Facts) -> bool:
    """Whether nothing but the step itself is known to have made a player draw."""
    return facts.get("during") == NONE and not {"cause", "of"} & event.facts.keys() and _is_of_active_player(facts)


def _is_of_active_player(facts: Facts) -> bool:
    return "player" in facts and facts["player"] == facts.get("activePlayer")


def land(state: State, at: Moment) -> None:
    """Whether it is a land card (CR 305.1), and how many the player is recorded to have played in the turn (305.2a)."""
    if (is_land := _is_land(state, state.node(at.card))) is not None:
        at.facts["isLand"] = is_land
    player, turn = at.facts.get("player"), at.facts.get("turnNode")
    if player is None or turn is None:
        return
    earlier = (e for e in state.before(at.event) if e.kind == "Play" and e.facts.get("player") == player)
    at.facts["landsPlayed"] = sum(state.value(e.iri, "turnNode") == turn for e in earlier)


def _is_land(state: State, card: Node | None) -> bool | None:
    """Whether a card has a face that is a land; of a card whose layout is not recorded, there may be another face."""
    if card is None:
        return None
    faces = state.parts(card, "faces")
    stated = [texts(part.facts, "types") if "types" in part.facts else None for part in faces or [card]]
    types = [frozenset({None}) if words is None else named(words) for words in stated]
    if not all(_LANDS.isdisjoint(words) for words in types):
        return True
    one_face = card.facts.get("layout") == NORMAL
    return False if (one_face or len(faces) > 1) and all(None not in words for words in types) else None
