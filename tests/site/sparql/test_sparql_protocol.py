"""SPARQL 1.1 Protocol §2.1: the recommendation's own cases, and those of the working group's list of protocol tests."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from urllib.parse import quote, urlencode
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest
from around import LIMITS, application
from starlette.testclient import TestClient

from rulewright.site.negotiation import DATA
from rulewright.site.sparql.formats import RDF, ROWS
from rulewright.store import Dataset

EX = "http://example.org/"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
DIRECT = {"Content-Type": "application/sparql-query"}
NAMES = [f"{EX}data{n}.rdf" for n in (1, 2, 3)]


@pytest.fixture(scope="module")
def three() -> Iterator[TestClient]:
    """Three graphs of one triple each, whose type is the graph's name."""
    dataset = Dataset.open()
    for name in NAMES:
        graph = ox.NamedNode(name)
        dataset.add_graph(name, [ox.Triple(graph, ox.NamedNode(EX + "type"), ox.Literal(name[-8:]))])
    with TestClient(application(dataset)) as made:
        yield made


def asked(client: TestClient, query: str, **parameters: str | list[str]) -> bool:
    response = client.get("/sparql", params={"query": query, **parameters}, headers={"Accept": "application/json"})
    assert response.status_code == 200, response.text
    return bool(response.json()["boolean"])


def of(*numbers: int) -> list[str]:
    return [NAMES[n - 1] for n in numbers]


# --- the three ways to ask


def test_by_get(three: TestClient) -> None:
    response = three.get("/sparql?query=ASK%20%7B%7D")
    assert response.status_code == 200
    assert response.headers["content-type"] in ("application/sparql-results+json", "application/sparql-results+xml")
    assert response.json()["boolean"] is True


def test_by_form(three: TestClient) -> None:
    response = three.post("/sparql", content="query=ASK%20%7B%7D", headers=FORM)
    assert response.json()["boolean"] is True


def test_directly(three: TestClient) -> None:
    response = three.post("/sparql", content="ASK {}", headers=DIRECT)
    assert response.json()["boolean"] is True


@pytest.mark.parametrize("kind", [
    "application/sparql-query; charset=utf-8", 'Application/SPARQL-Query;charset="UTF-8"',
])  # fmt: skip
def test_the_media_type_may_say_utf8(three: TestClient, kind: str) -> None:
    query = 'SELECT ("Rückblende ✓" AS ?x) {}'
    response = three.post("/sparql", content=query.encode(), headers={"Content-Type": kind, "Accept": "text/csv"})
    assert response.text == "x\r\nRückblende ✓\r\n"


def test_head_is_get_without_a_body(three: TestClient) -> None:
    response = three.head("/sparql?query=ASK%20%7B%7D")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/sparql-results+json"


# --- the dataset (§2.1.4)

GRAPH = "ASK { GRAPH <%s> { ?s ?p ?o } }"


@pytest.mark.parametrize("way", ["get", "form", "direct"])
def test_default_graphs(three: TestClient, way: str) -> None:
    query = f"ASK {{ <{NAMES[0]}> ?p ?o . <{NAMES[1]}> ?q ?r FILTER NOT EXISTS {{ <{NAMES[2]}> ?t ?u }} }}"
    graphs = urlencode([("default-graph-uri", g) for g in of(1, 2)])
    if way == "get":
        response = three.get(f"/sparql?query={quote(query)}&{graphs}")
    elif way == "form":
        response = three.post("/sparql", content=f"query={quote(query)}&{graphs}", headers=FORM)
    else:
        response = three.post(f"/sparql?{graphs}", content=query, headers=DIRECT)
    assert response.json()["boolean"] is True


@pytest.mark.parametrize("way", ["get", "form", "direct"])
def test_named_graphs(three: TestClient, way: str) -> None:
    query = (
        f"ASK {{ GRAPH ?g {{ <{NAMES[0]}> ?p ?o }} GRAPH ?h {{ <{NAMES[1]}> ?q ?r }} "
        f"FILTER NOT EXISTS {{ GRAPH ?i {{ <{NAMES[2]}> ?t ?u }} }} FILTER NOT EXISTS {{ ?v ?w ?x }} }}"
    )
    graphs = urlencode([("named-graph-uri", g) for g in of(1, 2)])
    if way == "get":
        response = three.get(f"/sparql?query={quote(query)}&{graphs}")
    elif way == "form":
        response = three.post("/sparql", content=f"query={quote(query)}&{graphs}", headers=FORM)
    else:
        response = three.post(f"/sparql?{graphs}", content=query, headers=DIRECT)
    assert response.json()["boolean"] is True


