"""Source documents into the graph: texts, publications and where they come from, each document a named graph.

A document is known by the SHA-256 of its bytes, and so is its graph. In it stand the source with its provenance
(PROV-O), each text with its wording and languages, and each publication of one: under which heading, on which card,
when, in which line. A text whose digest is that of a curated one expresses the same statement; any other is kept as
uncurated.

A document is stored whole or not at all. One that is there already is left alone, unless what is known by now says more
about it than what was known then (a statement curated since): then its graph is replaced.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import pyoxigraph as ox

from ..records import Problem
from ..store import Dataset
from ..terms import NORMALISATION, digest, normalise
from ..terms.language import Identified, identify
from ..version import __version__
from ..vocabulary import BASE, CORE, RDF
from .documents import DocumentError, Kind, Passage, kind_of, read_document

Json = dict[str, Any]
State = Literal["added", "already there", "updated", "found"]
"""`found`: in memory only, nothing is kept."""
SUFFIX: Final = ".txt"
LIMIT: Final = 20_000_000
"""Bytes of a document: the longest real one has some thousand."""

_DCTERMS: Final = "http://purl.org/dc/terms/"
_PROV: Final = "http://www.w3.org/ns/prov#"
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_SCHEMA: Final = "https://schema.org/"
_A: Final = ox.NamedNode(RDF + "type")


@dataclass(frozen=True)
class Found:
    """One statement of a document: its text by digest, its languages, and the curated statements of that text."""

    number: int
    passage: Passage
    digest: str
    language: Identified
    card: str | None
    about: str | None
    statements: tuple[str, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(s.rsplit("/", 1)[-1] for s in self.statements)

    def as_json(self) -> Json:
        return {
            "number": self.number,
            "line": self.passage.line,
            "heading": self.passage.heading,
            "card": self.card,
            "about": self.about,
            "date": self.passage.date.isoformat() if self.passage.date else None,
            "rule": self.passage.number,
            "digest": self.digest,
            "languages": list(self.language.languages),
            "remarks": [self.passage.text[r.start : r.end] for r in self.language.remarks],
            "statements": list(self.statements),
        }


@dataclass(frozen=True)
class Ingested:
    """A document that was read: what was found in it, and what became of it."""

    source: str
    kind: Kind
    digest: str
    state: State
    statements: tuple[Found, ...]

    @property
    def graph(self) -> str:
        """The named graph of the document, which is also its node."""
        return graph_of(self.digest)

    @property
    def matched(self) -> int:
        return sum(bool(s.statements) for s in self.statements)

    @property
    def languages(self) -> dict[str, int]:
        """How many statements are in which language; `de+en`: German with an English remark."""
        return dict(Counter("+".join(s.language.languages) for s in self.statements).most_common())

    @property
    def headings(self) -> list[str]:
        return list(dict.fromkeys(s.passage.heading for s in self.statements))

    def as_json(self) -> Json:
        return {
            "source": self.source,
            "kind": self.kind,
            "digest": self.digest,
            "graph": self.graph,
            "state": self.state,
            "headings": self.headings,
            "matched": self.matched,
            "languages": self.languages,
            "statements": [s.as_json() for s in self.statements],
        }


@dataclass
class Report:
    """All of a run, and the dataset that it is in now."""

    dataset: Dataset
    documents: list[Ingested] = field(default_factory=list)
    errors: list[Problem] = field(default_factory=list)

    def add(self, item: Ingested | Problem) -> None:
        if isinstance(item, Ingested):
            self.documents.append(item)
        else:
            self.errors.append(item)

    @property
    def summary(self) -> Json:
        languages: Counter[str] = Counter()
        for document in self.documents:
            languages.update(document.languages)
        states = Counter(document.state for document in self.documents)
        return {
            "documents": len(self.documents),
            "statements": sum(len(d.statements) for d in self.documents),
            "matched": sum(d.matched for d in self.documents),
            "languages": dict(languages.most_common()),
            "states": dict(states),
            "errors": len(self.errors),
        }

    def as_json(self) -> Json:
        return {
            "documents": [d.as_json() for d in self.documents],
            "errors": [{"source": e.source, "place": e.place, "problem": e.problem} for e in self.errors],
            "summary": self.summary,
        }


@dataclass(frozen=True)
class Known:
    """What of the curated graph a document is held against."""

    statements: dict[str, tuple[str, ...]]
    """Digest of a text -> the statements that it expresses."""
    cards: dict[str, str]
    """Name of a card or face, folded -> the card."""
    keywords: dict[str, str]
    names: frozenset[str]
    """The cards' names as they are written."""
    sources: dict[str, str]
    """Digest of a document -> the source that the curated data know it as."""


