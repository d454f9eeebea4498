"""Named graphs: in memory, or in a folder on disk (Oxigraph).

Graphs of the package are named after their files: `data/cards.ttl` is `https://w3id.org/rulewright/graph/cards`,
`data/rulings/escape.ttl` is `graph/rulings/escape`, `ontology/core.ttl` is `graph/ontology/core`. An ingested source
document has a graph of its own, `https://w3id.org/rulewright/source/<first 16 hexadecimal digits of its SHA-256>`. The
graph `graph/packaged` says which files of the package are there, by digest.

What is written is written whole or not at all (a transaction of Oxigraph, RocksDB's write-ahead log on disk). One
process at a time may write to a folder; several may read it, but not while one writes. Nothing is fetched.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, TypeAlias, cast

import pyoxigraph as ox

from rulewright.store.protocol import StoreError
from rulewright.vocabulary import AX, BASE, CORE, GAME, RDF, SH, SKOS, packaged, turtle_files

GRAPH = BASE + "graph/"
SOURCE = BASE + "source/"
PACKAGED = GRAPH + "packaged"
DESCRIPTION = GRAPH + "description"
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
WAIT = 5.0
"""Seconds to wait for another process to be done with the folder."""

Term: TypeAlias = ox.NamedNode | ox.BlankNode | ox.Literal
Results: TypeAlias = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples

_DIGEST = ox.NamedNode(CORE + "digest")
_ROCKSDB = re.compile(r"CURRENT|IDENTITY|LOCK|LOG(\.old.*)?|(MANIFEST|OPTIONS)-\d+|\d+\.(log|sst|blob|dbtmp)|.*\.dbtmp")
_LOCK = ".rulewright-lock"
_QUIET = re.compile(r"""<[^<>"{}|^`\\\s]*>|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\#[^\n]*""")
_FROM = re.compile(r"(?<![\w?$:.-])FROM(?:\s+NAMED)?(?:\s*<|\s+[\w.-]*:)", re.IGNORECASE)


