"""Verdicts: what an axiom says of an event, with the facts and the authorities that decided it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from rulewright.axioms import Knowledge, ir
from rulewright.axioms.model import NamedCondition
from rulewright.checks.reference import Fact, Judge, Judgement, Missing
from rulewright.records import Graph
from rulewright.vocabulary import Iri

T = TypeVar("T")
_WEIGHT = {"violates": 0, "undetermined": 1, "conforms": 2}


@dataclass(frozen=True)
class Verdict:
    """`violates`, `undetermined` or `conforms`, once for each axiom and event."""

    axiom: Iri
    verdict: str
    focus: Iri
    part: str
    authority: tuple[Iri, ...]
    facts: tuple[Fact, ...]
    missing: tuple[Missing, ...]
    conditions: tuple[tuple[Iri, bool | None], ...]
    """The named conditions that decided, each with its value."""
    assumed: tuple[str, ...] = ()
    """What had to be taken as none, though the record leaves it out."""


def verdicts(findings: Iterable[ir.Finding], knowledge: Knowledge, plan: ir.Plan, graph: Graph) -> list[Verdict]:
    """Findings of one record, explained by the reference evaluator, in the order of events.

    `graph` has the facts of the plan's stages.
    """
    listed = list(findings)
    if not listed:
        return []
    judge = Judge(plan, graph)
    citing = knowledge.citing_conditions
    by_focus: dict[tuple[Iri, Iri], list[Verdict]] = {}
    for finding in listed:
        found = _explained(finding, knowledge, judge, citing)
        by_focus.setdefault((found.axiom, found.focus), []).append(found)
    merged = [_merged(same) for same in by_focus.values()]
    return sorted(merged, key=lambda v: (_order(graph, v.focus), v.axiom))


def _order(graph: Graph, focus: Iri) -> int:
    order = graph.facts[focus].get("order", 0)
    return order if isinstance(order, int) else 0


def strongest(findings: Iterable[ir.Finding], graph: Graph) -> dict[tuple[Iri, Iri], str]:
    """Axiom and event -> the verdict, unexplained."""
    found: dict[tuple[Iri, Iri], str] = {}
    for finding in findings:
        key = finding.check.axiom, _reported(finding, graph)
        found[key] = min(finding.verdict, found.get(key, finding.verdict), key=_WEIGHT.__getitem__)
    return found


def _reported(finding: ir.Finding, graph: Graph) -> Iri:
    """The event to report."""
    event = graph.facts[finding.focus].get(finding.check.report)
    return event if isinstance(event, Iri) else finding.focus


def _explained(finding: ir.Finding, knowledge: Knowledge, judge: Judge, citing: Iterable[NamedCondition]) -> Verdict:
    check, graph = finding.check, judge.graph
    focus = finding.focus
    applies, holds = judge.explain(check, focus)
    told = [holds] if finding.verdict == "undetermined" and holds.value is None else [applies, holds]
    if finding.verdict == "undetermined" and applies.value is None:
        told = [applies, *([holds] if holds.value is None else [])]
    authority = [*(check.authority or knowledge.axioms[check.axiom].authority)]
    for iri, value in holds.named + (applies.named if _about_the_case(check) else ()):
        if value is not None and iri in knowledge.conditions:
            authority += knowledge.conditions[iri].authority
    for condition in citing:
        if check.axiom in condition.cited_by and judge.judge(condition.condition, focus, focus).value:
            authority += condition.authority
    return Verdict(
        axiom=check.axiom,
        verdict=finding.verdict,
        focus=_reported(finding, graph),
        part=check.part,
        authority=tuple(dict.fromkeys(authority)),
        facts=_unique(j.facts for j in told) if finding.verdict != "undetermined" else (),
        missing=_unique(j.missing for j in told),
        conditions=_conditions(check, knowledge, applies, holds),
    )


def _about_the_case(check: ir.Check) -> bool:
    """Where something was due, the conditions that made it due decided."""
    return check.part in ("due", "missing")


def _conditions(
    check: ir.Check, knowledge: Knowledge, applies: Judgement, holds: Judgement
) -> tuple[tuple[Iri, bool | None], ...]:
    """The named conditions that decided: of a prohibition, what it forbids as well as what would have excused it."""
    both = _about_the_case(check) or knowledge.axioms[check.axiom].archetype == "Prohibition"
    told = applies.named + holds.named if both or not holds.named else holds.named
    return tuple(dict.fromkeys(told))


def _unique(groups: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(item for group in groups for item in group))


def _merged(same: list[Verdict]) -> Verdict:
    same.sort(key=lambda v: _WEIGHT[v.verdict])
    first = same[0]
    alike = [v for v in same if v.verdict == first.verdict]
    return Verdict(
        axiom=first.axiom, verdict=first.verdict, focus=first.focus, part=first.part,
        authority=_unique(v.authority for v in alike), facts=_unique(v.facts for v in alike),
        missing=_unique(v.missing for v in alike), conditions=_unique(v.conditions for v in alike),
    )  # fmt: skip
