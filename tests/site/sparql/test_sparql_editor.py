"""The editor's page: in both languages, without a script, and with nothing in it that data or a user put there."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pyoxigraph as ox
import pytest
from around import LIMITS, application
from starlette.testclient import TestClient

from rulewright.site.sparql.editor import words
from rulewright.store import Dataset
from rulewright.store.queries import load_queries

PAGE = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
SCRIPT = "<script>alert(1)</script>"
EX = "http://example.org/"


class Read(HTMLParser):
    """Elements with their attributes, and the text of the text area."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.area = ""
        self._in = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._in = tag == "textarea"

    def handle_endtag(self, tag: str) -> None:
        self._in = self._in and tag != "textarea"

    def handle_data(self, data: str) -> None:
        if self._in:
            self.area += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page(client: TestClient, address: str = "", status: int = 200, **parameters: Any) -> tuple[Read, str]:
    response = client.get("/sparql" + address, params=parameters or None, headers=PAGE)
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert {v.strip() for v in response.headers["vary"].split(",")} == {"Accept", "Accept-Language"}
    read = Read(response.text)
    for tag, attributes in read.elements:  # what a Content Security Policy without 'unsafe-inline' would refuse
        assert tag != "style"
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        assert tag != "script" or attributes["src"].startswith("/static/")
        assert not attributes.get("href", "").lower().startswith(("javascript:", "data:"))
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in read.elements:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert name not in attributes or attributes[name] in ids
    return read, response.text


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_offers_every_named_query(client: TestClient, language: str) -> None:
    read, text = page(client, f"?lang={language}")
    assert words(language)["title"] in text
    links = [a["href"] for a in read.all("a")]
    for name, query in load_queries().items():
        assert f"?name={name}&lang={language}" in links
        assert query.title[language] in text.replace("&#39;", "'").replace("&#34;", '"')
    assert {i["name"]: i["value"] for i in read.all("input")}["lang"] == language


def test_both_languages_say_as_much() -> None:
    english, german = words("en"), words("de")
    assert english.keys() == german.keys()
    for name in english:
        assert re.findall(r"\{.*?\}", english[name]) == re.findall(r"\{.*?\}", german[name])


@pytest.mark.parametrize("name", load_queries())
def test_a_named_query_runs_as_it_stands_in_the_editor(client: TestClient, name: str) -> None:
    read, _ = page(client, name=name)
    query = read.area.removeprefix("\n")
    assert query.startswith("# ")
    _, text = page(client, query=query)
    assert words("en")["result"] in text


def test_a_name_that_is_none_is_no_error(client: TestClient) -> None:
    read, _ = page(client, name="../../etc/passwd")
    assert read.area.startswith("SELECT") or read.area.startswith("\nSELECT")


def test_the_form_needs_no_script(client: TestClient) -> None:
    read, _ = page(client)
    form = read.all("form")[0]
    assert (form["action"], form["method"]) == ("sparql", "get")
    assert read.all("textarea")[0]["name"] == "query"
    assert {i["name"] for i in read.all("input")} == {"default-graph-uri", "named-graph-uri"}
    # as a browser sends it, empty fields too
    read, text = page(client, query="ASK {}", **{"default-graph-uri": "", "named-graph-uri": ""})
    assert "Result: Yes" in text
    assert read.area.removeprefix("\n") == "ASK {}"


def test_rows_as_a_table(client: TestClient) -> None:
    query = "SELECT ?k ?n { ?k a rw:Keyword ; skos:prefLabel ?n FILTER (LANG(?n) = 'de') } ORDER BY ?k LIMIT 2"
    read, text = page(client, query=query)
    assert "Result: 2 rows" in text
    assert [th["scope"] for th in read.all("th")] == ["col"] * 2
    links = [a for a in read.all("a") if a["href"].startswith("/keyword/")]
    assert len(links) == 2
    assert links[0]["title"] == "https://w3id.org/rulewright" + links[0]["href"]
    assert [td["lang"] for td in read.all("td") if "lang" in td] == ["de", "de"]


def test_downloads_are_the_same_answer(client: TestClient) -> None:
    for query, kinds in (("SELECT ?k { ?k a rw:Keyword }", 4), ("CONSTRUCT WHERE { ?k a rw:Keyword }", 6)):
        read, _ = page(client, query=query)
        links = [a for a in read.all("a") if "download" in a]
        assert len(links) == kinds
        for link in links:
            response = client.get("/sparql" + link["href"], headers=PAGE)
            assert response.status_code == 200
            assert "html" not in response.headers["content-type"]


