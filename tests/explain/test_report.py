"""Results as data: what the JSON of `check` holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.axioms import Knowledge
from rulewright.checks import Checker, Result
from rulewright.explain import Outcome, Summary, outcome
from rulewright.explain.report import plain, verdicts_of
from rulewright.records import Problem, Unchecked, read_structure
from rulewright.vocabulary import GAME, NONE, RULE, Iri

from ..axioms.turtle import SAYS, iri, read

AXIOM = (
    f":a a ax:Cost ; {SAYS} ; ax:of kw:kindle ; ax:focus game:Cast ; "
    "ax:require [ sh:path game:from ; sh:in ( game:hand game:graveyard ) ] ."
)


@pytest.fixture
def knowledge(tmp_path: Path) -> Knowledge:
    return read(tmp_path, AXIOM)


def check(knowledge: Knowledge, **cast: Any) -> Result:
    card = {"id": "#c", "name": "Example", "keywords": ["kindle"]}
    events = [{"id": "#e", "type": "Cast", "card": "#c", "object": "#s", **cast}]
    record = read_structure({"id": "urn:g", "cards": [card], "events": events, "expect": [], "colour": 1}, "g.json")
    (result,) = Checker(knowledge, everything=True).check([record])
    return result


def entry(found: Outcome) -> dict[str, Any]:
    assert found.entry is not None
    return found.entry


def test_a_violation(knowledge: Knowledge) -> None:
    found = entry(outcome(check(knowledge, **{"from": "exile"}), knowledge))
    assert {k: found[k] for k in ("id", "source", "conforms")} == {"id": "urn:g", "source": "g.json", "conforms": False}
    assert found["warnings"] == ["colour: unknown property, ignored"]
    (verdict,) = found["verdicts"]
    assert (verdict["axiom"], verdict["verdict"], verdict["focus"]) == (iri("a"), "violates", "urn:g#e")
    assert {"event": "urn:g#e", "property": "from", "value": "exile"} in verdict["facts"]
    assert verdict["authority"] == [{"id": RULE + "kindle-a", "label": "kindle-a"}]
    assert verdict["message"].keys() == {"en", "de"}
    assert "missing" not in verdict


def test_what_is_undetermined_says_what_is_missing(knowledge: Knowledge) -> None:
    found = entry(outcome(check(knowledge), knowledge))
    assert found["conforms"]
    (verdict,) = found["verdicts"]
    assert verdict["missing"] == [{"node": "urn:g#e", "property": "from"}]
    assert "facts" not in verdict


def test_conforming_verdicts_only_where_they_are_wanted(knowledge: Knowledge) -> None:
    result = check(knowledge, **{"from": "hand"})
    assert verdicts_of(entry(outcome(result, knowledge))) == []
    assert [v["verdict"] for v in verdicts_of(entry(outcome(result, knowledge, everything=True)))] == ["conforms"]


def test_facts_that_are_only_bookkeeping_are_not_told(knowledge: Knowledge) -> None:
    (verdict,) = verdicts_of(entry(outcome(check(knowledge, **{"from": "exile"}), knowledge)))
    assert not {"inRecord", "order", "keywordsInForceCount"} & {f["property"] for f in verdict["facts"]}


def test_a_record_that_cannot_be_read(knowledge: Knowledge) -> None:
    found = outcome(Result(problems=[Problem("g.json", "events", "missing")]), knowledge)
    assert found == Outcome(errors=[{"source": "g.json", "place": "events", "problem": "missing"}])


def test_a_scenario_says_how_it_differs(knowledge: Knowledge) -> None:
    result = check(knowledge, **{"from": "exile"})
    assert outcome(result, knowledge).differences is None
    told = outcome(result, knowledge, expect=True).differences
    assert told is not None
    assert told[0].startswith("found, but not expected: violates at #e")
    assert outcome(check(knowledge), knowledge, expect=True).differences == []


def test_a_malformed_expectation_is_an_error_and_no_difference(knowledge: Knowledge) -> None:
    result = check(knowledge)
    assert result.record is not None
    result.record.extras = {}
    found = outcome(result, knowledge, expect=True)
    assert (found.differences, len(found.errors)) == ([], 1)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (Iri(GAME + "precombatMain"), "precombat main"), (Iri(GAME + "graveyard"), "graveyard"), (NONE, None),
        (Iri("urn:g#a"), "urn:g#a"), ("a text", "a text"), (3, 3), (False, False),
        ((Iri(GAME + "hand"), NONE, 1), ["hand", None, 1]), ((), []),
    ],
)  # fmt: skip
def test_values_are_the_records_words(value: Any, wanted: object) -> None:
    assert plain(value) == wanted


def test_a_run_is_counted(knowledge: Knowledge) -> None:
    summary = Summary()
    for cast in ({"from": "exile"}, {"from": "hand"}, {}):
        summary.add(outcome(check(knowledge, **cast), knowledge))
    summary.add(Outcome(errors=[{}, {}]))
    assert summary.counts == {
        "records": 3, "conform": 2, "violate": 1, "undetermined": 1, "unchecked": 0, "errors": 1,
    }  # fmt: skip


def test_what_nothing_judged_with_its_events(knowledge: Knowledge) -> None:
    result = check(knowledge, **{"from": "hand"})
    assert result.graph is not None
    gaps = [("label", "x", "urn:g#e"), ("kind", "x", None), ("label", "x", "urn:g#f"), ("label", "x", "urn:g#e")]
    result.graph.unchecked += [Unchecked(what, word, Iri(event) if event else None) for what, word, event in gaps]
    found = outcome(result, knowledge)
    assert found.unchecked == [
        {"what": "label", "word": "x", "events": ["urn:g#e", "urn:g#f"]}, {"what": "kind", "word": "x", "events": []},
    ]  # fmt: skip
    summary = Summary()
    summary.add(found)
    assert (summary.counts["conform"], summary.counts["unchecked"]) == (1, 1)


@pytest.mark.parametrize(
    ("found", "fails"),
    [
        ({}, "ffff"),
        ({"verdicts": ["conforms"], "warnings": ["x"]}, "ffft"),
        ({"unchecked": ["x"]}, "fftt"),
        ({"verdicts": ["undetermined"]}, "fttt"),
        ({"verdicts": ["conforms", "violates"]}, "tttt"),
    ],
)
def test_a_level_of_findings_includes_those_before_it(found: dict[str, list[str]], fails: str) -> None:
    entry = {"verdicts": [], "unchecked": [], "warnings": [], **found}
    entry["verdicts"] = [{"verdict": verdict} for verdict in entry["verdicts"]]
    of = Outcome(entry)
    told = [of.fails(), of.fails("undetermined"), of.fails("unchecked"), of.fails(strict=True)]
    assert "".join("ft"[one] for one in told) == fails
    assert not Outcome(errors=[{}]).fails(strict=True)


def test_a_record_without_events_is_not_passed_over(knowledge: Knowledge) -> None:
    (result,) = Checker(knowledge).check([read_structure({"id": "urn:g", "events": []}, "g.json")])
    assert entry(outcome(result, knowledge))["warnings"] == ["the record has no events: there was nothing to check"]


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("kindel", "keyword 'kindel' is not defined here; is 'kindle' meant?"),
        ("madness", "keyword 'madness' is not defined here, so what it allows or replaces is not judged: see --axioms"),
        ("kindle", None),
    ],
)
def test_keywords_without_axioms_are_told_of(tmp_path: Path, name: str, note: str | None) -> None:
    """A name that is nearly a known one; and one that could bear on a violation."""
    everywhere = AXIOM.replace("ax:of kw:kindle ; ", "") + f" :b a ax:Cost ; {SAYS} ; ax:of kw:kindle ; ax:focus " + (
        "game:Cast ; ax:require [ sh:path game:from ; sh:hasValue game:hand ] ."
    )
    knowledge = read(tmp_path, everywhere)
    card = {"id": "#c", "name": "Example", "keywords": [name]}
    events = [{"id": "#e", "type": "Cast", "card": "#c", "object": "#s", "from": "exile"}]
    record = read_structure({"id": "urn:g", "cards": [card], "events": events}, "g.json")
    (result,) = Checker(knowledge).check([record])
    assert entry(outcome(result, knowledge))["warnings"] == ([note] if note else [])
