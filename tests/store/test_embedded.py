"""The store in memory: what every store promises."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from rulewright.store import Embedded, Store, StoreError

A, P, B = (ox.NamedNode(f"urn:x:{n}") for n in "apb")
ALL = "SELECT ?s ?o WHERE { ?s <urn:x:p> ?o } ORDER BY ?o"


@pytest.fixture
def store() -> Store:
    made = Embedded()
    made.add([ox.Triple(A, P, ox.Literal("one")), ox.Triple(A, P, ox.Literal("one"))])
    made.load(['<urn:x:a> <urn:x:p> "two" .\n', '<urn:x:a> <urn:x:p> "three \\"3\\"" .\n'])
    return made


def test_what_is_added_is_there_once(store: Store) -> None:
    assert [row["o"].value for row in store.select(ALL)] == ["one", 'three "3"', "two"]


def test_an_unbound_variable_is_none(store: Store) -> None:
    (row, *_) = store.select("SELECT ?s ?no WHERE { ?s <urn:x:p> ?o OPTIONAL { ?s <urn:x:no> ?no } }")
    assert (row["s"], row["no"]) == (A, None)


def test_nothing_is_left_once_it_is_cleared(store: Store) -> None:
    store.clear()
    assert list(store.select(ALL)) == []
    store.load([])
    store.add([ox.Triple(A, P, B)])
    assert [row["o"] for row in store.select(ALL)] == [B]


def test_answers_outlive_the_triples(store: Store) -> None:
    rows = store.select(ALL)
    store.clear()
    assert len(rows) == 3


@pytest.mark.parametrize("query", ["ASK { ?s ?p ?o }", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"])
def test_only_select_has_rows(query: str, store: Store) -> None:
    with pytest.raises(StoreError, match="the embedded store: this is no SELECT query; ask with SELECT"):
        store.select(query)


def test_an_error_is_a_third_value_wherever_it_stands(store: Store) -> None:
    """SPARQL 1.1 §17.3: what `exact` promises."""
    assert store.exact
    tests = {"!(?no = 1)": 0, "?no = 1 || true": 3, "!(?no = 1 && false)": 3, "!(?no = 1 || false)": 0}
    for test, rows in tests.items():
        query = f"SELECT ?s WHERE {{ ?s <urn:x:p> ?o OPTIONAL {{ ?s <urn:x:no> ?no }} FILTER({test}) }}"
        assert len(store.select(query)) == rows, test
