"""Pages: what they say, in both languages, and that nothing of data or users is ever markup."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from urllib.parse import quote

import pyoxigraph as ox
import pytest
from starlette.testclient import TestClient

from rulewright.site import judging
from rulewright.site.app import application
from rulewright.site.context import LANGUAGES, Site, words
from rulewright.site.pages.home import LISTS
from rulewright.store import Dataset
from rulewright.store.dataset import PREFIXES
from rulewright.vocabulary import BASE, CORE, packaged

PAGES = [
    "/",
    "/keyword/rebound.html",
    "/ruling/RB-8.html",
    "/rule/rebound-a.html",
    "/card/7ebde396-6672-491a-a6ce-1de49b12379b.html",
    "/term/aftermath.html",
    "/principle/zones-agree.html",
    "/scenario/rebound/buyback-chosen-over-rebound.html",
    "/edition/2010-04-23.html",
    "/core.html",
    "/game.html",
    "/search?q=Abprall",
    "/search?q=qqqq+zzzz",
    "/check",
    "/sparql",
    "/nope",
    *(f"/{kind}/" for kind in LISTS),
]
EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


class Outline(HTMLParser):
    """What a reader's machine sees of a page: its tags, ids, headings, links, labels."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "action"):
                self.links.append(value or "")

    @property
    def headings(self) -> list[int]:
        return [int(tag[1]) for tag in self.tags if re.fullmatch("h[1-6]", tag)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_well_made(visitor: TestClient, path: str, language: str) -> None:
    answer = visitor.get(path, headers={"Accept": "text/html", "Accept-Language": language})
    assert answer.status_code == (404 if path == "/nope" else 200)
    assert answer.headers["content-language"] == language
    assert "Accept-Language" in answer.headers["vary"]
    page = Outline(answer.text)
    assert ("html", "lang", language) in page.attributes
    for tag in ("main", "header", "footer", "nav", "h1", "title"):
        assert tag in page.tags, tag
    assert page.tags.count("main") == page.tags.count("h1") == 1
    assert page.headings[0] == 1
    assert all(b <= a + 1 for a, b in zip(page.headings, page.headings[1:], strict=False)), page.headings
    assert len(page.ids) == len(set(page.ids)), "ids are unique"
    assert "#content" in page.links
    assert "style" not in page.tags
    assert all(name != "style" and not name.startswith("on") for _, name, _ in page.attributes), "nothing inline"
    assert all(value for tag, name, value in page.attributes if tag == "script" and name == "src")
    run = sum(tag == "script" and name == "src" for tag, name, _ in page.attributes)
    assert page.tags.count("script") == run + page.attributes.count(("script", "type", "application/ld+json"))
    if path not in ("/core.html", "/game.html", "/ruling/"):  # mana symbols
        start = re.split("<textarea|game-scenario", answer.text)[0]
        assert not re.search(r"\{[0-9a-z]*\}|None<", start)


@pytest.mark.parametrize("path", PAGES)
def test_links_lead_somewhere(visitor: TestClient, path: str) -> None:
    page = Outline(visitor.get(path, headers={"Accept": "text/html"}).text)
    for link in sorted({link.partition("#")[0] for link in page.links if link.startswith("/")})[:80]:
        answer = visitor.get(link, headers={"Accept": "text/html"})
        if path == "/nope" and link.startswith("/nope"):
            continue
        assert answer.status_code in (200, 303), link
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids, link


def test_the_language_of_the_address_is_kept(visitor: TestClient) -> None:
    page = Outline(visitor.get("/keyword/rebound.html?lang=de", headers={"Accept-Language": "en"}).text)
    inside = [link for link in page.links if link.startswith("/") and "/static/" not in link]
    assert inside
    without = [link for link in inside if "lang=" not in link and not re.search(r"\.\w+$", link) and link != "/search"]
    assert not without
    other = Outline(visitor.get("/keyword/rebound.html", headers={"Accept-Language": "de"}).text)
    assert not any("lang=" in link for tag, name, link in other.attributes
                   if name == "href" and "?lang=" in link and not link.startswith("/keyword/rebound.html"))  # fmt: skip


@pytest.mark.parametrize(
    ("path", "language", "told"),
    [
        ("/keyword/rebound.html", "en", ["the spell is a copy", "RB-8", "CR 702.88a", "Abprall", 'id="exile"']),
        ("/keyword/rebound.html", "de", ["der Zauberspruch ist eine Kopie", "Was es bedeutet", "Regelerläuterungen"]),
        ("/keyword/aftermath.html", "de", ["Nachwirkung", "vermeiden", "stattdessen: Nachhall"]),
        ("/ruling/RB-8.html", "en", ["does not rebound again", "prallt sie nicht ab", "CR 608.2b", "main rule", "✗"]),
        ("/rule/rebound-a.html", "en", ["702.85a", "2010-04-23", "RB-a", "renumbered"]),
        ("/card/7ebde396-6672-491a-a6ce-1de49b12379b.html", "de", ["Auserkoren", "Führen", "scryfall.com"]),
        ("/term/aftermath.html", "en", ["Nachhall", "avoid"]),
        ("/scenario/rebound/buyback-chosen-over-rebound.html", "en", ["<svg", "as expected", "Capsize"]),
        ("/core.html", "de", ["Regelerläuterung", "Klassen"]),
        ("/edition/2010-04-23.html", "de", ["vom 2010-04-23", "/edition/2010-02-01", ">2010-07-16</a>", ">702.85a<"]),
        ("/publication/001-07.html", "de", [">veröffentlicht</a>", "2017-07-14", "in Quelle"]),
        ("/condition/any-time.html", "en", ["card types of the spell · Instant"]),
        ("/rule/", "en", ["<dt>Rebound</dt>", ">702.88a</a>", "<dt>Casting Spells</dt>"]),
        ("/scenario/", "de", ['<h2 id="aftermath" lang="en">aftermath</h2>', ">both halves cast without fuse</a>"]),
        ("/nope/rebuond_x.html", "de", ["/search?q=rebuond+x", "Nach „rebuond x“ suchen"]),
        ("/", "de", ["Abprall", "840"]),
    ],
)  # fmt: skip
def test_what_pages_say(visitor: TestClient, path: str, language: str, told: list[str]) -> None:
    text = visitor.get(path, headers={"Accept": "text/html", "Accept-Language": language}).text
    for words_of_it in told:
        if words_of_it == "840":
            scenarios = len(list(packaged("data", "scenarios").rglob("*.json")))
            digits = f"{scenarios:,}".replace(",", "\u202f")
            assert f">{digits}<" in text
        else:
            assert words_of_it in text, words_of_it


def test_the_first_page_lists_the_keywords_that_have_axioms(visitor: TestClient) -> None:
    listed = visitor.get("/").text.partition('id="keywords"')[2].partition("</section>")[0]
    assert '"/keyword/rebound"' in listed
    assert '"/keyword/flying"' not in listed
    assert '"/keyword/flying"' in visitor.get("/keyword/").text


def test_rulings_newest_first(visitor: TestClient) -> None:
    days = re.findall(r'<time datetime="([\d-]+)"', visitor.get("/keyword/suspend.html").text)
    assert days == sorted(days, reverse=True)


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "Dataset"), ("/keyword/rebound.html", "DefinedTerm"), ("/term/aftermath.html", "DefinedTerm"),
     ("/ruling/RB-8.html", "CreativeWork"), ("/rule/rebound-a.html", "CreativeWork")],
)  # fmt: skip
def test_schema_org(visitor: TestClient, path: str, kind: str) -> None:
    found = re.findall(r'<script type="application/ld\+json">(.*?)</script>', visitor.get(path).text)
    said = json.loads(found[0])
    assert (said["@context"], said["@type"]) == ("https://schema.org/", kind)
    assert said["@id"].startswith(BASE)
    assert said["url"].startswith("http://testserver/")


