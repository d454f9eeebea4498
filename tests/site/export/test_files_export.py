"""The site as files: no dead link from a disk or a plain server, the same pages and data as on the live site."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest
from linked import crawled, ids, links, packaged
from starlette.testclient import TestClient

from rulewright.site.app import application
from rulewright.site.context import LANGUAGES, Site
from rulewright.site.export import Report, export
from rulewright.site.export.folder import MARK
from rulewright.site.export.offline import tree
from rulewright.site.negotiation import DATA
from rulewright.site.pages.home import LISTS
from rulewright.site.sparql.formats import RDF
from rulewright.store import Dataset
from rulewright.store.dataset import DESCRIPTION
from rulewright.vocabulary import BASE, CORE, SKOS
from servers import plain
from waiting import PATIENCE

ONE_OF_EACH = [
    "keyword/rebound", "ruling/RB-8", "rule/rebound-a", "card/7ebde396-6672-491a-a6ce-1de49b12379b", "term/aftermath",
    "principle/zones-agree", "scenario/rebound/buyback-chosen-over-rebound", "edition/2010-04-23",
    "edition/2010-04-23/702.85a", "core", "game", "axiom", "terms", "source/000", "graph/cards",
]  # fmt: skip
SMALL = ("keyword", "card", "condition", "principle", "source", "graph")
"""Kinds of which every thing is compared."""
_MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
_HREF = re.compile(r' href="[^"]*"')


@pytest.fixture(scope="module")
def visitor() -> TestClient:
    """The live site."""
    site = Site(packaged(), "http://testserver/")
    site.findings = {}
    return TestClient(application(site), follow_redirects=False)


@pytest.fixture(scope="module")
def served(whole: Path) -> Iterator[str]:
    """A plain server with the export somewhere below its root."""
    with plain(whole) as address:
        yield address


def canonical(content: bytes, suffix: str) -> ox.Dataset:
    found = ox.Dataset(ox.parse(content, format=RDF[suffix]))
    found.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return found


# --- links


def test_no_link_of_the_whole_is_dead_on_a_disk(whole: Path) -> None:
    pages = crawled(whole)
    assert pages.missing == {}
    ours = {link for link in pages.outside if link.startswith(BASE)}
    # what is said with an address of ours: each thing names itself, and some things are in no document
    named = {link.partition("#")[0].removeprefix(BASE) for link in ours}
    assert {name for name in named if f"{name}.html" not in pages.files} <= {
        "", "dump.nq.gz", "dump.trig.gz", "core/0.1.0", "game/0.1.0", "axiom/0.1.0", "graph/packaged",
    }  # fmt: skip
    assert not [link for link in pages.outside if not link.startswith(("https://", "http://"))]
    assert not [name for name in pages.files if name.endswith(".html") and not name.startswith("de/")
                and f"de/{name}" not in pages.files and name != "404.html"]  # fmt: skip


def test_no_link_is_dead_on_a_plain_server(served: str) -> None:
    """From the first page and the registers to others by chance, and along every link of those."""
    chosen = random.Random(1)
    connection = http.client.HTTPConnection(urlsplit(served).netloc, timeout=PATIENCE)
    there: dict[str, set[str]] = {}
    waiting: dict[str, set[str]] = {}

    def get(address: str) -> set[str]:
        """The ids of the page at an address."""
        if address not in there:
            connection.request("GET", urlsplit(address).path)
            answer = connection.getresponse()
            content = answer.read()
            assert answer.status == 200, address
            html = content.decode() if (answer.getheader("Content-Type") or "").startswith("text/html") else ""
            there[address] = ids(html)
            if html:
                waiting[address] = {urljoin(address, link) for link in links(html) if not link.startswith("data:")}
        return there[address]

    for register in ("", *(f"{kind}/index.html" for kind in ("keyword", "ruling", "rule", "card", "term", "scenario"))):
        get(served + register)
    kinds = set()
    for _ in range(300):
        address = chosen.choice(sorted(waiting))
        found = waiting.pop(address)
        kinds.add(urlsplit(address).path.split("/")[2])
        inside = {link for link in found if link.startswith(served)}
        assert not [link for link in found - inside if link.startswith(("http://127.0.0.1", "file:"))], address
        for link in sorted(inside):
            target, _, fragment = link.partition("#")
            assert not fragment or unquote(fragment) in get(target.partition("?")[0]), f"{address} -> {link}"
            get(target.partition("?")[0])
    connection.close()
    assert kinds >= {"de", "keyword", "edition", "rule", "scenario", "term"}
    assert len(there) > 2000


# --- the same as live


def test_the_same_data(whole: Path, visitor: TestClient) -> None:
    files = [file for kind in SMALL for file in (whole / kind).glob("*.nt")]
    small = [file.relative_to(whole).with_suffix("").as_posix() for file in files]
    assert len(small) > 100
    for stem in [*ONE_OF_EACH, *small]:
        for form in DATA:
            live = visitor.get(f"/{stem}.{form.suffix}")
            file = whole / f"{stem}.{form.suffix}"
            assert file.is_file() == (live.status_code == 200), file
            if file.is_file() and live.content != file.read_bytes():
                assert canonical(live.content, form.suffix) == canonical(file.read_bytes(), form.suffix), file


def test_every_file_of_data_can_be_read(whole: Path) -> None:
    """And in each format of a thing there are the same triples."""
    number = 0
    for file in sorted(whole.rglob("*.nt"))[::7]:
        first = {str(q.triple) for q in canonical(file.read_bytes(), "nt")}
        for form in DATA:
            other = file.with_name(file.name.removesuffix("nt") + form.suffix)
            if other.is_file():
                quads = ox.parse(other.read_bytes(), format=RDF[form.suffix])
                merged = ox.Dataset(ox.Quad(q.subject, q.predicate, q.object) for q in quads)
                merged.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
                assert {str(q.triple) for q in merged} == first, other
                number += 1
    assert number > 3000


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_pages(whole: Path, visitor: TestClient, language: str) -> None:
    """But for where their links lead."""
    for path in [*(f"{stem}.html" for stem in ONE_OF_EACH), *(f"{kind}/" for kind in LISTS)]:
        live = visitor.get(f"/{path}", params={"lang": language})
        file = whole / tree(language) / (path if path.endswith(".html") else f"{path}index.html")
        first, second = (
            [_HREF.sub("", main) for main in _MAIN.findall(html)] for html in (live.text, file.read_text("utf-8"))
        )
        assert len(first) == 1
        assert first == second, path


def test_what_describes_it(whole: Path) -> None:
    dump = ox.Dataset(ox.parse(gzip.decompress((whole / "dump.nq.gz").read_bytes()), format=ox.RdfFormat.N_QUADS))
    graph = ox.NamedNode(DESCRIPTION)
    with Dataset.open() as dataset:
        dataset.load_packaged()
        there = ox.Dataset(dataset.quads())
    data = ox.Dataset(q for q in dump if q.graph_name != graph)
    for one in (there, data):
        one.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    assert data == there
    trig = ox.parse(gzip.decompress((whole / "dump.trig.gz").read_bytes()), format=ox.RdfFormat.TRIG)
    assert len(list(trig)) == len(dump)
    void = canonical((whole / ".well-known" / "void").read_bytes(), "ttl")
    assert void == canonical((whole / "dataset.ttl").read_bytes(), "ttl")
    assert len(void) == sum(q.graph_name == graph for q in dump)
    assert "sparql" not in (whole / "dataset.nt").read_text().replace("sparql11", "")


def test_lists_of_pages(part: tuple[Path, Report]) -> None:
    folder, _ = part
    base = "https://files.example/some/where/"
    (first,) = [e.text for e in ElementTree.parse(folder / "sitemap.xml").iter() if e.tag.endswith("loc")]
    assert first == f"{base}sitemap-1.xml"
    listed = [e.text or "" for e in ElementTree.parse(folder / "sitemap-1.xml").iter() if e.tag.endswith("loc")]
    pages = {file.relative_to(folder).as_posix() for file in folder.rglob("*.html")} - {"404.html"}
    assert {address.removeprefix(base) for address in listed} == pages
    assert len(listed) == len(pages)
    assert f"Sitemap: {base}sitemap.xml" in (folder / "robots.txt").read_text()


def test_pages_say_what_files_cannot_do(whole: Path) -> None:
    for name in ("index.html", "de/index.html", "keyword/rebound.html"):
        html = (whole / name).read_text(encoding="utf-8")
        assert not [link for link in links(html) if "sparql" in link or "check" in link], name
        assert "Content-Security-Policy" in html
    assert "rulewright serve" in (whole / "index.html").read_text(encoding="utf-8")
    assert "<noscript>" in (whole / "search.html").read_text(encoding="utf-8")
    absent = (whole / "404.html").read_text(encoding="utf-8")
    assert all(words in absent for words in ("There is nothing at this address", "An dieser Adresse ist nichts"))
    assert list(links(absent)) == [BASE], "it is shown at any address: nothing in it may depend on which"


# --- a part


def test_a_part_links_elsewhere(part: tuple[Path, Report]) -> None:
    folder, report = part
    assert (report.missing, report.things) == ([], len(list(folder.rglob("*.nt"))) - 1)
    pages = crawled(folder)
    assert pages.missing == {}
    assert {"ruling/RB-8.html", "keyword/aftermath.html", "de/keyword/rebound.html"} <= pages.files
    elsewhere = {link.removeprefix("https://whole.example/") for link in pages.outside if "whole.example" in link}
    assert elsewhere
    assert not {f"{link.partition('#')[0]}.html" for link in elsewhere} & pages.files
    registers = (folder / "scenario" / "index.html").read_text(encoding="utf-8")
    assert not [link for link in links(registers) if "whole.example" in link]
    dump = ox.parse(gzip.decompress((folder / "dump.nq.gz").read_bytes()), format=ox.RdfFormat.N_QUADS)
    triples = {str(q.triple) for q in dump if not isinstance(q.subject, ox.BlankNode)}
    for file in folder.rglob("*.nt"):
        told = list(ox.parse(file.read_bytes(), format=ox.RdfFormat.N_TRIPLES))
        assert all(str(q.triple) in triples for q in told if "_:" not in str(q.triple)), file
    assert "https://files.example/some/where/dump.nq.gz" in (folder / "dataset.nt").read_text()


def test_the_same_bytes_again(part: tuple[Path, Report], tmp_path: Path) -> None:
    """From several processes as from one, over an older export, of which nothing stays."""
    folder, report = part
    again = tmp_path / "again"
    shutil.copytree(folder, again)
    (again / "keyword" / "old.html").write_text("old")
    arguments = {"base": "https://files.example/some/where/", "elsewhere": "https://whole.example/"}
    assert export(packaged, again, ["aftermath", "RB-8", "RB-8"], jobs=2, **arguments) == report
    assert list(tmp_path.iterdir()) == [again]
    for file in [file for file in folder.rglob("*") if file.is_file()]:
        assert (again / file.relative_to(folder)).read_bytes() == file.read_bytes(), file
    assert len(list(again.rglob("*"))) == len(list(folder.rglob("*")))


# --- what data can be


HOSTILE = [
    "keyword/../../outside", "keyword//empty", "keyword/", "card/con", "card/NUL.txt", "card/ABC", "card/abc",
    "card/Abc", "card/.hidden", "card/ends.", "card/a:b", "card/a?b=c", "card/a%2Fb", "card/ü", "card/'onload='x",
    "card/" + "x" * 300, "card/x", "card/x.html/y", "card/x.html", "keyword/index", "keyword/page-2",
    "index", "search", "404", "dataset",
    "static/site.css", "static", "de/keyword/index", "de", ".well-known/void", ".nojekyll", "robots", MARK, "..", ".",
]  # fmt: skip
SCRIPT = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def hostile() -> Dataset:
    dataset = Dataset.open()
    label, kind = ox.NamedNode(SKOS + "prefLabel"), ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    statement, about = ox.NamedNode(CORE + "statement"), ox.NamedNode(CORE + "about")
    triples = []
    for number, path in enumerate(HOSTILE):
        thing, other = ox.NamedNode(BASE + path), ox.NamedNode(BASE + HOSTILE[number - 1])
        types = {"keyword": "Keyword", "card": "Card"}
        triples += [ox.Triple(thing, label, ox.Literal(f"{SCRIPT} {number}", language="en")),
                    ox.Triple(thing, kind, ox.NamedNode(CORE + types.get(path.partition("/")[0], "Statement"))),
                    ox.Triple(thing, statement, ox.Literal(SCRIPT, language="de")),
                    ox.Triple(thing, about, other),
                    ox.Triple(thing, about, ox.NamedNode(f"javascript:alert({number})")),
                    ox.Triple(thing, about, ox.NamedNode(BASE + "not/../there"))]  # fmt: skip
    dataset.add_graph(BASE + "graph/hostile", triples)
    return dataset


def test_hostile_names_and_texts(tmp_path: Path) -> None:
    folder = tmp_path / "in" / "site"
    folder.parent.mkdir()
    report = export(hostile, folder)
    assert report.things == len(HOSTILE)
    assert [file.name for file in tmp_path.iterdir()] == ["in"]
    assert [file.name for file in folder.parent.iterdir()] == ["site"]
    pages = crawled(folder)
    assert pages.missing == {}
    lower = [name.casefold() for name in pages.files]
    assert len(set(lower)) == len(lower)
    assert all(re.fullmatch(r"[A-Za-z0-9._~/-]+", name) for name in pages.files)
    assert all(len(name) < 140 for name in pages.files)
    told = {}
    for file in folder.rglob("*.nt"):
        subjects = {str(q.subject) for q in ox.parse(file.read_bytes(), format=ox.RdfFormat.N_TRIPLES)}
        told[file] = subjects
    for path in HOSTILE:
        assert any(f"<{BASE}{path}>" in subjects for subjects in told.values()), path
    for file in folder.rglob("*.html"):
        html = file.read_text(encoding="utf-8")
        assert "<script>alert" not in html, file
        assert not re.search(r"<[^>]*\sonerror=", html), file
        assert not [link for link in links(html) if link.startswith("javascript:")], file
    index = (folder / "static" / "search-index.js").read_text()
    entries = json.loads(index.partition(" = ")[2].rstrip().removesuffix(";"))
    assert len(entries) > len(HOSTILE) / 2
    assert all(f"{entry[1]}.html" in pages.files for entry in entries)