class Dataset:
    """Named graphs, in memory or in a folder on disk. `close` it, or use it in a `with` statement."""

    def __init__(self, store: ox.Store, folder: Path | None = None, read_only: bool = False, lock: int = -1) -> None:
        self._open: ox.Store | None = store
        self.folder, self.read_only = folder, read_only
        self._lock = lock
        self._written = False

    @classmethod
    def open(cls, folder: Path | None = None, read_only: bool = False) -> Dataset:
        """The dataset in `folder`, made if it is not there yet; in memory where `folder` is None.

        With `read_only` the folder must be a store already. Raises StoreError for a folder that is none, or that
        another process holds.
        """
        if folder is None:
            return cls(ox.Store())
        _inspect(folder, read_only)
        lock = _locked(folder, shared=read_only)
        try:
            store = ox.Store.read_only(str(folder)) if read_only else ox.Store(folder)
        except OSError as error:
            _unlock(lock)
            raise _cannot_open(folder, error) from None
        return cls(store, folder, read_only, lock)

    def close(self) -> None:
        """Lets go of the folder. Nothing else can be done with the dataset afterwards."""
        if self._written and self._open is not None:
            # Else the next one to open the folder must replay the log. All is safe without it: an error is none.
            with suppress(OSError, RuntimeError):
                self._open.flush()
        self._open = None
        _unlock(self._lock)
        self._lock = -1

    def __enter__(self) -> Dataset:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        """The number of quads."""
        return len(self._store)

    @property
    def name(self) -> str:
        return str(self.folder) if self.folder else "the store in memory"

    @property
    def _store(self) -> ox.Store:
        if self._open is None:
            raise StoreError(self.name, "is closed", "open it again")
        return self._open

    # --- what is there

    def graphs(self) -> list[str]:
        """The IRIs of all named graphs, sorted."""
        return sorted(g.value for g in self._store.named_graphs() if isinstance(g, ox.NamedNode))

    def __contains__(self, graph: object) -> bool:
        return isinstance(graph, str) and self._store.contains_named_graph(ox.NamedNode(graph))

    def triples(self, graph: str) -> Iterator[ox.Triple]:
        """The triples of one graph; none where there is no such graph."""
        for quad in self._store.quads_for_pattern(None, None, None, ox.NamedNode(graph)):
            yield quad.triple

    def quads(self) -> Iterator[ox.Quad]:
        """All quads, one graph after the other."""
        for graph in (ox.DefaultGraph(), *self._store.named_graphs()):
            yield from self._store.quads_for_pattern(None, None, None, graph)

    def query(
        self, sparql: str, substitutions: Mapping[str, Term] | None = None,
        default_graphs: Sequence[str] = (), named_graphs: Sequence[str] = (),
    ) -> Results:  # fmt: skip
        """The answer to a query of SPARQL 1.1; `substitutions`: variables (without `?`) that the query selects,
        and the terms in their place.

        The default graph is the union of all named graphs, unless the query has FROM clauses. Where any
        `default_graphs` or `named_graphs` are given, they alone are asked, whatever the query says (SPARQL 1.1 Protocol
        §2.1.4). The prefixes of PREFIXES need no declaration. Raises SyntaxError for what is no query, ValueError for
        the substitution of a variable that is not selected or a graph whose name is no IRI, StoreError where the store
        fails.
        """
        given = bool(default_graphs or named_graphs)
        try:
            return self._store.query(
                sparql,
                prefixes=dict(PREFIXES),
                use_default_graph_as_union=not given and not _FROM.search(_QUIET.sub(_hush, sparql)),
                default_graph=[ox.NamedNode(g) for g in default_graphs] if given else None,
                named_graphs=[ox.NamedNode(g) for g in named_graphs] if given else None,
                substitutions={ox.Variable(n): t for n, t in (substitutions or {}).items()},
            )
        except OSError as error:
            raise StoreError(self.name, f"cannot answer: {error}", "look at the disk, or make the store anew") from None
        except RuntimeError as error:
            raise ValueError(str(error)) from None

    # --- writing: each all or nothing

    def add_graph(self, name: str, quads_or_triples: Iterable[ox.Quad | ox.Triple]) -> None:
        """Adds triples to a named graph, in one transaction; what is there stays. A quad's own graph does not count."""
        self._extend(_quads(name, quads_or_triples))

    def replace_graph(self, name: str, triples: Iterable[ox.Quad | ox.Triple]) -> None:
        """Puts a graph in the place of the one of that name, if there is one, in one transaction."""
        self._update(_replacing(name) + _inserting(_quads(name, triples)))

    def load_packaged(self) -> None:
        """Loads what the package carries, each file into its graph, and what the scenarios are about into another.

        What is there is not loaded again. A file that has changed since (another version of the package) replaces its
        graph; a graph whose file is gone is dropped. Raises StoreError for a file that cannot be read, or where the
        store cannot be written.
        """
        from rulewright.store.scenarios import SCENARIOS, scenario_triples

        there = {
            q.subject.value: q.object.value
            for q in self._store.quads_for_pattern(None, _DIGEST, None, ox.NamedNode(PACKAGED))
            if isinstance(q.subject, ox.NamedNode) and isinstance(q.object, ox.Literal)
        }
        files = packaged_graphs()
        for name in there.keys() - files.keys() - {SCENARIOS}:
            self._update(_replacing(name))
        for name, file in files.items():
            content = file.read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            if there.get(name) != digest:
                with _mendable(file):
                    self._keep(name, digest, ox.parse(content, format=ox.RdfFormat.TURTLE))
        digest = _digest_of_scenarios()
        if there.get(SCENARIOS) != digest:
            with _mendable(packaged("data", "scenarios")):
                self._keep(SCENARIOS, digest, scenario_triples())

    def _keep(self, name: str, digest: str, triples: Iterable[ox.Quad | ox.Triple]) -> None:
        """A graph of the package and its digest, in one transaction."""
        quads = _quads(name, triples)
        quads.append(ox.Quad(ox.NamedNode(name), _DIGEST, ox.Literal(digest), ox.NamedNode(PACKAGED)))
        if name in self:
            self._update(_replacing(name) + _inserting(quads))
        else:
            self._extend(quads)

    def load(self, file: Path) -> None:
        """Adds what a file of RDF holds, all or nothing; `.trig`, `.nq`, `.ttl` or `.jsonld`, also `.gz` and `.zst`.

        Raises StoreError for a file that cannot be read.
        """
        form, packed = format_of(file)
        try:
            content = _unpacked(file.read_bytes(), packed)
            quads = list(ox.parse(content, format=form))
        except (OSError, SyntaxError, ValueError, EOFError) as error:
            raise StoreError(str(file), f"cannot be read: {error}", f"give a whole file of {form.name}") from None
        self._extend(quads)

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
        mode = file.stat().st_mode & 0o777 if file.is_file() else 0o666 & ~_umask()
        part: str | None = None
        try:
            with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.name}-", delete=False) as stream:
                part = stream.name
                with _packing(stream, packed) as sink:
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

    def _extend(self, quads: list[ox.Quad]) -> None:
        try:
            self._store.extend(quads)
            self._written = self.folder is not None
        except (OSError, RuntimeError) as error:
            raise self._not_written(error) from None

    def _update(self, update: str) -> None:
        try:
            self._store.update(update)
            self._written = self.folder is not None
        except (OSError, RuntimeError) as error:
            raise self._not_written(error) from None

    def _not_written(self, error: Exception) -> StoreError:
        if self.read_only:
            return StoreError(self.name, "is open for reading only", "open it for writing")
        return StoreError(self.name, f"cannot be written: {error}", "look at the disk, or make the store anew")


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