def test_words_are_the_same_in_both_languages() -> None:
    english, german = words("en"), words("de")
    assert english.keys() == german.keys()
    for name, text in english.items():
        assert re.findall(r"\{\d\}", text).sort() == re.findall(r"\{\d\}", german[name]).sort(), name


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [
        ("Abprall", "de", "/keyword/rebound"),
        ("rebound", "en", "/keyword/rebound"),
        ("Rükblende", "de", "/keyword/flashback"),
        ("702.88a", "en", "/rule/rebound-a"),
        ("RB-8", "en", "/ruling/RB-8"),
        ("Glitzernde Gischt", "de", "/card/fe371e3a-976f-41d8-ad58-4b3b61415d71"),
    ],
)
def test_search(visitor: TestClient, text: str, language: str, first: str) -> None:
    answer = visitor.get("/search", params={"q": text}, headers={"Accept-Language": language})
    hits = re.findall(r'<li><span class="of">.*?<a href="([^"]+)"', answer.text, re.DOTALL)
    assert hits[0] == first
    suggested = visitor.get("/suggest", params={"q": text}, headers={"Accept-Language": language}).json()
    assert suggested[0]["href"] == first


def test_search_by_kind_and_of_nothing(visitor: TestClient) -> None:
    only = visitor.get("/search?q=rebound&kind=rule&kind=nonsense").text
    assert "/rule/rebound-a" in only
    assert 'class="of">keyword' not in only
    assert visitor.get("/search").status_code == 200
    assert visitor.get("/suggest?q=").json() == []
    assert visitor.get("/search", params={"q": "x" * 10_000}).status_code == 200


