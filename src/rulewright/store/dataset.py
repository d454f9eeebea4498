"""Named graphs: in memory, in a folder on disk, or on a server. What is the same of all three.

Graphs of the package are named after their files: `data/cards.ttl` is `https://w3id.org/rulewright/graph/cards`,
`data/rulings/escape.ttl` is `graph/rulings/escape`, `ontology/core.ttl` is `graph/ontology/core`. An ingested source
document has a graph of its own, `https://w3id.org/rulewright/source/<first 16 hexadecimal digits of its SHA-256>`. The
graph `graph/packaged` says which files of the package are there, by digest.

What is written is written whole or not at all. What one transaction does not hold stands between a start and a commit
in the graph `graph/journal`: what was started and not committed nobody sees, and a later writer removes it. Nothing is
fetched.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, TypeAlias, cast

import pyoxigraph as ox

from rulewright.store.protocol import StoreError
from rulewright.vocabulary import AX, BASE, CORE, GAME, RDF, SH, SKOS, packaged, turtle_files
from rulewright.vocabulary.cache import mode_of_new

if TYPE_CHECKING:
    from rulewright.store.endpoint import Endpoint

GRAPH = BASE + "graph/"
SOURCE = BASE + "source/"
PACKAGED = GRAPH + "packaged"
DESCRIPTION = GRAPH + "description"
JOURNAL = GRAPH + "journal"
PREFIXES: Mapping[str, str] = {
    "rw": CORE,
    "game": GAME,
    "ax": AX,
    **{kind: f"{BASE}{kind}/" for kind in (
        "rule", "edition", "ruling", "text", "publication", "source", "card", "term", "graph", "condition", "principle",
    )},
    "kw": BASE + "keyword/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "eli": "http://data.europa.eu/eli/ontology#",
    "ontolex": "http://www.w3.org/ns/lemon/ontolex#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": RDF,
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "sh": SH,
    "skos": SKOS,
    "skosxl": "http://www.w3.org/2008/05/skos-xl#",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}  # fmt: skip
"""Prefixes that every query may use undeclared, and with which Turtle and TriG are written."""
FORMATS: Mapping[str, ox.RdfFormat] = {
    ".trig": ox.RdfFormat.TRIG,
    ".nq": ox.RdfFormat.N_QUADS,
    ".ttl": ox.RdfFormat.TURTLE,
    ".jsonld": ox.RdfFormat.JSON_LD,
}
COMPRESSED = (".gz", ".zst")

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal
Results: TypeAlias = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples

DIGEST, STARTED, COMMITTED = (ox.NamedNode(CORE + name) for name in ("digest", "started", "committed"))
_DATE_TIME = ox.NamedNode("http://www.w3.org/2001/XMLSchema#dateTime")


class Dataset(ABC):
    """Named graphs. `close` it, or use it in a `with` statement."""

    name: str
    """What messages call it."""
    read_only: bool

    @staticmethod
    def open(folder: Path | None = None, read_only: bool = False) -> Dataset:
        """The dataset in `folder`, made if it is not there yet; in memory where `folder` is None.

        With `read_only` the folder must be a store already. Raises StoreError for a folder that is none, or that
        another process holds.
        """
        from rulewright.store.local import Local

        return Local.at(folder, read_only)

    @staticmethod
    def connect(endpoint: Endpoint, read_only: bool = False) -> Dataset:
        """The dataset on a server. Nothing is asked of it yet."""
        from rulewright.store.server import Server

        return Server(endpoint, read_only)

    @abstractmethod
    def close(self) -> None:
        """Lets go of it. Nothing else can be done with the dataset afterwards."""

    def __enter__(self) -> Dataset:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- what is there

    @abstractmethod
    def graphs(self) -> list[str]:
        """The IRIs of all named graphs, sorted."""

    @abstractmethod
    def __contains__(self, graph: object) -> bool:
        """Whether there is a graph of that name."""

    @abstractmethod
    def triples(self, graph: str) -> Iterator[ox.Triple]:
        """The triples of one graph; none where there is no such graph."""

    @abstractmethod
    def quads(self) -> Iterator[ox.Quad]:
        """All quads, one graph after the other."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of quads."""

    @abstractmethod
    def query(
        self, sparql: str, substitutions: Mapping[str, Term] | None = None, graphs: Iterable[str] = (), *,
        default_graphs: Sequence[str] = (), named_graphs: Sequence[str] = (),
    ) -> Results:  # fmt: skip
        """The answer to a query of SPARQL 1.1; `substitutions`: variables (without `?`) that the query selects,
        and the terms in their place.

        The default graph is the union of all named graphs, unless the query has FROM clauses. `graphs`: the parts of
        the dataset that the query is about (`cards`, `rulings`, `source`), if only some are: a server that has to be
        told every graph is spared the others. Where any `default_graphs` or `named_graphs` are given, they alone are
        asked, whatever the query says (SPARQL 1.1 Protocol §2.1.4). The prefixes of PREFIXES need no declaration.
        Raises SyntaxError for what is no query, ValueError for the substitution of a variable that is not selected or a
        graph whose name is no IRI, StoreError where the store fails.

        Answers are found as they are read, and by the thread that asked: no other may read them, or let go of them.
        """

    def rows(
        self, select: str, graphs: Iterable[str] = (), *, default_graphs: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """All the answers to a SELECT at once, for whichever thread: by variable, None where one is unbound."""
        found = self.query(select, graphs=graphs, default_graphs=default_graphs)
        if not isinstance(found, ox.QuerySolutions):
            raise ValueError("this is no SELECT query: ask with SELECT")
        try:
            names, rows = [v.value for v in found.variables], list(found)
        finally:
            del found  # a traceback would keep it until another thread may let go of that
        return [dict(zip(names, row, strict=True)) for row in rows]

    # --- writing: each all or nothing

    @abstractmethod
    def add_graph(self, name: str, quads_or_triples: Iterable[ox.Quad | ox.Triple]) -> None:
        """Adds triples to a named graph; what is there stays. A quad's own graph does not count."""

    @abstractmethod
    def replace_graph(self, name: str, triples: Iterable[ox.Quad | ox.Triple]) -> None:
        """Puts a graph in the place of the one of that name, if there is one."""

    @abstractmethod
    def fill(self, graph: str, lines: Iterable[str], replace: bool = False) -> int:
        """Writes lines of N-Triples to a named graph, whole or not at all; how many there were.

        Each line comes with its end. What is in the graph stays, unless `replace`: then it goes in the same moment in
        which the new is there. A new graph may be of any size: its lines are read as they are written, and memory does
        not grow with them. Blank nodes keep their identity within a call. Raises SyntaxError for what is no line, and
        whatever `lines` raises; then all is as it was.
        """

    @abstractmethod
    def drop(self, graph: str) -> None:
        """Removes a graph, and what is said of its writing. One that is not there is no error."""

    @abstractmethod
    def load(self, file: Path) -> None:
        """Adds what a file of RDF holds; `.trig`, `.nq`, `.ttl` or `.jsonld`, also `.gz` and `.zst`.

        Raises StoreError for a file that cannot be read.
        """

    @abstractmethod
    def keep(self, name: str, digest: str, triples: Iterable[ox.Quad | ox.Triple]) -> None:
        """Puts a graph of the package in the place of the one of that name, and its digest into PACKAGED."""

    @abstractmethod
    def settle(self) -> None:
        """Puts in order on the disk what was written in bulk, where that makes it faster to ask; all is safe before."""

    def load_packaged(self) -> None:
        """Loads what the package carries, each file into its graph, and what the scenarios are about into another.

        What is there is not loaded again. A file that has changed since (another version of the package) replaces its
        graph; a graph whose file is gone is dropped. Raises StoreError for a file that cannot be read, or where the
        store cannot be written.
        """
        from rulewright.store.scenarios import SCENARIOS, scenario_triples

        there = {
            t.subject.value: t.object.value
            for t in self.triples(PACKAGED)
            if t.predicate == DIGEST and isinstance(t.subject, ox.NamedNode) and isinstance(t.object, ox.Literal)
        }
        files = packaged_graphs()
        for name in there.keys() - files.keys() - {SCENARIOS}:
            self.drop(name)
        for name, file in files.items():
            content = file.read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            if there.get(name) != digest:
                with _mendable(file):
                    self.keep(name, digest, ox.parse(content, format=ox.RdfFormat.TURTLE))
        digest = _digest_of_scenarios()
        if there.get(SCENARIOS) != digest:
            with _mendable(packaged("data", "scenarios")):
                self.keep(SCENARIOS, digest, scenario_triples())

    def dump(self, file: Path, quads: Iterable[ox.Quad] | None = None) -> None:
        """Writes all quads, or others in their place, to a file (formats as for `load`): whole or not at all.

        Turtle has no named graphs: there all graphs become one. Raises StoreError where it cannot be written.
        """
        form, packed = format_of(file)
        items: Iterable[ox.Quad] | Iterable[ox.Triple] = self.quads() if quads is None else quads
        if not form.supports_datasets:
            items = dict.fromkeys(q.triple for q in items if isinstance(q, ox.Quad))
        if file.is_dir():
            raise StoreError(str(file), "is a folder", "name a file")
        mode = file.stat().st_mode & 0o777 if file.is_file() else mode_of_new()
        part: str | None = None
        try:
            with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}-", delete=False) as stream:
                part = stream.name
                with packing(stream, packed) as sink:
                    ox.serialize(items, sink, format=form, prefixes=dict(PREFIXES))
            os.chmod(part, mode)
            os.replace(part, file)
            part = None
        except OSError as error:
            raise StoreError(str(file), f"cannot be written: {error.strerror or error}", "mend the path") from None
        finally:
            if part is not None:
                with suppress(OSError):
                    os.unlink(part)


