"""Results as a report: one form as data, from which text, JSON, SHACL and JUnit are made."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rulewright.axioms import Knowledge
from rulewright.checks import Result, Verdict, differences, expectations
from rulewright.checks.reference import Fact
from rulewright.explain.additions import Addition, Tracer
from rulewright.explain.messages import message
from rulewright.explain.words import cited
from rulewright.records import Graph, Problem, Record, Unchecked, Value
from rulewright.records.words import ABILITY
from rulewright.vocabulary import GAME, Iri, load_schema, local_name

Json = dict[str, Any]
LEVELS = ("violates", "undetermined", "unchecked")
"""What can count as a finding, the worst first."""


class Summary:
    """Counts of a run."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(("records", "conform", "violate", "undetermined", "unchecked", "errors"), 0)

    def add(self, outcome: Outcome) -> None:
        """Each record once: it conforms or violates; whether it is so in part only, or bad, is counted beside."""
        self.counts["errors"] += bool(outcome.errors)
        if outcome.entry is not None:
            self.counts["records"] += 1
            self.counts["conform" if outcome.entry["conforms"] else "violate"] += 1
            self.counts["undetermined"] += any(v["verdict"] == "undetermined" for v in outcome.verdicts)
            self.counts["unchecked"] += bool(outcome.unchecked)


@dataclass
class Outcome:
    """What is reported of one item of the input: the record's entry, or errors; and for a scenario, how it differs."""

    entry: Json | None = None
    errors: list[Json] = field(default_factory=list)
    differences: list[str] | None = None
    record: Record | None = None
    """The record itself, where the run keeps it."""
    places: dict[str, str] = field(default_factory=dict)
    """Nodes that lack a key -> where they stand in the record, such as `cards[2]`."""

    @property
    def verdicts(self) -> list[Json]:
        """The record's verdicts, in the order of its events; none where it could not be read."""
        return [] if self.entry is None else verdicts_of(self.entry)

    @property
    def unchecked(self) -> list[Json]:
        """What the record names and nothing judged: `what`, `word`, `events`."""
        found: list[Json] = [] if self.entry is None else self.entry["unchecked"]
        return found

    def fails(self, on: str = "violates", strict: bool = False) -> bool:
        """Whether there is a finding. `on`: one of LEVELS, which includes those before it; `strict`: all, and warnings.

        A bad record is an error, and no finding.
        """
        if self.entry is None:
            return False
        found = {verdict["verdict"] for verdict in self.verdicts} | ({"unchecked"} if self.unchecked else set())
        counted = LEVELS if strict else LEVELS[: LEVELS.index(on) + 1]
        return not found.isdisjoint(counted) or (strict and bool(self.entry["warnings"]))


def outcome(
    result: Result, knowledge: Knowledge, everything: bool = False, expect: bool = False, keep: bool = False
) -> Outcome:
    """A result in the form in which it is reported (see the interface: JSON of `check`)."""
    errors = [_problem(p) for p in result.problems]
    if result.unread is not None:
        nothing: Json = {"verdicts": [], "unchecked": [], "warnings": []}
        return Outcome({"id": result.unread, "source": "", "conforms": True, **nothing})
    if result.record is None or result.graph is None:
        return Outcome(errors=errors)
    told: list[str] | None = None
    if expect:
        expected, problems = expectations(result)
        errors += [_problem(p) for p in problems]
        told = [] if problems else differences(result, expected)
    graph = result.graph
    day = int(str(graph.facts[result.record.id]["rulesDate"]))
    shown = [v for v in result.verdicts if everything or v.verdict != "conforms"]
    entry: Json = {
        "id": result.record.id,
        "source": result.record.source,
        "conforms": result.conforms,
        "verdicts": [_verdict(v, knowledge, graph, day) for v in shown],
        "unchecked": _unchecked(result.unchecked),
        "warnings": [
            *result.record.warnings, *_unknown_keywords(result.verdicts, knowledge, graph), *_near_misses(graph),
            *_empty(graph),
        ],
    }
    lacking = (gap["node"] for verdict in verdicts_of(entry) for gap in verdict.get("missing", ()))
    places = {node: result.record.nodes[node].place for node in lacking}
    return Outcome(entry, errors, told, result.record if keep else None, places)


def where(gap: Json, places: dict[str, str]) -> str:
    """A key that is to be added, with its place: `cards[2].keywords`, `"records": ["Trigger"]`."""
    if "value" in gap:
        return f'"{gap["property"]}": ["{gap["value"]}"]'
    place = places.get(gap["node"], f"#{gap['node'].rpartition('#')[2]}")
    return f"{place}.{gap['property']}" if place else str(gap["property"])