def graph_of(sha256: str) -> str:
    """The graph, and the node, of the document with this digest."""
    return f"{BASE}source/{sha256[:16]}"


def ingest(
    paths: Iterable[str | Path], dataset: Dataset, kind: Kind | None = None, keep: bool = True
) -> Iterator[Ingested | Problem]:
    """Reads documents (files, folders of `*.txt`, `-` for standard input) into graphs of `dataset`.

    The dataset must have the packaged graphs (`load_packaged`). `keep`: whether it lasts, which only decides what is
    said of it. Yields what was found, or a Problem, for each file in the order of the paths; a file that cannot be read
    hinders no other. Raises StoreError where the store cannot be written.
    """
    known = knowledge(dataset)
    for path in paths:
        for source, content in _contents(path):
            if isinstance(content, Problem):
                yield content
                continue
            try:
                found = read(source, content, known, kind)
            except DocumentError as error:
                yield Problem(source, f"line {error.line}", error.problem)
                continue
            yield _store(found, dataset, known, keep)


def read(source: str, content: bytes, known: Known, kind: Kind | None = None) -> Ingested:
    """What a document says, without storing it. Raises DocumentError."""
    if len(content) > LIMIT:
        raise DocumentError(1, f"the file has more than {LIMIT} bytes: give the document alone")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DocumentError(line, "not UTF-8: save the file as UTF-8") from None
    if "\0" in text:
        raise DocumentError(text.count("\n", 0, text.index("\0")) + 1, "no text: it has a null byte; give a text file")
    kind = kind or kind_of(text)
    passages = read_document(text, kind, known.names)
    statements = tuple(_found(number, passage, known) for number, passage in enumerate(passages, 1))
    return Ingested(source, kind, hashlib.sha256(content).hexdigest(), "found", statements)


def _found(number: int, passage: Passage, known: Known) -> Found:
    key = digest(passage.text)
    name = _folded(passage.heading)
    return Found(
        number, passage, key, identify(passage.text, known.names),
        known.cards.get(name), known.keywords.get(name), known.statements.get(key, ()),
    )  # fmt: skip


def knowledge(dataset: Dataset) -> Known:
    """What the packaged graphs of a dataset know of texts, names and sources."""
    statements: dict[str, list[str]] = {}
    for row in _rows(dataset, "?g", "?text rw:digest ?digest ; rw:expresses ?statement"):
        statements.setdefault(row["digest"].value, []).append(row["statement"].value)
    cards: dict[str, str] = {}
    names: set[str] = set()
    for row in _rows(dataset, "graph:cards", "?thing skos:prefLabel ?name . OPTIONAL { ?thing rw:faceOf ?whole }"):
        names.add(row["name"].value)
        whole = row["whole"] or row["thing"]
        cards.setdefault(_folded(row["name"].value), whole.value)
    keywords = {
        _folded(row["name"].value): row["keyword"].value
        for row in _rows(dataset, "?g", "?keyword a rw:Keyword ; skos:prefLabel ?name")
    }
    sources = {
        row["digest"].value: row["source"].value
        for row in _rows(dataset, "?g", "?source a rw:Source ; rw:digest ?digest")
    }
    return Known(
        {d: tuple(sorted(set(s))) for d, s in statements.items()}, cards, keywords, frozenset(names), sources
    )  # fmt: skip


