"""What `import rulewright` gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest

import rulewright
from rulewright.axioms import AxiomError
from rulewright.store import StoreError
from rulewright.store.queries import QueryError

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys, rulewright; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert sorted(m for m in told if m.startswith("rulewright")) == ["rulewright", "rulewright.version"]
    assert "pyoxigraph" not in told


def test_ingest_in_memory_and_ask() -> None:
    report = rulewright.ingest(EXAMPLES)
    rows = report.dataset.query("SELECT ?text { ?text rw:uncurated true }")
    assert isinstance(rows, ox.QuerySolutions)
    assert len(list(rows)) == report.summary["statements"] == 12


def test_ingest_into_a_folder_and_open_it(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    report = rulewright.ingest(str(EXAMPLES), store)
    with pytest.raises(StoreError, match="closed"):
        report.dataset.graphs()
    with rulewright.open(store, read_only=True) as graph:
        assert {d.graph for d in report.documents} <= set(graph.graphs())
    with rulewright.open(store) as graph:
        assert [d.state for d in rulewright.ingest([EXAMPLES], graph).documents] == ["already there"] * 2
        assert graph.graphs()


def test_open_refuses_what_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such store"):
        rulewright.open(tmp_path / "none", read_only=True)


def test_check_gives_verdicts_or_errors(tmp_path: Path) -> None:
    scenario = EXAMPLES.parent / "scenarios" / "rebound" / "cast-from-hand-goes-to-graveyard.json"
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    wrong, unread = rulewright.check([scenario, broken])
    assert [v["verdict"] for v in wrong.verdicts] == ["violates"]
    assert not wrong.errors
    assert not unread.verdicts
    assert unread.errors[0]["source"] == str(broken)


def test_check_takes_further_axioms() -> None:
    axioms = Path(__file__).parent / "axioms" / "data" / "emberwake.ttl"
    assert list(rulewright.check([], axioms=[axioms])) == []
    with pytest.raises(AxiomError):
        next(rulewright.check(str(axioms), axioms=["no-such-file.ttl"]))


def test_validate_says_whether_there_is_something_to_mend() -> None:
    assert not rulewright.validate(EXAMPLES).conforms
    assert rulewright.validate(str(EXAMPLES.parent / "rulings" / "rebound.ttl")).conforms


def test_query_binds_values(tmp_path: Path) -> None:
    rows = rulewright.query("numbers-of-a-rule", rule="702.88a")
    assert isinstance(rows, ox.QuerySolutions)
    assert [row["number"].value for row in rows][-1] == "702.88a"
    with pytest.raises(QueryError, match="no query 'numbers'"):
        rulewright.query("numbers")
    store = tmp_path / "store"
    rulewright.ingest(EXAMPLES, store)
    with rulewright.open(store, read_only=True) as graph:
        asked = [rulewright.query("sources", where) for where in (store, graph)]
    first, second = ([row["place"] for row in rows] for rows in asked if isinstance(rows, ox.QuerySolutions))
    assert first == second
    assert len(first) > 2


def test_it_has_nothing_else() -> None:
    with pytest.raises(AttributeError):
        rulewright.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_search() -> None:
    assert [h.local for h in rulewright.search("Rükblende", limit=1)] == ["keyword/flashback"]
    assert [h.local for h in rulewright.search("rebound", kinds=["rule"], limit=1)] == ["rule/rebound-a"]
    assert rulewright.search("xqzvvk") == []
    with rulewright.open() as graph:
        assert rulewright.search("RB-4", graph)[0].title("de") == "RB-4 Abprall"
