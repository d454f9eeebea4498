"""Whether a scenario holds: its violations are exactly those that it expects, and its other verdicts are found.

A scenario that is `exhaustive` names each `undetermined` verdict too; `conforms` is looked for only where expected.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.checks.checker import Result
from rulewright.checks.verdicts import Verdict
from rulewright.records import Problem
from rulewright.vocabulary import NEWEST, RULE, Iri, RuleNumbers, load_rule_numbers, local_name


@dataclass(frozen=True)
class Expected:
    verdict: str
    foci: tuple[Iri, ...]
    authorities: tuple[str, ...]

    def __str__(self) -> str:
        at = " or ".join(f"#{f.rpartition('#')[2]}" for f in self.foci)
        return f"{self.verdict} at {at}" + (f" by {' or '.join(self.authorities)}" if self.authorities else "")


def expectations(result: Result) -> tuple[list[Expected], list[Problem]]:
    """The list `expect` of a scenario, and what is malformed in it."""
    assert result.record is not None
    record = result.record
    raw = record.extras.get("expect")
    if not isinstance(raw, list):
        return [], [
            Problem(record.source, "expect", "missing: a scenario lists the verdicts that it expects, [] for none")
        ]
    found: list[Expected] = []
    problems: list[Problem] = []
    if not isinstance(record.extras.get("exhaustive", False), bool):
        problems.append(Problem(record.source, "exhaustive", "is true or false"))
    for position, item in enumerate(raw):
        place = f"expect[{position}]"
        known = isinstance(item, dict) and item.get("verdict") in ("violates", "undetermined", "conforms")
        if not known or not isinstance(item.get("focus"), str):
            problems.append(
                Problem(record.source, place, "needs verdict (violates, undetermined, conforms) and focus (#event)")
            )
            continue
        foci = [item["focus"], *_strings(item.get("focusAlternatives"))]
        iris = tuple(Iri(record.id + f) if f.startswith("#") else Iri(f) for f in foci)
        for iri in iris:
            if iri not in record.nodes:
                problems.append(Problem(record.source, place, f"{iri} is no event of this record"))
        cited = [item["authority"]] if isinstance(item.get("authority"), str) else []
        found.append(Expected(item["verdict"], iris, (*cited, *_strings(item.get("authorityAlternatives")))))
    return found, problems


def _strings(raw: object) -> list[str]:
    return [s for s in raw if isinstance(s, str)] if isinstance(raw, list) else []


def differences(result: Result, expected: list[Expected]) -> list[str]:
    """How the verdicts differ from what is expected; [] where the scenario holds."""
    numbers = load_rule_numbers()
    assert result.record is not None
    day = result.record.root.facts.get("date")
    told: list[str] = []
    used: set[int] = set()
    for wanted in expected:
        matching = [
            (i, v) for i, v in enumerate(result.verdicts) if v.verdict == wanted.verdict and v.focus in wanted.foci
        ]
        used.update(i for i, _ in matching)
        if not matching:
            told.append(f"expected, but not found: {wanted}")
        elif (
            wanted.verdict != "undetermined"
            and wanted.authorities
            and not any(_cites(v, wanted, numbers, day if isinstance(day, int) else None) for _, v in matching)
        ):
            cited = sorted({numbers.label(a, NEWEST) for _, v in matching for a in v.authority})
            told.append(f"found, but on another authority: {wanted}; cited are {', '.join(cited)}")
    complete = ("violates", "undetermined") if result.record.extras.get("exhaustive") else ("violates",)
    for i, verdict in enumerate(result.verdicts):
        if verdict.verdict in complete and i not in used:
            at = verdict.focus.rpartition("#")[2]
            told.append(f"found, but not expected: {verdict.verdict} at #{at} by {verdict.axiom}")
    return told


def _cites(verdict: Verdict, wanted: Expected, numbers: RuleNumbers, day: int | None) -> bool:
    for authority in verdict.authority:
        if authority.startswith(RULE):
            now = numbers.number(authority, NEWEST)
            names = numbers.numbers(authority) if day is not None else {now}
        else:
            names = {local_name(authority)}
        if names & set(wanted.authorities):
            return True
    return False
