"""The whole corpus, as `make corpus` builds it: `make corpus-test`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.sources.bulk import Loaded
from rulewright.sources.ingest import ingest
from rulewright.store import Dataset
from rulewright.store.queries import Query, load_queries

FOLDER = os.environ.get("RULEWRIGHT_CORPUS")
SOURCES = os.environ.get("CORPUS_SOURCES", "").split()
QUERIES = load_queries()
pytestmark = pytest.mark.skipif(not FOLDER, reason="the corpus is tested by make corpus-test")


@pytest.fixture
def corpus() -> Iterator[Dataset]:
    """Open for one test only: the last one writes."""
    with Dataset.open(Path(FOLDER or ""), read_only=True) as made:
        yield made


def rows(data: Dataset, query: Query, **values: str) -> list[dict[str, str]]:
    found = data.query(query.bind(values, data.query), graphs=query.graphs)
    assert isinstance(found, ox.QuerySolutions)
    names = [v.value for v in found.variables]
    return [{n: row[n].value for n in names if row[n] is not None} for row in found]


def test_what_it_holds(corpus: Dataset) -> None:
    kinds = {r["kind"]: (int(r["sources"]), int(r["statements"])) for r in rows(corpus, QUERIES["sources-by-kind"])}
    assert kinds["comprehensive-rules"] == (107, 225_564 + 53_588)
    assert kinds["scryfall-cards"] == (1, 23_738)
    assert kinds["german-cards"] == (1, 21_331)
    assert kinds["scryfall-rulings"] == (2, 31_386 + 45_046)
    assert kinds["mtgjson-set"][0] == 3


def test_what_changed(corpus: Dataset) -> None:
    found = rows(corpus, QUERIES["change-counts"], **{"from": "2018-11-07", "to": "2022-04-25"})
    assert {r["change"]: (int(r["rulings"]), int(r["rewordings"])) for r in found} == {
        "kept": (29_069, 0), "new": (2_577, 1_140), "withdrawn": (2_214, 1_140),
        "new-card": (13_400, 0), "gone-card": (66, 0),
    }  # fmt: skip


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_each_query_finds_something(corpus: Dataset, query: Query) -> None:
    begin = time.perf_counter()
    answer = corpus.query(query.bind(query.example_values(), corpus.query), graphs=query.graphs)
    assert bool(answer) if isinstance(answer, ox.QueryBoolean) else any(True for _ in answer)
    assert time.perf_counter() - begin < 60


def test_it_opens_in_a_second() -> None:
    code = "import sys; from pathlib import Path; from rulewright.store import Dataset\n"
    code += "Dataset.open(Path(sys.argv[1]), read_only=True)"
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, FOLDER or ""], check=True)
    assert time.perf_counter() - begin < 1


def test_again_it_changes_nothing() -> None:
    with Dataset.open(Path(FOLDER or "")) as data:
        before = len(data)
        found = [item for item in ingest(SOURCES, data) if isinstance(item, Loaded)]
        assert {item.state for item in found} == {"already there"}
        assert len(found) == 114
        assert len(data) == before