def _quads(name: str, items: Iterable[ox.Quad | ox.Triple]) -> list[ox.Quad]:
    graph = ox.NamedNode(name)
    return [ox.Quad(t.subject, t.predicate, t.object, graph) for t in items]


def _replacing(name: str) -> str:
    graph = ox.NamedNode(name)
    return (
        f"DROP SILENT GRAPH {graph} ;\n"
        f"DELETE WHERE {{ GRAPH <{PACKAGED}> {{ {graph} {_DIGEST} ?digest }} }} ;\n"
    )  # fmt: skip


def _inserting(quads: Iterable[ox.Quad]) -> str:
    lines = "".join(f"GRAPH {q.graph_name} {{ {q.triple} }}\n" for q in quads)
    return f"INSERT DATA {{\n{lines}}}"


def _hush(match: re.Match[str]) -> str:
    """IRIs, strings and comments hide no FROM; an IRI must still be seen to stand there."""
    return "<>" if match[0].startswith("<") else " "


# --- folders


def _inspect(folder: Path, read_only: bool) -> None:
    try:
        names = [entry.name for entry in os.scandir(folder)]
    except FileNotFoundError:
        if read_only:
            raise StoreError(str(folder), "there is no such store", "make it with: rulewright ingest --store") from None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _cannot_open(folder, error) from None
        return
    except NotADirectoryError:
        raise StoreError(str(folder), "is a file, and no folder", "name a folder") from None
    except OSError as error:
        raise _cannot_open(folder, error) from None
    if "CURRENT" in names:
        return
    if read_only:
        raise StoreError(str(folder), "is no store", "make one with: rulewright ingest --store")
    # A process that was killed while it made the store leaves some of these behind.
    if foreign := [n for n in sorted(names) if n != _LOCK and not _ROCKSDB.fullmatch(n)]:
        raise StoreError(str(folder), f"is no store, and not empty ({foreign[0]})", "name a new or an empty folder")


def _locked(folder: Path, shared: bool) -> int:
    """A lock beside RocksDB's own, which does not keep readers away from a writer; -1 where locks are not to be had."""
    try:
        import fcntl
    except ImportError:
        return -1
    try:
        lock = os.open(folder / _LOCK, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError:
        return -1  # a folder that may only be read: nobody writes there
    until = time.monotonic() + WAIT
    while True:
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            return lock
        except BlockingIOError:
            if time.monotonic() > until:
                os.close(lock)
                raise _in_use(folder) from None
            time.sleep(0.05)
        except OSError:
            os.close(lock)
            return -1  # a file system without locks


def _unlock(lock: int) -> None:
    if lock >= 0:
        os.close(lock)


def _in_use(folder: Path) -> StoreError:
    return StoreError(str(folder), "is in use by another process", "wait until that is done")


def _cannot_open(folder: Path, error: OSError) -> StoreError:
    told = next(iter(str(error).splitlines()), "")
    if "/LOCK: " in told:
        return _in_use(folder)
    if isinstance(error, PermissionError) or "Permission denied" in told or "Read-only file system" in told:
        return StoreError(str(folder), "may not be written to", "mend its permissions, or name another folder")
    return StoreError(str(folder), f"cannot be opened: {told}", "is this the folder of a store?")


# --- files


@contextmanager
def _packing(stream: IO[bytes], packed: str) -> Iterator[IO[bytes]]:
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
