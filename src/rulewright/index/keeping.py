"""Where an index is kept: made when a store on disk is filled, else at first use, and again when what it is of changed.

That of the packaged graph is a file in the user's cache folder, named by the digest of all that it is made of; that of
a store on disk is a file in the store's folder, which says by a digest of the store's graphs what it is of; that of a
server likewise, in the cache folder. A file is written aside and then takes the place of the old one: whoever reads
sees a whole index, the old or the new one. Where nothing can be written, the index is made in memory.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from rulewright.index.building import LAYOUT, build
from rulewright.index.model import Document
from rulewright.index.searching import Index
from rulewright.version import __version__
from rulewright.vocabulary import CORE, turtle_files
from rulewright.vocabulary.cache import folder as cache_folder
from rulewright.vocabulary.cache import mode_of_new

if TYPE_CHECKING:
    from rulewright.store import Dataset

NAME: Final = ".rulewright-search"
RECORDS: Final = "records"
"""The kind of a source that is game records."""
Progress: TypeAlias = Callable[[Iterable[Document]], Iterable[Document]]
"""What watches the documents as they go by, for a progress bar."""
_PART: Final = ".part"


def open_index(store: Path | Dataset | None = None, progress: Progress | None = None, anew: bool = False) -> Index:
    """The index of the packaged graph, of a store's folder or of an open dataset; made, if it must be.

    With `anew` whatever there is is not used. Raises `rulewright.store.StoreError` for a folder that cannot be opened.
    """
    progress = progress or iter
    if store is None:
        return _of_package(progress, anew)
    from rulewright.store import Dataset

    with nullcontext(store) if isinstance(store, Dataset) else Dataset.open(store, read_only=True) as dataset:
        state = state_of(dataset, games=False)
        files = _files_of(dataset)
        return _kept(files, state, lambda: _documents(dataset), progress, anew)


def keep_index(dataset: Dataset, progress: Progress | None = None) -> bool:
    """Makes the index of a dataset where `open_index` looks for it, if it is not there; whether it is there now."""
    from rulewright.store import StoreError

    with suppress(OSError, sqlite3.Error, StoreError):
        state = state_of(dataset, games=False)
        index = _in_a_file(_files_of(dataset), state, lambda: _documents(dataset), progress or iter, False)
        if index is not None:
            index.close()
            return True
    return False


def _files_of(dataset: Dataset) -> list[Path]:
    """Where the index of a dataset may be kept, the best place first; nowhere for one in memory."""
    home = getattr(dataset, "folder", dataset.name)
    if home is None:
        return []
    if isinstance(home, Path):
        return [home / f"{NAME}.sqlite", *_cached_of(str(home.resolve()))]
    return _cached_of(home)  # a server


def _cached_of(home: str) -> list[Path]:
    """By where it is of alone: one by another version of the program takes the place of the old one."""
    return _cached(f"store-{hashlib.sha256(home.encode()).hexdigest()}")


def state_of(dataset: Dataset, games: bool = True) -> str:
    """A digest of what a dataset holds: its graphs, the digests of those packaged, when others were committed, and when
    sources were read, since a source that is read again by a later version has the same graph and may say more. Without
    `games` what game records there are does not count: the index has nothing of them.
    """
    from rulewright.store.dataset import JOURNAL, PACKAGED

    marks = dataset.rows(
        f"""SELECT ?graph ?mark WHERE {{
            {{ GRAPH <{PACKAGED}> {{ ?graph <{CORE}digest> ?mark }} }}
            UNION {{ GRAPH <{JOURNAL}> {{ ?graph <{CORE}committed> ?mark }} }}
            UNION {{ GRAPH ?in {{ ?graph a <{CORE}Source> ; prov:generatedAtTime ?mark }} }}
            UNION {{ GRAPH ?graph {{ ?graph <{CORE}kind> ?mark }} FILTER (?mark = "{RECORDS}") }}
        }}"""
    )
    pairs = [(row["graph"].value, row["mark"].value) for row in marks]
    silent = set() if games else {JOURNAL, *(graph for graph, mark in pairs if mark == RECORDS)}
    told = sorted(f"{graph} {mark}" for graph, mark in pairs if graph not in silent)
    return _digest([*(graph for graph in dataset.graphs() if graph not in silent), *told])


def _of_package(progress: Progress, anew: bool) -> Index:
    def make() -> Iterator[Document]:
        from rulewright.store import Dataset

        with Dataset.open() as dataset:
            dataset.load_packaged()
            yield from _documents(dataset)

    files = [file for folder in ("ontology", "data") for file in turtle_files(folder)]
    state = _digest(hashlib.sha256(file.read_bytes()).hexdigest() for file in files)
    return _kept(_cached(f"packaged-{state}"), state, make, progress, anew)


def _documents(dataset: Dataset) -> Iterator[Document]:
    from rulewright.index.documents import documents

    return documents(dataset)


def _digest(parts: Iterable[str]) -> str:
    """Of what an index is made of and of what makes it: a checkout changes without a new version."""
    found = hashlib.sha256(f"{LAYOUT} {__version__}\n".encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        found.update(file.read_bytes())
    for part in parts:
        found.update(f"{part}\n".encode())
    return found.hexdigest()


def _cached(name: str) -> list[Path]:
    return [] if os.environ.get("RULEWRIGHT_CACHE") == "" else [cache_folder() / f"search-{name[:40]}.sqlite"]


def _kept(
    files: list[Path], state: str, make: Callable[[], Iterable[Document]], progress: Progress, anew: bool
) -> Index:
    """The index of this state from a file, else made in memory."""
    index = _in_a_file(files, state, make, progress, anew)
    return Index(build(None, progress(make()), state)) if index is None else index


def _in_a_file(
    files: list[Path], state: str, make: Callable[[], Iterable[Document]], progress: Progress, anew: bool
) -> Index | None:
    """The index of this state from the first of the files that can be used, else made in the first that can be."""
    if not anew:
        for file in files:
            if (index := _opened(file, state)) is not None:
                return index
    for file in files:
        with suppress(OSError, sqlite3.OperationalError):
            with _alone(file):
                if not anew and (index := _opened(file, state)) is not None:
                    return index  # another process has made it meanwhile
                _write(file, progress(make()), state)
            if (index := _opened(file, state)) is not None:
                return index
    return None


def _opened(file: Path, state: str) -> Index | None:
    """The index in a file, if it is one, whole, and of this state."""
    if not file.is_file():
        return None
    connection: sqlite3.Connection | None = None
    with suppress(sqlite3.Error, OSError):
        # a file never changes once it is there: it needs no locks, and a folder that may only be read will do
        connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        kept = dict(connection.execute("SELECT key, value FROM state").fetchall())
        if kept == {"layout": LAYOUT, "of": state}:
            return Index(connection)
    if connection is not None:
        connection.close()
    return None


def _write(file: Path, documents: Iterable[Document], state: str) -> None:
    """Whole or not at all."""
    for left in file.parent.glob(f"{file.name}.*{_PART}"):
        left.unlink(missing_ok=True)  # by a process that was killed: nobody else writes here now
    handle, name = tempfile.mkstemp(_PART, f"{file.name}.", file.parent)
    part = Path(name)
    try:
        build(part, documents, state).close()
        os.fsync(handle)
        if file.name.startswith("search-packaged-"):
            for old in file.parent.glob("search-packaged-*"):
                if old.stem != file.stem and old.suffix in (".sqlite", ".lock"):
                    old.unlink(missing_ok=True)
        part.chmod(mode_of_new())
        os.replace(part, file)
    finally:
        os.close(handle)
        part.unlink(missing_ok=True)


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """One process at a time makes an index; the others wait for it, where locks are to be had."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(file.parent / f"{file.stem}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        with suppress(ImportError, OSError):
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
