"""Writes the site as files: pages in each language, data beside them, what is searched, and what describes it all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import pyoxigraph as ox
from markupsafe import Markup

from rulewright.axioms import Knowledge
from rulewright.index.documents import documents
from rulewright.site import dumping, dumps, pages
from rulewright.site.context import LANGUAGES, Site, words
from rulewright.site.documents import Document, find, steady, written
from rulewright.site.export import choosing, searching
from rulewright.site.export.folder import replacing
from rulewright.site.export.names import STATIC, Names
from rulewright.site.export.offline import Offline, tree
from rulewright.site.negotiation import DATA, Format
from rulewright.site.pages import Page, home, schema, thing
from rulewright.site.search import KINDS
from rulewright.site.wellknown import sitemaps
from rulewright.store import Dataset
from rulewright.store.dataset import DESCRIPTION
from rulewright.store.description import DATASET, describe
from rulewright.vocabulary import BASE, SCENARIO

CHUNK: Final = 40
"""Things that a process writes at a time."""
_DESCRIPTION: Final = ox.NamedNode(DESCRIPTION)
_OWN_STATIC: Final = Path(__file__).parents[1] / STATIC
Open: TypeAlias = Callable[[], Dataset]
Progress: TypeAlias = Callable[[Iterable[None], int], Iterable[None]]
"""What watches the parts as they are written, and of how many."""


@dataclass(frozen=True)
class Report:
    """`things` exported, `files` written; `missing`: lines that say what was asked for and is not there."""

    things: int
    files: int
    missing: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """What each process is told. `base`: where the files are going to be; `elsewhere`: where all else is."""

    names: Names
    base: str
    elsewhere: str
    folder: Path

    def site(self, dataset: Dataset, knowledge: Knowledge | None = None) -> Offline:
        return Offline(dataset, self.names, self.base, self.elsewhere, knowledge)


def export(
    opened: Open, folder: Path, only: Sequence[str] = (), *, base: str = BASE, elsewhere: str = BASE, jobs: int = 1,
    progress: Progress | None = None,
) -> Report:  # fmt: skip
    """Writes the site of a dataset, or what `only` names of it, to a folder.

    `opened`: opens the dataset, in each process once. Nothing is written where nothing of what is asked for is there.
    Raises StoreError.
    """
    with opened() as dataset:
        reader = Site(dataset, base)
        chosen = choosing.named(reader, only) if only else choosing.Chosen(choosing.everything(reader))
        if not chosen.things:
            return Report(0, 0, chosen.missing)
        names = Names([*chosen.things, DATASET])
        # scenarios take longest: they come first, so that no process waits for another at the end
        things = sorted(chosen.things, key=lambda iri: (not iri.startswith(SCENARIO), iri))
        chunks = [things[start : start + CHUNK] for start in range(0, len(things), CHUNK)]
        with replacing(folder) as new:
            plan = Plan(names, base, elsewhere, new)
            site = plan.site(dataset, reader.knowledge)
            with _processes(jobs, opened, plan) as pool:
                writing = map(partial(_things, site, new), chunks) if pool is None else pool.map(_work, chunks)
                _around(site, new, _part(site, chosen.things) if only else dataset)
                for _ in progress(writing, len(chunks)) if progress else writing:
                    pass
    files = sum(len(inside) for _, _, inside in os.walk(folder))
    return Report(len(things), files, chosen.missing)


@contextmanager
def _processes(jobs: int, opened: Open, plan: Plan) -> Iterator[ProcessPoolExecutor | None]:
    """Processes that write things; None where this one does."""
    if jobs == 1:
        yield None
        return
    pool = ProcessPoolExecutor(jobs, initializer=_start, initargs=(opened, plan))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


_STARTED: list[tuple[Offline, Path]] = []
"""In a process of the pool: its site, and where it writes."""


def _start(opened: Open, plan: Plan) -> None:
    _STARTED[:] = [(plan.site(opened()), plan.folder)]


def _work(things: Sequence[str]) -> None:
    _things(*_STARTED[0], things)


# --- things


def _things(site: Offline, folder: Path, things: Iterable[str]) -> None:
    """Writes the pages and data of things."""
    for iri in things:
        if document := find(site, iri):
            _thing(site, folder, document)


def _thing(site: Offline, folder: Path, document: Document) -> None:
    stem = site.names[document.iri]
    quads = (*document.own, *document.pointing)
    offered: list[Format] = []
    for form in DATA:
        try:
            content = written(quads, form.suffix)
        except ValueError:  # RDF/XML cannot say it all
            continue
        _write(folder / f"{stem}.{form.suffix}", content)
        offered.append(form)
    for language in LANGUAGES:
        path = f"{stem}.html"
        site.open(path, language)
        page = thing.page if document.iri == DATASET else pages.page
        made = page(site, document, language)
        made = replace(made, data=schema.written(schema.of_thing(site, document, made.title)))
        alternates = [(f.name, f.media_type, site.to(f"{stem}.{f.suffix}")) for f in offered]
        _page(site, folder, path, language, made, alternates=alternates)


def _page(site: Offline, folder: Path, path: str, language: str, page: Page, here: str = "", **further: Any) -> None:
    _write(folder / (tree(language) + path), site.whole(path, language, page, here, **further).encode())


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


# --- what is around them


def _around(site: Offline, folder: Path, part: Dataset) -> None:
    """Writes all that is of no single thing. `part`: what is exported of the dataset."""
    site.part = part
    shutil.copytree(_OWN_STATIC, folder / STATIC, ignore=shutil.ignore_patterns("__pycache__", "sparql.*"))
    for language in LANGUAGES:
        _own_pages(site, folder, language)
    _write(folder / STATIC / searching.FILE, searching.index(documents(site.dataset), site.names).encode())
    style = Markup((_OWN_STATIC / "site.css").read_text(encoding="utf-8"))
    both = [(tag, words(tag)) for tag in LANGUAGES]
    absent = site.render("offline_404.html", LANGUAGES[0], both=both, base=site.base, style=style)
    _write(folder / "404.html", absent.encode())
    listed = [file.relative_to(folder).as_posix() for file in folder.rglob("*.html")]
    described = steady([*describe(part), *dumps.described(site, ox.NamedNode(DATASET), _DESCRIPTION)])
    _thing(site, folder, Document(DATASET, tuple(described), (), False))
    _write(folder / ".well-known" / "void", written(described, "ttl"))
    whole = steady([*(quad for quad in part.quads() if quad.graph_name != _DESCRIPTION), *described])
    for form in dumping.FORMS:
        part.dump(folder / dumping.path(form), whole)
    _write(folder / "robots.txt", f"User-agent: *\nSitemap: {site.base}sitemap.xml\n".encode())
    _write(folder / ".nojekyll", b"")  # or a well-known host would leave out .well-known
    stems = [site.names[thing] for thing in site.names]
    listed = sorted({*(f"{tree(tag)}{stem}.html" for tag in LANGUAGES for stem in stems), *listed} - {"404.html"})
    index, *parts = sitemaps(site.base, listed)
    _write(folder / "sitemap.xml", index.encode())
    for number, text in enumerate(parts, 1):
        _write(folder / f"sitemap-{number}.xml", text.encode())


def _own_pages(site: Offline, folder: Path, language: str) -> None:
    """The first page, registers and the search."""
    site.open("index.html", language)
    _page(site, folder, "index.html", language, home.first(site, language))
    for kind in home.LISTS:
        for number in range(1, home.pages(site, kind, language) + 1):
            path = f"{kind}/index.html" if number == 1 else f"{kind}/page-{number}.html"
            site.open(path, language)
            _page(site, folder, path, language, home.register(site, kind, number, language), f"{kind}/")
    site.open("search.html", language)
    w = words(language)
    page = Page(w["search"], site.render("offline_search.html", language, every=KINDS))
    scripts = [searching.FILE, "find.js"]
    _page(site, folder, "search.html", language, page, "search", scripts=scripts)


def _part(site: Site, things: Iterable[str]) -> Dataset:
    """The data of some things, by itself."""
    part = Dataset.open()
    by_graph: dict[str, list[ox.Quad]] = {}
    for number, iri in enumerate(things):
        if document := find(site, iri):
            for quad in (*document.own, *document.pointing):
                if isinstance(quad.graph_name, ox.NamedNode):
                    by_graph.setdefault(quad.graph_name.value, []).append(_apart(quad, number))
    for graph, quads_of in by_graph.items():
        part.add_graph(graph, quads_of)
    return part


def _apart(quad: ox.Quad, number: int) -> ox.Quad:
    """Blank nodes have names of a document each, which are not to be those of another document."""
    subject, value = quad.subject, quad.object
    if isinstance(subject, ox.BlankNode):
        subject = ox.BlankNode(f"d{number}{subject.value}")
    if isinstance(value, ox.BlankNode):
        value = ox.BlankNode(f"d{number}{value.value}")
    return ox.Quad(subject, quad.predicate, value, quad.graph_name)
