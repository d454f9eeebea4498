"""A game as a picture: time from left to right, a lane for each zone, a line for each card, a shape for each event.

The picture is SVG with classes and no style of its own, for a page that has `timeline.css`; or it stands alone, and
carries its style, what its shapes mean, and the verdicts. Marks of verdicts are links to `#v1`, `#v2` and so on, which
the page, or the picture that stands alone, explains.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from rulewright.axioms import Knowledge, packaged_knowledge
from rulewright.explain.formats import MARKS
from rulewright.records import Record
from rulewright.site.game.course import UNKNOWN, Course, Happening, Json, Lane, Mark, Stay, counted
from rulewright.site.game.markup import Markup, clean, el, join
from rulewright.vocabulary import Iri, local_name

STYLE = Path(__file__).parents[1] / "static" / "timeline.css"
GUTTER = 108
"""The width of the lanes' names, in pixels as everything here."""
_LEAD, _TRAIL, _GAP = 34, 40, 22
_RADIUS = 10
_TURN_ROW, _STEP_ROW, _WORD_ROW, _MARK_ROW = 22, 18, 18, 20
_HEAD, _RAIL, _LOW, _HIGH = 24, 30, 24, 40
_LEAST = 640.0
"""The width that the words below a picture need which stands alone."""
_REPEAT = 560
"""After so much of the same, a name is said again; more rarely in a picture that is very wide."""
_NAME_SIZE, _WORD_SIZE = 11.5, 11.0
_LONGEST = 200
"""No name is shown with more characters than that."""

FAMILIES = {
    "act": ("Cast", "Copy", "CopyCard", "Play", "Activate", "Suspend"),
    "trigger": ("Trigger",),
    "resolve": ("Resolve",),
    "stop": ("Countered", "NotResolved", "Declined", "Cease"),
    "move": ("Move", "Draw", "Sacrifice", "Discard", "CreateToken"),
    "counter": ("AddCounters", "RemoveCounters"),
    "say": ("Observe",),
    "step": ("Step",),
}
"""Event types that share a shape; every other type is drawn as `other`."""
_FAMILY = {kind: family for family, kinds in FAMILIES.items() for kind in kinds}


def family(kind: str) -> str:
    return _FAMILY.get(kind, "other")


def width(text: str, size: float) -> float:
    """About how wide a text is, in a font without serifs."""
    return _widths(text) * size


@lru_cache(4096)
def _widths(text: str) -> float:
    return sum(map(_wide, clean(text)))


