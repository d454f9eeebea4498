"""Content negotiation as a table: each kind of thing × format × how it is asked for (RFC 9110 §12 and §13)."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from starlette.testclient import TestClient

from rulewright import ingest
from rulewright.site.app import application
from rulewright.site.context import Site
from rulewright.site.negotiation import DATA, DOCUMENTS, Format
from rulewright.site.sparql.formats import RDF
from rulewright.vocabulary import BASE, CORE

EXAMPLES = Path(__file__).parents[3] / "data" / "examples"
KINDS = {
    "keyword": "keyword/rebound",
    "ruling": "ruling/RB-8",
    "rule": "rule/rebound-a",
    "rule of an edition": "edition/2010-04-23/702.85a",
    "edition": "edition/2010-04-23",
    "card": "card/7ebde396-6672-491a-a6ce-1de49b12379b",
    "principle": "principle/zones-agree",
    "order": "principle/triggers-on-triggers-until-2021",
    "condition": "condition/copy-of-a-spell",
    "scenario": "scenario/rebound/buyback-chosen-over-rebound",
    "term": "term/aftermath",
    "terms": "terms",
    "core vocabulary": "core",
    "game vocabulary": "game",
    "axiom vocabulary": "axiom",
    "packaged source": "source/000",
    "software": "software/0.1.0",
}
"""Of those that a user ingests, see `ingested`."""
INGESTED = ("Text", "Publication", "Source", "Face")
FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@dataclass(frozen=True)
class Header:
    """`Accept`, and the suffix of the document that a thing then leads to; none: 406."""

    accept: str | None
    suffix: str | None


HEADERS = {
    "none": Header(None, "html"),
    "empty": Header("", "html"),
    "anything": Header("*/*", "html"),
    "a browser": Header(FIREFOX, "html"),
    "XHTML": Header("application/xhtml+xml", "html"),
    "any text": Header("text/*", "html"),
    "any application": Header("application/*", "trig"),
    "Turtle": Header("text/turtle", "ttl"),
    "Turtle, loud": Header("TEXT/TURTLE", "ttl"),
    "old Turtle": Header("application/x-turtle", "ttl"),
    "with a charset": Header("text/turtle;charset=utf-8", "ttl"),
    "TriG": Header("application/trig", "trig"),
    "N-Triples": Header("application/n-triples", "nt"),
    "N-Quads": Header("application/n-quads", "nq"),
    "JSON-LD": Header("application/ld+json", "jsonld"),
    "JSON": Header("application/json", "jsonld"),
    "a profile": Header('application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded"', "jsonld"),
    "RDF/XML": Header("application/rdf+xml", "rdf"),
    "the better": Header("text/html;q=0.5, text/turtle", "ttl"),
    "the better, last": Header("text/turtle;q=0.2, text/html;q=0.3, application/n-quads;q=0.9", "nq"),
    "a page not": Header("text/html;q=0, */*;q=0.5", "ttl"),
    "narrow over wide": Header("text/*;q=0.9, text/html;q=0.1, application/n-triples;q=0.5", "ttl"),
    "a client of linked data": Header("text/turtle, application/rdf+xml;q=0.9, */*;q=0.1", "ttl"),
    "unknown, but anything": Header("application/x-nonsense, */*;q=0.01", "html"),
    "malformed": Header(";;q=,text,/,*/turtle", "html"),
    "malformed, and one that is not": Header("te xt/html;q=x, text/turtle;q=0.1, ;", "ttl"),
    "a quality that is none": Header("text/html;q=high, application/ld+json;q=0.1", "jsonld"),
    "a list without an end": Header("text/turtle," * 5000, "ttl"),
    "an image": Header("image/png", None),
    "nothing that is there": Header("text/csv, application/pdf;q=0.5", None),
    "Turtle not": Header("text/turtle;q=0", None),
    "nothing at all": Header("*/*;q=0", None),
}


@pytest.fixture(scope="module")
def reader() -> TestClient:
    """What the package carries, and what a user has ingested."""
    site = Site(ingest(EXAMPLES).dataset, "http://testserver/")
    return TestClient(application(site), follow_redirects=False)


@pytest.fixture(scope="module")
def paths(reader: TestClient) -> dict[str, str]:
    dataset = ingest(EXAMPLES).dataset
    found = dict(KINDS)
    for kind in INGESTED:
        rows = dataset.query(f"SELECT ?x WHERE {{ ?x a <{CORE}{kind}> }} ORDER BY ?x LIMIT 1")
        found[kind] = next(iter(rows))["x"].value.removeprefix(BASE)  # type: ignore[union-attr]
    return found


def get(reader: TestClient, path: str, accept: str | None = None, method: str = "GET", **headers: str) -> Any:
    request = reader.build_request(method, path, headers=headers)
    del request.headers["Accept"]
    if accept is not None:
        request.headers["Accept"] = accept
    return reader.send(request)


def varies(response: Any) -> set[str]:
    return {name.strip() for name in response.headers.get("vary", "").split(",")} - {""}


@pytest.mark.parametrize("name", HEADERS)
@pytest.mark.parametrize("kind", [*KINDS, *INGESTED])
def test_where_a_thing_leads(reader: TestClient, paths: dict[str, str], kind: str, name: str) -> None:
    header, path = HEADERS[name], paths[kind]
    response = get(reader, f"/{path}", header.accept)
    assert varies(response) == {"Accept"}
    assert response.headers["access-control-allow-origin"] == "*"
    if header.suffix is None:
        assert response.status_code == 406
        return
    assert response.status_code == 303
    assert response.headers["location"] == f"/{path}.{header.suffix}"
    links = response.headers["link"]
    for form in DOCUMENTS:
        assert f'</{path}.{form.suffix}>; rel="alternate"; type="{form.media_type}"' in links


@pytest.mark.parametrize("form", DOCUMENTS, ids=lambda form: form.suffix)
@pytest.mark.parametrize("kind", [*KINDS, *INGESTED])
def test_a_document(reader: TestClient, paths: dict[str, str], kind: str, form: Format) -> None:
    """By its suffix it is what it is, whatever the header says; and it is asked for again only if it has changed."""
    path = f"/{paths[kind]}.{form.suffix}"
    first = reader.get(path)
    assert first.status_code == 200
    assert first.headers["content-type"].partition(";")[0] == form.media_type
    charset = "; charset=utf-8" if form.media_type.startswith("text/") else ""
    assert first.headers["content-type"] == form.media_type + charset
    assert varies(first) == ({"Accept-Language"} if form.suffix == "html" else set())
    assert ("content-language" in first.headers) == (form.suffix == "html")
    links = first.headers["link"]
    assert f'<{BASE}{paths[kind]}>; rel="describes"' in links
    assert '>; rel="type"' in links
    assert int(first.headers["content-length"]) == len(first.content)
    assert parsedate_to_datetime(first.headers["last-modified"]).tzinfo is not None
    tag, modified = first.headers["etag"], first.headers["last-modified"]
    for accept in ("image/png", "text/html", "text/turtle;q=0", "nonsense"):
        assert get(reader, path, accept).content == first.content
    head = get(reader, path, None, "HEAD")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("etag", "last-modified", "content-type", "content-length", "link"):
        assert head.headers[name] == first.headers[name]
    for known in ({"If-None-Match": tag}, {"If-None-Match": f"W/{tag}"}, {"If-None-Match": f'"a", {tag}'},
                  {"If-None-Match": "*"}, {"If-Modified-Since": modified},
                  {"If-None-Match": tag, "If-Modified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"}):  # fmt: skip
        again = reader.get(path, headers=known)
        assert (again.status_code, again.content) == (304, b""), known
        assert (again.headers["etag"], varies(again)) == (tag, varies(first))
        assert "content-length" not in again.headers
    for unknown in ({"If-None-Match": '"a"'}, {"If-None-Match": ""}, {"If-None-Match": f'"{tag}'},
                    {"If-Modified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"}, {"If-Modified-Since": "yesterday"},
                    {"If-None-Match": '"a"', "If-Modified-Since": modified}):  # fmt: skip
        assert reader.get(path, headers=unknown).status_code == 200, unknown


def facts(content: bytes, form: Format) -> set[tuple[str, ...]]:
    """The triples, without the names of blank nodes."""
    found = set()
    for quad in ox.parse(content, format=RDF[form.suffix]):
        terms = (quad.subject, quad.predicate, quad.object)
        found.add(tuple("_:" if isinstance(t, ox.BlankNode) else str(t) for t in terms))
    return found


@pytest.mark.parametrize("kind", [*KINDS, *INGESTED])
def test_the_same_triples_in_every_format(reader: TestClient, paths: dict[str, str], kind: str) -> None:
    by_form = {form.name: facts(reader.get(f"/{paths[kind]}.{form.suffix}").content, form) for form in DATA}
    first = next(iter(by_form.values()))
    assert any(subject == f"<{BASE}{paths[kind]}>" for subject, *_ in first)
    for name, found in by_form.items():
        assert found == first, name


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", [*KINDS, *INGESTED])
def test_a_page_by_language(reader: TestClient, paths: dict[str, str], kind: str, language: str) -> None:
    path, other = f"/{paths[kind]}.html", "de" if language == "en" else "en"
    by_header = reader.get(path, headers={"Accept-Language": f"{language}-CH, {other};q=0.5"})
    by_address = reader.get(f"{path}?lang={language}", headers={"Accept-Language": other})
    for answer in (by_header, by_address):
        assert answer.headers["content-language"] == language
        assert f'<html lang="{language}">' in answer.text
    for unknown in ("fr", "*", "%%", "de_", "x" * 5000):
        assert reader.get(path, headers={"Accept-Language": unknown}).headers["content-language"] == "en"
    strange = reader.get(f"{path}?lang=fr", headers={"Accept-Language": language})
    assert strange.headers["content-language"] == language
    assert by_header.headers["etag"] != reader.get(path, headers={"Accept-Language": other}).headers["etag"]
    lead = reader.get(f"/{paths[kind]}?lang={language}", headers={"Accept": "text/html"})
    assert lead.headers["location"] == f"{path}?lang={language}"


@pytest.mark.parametrize(("accept", "media_type"), [
    (None, "text/turtle"), ("*/*", "text/turtle"), (FIREFOX, "text/html"), ("nonsense", "text/turtle"),
    ("application/ld+json", "application/ld+json"), ("application/n-triples", "application/n-triples"),
    ("application/rdf+xml;q=0.2, text/html;q=0.1", "application/rdf+xml"), ("image/png", None),
])  # fmt: skip
def test_the_description_of_the_dataset(reader: TestClient, accept: str | None, media_type: str | None) -> None:
    response = get(reader, "/.well-known/void", accept)
    assert "Accept" in varies(response)
    assert response.headers["access-control-allow-origin"] == "*"
    if media_type is None:
        assert response.status_code == 406
        return
    assert response.status_code == 200
    assert response.headers["content-type"].partition(";")[0] == media_type


@pytest.mark.parametrize("path", ["keyword/nobody", "ruling/XX-99", "rule/no-such", "card/0", "edition/1066-10-14"])
@pytest.mark.parametrize("suffix", ["", *(f".{form.suffix}" for form in DOCUMENTS), ".docx", "."])
def test_what_is_not_there(reader: TestClient, path: str, suffix: str) -> None:
    for accept, kind in ((FIREFOX, "text/html"), ("text/turtle", "text/plain"), ("image/png", "text/plain")):
        response = get(reader, f"/{path}{suffix}", accept)
        assert response.status_code == 404
        assert response.headers["content-type"].partition(";")[0] == kind
        assert "Accept" in varies(response)
        assert response.headers["access-control-allow-origin"] == "*"


def test_a_suffix_is_no_thing(reader: TestClient) -> None:
    assert reader.get("/keyword/rebound.html.ttl").status_code == 404
    assert reader.get("/keyword/rebound.TTL").status_code == 404
    assert reader.get("/.ttl").status_code == 404
    assert reader.get("/keyword/.html").status_code == 404
