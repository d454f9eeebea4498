"""SPARQL 1.1 Protocol as its recommendation tells it, on the whole site: the examples of its §3.1, each asked in every
way it names, and the cases of the working group's protocol tests by their names there, as tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import pyoxigraph as ox
import pytest
from starlette.testclient import TestClient

from rulewright.site.app import application
from rulewright.site.context import Site
from rulewright.site.safety import HEADERS
from rulewright.site.sparql.formats import BY_NAME, RDF
from rulewright.store import Dataset

FORM, DIRECT = "application/x-www-form-urlencoded", "application/sparql-query"
UPDATE = "application/sparql-update"
BOOKS, BOB, ALICE = "http://www.other.example/books", "http://example.org/bob", "http://example.org/alice"
PUBLISHERS, JOSE = "http://www.example/publishers", "http://www.example/jose"
PREFIXES = """PREFIX dc: <http://purl.org/dc/elements/1.1/>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
PREFIX vcard: <http://www.w3.org/2006/vcard/ns#>
PREFIX ex: <http://example.org/ns#>
"""
GRAPHS = {
    BOOKS: """<http://www.other.example/b1> dc:title "One" ; dc:creator "Ada" ; dc:identifier "978-1" .
        <http://www.other.example/b2> dc:title "Two" ; dc:creator "Bo" .""",
    PUBLISHERS: f'<{BOB}> dc:publisher "Bob Hacker" . <{ALICE}> dc:publisher "Alice Hacker" .',
    BOB: '_:a foaf:name "Bob" ; foaf:mbox <mailto:bob@oldcorp.example.org> .',
    ALICE: '_:a foaf:name "Alice" ; foaf:mbox <mailto:alice@work.example> .',
    JOSE: '_:a foaf:name "José" ; a ex:食べる .',
}
WHO = "SELECT ?who ?g ?mbox %sWHERE { ?g dc:publisher ?who . GRAPH ?g { ?x foaf:mbox ?mbox } } ORDER BY ?who"
OF_ALICE = ["Alice Hacker", ALICE, "mailto:alice@work.example"]
OF_BOB = ["Bob Hacker", BOB, "mailto:bob@oldcorp.example.org"]
XML, JSON = "application/sparql-results+xml", "application/sparql-results+json"


@dataclass(frozen=True)
class Example:
    """`told`: rows, or true or false, or the number of triples."""

    query: str
    told: Any
    accept: str
    kind: str
    default: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


