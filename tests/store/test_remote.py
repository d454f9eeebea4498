"""A remote store says what failed and how to mend it, whatever the server does."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pyoxigraph as ox
import pytest

from rulewright.store import Embedded, Remote, Store, StoreError

ASK = "SELECT ?s WHERE { ?s ?p ?o }"
BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean"


class Server(ThreadingHTTPServer):
    status, body, wait = 200, b"", 0.0
    headers: dict[str, str]
    asked: list[str]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.asked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        time.sleep(self.server.wait)
        self.send_response(self.server.status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_: Any) -> None:
        """Silent."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as made:
        made.headers, made.asked = {"Content-Type": "application/sparql-results+json"}, []
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}/sparql"


def answer(**terms: dict[str, str]) -> bytes:
    return json.dumps({"head": {"vars": ["s", "o"]}, "results": {"bindings": [terms]}}).encode()


def test_terms_as_virtuoso_says_them(server: Server) -> None:
    server.body = answer(s={"type": "typed-literal", "datatype": BOOLEAN, "value": "1"})
    row = Remote(address(server)).select(ASK)[0]
    assert row["s"] == ox.Literal(True)
    assert row["o"] is None


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (200, b"<html>Welcome</html>", "not in SPARQL 1.1's JSON format: '<html>"),
        (200, b'{"boolean": true}', "not in SPARQL 1.1's JSON format"),
        (200, b'{"head": {"vars": ["s"]}, "results": {"bindings": [{"s": {"type": "odd"}}]}}', "JSON format"),
        (200, b"", "JSON format"),
        (400, b"\nparse error at line 1\nquery text", "refuses what it was asked: parse error at line 1"),
        (401, b"", "does not allow"),
        (403, b"", "does not allow"),
        (404, b"", "nothing at this path"),
        (500, b"out of memory", "out of memory"),
        (503, b"", "status 503"),
    ],
)
def test_failures(server: Server, status: int, body: bytes, said: str) -> None:
    server.status, server.body = status, body
    with pytest.raises(StoreError) as told:
        Remote(address(server)).select(ASK)
    assert said in str(told.value)
    assert "\n" not in str(told.value)


def test_an_answer_that_was_cut_short_is_none(server: Server) -> None:
    server.body = answer(s={"type": "uri", "value": "urn:a"})
    server.headers["X-SPARQL-MaxRows"] = "1"
    with pytest.raises(StoreError, match="cut short"):
        Remote(address(server)).select(ASK)


def test_time_out(server: Server) -> None:
    server.wait = 2
    with pytest.raises(StoreError, match="did not answer within 1 s"):
        Remote(address(server), timeout=1).select(ASK)


def test_refused() -> None:
    with pytest.raises(StoreError, match="refuses the connection"):
        Remote("http://127.0.0.1:9/sparql").select(ASK)
    with pytest.raises(StoreError, match="no web address"):
        Remote("localhost:8890")


def test_facts_go_in_by_batches_into_a_graph_of_the_run(server: Server) -> None:
    first, second = Remote(address(server)), Remote(address(server))
    assert first.graph != second.graph
    first.add(ox.Triple(ox.NamedNode(f"urn:s:{n}"), ox.NamedNode("urn:p"), ox.Literal('a "b"\n')) for n in range(1001))
    assert len(server.asked) == 3
    assert all(first.graph.value.replace(":", "%3A") in text for text in server.asked)
    first.add([])
    assert len(server.asked) == 3


def test_embedded() -> None:
    store: Store = Embedded()
    triple = ox.Triple(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal(True))
    store.add([triple, triple])
    assert [row["o"] for row in store.select("SELECT ?o WHERE { ?s ?p ?o }")] == [ox.Literal(True)]
    with pytest.raises(StoreError):
        store.select("ASK { ?s ?p ?o }")
    store.clear()
    assert not store.select("SELECT ?o WHERE { ?s ?p ?o }")