def _rows(dataset: Dataset, graph: str, pattern: str) -> Iterator[Any]:
    """Rows from packaged graphs alone: what users ingested is held against them, and must not confirm itself."""
    ours = "" if graph != "?g" else f'FILTER(STRSTARTS(STR(?g), "{BASE}graph/"))'
    rows = dataset.query(f"SELECT * WHERE {{ GRAPH {graph} {{ {pattern} }} {ours} }} ORDER BY ?statement ?thing")
    if isinstance(rows, ox.QuerySolutions):
        yield from rows


def _folded(name: str) -> str:
    """A name as it is compared: case, quotation marks, dashes, and the spaces around `//` do not count."""
    return "//".join(part.strip() for part in normalise(name).casefold().split("//"))


# --- files


def _contents(path: str | Path) -> Iterator[tuple[str, bytes | Problem]]:
    """The files at a path, each with its name, and its bytes or why there are none."""
    if str(path) == "-":
        yield "-", sys.stdin.buffer.read()
        return
    place = Path(path)
    files: Sequence[Path] = [place]
    if place.is_dir():
        files = sorted(f for f in place.rglob(f"*{SUFFIX}") if f.is_file())
        if not files:
            yield str(path), Problem(str(path), "", f"no documents (*{SUFFIX}) in this folder: name files")
    for file in files:
        try:
            yield str(file), file.read_bytes()
        except FileNotFoundError:
            yield str(file), Problem(str(file), "", "there is no such file: mend the path")
        except OSError as error:
            yield str(file), Problem(str(file), "", f"cannot be read ({error.strerror}): mend that")


# --- the graph


def _store(found: Ingested, dataset: Dataset, known: Known, keep: bool) -> Ingested:
    now = dt.datetime.now(dt.UTC)
    triples = list(_triples(found, known, now))
    state: State = "added"
    if found.graph not in dataset:
        dataset.fill(found.graph, (f"{t} .\n" for t in triples))
    elif _lasting(triples) == _lasting(dataset.triples(found.graph)):
        state = "already there"
    else:
        dataset.fill(found.graph, (f"{t} .\n" for t in triples), replace=True)
        state = "updated"
    if not keep and state == "added":
        state = "found"
    return Ingested(found.source, found.kind, found.digest, state, found.statements)


def _lasting(triples: Iterable[ox.Triple]) -> frozenset[ox.Triple]:
    """What does not change with the time, the program and the file's name."""
    passing = {_PROV + "generatedAtTime", _PROV + "endedAtTime", _PROV + "wasAssociatedWith", CORE + "place"}
    return frozenset(
        t for t in triples
        if t.predicate.value not in passing
        and not (isinstance(t.subject, ox.NamedNode) and t.subject.value.startswith(f"{BASE}software/"))
    )  # fmt: skip


def _triples(found: Ingested, known: Known, now: dt.datetime) -> Iterator[ox.Triple]:
    source = ox.NamedNode(found.graph)
    yield from _source(source, found, known, now)
    for statement in found.statements:
        text = ox.NamedNode(f"{BASE}text/{statement.digest}")
        yield from _text(text, statement)
        passage = statement.passage
        publication = ox.NamedNode(f"{BASE}publication/{found.digest[:12]}-{statement.number:02}")
        yield ox.Triple(publication, _A, _rw("Publication"))
        yield ox.Triple(publication, _rw("publishes"), text)
        yield ox.Triple(publication, _rw("inSource"), source)
        yield ox.Triple(publication, _rw("sequence"), _integer(statement.number))
        yield ox.Triple(publication, _rw("line"), _integer(passage.line))
        if passage.heading:
            yield ox.Triple(publication, _rw("heading"), ox.Literal(passage.heading))
        if statement.card:
            yield ox.Triple(publication, _rw("onCard"), ox.NamedNode(statement.card))
        if statement.about:
            yield ox.Triple(publication, _rw("about"), ox.NamedNode(statement.about))
        if passage.date:
            day = ox.Literal(passage.date.isoformat(), datatype=ox.NamedNode(_XSD + "date"))
            yield ox.Triple(publication, ox.NamedNode(_DCTERMS + "issued"), day)
        if passage.number:
            yield ox.Triple(publication, _rw("number"), ox.Literal(passage.number))