@lru_cache(4096)
def _wide(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in " iljtfrI.,:;'|!()“”’-":
        return 0.34
    if character in "mwÄÖÜ—" or character.isupper():
        return 0.76
    return 0.57


def fitted(text: str, room: float, size: float) -> str:
    """A text that fits, cut with an ellipsis if need be; nothing where not even two letters do."""
    text = clean(text[: 2 * _LONGEST])
    if len(text) <= _LONGEST and width(text, size) <= room:
        return text
    left, at = room / size - _wide("…"), 0
    while at < min(len(text), _LONGEST) and left >= _wide(text[at]):
        left, at = left - _wide(text[at]), at + 1
    return f"{text[:at].rstrip()}…" if at > 1 else ""


@dataclass
class _Line:
    """A stay as it is drawn: where it begins and ends, its name, and the slot of its lane."""

    stay: Stay
    left: float
    right: float
    name: str
    points: list[float] = field(default_factory=list)
    slot: int = 0
    raised: bool = False

    @property
    def name_at(self) -> float:
        return self.left + (4 if self.stay.start == 0 else _RADIUS + 4)

    @property
    def reach(self) -> float:
        return max(self.right, self.name_at + width(self.name, _NAME_SIZE)) + 8


class Timeline:
    """The picture of one course: everything has its place once this is made.

    `prefix`: of the ids that it has and links to; `standalone`: whether it carries all that explains it.
    """

    def __init__(self, course: Course, prefix: str = "", standalone: bool = False) -> None:
        self.course, self.prefix, self.standalone, self.gutter = course, prefix, standalone, GUTTER
        self._by_thing: dict[Iri, list[Stay]] = {}
        for stay in course.stays:
            self._by_thing.setdefault(stay.thing, []).append(stay)
        self.gaps: list[tuple[float, float]] = []
        """Where turns were skipped."""
        self.edges: list[tuple[float, float]] = []
        """Each event's column, from left to right."""
        self.x = self._columns()
        least = _LEAST if standalone else 0
        self.right = max([least, (self.x[-1] if self.x else GUTTER) + _TRAIL, *self._last_names()])
        self.repeat = max(_REPEAT, self.right / 40)
        self.marks = course.marks
        rows = max((len(m) for m in self.marks.values()), default=0)
        self.words_at = _TURN_ROW + _STEP_ROW
        self.marks_at = self.words_at + _WORD_ROW
        self.top = self.marks_at + rows * _MARK_ROW + 4
        self.lines = self._lines()
        self.rail = any(not self._drawn(h) for h in course.happenings)
        self.lanes: list[tuple[str, list[tuple[Lane, float, float]]]] = []
        self.y: dict[tuple[Lane, int], float] = {}
        self.height = self._rows()

    # --- places

    def _columns(self) -> list[float]:
        """The middle of each event's column; few events have more room."""
        happenings = self.course.happenings
        least = min(92.0, max(46.0, 920 / max(1, len(happenings))))
        found: list[float] = []
        at = float(self.gutter + _LEAD)
        before: Happening | None = None
        for h in happenings:
            step = family(h.node.kind) == "step"
            words = [self.course.short(h.node.kind)]
            if h.step is not None and step:
                words.append(self.course.short(local_name(h.step)))
            wide = max(30.0 if step and len(happenings) > 30 else least, *(width(w, _WORD_SIZE) + 12 for w in words))
            if before is not None and (before.turn, before.active) != (h.turn, h.active):
                at += 12
                if before.turn is not None and h.turn is not None and h.turn > before.turn + 1:
                    at += _GAP
                    self.gaps.append((at - _GAP - 6, at - 6))
            found.append(at + wide / 2)
            self.edges.append((at, at + wide))
            at += wide
            before = h
        return found

    def _last_names(self) -> Iterator[float]:
        """How far the names of what stays to the end reach."""
        for stay in self.course.stays:
            if stay.end is None:
                wide = width(self.course.short_name(stay.thing)[:_LONGEST], _NAME_SIZE)
                yield self._at(stay.start) + _RADIUS + 14 + min(wide, 150.0)

    def _at(self, position: float) -> float:
        """The x of an event's number; of 0, the beginning; between two numbers, a bit before the later."""
        if position <= 0:
            return float(self.gutter + 4)
        n = int(position)
        if position == n:
            return self.x[n - 1]
        nearest = round(position)
        return (self.x[nearest - 1] if nearest else 0.0) + (position - nearest) * 60

    def _drawn(self, happening: Happening) -> Iri | None:
        """The thing at which an event is drawn: the first that is anywhere."""
        return next((t for t in happening.things if self._line_at(t, happening.number)), None)

    def _of(self, thing: Iri) -> list[Stay]:
        return self._by_thing.get(thing, [])

    def _goes_on(self, stay: Stay) -> bool:
        """Whether the same thing is elsewhere from then on."""
        return any(s.start == stay.end for s in self._of(stay.thing) if s is not stay)

    def _line_at(self, thing: Iri, number: int) -> _Line | None:
        """Where a thing is after an event, else before it."""
        here = [line for line in self.lines.get(thing, ()) if line.stay.start <= number]
        here = [line for line in here if line.stay.end is None or line.stay.end >= number]
        return max(here, key=lambda line: line.stay.start, default=None)

    def _lines(self) -> dict[Iri, list[_Line]]:
        found: dict[Iri, list[_Line]] = {}
        for stay in self.course.stays:
            right = self.right if stay.end is None else self._at(stay.end) - (24 if self._goes_on(stay) else 0)
            name = self.course.short_name(stay.thing)
            if stay.others:
                name = f"{name} {self.course.say('more', n=len(stay.others))}"
            line = _Line(stay, self._at(stay.start), right, name)
            found.setdefault(stay.thing, []).append(line)
        self.lines = found
        for h in self.course.happenings:
            for thing in h.things:
                if (at := self._line_at(thing, h.number)) is not None and self.x[h.number - 1] > at.left + 1:
                    at.points.append(self.x[h.number - 1])
        for line in (line for lines in found.values() for line in lines):
            self._name(line)
        return found

    def _name(self, line: _Line) -> None:
        """The name is cut to the room there is; above the shapes where one would stand on it."""
        longest = 230.0
        end = min(self.right - 4, self.right if line.stay.end is None else max(line.right, line.left + 200))
        line.name = fitted(line.name, min(longest, max(40.0, end - line.name_at)), _NAME_SIZE)
        line.raised = any(p - _RADIUS - 2 < line.name_at + width(line.name, _NAME_SIZE) for p in line.points)

    def _rows(self) -> float:
        """Gives every lane its height and every line its slot; the picture's height."""
        by_lane: dict[Lane, list[_Line]] = {}
        for lines in self.lines.values():
            for line in lines:
                by_lane.setdefault(line.stay.lane, []).append(line)
        y = self.top + (_RAIL if self.rail else 0.0)
        for title, lanes in self._groups(set(by_lane)):
            y += _HEAD if title else 0
            placed = []
            for lane in lanes:
                heights = _slots(by_lane[lane])
                start = y
                y += 4
                for slot, high in enumerate(heights):
                    y += high
                    self.y[lane, slot] = y - 10
                y += 4
                placed.append((lane, start, y))
            self.lanes.append((title, placed))
        return y + 6

    def _groups(self, used: set[Lane]) -> Iterator[tuple[str, list[Lane]]]:
        """As at a table: half of the players above the zones that all share, the others below, battlefields inside."""
        players: list[Iri | None] = [*self.course.players]
        players += sorted({lane.player for lane in used if lane.player} - set(self.course.players))
        if any(lane.player is None and lane.zone in ("library", "hand", "graveyard", "battlefield") for lane in used):
            players.append(None)
        half = (len(players) + 1) // 2
        inwards = ["library", "hand", "graveyard", "battlefield"]
        for player in players[:half]:
            if lanes := [lane for zone in inwards if (lane := Lane(zone, player)) in used]:
                yield self.course.name(player), lanes
        if shared := [lane for zone in ("stack", "exile", "command", UNKNOWN) if (lane := Lane(zone)) in used]:
            yield self.course.say("zones-shared"), shared
        for player in players[half:]:
            if lanes := [lane for zone in reversed(inwards) if (lane := Lane(zone, player)) in used]:
                yield self.course.name(player), lanes

    def _y(self, line: _Line) -> float:
        return self.y[line.stay.lane, line.slot]

    # --- drawing

    def draw(self) -> Iterator[Markup]:
        """Everything from back to front."""
        yield el("rect", class_="tl-paper", x=0, y=0, width=self.right, height=self.height)
        yield el("rect", class_="tl-ruler", x=0, y=0, width=self.right, height=self.words_at)
        yield from self._bands()
        yield from self._ruler()
        yield from self._hairlines()
        lines = [line for several in self.lines.values() for line in several]
        yield el("g", *(self._passage(a, b) for a, b in self._passages()), class_="tl-passages")
        yield el("g", *(self._stay(line) for line in lines), class_="tl-lines")
        arrived = [(b.left, self._y(b)) for _, b in self._passages()]
        yield el("g", *(el("circle", class_="tl-arrival", cx=x, cy=y, r=3) for x, y in arrived), class_="tl-arrivals")
        yield el("g", *(self._label(line) for line in lines), class_="tl-names")
        yield el("g", *(self._event(h) for h in self.course.happenings), class_="tl-events")
        yield el("g", *self._flags(), class_="tl-marks")

    def _bands(self) -> Iterator[Markup]:
        for _, lanes in self.lanes:
            for n, (lane, start, end) in enumerate(lanes):
                kind = "tl-lane tl-stack" if lane.zone == "stack" else f"tl-lane tl-lane-{n % 2}"
                yield el("rect", class_=kind, x=0, y=start, width=self.right, height=end - start)
        for left, right in self.gaps:
            yield el("rect", class_="tl-gap", x=left, y=0, width=right - left, height=self.height)
            yield el("text", "⋯", class_="tl-gap-sign", x=(left + right) / 2, y=15)
        for number, marks in self.marks.items():
            worst = "violates" if any(m.verdict == "violates" for m in marks) else "undetermined"
            x = self._at(number)
            yield el("rect", class_=f"tl-band tl-band-{worst}", x=x - 19, y=self.words_at, width=38,
                     height=self.height - self.words_at - 4, rx=3)  # fmt: skip

    def _ruler(self) -> Iterator[Markup]:
        """Turns and steps across the top, as far as the record says them."""
        happenings = self.course.happenings
        for turn, several in groupby(happenings, key=lambda h: (h.turn, h.active)):
            inside = list(several)
            left, right = self._span(inside[0], inside[-1])
            unknown = "" if turn[0] is not None else " tl-unknown"
            yield el("path", class_="tl-turn-edge", d=f"M{left:.1f} 0V{self.height:.1f}")
            yield from self._repeated(self.course.turn(inside[0]), left, right, 15, f"tl-turn{unknown}", 12)
            for step, of_step in groupby(inside, key=lambda h: h.step):
                within = list(of_step)
                start, end = self._span(within[0], within[-1])
                if start > left:
                    yield el("path", class_="tl-step-edge", d=f"M{start:.1f} {_TURN_ROW}V{self.height:.1f}")
                full = self.course.step(step)
                short = self.course.short(local_name(step)) if step is not None else full
                name = full if width(full, _WORD_SIZE) < end - start - 8 else short
                kind = "tl-step" if step is not None else "tl-step tl-unknown"
                yield from self._repeated(name, start, end, _TURN_ROW + 13, kind, _WORD_SIZE, full)

    def _span(self, first: Happening, last: Happening) -> tuple[float, float]:
        left = float(self.gutter) if first.number == 1 else self.edges[first.number - 1][0]
        right = self.right if last.number == len(self.x) else self.edges[last.number - 1][1]
        return left, right

    def _repeated(
        self, name: str, left: float, right: float, y: float, kind: str, size: float, title: str | None = None
    ) -> Iterator[Markup]:
        at = left
        while at == left or right - at > self.repeat / 3:
            room = min(right - at, self.repeat) - 8
            if told := fitted(name, room, size):
                again = "" if at == left else " tl-again"
                yield el("text", told, el("title", title or name), class_=kind + again, x=at + 5, y=y)
            at += self.repeat

    def _hairlines(self) -> Iterator[Markup]:
        for h in self.course.happenings:
            x = self.x[h.number - 1]
            ys = self._ys(h)
            yield el("path", class_="tl-hair", d=f"M{x:.1f} {self.marks_at}V{max(ys):.1f}")
            if len(ys) > 1:
                yield el("path", class_="tl-together", d=f"M{x:.1f} {min(ys):.1f}V{max(ys):.1f}")

    def _ys(self, happening: Happening) -> list[float]:
        """Where on its column an event has its shape, and the further things that it is about."""
        lines = [line for t in happening.things if (line := self._line_at(t, happening.number))]
        return [self._y(line) for line in lines] or [self.top + _RAIL / 2]

    def _passages(self) -> Iterator[tuple[_Line, _Line]]:
        for lines in self.lines.values():
            for a in lines:
                yield from ((a, b) for b in lines if b is not a and b.stay.start == a.stay.end)

    def _passage(self, a: _Line, b: _Line) -> Markup:
        left, right, y, to = a.right, b.left, self._y(a), self._y(b)
        bend = (right - left) * 0.8
        points = (left + bend, y), (right - bend, to), (right, to)
        curve = " ".join(f"{px:.1f} {py:.1f}" for px, py in points)
        return el("path", class_=f"tl-line{_modest(a)}", d=f"M{left:.1f} {y:.1f}C{curve}")

    def _stay(self, line: _Line) -> Markup | None:
        y = self._y(line)
        right = max(line.right, line.left)
        kind = "tl-line"
        if line.stay.start != int(line.stay.start):
            kind += " tl-dotted"
        kind += _modest(line)
        end = ""
        if line.stay.end is not None and not self._goes_on(line.stay):
            end = f"M{right + 14:.1f} {y - 5:.1f}v10" if line.stay.end == int(line.stay.end) else ""
            right += 14 if end else 0
        return el("path", class_=kind, d=f"M{line.left:.1f} {y:.1f}H{right:.1f}{end}")

    def _label(self, line: _Line) -> Markup | None:
        if not line.name:
            return None
        names = [self.course.name(line.stay.thing)]
        title = names[0]
        if line.stay.others:
            told = ", ".join([*names, *(self.course.name(o) for o in line.stay.others)])
            title = self.course.say("more-title", n=len(line.stay.others), names=told)
        y = self._y(line) - (17 if line.raised else 4)
        shown = [el("text", line.name, el("title", title), class_=f"tl-name{_modest(line)}", x=line.name_at, y=y)]
        at = line.name_at + self.repeat
        while at + 120 < line.right:
            if not any(at - 14 < p < at + width(line.name, _NAME_SIZE) + 14 for p in line.points):
                shown.append(el("text", line.name, class_="tl-name tl-again", x=at, y=self._y(line) - 4,
                                aria_hidden="true"))  # fmt: skip
            at += self.repeat
        return join(shown)

    def _event(self, happening: Happening) -> Markup:
        x, ys = self.x[happening.number - 1], self._ys(happening)
        kind = family(happening.node.kind)
        marks = self.marks.get(happening.number, [])
        return el(
            "g",
            el("title", f"{happening.number}. {self.course.sentence(happening.node.iri)}"),
            el("text", self.course.short(happening.node.kind), class_="tl-word", x=x, y=self.words_at + 13),
            *(el("circle", class_="tl-also", cx=x, cy=y, r=3.5) for y in ys[1:]),
            shape(kind, x, ys[0]),
            el("text", happening.number, class_=f"tl-number{' tl-long' if happening.number > 99 else ''}", x=x,
               y=ys[0] + 3.6),
            *self._badges(marks, x, ys[0]),
            class_=f"tl-event tl-{kind}", id=f"{self.prefix}p{happening.number}",
        )  # fmt: skip

    def _badges(self, marks: list[Mark], x: float, y: float) -> Iterator[Markup]:
        """A verdict's sign at the shape itself."""
        for verdict in ("violates", "undetermined"):
            if any(m.verdict == verdict for m in marks):
                yield el("circle", class_=f"tl-badge tl-badge-{verdict}", cx=x - 11, cy=y - 9, r=6.5)
                yield el("text", MARKS[verdict], class_=f"tl-sign tl-sign-{verdict}", x=x - 11, y=y - 5.6)
                y += 16

    def _flags(self) -> Iterator[Markup]:
        """A link for each verdict, above its event."""
        for number, marks in self.marks.items():
            x = max(self._at(number), self.gutter + 18.0)
            for row, mark in enumerate(marks):
                y = self.marks_at + row * _MARK_ROW
                told = f"{MARKS[mark.verdict]}{mark.number}"
                yield el(
                    "a",
                    el("title", f"{self.course.say(mark.verdict)}: {mark.message}"),
                    el("rect", class_="tl-flag", x=x - 16, y=y, width=32, height=17, rx=8.5),
                    el("text", told, class_="tl-flag-text", x=x, y=y + 12.5),
                    href=f"#{self.prefix}v{mark.number}", class_=f"tl-mark tl-mark-{mark.verdict}",
                    aria_label=f"{self.course.say(mark.verdict)} {mark.number}",
                )  # fmt: skip

    def names(self) -> Iterator[Markup]:
        """The lanes' names, at the left."""
        yield el("rect", class_="tl-gutter", x=0, y=0, width=self.gutter, height=self.height)
        yield el("path", class_="tl-gutter-edge", d=f"M{self.gutter} 0V{self.height:.1f}")
        for title, lanes in self.lanes:
            first = lanes[0][1]
            yield el("path", class_="tl-group-edge", d=f"M0 {first - _HEAD:.1f}H{self.gutter}")
            yield el("text", fitted(title, self.gutter - 14, 12.5), el("title", title), class_="tl-group",
                     x=8, y=first - 7)  # fmt: skip
            for lane, start, end in lanes:
                told = self.course.zone(lane)
                yield el("text", fitted(told, self.gutter - 22, _NAME_SIZE), el("title", told), class_="tl-zone", x=16,
                         y=start + min(22.0, (end - start) / 2 + 4))  # fmt: skip


def _modest(line: _Line) -> str:
    """Of what only lies there."""
    return " tl-modest" if line.stay.start == 0 and line.stay.end is None and not line.points else ""


def _slots(lines: list[_Line]) -> list[int]:
    """Gives each line the first slot that is free for as long as it and its name reach; the height of each slot."""
    free: list[float] = []
    heights: list[int] = []
    for line in sorted(lines, key=lambda line: (line.left, line.stay.thing)):
        slot = next((n for n, until in enumerate(free) if until <= line.left - _RADIUS), len(free))
        if slot == len(free):
            free.append(0.0)
            heights.append(_LOW)
        free[slot], line.slot = line.reach, slot
        heights[slot] = max(heights[slot], _HIGH if line.raised else _LOW)
    return heights


def shape(kind: str, x: float, y: float, r: float = _RADIUS) -> Markup:
    """The shape of a family of events around a point."""
    if kind == "act":
        return el("rect", class_="tl-shape", x=x - r, y=y - r + 1, width=2 * r, height=2 * r - 2, rx=2)
    if kind == "resolve":
        outer = el("circle", class_="tl-shape", cx=x, cy=y, r=r + 0.5)
        return join([outer, el("circle", class_="tl-inner", cx=x, cy=y, r=r - 2.5)])
    if kind == "move":
        return el("circle", class_="tl-shape", cx=x, cy=y, r=r - 0.5)
    if kind == "say":
        a, b = r + 1, r - 2
        return _polygon(x, y, [(-a, -b), (a, -b), (a, b - 1), (2, b - 1), (-3, b + 4), (-3, b - 1), (-a, b - 1)])
    if kind == "step":
        return el("path", class_="tl-shape tl-tick", d=f"M{x - r + 2:.1f} {y - r + 1:.1f}h-4v{2 * r - 2}h4")
    corners = {
        "trigger": [(0, -r - 3), (r + 3, 0), (0, r + 3), (-r - 3, 0)],
        "stop": [(-4, -r), (4, -r), (r, -4), (r, 4), (4, r), (-4, r), (-r, 4), (-r, -4)],
        "counter": [(-r - 2, 0), (-6, -r), (6, -r), (r + 2, 0), (6, r), (-6, r)],
    }
    if kind in corners:
        return _polygon(x, y, corners[kind], el("path", class_="tl-strike", d=f"M{x - 6:.1f} {y + 6:.1f}l12 -12")
                        if kind == "stop" else None)  # fmt: skip
    return el("rect", class_="tl-shape", x=x - r, y=y - r + 3, width=2 * r, height=2 * r - 6, rx=7)


def _polygon(x: float, y: float, corners: list[tuple[float, float]], more: Markup | None = None) -> Markup:
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    drawn = el("polygon", class_="tl-shape", points=points)
    return drawn if more is None else join([drawn, more])


def style() -> str:
    return STYLE.read_text(encoding="utf-8")


def svg(
    record: Record, entry: Json, language: str, standalone: bool = False, *,
    knowledge: Knowledge | None = None, prefix: str = "",
) -> str:  # fmt: skip
    """The picture of a record and its verdicts as SVG.

    `entry`: the record's part of the report (`rulewright.explain.Outcome.entry`). `prefix`: of the ids that the picture
    has and links to, where a page has several pictures.
    """
    course = Course(record, entry, language, knowledge or packaged_knowledge())
    return picture(Timeline(course, prefix, standalone))


def picture(timeline: Timeline) -> Markup:
    """As `svg`, of what has its places already."""
    course, prefix = timeline.course, timeline.prefix
    drawn = [*timeline.draw(), *timeline.names()]
    wide, high = timeline.right, timeline.height
    if timeline.standalone:
        below, high = _explained(timeline, wide)
        drawn = [el("rect", class_="tl-paper", x=0, y=0, width=wide, height=high), *drawn, *below]
    return el(
        "svg",
        el("title", _title(course), id=f"{prefix}picture-title"),
        el("desc", course.say("picture-desc"), id=f"{prefix}picture-desc"),
        el("style", Markup(style())) if timeline.standalone else None,
        *drawn,
        xmlns="http://www.w3.org/2000/svg", class_="tl", role="group", lang=course.language,
        viewBox=f"0 0 {wide:.0f} {high:.0f}", width=round(wide), height=round(high),
        aria_labelledby=f"{prefix}picture-title", aria_describedby=f"{prefix}picture-desc",
    )  # fmt: skip


def gutter(timeline: Timeline) -> Markup:
    """The lanes' names alone, to stay in sight while the picture is scrolled."""
    return el("svg", *timeline.names(), class_="tl tl-names-only", aria_hidden="true", width=GUTTER,
              viewBox=f"0 0 {GUTTER} {timeline.height:.0f}", height=round(timeline.height))  # fmt: skip


def key(kind: str) -> Markup:
    """A shape alone, to explain it."""
    return el("svg", el("g", shape(kind, 15, 14), class_=f"tl-{kind}"), class_="tl tl-key", viewBox="0 0 30 28",
              width=30, height=28, aria_hidden="true")  # fmt: skip


def families(course: Course) -> list[str]:
    """The shapes that a picture has, in the order in which they are explained."""
    there = {family(h.node.kind) for h in course.happenings}
    return [f for f in (*FAMILIES, "other") if f in there]


def _title(course: Course) -> str:
    told = [counted(course.language, name, course.count(verdict))
            for name, verdict in (("violations", "violates"), ("undetermineds", "undetermined"))
            if course.count(verdict)]  # fmt: skip
    events = counted(course.language, "events", len(course.happenings))
    name = course.record.id.rpartition("/")[2]
    return course.say("picture-title", name=name, events=events, verdicts=", ".join(told) or course.say("conforms"))


def _explained(timeline: Timeline, wide: float) -> tuple[list[Markup], float]:
    """What stands below a picture that stands alone: its shapes, and the verdicts in words."""
    course = timeline.course
    found: list[Markup] = []
    x, y = 16.0, timeline.height + 26
    for kind in families(course):
        told = course.say(f"key-{kind}")
        needed = 44 + width(told, _NAME_SIZE)
        if x + needed > wide and x > 16:
            x, y = 16.0, y + 30
        found.append(el("g", shape(kind, x + 12, y), class_=f"tl-{kind}"))
        found.append(el("text", told, class_="tl-name", x=x + 30, y=y + 4))
        x += needed + 12
    y += 34
    for number, marks in sorted(timeline.marks.items()):
        for mark in marks:
            at = course.say("event", n=number) if number else course.say("whole")
            lines = _wrapped(f"{MARKS[mark.verdict]}{mark.number}  {at}: {mark.message}", min(wide, 900) - 40)
            rows = [el("tspan", row, x=16 if n == 0 else 44, y=y + n * 17) for n, row in enumerate(lines)]
            target = f"{timeline.prefix}v{mark.number}"
            found.append(el("text", *rows, class_=f"tl-told tl-told-{mark.verdict}", id=target))
            y += len(lines) * 17 + 6
    return found, y + 6


def _wrapped(text: str, room: float) -> list[str]:
    rows = [""]
    for word in (fitted(w, room, 13) for w in clean(text).split(" ")):
        longer = f"{rows[-1]} {word}".strip() if rows[-1] else word
        if rows[-1] and width(longer, 13) > room:
            rows.append(word)
        else:
            rows[-1] = longer
    return rows
