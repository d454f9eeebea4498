"""Rows as they are written here say the same as pyoxigraph's own, and end well where they are cut."""

from __future__ import annotations

import io
import json

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.site.sparql.formats import write

XSD = "http://www.w3.org/2001/XMLSchema#"
FORMATS = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
}
TERMS = [
    ox.NamedNode("http://example.org/a?b=<c>&d".replace("<c>", "c")),
    ox.BlankNode("b1"),
    ox.Literal("plain"),
    ox.Literal("Rückblende ✓ \U0001f0cf", language="de-CH"),
    ox.Literal(7),
    ox.Literal("007", datatype=ox.NamedNode(XSD + "integer")),
    ox.Literal("2024-02-02", datatype=ox.NamedNode(XSD + "date")),
    ox.Literal(' <b> & "quoted", \'so\'; \\ \t tab\n line\r return ]]> '),
    ox.Literal(""),
    None,
]


def rows(terms: list[object]) -> ox.QuerySolutions:
    values = " ".join(f"({'UNDEF' if t is None else t} {n})" for n, t in enumerate(terms))
    store = ox.Store()
    blank = ox.BlankNode("b1")
    if blank in terms:  # which is a variable in a query: comes from data
        store.add(ox.Quad(blank, ox.NamedNode("http://example.org/p"), blank))
        values = values.replace(str(blank), "UNDEF")
        text = f"SELECT ?x ?n {{ VALUES (?x ?n) {{ {values} }} OPTIONAL {{ ?x ?p ?x FILTER(?n = 1) }} }} ORDER BY ?n"
    else:
        text = f"SELECT ?x ?n {{ VALUES (?x ?n) {{ {values} }} }} ORDER BY ?n"
    found = store.query(text)
    assert isinstance(found, ox.QuerySolutions)
    return found


def written(results: object, form: str, most: int = 10**6, size: int = 10**9) -> bytes:
    out = io.BytesIO()
    write(results, form, out, most, size)  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize("form", FORMATS)
def test_as_pyoxigraph_reads_it(form: str) -> None:
    own = written(rows(TERMS), form)
    theirs = rows(TERMS).serialize(format=FORMATS[form])
    assert theirs is not None
    if form == "csv":
        assert own == theirs
        return
    read = [ox.parse_query_results(text, format=FORMATS[form]) for text in (own, theirs)]
    found = [[(row["x"], row["n"]) for row in results] for results in read]  # type: ignore[union-attr]
    assert found[0] == found[1]
    assert len(found[0]) == len(TERMS)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), st.sampled_from(["json", "tsv", "xml"]))
def test_any_text(text: str, form: str) -> None:
    results = ox.parse_query_results(written(rows([ox.Literal(text)]), form), format=FORMATS[form])
    read = next(iter(results))["x"].value  # type: ignore[union-attr]
    if form == "xml":  # which cannot hold all of them (XML 1.0 §2.2)
        allowed = "\t\n\r"
        text = "".join(c if c in allowed or (c >= " " and c not in "\ufffe\uffff") else "\ufffd" for c in text)
    assert read == text


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("value", [True, False])
def test_booleans(form: str, value: bool) -> None:
    text = written(ox.Store().query(f"ASK {{ FILTER({str(value).lower()}) }}"), form)
    if form == "csv":
        assert text == str(value).lower().encode()
    else:
        assert bool(ox.parse_query_results(text, format=FORMATS[form])) is value


@pytest.mark.parametrize("form", ["json", "xml", "tsv"])
@pytest.mark.parametrize(("most", "size", "number", "cut"), [
    (0, 10**6, 0, True), (1, 10**6, 1, True), (4, 10**6, 4, True), (5, 10**6, 5, False), (9, 10**6, 5, False),
    (9, 1, 0, True),
])  # fmt: skip
def test_cut(form: str, most: int, size: int, number: int, cut: bool) -> None:
    out = io.BytesIO()
    said = write(rows([ox.Literal(n) for n in range(5)]), form, out, most, size)
    assert (said.number, said.cut) == (number, cut)
    results = ox.parse_query_results(out.getvalue(), format=FORMATS[form])
    assert [row["n"].value for row in results] == [str(n) for n in range(number)]  # type: ignore[union-attr]


def test_no_more_bytes_than_are_allowed() -> None:
    out = io.BytesIO()
    said = write(rows([ox.Literal("x" * 100)] * 50), "json", out, 1000, 2000)
    assert said.cut
    assert 0 < said.number < 20
    assert len(out.getvalue()) < 2100
    assert len(json.loads(out.getvalue())["results"]["bindings"]) == said.number


def test_a_graph_is_cut_too_and_says_nothing_twice() -> None:
    store = ox.Store()
    for n in range(9):
        store.add(ox.Quad(ox.NamedNode(f"http://example.org/{n}"), ox.NamedNode("http://example.org/p"), ox.Literal(n)))
    query = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o { } UNION { } UNION { } }"
    for most, number in ((4, 4), (9, 9), (100, 9)):
        out = io.BytesIO()
        said = write(store.query(query), "nt", out, most, 10**6)
        assert (said.kind, said.number, said.cut) == ("graph", number, number < 9)
        assert len(out.getvalue().splitlines()) == number


def test_terms_of_rdf_12_that_a_query_makes() -> None:
    query = "SELECT (TRIPLE(<a:s>, <a:p>, 'o') AS ?t) {}"
    told = json.loads(written(ox.Store().query(query), "json"))["results"]["bindings"][0]["t"]
    assert told["type"] == "triple"
    assert told["value"]["object"] == {"type": "literal", "value": "o"}
    for form in FORMATS:
        assert written(ox.Store().query(query), form)