def test_default_and_named_graphs(three: TestClient) -> None:
    query = f"ASK {{ <{NAMES[0]}> ?p ?o . GRAPH ?g {{ ?s ?q ?r }} FILTER (?g = <{NAMES[1]}>) }}"
    graphs = {"default-graph-uri": of(1), "named-graph-uri": of(2)}
    assert asked(three, query, **graphs)
    assert not asked(three, GRAPH % NAMES[0], **graphs)
    assert not asked(three, GRAPH % NAMES[2], **graphs)


def test_a_default_graph_alone_leaves_no_named_graph(three: TestClient) -> None:
    assert not asked(three, GRAPH % NAMES[1], **{"default-graph-uri": NAMES[0]})


def test_the_request_overrides_the_query(three: TestClient) -> None:
    query = f"ASK FROM <{NAMES[0]}> FROM NAMED <{NAMES[1]}> {{ <%s> ?p ?o }}"
    graphs = {"default-graph-uri": of(3)}
    assert asked(three, query % NAMES[0])
    assert not asked(three, query % NAMES[0], **graphs)
    assert asked(three, query % NAMES[2], **graphs)
    assert not asked(three, query.replace("<%s> ?p ?o", "GRAPH ?g { ?s ?p ?o }"), **graphs)


def test_without_any_graph_all_are_asked(three: TestClient) -> None:
    assert asked(three, f"ASK {{ <{NAMES[0]}> ?p ?o . <{NAMES[2]}> ?q ?r }}")
    assert asked(three, GRAPH % NAMES[1])
    assert not asked(three, f"ASK FROM <{NAMES[0]}> {{ <{NAMES[2]}> ?p ?o }}")


def test_a_graph_that_is_not_there_is_empty(three: TestClient) -> None:
    assert not asked(three, "ASK { ?s ?p ?o }", **{"default-graph-uri": EX + "nothing"})


def test_a_graph_must_be_an_iri(three: TestClient) -> None:
    response = three.get("/sparql", params={"query": "ASK {}", "default-graph-uri": "data1.rdf"})
    assert response.status_code == 400
    assert response.text == "'data1.rdf' is no IRI: name graphs by absolute IRIs\n"


# --- what is no query operation


@pytest.mark.parametrize(("method", "address", "content", "kind", "status"), [
    ("PUT", "?query=ASK%20%7B%7D", None, None, 405),
    ("DELETE", "", None, None, 405),
    ("PATCH", "", b"ASK {}", DIRECT["Content-Type"], 405),
    ("GET", "?query=ASK%20%7B%7D&query=SELECT%20%2A%20%7B%7D", None, None, 400),
    ("POST", "", b"query=ASK%20%7B%7D&query=SELECT%20%2A%20%7B%7D", FORM["Content-Type"], 400),
    ("POST", "?query=ASK%20%7B%7D", b"ASK {}", DIRECT["Content-Type"], 400),
    ("POST", "", b"ASK {}", "text/plain", 415),
    ("POST", "", b"query=ASK%20%7B%7D", None, 415),
    ("POST", "", b"ASK {}", None, 415),
    ("POST", "", b"query=ASK%20%7B%7D", "multipart/form-data; boundary=x", 415),
    ("POST", "", "ASK {}".encode("utf-16"), DIRECT["Content-Type"] + "; charset=utf-16", 415),
    ("POST", "", "ASK {}".encode("utf-16"), DIRECT["Content-Type"], 400),
    ("POST", "", b"query=ASK%20%7B%7D%20%23%FF", FORM["Content-Type"], 400),
    ("GET", "?query=ASK%20%7B%7D%20%23%FF", None, None, 400),
    ("GET", "?query=ASK%20%7B", None, None, 400),
    ("GET", "?query=", None, None, 400),
    ("GET", "?default-graph-uri=http%3A%2F%2Fexample.org%2F", None, None, 400),
    ("POST", "", b"", DIRECT["Content-Type"], 400),
    ("POST", "", b"", FORM["Content-Type"], 400),
    ("POST", "", b"CLEAR ALL", "application/sparql-update", 415),
    ("POST", "", b"update=CLEAR%20ALL", FORM["Content-Type"], 403),
    ("GET", "?update=CLEAR%20ALL", None, None, 403),
    ("GET", "?query=CLEAR%20ALL", None, None, 400),
    ("POST", "?using-graph-uri=http%3A%2F%2Fexample.org%2F", b"ASK {}", DIRECT["Content-Type"], 403),
    ("GET", "?query=ASK%20%7B%7D&" + "&".join(["x=1"] * 1001), None, None, 400),
    ("GET", "?query=ASK%20%7B%7D&format=docx", None, None, 400),
])  # fmt: skip
def test_refused(
    three: TestClient, method: str, address: str, content: bytes | None, kind: str | None, status: int
) -> None:
    headers = {"Accept": "*/*", **({"Content-Type": kind} if kind else {})}
    response = three.request(method, "/sparql" + address, content=content, headers=headers)
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.text.count("\n") == 1
    assert response.headers["access-control-allow-origin"] == "*"
    assert "Traceback" not in response.text
    assert "/tmp" not in response.text
    if status == 405:
        assert response.headers["allow"] == "GET, HEAD, POST, OPTIONS"


