"""Named graphs in memory, or in a folder on disk (Oxigraph).

What is small is written in one transaction of Oxigraph (RocksDB's write-ahead log on disk). One process at a time may
write to a folder; several may read it, but not while one writes.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import IO, cast

import pyoxigraph as ox

from rulewright.store.dataset import (
    COMMITTED,
    DIGEST,
    JOURNAL,
    PACKAGED,
    PREFIXES,
    STARTED,
    Counted,
    Dataset,
    Results,
    Term,
    data_block,
    dropping,
    has_blank,
    in_graph,
    mark,
    quads_of,
    removing,
    unmarking,
)
from rulewright.store.protocol import StoreError
from rulewright.store.sparql import has_from

BATCH = 5_000
"""Triples that one transaction takes quickly; what has fewer is written in one."""
SWEPT = 50_000
"""Triples that are removed at once."""
WAIT = 5.0
"""Seconds to wait for another process to be done with the folder."""

_ROCKSDB = re.compile(r"CURRENT|IDENTITY|LOCK|LOG(\.old.*)?|(MANIFEST|OPTIONS)-\d+|\d+\.(log|sst|blob|dbtmp)|.*\.dbtmp")
_LOCK = ".rulewright-lock"


class Local(Dataset):
    """Made by `at`, in memory or in a folder."""

    def __init__(self, store: ox.Store, folder: Path | None = None, read_only: bool = False, lock: int = -1) -> None:
        self._open: ox.Store | None = store
        self.folder, self.read_only = folder, read_only
        self.name = str(folder) if folder else "the store in memory"
        self._lock = lock
        self._written = self._poured = False
        self._unfinished = {
            q.subject for q in store.quads_for_pattern(None, STARTED, None, ox.NamedNode(JOURNAL))
            if isinstance(q.subject, ox.NamedNode)
        }  # fmt: skip
        """Graphs that were started and not committed."""

    @classmethod
    def at(cls, folder: Path | None, read_only: bool = False) -> Local:
        """See `Dataset.open`."""
        if folder is None:
            return cls(ox.Store())
        _inspect(folder, read_only)
        lock = _locked(folder, shared=read_only)
        try:
            store = ox.Store.read_only(str(folder)) if read_only else ox.Store(folder)
        except OSError as error:
            _unlock(lock)
            raise _cannot_open(folder, error) from None
        made = cls(store, folder, read_only, lock)
        if not read_only:
            try:
                made._sweep()
            except BaseException:
                made.close()
                raise
        return made

    def close(self) -> None:
        if self._written and self._open is not None:
            # Else the next one to open the folder must replay the log. All is safe without it: an error is none.
            with suppress(OSError, RuntimeError):
                self._open.flush()
        self._open = None
        _unlock(self._lock)
        self._lock = -1

    def __len__(self) -> int:
        return len(self._store) - sum(
            sum(1 for _ in self._store.quads_for_pattern(None, None, None, graph)) for graph in self._unfinished
        )

    @property
    def _store(self) -> ox.Store:
        if self._open is None:
            raise StoreError(self.name, "is closed", "open it again")
        return self._open

    def graphs(self) -> list[str]:
        return sorted(g.value for g in self._named() if isinstance(g, ox.NamedNode))

    def _named(self) -> Iterator[ox.NamedNode | ox.BlankNode]:
        return (g for g in self._store.named_graphs() if g not in self._unfinished)

    def __contains__(self, graph: object) -> bool:
        if not isinstance(graph, str):
            return False
        node = ox.NamedNode(graph)
        return node not in self._unfinished and self._store.contains_named_graph(node)

    def triples(self, graph: str) -> Iterator[ox.Triple]:
        node = ox.NamedNode(graph)
        if node not in self._unfinished:
            for quad in self._store.quads_for_pattern(None, None, None, node):
                yield quad.triple

    def quads(self) -> Iterator[ox.Quad]:
        for graph in (ox.DefaultGraph(), *self._named()):
            yield from self._store.quads_for_pattern(None, None, None, graph)

    def query(
        self, sparql: str, substitutions: Mapping[str, Term] | None = None, graphs: Iterable[str] = (), *,
        default_graphs: Sequence[str] = (), named_graphs: Sequence[str] = (),
    ) -> Results:  # fmt: skip
        given = bool(default_graphs or named_graphs)
        union = not given and not has_from(sparql)
        named: list[ox.NamedNode | ox.BlankNode] | None = list(self._named()) if union and self._unfinished else None
        default: list[ox.NamedNode | ox.BlankNode | ox.DefaultGraph] | None = None
        if given:
            default, named = list(self._finished(default_graphs)), list(self._finished(named_graphs))
        elif named is not None:
            default = [ox.DefaultGraph(), *named]
        try:
            return self._store.query(
                sparql,
                prefixes=dict(PREFIXES),
                use_default_graph_as_union=union and named is None,
                default_graph=default,
                named_graphs=named,
                substitutions={ox.Variable(n): t for n, t in (substitutions or {}).items()},
            )
        except OSError as error:
            raise StoreError(self.name, f"cannot answer: {error}", "look at the disk, or make the store anew") from None
        except RuntimeError as error:
            raise ValueError(str(error)) from None

    def _finished(self, graphs: Iterable[str]) -> Iterator[ox.NamedNode]:
        return (node for node in map(ox.NamedNode, graphs) if node not in self._unfinished)

    def add_graph(self, name: str, quads_or_triples: Iterable[ox.Quad | ox.Triple]) -> None:
        self._extend(in_graph(name, quads_or_triples))

    def replace_graph(self, name: str, triples: Iterable[ox.Quad | ox.Triple]) -> None:
        self._update(f"{dropping(name)} ;\n{data_block(in_graph(name, triples))}")

    def fill(self, graph: str, lines: Iterable[str], replace: bool = False) -> int:
        counted = Counted(lines)
        if graph in self:
            self._merge(graph, counted, replace)
            return counted.number
        first = list(islice(counted, BATCH))
        if len(first) < BATCH:
            self._extend([*in_graph(graph, _parsed(first)), mark(graph, COMMITTED)])
            return counted.number
        node = ox.NamedNode(graph)
        self._extend([mark(graph, STARTED)])
        self._unfinished.add(node)
        try:
            self._pour(node, chain(first, counted))
        except BaseException:
            self._sweep()
            raise
        self._update(f"{unmarking(graph)} ;\n{data_block([mark(graph, COMMITTED)])}")
        self._flush()
        self._unfinished.discard(node)
        return counted.number

    def drop(self, graph: str) -> None:
        self._extend([mark(graph, STARTED)])  # at once nobody sees it any more
        self._unfinished.add(ox.NamedNode(graph))
        self._sweep()

    def _pour(self, graph: ox.NamedNode, lines: Iterator[str]) -> None:
        if self.folder is None:
            while batch := "".join(islice(lines, BATCH)):
                self._store.load(batch.encode(), format=ox.RdfFormat.N_TRIPLES, to_graph=graph)
            return
        # What is loaded in bulk does not go through the log: the start must not come to the disk after it.
        self._flush()
        source = _Stream(lines)
        try:
            self._store.bulk_load(cast(IO[bytes], source), format=ox.RdfFormat.N_TRIPLES, to_graph=graph)
            self._poured = True
        except (OSError, RuntimeError) as error:
            raise source.error or self._not_written(error) from None
        if source.error is not None:
            raise source.error

    def _merge(self, graph: str, lines: Iterable[str], replace: bool) -> None:
        """Writes what differs. Of blank nodes it cannot be told whether they differ: with them, all does."""
        if replace and any(map(has_blank, self.triples(graph))):
            self.replace_graph(graph, _parsed(lines))
            return
        node = ox.NamedNode(graph)
        new: list[ox.Triple] = []
        seen: set[bytes] = set()
        for triple in _parsed(lines):
            if has_blank(triple) or ox.Quad(triple.subject, triple.predicate, triple.object, node) not in self._store:
                new.append(triple)
            if replace:
                seen.add(_key(triple))
        gone = [t for t in self.triples(graph) if _key(t) not in seen] if replace else []
        if not gone:
            self._extend(in_graph(graph, new) if new else [])
            return
        self._update(f"{data_block(in_graph(graph, gone), 'DELETE')} ;\n{data_block(in_graph(graph, new))}")

    def _sweep(self) -> None:
        """Removes what was started and not committed, in batches: in one transaction it costs its square."""
        for graph in list(self._unfinished):
            some = f"SELECT * {{ GRAPH {graph} {{ ?s ?p ?o }} }} LIMIT {SWEPT}"
            while next(self._store.quads_for_pattern(None, None, None, graph), None):
                self._update(f"DELETE {{ GRAPH {graph} {{ ?s ?p ?o }} }} WHERE {{ {some} }}")
            self._update(removing(graph.value))
            self._unfinished.discard(graph)

    def _flush(self) -> None:
        """To the disk, from where it survives the machine; without it, this process only."""
        if self.folder is not None:
            with self._writing():
                self._store.flush()

    def settle(self) -> None:
        if self._poured:
            # Each load in bulk leaves files of its own, and whatever is looked up is looked for in all of them.
            with suppress(OSError, RuntimeError):
                self._store.optimize()
            self._poured = False

    def keep(self, name: str, digest: str, triples: Iterable[ox.Quad | ox.Triple]) -> None:
        quads = in_graph(name, triples)
        quads.append(ox.Quad(ox.NamedNode(name), DIGEST, ox.Literal(digest), ox.NamedNode(PACKAGED)))
        if name in self:
            self._update(f"{dropping(name)} ;\n{data_block(quads)}")
        else:
            self._extend(quads)

    def load(self, file: Path) -> None:
        self._extend(quads_of(file))

    def _extend(self, quads: list[ox.Quad]) -> None:
        with self._writing():
            self._store.extend(quads)
            self._written = self.folder is not None

    def _update(self, update: str) -> None:
        with self._writing():
            self._store.update(update)
            self._written = self.folder is not None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, RuntimeError) as error:
            raise self._not_written(error) from None

    def _not_written(self, error: Exception) -> StoreError:
        if self.read_only:
            return StoreError(self.name, "is open for reading only", "open it for writing")
        return StoreError(self.name, f"cannot be written: {error}", "look at the disk, or make the store anew")


def _key(triple: ox.Triple) -> bytes:
    """What a triple is remembered by, where many are."""
    return hashlib.blake2b(str(triple).encode(), digest_size=16).digest()


class _Stream(io.RawIOBase):
    """Lines as a binary file. `error`: what they raised, which Oxigraph would tell as an error of its own."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self._left = b""
        self.error: BaseException | None = None

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        if not self._left:
            try:
                self._left = "".join(islice(self._lines, 1000)).encode()
            except BaseException as error:
                self.error = error
                raise
        taken = self._left if size < 0 else self._left[:size]
        self._left = self._left[len(taken) :]
        return taken


def _parsed(lines: Iterable[str]) -> Iterator[ox.Triple]:
    source = _Stream(lines)
    try:
        for quad in ox.parse(cast(IO[bytes], source), format=ox.RdfFormat.N_TRIPLES):
            yield quad.triple
    except OSError as error:
        raise source.error or error from None


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