@pytest.mark.parametrize("path", ["/search", "/suggest", "/check", "/nope", "/keyword/rebound.html", "/"])
def test_nothing_that_a_user_sends_is_markup(visitor: TestClient, path: str) -> None:
    assert "<img" not in visitor.get(f"/keyword/{quote(EVIL, safe='')}", headers={"Accept": "text/html"}).text
    for name in ("q", "kind", "lang", "page", "date", EVIL):
        answer = visitor.get(path, params={name: EVIL}, headers={"Accept": "text/html", "Accept-Language": EVIL})
        if answer.headers["content-type"].startswith("text/html"):
            assert "<script>" not in answer.text
            assert "<img" not in answer.text


def test_nothing_in_data_is_markup() -> None:
    """Each text that the graph says, on each kind of page."""
    store = Dataset.open()
    store.load_packaged()
    evil = {tag: ox.Literal(EVIL, language=tag) for tag in LANGUAGES}
    things = {
        "keyword/evil": "Keyword", "ruling/EV-1": "Statement", "rule/evil": "Rule", "card/evil": "Card",
        "edition/evil": "Edition", "text/evil": "Text", "publication/evil": "Publication", "source/evil": "Source",
    }  # fmt: skip
    ours = ("statement", "wording", "number", "rulesText", "typeLine", "manaCost", "heading", "effective", "mintedAs",
            "digest", "sequence")  # fmt: skip
    theirs = ("skos:prefLabel", "skos:note", "dcterms:issued", "dcterms:title", "rdfs:label", "rdfs:comment")
    texts = [CORE + name for name in ours]
    texts += [PREFIXES[prefix] + name for prefix, _, name in (term.partition(":") for term in theirs)]
    found = []
    for path, kind in things.items():
        node = ox.NamedNode(BASE + path)
        found.append(ox.Triple(node, ox.NamedNode(PREFIXES["rdf"] + "type"), ox.NamedNode(CORE + kind)))
        for text in evil.values():
            found += [ox.Triple(node, ox.NamedNode(predicate), text) for predicate in texts]
        others = [ox.NamedNode(BASE + other) for other in things] + [ox.NamedNode("javascript:alert(1)")]
        for predicate in ("about", "restsOn", "expresses", "publishes", "onCard", "inSource", "versionOf", "inEdition",
                          "text", "faceOf", "hasKeyword", "status"):  # fmt: skip
            found += [ox.Triple(node, ox.NamedNode(CORE + predicate), other) for other in others]
        found.append(ox.Triple(node, ox.NamedNode(PREFIXES["rdfs"] + "seeAlso"), others[-1]))
    store.add_graph(BASE + "graph/evil", found)
    visitor = TestClient(application(Site(store, "http://testserver/")), follow_redirects=False)
    for path in [*(f"/{p}.html" for p in things), *(f"/{kind}/" for kind in LISTS), "/search?q=script"]:
        answer = visitor.get(path)
        assert answer.status_code == 200, path
        assert "<script>" not in answer.text, path
        assert "<img" not in answer.text, path
        assert 'href="javascript' not in answer.text, path


