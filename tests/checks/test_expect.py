"""Scenarios: what they expect, what is malformed in that, and how verdicts differ from it."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.checks import Expected, Result, Verdict, differences, expectations
from rulewright.records import read_structure
from rulewright.vocabulary import RULE, RULING, Iri, load_rule_numbers

REBOUND = Iri(RULE + "rebound-a")
E1, E2 = Iri("urn:g#e1"), Iri("urn:g#e2")


def verdict(kind: str, focus: Iri = E1, *authority: str) -> Verdict:
    return Verdict(Iri("urn:x#a"), kind, focus, "", tuple(map(Iri, authority)), (), (), ())


def result(expect: Any, *found: Verdict, **more: Any) -> Result:
    events = [{"id": "#e1", "type": "Step", "turn": 1}, {"id": "#e2", "type": "Step", "turn": 2}]
    stated = {"id": "urn:g", "events": events, "expect": expect, **more}
    return Result(record=read_structure(stated, "g.json"), verdicts=list(found))


def differ(expect: Any, *found: Verdict, **more: Any) -> list[str]:
    of = result(expect, *found, **more)
    expected, problems = expectations(of)
    assert problems == []
    return differences(of, expected)


def wanted(kind: str = "violates", **more: Any) -> dict[str, Any]:
    return {"verdict": kind, "focus": "#e1", **more}


def test_an_expectation() -> None:
    more: dict[str, Any] = {"focusAlternatives": ["urn:g#e2"], "authority": "RB-1", "authorityAlternatives": ["RB-2"]}
    expected, problems = expectations(result([wanted(**more)]))
    assert (expected, problems) == ([Expected("violates", (E1, E2), ("RB-1", "RB-2"))], [])
    assert str(expected[0]) == "violates at #e1 or #e2 by RB-1 or RB-2"


@pytest.mark.parametrize(
    ("expect", "place", "said"),
    [
        (None, "expect", "missing"),
        ("none", "expect", "missing"),
        (["violates"], "expect[0]", "needs verdict"),
        ([wanted(), {"focus": "#e1"}], "expect[1]", "needs verdict"),
        ([wanted("violated")], "expect[0]", "needs verdict (violates, undetermined, conforms)"),
        ([{"verdict": "violates"}], "expect[0]", "focus"),
        ([wanted(focus="#e9")], "expect[0]", "urn:g#e9 is no event of this record"),
        ([wanted(focusAlternatives=["#e9"])], "expect[0]", "urn:g#e9 is no event of this record"),
    ],
)
def test_a_malformed_expectation_has_its_place(expect: Any, place: str, said: str) -> None:
    (problem,) = expectations(result(expect))[1]
    assert (problem.source, problem.place) == ("g.json", place)
    assert said in problem.problem


def test_an_empty_list_expects_no_violation() -> None:
    assert differ([]) == []
    assert differ([], verdict("undetermined"), verdict("conforms", E2)) == []
    assert differ([], verdict("violates")) == ["found, but not expected: violates at #e1 by urn:x#a"]


@pytest.mark.parametrize("found", [[], [verdict("undetermined")], [verdict("violates", E2)]])
def test_what_is_expected_must_be_found_there(found: list[Verdict]) -> None:
    assert "expected, but not found: violates at #e1" in differ([wanted()], *found)


def test_one_of_two_events_is_enough() -> None:
    assert differ([wanted(focusAlternatives=["#e2"])], verdict("violates", E2)) == []


def test_a_ruling_by_its_id() -> None:
    found = verdict("violates", E1, RULING + "RB-1", REBOUND)
    assert differ([wanted(authority="RB-1")], found) == []
    assert differ([wanted(authority="RB-9", authorityAlternatives=["RB-1"])], found) == []
    (told,) = differ([wanted(authority="RB-9")], found)
    assert told.startswith("found, but on another authority: violates at #e1 by RB-9; cited are ")
    assert "RB-1" in told


def test_a_rule_by_its_number() -> None:
    numbers = load_rule_numbers().numbers(REBOUND)
    newest = load_rule_numbers().number(REBOUND, 99991231)
    older = min(numbers - {newest})
    found = verdict("violates", E1, REBOUND)
    assert differ([wanted(authority=newest)], found) == []
    assert differ([wanted(authority=older)], found) != []
    assert differ([wanted(authority=older)], found, date="2012-01-01") == []


def test_what_is_undetermined_rests_on_nothing() -> None:
    assert differ([wanted("undetermined", authority="RB-1")], verdict("undetermined")) == []


def test_one_expectation_covers_all_violations_of_its_event() -> None:
    assert differ([wanted()], verdict("violates"), verdict("violates")) == []