def _unknown_keywords(verdicts: list[Verdict], knowledge: Knowledge, graph: Graph) -> Iterator[str]:
    """Notes on keywords without axioms: those of a misspelt name, and those that may bear on what is not in order."""
    instances = (facts for facts in graph.facts.values() if "keywordNamed" in facts and "keyword" in facts)
    unknown = {str(f["keyword"]): f["keywordNamed"] for f in instances if f["keywordNamed"] not in knowledge.keywords}
    if not unknown:
        return
    bearing: set[Value] = set()
    for verdict in verdicts:
        open_ = any(gap.name == "keywordsDefined" for gap in verdict.missing)
        named = graph.facts[verdict.focus].get("keywordsNamed", ()) if open_ or verdict.verdict == "violates" else ()
        bearing.update(named if isinstance(named, tuple) else ())
    for name, keyword in sorted(unknown.items()):
        near = graph.words.near(name) if graph.words is not None else None
        if near is not None:
            yield f"keyword {name!r} is not defined here; is {near!r} meant?"
        elif keyword in bearing:
            yield f"keyword {name!r} is not defined here, so what it allows or replaces is not judged: see --axioms"


def _near_misses(graph: Graph) -> Iterator[str]:
    """Notes on words that stand for nothing known, and nearly are a known one."""
    kinds = {"label": (ABILITY,), "kind": tuple(sorted(load_schema().word_kinds - {ABILITY}))}
    for what, word in dict.fromkeys((found.what, found.word) for found in graph.unchecked if found.what in kinds):
        near = graph.words.near(word, kinds[what]) if graph.words is not None else None
        if near is not None:
            yield f"{what} {word!r} stands for nothing known here; is {near!r} meant?"


def _empty(graph: Graph) -> Iterator[str]:
    if not graph.record.children("events"):
        yield "the record has no events: there was nothing to check"


def _unchecked(found: list[Unchecked]) -> list[Json]:
    """Each once, with its events."""
    events: dict[tuple[str, str], dict[Iri, None]] = {}
    for one in found:
        of_it = events.setdefault((one.what, one.word), {})
        if one.event is not None:
            of_it[one.event] = None
    return [{"what": what, "word": word, "events": list(of_it)} for (what, word), of_it in events.items()]


def _problem(problem: Problem) -> Json:
    return {"source": problem.source, "place": problem.place, "problem": problem.problem}


def _verdict(verdict: Verdict, knowledge: Knowledge, graph: Graph, day: int) -> Json:
    entry: Json = {
        "axiom": verdict.axiom,
        "verdict": verdict.verdict,
        "focus": verdict.focus,
        "message": message(verdict, knowledge, graph),
        "authority": [cited(a, knowledge, day) for a in verdict.authority],
    }
    if verdict.assumed:
        entry["assumed"] = list(verdict.assumed)
    if verdict.verdict == "undetermined":
        entry["missing"] = [_missing(addition) for addition in Tracer(graph).additions(verdict.missing)]
    else:
        entry["facts"] = [f for fact in verdict.facts if (f := _fact(fact)) is not None]
    return entry


def _missing(addition: Addition) -> Json:
    told: Json = {"node": addition.node, "property": addition.key}
    return told if addition.member is None else {**told, "value": addition.member}


def _fact(fact: Fact) -> Json | None:
    node, name, value = fact
    if name not in load_schema().told:
        return None
    as_one = load_schema().kinds.get(name) == "List"
    return {"event": node, "property": name, "value": _parted(str(value)) if as_one else plain(value)}


def _parted(value: str) -> object:
    """A list that is one value, for comparing, as the list or the numbers of kinds that it is."""
    return json.loads(value, object_hook=lambda thing: plain(Iri(thing["@id"])) if "@id" in thing else thing)


def plain(value: Value) -> object:
    """A value as JSON: words of the record for its terms, null for a known nothing."""
    if isinstance(value, tuple):
        return [plain(v) for v in value]
    if isinstance(value, Iri) and value.startswith(GAME):
        word = load_schema().word_of.get(value, local_name(value))
        return None if word == "none" else word
    return value


def verdicts_of(entry: Json) -> list[dict[str, Any]]:
    """The verdicts of a record's entry."""
    found: list[dict[str, Any]] = entry["verdicts"]
    return found