def packaged_graphs() -> dict[str, Path]:
    """Graph -> the packaged file that it is made of: the ontologies (without shapes) and the data."""
    files = [f for f in turtle_files("ontology") if f.parent == packaged("ontology")] + turtle_files("data")
    root, data = packaged(), packaged("data")
    return {
        GRAPH + f.relative_to(data if f.is_relative_to(data) else root).with_suffix("").as_posix(): f for f in files
    }


@contextmanager
def _mendable(file: Path) -> Iterator[None]:
    """A checkout's own files may be broken for a while: then one line says which."""
    try:
        yield
    except (SyntaxError, ValueError, KeyError) as error:
        raise StoreError(str(file), f"cannot be read: {error}", "mend it") from None


def _digest_of_scenarios() -> str:
    """Of the files, and of what makes a graph of them."""
    from rulewright.store import scenarios

    found = hashlib.sha256(Path(scenarios.__file__).read_bytes())
    for file in sorted(packaged("data", "scenarios").rglob("*.json")):
        found.update(file.read_bytes())
    return found.hexdigest()


def format_of(file: Path) -> tuple[ox.RdfFormat, str]:
    """The format that a file's name asks for, and `.gz`, `.zst` or nothing. Raises StoreError for another name."""
    packed = file.suffix.lower() if file.suffix.lower() in COMPRESSED else ""
    suffix = Path(file.stem if packed else file.name).suffix.lower()
    if suffix not in FORMATS:
        raise StoreError(
            str(file), "is of no format that is known by its name",
            f"name it {', '.join(FORMATS)}, or one of these with {' or '.join(COMPRESSED)}",
        )  # fmt: skip
    return FORMATS[suffix], packed


