"""What anyone may send to a real server, and what anyone may have put into its data: none of it gets through, stops it,
or makes it say more than it should."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest

from rulewright import ingest
from rulewright.axioms import packaged_knowledge
from rulewright.explain import Run
from rulewright.records import read
from rulewright.site.game import body as game_body
from rulewright.site.negotiation import DATA
from rulewright.site.sparql.formats import RDF
from rulewright.store import Dataset
from rulewright.vocabulary import BASE, packaged
from unhurried import command
from waiting import PATIENCE, eventually

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
MARK = "evil7"
EVIL = (
    f"\"'></title></textarea></script><script>{MARK}()</script><img src=x onerror={MARK}()>"
    "<!-- {{7*7}} ]]> \u202e&lt;"
)
SCRIPT_IRIS = (f"javascript:{MARK}()", f"data:text/html,{MARK}", f"vbscript:{MARK}", f"JaVaScRiPt:{MARK}()")
QUOTED_IRI = f"https://evil.example/'onmouseover='{MARK}()'&quot;x"
PAGE = "text/html,application/xhtml+xml,*/*;q=0.5"
PICTURE = "data:image/svg+xml;base64,"
TRUSTED = ("/", "#", "?", "http://", "https://", "sparql")


# --- a server on data of which every field is hostile


def hostile_graph(source: Dataset) -> tuple[list[ox.Triple], list[str]]:
    """One more of each kind of thing that there is, all of whose texts are scripts and all of whose links lead astray;
    and where these things are."""
    found: list[ox.Triple] = []
    paths = []
    kinds: dict[str, str] = {}
    rows: Any = source.query("SELECT ?x ?kind WHERE { ?x a ?kind FILTER(ISIRI(?x)) }")
    for row in rows:
        if row["x"].value.startswith(BASE):
            kinds.setdefault(row["kind"].value, row["x"].value)
    by_subject: dict[str, list[ox.Triple]] = {}
    for quad in source.quads():
        if isinstance(quad.subject, ox.NamedNode):
            by_subject.setdefault(quad.subject.value, []).append(quad.triple)
    for number, (kind, example) in enumerate(sorted(kinds.items())):
        space = example.removeprefix(BASE).partition("/")[0] if "/" in example.removeprefix(BASE) else "thing"
        path = f"{space}/{MARK}'-{number}&amp;(x)"
        node = ox.NamedNode(BASE + path)
        paths.append(path)
        found.append(ox.Triple(node, ox.NamedNode(f"{BASE}core#{MARK}'&x"), ox.Literal(EVIL)))
        for triple in by_subject[example]:
            value = triple.object
            if triple.predicate.value.endswith("#type") or isinstance(value, ox.BlankNode):
                found.append(ox.Triple(node, triple.predicate, ox.NamedNode(kind)))
            elif isinstance(value, ox.Literal):
                made = ox.Literal(EVIL, language=value.language) if value.language else ox.Literal(EVIL)
                odd = ox.Literal(EVIL, datatype=ox.NamedNode(QUOTED_IRI))
                found += [ox.Triple(node, triple.predicate, term) for term in (made, odd)]
            elif isinstance(value, ox.NamedNode):
                others = (value.value, node.value, QUOTED_IRI, *SCRIPT_IRIS)
                found += [ox.Triple(node, triple.predicate, ox.NamedNode(other)) for other in others]
                if value.value.startswith(BASE):  # and what is in the other's page
                    found.append(ox.Triple(value, triple.predicate, node))
    return found, paths


@dataclass(frozen=True)
class Server:
    port: int
    paths: list[str]

    def connection(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def raw(self, sent: bytes) -> tuple[int, str, bytes]:
        """The status, head and body of the answer; 0 where there is none."""
        with self.connection() as connection:
            with contextlib.suppress(ConnectionError):
                connection.sendall(sent)
            found = b""
            with contextlib.suppress(ConnectionError):
                while part := connection.recv(65536):
                    found += part
        head, _, content = found.partition(b"\r\n\r\n")
        status = re.match(rb"HTTP/1.1 (\d{3}) ", head)
        return int(status[1]) if status else 0, head.decode("latin-1"), content

    def ask(
        self, target: str | bytes, accept: str | bytes = PAGE, method: str = "GET", *headers: bytes
    ) -> tuple[int, str, bytes]:  # fmt: skip
        lines = [
            method.encode() + b" " + (target if isinstance(target, bytes) else target.encode()) + b" HTTP/1.1",
            b"Host: x", b"Connection: close",
            b"Accept: " + (accept if isinstance(accept, bytes) else accept.encode("latin-1")), *headers,
        ]  # fmt: skip
        return self.raw(b"\r\n".join([*lines, b"", b""]))

    @property
    def well(self) -> bool:
        return self.ask("/health")[0] == 200


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("hostile")
    found, paths = hostile_graph(ingest(EXAMPLES).dataset)
    with Dataset.open(folder / "store") as store:
        store.load_packaged()
        store.add_graph(f"{BASE}graph/{MARK}", found)
    here = {**os.environ, "RULEWRIGHT_CACHE": str(folder / "cache")}
    log = folder / "log"
    serving = command("serve", "--port", "0", "--store", str(folder / "store"))
    with log.open("wb") as out, subprocess.Popen(serving, stderr=out, env=here) as process:
        try:
            assert eventually(lambda: log.read_bytes().endswith(b"/\n"))
            made = Server(int(log.read_text().splitlines()[-1].rstrip("/").rpartition(":")[2]), paths)
            assert eventually(lambda: made.ask("/ready")[0] == 200)
            yield made
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
        finally:
            process.kill()
    said = log.read_text(errors="replace")
    assert "Traceback" not in said, said[-3000:]


class Elements(HTMLParser):
    """What a browser would run, or go to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.data: list[str] = []
        self._in = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._in = "data" if tag == "script" and given.get("type") == "application/ld+json" else ""
        if tag == "script" and not self._in and not given.get("src", "").startswith("/static/"):
            self.wrong.append(f"<script {given}>")
        if tag in ("style", "iframe", "object", "embed", "base", "meta") and "http-equiv" in given:
            self.wrong.append(f"<{tag} {given}>")
        for name, value in given.items():
            if name.startswith("on") or name == "style" or MARK in name:
                self.wrong.append(f"<{tag} {name}={value!r}>")
            leads = name in ("href", "src", "action", "formaction", "xlink:href", "data")
            if value.startswith(PICTURE):
                self.wrong += Elements(b64decode(value.removeprefix(PICTURE)).decode()).wrong
            elif leads and value and not value.lstrip().lower().startswith(TRUSTED):
                self.wrong.append(f"<{tag} {name}={value!r}>")
        if tag == "img":
            self.wrong.append(f"<img {given}>")

    def handle_data(self, data: str) -> None:
        if self._in == "data":
            self.data.append(data)
            self._in = ""


