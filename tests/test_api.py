"""What `import rulewright` gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest

import rulewright
from rulewright.store import StoreError

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


def test_it_has_nothing_else() -> None:
    with pytest.raises(AttributeError):
        rulewright.nonsense  # type: ignore[attr-defined]  # noqa: B018


def test_search() -> None:
    assert [h.local for h in rulewright.search("Rükblende", limit=1)] == ["keyword/flashback"]
    assert [h.local for h in rulewright.search("rebound", kinds=["rule"], limit=1)] == ["rule/rebound-a"]
    assert rulewright.search("xqzvvk") == []
    with rulewright.open() as graph:
        assert rulewright.search("RB-4", graph)[0].title("de") == "RB-4 Abprall"
