"""Sources into the graph: texts, publications and where they come from, each source a named graph.

A document is known by the SHA-256 of its bytes, and so is its graph. In it stand the source with its provenance
(PROV-O), each text with its wording and languages, and each publication of one: under which heading, on which card,
when, in which line. A text whose digest is that of a curated one expresses the same statement; any other is kept as
uncurated.

Bulk files (`bulk`) are recognised before documents, and go their own way: they are read as streams.

A document is stored whole or not at all. One that is there already is left alone, unless what is known by now says more
about it than what was known then (a statement curated since): then its graph is replaced.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pyoxigraph as ox

from ..records import Problem
from ..store import Dataset
from ..terms import NORMALISATION, digest
from ..terms.language import Identified, identify
from ..vocabulary import BASE, CORE
from . import bulk
from .bulk import Loaded, State, folded
from .documents import KINDS as DOCUMENT_KINDS
from .documents import DocumentError, Kind, Passage, kind_of, read_document
from .errors import SourceError
from .packed import File, Progress, files, plain_name, problems
from .provenance import DCTERMS, PROV, XSD, A, graph_of, integer, provenance, rw
from .reading import Format
from .rows import rows

Json = dict[str, Any]
SUFFIX: Final = ".txt"
BULK: Final = (".json", ".jsonl", ".tar")
"""Of what else in a folder is looked at; what is of no kind that is known is passed over there."""
LIMIT: Final = 20_000_000
"""Bytes of a document: the longest real one has some thousand."""

KINDS: Final = (*DOCUMENT_KINDS, *(f.kind for f in bulk.FORMATS), "records")


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
    def size(self) -> int:
        return len(self.statements)

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
    documents: list[Ingested | Loaded] = field(default_factory=list)
    errors: list[Problem] = field(default_factory=list)

    def add(self, item: Ingested | Loaded | Problem) -> None:
        if isinstance(item, Problem):
            self.errors.append(item)
        else:
            self.documents.append(item)

    @property
    def summary(self) -> Json:
        languages: Counter[str] = Counter()
        for document in self.documents:
            languages.update(document.languages)
        states = Counter(document.state for document in self.documents)
        return {
            "documents": len(self.documents),
            "statements": sum(d.size for d in self.documents),
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


def ingest(
    paths: Iterable[str | Path],
    dataset: Dataset,
    kind: str | None = None,
    keep: bool = True,
    date: dt.date | None = None,
    progress: Progress | None = None,
    records: Format | None = None,
) -> Iterator[Ingested | Loaded | Problem]:
    """Reads sources (files, folders, `-` for standard input) into graphs of `dataset`.

    The dataset must have the packaged graphs (`load_packaged`). `kind`: one of KINDS, where it is not recognised.
    `keep`: whether the dataset lasts, which only decides what is said of it. `date`: the day of which a dump tells,
    where neither it nor its name says one. `progress` is told how many bytes more were read. `records`: what reads game
    records (`rulewright.sources.games`), needed for that kind. Yields what was found, or a Problem, for each file in
    the order of the paths; a file that cannot be read hinders no other. Raises StoreError where the store cannot be
    written.
    """
    known = knowledge(dataset)
    beside = bulk.Known(dataset, known.statements.keys())
    for path in paths:
        for source, file in _files(path, progress):
            if isinstance(file, Problem):
                yield file
                continue
            form = records if kind == "records" else _format(file, kind)
            if form is None and source != file.source and not _is_document(file):
                continue  # beside others in a folder
            try:
                if form is not None:
                    yield bulk.load(file, form, dataset, beside, date, keep)
                else:
                    yield _store(_read(file, known, kind), dataset, known, keep)
            except DocumentError as error:
                yield Problem(file.source, f"line {error.line}", error.problem)
            except SourceError as error:
                yield Problem(file.source, error.place, error.problem)
    dataset.settle()


def _format(file: File, kind: str | None) -> Format | None:
    if kind is not None:
        return next((f for f in bulk.FORMATS if f.kind == kind), None)
    return bulk.recognised(file)


def _is_document(file: File) -> bool:
    return plain_name(file.name).lower().endswith(SUFFIX)


def _read(file: File, known: Known, kind: str | None) -> Ingested:
    if kind is None and file.head.lstrip().startswith((b"{", b"[{", b"[\n")):
        raise SourceError(
            "", f"JSON of no kind that is known ({', '.join(f.kind for f in bulk.FORMATS)}): name its kind by --as"
        )
    with problems(), file.open() as stream:
        content = stream.read(LIMIT + 1)
    return read(file.source, content, known, next((k for k in DOCUMENT_KINDS if k == kind), None), file.sha256)


def read(source: str, content: bytes, known: Known, kind: Kind | None = None, sha256: str | None = None) -> Ingested:
    """What a document says, without storing it. `sha256`: of the file, if that was packed. Raises DocumentError."""
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
    return Ingested(source, kind, sha256 or hashlib.sha256(content).hexdigest(), "found", statements)


def _found(number: int, passage: Passage, known: Known) -> Found:
    key = digest(passage.text)
    name = folded(passage.heading)
    return Found(
        number, passage, key, identify(passage.text, known.names),
        known.cards.get(name), known.keywords.get(name), known.statements.get(key, ()),
    )  # fmt: skip


def knowledge(dataset: Dataset) -> Known:
    """What the packaged graphs of a dataset know of texts, names and sources."""
    statements: dict[str, list[str]] = {}
    for row in _packaged(dataset, "?g", "?text rw:digest ?digest ; rw:expresses ?statement"):
        statements.setdefault(row["digest"].value, []).append(row["statement"].value)
    cards: dict[str, str] = {}
    names: set[str] = set()
    for row in _packaged(dataset, "graph:cards", "?thing skos:prefLabel ?name . OPTIONAL { ?thing rw:faceOf ?whole }"):
        names.add(row["name"].value)
        whole = row["whole"] or row["thing"]
        cards.setdefault(folded(row["name"].value), whole.value)
    keywords = {
        folded(row["name"].value): row["keyword"].value
        for row in _packaged(dataset, "?g", "?keyword a rw:Keyword ; skos:prefLabel ?name")
    }
    sources = {
        row["digest"].value: row["source"].value
        for row in _packaged(dataset, "?g", "?source a rw:Source ; rw:digest ?digest")
    }
    return Known(
        {d: tuple(sorted(set(s))) for d, s in statements.items()}, cards, keywords, frozenset(names), sources
    )  # fmt: skip


def _packaged(dataset: Dataset, graph: str, pattern: str) -> Iterator[Any]:
    """Rows from packaged graphs alone: what users ingested is held against them, and must not confirm itself."""
    ours = "" if graph != "?g" else f'FILTER(STRSTARTS(STR(?g), "{BASE}graph/"))'
    return rows(dataset, f"SELECT * WHERE {{ GRAPH {graph} {{ {pattern} }} {ours} }} ORDER BY ?statement ?thing")


# --- files


def _files(path: str | Path, progress: Progress | None) -> Iterator[tuple[str, File | Problem]]:
    """The files at a path, or why there are none; each with the path under which it was asked for."""
    try:
        if str(path) == "-":
            yield from _of_standard_input(progress)
            return
        place = Path(path)
        if not place.is_dir():
            for file in files(place, progress):
                yield file.source, file
            return
        inside = sorted(f for f in place.rglob("*") if f.is_file() and _looked_at(f))
    except FileNotFoundError:
        yield str(path), Problem(str(path), "", "there is no such file: mend the path")
        return
    except SourceError as error:
        yield str(path), Problem(str(path), error.place, error.problem)
        return
    except OSError as error:
        yield str(path), Problem(str(path), "", f"cannot be read ({error.strerror}): mend that")
        return
    if not inside:
        told = f"no documents (*{SUFFIX}) and no bulk files (*{', *'.join(BULK)}) in this folder: name files"
        yield str(path), Problem(str(path), "", told)
    for one in inside:
        for _, found in _files(one, progress):
            yield str(path), found


def _looked_at(file: Path) -> bool:
    return plain_name(file.name).lower().endswith((SUFFIX, *BULK))


def _of_standard_input(progress: Progress | None) -> Iterator[tuple[str, File]]:
    """What comes in, by way of a file: it is read twice."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder, "-")
        with whole.open("wb") as sink:
            shutil.copyfileobj(sys.stdin.buffer, sink)
        for file in files(whole, progress):
            yield "-", replace(file, source=file.source.replace(str(whole), "-", 1))


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
    passing = {PROV + "generatedAtTime", PROV + "endedAtTime", PROV + "wasAssociatedWith", CORE + "place"}
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
        yield ox.Triple(publication, A, rw("Publication"))
        yield ox.Triple(publication, rw("publishes"), text)
        yield ox.Triple(publication, rw("inSource"), source)
        yield ox.Triple(publication, rw("sequence"), integer(statement.number))
        yield ox.Triple(publication, rw("line"), integer(passage.line))
        if passage.heading:
            yield ox.Triple(publication, rw("heading"), ox.Literal(passage.heading))
        if statement.card:
            yield ox.Triple(publication, rw("onCard"), ox.NamedNode(statement.card))
        if statement.about:
            yield ox.Triple(publication, rw("about"), ox.NamedNode(statement.about))
        if passage.date:
            day = ox.Literal(passage.date.isoformat(), datatype=ox.NamedNode(XSD + "date"))
            yield ox.Triple(publication, ox.NamedNode(DCTERMS + "issued"), day)
        if passage.number:
            yield ox.Triple(publication, rw("number"), ox.Literal(passage.number))