EXAMPLES = {
    "3.1.1 SELECT on the service's own dataset": Example(
        "SELECT ?book ?who WHERE { ?book dc:creator ?who } ORDER BY ?book",
        [["http://www.other.example/b1", "Ada"], ["http://www.other.example/b2", "Bo"]], XML, XML,
    ),
    "3.1.2 SELECT on a simple dataset": Example(
        "SELECT ?book ?who WHERE { ?book dc:creator ?who } ORDER BY ?book",
        [["http://www.other.example/b1", "Ada"], ["http://www.other.example/b2", "Bo"]], XML, XML, (BOOKS,),
    ),
    "3.1.2 SELECT on a dataset that has none of it": Example(
        "SELECT ?book ?who WHERE { ?book dc:creator ?who }", [], JSON, JSON, (PUBLISHERS,),
    ),
    "3.1.3 CONSTRUCT with content negotiation": Example(
        "CONSTRUCT { ?x vcard:fn ?name } WHERE { ?x foaf:name ?name }", 1,
        "text/turtle, application/rdf+xml;q=0.5", "text/turtle", (BOB,),
    ),
    "3.1.3 CONSTRUCT as RDF/XML": Example(
        "CONSTRUCT { ?x vcard:fn ?name } WHERE { ?x foaf:name ?name }", 1,
        "application/rdf+xml", "application/rdf+xml", (BOB,),
    ),
    "3.1.4 ASK on a simple dataset": Example('ASK WHERE { ?a dc:creator "Ada" }', True, XML, XML, (BOOKS,)),
    "3.1.4 ASK, and it is not so": Example('ASK WHERE { ?a dc:creator "Ada" }', False, JSON, JSON, (BOB,)),
    "3.1.5 DESCRIBE on a simple dataset": Example(
        'DESCRIBE ?book WHERE { ?book dc:identifier "978-1" }', 3, "application/n-triples", "application/n-triples",
        (BOOKS,),
    ),
    "3.1.6 SELECT on a complex dataset": Example(
        WHO % "", [OF_ALICE, OF_BOB], XML, XML, (PUBLISHERS,), (ALICE, BOB),
    ),
    "3.1.7 SELECT with the dataset in the query": Example(
        WHO % f"FROM <{PUBLISHERS}> FROM NAMED <{ALICE}> FROM NAMED <{BOB}> ", [OF_ALICE, OF_BOB], XML, XML,
    ),
    "3.1.8 SELECT with another dataset in the query": Example(
        WHO % f"FROM <{PUBLISHERS}> FROM NAMED <{BOB}> ", [OF_ALICE], XML, XML, (PUBLISHERS,), (ALICE,),
    ),
    "3.1.8 and a default graph alone": Example(
        WHO % f"FROM <{PUBLISHERS}> FROM NAMED <{BOB}> ", [], XML, XML, (PUBLISHERS,),
    ),
    "3.1.11 and 3.1.12 a very long query": Example(
        "SELECT ?name WHERE { ?x foaf:name ?name FILTER(?name IN (" + ", ".join(f'"{n}"' for n in range(3000))
        + ', "Bob")) }', [["Bob"]], JSON, JSON, (BOB,),
    ),
    "3.1.13 SELECT in other letters": Example(
        "SELECT ?name WHERE { ?x foaf:name ?name ; a ex:食べる }", [["José"]], XML, XML, (JOSE,),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def site() -> Iterator[TestClient]:
    dataset = Dataset.open()
    for name, text in GRAPHS.items():
        turtle = PREFIXES.replace("PREFIX", "@prefix").replace(">\n", "> .\n") + text
        dataset.add_graph(name, [q.triple for q in ox.parse(turtle, format=ox.RdfFormat.TURTLE)])
    with TestClient(application(Site(dataset, "http://testserver/"))) as made:
        yield made


def rows(content: bytes, kind: str) -> Any:
    form = next(form for form in BY_NAME.values() if kind in form.types)
    if form.suffix in RDF:
        return len(list(ox.parse(content, format=RDF[form.suffix])))
    found = ox.parse_query_results(content, format={"xml": ox.QueryResultsFormat.XML}.get(
        form.suffix, ox.QueryResultsFormat.JSON))  # fmt: skip
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    return [[term.value for term in row] for row in found]  # type: ignore[union-attr]


@pytest.mark.parametrize("way", ["get", "form", "direct"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_of_the_recommendation(site: TestClient, name: str, way: str) -> None:
    example = EXAMPLES[name]
    query = PREFIXES + example.query
    graphs = [("default-graph-uri", g) for g in example.default] + [("named-graph-uri", g) for g in example.named]
    headers = {"Accept": example.accept}
    if way == "get":
        response = site.get(f"/sparql?{urlencode([('query', query), *graphs])}", headers=headers)
    elif way == "form":
        response = site.post("/sparql", content=urlencode([("query", query), *graphs]),
                             headers={**headers, "Content-Type": FORM})  # fmt: skip
    else:
        response = site.post(f"/sparql?{urlencode(graphs)}", content=query.encode(),
                             headers={**headers, "Content-Type": DIRECT})  # fmt: skip
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].partition(";")[0] == example.kind
    assert rows(response.content, example.kind) == example.told


@dataclass(frozen=True)
class Case:
    """`address`: what follows the `?`; `told`: what an answer must be, as by `Example`."""

    method: str
    status: int
    address: list[tuple[str, str]] | str = field(default_factory=list)
    content: bytes | None = None
    kind: str | None = None
    accept: str = JSON
    told: Any = None
    answered_as: tuple[str, ...] = ()


def fields(*given: tuple[str, str]) -> bytes:
    return urlencode(given).encode()


EMPTY = ("query", "ASK {}")
TWO = [("default-graph-uri", BOB), ("default-graph-uri", ALICE)]
NAMED = [("named-graph-uri", BOB), ("named-graph-uri", ALICE)]
IN_TWO = 'ASK { ?a foaf:name "Bob" . ?b foaf:name "Alice" FILTER NOT EXISTS { ?c dc:creator ?d } }'
IN_NAMED = (
    'ASK { GRAPH ?g { ?a foaf:name "Bob" } GRAPH ?h { ?b foaf:name "Alice" } '
    "FILTER NOT EXISTS { GRAPH ?i { ?c dc:creator ?d } } FILTER NOT EXISTS { ?e dc:creator ?f } }"
)
FULL = 'ASK { ?g dc:publisher ?who . GRAPH ?g { ?x foaf:name "Bob" } }'
SELECT, DESCRIBE = "SELECT (1 AS ?value) {}", "DESCRIBE <http://www.other.example/b1>"
CONSTRUCT = "CONSTRUCT { <urn:x:s> <urn:x:p> 1 } WHERE {}"
RDF_TYPES = ("application/rdf+xml", "application/n-triples", "text/turtle")
CASES = {
    # query operations that are answered
    "query_get": Case("GET", 200, [EMPTY], told=True),
    "query_post_form": Case("POST", 200, content=fields(EMPTY), kind=FORM, told=True),
    "query_post_direct": Case("POST", 200, content=b"ASK {}", kind=DIRECT, told=True),
    "query_dataset_default_graph": Case("GET", 200, [("query", PREFIXES + 'ASK { ?a dc:creator "Ada" }'),
                                                     ("default-graph-uri", BOOKS)], told=True),
    "query_dataset_default_graphs_get": Case("GET", 200, [("query", PREFIXES + IN_TWO), *TWO], told=True),
    "query_dataset_default_graphs_post": Case("POST", 200, TWO, (PREFIXES + IN_TWO).encode(), DIRECT, told=True),
    "query_dataset_default_graphs_form": Case("POST", 200, content=fields(("query", PREFIXES + IN_TWO), *TWO),
                                              kind=FORM, told=True),
    "query_dataset_named_graphs_get": Case("GET", 200, [("query", PREFIXES + IN_NAMED), *NAMED], told=True),
    "query_dataset_named_graphs_post": Case("POST", 200, NAMED, (PREFIXES + IN_NAMED).encode(), DIRECT, told=True),
    "query_dataset_named_graphs_form": Case("POST", 200, content=fields(("query", PREFIXES + IN_NAMED), *NAMED),
                                            kind=FORM, told=True),
    "query_dataset_full": Case("GET", 200, [("query", PREFIXES + FULL), ("default-graph-uri", PUBLISHERS), *NAMED],
                               told=True),
    "query_multiple_dataset": Case("GET", 200, [("query", f"ASK FROM <{BOOKS}> {{ ?s ?p ?o . ?o ?q ?r }}"),
                                                ("default-graph-uri", BOOKS)], told=False),
    "query_multiple_dataset, the protocol's": Case("GET", 200, [
        ("query", PREFIXES + f'ASK FROM <{BOOKS}> {{ ?s foaf:name "Bob" }}'), ("default-graph-uri", BOB)], told=True),
    "query_multiple_dataset, not the query's": Case("GET", 200, [
        ("query", PREFIXES + f"ASK FROM <{BOOKS}> {{ ?s dc:creator ?o }}"), ("default-graph-uri", BOB)], told=False),
    "query_content_type_select": Case("GET", 200, [("query", SELECT)], accept="", answered_as=(XML, JSON, "text/csv",
                                      "text/tab-separated-values")),
    "query_content_type_ask": Case("GET", 200, [EMPTY], accept="", answered_as=(XML, JSON)),
    "query_content_type_describe": Case("GET", 200, [("query", DESCRIBE)], accept="", answered_as=RDF_TYPES),
    "query_content_type_construct": Case("GET", 200, [("query", CONSTRUCT)], accept="", answered_as=RDF_TYPES),
    "a query in the address of a form": Case("POST", 400, [EMPTY], b"", FORM),
    # query operations that are none
    "bad_query_method": Case("PUT", 405, [EMPTY]),
    "bad_query_method, another": Case("DELETE", 405, [EMPTY]),
    "bad_multiple_queries": Case("GET", 400, [EMPTY, ("query", "SELECT * {}")]),
    "bad_multiple_queries, form": Case("POST", 400, content=fields(EMPTY, ("query", "SELECT * {}")), kind=FORM),
    "bad_multiple_queries, direct": Case("POST", 400, [EMPTY], b"ASK {}", DIRECT),
    "bad_query_wrong_media_type": Case("POST", 415, content=b"ASK {}", kind="text/plain"),
    "bad_query_missing_form_type": Case("POST", 415, content=fields(EMPTY)),
    "bad_query_missing_direct_type": Case("POST", 415, content=b"ASK {}"),
    "bad_query_non_utf8": Case("POST", 415, content="ASK {}".encode("utf-16"), kind=f"{DIRECT}; charset=UTF-16"),
    "bad_query_non_utf8, unsaid": Case("POST", 400, content="ASK { # é\n}".encode("latin-1"), kind=DIRECT),
    "bad_query_non_utf8, form": Case("POST", 400, content=b"query=ASK%20%7B%7D%23%E9", kind=FORM),
    "bad_query_non_utf8, get": Case("GET", 400, "query=ASK%20%7B%7D%23%E9"),
    "bad_query_syntax": Case("GET", 400, [("query", "ASK {")]),
    "bad_query_syntax, form": Case("POST", 400, content=fields(("query", "ASK {")), kind=FORM),
    "bad_query_syntax, direct": Case("POST", 400, content=b"ASK {", kind=DIRECT),
    "3.1.9 a malformed query": Case("GET", 400, [
        ("query", PREFIXES + "SELECT ?name WHERE { ?x foaf:name ?name ORDER BY ?name }")]),
    "3.1.10 a query that is refused": Case("GET", 400, [("query", "SELECT * { SERVICE <http://127.0.0.1:9/> {} }")]),
    "no query, a dataset": Case("GET", 400, TWO),
    "no query, a form": Case("POST", 400, content=fields(*TWO), kind=FORM),
    "no query, direct": Case("POST", 400, content=b"", kind=DIRECT),
    "a graph that is no IRI": Case("GET", 400, [EMPTY, ("default-graph-uri", "not an iri")]),
    "a named graph that is no IRI": Case("GET", 400, [EMPTY, ("named-graph-uri", "<x>")]),
    # update operations: this service has none
    "update_post_form": Case("POST", 403, content=fields(("update", "CLEAR ALL")), kind=FORM),
    "update_post_direct": Case("POST", 415, content=b"CLEAR ALL", kind=UPDATE),
    "update_dataset_default_graph": Case("POST", 403, content=fields(
        ("using-graph-uri", BOOKS), ("update", "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }")), kind=FORM),
    "update_dataset_named_graphs": Case("POST", 403, content=fields(
        ("using-named-graph-uri", BOOKS), ("update", "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }")), kind=FORM),
    "update_dataset_full, direct": Case("POST", 415, [("using-graph-uri", BOOKS)], b"DROP ALL", UPDATE),
    "bad_update_get": Case("GET", 403, [("update", "CLEAR ALL")]),
    "bad_multiple_updates": Case("POST", 403, content=fields(("update", "CLEAR ALL"), ("update", "DROP ALL")),
                                 kind=FORM),
    "bad_update_wrong_media_type": Case("POST", 415, content=b"CLEAR ALL", kind="text/plain"),
    "bad_update_missing_form_type": Case("POST", 415, content=fields(("update", "CLEAR ALL"))),
    "bad_update_non_utf8": Case("POST", 415, content="CLEAR ALL".encode("utf-16"), kind=f"{UPDATE}; charset=UTF-16"),
    "bad_update_syntax": Case("POST", 403, content=fields(("update", "CLEAR XYZ")), kind=FORM),
    "bad_update_dataset_conflict": Case("POST", 403, content=fields(
        ("using-named-graph-uri", BOOKS), ("update", f"INSERT {{}} USING <{BOB}> WHERE {{}}")), kind=FORM),
    "an update as a query": Case("GET", 400, [("query", "INSERT DATA { <urn:x:a> <urn:x:b> 1 }")]),
    "an update as a query, direct": Case("POST", 400, content=b"DROP SILENT ALL", kind=DIRECT),
    "a query and an update": Case("POST", 403, content=fields(EMPTY, ("update", "CLEAR ALL")), kind=FORM),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_case_of_the_protocol_tests(site: TestClient, name: str) -> None:
    case = CASES[name]
    address = case.address if isinstance(case.address, str) else urlencode(case.address)
    headers = {**({"Content-Type": case.kind} if case.kind else {}), **({"Accept": case.accept} if case.accept else {})}
    request = site.build_request(case.method, f"/sparql?{address}", content=case.content, headers=headers)
    if not case.accept:
        del request.headers["Accept"]
    response = site.send(request)
    assert response.status_code == case.status, response.text
    assert {header: response.headers.get(header) for header in HEADERS} == HEADERS
    assert response.headers["access-control-allow-origin"] == "*"
    assert "Accept" in response.headers["vary"]
    kind = response.headers["content-type"].partition(";")[0]
    if case.status >= 400:
        assert kind == "text/plain"
        assert response.text.count("\n") == 1
    if case.answered_as:
        assert kind in case.answered_as
    if case.told is not None:
        assert rows(response.content, kind) == case.told


def test_nothing_was_changed(site: TestClient) -> None:
    for name in GRAPHS:
        query = f"ASK {{ GRAPH <{name}> {{ ?s ?p ?o }} }}"
        found = site.get("/sparql", params={"query": query}, headers={"Accept": JSON})
        assert found.json()["boolean"], name
