"""Turns and steps of a record: whose, in what order, what is past, and what was skipped (CR 500 to 514)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from rulewright.records.model import Node, Value
from rulewright.vocabulary import Iri, Schema

Facts = dict[str, Value]
OVER = 99


@dataclass
class _Turn:
    number: int
    active: Iri | None = None
    recorded: bool = True
    events: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Beginning:
    """Where a step begins: its `Step` event, else the first event that shows it begun."""

    turn: Iri
    step: Iri
    event: Iri
    past: bool


class Turns:
    """Carries turn, active player and step forward, and writes them to the events' facts."""

    def __init__(
        self, events: list[Node], seats: list[Iri], schema: Schema, facts: Callable[[Iri], Facts]
    ) -> None:
        self._events, self.seats, self._schema, self._facts = events, seats, schema, facts
        self._turns: dict[int, _Turn] = {}
        self._index = {e.iri: i for i, e in enumerate(events)}
        self._gaps = [i for i, event in enumerate(events) if self._interrupts(event)]
        self._carry()
        self._skipped()
        self._occurrences()

    def _carry(self) -> None:
        turn: int | None = None
        active: Iri | None = None
        step: Iri | None = None
        for i, event in enumerate(self._events):
            stated = event.facts
            if i and self._interrupts(self._events[i - 1]):
                turn = active = step = None
            if isinstance(stated.get("turn"), int) and stated["turn"] != turn:
                turn, active, step = int(str(stated["turn"])), None, None
            active = Iri(str(stated["activePlayer"])) if "activePlayer" in stated else active
            step = Iri(str(stated["step"])) if "step" in stated else step
            facts = self._facts(event.iri)
            if turn is not None:
                found = self._turns.setdefault(turn, _Turn(turn))
                found.active = found.active or active
                found.events.append(i)
                facts["turn"], facts["turnNode"] = turn, self._iri(event, turn)
            if active is not None:
                facts["activePlayer"] = active
            if step is not None:
                facts["step"], facts["stepPosition"] = step, self._schema.step_position[step]

    def _interrupts(self, event: Node) -> bool:
        return event.kind in self._schema.interruptions

    def _occurrences(self) -> None:
        """Which occurrence of its step in the turn an event is in: a turn can have two upkeeps (CR 500.9)."""
        begun: dict[tuple[object, object], int] = {}
        broken: set[object] = set()
        for event in self._events:
            facts = self._facts(event.iri)
            at = (facts.get("turn"), facts.get("step"))
            begun[at] = begun.get(at, 0) + (event.kind == "Step" or at not in begun)
            if self._interrupts(event):
                broken.add(facts.get("turn"))
            if facts.get("turn") not in broken:
                facts["stepOccurrence"] = begun[at]

    def _expected(self) -> dict[int, Iri]:
        """Whose turn comes next by turn order and extra turns (CR 103.1, 500.7), of players who are surely in the game.

        Of two players, neither has left while there are turns; of more, whoever has a turn later is there. Teams may
        share their turns (CR 805.4).
        """
        if len(self.seats) > 2 and any("team" in self._facts(player) for player in self.seats):
            return {}
        expected: dict[int, Iri] = {}
        numbers = sorted(n for n, t in self._turns.items() if t.recorded)
        extra: list[Iri] = []
        pointer: Iri | None = None
        for before, n in zip([None, *numbers], numbers, strict=False):
            active = self._turns[n].active
            if before is not None and n == before + 1 and pointer in self.seats:
                was_extra = bool(extra)
                wanted = extra.pop() if extra else self.seats[(self.seats.index(pointer) + 1) % len(self.seats)]
                if len(self.seats) == 2 or any(self._turns[later].active == wanted for later in numbers if later >= n):
                    expected[n] = wanted
                pointer = pointer if was_extra and wanted == active else active
            else:
                extra, pointer = [], active
            if any(self._interrupts(self._events[i]) for i in self._turns[n].events):
                extra, pointer = [], None
                continue
            for i in self._turns[n].events:
                if self._events[i].kind == "ExtraTurn" and isinstance(self._events[i].facts.get("recipient"), Iri):
                    extra.append(Iri(str(self._events[i].facts["recipient"])))
        return expected

    def _iri(self, event: Node, number: int) -> Iri:
        record = str(self._facts(event.iri)["inRecord"])
        return Iri(f"{record}#turn/{number}" if "#" not in record else f"{record}/turn/{number}")

    def _skipped(self) -> None:
        """Turns between two recorded ones: whose they were, where turn order leaves no choice."""
        numbers = sorted(self._turns)
        seats = self.seats
        for a, b in pairwise(numbers):
            first, second = self._turns[a].active, self._turns[b].active
            determined = (
                b - a <= len(seats) and first in seats and second in seats
                and (seats.index(second) - seats.index(first) - (b - a)) % len(seats) == 0
            )
            if determined and first in seats:
                for n in range(a + 1, b):
                    self._turns[n] = _Turn(n, seats[(seats.index(first) + n - a) % len(seats)], recorded=False)

    def same_step(self, one: Iri, other: Iri) -> bool:
        """Whether two events are in the same turn and step, as far as is known."""
        a, b = self._facts(one), self._facts(other)
        if a.get("turn") == b.get("turn") and a.get("step") == b.get("step"):
            return True
        return bool(self._gaps) and any(None in (a.get(name), b.get(name)) for name in ("turn", "step"))

    def other_step(self, one: Iri, other: Iri) -> bool:
        """Whether two events are surely in different turns or steps."""
        a, b = self._facts(one), self._facts(other)
        for name in ("turn", "step"):
            here, there = a.get(name), b.get(name)
            if here != there and here is not None and there is not None:
                return True
        return False

    def step_began(self, event: Iri) -> bool:
        """Whether the record holds the beginning of the event's step: an event of another step stands before it."""
        if "step" not in self._facts(event):
            return False
        at = self._index[event]
        return any(e.kind == "Step" or not self.same_step(e.iri, event) for e in self._since_gap(at))

    def turn_began(self, event: Iri) -> bool:
        """Whether the record holds the beginning of the event's turn: its untap step, or what stands before it."""
        turn, at = self._facts(event).get("turn"), self._index[event]
        if turn is None:
            return False
        facts = [self._facts(e.iri) for e in self._since_gap(at)]
        first = min(self._schema.step_position.values())
        begun = turn == 1 and not self._gaps
        return begun or any(f.get("turn") not in (turn, None) or f.get("stepPosition") == first for f in facts)

    def _since_gap(self, at: int) -> list[Node]:
        """The events up to one, from the last gap before it."""
        start = max((i + 1 for i in self._gaps if i < at), default=0)
        return self._events[start : at + 1]

    def _past(self, number: int) -> int:
        """The position of the last step of a turn that is surely over."""
        if any(n > number and t.recorded for n, t in self._turns.items()):
            return OVER
        past = 0
        for i in self._turns[number].events:
            event = self._events[i]
            position = self._facts(event.iri).get("stepPosition")
            if isinstance(position, int):
                kind = self._schema.event_types.get(event.kind)
                acted = kind is not None and kind.action
                past = max(past, position if acted else position - 1)
        return past

    def _next(self, number: int, player: Iri) -> int | None:
        """The next turn of a player after a turn; None where it is not recorded or cannot be known."""
        for turn in self._later(number):
            if turn is None or turn.active is None:
                return None
            if turn.active == player:
                return turn.number if turn.recorded else None
        return None

    def _later(self, number: int) -> Iterator[_Turn | None]:
        """The turns after one, up to the last recorded; None where some were skipped of which nothing is known."""
        before = number
        for n in sorted(n for n in self._turns if n > number):
            if n != before + 1:
                yield None
            yield self._turns[n]
            before = n

    def _is_last(self, number: int, player: Iri) -> bool:
        """Whether a player surely has no later turn in the record's span."""
        return all(t is not None and t.active is not None and t.active != player for t in self._later(number))

    def nodes(self, record: Iri) -> dict[Iri, Facts]:
        """A node for each recorded turn: number, active player, what is past, the next turn of each player."""
        found: dict[Iri, Facts] = {}
        iri = {n: Iri(f"{record}#turn/{n}" if "#" not in record else f"{record}/turn/{n}") for n in self._turns}
        expected = self._expected()
        for n, turn in self._turns.items():
            if not turn.recorded:
                continue
            facts: Facts = {"inRecord": record, "turn": n, "pastPosition": self._past(n),
                            "focusEvent": self._events[turn.events[0]].iri}
            facts["order"] = self._index[self._events[turn.events[0]].iri] + 1
            if n in expected:
                facts["expectedActive"] = expected[n]
            if turn.active is not None:
                facts["activePlayer"] = turn.active
            following = [m for p in self.seats if (m := self._next(n, p)) is not None]
            facts["followedBy"] = tuple(iri[m] for m in sorted(set(following)))
            facts["lastTurnOf"] = tuple(p for p in self.seats if self._is_last(n, p))
            found[iri[n]] = facts
        return found

    def beginnings(self, step: Iri) -> list[Beginning]:
        """Where the given step begins in each recorded turn that reaches it."""
        position = self._schema.step_position[step]
        found: list[Beginning] = []
        first = min((n for n, t in self._turns.items() if t.recorded), default=0)
        for n, turn in sorted(self._turns.items()):
            for i in turn.events:
                here = self._facts(self._events[i].iri).get("stepPosition")
                if isinstance(here, int) and here > position and ((n == first and i == 0) or i - 1 in self._gaps):
                    break
                if isinstance(here, int) and here >= position:
                    event = self._events[i]
                    past = self._past(n) >= position
                    found.append(Beginning(self._iri(event, n), step, event.iri, past))
                    break
        return found