def quads_of(file: Path) -> list[ox.Quad]:
    """What a file of RDF holds. Raises StoreError for a file that cannot be read."""
    form, packed = format_of(file)
    try:
        return list(ox.parse(_unpacked(file.read_bytes(), packed), format=form))
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise StoreError(str(file), f"cannot be read: {error}", f"give a whole file of {form.name}") from None


# --- updates


def in_graph(name: str, items: Iterable[ox.Quad | ox.Triple]) -> list[ox.Quad]:
    graph = ox.NamedNode(name)
    return [ox.Quad(t.subject, t.predicate, t.object, graph) for t in items]


def mark(graph: str, how: ox.NamedNode) -> ox.Quad:
    """That a graph is STARTED or COMMITTED now, for the journal."""
    now = ox.Literal(dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), datatype=_DATE_TIME)
    return ox.Quad(ox.NamedNode(graph), how, now, ox.NamedNode(JOURNAL))


def unmarking(graph: str) -> str:
    """The update after which the journal says nothing of a graph."""
    node = ox.NamedNode(graph)
    return " ;\n".join(f"DELETE WHERE {{ GRAPH <{JOURNAL}> {{ {node} {p} ?when }} }}" for p in (STARTED, COMMITTED))


def removing(graph: str) -> str:
    """The update that removes a graph, and all that is said of it."""
    return f"{dropping(graph)} ;\n{unmarking(graph)}"


def dropping(graph: str) -> str:
    """The update that removes a graph, and what PACKAGED says of it."""
    node = ox.NamedNode(graph)
    return (
        f"DROP SILENT GRAPH {node} ;\n"
        f"DELETE WHERE {{ GRAPH <{PACKAGED}> {{ {node} {DIGEST} ?digest }} }}"
    )  # fmt: skip


def data_block(quads: Iterable[ox.Quad], how: str = "INSERT") -> str:
    """INSERT DATA, or DELETE DATA."""
    lines = "".join(f"GRAPH {q.graph_name} {{ {q.triple} }}\n" for q in quads)
    return f"{how} DATA {{\n{lines}}}"


class Counted(Iterator[str]):
    """Lines, counted as they are taken."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.number = 0

    def __next__(self) -> str:
        line = next(self._lines)
        self.number += 1
        return line


def has_blank(triple: ox.Triple) -> bool:
    return isinstance(triple.subject, ox.BlankNode) or isinstance(triple.object, ox.BlankNode)


# --- files


@contextmanager
def packing(stream: IO[bytes], packed: str) -> Iterator[IO[bytes]]:
    if packed == ".gz":
        import gzip

        # without the time of the packing: the same data make the same file
        with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as sink:
            yield cast(IO[bytes], sink)
    elif packed == ".zst":
        import zstandard

        with zstandard.ZstdCompressor(level=10).stream_writer(stream, closefd=False) as sink:
            yield cast(IO[bytes], sink)
    else:
        yield stream


def _unpacked(content: bytes, packed: str) -> bytes:
    if packed == ".gz":
        import gzip

        return gzip.decompress(content)
    if packed == ".zst":
        import zstandard

        try:
            return zstandard.ZstdDecompressor().stream_reader(io.BytesIO(content), read_across_frames=True).read()
        except zstandard.ZstdError as error:
            raise ValueError(str(error)) from None
    return content
