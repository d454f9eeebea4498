"""What is written to a server, whole or not at all, and how it is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox
import pytest

from rulewright.store import Dataset, Endpoint, StoreError
from rulewright.store.dataset import JOURNAL, STARTED
from rulewright.store.endpoint import UPDATED
from rulewright.store.server import POSTED, STAGING
from tests.store.test_fill import ONE, TWO, lines
from tests.store.test_servers import endpoint

pytest_plugins = ["servers"]

MOST = 100_000
"""Rows that our Virtuoso gives (ResultSetMaxRows)."""


@pytest.fixture(params=["oxigraph", "virtuoso"])
def server(request: pytest.FixtureRequest) -> Endpoint:
    return endpoint(request, request.param)


@pytest.fixture(params=["uploads", "updates"])
def remote(request: pytest.FixtureRequest, server: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Iterator[Dataset]:
    """With and without the Graph Store Protocol."""
    if request.param == "updates":
        monkeypatch.setattr(Endpoint, "usual_graph_stores", lambda self: [])
    with Dataset.connect(server) as made:
        yield made
        for graph in (ONE, TWO):
            made.drop(graph)


def size(data: Dataset, graph: str) -> int:
    # Virtuoso counts to one where a graph is not among those that are asked.
    rows = data.query(f"SELECT ?s ?o {{ GRAPH <{graph}> {{ ?s ?p ?o }} }}")
    assert isinstance(rows, ox.QuerySolutions)
    return sum(1 for _ in rows)


# --- writing


@pytest.mark.parametrize("number", [0, 3, UPDATED, POSTED + 1])
def test_all_lines_are_there(remote: Dataset, number: int) -> None:
    assert remote.fill(ONE, lines(number)) == number
    assert size(remote, ONE) == number
    assert ONE in remote


def test_more_is_added_and_replaced(remote: Dataset) -> None:
    remote.fill(ONE, lines(700))
    remote.fill(TWO, lines(2))
    remote.fill(ONE, lines(705, 700))
    assert {t.object.value for t in remote.triples(ONE)} == {str(n) for n in range(705)}
    remote.fill(ONE, lines(5, 3), replace=True)
    assert {t.object.value for t in remote.triples(ONE)} == {"3", "4"}
    assert size(remote, TWO) == 2
    remote.drop(ONE)
    assert ONE not in remote
    assert TWO in remote
    assert not [t for t in remote.triples(JOURNAL) if t.predicate == STARTED or STAGING in str(t.subject)]


def test_terms_survive(remote: Dataset) -> None:
    texts = ['a "b" \\ \n\t', "\\u0022 \\U00000041 \\\\u0022", "Ärger im Übermaß – æther", "} } # <urn:x>", ""]
    terms = [ox.Literal(text, language=language) for text in texts for language in ("en", "de")]
    terms += [ox.Literal(text) for text in texts]
    terms += [ox.Literal(True), ox.Literal(False), ox.Literal(7)]
    terms.append(ox.Literal("2020-01-02", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#date")))
    node = ox.NamedNode("urn:example:a")
    triples = [ox.Triple(ox.NamedNode(f"urn:example:{n}"), node, term) for n, term in enumerate(terms)]
    remote.add_graph(ONE, triples)
    assert set(remote.triples(ONE)) == set(triples)
    rows = remote.query(f"SELECT ?s ?o {{ GRAPH <{ONE}> {{ ?s <urn:example:a> ?o }} }}")
    assert isinstance(rows, ox.QuerySolutions)
    assert {(row["s"], row["o"]) for row in rows} == {(t.subject, t.object) for t in triples}


def test_blank_nodes_keep_together(remote: Dataset) -> None:
    pairs = "".join(
        f'_:b{n} <urn:example:a> "{n}" .\n_:b{n} <urn:example:b> "{n}" .\n_:b{n} <urn:example:c> _:c{n} .\n'
        f'_:c{n} <urn:example:a> "{n}" .\n' for n in range(UPDATED)
    )  # fmt: skip
    remote.fill(ONE, pairs.splitlines(keepends=True))
    rows = remote.query("SELECT ?n { ?s <urn:example:a> ?n ; <urn:example:b> ?n ; <urn:example:c>/<urn:example:a> ?n }")
    assert isinstance(rows, ox.QuerySolutions)
    assert sorted(int(row["n"].value) for row in rows) == list(range(UPDATED))


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("problem", [RuntimeError, KeyboardInterrupt, SyntaxError])
def test_what_breaks_off_leaves_all_as_it_was(remote: Dataset, there: bool, problem: type[BaseException]) -> None:
    def broken() -> Iterator[str]:
        yield from lines(UPDATED + 3, 1)
        if problem is SyntaxError:
            yield "<urn:example:1> <urn:example:is> nonsense .\n"
        else:
            raise problem("broke off")

    if there:
        remote.fill(ONE, lines(2))
    before = set(remote.graphs())
    for replace in (False, True):
        with pytest.raises(problem):
            remote.fill(ONE, broken(), replace)
        assert set(remote.graphs()) - {JOURNAL} == before - {JOURNAL}
        assert size(remote, ONE) == 2 * there


def test_nobody_sees_a_part_and_a_later_writer_removes_it(server: Endpoint, remote: Dataset) -> None:
    """A writer that is gone in the middle, as another client sees it."""

    class Gone(BaseException):
        pass

    def interrupted() -> Iterator[str]:
        yield from lines(UPDATED + 1)
        seen.append(size(other, ONE))
        server.update = refused  # type: ignore[method-assign]
        raise Gone

    def refused(text: str, again: bool = False) -> None:
        raise StoreError("the server", "is gone", "")

    seen: list[int] = []
    with Dataset.connect(Endpoint(server.query_address), read_only=True) as other:
        with pytest.raises(Gone):
            remote.fill(ONE, interrupted())
        del server.update  # type: ignore[method-assign]
        assert ONE not in other
        seen.append(size(other, ONE))
        assert not list(other.triples(ONE))
        assert [t.subject.value for t in other.triples(JOURNAL) if t.predicate == STARTED] == [ONE]
        assert not other.query("ASK { ?s <urn:example:is> ?o }")
        assert seen == [0, 0]
        remote.fill(ONE, lines(2))
        assert size(other, ONE) == 2
        with pytest.raises(StoreError, match="for reading only"):
            other.fill(ONE, lines(1))


# --- asking


def test_from_and_substitutions(remote: Dataset) -> None:
    remote.fill(ONE, lines(3))
    remote.fill(TWO, lines(5, 3))
    query = "SELECT ?o {} WHERE {{ ?s <urn:example:is> ?o }}"
    for clause, number in (("", 5), (f"FROM <{ONE}>", 3), (f"FROM <{TWO}> # comment: ASK", 2)):
        rows = remote.query(query.format(f"\n{clause}\n"))
        assert isinstance(rows, ox.QuerySolutions)
        assert len(list(rows)) == number
    rows = remote.query("SELECT ?s ?o { ?s <urn:example:is> ?o }", {"o": ox.Literal("4")})
    assert isinstance(rows, ox.QuerySolutions)
    assert [row["s"].value for row in rows] == ["urn:example:4"]
    with pytest.raises(ValueError, match="projection"):
        remote.query("SELECT ?s { ?s ?p ?o }", {"o": ox.Literal(2)})
    with pytest.raises(SyntaxError):
        remote.query("SELECT ?s { ?s")
    assert bool(remote.query("ASK { rw:x ?p ?o }")) is False


def test_a_stranger_may_not_write_to_virtuoso(request: pytest.FixtureRequest) -> None:
    for user in ({"password": "wrong"}, {"user": None}):
        with Dataset.connect(endpoint(request, "virtuoso", **user)) as data:  # type: ignore[arg-type]
            with pytest.raises(StoreError, match="does not allow"):
                data.fill(ONE, lines(1))
            assert ONE not in data


def test_a_graph_that_was_cut_short_is_none(request: pytest.FixtureRequest) -> None:
    """The last test: it leaves its graph there, which Virtuoso can take minutes to drop."""
    with Dataset.connect(endpoint(request, "virtuoso")) as data:
        data.fill(ONE, lines(MOST + 1000))
        with pytest.raises(StoreError, match="cut short"):
            list(data.triples(ONE))