def test_a_long_query_is_downloaded_by_a_form(client: TestClient) -> None:
    query = "ASK {} #" + "x" * 5000
    response = client.post("/sparql", data={"query": query}, headers=PAGE)
    read = Read(response.text)
    form = read.all("form")[1]
    assert form["method"] == "post"
    assert [b["value"] for b in read.all("button") if b.get("name") == "format"] == ["json", "xml", "csv", "tsv"]
    assert client.post("/sparql", data={"query": query, "format": "csv"}, headers=PAGE).text == "true"


def test_a_graph_as_turtle(client: TestClient) -> None:
    _, text = page(client, query="CONSTRUCT WHERE { ?k a rw:Keyword } LIMIT 1")
    assert "Result: 1 triple<" in text
    assert "a rw:Keyword ." in text


def test_what_is_cut_is_said(client: TestClient) -> None:
    response = client.get("/sparql", params={"query": "SELECT * { ?s ?p ?o }"}, headers=PAGE)
    assert response.headers["x-sparql-maxrows"] == str(LIMITS.page_rows)
    assert "There is more: the first 500 are shown. The downloads have at most 10\u202f000." in response.text
    assert response.text.count("<tr>") == LIMITS.page_rows + 1


@pytest.mark.parametrize(("query", "message"), [
    ("SELECT ?s WHERE {\n  ?s a foo:bar\n}", "Line 2, column 15: a prefix is not declared"),
    ("SELECT * { SERVICE <http://example.org/> {} }", "Line 1: SERVICE is refused"),
    ("", "Line 1, column 1: the query is not whole"),
])  # fmt: skip
def test_what_did_not_work(client: TestClient, query: str, message: str) -> None:
    read, text = page(client, status=400, query=query)
    assert message in text
    assert read.area.removeprefix("\n") == query
    assert read.all("textarea")[0]["aria-describedby"] == "sparql-problem"


def test_a_page_for_what_is_asked_wrongly_too(client: TestClient) -> None:
    response = client.post("/sparql", content=b"x", headers={**PAGE, "Content-Type": "text/plain"})
    assert response.status_code == 415
    assert "<textarea" in response.text
    assert client.get("/sparql?query=ASK&query=ASK", headers=PAGE).status_code == 400


def test_nothing_from_a_user_is_markup(client: TestClient) -> None:
    evil = f'</textarea>{SCRIPT}"\'><img src=x onerror=alert(1)>'
    for parameters in (
        {"query": evil}, {"query": f"ASK {{}} #{evil}"}, {"name": evil}, {"lang": evil, "name": "sources"},
        {"query": "ASK {}", "default-graph-uri": evil}, {"query": "ASK {}", "named-graph-uri": evil},
        {"query": "SELECT ?x { }", "format": evil},
    ):  # fmt: skip
        response = client.get("/sparql", params={"format": "html", **parameters}, headers=PAGE)
        body = response.text.partition("<main>")[2]
        assert SCRIPT not in body
        assert "<img" not in body


def test_nothing_from_data_is_markup() -> None:
    dataset = Dataset.open()
    subject = ox.NamedNode(EX + "a'b\"c&d".replace('"', "%22"))
    terms = [
        ox.Literal(SCRIPT), ox.Literal("x", language="en"), ox.NamedNode("javascript:alert(1)"),
        ox.NamedNode("data:text/html,alert(1)"), ox.Literal("1", datatype=ox.NamedNode(EX + "'&onload=")),
    ]  # fmt: skip
    dataset.add_graph(EX + "g", [ox.Triple(subject, ox.NamedNode(EX + "p"), term) for term in terms])
    with TestClient(application(dataset)) as client:
        read, text = page(client, query=f"SELECT * {{ ?s ?p ?o }} #{SCRIPT}")
        assert SCRIPT not in text
        assert "&lt;script&gt;" in text
        assert {a["href"] for a in read.all("a") if "title" in a and a["href"].startswith("http")} == {
            subject.value, EX + "p",
        }  # fmt: skip
        _, text = page(client, query="CONSTRUCT WHERE { ?s ?p ?o }")
        assert SCRIPT not in text
        _, text = page(client, query=f'SELECT ("{SCRIPT}" AS ?x) (TRIPLE(<a:b>, <a:b>, "{SCRIPT}") AS ?t) {{}}')
        assert SCRIPT not in text