def harmless(content: bytes) -> None:
    text = content.decode()
    elements = Elements(text)
    assert not elements.wrong
    for data in elements.data:
        json.loads(data)
        assert "<" not in data
    assert f"<script>{MARK}" not in text
    assert "49 ]]" not in text, "nothing of data is a template"


def test_there_is_something_of_every_kind(server: Server) -> None:
    assert len(server.paths) > 40
    spaces = {path.partition("/")[0] for path in server.paths}
    assert spaces >= {"keyword", "ruling", "rule", "card", "term", "scenario", "edition", "text", "publication"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_of_data_is_markup(server: Server, language: str) -> None:
    for path in server.paths:
        address = "/" + quote(path, safe="/'()&;")
        status, head, content = server.ask(f"{address}.html?lang={language}")
        assert status == 200, path
        assert "content-security-policy: default-src 'none'" in head.lower()
        assert MARK in content.decode()
        harmless(content)


def test_data_stays_data_in_every_format(server: Server) -> None:
    for path in server.paths[::4]:
        for form in DATA:
            status, head, content = server.ask("/" + quote(path) + "." + form.suffix)
            # a property with & is no name of XML
            assert status in ((200, 406) if form.suffix == "rdf" else (200,)), path
            assert "x-content-type-options: nosniff" in head.lower()
            assert "html" not in head.lower().partition("content-type:")[2].partition("\r\n")[0]
            if status == 200:
                texts = {q.object.value for q in ox.parse(content, format=RDF[form.suffix])
                         if isinstance(q.object, ox.Literal)}  # fmt: skip
                assert EVIL in texts


@pytest.mark.parametrize("target", [
    "/", "/?lang=de", *(f"/{kind}/" for kind in ("keyword", "ruling", "rule", "card", "term", "scenario", "edition")),
    f"/search?q={MARK}", f"/search?q={MARK}&lang=de", "/search?q=script", "/search?q=qqqqzzzz", "/check",
    "/.well-known/void", "/keyword/rebound.html", "/ruling/RB-8.html", "/rule/rebound-a.html", "/core.html",
    "/sparql?query=" + quote(f"SELECT * {{ GRAPH <{BASE}graph/{MARK}> {{ ?s ?p ?o }} }} LIMIT 400"),
    "/sparql?query=" + quote(f"CONSTRUCT {{ ?s ?p ?o }} {{ GRAPH <{BASE}graph/{MARK}> {{ ?s ?p ?o }} }} LIMIT 400"),
    "/sparql?query=" + quote(f"DESCRIBE <{BASE}keyword/rebound>"),
])  # fmt: skip
def test_pages_with_hostile_things_in_them(server: Server, target: str) -> None:
    status, _, content = server.ask(target)
    assert status == 200
    harmless(content)


def test_lists_and_suggestions(server: Server) -> None:
    for target in ("/sitemap.xml", "/sitemap-1.xml"):
        status, _, content = server.ask(target)
        assert status == 200
        ElementTree.fromstring(content)
    status, head, content = server.ask(f"/suggest?q={MARK}")
    assert "content-type: application/json" in head.lower()
    json.loads(content)


# --- games of which every field is hostile


def leaves(value: object, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, key)
    elif isinstance(value, str):
        yield key


def spoiled(value: object, of: str, evil: str, key: str = "") -> object:
    if isinstance(value, dict):
        return {name: spoiled(inner, of, evil, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [spoiled(inner, of, evil, key) for inner in value]
    return evil if isinstance(value, str) and key == of else value


def test_nothing_of_a_game_is_markup(tmp_path: Path) -> None:
    scenarios = packaged("data", "scenarios")
    knowledge = packaged_knowledge()
    run = Run(everything=True, keep=True)
    texts = []
    for name in ("rebound/exiled-again-in-2010", "rebound/buyback-chosen-over-rebound"):
        record = json.loads((scenarios / f"{name}.json").read_text(encoding="utf-8"))
        for key in sorted(set(leaves(record))):
            for evil in (EVIL, f"#{MARK}\"'><svg/onload={MARK}()>", SCRIPT_IRIS[0]):
                texts.append(json.dumps(spoiled(record, key, evil)))
        texts.append(json.dumps(record).replace('"card"', json.dumps(EVIL)))
        texts.append(json.dumps({**record, EVIL: EVIL}))
    file = tmp_path / f"{MARK}'.jsonl"
    file.write_text("\n".join(texts) + "\n" + EVIL + "\n", encoding="utf-8")
    outcomes = list(run.outcomes(read([file], run.knowledge.parameters())))
    assert len(outcomes) > len(texts) / 2
    for language in ("en", "de"):
        for start in range(0, len(outcomes), 20):
            harmless(game_body(outcomes[start : start + 20], language, knowledge=knowledge, link=lambda iri: iri
                               if iri.startswith("https://") else "").encode())  # fmt: skip


# --- what a user sends: parameters, headers, uploads

ADDRESSES = ("/", "/keyword/", "/keyword/rebound", "/keyword/rebound.html", "/keyword/rebound.ttl", "/nope", "/search",
             "/suggest", "/check", "/sparql", "/.well-known/void", "/static/site.css", "/health", "/ready", "/metrics",
             "/robots.txt", "/sitemap.xml", "/rule/702.88a", "/card/x", "/dump.nq.gz")  # fmt: skip
NAMES = ("q", "kind", "lang", "page", "date", "query", "name", "format", "default-graph-uri", "named-graph-uri", "text")


@pytest.mark.parametrize("target", ADDRESSES)
def test_no_parameter_is_markup(server: Server, target: str) -> None:
    values = (quote(EVIL), quote(f"javascript:{MARK}()"))
    for name in (*NAMES, quote(EVIL)):
        for value in values:
            status, _, content = server.ask(f"{target}?{name}={value}")
            assert status < 500, (target, name)
            if b"<html" in content[:200]:
                harmless(content)


@pytest.mark.parametrize("value", [
    "%", "%zz", "%ff%fe", "%c0%ae", "%ed%a0%80", "%00", "%0d%0aX-Evil:%20evil7", "%F0%9F", "%u0041", "\xe4", "+" * 3000,
    "9" * 400, "-1", "1e9", "%E2%80%AE", "&" * 500, "=" * 500, "[]", "%25%32%65", "0x10", "NaN",
], ids=lambda value: value[:20])  # fmt: skip
def test_odd_parameters_are_answered(server: Server, value: str) -> None:
    for target in ADDRESSES:
        if target.startswith("/dump"):
            continue
        for name in ("q", "lang", "page", "date", "query", "default-graph-uri"):
            status, head, content = server.ask(f"{target}?{name}=".encode() + value.encode("latin-1"))
            assert 200 <= status < 500, (target, name, status)
            assert "x-evil" not in head.lower()
            assert b"Traceback" not in content


HEADERS = (b"Accept-Language", b"Referer", b"User-Agent", b"Cookie", b"Origin", b"X-Forwarded-For", b"X-Forwarded-Host",
           b"X-Forwarded-Proto", b"Forwarded", b"X-Request-ID", b"If-None-Match", b"If-Modified-Since", b"Range",
           b"Content-Type", b"X-HTTP-Method-Override", b"X-Original-URL")  # fmt: skip


@pytest.mark.parametrize("name", HEADERS)
def test_no_header_is_repeated(server: Server, name: bytes) -> None:
    for target in ("/keyword/rebound", "/keyword/rebound.html", "/nope", "/search?q=a", "/sparql", "/static/site.css"):
        for value in (EVIL.replace("\u202e", "").encode(), f"javascript:{MARK}".encode(), b"\xff\xfe", b"x" * 8000,
                      b"bytes=5-1,0-0,99999999999-", b'"' * 500):  # fmt: skip
            status, head, content = server.ask(target, PAGE, "GET", name + b": " + value)
            assert 200 <= status < 500, (name, value[:20], status)
            assert MARK not in head
            assert b"<script>evil7" not in content


def test_the_host_is_not_believed(server: Server) -> None:
    for host in (b"evil7.example", b"evil7.example:99@x", b"<script>", b"", b"x\x7f"):
        sent = b"GET /keyword/rebound HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\nAccept: text/html\r\n\r\n"
        status, head, content = server.raw(sent)
        assert status in (303, 400)
        assert MARK not in head
        assert MARK.encode() not in content
    assert b"evil7" not in server.raw(b"GET /robots.txt HTTP/1.1\r\nHost: evil7\r\nConnection: close\r\n\r\n")[2]


def upload(name: bytes, content: bytes) -> bytes:
    body = (b'--b\r\nContent-Disposition: form-data; name="file"; filename="' + name + b'"\r\n\r\n' + content
            + b"\r\n--b--\r\n")  # fmt: skip
    head = (b"POST /check HTTP/1.1", b"Host: x", b"Connection: close", b"Accept: text/html",
            b"Content-Type: multipart/form-data; boundary=b", 
            b"Content-Length: " + str(len(body)).encode())  # fmt: skip
    return b"\r\n".join([*head, b"", body])


def test_the_name_of_an_upload_is_only_shown(server: Server) -> None:
    record = (packaged("data", "scenarios") / "rebound" / "exiled-again-in-2010.json").read_bytes()
    names = (EVIL.replace('"', "").encode(), b"../../../../etc/passwd", b"C:\\x\\evil7.json", b"\xff\xfe.json",
             b"x" * 5000)  # fmt: skip
    for name in names:
        status, _, content = server.raw(upload(name, record))
        assert status in (200, 422)
        harmless(content)
        assert b"root:" not in content


# --- paths

TRICKS = [
    "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/%2e%2e%2fapp.py",
    "/static/.%2e/app.py",
    "/static/..%5capp.py", "/static/..\\app.py", "/static/%2e%2e%5capp.py", "/static/%252e%252e%252fapp.py",
    "/static/%c0%ae%c0%ae/app.py", "/static/..%c0%afapp.py", "/static/..%e2%88%95app.py", "/static/....//app.py",
    "/static/..;/app.py", "/static//etc/passwd", "/static/%2fetc%2fpasswd", "/static///etc/passwd",
    "/static/../../../../../../etc/passwd", "/static/%00", "/static/site.css%00.html", "/static/site.css/..",
    "/static/../app.py%00.css", "/static/", "/static", "/static/.", "/static/..", "/static/%2e", "//etc/passwd",
    "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/etc/passwd", "/file:///etc/passwd",
    "/keyword/../../etc/passwd", "/keyword/..%2f..%2fetc%2fpasswd.html", "/keyword/%2e%2e%2fcards.ttl",
    "/keyword/rebound%00.html", "/keyword/rebound.html%00", "/keyword/re%0d%0abound",
    "/keyword/rebound%0d%0aX-Evil:%20evil7",
    "/keyword/Abprall%0d%0aX-Evil:%20evil7", "/card/Cancel%0d%0aX-Evil:%20evil7", "/scenario/../../../data/cards.ttl",
    "/scenario/%2e%2e/%2e%2e/data/cards.ttl", "/edition/..%2f..%2f", "/sparql/../static/../app.py", "/check/../../x",
    "/rule/702.88a/../../static/..", "/%", "/%z", "/%ff%fe", "/%e4", "/%ed%a0%80", "/%F0%9F", "/" + "%41" * 3000,
    "/" + "a/" * 3000, "/" + "../" * 3000 + "etc/passwd", "/.git/config", "/.env", "/pyproject.toml", "/store/CURRENT",
    "/dump/../../../etc/passwd", "/dump..", "/dump.%2e%2e", "/dump.nq.gz/..", "/keyword/" + "x" * 30_000,
    "/%3Cscript%3Eevil7()%3C/script%3E", "/javascript:evil7()", "/https://evil.example/", "/\\evil.example",
    "/%5cevil.example",
    "http://evil.example/static/../app.py", "http://x/../etc/passwd", "*", "/;/../x", "/keyword;x=y/rebound",
    "/?/../../etc",
    "/keyword/rebound.html/", "/keyword/rebound/../../../static/site.css", "/keyword//rebound", "/./keyword/./rebound",
]  # fmt: skip


@pytest.mark.parametrize("target", TRICKS, ids=lambda target: target[:60])
def test_no_path_leaves_its_folder(server: Server, target: str) -> None:
    for accept in (PAGE, "text/turtle"):
        status, head, content = server.ask(target, accept)
        assert status in (200, 303, 307, 400, 404, 405, 414), status
        for told in (b"root:", b"from __future__", b"[project]", b"Traceback", b"RocksDB", str(packaged()).encode()):
            assert told not in content
        assert "x-evil" not in head.lower()
        location = re.search(r"(?im)^location: (.*?)\r?$", head)
        if location:
            assert unquote(location[1]).startswith("/")
            assert not unquote(location[1]).startswith(("//", "/\\"))
        if b"<html" in content[:200]:
            harmless(content)


# --- Accept


@pytest.mark.parametrize("accept", [
    b"", b",", b";", b"/", b"*", b"*/", b"/*", b"text/html;q", b"text/html;q=", b"text/html;q=1e400", b"text/html;q=-0",
    b"\xff\xfe\xfd", b"text/html\xc3\xa4", b'"', b'text/html;x="', b"text/html," * 6000, b"a/b;" * 9000, b"*/*;q=0",
    b"text/html;q=1;q=0", b"text /html", b"text/html\ttext/turtle", b"(comment)text/html", b"q=0.5",
    b"text/turtle;q=\xbd",
    EVIL.encode(), b"../../etc/passwd", b"%00", b"{{7*7}}", b"${jndi:ldap://127.0.0.1/a}",
], ids=lambda accept: accept[:20])  # fmt: skip
def test_no_accept_is_too_odd(server: Server, accept: bytes) -> None:
    asked = "/sparql?query=ASK%7B%7D"
    for target in ("/keyword/rebound", "/nope", "/.well-known/void", "/sparql", asked, "/check", "/"):
        status, head, content = server.ask(target, accept)
        assert 200 <= status < 500, (target, status)
        assert MARK not in head
        assert b"<script>evil7" not in content


# --- methods


@pytest.mark.parametrize("method", [
    "HEAD", "OPTIONS", "TRACE", "CONNECT", "PUT", "DELETE", "PATCH", "PROPFIND", "get", "X" * 500,
])  # fmt: skip
def test_no_method_is_too_odd(server: Server, method: str) -> None:
    for target in ADDRESSES:
        status, head, content = server.ask(target, PAGE, method, b"X-Secret: evil7")
        assert status in (200, 204, 303, 304, 400, 404, 405, 406, 422), (target, status)
        assert MARK.encode() not in content
        assert MARK not in head
        if method == "HEAD":
            assert content == b""
        if method in ("TRACE", "CONNECT", "PUT", "DELETE", "PATCH", "PROPFIND", "get"):
            assert status in (400, 404, 405), (target, status)


# --- too much

HUGE = [
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 200_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-Many: 1\r\n" * 20_000 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a=b; " * 40_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-Nul: a\x00b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n X-Folded: a\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET /\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 300,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x00" * 5000,
    b"\r\n" * 50_000,
    b"POST /check HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
    b"POST /check HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: -1\r\n\r\n{}",
    b"POST /check HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}",
    b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\nContent-Length: 2\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /nope HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\nTransfer-Encoding: gzip\r\n\r\nx",
    b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"zz\r\n",
    b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"10000\r\n" + b"x" * 65536 + b"\r\n" + (b"10000\r\n" + b"x" * 65536 + b"\r\n") * 40 + b"0\r\n\r\n",
    b"POST /check HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=" + b"b" * 5000
    + b"\r\nContent-Length: 4\r\n\r\n--bb",
    b"POST /check HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n"
    b"\r\n" + b"a&" * 30_000,
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(HUGE)))
def test_no_request_is_too_odd_or_too_large(server: Server, number: int) -> None:
    with server.connection() as connection:
        connection.settimeout(1)
        with contextlib.suppress(ConnectionError):
            connection.sendall(HUGE[number])
        found = b""
        with contextlib.suppress(ConnectionError, TimeoutError):
            while part := connection.recv(65536):
                found += part
    for status in re.findall(rb"^HTTP/1.1 (\d{3}) ", found, re.MULTILINE):
        assert status in (b"100", b"200", b"400", b"404", b"405", b"413", b"415", b"422", b"431"), status
    assert b"Traceback" not in found
    assert b"evil7" not in found
    assert server.well


def test_one_who_is_slow_does_not_stop_others(server: Server) -> None:
    """Some send their heads byte by byte, some their bodies, some do not read; nobody makes them hurry."""
    length = b"Content-Length: 1000000\r\n\r\n"
    starts = (b"GET /keyword/rebound.html HTTP/1.1\r\nHost: x\r\nX-Slow: ",
              b"POST /check HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n" + length,
              b"POST /sparql HTTP/1.1\r\nHost: x\r\nContent-Type: application/sparql-query\r\n" + length,
              b"GET /core.html HTTP/1.1\r\nHost: x\r\n\r\n" * 20)  # fmt: skip
    server.ask("/keyword/rebound.html")
    with contextlib.ExitStack() as many:
        slow = [many.enter_context(server.connection()) for _ in range(120)]
        for number, connection in enumerate(slow):
            connection.sendall(starts[number % 4])
        for _ in range(15):
            for number, connection in enumerate(slow):
                if number % 4 < 3:
                    with contextlib.suppress(ConnectionError):
                        connection.sendall(b"x")
            assert server.ask("/keyword/rebound.html")[0] == 200
            assert server.ask("/sparql?query=ASK%7B%7D", "*/*")[0] == 200
    assert server.well


# --- nothing is fetched

SPELLINGS = [
    "SELECT * {{ OPTIONAL {{ SERVICE <{0}> {{ ?s ?p ?o }} }} }}",
    "SELECT * {{ ?s ?p ?o MINUS {{ SERVICE <{0}> {{ ?s ?p ?o }} }} }}",
    "SELECT * {{ {{ ?s ?p ?o }} UNION {{ SERVICE <{0}> {{ ?s ?p ?o }} }} }}",
    "SELECT * {{ GRAPH ?g {{ SERVICE <{0}> {{ ?s ?p ?o }} }} }}",
    "SELECT * {{ FILTER NOT EXISTS {{ SERVICE SILENT <{0}> {{ ?s ?p ?o }} }} }}",
    "SELECT (EXISTS {{ SERVICE <{0}> {{ ?s ?p ?o }} }} AS ?x) {{}}",
    "SELECT ?s {{ ?s ?p ?o }} GROUP BY ?s HAVING (EXISTS {{ SERVICE <{0}> {{ ?s ?p ?o }} }})",
    "SELECT ?s {{ ?s ?p ?o }} ORDER BY EXISTS {{ SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "CONSTRUCT {{ ?s ?p ?o }} WHERE {{ SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "DESCRIBE ?s WHERE {{ SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "ASK{{SERVICE<{0}>{{}}}}",
    "ASK {{ SERVICE # }}\n # SILENT\n SILENT #\r\n <{0}> {{ }} }}",
    "ASK {{ seRVICe\tsilent\r<{0}>\n{{ }} }}",
    "ASK {{ BIND(<{0}> AS ?g) SERVICE ?g {{ ?s ?p ?o }} }}",
    "BASE <{0}> ASK {{ SERVICE <> {{ ?s ?p ?o }} }}",
    "BASE <{0}> PREFIX : <x> ASK {{ SERVICE : {{ ?s ?p ?o }} }}",
    "ASK {{ \\u0053\\u0045\\u0052\\u0056\\u0049\\u0043\\u0045 <{0}> {{ }} }}",
    "ASK {{ SERVICE \\u003C{0}\\u003E {{ }} }}",
    "ASK {{ ?s ?p '\\u0027 }} # ' . SERVICE <{0}> {{ }} }}",
    "ASK {{ ?s ?p \"\\\\\" . SERVICE <{0}> {{ }} }}",
    "ASK {{ ?s ?p '''\\''' ''' . SERVICE <{0}> {{ }} }}",
    "ASK {{ ?s ?p ?o }} \n LOAD <{0}>",
    "LOAD/**/<{0}>", "lOaD SILENT <{0}> INTO GRAPH <urn:x:g>", "PREFIX x: <{0}> LOAD x:y",
    "\\u006c\\u006f\\u0061\\u0064 <{0}>",
    "CREATE GRAPH <{0}>; LOAD <{0}>", "#\nLOAD#\n<{0}>",
    "WITH <{0}> INSERT {{ ?s ?p ?o }} WHERE {{ SERVICE <{0}> {{}} }}",
]  # fmt: skip
AS_DATASET = ["SELECT * FROM <{0}> {{ ?s ?p ?o }}", "ASK FROM NAMED <{0}> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
              "SELECT * {{ GRAPH <{0}> {{ ?s ?p ?o }} }}", "DESCRIBE <{0}>"]  # fmt: skip


@pytest.mark.parametrize("text", [*SPELLINGS, *AS_DATASET])
def test_nothing_is_fetched(server: Server, text: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        there = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        query = text.format(there)
        statuses = {server.ask(f"/sparql?query={quote(query)}", "*/*")[0]}
        statuses.add(server.ask(f"/sparql?query={quote(query)}&default-graph-uri={quote(there)}", "*/*")[0])
        body = f"query={quote(query)}&named-graph-uri={quote(there)}".encode()
        kind = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + str(len(body)).encode()
        statuses.add(server.raw(b"POST /sparql HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: */*\r\n" + kind
                                + b"\r\n\r\n" + body)[0])  # fmt: skip
        assert statuses == ({400} if text in SPELLINGS else {200})
        with pytest.raises(BlockingIOError):
            listening.accept()


def test_it_is_well_after_all_that(server: Server) -> None:
    assert server.well
    assert server.ask("/keyword/rebound.html")[0] == 200
    assert server.ask("/sparql?query=" + quote("SELECT ?k { ?k a rw:Keyword } LIMIT 1"), "text/csv")[0] == 200
