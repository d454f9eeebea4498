"""The page of checked games: each as a picture, with its verdicts and their reasons, and its events in words.

`body` is what stands in a page of the site, which has `timeline.css` and `game.css`; `document` is a page by itself, in
one file that needs nothing else. Neither needs a script.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path

from rulewright.axioms import Knowledge, packaged_knowledge
from rulewright.explain import Outcome, Summary
from rulewright.explain.formats import MARKS, assumed_told, fact_told, unchecked_told
from rulewright.explain.report import where
from rulewright.explain.words import Words
from rulewright.records import Record
from rulewright.site.game import timeline
from rulewright.site.game.course import Course, Happening, Json, counted, say
from rulewright.site.game.markup import Markup, clean, el, join
from rulewright.vocabulary import RULING, SCENARIO, Iri, load_schema

STYLE = Path(__file__).parents[1] / "static" / "game.css"
MOST_EVENTS = 1000
"""A game with more events has no picture: nobody could read it."""
Link = Callable[[str], str]
_POSITIONS = ("pastPosition", "stepPosition")
"""Facts whose value is a step by its position in the turn."""


def body(
    results: Iterable[Outcome], language: str, *, knowledge: Knowledge | None = None, link: Link = str
) -> str:
    """The games of a run, below a heading of the first rank that the page has already.

    `results`: outcomes of a `Run` that keeps records; one without its record is told without picture and events.
    `link`: where the page of an IRI is, if not at the IRI itself.
    """
    return _body(list(results), Summary(), language, knowledge or packaged_knowledge(), link)


def document(
    results: Iterable[Outcome], summary: Summary, language: str, *, knowledge: Knowledge | None = None
) -> Iterator[str]:
    """A whole page, in parts; `summary` is counted along."""
    told = _body(list(results), summary, language, knowledge or packaged_knowledge(), str)
    title = say(language, "title")
    style = timeline.style() + STYLE.read_text(encoding="utf-8")
    yield "<!DOCTYPE html>"
    yield el(
        "html",
        el(
            "head",
            el("meta", charset="utf-8"),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("meta", name="color-scheme", content="light dark"),
            el("meta", http_equiv="Content-Security-Policy",
               content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"),
            el("title", f"{title} – rulewright"),
            el("style", Markup(style)),
        ),
        el("body", el("main", el("h1", title), told, class_="game-page"), class_="game-alone"),
        lang=language,
    )  # fmt: skip


def _body(outcomes: list[Outcome], summary: Summary, language: str, knowledge: Knowledge, link: Link) -> Markup:
    games: list[_Game] = []
    problems: list[Json] = []
    for outcome in outcomes:
        summary.add(outcome)
        problems += outcome.errors
        if outcome.entry is not None:
            games.append(_Game(outcome, len(games) + 1, language, knowledge, link))
    alone = len(games) == 1
    for game in games:
        game.prefix = "" if alone else f"g{game.number}-"
    told = el("p", say(language, "summary", **summary.counts), class_="game-summary")
    return el(
        "div",
        told if len(games) + len(problems) > 1 else None,
        _problems(problems, language) if problems else None,
        None if len(games) < 2 else _contents(games, language),
        *(game.section() for game in games),
        class_="game",
    )


def _problems(problems: list[Json], language: str) -> Markup:
    """What could not be read, with its place."""
    rows = []
    for problem in problems:
        place = [f" {say(language, 'place')} ", el("code", problem["place"])] if problem["place"] else []
        rows.append(el("li", el("bdi", problem["source"]), *place, ": ", el("bdi", problem["problem"])))
    return el("section", el("h2", say(language, "errors"), id="errors"), el("ul", *rows), class_="game-errors",
              aria_labelledby="errors")  # fmt: skip


def _contents(games: list[_Game], language: str) -> Markup:
    rows = [el("li", el("a", el("bdi", game.title), href=f"#{game.prefix}game"), " ", game.counts()) for game in games]
    return el("nav", el("h2", say(language, "records")), el("ol", *rows), class_="game-contents",
              aria_label=say(language, "records"))  # fmt: skip


class _Game:
    """One record and its part of the report."""

    def __init__(self, outcome: Outcome, number: int, language: str, knowledge: Knowledge, link: Link) -> None:
        assert outcome.entry is not None
        self.outcome, self.entry, self.number, self.language = outcome, outcome.entry, number, language
        self.knowledge, self.link, self.prefix = knowledge, link, ""
        self.record: Record | None = outcome.record
        self.course = Course(outcome.record, outcome.entry, language, knowledge) if outcome.record else None
        self.words = self.course.telling.words if self.course else Words(knowledge, language)
        self.numbers = {h.node.iri: h.number for h in self.course.happenings} if self.course else {}

    @property
    def title(self) -> str:
        name = str(self.entry["id"])
        return name.removeprefix(SCENARIO).replace("-", " ") if name.startswith(SCENARIO) else name

    def say(self, name: str, /, **slots: object) -> str:
        return say(self.language, name, **slots)

    def section(self) -> Markup:
        heading = f"{self.prefix}game"
        return el(
            "section",
            el("h2", el("bdi", self.title), id=heading),
            self._about(),
            self._scenario(),
            self._picture(),
            *self._verdicts(),
            self._events(),
            class_="game-record", aria_labelledby=heading,
        )  # fmt: skip

    # --- what it is

    def counts(self) -> Markup:
        """How many verdicts of which kind, as labels."""
        told = []
        for name, verdict in (("violations", "violates"), ("undetermineds", "undetermined")):
            if n := sum(v["verdict"] == verdict for v in self.entry["verdicts"]):
                words = f"{MARKS[verdict]} {counted(self.language, name, n)}"
                told.append(el("span", words, class_=f"game-label game-{verdict}"))
        if self.entry["conforms"] and not told:
            name = "conforms-in-part" if self.outcome.unchecked else "conforms"
            told = [el("span", f"{MARKS['conforms']} {self.say(name)}", class_=f"game-label game-{name}")]
        return join(told, " ")

    def _about(self) -> Markup:
        facts = [self.counts()]
        if self.course is not None:
            facts.append(el("span", counted(self.language, "events", len(self.course.happenings))))
            if (date := self.course.record.root.facts.get("date")) is not None:
                facts.append(el("span", self.say("played", date=_day(date))))
        if self.entry["source"]:
            facts.append(el("span", f"{self.say('file')}: ", el("bdi", self.entry["source"])))
        notes = [el("p", f"{self.say('note')}: ", el("bdi", w), class_="game-note") for w in self.entry["warnings"]]
        if self.outcome.unchecked:
            told = unchecked_told(self.outcome, self.language)
            notes.append(el("p", f"{self.say('unchecked')}: ", el("bdi", told), class_="game-note"))
        return join([el("p", join(facts, " "), class_="game-about"), *notes])

    def _scenario(self) -> Markup | None:
        """What a scenario says of itself, and what it expects."""
        extras = self.record.extras if self.record is not None else {}
        rows: list[Markup] = []
        if isinstance(comment := extras.get("comment"), str):
            rows.append(el("p", comment, lang="en", dir="auto"))
        facts: list[Markup] = []
        if isinstance(expected := extras.get("expect"), list):
            facts += [el("dt", self.say("expected")), el("dd", *self._expected(expected))]
        statements = extras.get("statements")
        if isinstance(statements, list) and statements:
            told = [self._to(RULING + s, s) for s in statements if isinstance(s, str)]
            facts += [el("dt", self.say("rests-on")), el("dd", join(told, " · "))]
        if isinstance(source := extras.get("source"), str):
            facts += [el("dt", self.say("source")), el("dd", el("bdi", source))]
        if facts:
            rows.append(el("dl", *facts))
        heading = f"{self.prefix}scenario"
        if not rows:
            return None
        return el("section", el("h3", self.say("scenario"), id=heading), *rows, class_="game-scenario")

    def _expected(self, expected: list[object]) -> Iterator[Markup]:
        told: list[Markup] = []
        for one in expected:
            if not isinstance(one, dict) or str(one.get("verdict")) not in MARKS:
                continue
            focus, rests = str(one.get("focus", "")), str(one.get("authority", ""))
            at = f"{self.entry['id']}{focus}" if focus.startswith("#") else focus
            # the event's name becomes a link, wherever the sentence has it
            form = self.say("expected-at" if rests else "expected-at-plain", verdict=self.say(str(one["verdict"])),
                            event="\0", authority=rests)  # fmt: skip
            before, _, after = form.partition("\0")
            told.append(join([before, self._at(Iri(at)), after]))
        yield join(told, "; ") if told else el("span", self.say("expected-none"))
        if self.outcome.differences is not None:
            differs = bool(self.outcome.differences)
            told_so = self.say("differs" if differs else "as-expected")
            kind = "violates" if differs else "conforms"
            yield join([" ", el("span", f"{MARKS[kind]} {told_so}", class_=f"game-label game-{kind}")])
            if differs:
                yield el("ul", *(el("li", d) for d in self.outcome.differences))

    # --- verdicts

    def _verdicts(self) -> Iterator[Markup]:
        numbered = list(enumerate(self.entry["verdicts"], 1))
        open_ones = [(n, v) for n, v in numbered if v["verdict"] != "conforms"]
        others = [(n, v) for n, v in numbered if v["verdict"] == "conforms"]
        heading = f"{self.prefix}verdicts"
        told = [el("ol", *(self._verdict(n, v) for n, v in open_ones), class_="game-verdicts", role="list")]
        if not open_ones:
            told = [el("p", self.say("nothing-judged-in-part" if self.outcome.unchecked else "nothing-judged"))]
        if others:
            listed = el("ol", *(self._verdict(n, v) for n, v in others), class_="game-verdicts", role="list")
            told.append(el("details", el("summary", self.say("verdicts-other", n=len(others))), listed))
        yield el("section", el("h3", self.say("verdicts"), id=heading), *told)

    def _verdict(self, number: int, verdict: Json) -> Markup:
        kind = str(verdict["verdict"])
        rests = [self._to(a["id"], self.words.citation(a)) for a in verdict["authority"]]
        axiom = str(verdict["axiom"])
        return el(
            "li",
            el("p", el("span", f"{MARKS[kind]}{number}", class_=f"game-label game-{kind}"), " ",
               el("span", self.say(kind), class_="game-kind"), " · ", self._at(verdict["focus"]), class_="game-head"),
            el("p", verdict["message"][self.language], class_="game-message", dir="auto"),
            el("p", el("span", f"{self.say('rests-on')}: ", class_="game-of"), join(rests, " · ")) if rests else None,
            el("p", el("span", f"{self.say('axiom')}: ", class_="game-of"),
               self._to(axiom, self._axiom(axiom)), class_="game-axiom"),
            el("p", assumptions, class_="game-of") if (assumptions := assumed_told(verdict, self.language)) else None,
            self._facts(verdict, kind),
            id=f"{self.prefix}v{number}", class_=f"game-verdict game-verdict-{kind}",
        )  # fmt: skip

    def _axiom(self, iri: str) -> str:
        axiom = self.knowledge.axioms.get(Iri(iri))
        return axiom.label.in_language(self.language) if axiom is not None else iri

    def _facts(self, verdict: Json, kind: str) -> Markup | None:
        """What decided, or what is missing: what it is, its value, and where that stands."""
        rows: dict[tuple[str, str, str], Markup] = {}
        for fact in verdict.get("facts", []):
            label, value = self._fact(fact)
            cells = [el("th", label, scope="row"), el("td", el("bdi", value)), el("td", self._at(fact["event"]))]
            rows.setdefault((label, value, str(fact["event"])), el("tr", *cells))
        for gap in verdict.get("missing", []):
            label = where(gap, self.outcome.places)
            cells = [el("th", el("code", label), scope="row"), el("td", self._at(gap["node"]))]
            rows.setdefault((label, "", str(gap["node"])), el("tr", *cells))
        if not rows:
            return None
        title = self.say("missing" if kind == "undetermined" else "because")
        return el("details", el("summary", title), el("table", *rows.values()), class_="game-facts",
                  open=kind != "conforms")  # fmt: skip

    def _fact(self, fact: Json) -> tuple[str, str]:
        label, told = fact_told(fact, self.words)
        if self.course is None:
            return label, told
        value, telling = fact["value"], self.course.telling
        if fact["property"] in _POSITIONS:
            steps = {position: step for step, position in load_schema().step_position.items()}
            told = self.course.step(steps[value]) if value in steps else self.say("turn-over")
        values = value if isinstance(value, list) else [value]
        if values and all(isinstance(v, str) and Iri(v) in telling.graph.kinds for v in values):
            told = self.words.joined([self._called(Iri(v)) for v in values])
        return label, told

    def _called(self, node: Iri) -> str:
        assert self.course is not None
        if node in self.numbers:
            return self.say("event", n=self.numbers[node])
        if self.course.telling.graph.kinds.get(node) == "Turn":
            return self.say("turn", n=self.course.telling.graph.facts[node].get("turn"))
        return self.course.name(node)

    def _at(self, node: Iri) -> Markup:
        """Where something stands: an event by its number, anything else by its name."""
        node = Iri(node)
        if node in self.numbers:
            number = self.numbers[node]
            return el("a", self.say("event", n=number), href=f"#{self.prefix}e{number}")
        if node == self.entry["id"]:
            return el("span", self.say("whole"))
        if self.course is not None and node in self.course.telling.graph.kinds:
            return el("bdi", self._called(node))
        return el("bdi", "#" + node.rpartition("#")[2] if "#" in node else node)

    def _to(self, iri: str, label: str) -> Markup:
        """A link to a thing of the graph. A file of axioms can name anything: only addresses of the web are links."""
        if not re.match(r"https?://", iri):
            return el("bdi", label)
        return el("a", label, href=self.link(iri))

    # --- the picture

    def _picture(self) -> Markup | None:
        if self.course is None:
            return None
        heading = f"{self.prefix}picture"
        title = el("h3", self.say("picture"), id=heading)
        if len(self.course.happenings) > MOST_EVENTS:
            note = el("p", self.say("picture-too-long", n=len(self.course.happenings)))
            return el("section", title, note)
        drawn = timeline.Timeline(self.course, self.prefix)
        alone = timeline.picture(timeline.Timeline(self.course, standalone=True)).encode()
        data = "data:image/svg+xml;base64," + base64.b64encode(alone).decode()
        key = [el("li", timeline.key(f), self.say(f"key-{f}")) for f in timeline.families(self.course)]
        box = el("div", timeline.gutter(drawn), timeline.picture(drawn), class_="game-picture", tabindex=0,
                 role="region", aria_label=f"{self.say('scroll')}: {self.title}")  # fmt: skip
        name = re.sub(r"[^A-Za-z0-9-]+", "-", str(self.entry["id"]).rpartition("/")[2]).strip("-") or "game"
        return el(
            "section", title, box,
            el("ul", *key, class_="game-key", aria_label=self.say("key"), role="list"),
            el("p", el("a", self.say("save"), href=data, download=f"{name}.svg"), class_="game-save"),
        )

    # --- the events

    def _events(self) -> Markup | None:
        if self.course is None:
            return None
        course, heading = self.course, f"{self.prefix}events"
        parts: list[Markup] = []
        for _, several in groupby(course.happenings, key=lambda h: (h.turn, h.active)):
            inside = list(several)
            parts.append(el("h4", course.turn(inside[0])))
            step: object = ""
            rows = []
            for h in inside:
                rows.append(self._event(h, course.step(h.step) if h.step != step else None))
                step = h.step
            parts.append(el("ol", *rows, start=inside[0].number, role="list"))
        return el("section", el("h3", self.say("listed"), id=heading), *parts, class_="game-events")

    def _event(self, happening: Happening, step: str | None) -> Markup:
        assert self.course is not None
        marks = [
            el("a", f"{MARKS[m.verdict]}{m.number}", href=f"#{self.prefix}v{m.number}",
               class_=f"game-label game-{m.verdict}", aria_label=f"{self.say(m.verdict)} {m.number}")
            for m in self.course.marks.get(happening.number, [])
        ]  # fmt: skip
        return el(
            "li",
            el("span", happening.number, class_="game-number"),
            el("span", step or "", class_="game-step"),
            el("span", el("bdi", self.course.sentence(happening.node.iri)), " " if marks else "", *marks),
            id=f"{self.prefix}e{happening.number}", class_="game-event", value=happening.number,
        )  # fmt: skip


def _day(value: object) -> str:
    day = clean(value)
    return f"{day[:4]}-{day[4:6]}-{day[6:]}" if re.fullmatch(r"\d{8}", day) else day
