"""The course of a game: its events, and where each card, spell, ability and token is while they happen."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from rulewright.axioms import Knowledge
from rulewright.explain.telling import Telling
from rulewright.records import Node, Place, Record, whereabouts
from rulewright.terms.phrases import sentence
from rulewright.vocabulary import GAME, NONE, Iri, local_name

Json = dict[str, Any]
UNKNOWN = "unknown"
"""The lane of what an event is about although the record does not say where it is."""
_OF_A_PLAYER = ("library", "hand", "graveyard", "battlefield")
_ABOUT = ("card", "object", "source", "of", "movedCards")
"""What an event is about: the first of these that it states."""


@cache
def _texts() -> dict[str, dict[str, str]]:
    with (Path(__file__).parent / "texts.toml").open("rb") as file:
        return tomllib.load(file)


def say(language: str, name: str, /, **slots: object) -> str:
    """A text of the picture or the page, with its slots filled."""
    return _texts()[language][name].format(**slots)


def counted(language: str, name: str, n: int) -> str:
    """A text with a number, in the singular where it has one of its own."""
    return say(language, f"{name}-1" if n == 1 else name, n=n)


@dataclass(frozen=True)
class Lane:
    """A zone; of a player, where each has one of their own."""

    zone: str
    player: Iri | None = None


@dataclass(frozen=True)
class Happening:
    """An event: its number from 1, what it is about, and when it is, as far as the record says."""

    number: int
    node: Node
    things: tuple[Iri, ...]
    turn: int | None
    active: Iri | None
    step: Iri | None


@dataclass
class Stay:
    """A thing in a zone, from one event (0: the record's beginning) to another (None: to its end)."""

    thing: Iri
    lane: Lane
    start: float
    end: float | None = None
    others: tuple[Iri, ...] = ()
    """Where several things that take part in nothing are one line: the others."""


@dataclass(frozen=True)
class Mark:
    """A verdict at an event: its number among the record's verdicts, from 1."""

    number: int
    verdict: str
    message: str


@dataclass
class Course:
    """What a picture or a page tells of a game, in one language. `entry`: the record's part of the report."""

    record: Record
    entry: Json
    language: str
    knowledge: Knowledge
    telling: Telling = field(init=False)
    happenings: list[Happening] = field(init=False)
    stays: list[Stay] = field(init=False)

    def __post_init__(self) -> None:
        followed = whereabouts(self.record, self.knowledge.record_words())
        self.telling = Telling(self.knowledge, followed.graph, self.language)
        self._became = followed.became
        events = self.record.children("events")
        self.happenings = [self._happening(n, event) for n, event in enumerate(events, 1)]
        self.stays = _folded(list(self._stays(followed.changes)), {t for h in self.happenings for t in h.things})

    def say(self, name: str, /, **slots: object) -> str:
        return say(self.language, name, **slots)

    # --- what things are called

    def name(self, thing: Iri | None) -> str:
        return self.say("player-unknown") if thing is None else self.telling.name(thing)

    def short_name(self, thing: Iri) -> str:
        """As on a line of the picture: an ability by its label and its source."""
        facts = self.telling.graph.facts.get(thing, {})
        if self.telling.graph.kinds.get(thing) == "Ability" and isinstance(source := facts.get("source"), Iri):
            told = self.telling.ability(facts)
            return f"{told} · {self.name(source)}" if told else f"↯ {self.name(source)}"
        return self.name(thing)

    def short(self, what: str) -> str:
        """An event type or step in a word."""
        return self.telling.words.term(f"short-{what}") or self.telling.words.label(what)

    def sentence(self, event: Iri) -> str:
        return sentence(self.telling.event(event))

    def zone(self, lane: Lane) -> str:
        return self.say("zone-unknown") if lane.zone == UNKNOWN else self.telling.words.label(lane.zone)

    def step(self, step: Iri | None) -> str:
        if step is None:
            return self.say("step-unknown")
        return self.telling.words.label(local_name(step))

    def turn(self, happening: Happening) -> str:
        if happening.turn is None:
            return self.say("turn-unknown")
        if happening.active is None:
            return self.say("turn", n=happening.turn)
        return self.say("turn-of", n=happening.turn, player=self.name(happening.active))

    # --- verdicts

    @cached_property
    def marks(self) -> dict[int, list[Mark]]:
        """Violations and open verdicts by the number of their event; 0 where they are about no event."""
        number = {h.node.iri: h.number for h in self.happenings}
        found: dict[int, list[Mark]] = {}
        for n, verdict in enumerate(self.entry["verdicts"], 1):
            if verdict["verdict"] != "conforms":
                mark = Mark(n, verdict["verdict"], verdict["message"][self.language])
                found.setdefault(number.get(self._event(verdict["focus"]), 0), []).append(mark)
        return found

    def _event(self, focus: Iri) -> Iri:
        """The event of a focus that is something else, such as a turn."""
        facts = self.telling.graph.facts.get(focus, {})
        at = facts.get("focusEvent")
        return at if isinstance(at, Iri) else focus

    def count(self, verdict: str) -> int:
        return sum(v["verdict"] == verdict for v in self.entry["verdicts"])

    # --- where things are

    @cached_property
    def players(self) -> list[Iri]:
        """In turn order, then whoever has no place in it."""
        known = self.record.children("players")
        return [p.iri for p in sorted(known, key=lambda p: int(str(p.facts.get("turnOrder", len(known) + 1))))]

    def _happening(self, number: int, event: Node) -> Happening:
        facts = self.telling.graph.facts[event.iri]
        turn, active, step = facts.get("turn"), facts.get("activePlayer"), facts.get("step")
        return Happening(
            number, event, tuple(self._things(event)), turn if isinstance(turn, int) else None,
            active if isinstance(active, Iri) else None, step if isinstance(step, Iri) else None,
        )  # fmt: skip

    def _things(self, event: Node) -> Iterator[Iri]:
        found: list[Iri] = []
        for name in _ABOUT:
            value = event.facts.get(name)
            values = value if isinstance(value, tuple) else (value,)
            found = [self.thing(v) for v in values if isinstance(v, Iri) and not v.startswith(GAME)]
            if found:
                break
        yield from dict.fromkeys(found)

    def thing(self, of: Iri) -> Iri:
        """What has a line of its own: a spell is its card, a permanent what it was as a spell."""
        of = self._became.get(of, of)
        card = self.telling.graph.facts.get(of, {}).get("card")
        return card if isinstance(card, Iri) and card != NONE and of not in self._cards else of

    @cached_property
    def _cards(self) -> set[Iri]:
        return {card.iri for card in self.record.children("cards")}

    def _lane(self, thing: Iri, place: Place) -> Lane:
        zone = local_name(str(place.zone))
        if zone not in _OF_A_PLAYER:
            return Lane(zone)
        if zone == "battlefield":
            return Lane(zone, place.controller)
        node = self.record.nodes.get(thing)
        owner = node.facts.get("owner") if node is not None else None
        return Lane(zone, owner if isinstance(owner, Iri) else place.controller)

    def _stays(self, changes: list[dict[Iri, Place]]) -> Iterator[Stay]:
        now: dict[Iri, Stay] = {}
        until: dict[Iri, int] = {}
        for number, change in enumerate(changes):
            happening = self.happenings[number - 1] if number else None
            for thing, place in self._as_lines(change):
                lane = self._lane(thing, place) if place.zone not in (None, NONE) else None
                before = now.get(thing)
                if before is not None and before.lane == lane:
                    continue
                if before is not None:
                    del now[thing]
                    before.end = until[thing] = number if lane is not None else self._gone(thing, number)
                    yield before
                elif happening is not None and lane is not None and (origin := self._origin(thing, happening)):
                    yield Stay(thing, origin, number - 0.5, number)
                if lane is not None and thing not in self._cards and lane.zone not in ("stack", "battlefield"):
                    # a token or copy that leaves ceases to exist (CR 111.7, 704.5e)
                    yield Stay(thing, lane, number, number)
                elif lane is not None:
                    now[thing] = Stay(thing, lane, number)
            for thing in happening.things if happening else ():
                # what is gone is not somewhere else, but nowhere
                if thing not in now and thing not in until and thing not in change:
                    yield Stay(thing, Lane(UNKNOWN), number - 0.3, number + 0.3)
        yield from now.values()

    def _as_lines(self, change: dict[Iri, Place]) -> Iterable[tuple[Iri, Place]]:
        """A copy of a spell that becomes a permanent goes on as the same line."""
        lines: dict[Iri, Place] = {}
        for thing, place in change.items():
            line = self.thing(thing)
            if (line == thing or place.zone != NONE) and (line not in lines or lines[line].zone == NONE):
                lines[line] = place
        return lines.items()

    def _origin(self, thing: Iri, happening: Happening) -> Lane | None:
        """The zone that an event says a thing came from, where nothing was known of it before."""
        zone = happening.node.facts.get("from")
        if thing not in happening.things or not isinstance(zone, Iri) or zone == NONE:
            return None
        player = self.telling.graph.facts[happening.node.iri].get("fromPlayer")
        return self._lane(thing, Place(zone, player if isinstance(player, Iri) else None))

    def _gone(self, thing: Iri, number: int) -> int:
        """An ability or copy that resolves is shown until everything that it does is done."""
        end = self.happenings[number - 1].node
        if end.kind != "Resolve":
            return number
        within = [h.number for h in self.happenings[number:]
                  if end.iri in (h.node.facts.get("during"), h.node.facts.get("cause"))
                  or thing == h.node.facts.get("of")]  # fmt: skip
        return max([number, *within])


_SHOWN_RESTING = 3
"""So many things of a zone that take part in nothing have lines of their own."""


def _folded(stays: list[Stay], active: set[Iri]) -> list[Stay]:
    """What takes part in nothing, as one line in each zone, where it is too much to be shown."""
    count: dict[Iri, int] = {}
    for stay in stays:
        count[stay.thing] = count.get(stay.thing, 0) + 1
    resting: dict[Lane, list[Stay]] = {}
    kept: list[Stay] = []
    for stay in stays:
        rests = stay.start == 0 and stay.end is None and stay.thing not in active and count[stay.thing] == 1
        (resting.setdefault(stay.lane, []) if rests else kept).append(stay)
    for lane, several in resting.items():
        shown = several if len(several) <= _SHOWN_RESTING + 1 else several[:_SHOWN_RESTING]
        kept += shown
        if rest := several[len(shown):]:
            kept.append(Stay(rest[0].thing, lane, 0, None, tuple(s.thing for s in rest[1:])))
    return kept
