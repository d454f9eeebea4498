"""The same endpoint in front of another: the same limits and formats, and nothing but reading."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pyoxigraph as ox
import pytest
from around import LIMITS, application
from starlette.testclient import TestClient

from rulewright.store import Dataset, Endpoint
from rulewright.store.dataset import COMMITTED, STARTED, mark
from waiting import PATIENCE, eventually

EX = "http://example.org/"


class Far(ThreadingHTTPServer):
    """Another's endpoint: Oxigraph, and its moods. `status`, `kind`, `body`: what it says instead, if set; `awake`:
    whether it answers.
    """

    status, kind, body = 200, "", b""
    awake: threading.Event
    store: ox.Store
    asked: list[dict[str, list[str]]]


class Handler(BaseHTTPRequestHandler):
    server: Far

    def do_POST(self) -> None:
        fields = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.server.asked.append(fields)
        self.server.awake.wait(PATIENCE)
        status, kind, body = self.server.status, self.server.kind, self.server.body
        if not kind:
            status, kind, body = self._answer(fields)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        with suppress(BrokenPipeError):
            self.wfile.write(body)

    def _answer(self, fields: dict[str, list[str]]) -> tuple[int, str, bytes]:
        default, named = (fields.get(f"{k}-graph-uri", []) for k in ("default", "named"))
        try:
            results = self.server.store.query(
                fields["query"][0],
                use_default_graph_as_union=not (default or named),
                default_graph=[ox.NamedNode(g) for g in default] if default or named else None,
                named_graphs=[ox.NamedNode(g) for g in named] if default or named else None,
            )
        except SyntaxError as error:
            return 400, "text/plain", str(error).encode()
        if isinstance(results, ox.QueryTriples):
            return 200, "application/n-triples", results.serialize(format=ox.RdfFormat.N_TRIPLES) or b""
        text = results.serialize(format=ox.QueryResultsFormat.JSON)
        return 200, "application/sparql-results+json", text or b""

    def log_message(self, *_: Any) -> None:
        """Silent."""


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[Far, TestClient]]:
    with Far(("127.0.0.1", 0), Handler) as far:
        far.daemon_threads = True
        far.store, far.awake = ox.Store(), threading.Event()
        for n in range(3):
            graph = ox.NamedNode(f"{EX}g{n}")
            far.store.add(ox.Quad(graph, ox.NamedNode(EX + "p"), ox.Literal(f"text {n}", language="en"), graph))
            far.store.add(mark(graph.value, COMMITTED))
        for graph in (ox.NamedNode(EX + "half-written"), ox.NamedNode(EX + "of-others")):
            far.store.add(ox.Quad(graph, ox.NamedNode(EX + "p"), ox.Literal("text of others"), graph))
        far.store.add(mark(EX + "half-written", STARTED))
        threading.Thread(target=far.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{far.server_address[1]}/sparql"
        with TestClient(application(Dataset.connect(Endpoint(address), read_only=True))) as client:
            yield far, client
        far.shutdown()


@pytest.fixture
def far(running: tuple[Far, TestClient]) -> Far:
    server = running[0]
    server.status, server.kind, server.body, server.asked = 200, "", b"", []
    server.awake.set()
    return server


@pytest.fixture
def client(running: tuple[Far, TestClient], far: Far) -> TestClient:
    return running[1]


def get(client: TestClient, query: str, accept: str = "*/*", **parameters: str) -> Any:
    return client.get("/sparql", params={"query": query, **parameters}, headers={"Accept": accept})


@pytest.mark.parametrize("accept", [
    "application/sparql-results+json", "application/sparql-results+xml", "text/csv", "text/tab-separated-values",
])  # fmt: skip
def test_rows(client: TestClient, accept: str) -> None:
    response = get(client, "SELECT ?s ?o { ?s <http://example.org/p> ?o } ORDER BY ?s", accept)
    assert response.headers["content-type"].startswith(accept)
    assert [f"{EX}g{n}" in response.text and f"text {n}" in response.text for n in range(3)] == [True] * 3


@pytest.mark.parametrize("accept", ["text/turtle", "application/ld+json", "application/rdf+xml", "application/trig"])
def test_graphs(client: TestClient, accept: str) -> None:
    response = get(client, "CONSTRUCT WHERE { ?s <http://example.org/p> ?o }", accept)
    assert response.headers["content-type"].startswith(accept)
    assert response.text.count("text ") == 3


def test_what_is_not_ours_and_what_is_not_finished_is_not_asked(client: TestClient) -> None:
    response = get(client, "SELECT (COUNT(*) AS ?n) { ?s <http://example.org/p> ?o }", "text/csv")
    assert response.text == "n\r\n3\r\n"


def test_yes_and_no(client: TestClient) -> None:
    assert get(client, "ASK {}").json()["boolean"] is True
    assert get(client, f"ASK {{ ?s <{EX}q> ?o }}").json()["boolean"] is False


def test_our_prefixes_and_the_graphs_go_with_it(client: TestClient, far: Far) -> None:
    response = get(client, "ASK { ?s a rw:Keyword }", **{"default-graph-uri": EX + "g1", "named-graph-uri": EX + "g2"})
    assert response.status_code == 200
    assert far.asked[-1]["default-graph-uri"] == [EX + "g1"]
    assert far.asked[-1]["named-graph-uri"] == [EX + "g2"]
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    assert get(client, count, "text/csv", **{"default-graph-uri": EX + "g1"}).text == "n\r\n1\r\n"


def test_what_is_no_query_is_told_at_once(client: TestClient, far: Far) -> None:
    response = get(client, "SELECT { }")
    assert response.status_code == 400
    assert response.text.startswith("query:1:11: ")
    assert far.asked == []


@pytest.mark.parametrize(("status", "kind", "body"), [
    (500, "text/plain", b"secret"),
    (403, "text/html", b"secret"),
    (200, "text/html", b"<html>secret"),
    (200, "application/sparql-results+json", b'{"head": {"vars": ["s"]}, "results": {"bindings": [{"s":'),
    (200, "application/sparql-results+json", b""),
    (200, "application/sparql-results+json", b'{"head": {"vars": ["s"]}, "results": {"bindings": [{}]}}'),
])  # fmt: skip
def test_its_moods(client: TestClient, far: Far, status: int, kind: str, body: bytes) -> None:
    far.status, far.kind, far.body = status, kind, body
    response = get(client, "SELECT ?s { ?s ?p ?o }")
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "127.0.0.1" not in response.text
    far.kind = ""
    assert get(client, "ASK {}").status_code == 200


def test_it_does_not_answer(far: Far) -> None:
    limits = replace(LIMITS, time=1.0, short_places=1, long_places=1)
    dataset = Dataset.connect(Endpoint(f"http://127.0.0.1:{far.server_address[1]}/sparql"), read_only=True)
    with TestClient(application(dataset, limits)) as client:
        far.awake.clear()
        assert get(client, "ASK {}").status_code == 504
        far.awake.set()
        assert eventually(lambda: get(client, "ASK {}").status_code == 200)


def test_a_huge_answer_is_cut(client: TestClient, far: Far) -> None:
    row = {"s": {"type": "uri", "value": EX}}
    far.kind = "application/sparql-results+json"
    far.body = json.dumps({"head": {"vars": ["s"]}, "results": {"bindings": [row] * (LIMITS.rows + 5)}}).encode()
    response = get(client, f"SELECT ?s FROM <{EX}g0> {{ ?s ?p ?o }}", "text/csv")
    assert response.headers["x-sparql-maxrows"] == str(LIMITS.rows)
    assert len(response.text.splitlines()) == LIMITS.rows + 1


@pytest.mark.parametrize("query", [
    "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "ASK { \\u0053ERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "ASK { ?s ?p '\\u0027 . SERVICE <http://127.0.0.1:9/> { } # ' }",
    "# \\u000A LOAD <http://127.0.0.1:9/>",
    "# \\u000AASK { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }\nASK {}",
    "DEFINE sql:log-enable 2 INSERT { <a:a> <a:b> <a:c> } WHERE { }",
    "SPARQL CLEAR GRAPH <http://example.org/g0>",
    "\\u0043LEAR ALL",
    "CLEAR ALL",
    "",
])  # fmt: skip
def test_nothing_but_reading_is_passed_on(client: TestClient, far: Far, query: str) -> None:
    response = get(client, query)
    assert response.status_code == 400
    assert far.asked == []


def test_its_description(client: TestClient, far: Far) -> None:
    text = client.get("/sparql", headers={"Accept": "text/turtle"}).text
    assert "sd:Service" in text
    assert text.count(f"sd:name <{EX}g") == 3
    assert "of-others" not in text
    far.status, far.kind, far.body = 500, "text/plain", b"secret"
    response = client.get("/sparql", headers={"Accept": "text/turtle"})
    assert response.status_code == 500
    assert response.text == "this cannot be answered: the store behind the endpoint failed\n"