def _text(text: ox.NamedNode, statement: Found) -> Iterator[ox.Triple]:
    yield ox.Triple(text, A, rw("Text"))
    yield ox.Triple(text, rw("wording"), ox.Literal(statement.passage.text, language=statement.language.main))
    yield ox.Triple(text, rw("digest"), ox.Literal(statement.digest))
    yield ox.Triple(text, rw("normalisation"), ox.Literal(NORMALISATION))
    for language in statement.language.languages:
        yield ox.Triple(text, ox.NamedNode(DCTERMS + "language"), ox.Literal(language))
    for iri in statement.statements:
        yield ox.Triple(text, rw("expresses"), ox.NamedNode(iri))
    if not statement.statements:
        yield ox.Triple(text, rw("uncurated"), ox.Literal(True))


def _source(source: ox.NamedNode, found: Ingested, known: Known, now: dt.datetime) -> Iterator[ox.Triple]:
    named = [h for h in found.headings if h]
    about = (": " if named else "") + ", ".join(named[:3]) + (", …" if len(named) > 3 else "")
    title = {"en": f"Rulings{about}", "de": f"Regelerläuterungen{about}"}
    yield from provenance(found.digest, found.kind, Path(found.source).name, title, len(found.statements), now, None)
    if found.digest in known.sources:
        same = ox.NamedNode("http://www.w3.org/2002/07/owl#sameAs")
        yield ox.Triple(source, same, ox.NamedNode(known.sources[found.digest]))
