"""A remote store says what failed and how to mend it, whatever the server does."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pyoxigraph as ox
import pytest

from rulewright.store import Dataset, Embedded, Endpoint, Remote, Store, StoreError, endpoint
from rulewright.vocabulary import CORE
from waiting import PATIENCE

ASK = "SELECT ?s WHERE { ?s ?p ?o }"
BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean"


class Server(ThreadingHTTPServer):
    status, body = 200, b""
    awake: threading.Event
    """Whether it answers."""
    headers: dict[str, str]
    asked: list[str]
    busy = 0
    """So many requests more are answered with 503."""
    challenge = ""
    """What the server asks of whoever does not say who he is."""
    told: list[str]
    """How they said it."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        self.server.asked.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.server.awake.wait(PATIENCE)
        if self.server.busy:
            self.server.busy -= 1
            self.send_error(503)
            return
        told = self.headers.get("Authorization", "")
        if self.server.challenge and not told:
            self.send_response(401)
            self.send_header("WWW-Authenticate", self.server.challenge)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.server.told.append(told)
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
        made.headers, made.asked, made.told = {"Content-Type": "application/sparql-results+json"}, [], []
        made.awake = threading.Event()
        made.awake.set()
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.awake.set()
        made.shutdown()


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}/sparql"


def test_an_answer_with_very_many_headers(server: Server) -> None:
    """Virtuoso tells each graph of the dataset in a header of its own."""
    server.headers |= {f"X-SPARQL-graph-{n}": "urn:example:graph" for n in range(300)}
    server.body = answer(s={"type": "uri", "value": "urn:example:s"})
    assert len(Remote(address(server)).select(ASK)) == 1


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
        (500, b"Virtuoso 42000 Error SR186:SECURITY: No permission to execute procedure", "does not allow"),
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


def test_what_is_safe_is_asked_again(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(endpoint.time, "sleep", pauses.append)
    server.body, server.busy = answer(), 2
    assert len(Remote(address(server)).select(ASK)) == 1
    assert len(server.asked) == 3
    assert pauses == [*endpoint.PAUSES]
    server.asked, server.busy = [], 5
    with pytest.raises(StoreError, match="status 503"):
        Remote(address(server)).select(ASK)
    assert len(server.asked) == 1 + len(endpoint.PAUSES)


def test_an_update_is_asked_once_unless_it_is_safe(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint.time, "sleep", lambda seconds: None)
    asked = Endpoint(address(server))
    server.busy = 1
    with pytest.raises(StoreError, match="status 503"):
        asked.update("INSERT { ?s <urn:n> ?more } WHERE { ?s <urn:n> ?n BIND(?n + 1 AS ?more) }")
    assert len(server.asked) == 1
    server.busy = 1
    asked.update("INSERT DATA { <urn:s> <urn:p> 1 }", again=True)
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("challenge", "told"),
    [
        ('Basic realm="a place"', "Basic YW5hOnNlY3JldA=="),
        ('Digest realm="a place", nonce="n", qop="auth", algorithm=MD5', 'Digest username="ana", realm="a place"'),
    ],
)
def test_who_asks_is_told_as_the_server_wishes(server: Server, challenge: str, told: str) -> None:
    server.body, server.challenge = answer(), challenge
    Remote(address(server), user="ana", password="secret").select(ASK)
    assert server.told[-1].startswith(told)
    with pytest.raises(StoreError, match="does not allow"):
        Remote(address(server)).select(ASK)
    assert len(server.told) == 1, "what one was told, another is not"


def test_virtuosos_yes_and_no(server: Server) -> None:
    asked = Dataset.connect(Endpoint(address(server)))
    rows = [{"__ASK_RETVAL": {"type": "typed-literal", "datatype": BOOLEAN, "value": "1"}}]
    for bindings in (rows, []):
        server.body = json.dumps({"head": {"vars": ["__ASK_RETVAL"]}, "results": {"bindings": bindings}}).encode()
        assert bool(asked.query("ASK FROM <urn:g> { ?s ?p ?o }")) == bool(bindings)


@pytest.mark.parametrize(
    ("kind", "body"), [("text/html", b"<p>"), ("text/turtle", b"<urn:a> <urn:b>"), ("application/ld+json", b"{")]
)
def test_what_is_no_graph(server: Server, kind: str, body: bytes) -> None:
    server.headers["Content-Type"], server.body = kind, body
    with pytest.raises(StoreError, match="the answer is not"):
        Dataset.connect(Endpoint(address(server))).query("CONSTRUCT FROM <urn:g> WHERE { ?s ?p ?o }")


def test_what_is_sent_is_the_query_with_the_prefixes_that_it_lacks(server: Server) -> None:
    server.body = answer()
    text = "# ADD a comment\nPREFIX kw: <urn:k>\nSELECT * FROM <urn:g>\n{ kw:a rw:b '# rdf:type' # more\n}"
    Dataset.connect(Endpoint(address(server))).query(text)
    (sent,) = parse_qs(server.asked[-1])["query"]
    head = f"PREFIX rw: <{CORE}> "
    assert sent == f"{head}\nPREFIX kw: <urn:k>\nSELECT * FROM <urn:g>\n{{ kw:a rw:b '# rdf:type' \n}}"


def test_time_out(server: Server) -> None:
    server.awake.clear()
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
