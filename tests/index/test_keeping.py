"""Where an index is kept, and when it is made anew."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

import rulewright
from rulewright.index import Document, keep_index, keeping, open_index, state_of
from rulewright.store import Dataset, StoreError
from rulewright.vocabulary import BASE

CARD = f"<{BASE}card/%s> a <{BASE}core#Card> ; <http://www.w3.org/2004/02/skos/core#prefLabel> '%s'@en ."


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    with Dataset.open(folder) as dataset:
        add(dataset, "one", "Gleam")
    return folder


def add(dataset: Dataset, graph: str, name: str) -> None:
    dataset.add_graph(f"{BASE}source/{graph}", ox.parse(CARD % (graph, name), format=ox.RdfFormat.TURTLE))


class Watch:
    """Counts how often an index is made."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, documents: Iterable[Document]) -> Iterator[Document]:
        self.times += 1
        return iter(documents)


def files(folder: Path) -> list[str]:
    return sorted(f.name for f in folder.glob(f"{keeping.NAME}*") if f.suffix != ".lock")


def test_that_of_the_package_is_made_once(cache: Path) -> None:
    watch = Watch()
    for _ in range(2):
        with open_index(None, watch) as index:
            assert index.search("rebound")[0].local == "keyword/rebound"
    assert watch.times == 1
    (file,) = cache.glob("*.sqlite")
    assert file.name.startswith("search-packaged-")


def test_that_of_an_older_package_goes(cache: Path) -> None:
    cache.mkdir()
    for name in ("search-packaged-0123.sqlite", "search-packaged-0123.lock", "search-store-0123.sqlite"):
        (cache / name).write_bytes(b"old")
    open_index().close()
    left = {f.name for f in cache.iterdir()}
    assert len(left) == 3
    assert not any("packaged-0123" in name for name in left)


