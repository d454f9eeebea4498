"""What an export says of itself (VoID, DCAT), held against what is in it."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.store import Dataset
from rulewright.store.dataset import DESCRIPTION, SOURCE
from rulewright.store.description import LICENCE, describe, described
from rulewright.version import __version__

DATA = Path(__file__).parents[2] / "data" / "examples"


@pytest.fixture
def small() -> Dataset:
    data = Dataset.open()
    ttl = "@prefix : <urn:example:> . :a a :Thing ; :is 1 . :b a :Thing ; :is 1 , 2 ."
    data.add_graph("https://w3id.org/rulewright/graph/x", ox.parse(ttl, format=ox.RdfFormat.TURTLE))
    return data


def one(data: Dataset, query: str) -> list[str]:
    rows = data.query(query)
    assert isinstance(rows, ox.QuerySolutions)
    return sorted(row[0].value for row in rows)


def export(data: Dataset, file: Path) -> Dataset:
    data.dump(file, described(data, file))
    back = Dataset.open()
    back.load(file)
    return back


def test_its_counts_are_those_of_the_data(small: Dataset, tmp_path: Path) -> None:
    back = export(small, tmp_path / "small.trig.gz")
    of = f"FROM <{DESCRIPTION}> WHERE {{ ?d a dcat:Dataset ; "
    for name, number in {
        "triples": 5, "distinctSubjects": 2, "distinctObjects": 3, "properties": 2, "classes": 1,
    }.items():  # fmt: skip
        assert one(back, f"SELECT ?n {of} void:{name} ?n }}") == [str(number)], name
    parts = one(back, f"SELECT ?n {of} void:propertyPartition [ void:property <urn:example:is> ; void:triples ?n ] }}")
    assert parts == ["3"]
    assert one(back, f"SELECT ?n {of} void:classPartition [ void:class ?c ; void:entities ?n ] }}") == ["2"]
    assert one(back, f"SELECT ?n {of} void:subset [ void:triples ?n ] }}") == ["5"]


def test_it_says_version_licence_form_and_vocabularies(small: Dataset, tmp_path: Path) -> None:
    back = export(small, tmp_path / "small.trig.gz")
    assert one(back, "SELECT ?v { ?d a dcat:Dataset ; dcat:version ?v }") == [__version__]
    assert one(back, "SELECT ?l { ?d a dcat:Dataset ; dcterms:license ?l }") == [LICENCE]
    media = one(back, "SELECT ?m { ?d dcat:distribution [ dcat:mediaType ?m ; dcat:compressFormat ?c ] }")
    assert [m.rpartition("media-types/")[2] for m in media] == ["application/trig"]
    assert "http://www.w3.org/1999/02/22-rdf-syntax-ns#" in one(back, "SELECT ?v { ?d void:vocabulary ?v }")
    for predicate in ("dcterms:title", "dcterms:description", "dcterms:rights"):
        words = f"SELECT (LANG(?t) AS ?l) {{ ?d a dcat:Dataset ; {predicate} ?t }}"
        assert one(back, words) == ["de", "en"], predicate


def test_what_a_user_ingested_is_under_no_licence() -> None:
    from rulewright import ingest

    data = ingest(DATA).dataset
    with Dataset.open() as about:
        about.add_graph(DESCRIPTION, describe(data))
        assert one(about, "SELECT ?l { ?d a dcat:Dataset ; dcterms:license ?l }") == []
        licensed = one(about, "SELECT ?g { ?g dcterms:license ?l }")
        assert licensed
        assert not [g for g in licensed if g.startswith(SOURCE)]
        withheld = one(
            about, "SELECT DISTINCT ?g { ?g a void:Dataset ; dcterms:rights ?r FILTER(CONTAINS(STR(?g), '/source/')) }"
        )
        assert len(withheld) == 2
        classes = "SELECT ?n { [] void:class rw:Statement ; void:entities ?n }"
        assert one(about, classes) == ["68"]


def test_a_description_is_made_anew_and_never_describes_itself(small: Dataset, tmp_path: Path) -> None:
    first = export(small, tmp_path / "first.nq")
    second = export(first, tmp_path / "first.nq")
    assert set(first.quads()) == set(second.quads())
    assert describe(small) == describe(small)
    assert {q for q in second.quads() if q.graph_name != ox.NamedNode(DESCRIPTION)} == set(small.quads())


def test_counted_by_queries_it_says_the_same(packaged_and_more: Dataset) -> None:
    by_queries = describe(packaged_and_more)
    older = ox.Triple(ox.NamedNode("urn:example:d"), ox.NamedNode("urn:example:is"), ox.Literal(1))
    packaged_and_more.add_graph(DESCRIPTION, [older])
    assert describe(packaged_and_more) == by_queries


@pytest.fixture
def packaged_and_more(small: Dataset) -> Dataset:
    """The same triple in two graphs, blank nodes, and a class that is none."""
    small.load_packaged()
    ttl = "@prefix : <urn:example:> . :a a :Thing , [ :is 1 ] , 'no class' . [] :is :a ; a [] ."
    small.add_graph("https://w3id.org/rulewright/graph/y", ox.parse(ttl, format=ox.RdfFormat.TURTLE))
    return small
