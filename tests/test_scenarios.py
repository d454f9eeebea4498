"""The scenarios: each holds, each says what it is for, and together they test every statement about play."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from rulewright.axioms import packaged_knowledge
from rulewright.checks import Checker, Result, differences, expectations
from rulewright.records import read_structure
from rulewright.vocabulary import CORE, KEYWORD, RULING, SCENARIO, local_name, packaged

ROOT = packaged("data", "scenarios")
FILES = sorted(ROOT.rglob("*.json"))
NAMES = [str(f.relative_to(ROOT).with_suffix("")) for f in FILES]


@cache
def data(name: str) -> dict[str, Any]:
    read = json.loads((ROOT / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(read, dict)
    return read


@cache
def results() -> dict[str, Result]:
    """By scenario; all are checked together, as a user would."""
    knowledge = packaged_knowledge()
    records = [read_structure(data(name), name, parameters=knowledge.parameters()) for name in NAMES]
    checked = Checker(knowledge, everything=True).check(records)
    return {result.record.source: result for result in checked if result.record}


@cache
def outcomes() -> dict[str, list[str]]:
    """What differs from the expectations, by scenario."""
    told: dict[str, list[str]] = {}
    for name, result in results().items():
        expected, problems = expectations(result)
        told[name] = [str(p) for p in problems] + differences(result, expected)
    return told


@pytest.mark.parametrize("name", NAMES)
def test_holds(name: str) -> None:
    assert not outcomes()[name], "\n".join(outcomes()[name])


@pytest.mark.parametrize("name", NAMES)
def test_says_what_it_is_and_what_it_is_for(name: str) -> None:
    scenario = data(name)
    assert scenario["id"] == SCENARIO + name
    assert scenario["comment"].strip()
    assert scenario["statements"] or scenario["source"], "the statements that it tests, or the report that it retells"
    unknown = [s for s in scenario["statements"] if s not in statements()]
    assert not unknown, f"no such statements: {unknown}"


@cache
def statements() -> dict[str, tuple[bool, frozenset[str]]]:
    """Each statement: whether it speaks about play (it is normative), and the keywords that it is about."""
    found: dict[str, tuple[bool, frozenset[str]]] = {}
    for file in sorted(packaged("data", "rulings").glob("*.ttl")):
        facts: dict[str, dict[str, set[str]]] = {}
        for quad in ox.parse(path=str(file), format=ox.RdfFormat.TURTLE):
            if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode):
                facts.setdefault(quad.subject.value, {}).setdefault(quad.predicate.value, set()).add(quad.object.value)
        for iri, values in facts.items():
            if iri.startswith(RULING) and CORE + "status" in values:
                about = frozenset(a for a in values.get(CORE + "about", ()) if a.startswith(KEYWORD))
                found[local_name(iri)] = (CORE + "normative" in values[CORE + "status"], about)
    return found


def about_play() -> list[str]:
    implemented = set(packaged_knowledge().keywords)
    return [i for i, (normative, about) in statements().items() if normative and (not about or about & implemented)]


@pytest.mark.parametrize("statement", about_play())
def test_each_statement_about_play_is_kept_and_broken(statement: str) -> None:
    cases = [data(name) for name in NAMES if statement in data(name)["statements"]]
    verdicts = [{e["verdict"] for e in case["expect"]} for case in cases]
    assert any(not v or v == {"conforms"} for v in verdicts), f"no scenario keeps {statement}"
    assert any("violates" in v for v in verdicts), f"no scenario breaks {statement}"


@pytest.mark.parametrize("statement", about_play())
def test_each_statement_about_play_is_cited_where_it_is_broken(statement: str) -> None:
    cases = [results()[name] for name in NAMES if statement in data(name)["statements"]]
    cited = {a for case in cases for v in case.verdicts if v.verdict == "violates" for a in v.authority}
    assert RULING + statement in cited, "no violation in any of its scenarios rests on it"


def test_every_statement_is_known() -> None:
    assert len(statements()) == 68, "11 + 19 + 10 + 9 + 19 statements"
    assert len(about_play()) >= 40


def test_paths_are_plain() -> None:
    plain = set("abcdefghijklmnopqrstuvwxyz0123456789-/")
    assert not [n for n in NAMES if set(n) - plain or Path(n).parent == Path()]