def test_without_a_cache_it_is_made_in_memory(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    with open_index() as index:
        assert index.search("rebound")
    assert not cache.exists()


def test_that_of_a_store_is_kept_in_its_folder_and_made_again_when_it_changes(store: Path) -> None:
    watch = Watch()
    for _ in range(2):
        with open_index(store, watch) as index:
            assert [h.title("en") for h in index.search("gleam")] == ["Gleam"]
    assert (watch.times, files(store)) == (1, [f"{keeping.NAME}.sqlite"])
    with Dataset.open(store) as dataset:
        add(dataset, "two", "Glimmer")
        with open_index(dataset, watch) as index:
            assert len(index) == 2
    assert watch.times == 2
    with open_index(store, watch) as index:
        assert index.search("glimmer")
    assert watch.times == 2


def test_it_is_made_ahead_and_once(store: Path) -> None:
    watch = Watch()
    with Dataset.open(store) as dataset:
        assert keep_index(dataset, watch)
        assert keep_index(dataset, watch)
    with open_index(store, watch) as index:
        assert index.search("gleam")
    assert (watch.times, files(store)) == (1, [f"{keeping.NAME}.sqlite"])


def test_where_none_can_be_kept(store: Path, cache: Path) -> None:
    with Dataset.open() as dataset:
        assert not keep_index(dataset)
    (store / f"{keeping.NAME}.sqlite").mkdir()
    cache.write_bytes(b"no folder")
    with Dataset.open(store) as dataset:
        assert not keep_index(dataset)
        assert dataset.graphs()


def test_one_in_the_cache_by_other_code_is_replaced(
    store: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (store / f"{keeping.NAME}.sqlite").mkdir()
    open_index(store).close()
    (before,) = cache.glob("*.sqlite")
    monkeypatch.setattr(keeping, "LAYOUT", "another")
    monkeypatch.setattr("rulewright.index.building.LAYOUT", "another")
    watch = Watch()
    open_index(store, watch).close()
    assert watch.times
    assert list(cache.glob("*.sqlite")) == [before]


def test_game_records_do_not_make_it_anew(store: Path) -> None:
    watch = Watch()
    open_index(store, watch).close()
    told = f"<{BASE}source/games> a <{BASE}core#Source> ; <{BASE}core#kind> 'records' ; prov:generatedAtTime 'a day' ."
    told = f"@prefix prov: <http://www.w3.org/ns/prov#> . {told}"
    with Dataset.open(store) as dataset:
        before = state_of(dataset)
        dataset.fill(f"{BASE}source/games", (f"{t} .\n" for t in ox.parse(told, format=ox.RdfFormat.TURTLE)))
        assert state_of(dataset) != before
    open_index(store, watch).close()
    assert watch.times == 1


def test_a_store_with_an_index_is_a_store_still(store: Path) -> None:
    open_index(store).close()
    with Dataset.open(store) as dataset:
        assert len(dataset.graphs()) == 1


def test_an_open_index_outlives_the_next_one(store: Path) -> None:
    with open_index(store) as old:
        with Dataset.open(store) as dataset:
            add(dataset, "two", "Glimmer")
        with open_index(store) as new:
            assert (len(old), len(new)) == (1, 2)
            assert old.search("gleam")


def test_the_state_is_that_of_the_graphs() -> None:
    with Dataset.open() as dataset:
        add(dataset, "one", "Gleam")
        before = state_of(dataset)
        assert state_of(dataset) == before
        add(dataset, "two", "Glimmer")
        more = state_of(dataset)
        source = f"<{BASE}source/one> a <{BASE}core#Source> ; <http://www.w3.org/ns/prov#generatedAtTime> '%s' ."
        dataset.add_graph(f"{BASE}source/one", ox.parse(source % "a day", format=ox.RdfFormat.TURTLE))
        assert len({before, more, state_of(dataset)}) == 3


@pytest.mark.parametrize("damage", [b"", b"no index", b"SQLite format 3\0" + b"\0" * 4000])
def test_what_is_no_index_is_made_anew(store: Path, damage: bytes) -> None:
    (store / f"{keeping.NAME}.sqlite").write_bytes(damage)
    with open_index(store) as index:
        assert index.search("gleam")


def test_an_index_that_is_broken_inside_is_made_anew(store: Path) -> None:
    open_index(store).close()
    file = store / f"{keeping.NAME}.sqlite"
    content = bytearray(file.read_bytes())
    with sqlite3.connect(file) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'name'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content[(root - 1) * size : root * size] = os.urandom(size)
    file.write_bytes(content)
    assert [h.title("en") for h in rulewright.search("gleam", store)] == ["Gleam"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_store_that_may_only_be_read(store: Path, cache: Path) -> None:
    store.chmod(0o555)
    try:
        with open_index(store) as index:
            assert index.search("gleam")
    finally:
        store.chmod(0o755)
    assert [f.name.startswith("search-store-") for f in cache.glob("*.sqlite")] == [True]


def test_where_a_folder_is_in_the_way(store: Path, cache: Path) -> None:
    """What cannot be written in the store is kept in the cache, else in memory."""
    (store / f"{keeping.NAME}.sqlite").mkdir()
    with open_index(store) as index:
        assert index.search("gleam")
    assert [f.name.startswith("search-store-") for f in cache.glob("*.sqlite")] == [True]


def test_what_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no such store"):
        open_index(tmp_path / "none")


SCRIPT = """
import sys, time
from pathlib import Path
from rulewright.index import open_index
def slowly(documents):
    for document in documents:
        print(flush=True)
        yield document
        time.sleep(float(sys.argv[2]))
with open_index(Path(sys.argv[1]), slowly) as index:
    assert index.search("gleam")
"""


def process(store: Path, pause: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", SCRIPT, str(store), str(pause)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ.copy())


def test_a_process_that_is_killed_leaves_no_index(store: Path) -> None:
    killed = process(store, 60)
    assert killed.stdout is not None
    killed.stdout.readline()  # it is at it
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert [f.endswith(".part") for f in files(store)] == [True]
    with open_index(store) as index:
        assert index.search("gleam")
    assert files(store) == [f"{keeping.NAME}.sqlite"]


def test_several_processes_make_one_index(store: Path) -> None:
    processes = [process(store, 0.5) for _ in range(3)]
    printed = [p.communicate()[0] for p in processes]
    assert [p.returncode for p in processes] == [0, 0, 0]
    assert b"".join(printed).count(b"\n") == 1
    assert files(store) == [f"{keeping.NAME}.sqlite"]