def _text(text: ox.NamedNode, statement: Found) -> Iterator[ox.Triple]:
    yield ox.Triple(text, _A, _rw("Text"))
    yield ox.Triple(text, _rw("wording"), ox.Literal(statement.passage.text, language=statement.language.main))
    yield ox.Triple(text, _rw("digest"), ox.Literal(statement.digest))
    yield ox.Triple(text, _rw("normalisation"), ox.Literal(NORMALISATION))
    for language in statement.language.languages:
        yield ox.Triple(text, ox.NamedNode(_DCTERMS + "language"), ox.Literal(language))
    for iri in statement.statements:
        yield ox.Triple(text, _rw("expresses"), ox.NamedNode(iri))
    if not statement.statements:
        yield ox.Triple(text, _rw("uncurated"), ox.Literal(True))


def _source(source: ox.NamedNode, found: Ingested, known: Known, now: dt.datetime) -> Iterator[ox.Triple]:
    """The document and how it came here (PROV-O §3.1: an entity, generated by an activity, with a software agent)."""
    when = ox.Literal(now.isoformat(timespec="seconds"), datatype=ox.NamedNode(_XSD + "dateTime"))
    activity = ox.NamedNode(f"{source.value}#ingestion")
    agent = ox.NamedNode(f"{BASE}software/{__version__}")
    named = [h for h in found.headings if h]
    about = (": " if named else "") + ", ".join(named[:3]) + (", …" if len(named) > 3 else "")
    yield ox.Triple(source, _A, _rw("Source"))
    yield ox.Triple(source, _A, ox.NamedNode(_PROV + "Entity"))
    title = ox.NamedNode(_DCTERMS + "title")
    yield ox.Triple(source, title, ox.Literal(f"Rulings{about}", language="en"))
    yield ox.Triple(source, title, ox.Literal(f"Regelerläuterungen{about}", language="de"))
    yield ox.Triple(source, _rw("digest"), ox.Literal(found.digest))
    yield ox.Triple(source, _rw("place"), ox.Literal(Path(found.source).name))
    yield ox.Triple(source, _rw("statementCount"), _integer(len(found.statements)))
    if found.digest in known.sources:
        same = ox.NamedNode("http://www.w3.org/2002/07/owl#sameAs")
        yield ox.Triple(source, same, ox.NamedNode(known.sources[found.digest]))
    yield ox.Triple(source, ox.NamedNode(_PROV + "generatedAtTime"), when)
    yield ox.Triple(source, ox.NamedNode(_PROV + "wasGeneratedBy"), activity)
    yield ox.Triple(activity, _A, ox.NamedNode(_PROV + "Activity"))
    yield ox.Triple(activity, ox.NamedNode(_PROV + "endedAtTime"), when)
    yield ox.Triple(activity, ox.NamedNode(_PROV + "wasAssociatedWith"), agent)
    yield ox.Triple(agent, _A, ox.NamedNode(_PROV + "SoftwareAgent"))
    yield ox.Triple(agent, ox.NamedNode(_SCHEMA + "name"), ox.Literal("rulewright"))
    yield ox.Triple(agent, ox.NamedNode(_SCHEMA + "softwareVersion"), ox.Literal(__version__))


def _rw(name: str) -> ox.NamedNode:
    return ox.NamedNode(CORE + name)


def _integer(value: int) -> ox.Literal:
    return ox.Literal(str(value), datatype=ox.NamedNode(_XSD + "integer"))
