"""The same graph on real servers: what is written there, and the same answers as in memory and on disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.records import Problem
from rulewright.sources.ingest import ingest
from rulewright.store import Dataset, Endpoint
from rulewright.store.dataset import COMMITTED, GRAPH, STARTED
from rulewright.store.queries import Query, load_queries
from tests.store.test_queries import samples, version_of_a_sample

pytest_plugins = ["servers"]

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
QUERIES = load_queries()
_A_TIME = re.compile(r'"20\d\d-\d\d-\d\dT.*')
HOMES = ["disk", "oxigraph", "virtuoso"]


def endpoint(request: pytest.FixtureRequest, server: str, **other: str) -> Endpoint:
    address = request.getfixturevalue(server)
    if server == "oxigraph":
        return Endpoint(f"{address}/query", f"{address}/update", timeout=120)
    known = {"user": "dba", "password": "secret", **other}
    return Endpoint(f"{address}/sparql", f"{address}/sparql-auth", timeout=120, **known)


def sources() -> list[Path]:
    """Documents and bulk files of our own making."""
    return [*sorted(EXAMPLES.glob("*.txt")), *samples()]


def filled(dataset: Dataset) -> None:
    dataset.load_packaged()
    dataset.add_graph(GRAPH + "rules", version_of_a_sample())
    assert not [found for found in ingest(sources(), dataset) if isinstance(found, Problem)]


@pytest.fixture(scope="module")
def memory() -> Iterator[Dataset]:
    with Dataset.open() as made:
        filled(made)
        yield made


@pytest.fixture(scope="module", params=HOMES)
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dataset]:
    """Elsewhere, with the same content."""
    if request.param == "disk":
        made = Dataset.open(tmp_path_factory.mktemp("disk"))
    else:
        made = Dataset.connect(endpoint(request, request.param))
    with made:
        filled(made)
        yield made


def answers(data: Dataset, query: Query, given: str) -> list[tuple[str, ...]]:
    values = query.example_values()
    if given == "what it needs":
        values = {p.name: values[p.name] for p in query.parameters if p.required}
    found = data.query(query.bind(values, data.query), graphs=query.graphs)
    if isinstance(found, ox.QueryBoolean):
        return [(str(bool(found)),)]
    if isinstance(found, ox.QueryTriples):
        return sorted(tuple(map(str, (t.subject, t.predicate, t.object))) for t in found)
    return [tuple(_A_TIME.sub("a time", str(term)) for term in row) for row in found]


# --- the same everywhere


def test_the_same_graphs(memory: Dataset, home: Dataset) -> None:
    assert home.graphs() == memory.graphs()
    assert len(home) == len(memory)
    of_time = {STARTED, COMMITTED}
    for graph in memory.graphs():
        if graph.startswith("https://w3id.org/rulewright/source/"):
            continue  # says when it was ingested
        ours, theirs = (ox.Dataset(ox.Quad(t.subject, t.predicate, t.object) for t in data.triples(graph)
                                   if t.predicate not in of_time) for data in (memory, home))  # fmt: skip
        for found in (ours, theirs):
            found.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
        assert set(theirs) == set(ours), graph


@pytest.mark.parametrize("given", ["the example", "what it needs"])
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_the_same_answers(memory: Dataset, home: Dataset, query: Query, given: str) -> None:
    assert answers(home, query, given) == answers(memory, query, given)


def test_documents_are_there_once(home: Dataset) -> None:
    before = len(home)
    home.load_packaged()
    found = list(ingest(sources(), home))
    assert {"" if isinstance(item, Problem) else item.state for item in found} == {"already there"}
    assert len(home) == before