# --- games


def record(name: str) -> bytes:
    return packaged("data", "scenarios", *f"{name}.json".split("/")).read_bytes()


BROKEN = "rebound/exiled-again-in-2010"


def test_a_game_is_checked(visitor: TestClient) -> None:
    content = record(BROKEN)
    answers = [
        visitor.post("/check", data={"text": content.decode()}),
        visitor.post("/check", files={"file": ("game.json", content, "application/json"), "text": (None, "")}),
        visitor.post("/check", content=content, headers={"Content-Type": "application/json"}),
    ]
    for answer in answers:
        assert answer.status_code == 200
        assert "<svg" in answer.text
        assert 'class="game-verdict game-verdict-violates"' in answer.text
        assert 'href="/rule/' in answer.text
        assert answer.headers["cache-control"] == "no-store"
    assert "game.json" in answers[1].text


def test_what_cannot_be_checked(visitor: TestClient) -> None:
    for text in ("", "   "):
        answer = visitor.post("/check", data={"text": text})
        assert answer.status_code == 422
        assert "problem" in answer.text
    assert visitor.post("/check", files={"file": ("a.gz", b"\x1f\x8b" + b"x" * 50)}).status_code == 422
    assert visitor.post("/check", content=b"x", headers={"Content-Type": "multipart/form-data"}).status_code == 422
    assert visitor.post("/check", content=b"x", headers={"Content-Type": "image/png"}).status_code == 415
    assert visitor.post("/check", content=b"x" * (3 * 2**20)).status_code in (413, 415)
    text = {"Content-Type": "text/plain"}
    assert visitor.post("/check", content=b"x" * (3 * 2**20), headers=text).status_code == 413
    assert visitor.post("/check", content=b"x", headers={**text, "Content-Encoding": "gzip"}).status_code == 415
    for content in (b"nonsense", b"{", b"[" * 100_000, b'{"id": 1}', b"\xff\xfe\x00", b"{}", b"null"):
        answer = visitor.post("/check", content=content, headers=text)
        assert answer.status_code == 200
        assert "game-errors" in answer.text
        assert "Traceback" not in answer.text
        assert "standard input" not in answer.text


def test_a_game_that_takes_too_long_is_let_go(visitor: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "TIME", 0.2)
    long = json.loads(record(BROKEN))
    events = json.dumps(long["events"])
    long["events"] = [
        event for n in range(1000) for event in json.loads(re.sub(r'"(#[a-z]+\d+)"', rf'"\1x{n}"', events))
    ]
    answer = visitor.post("/check", content=json.dumps(long), headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert words("en")["check_too_much"] in answer.text
    assert visitor.post("/check", data={"text": "x" * 10}).status_code in (200, 422)


def test_nothing_in_a_game_is_markup(visitor: TestClient) -> None:
    def spoiled(value: object, key: str = "") -> object:
        if isinstance(value, dict):
            return {k: spoiled(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [spoiled(v, key) for v in value]
        shown = ("name", "comment", "source", "label", "ability", "permission")
        return EVIL if isinstance(value, str) and key in shown else value

    answer = visitor.post("/check", files={"file": (EVIL, json.dumps(spoiled(json.loads(record(BROKEN)))))})
    assert answer.status_code == 200
    assert "<script>" not in answer.text
    assert "<img" not in answer.text
    for text in (EVIL, json.dumps({EVIL: EVIL, "id": EVIL, "type": EVIL})):
        answer = visitor.post("/check", data={"text": text})
        assert "<script>" not in answer.text


def test_a_game_is_kept_nowhere(visitor: TestClient, site: Site) -> None:
    before = len(site.dataset)
    visitor.post("/check", data={"text": record(BROKEN).decode()})
    assert len(site.dataset) == before
