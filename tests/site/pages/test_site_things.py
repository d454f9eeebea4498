"""Addresses: 303 to a document, by header and suffix; the same triples in every format; lookups; caches; errors."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from starlette.testclient import TestClient

from rulewright.site.app import application
from rulewright.site.context import Site
from rulewright.site.negotiation import DATA, DOCUMENTS, SUFFIXES
from rulewright.site.safety import HEADERS
from rulewright.site.sparql.formats import RDF
from rulewright.store import Dataset
from rulewright.vocabulary import BASE, CORE

THINGS = [
    "keyword/rebound",
    "ruling/RB-8",
    "rule/rebound-a",
    "card/7ebde396-6672-491a-a6ce-1de49b12379b",
    "term/aftermath",
    "principle/zones-agree",
    "scenario/rebound/buyback-chosen-over-rebound",
    "edition/2010-04-23",
    "edition/2010-04-23/702.85a",
    "core",
    "game",
    "axiom",
    "terms",
    "source/000",
]


def triples(content: bytes, suffix: str) -> set[tuple[str, ...]]:
    """Without names of blank nodes."""
    found = set()
    for quad in ox.parse(content, format=RDF[suffix]):
        terms = (quad.subject, quad.predicate, quad.object)
        found.add(tuple("_:" if isinstance(t, ox.BlankNode) else str(t) for t in terms))
    return found


@pytest.mark.parametrize("path", THINGS)
def test_a_thing_leads_to_each_of_its_documents(visitor: TestClient, path: str) -> None:
    for form in DOCUMENTS:
        answer = visitor.get(f"/{path}", headers={"Accept": form.media_type})
        assert answer.status_code == 303
        assert answer.headers["location"] == f"/{path}.{form.suffix}"
        assert "Accept" in answer.headers["vary"]
        assert answer.headers["access-control-allow-origin"] == "*"
        document = visitor.get(answer.headers["location"])
        assert document.status_code == 200
        assert document.headers["content-type"].partition(";")[0] == form.media_type
        link = document.headers["link"]
        assert f'<{BASE}{path}>; rel="describes"' in link
        assert 'rel="type"' in link
        assert all(f'<{f"/{path}"}.{f.suffix}>; rel="alternate"; type="{f.media_type}"' in link for f in DOCUMENTS)


@pytest.mark.parametrize("path", THINGS)
def test_the_same_triples_in_every_format(visitor: TestClient, path: str) -> None:
    first = triples(visitor.get(f"/{path}.nt").content, "nt")
    assert any(subject == f"<{BASE}{path}>" for subject, *_ in first)
    for form in DATA:
        assert triples(visitor.get(f"/{path}.{form.suffix}").content, form.suffix) == first, form.name


def test_a_document_says_its_hashes_and_what_points_at_it(visitor: TestClient) -> None:
    told = triples(visitor.get("/keyword/rebound.nt").content, "nt")
    keyword, core = f"<{BASE}keyword/rebound>", f"<{BASE}core#"
    assert any(s == f"<{BASE}keyword/rebound#exile>" for s, *_ in told)
    assert (f"<{BASE}ruling/RB-8>", f"{core}about>", keyword) in told
    assert any(s == "_:" for s, *_ in told), "the conditions of its axioms"


def test_graphs_are_named_where_the_format_can(visitor: TestClient) -> None:
    content = visitor.get("/keyword/rebound.nq").content
    graphs = {str(quad.graph_name) for quad in ox.parse(content, format=ox.RdfFormat.N_QUADS)}
    assert f"<{BASE}graph/keywords/rebound>" in graphs


@pytest.mark.parametrize(
    ("accept", "suffix"),
    [
        (None, "html"),
        ("*/*", "html"),
        ("text/turtle", "ttl"),
        ("text/html;q=0.5, text/turtle", "ttl"),
        ("text/turtle;q=0.3, application/ld+json;q=0.8, */*;q=0.1", "jsonld"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"),
        ("application/rdf+xml", "rdf"),
        ("nonsense;;;,,", "html"),
        ("application/n-quads, text/html;q=0", "nq"),
    ],
)
def test_accept(visitor: TestClient, accept: str | None, suffix: str) -> None:
    headers = {} if accept is None else {"Accept": accept}
    if accept is None:
        visitor.headers.pop("accept", None)
    answer = visitor.get("/ruling/RB-1", headers=headers)
    assert answer.headers["location"].endswith(f".{suffix}")


def test_nothing_that_will_do(visitor: TestClient) -> None:
    answer = visitor.get("/ruling/RB-1", headers={"Accept": "image/png"})
    assert answer.status_code == 406
    assert "Accept" in answer.headers["vary"]


@pytest.mark.parametrize(
    ("path", "to"),
    [
        ("/rule/702.88a", "/rule/rebound-a"),
        ("/rule/702.85a?date=2010-05-01", "/rule/rebound-a"),
        ("/rule/702.85a", "/rule/cascade-a"),
        ("/keyword/Abprall", "/keyword/rebound"),
        ("/keyword/REBOUND", "/keyword/rebound"),
        ("/ruling/rb-8", "/ruling/RB-8"),
        ("/card/Abbrechen", "/card/7d00fb28-ea6c-49a9-b4af-ffb38860a9a7"),
        ("/keyword/Abprall?lang=de", "/keyword/rebound?lang=de"),
    ],
)
def test_lookups(visitor: TestClient, path: str, to: str) -> None:
    answer = visitor.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, to)


@pytest.mark.parametrize(
    "path",
    [
        "/rule/702.85a?date=1999-01-01",
        "/rule/702.88a?date=nonsense",
        "/rule/999.99z",
        "/keyword/",
        "/keyword/no-such-thing",
        "/keyword/rebound.html.ttl",
        "/keyword/rebound.txt",
        "/card/%22%20%7D%20DROP",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/scenario/../keyword/rebound",
        "/scenario/%2e%2e/cards",
        "/keyword/re%00bound",
        "/keyword/re%0abound",
        "/keyword/%3Cscript%3E",
        "/card/" + "x" * 5000,
        "/sitemap-0.xml",
        "/sitemap-99.xml",
        "/keyword/?page=0",
        "/keyword/?page=9999999999",
        "/keyword/?page=²",
        "/nonsense/",
    ],
)
def test_what_is_not_there(visitor: TestClient, path: str) -> None:
    answer = visitor.get(path, headers={"Accept": "text/html"})
    if path == "/keyword/":
        assert answer.status_code == 200
        return
    assert answer.status_code in (404, 303)
    if answer.status_code == 303:  # a client takes `..` out of a path before it asks
        assert answer.headers["location"] == "/keyword/rebound.html"
        return
    assert "Traceback" not in answer.text
    assert "<script>" not in answer.text.lower()
    assert "<main" in answer.text


def test_headers_are_everywhere(visitor: TestClient) -> None:
    for path in ("/", "/keyword/rebound", "/keyword/rebound.html", "/keyword/rebound.ttl", "/nope", "/static/site.css",
                 "/health", "/check"):  # fmt: skip
        answer = visitor.get(path)
        assert {name: answer.headers.get(name.lower()) for name in HEADERS} == HEADERS, path


@pytest.mark.parametrize("path", ["/keyword/rebound.html", "/keyword/rebound.ttl", "/", "/sitemap.xml"])
def test_conditional_requests(visitor: TestClient, path: str) -> None:
    first = visitor.get(path)
    tag, modified = first.headers["etag"], first.headers["last-modified"]
    for headers in ({"If-None-Match": tag}, {"If-None-Match": f'"x", W/{tag}'}, {"If-None-Match": "*"},
                    {"If-Modified-Since": modified}):  # fmt: skip
        again = visitor.get(path, headers=headers)
        assert (again.status_code, again.content) == (304, b""), headers
        assert again.headers["etag"] == tag
        assert again.headers.get("vary") == first.headers.get("vary")
    long_ago = "Mon, 01 Jan 2001 00:00:00 GMT"
    for headers in ({"If-None-Match": '"x"'}, {"If-Modified-Since": long_ago}, {"If-Modified-Since": "nonsense"},
                    {"If-None-Match": '"x"', "If-Modified-Since": modified}):  # fmt: skip
        assert visitor.get(path, headers=headers).status_code == 200, headers


@pytest.fixture(scope="module")
def given_up() -> TestClient:
    """A site on data in which some identifiers mean nothing any more."""
    dataset = Dataset.open()
    dataset.add_graph(f"{BASE}graph/x", ox.parse(f"""
        @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix dcterms: <http://purl.org/dc/terms/> .
        @prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix rw: <{CORE}> . @base <{BASE}> .
        <ruling/XX-1> owl:deprecated true ; dcterms:isReplacedBy <ruling/XX-2> .
        <ruling/XX-2> a rw:Statement ; rw:statement "It stays."@en ; owl:deprecated false .
        <ruling/XX-3> owl:deprecated true .
        <ruling/XX-4> owl:deprecated true ; dcterms:isReplacedBy <ruling/XX-2>, <ruling/XX-1> .
        <ruling/XX-5> owl:deprecated 1 ; dcterms:isReplacedBy <urn:x:elsewhere> .
        <keyword/old> owl:deprecated true ; dcterms:isReplacedBy <https://example.org/new?x=1> .
        <keyword/now> a rw:Keyword ; skos:prefLabel "now"@en ; dcterms:isReplacedBy <keyword/old> .
    """.encode(), ox.RdfFormat.TURTLE))  # fmt: skip
    return TestClient(application(Site(dataset, "http://testserver/")), follow_redirects=False)


@pytest.mark.parametrize(
    ("path", "status", "to"),
    [
        ("ruling/XX-1", 301, "/ruling/XX-2"),
        ("ruling/XX-1?lang=de", 301, "/ruling/XX-2?lang=de"),
        ("ruling/XX-1.html", 301, "/ruling/XX-2.html"),
        ("ruling/XX-1.html?lang=de", 301, "/ruling/XX-2.html?lang=de"),
        ("ruling/XX-1.ttl", 301, "/ruling/XX-2.ttl"),
        ("ruling/xx-1", 303, "/ruling/XX-1"),
        ("ruling/XX-2", 303, "/ruling/XX-2.html"),
        ("ruling/XX-2.ttl", 200, None),
        ("ruling/XX-3", 410, None),
        ("ruling/XX-3.html", 410, None),
        ("ruling/XX-3.nq", 410, None),
        ("ruling/XX-4", 410, None),
        ("ruling/XX-5", 410, None),
        ("keyword/old", 301, "https://example.org/new?x=1"),
        ("keyword/old.ttl", 301, "https://example.org/new?x=1"),
        ("keyword/now", 303, "/keyword/now.html"),
        ("ruling/XX-9", 404, None),
    ],
)
def test_what_was_given_up(given_up: TestClient, path: str, status: int, to: str | None) -> None:
    answer = given_up.get(f"/{path}", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers.get("location")) == (status, to)
    if status in (301, 410):
        assert answer.headers["access-control-allow-origin"] == "*"
    if status == 410:
        assert "given up" in answer.text
        assert "aufgegeben" in given_up.get(f"/{path}?lang=de", headers={"Accept": "text/html"}).text


def test_head_and_other_methods(visitor: TestClient) -> None:
    answer = visitor.head("/keyword/rebound.ttl")
    assert answer.status_code == 200
    assert visitor.head("/keyword/rebound").status_code == 303
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert visitor.request(method, "/keyword/rebound").status_code == 405
    preflight = visitor.options("/keyword/rebound", headers={"Origin": "http://elsewhere.example"})
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert "POST" not in preflight.headers["access-control-allow-methods"]


def test_suffixes_do_not_hide_numbers(visitor: TestClient) -> None:
    assert visitor.get("/edition/2010-04-23/702.85a").status_code == 303
    for suffix in SUFFIXES:
        assert visitor.get(f"/edition/2010-04-23/702.85a.{suffix}").status_code == 200


def test_health_and_readiness(visitor: TestClient, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    assert visitor.get("/health").text == "ok\n"
    assert visitor.get("/ready").text == "ready\n"

    def broken(*_: object, **__: object) -> None:
        raise OSError("/secret/place")

    monkeypatch.setattr(site.dataset, "query", broken)
    answer = visitor.get("/ready")
    assert answer.status_code == 503
    assert "secret" not in answer.text
    answer = visitor.get("/ruling/RB-2.html", headers={"Accept": "text/html"})
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


def test_description_and_lists(visitor: TestClient) -> None:
    answer = visitor.get("/.well-known/void", headers={"Accept": "application/n-triples"})
    told = triples(answer.content, "nt")
    endpoint = ("<http://rdfs.org/ns/void#sparqlEndpoint>", "<http://testserver/sparql>")
    assert any((p, o) == endpoint for _, p, o in told)
    assert "http://testserver/sitemap-1.xml" in visitor.get("/sitemap.xml").text
    pages = visitor.get("/sitemap-1.xml").text
    assert "<loc>http://testserver/keyword/rebound.html</loc>" in pages
    assert "Sitemap: http://testserver/sitemap.xml" in visitor.get("/robots.txt").text