def test_nothing_was_changed(three: TestClient) -> None:
    for name in NAMES:
        assert asked(three, GRAPH % name)


@pytest.mark.parametrize("declared", [True, False])
def test_too_long(three: TestClient, declared: bool) -> None:
    text = b"ASK {} #" + b"x" * LIMITS.body
    content = text if declared else iter([text[:1000], text[1000:]])
    response = three.post("/sparql", content=content, headers=DIRECT)
    assert response.status_code == 413


@pytest.mark.parametrize("length", ["1" * 30, "10000000000"])
def test_a_length_that_is_too_long_is_not_waited_for(three: TestClient, length: str) -> None:
    response = three.post("/sparql", content=b"ASK {}", headers={**DIRECT, "Content-Length": length})
    assert response.status_code == 413


def test_packed_requests_are_not_unpacked(three: TestClient) -> None:
    response = three.post("/sparql", content=b"ASK {}", headers={**DIRECT, "Content-Encoding": "gzip"})
    assert response.status_code == 415


# --- the formats of answers

SELECT = "SELECT ?s ?o WHERE { ?s ?p ?o } ORDER BY ?s"
CONSTRUCT = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"
RESULTS = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
}


def kind_of(response: object) -> str:
    return str(response.headers["content-type"]).partition(";")[0]  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", ROWS, ids=lambda form: form.suffix)
@pytest.mark.parametrize("query", [SELECT, "ASK {}"])
def test_rows_in_every_format(three: TestClient, form: object, query: str) -> None:
    for media_type in form.types:  # type: ignore[attr-defined]
        response = three.get("/sparql", params={"query": query}, headers={"Accept": media_type})
        assert response.status_code == 200
        assert kind_of(response) == media_type
        assert response.headers["vary"] == "Accept"
        assert int(response.headers["content-length"]) == len(response.content)
    suffix = form.suffix  # type: ignore[attr-defined]
    by_name = three.get("/sparql", params={"query": query, "format": suffix}, headers={"Accept": "image/png"})
    assert by_name.content == response.content
    if query == SELECT and suffix != "csv":  # which keeps no terms
        found = ox.parse_query_results(response.content, format=RESULTS[suffix])
        assert [row["s"].value for row in found] == NAMES  # type: ignore[union-attr]


def test_csv_and_json_and_xml_and_tsv_say_the_same(three: TestClient) -> None:
    def get(form: str) -> str:
        return three.get("/sparql", params={"query": SELECT, "format": form}).text

    table = [[name, name[-8:]] for name in NAMES]
    assert list(csv.reader(io.StringIO(get("csv"))))[1:] == table
    bindings = json.loads(get("json"))["results"]["bindings"]
    assert [[b["s"]["value"], b["o"]["value"]] for b in bindings] == table
    space = {"r": "http://www.w3.org/2005/sparql-results#"}
    results = ElementTree.fromstring(get("xml")).findall(".//r:result", space)
    assert [["".join(b.itertext()) for b in row] for row in results] == table
    assert get("tsv").splitlines()[1:] == [f'<{s}>\t"{o}"' for s, o in table]


@pytest.mark.parametrize("form", DATA, ids=lambda form: form.suffix)
@pytest.mark.parametrize("query", [CONSTRUCT, f"DESCRIBE <{NAMES[0]}> <{NAMES[1]}> <{NAMES[2]}>"])
def test_graphs_in_every_format(three: TestClient, form: object, query: str) -> None:
    for media_type in form.types:  # type: ignore[attr-defined]
        response = three.get("/sparql", params={"query": query}, headers={"Accept": media_type})
        assert response.status_code == 200
        assert kind_of(response) == media_type
        suffix = form.suffix  # type: ignore[attr-defined]
        found = {q.subject.value for q in ox.parse(response.content, format=RDF[suffix])}  # type: ignore[union-attr]
        assert found == set(NAMES)


