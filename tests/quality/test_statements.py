"""The table of the statements is fresh, whole, and true."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from rulewright.quality import statements as table
from rulewright.quality.mutation import COUNTS
from rulewright.quality.tally import read_counts
from rulewright.vocabulary import BASE

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / table.DOCUMENT


def rows() -> list[list[str]]:
    lines = [line for line in table.document().splitlines() if line.startswith("| [")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_it_is_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert table.main(["--check", "--to", str(DOCUMENT)]) == 0, capsys.readouterr().err


def test_all_68_are_there_and_nothing_is_blank_but_the_notes() -> None:
    found = rows()
    assert len(found) == len({row[0] for row in found}) == 68
    for row in found:
        assert len(row) == 10
        assert all(row), row
        assert row[2].count("<br>") == 1, row
        blank = [cell for cell in row if cell == "–"]
        assert bool(blank) == ("normative" not in row[1]), row


def test_every_normative_statement_has_a_conforming_and_a_violating_scenario() -> None:
    for row in rows():
        if "normative" in row[1]:
            assert int(row[6]) >= 1, row
            assert int(row[7]) >= 1, row


def test_every_statement_about_play_is_cited_by_an_axiom() -> None:
    normative = [s for found in table.statements().values() for s in found if s.normative]
    assert len(normative) == 67
    assert [s.name for s in normative if not s.axioms] == []


def test_mutants_are_those_of_the_axioms() -> None:
    counts = read_counts(ROOT / COUNTS)
    by_name = {row[0].removeprefix("[").partition("]")[0]: row for row in rows()}
    for statement in (s for found in table.statements().values() for s in found if s.normative):
        of_it = [counts[a.removeprefix(BASE)] for a in statement.axioms]
        killed, left = sum(c.killed for c in of_it), sum(len(c.survivors) for c in of_it)
        assert by_name[statement.name][-1] == f"{killed}/{killed + left}"


def test_scenarios_are_counted_as_their_files_have_them() -> None:
    counted: dict[str, Counter[str]] = {}
    for file in (ROOT / "data" / "scenarios").rglob("*.json"):
        record = json.loads(file.read_text(encoding="utf-8"))
        verdicts = {e["verdict"] for e in record["expect"]}
        verdict = next((v for v in ("violates", "undetermined") if v in verdicts), "conforms")
        for statement in record.get("statements", []):
            counted.setdefault(statement, Counter())[verdict] += 1
    for statement in (s for found in table.statements().values() for s in found):
        assert statement.scenarios == counted.get(statement.name, Counter()), statement.name


def test_axioms_cite_what_they_are_listed_for() -> None:
    from rulewright.axioms import packaged_knowledge

    known = packaged_knowledge()
    for statement in (s for found in table.statements().values() for s in found):
        assert set(statement.axioms) <= set(known.axioms)
    by_id = {s.name: s for found in table.statements().values() for s in found}
    assert "https://w3id.org/rulewright/keyword/rebound#trigger" in by_id["RB-c"].axioms  # for its instances
    assert "https://w3id.org/rulewright/keyword/rebound#exile" in by_id["RB-1"].axioms  # by a condition