@pytest.mark.parametrize(("query", "accept", "kind"), [
    (SELECT, None, "application/sparql-results+json"),
    (SELECT, "*/*", "application/sparql-results+json"),
    (CONSTRUCT, "*/*", "text/turtle"),
    (SELECT, "text/turtle, application/sparql-results+xml;q=0.1", "application/sparql-results+xml"),
    (CONSTRUCT, "application/sparql-results+json, application/rdf+xml;q=0.1", "application/rdf+xml"),
    (SELECT, "text/csv;q=0.5, text/tab-separated-values", "text/tab-separated-values"),
    (SELECT, "application/json", "application/json"),
    (CONSTRUCT, "application/json", "application/json"),
    (SELECT, "text/html, */*;q=0.1", "text/html"),
    (CONSTRUCT, "text/html, */*;q=0.1", "text/html"),
    (SELECT, "no media type", "application/sparql-results+json"),
])  # fmt: skip
def test_what_suits_best(three: TestClient, query: str, accept: str | None, kind: str) -> None:
    headers = {"Accept": accept} if accept is not None else {}
    request = three.build_request("GET", "/sparql", params={"query": query}, headers=headers)
    if accept is None:
        del request.headers["Accept"]
    response = three.send(request)
    assert (response.status_code, kind_of(response)) == (200, kind)


@pytest.mark.parametrize(("query", "accept"), [
    (SELECT, "text/turtle"),
    (SELECT, "image/*"),
    ("ASK {}", "application/rdf+xml"),
    (CONSTRUCT, "text/csv"),
    (CONSTRUCT, "application/sparql-results+json;q=1, text/turtle;q=0"),
])  # fmt: skip
def test_not_acceptable(three: TestClient, query: str, accept: str) -> None:
    response = three.get("/sparql", params={"query": query}, headers={"Accept": accept})
    assert response.status_code == 406
    assert "application/" in response.text


@pytest.mark.parametrize(("triple", "message"), [
    ("<urn:a:b> <http://example.org/1/> 1", "<http://example.org/1/> ends in no name of XML"),
    ('<urn:a:b> <http://example.org/p> "\\u0001"', "a text holds a character that XML has not"),
])  # fmt: skip
def test_what_rdf_xml_cannot_say(three: TestClient, triple: str, message: str) -> None:
    query = f"CONSTRUCT {{ {triple} }} WHERE {{}}"
    assert three.get("/sparql", params={"query": query, "format": "nt"}).status_code == 200
    response = three.get("/sparql", params={"query": query, "format": "rdf"}, headers={"Accept": "*/*"})
    assert response.status_code == 406
    assert response.text == f"the answer cannot be had in this format: {message}\n"


# --- from other pages, and what the endpoint says of itself


def test_other_pages_may_ask(three: TestClient) -> None:
    headers = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    response = three.options("/sparql", headers={**headers, "Access-Control-Request-Headers": "content-type"})
    assert response.status_code == 204
    assert response.headers["access-control-allow-origin"] == "*"
    assert "POST" in response.headers["access-control-allow-methods"]
    assert "Content-Type" in response.headers["access-control-allow-headers"]
    answer = three.get("/sparql?query=ASK%20%7B%7D", headers={"Origin": "https://example.org"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "X-SPARQL-MaxRows" in answer.headers["access-control-expose-headers"]
    assert "access-control-allow-credentials" not in answer.headers


SD = "http://www.w3.org/ns/sparql-service-description#"


@pytest.mark.parametrize("form", DATA, ids=lambda form: form.suffix)
def test_the_description(three: TestClient, form: object) -> None:
    response = three.get("/sparql", headers={"Accept": form.media_type})  # type: ignore[attr-defined]
    assert kind_of(response) == form.media_type  # type: ignore[attr-defined]
    store = ox.Store()
    store.extend(
        ox.Quad(q.subject, q.predicate, q.object)
        for q in ox.parse(response.content, format=RDF[form.suffix])  # type: ignore[attr-defined]
    )
    ask = f"""PREFIX sd: <{SD}>
        ASK {{ ?service a sd:Service ; sd:endpoint <http://testserver/sparql> ; sd:supportedLanguage sd:SPARQL11Query ;
            sd:feature sd:UnionDefaultGraph ; sd:resultFormat <http://www.w3.org/ns/formats/SPARQL_Results_JSON> ;
            sd:defaultDataset/sd:defaultGraph ?graph . ?service sd:defaultDataset/sd:namedGraph/sd:name <{NAMES[1]}> .
            FILTER NOT EXISTS {{ ?service sd:feature sd:BasicFederatedQuery }} }}"""
    assert bool(store.query(ask))


def test_the_description_is_what_who_does_not_mind_gets(three: TestClient) -> None:
    assert kind_of(three.get("/sparql")) == "text/turtle"
    assert kind_of(three.get("/sparql", headers={"Accept": "text/html"})) == "text/html"
    assert kind_of(three.get("/sparql?format=nt", headers={"Accept": "text/html"})) == "application/n-triples"
    assert three.get("/sparql", headers={"Accept": "image/png"}).status_code == 406
