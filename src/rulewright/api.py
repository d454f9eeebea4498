"""The graph from Python: open it, read documents of rulings into it, and find things in it.

    import rulewright

    report = rulewright.ingest(["rulings.txt"])
    print(report.summary["matched"], "of", report.summary["statements"])
    for row in report.dataset.query("SELECT ?text { ?text rw:uncurated true }"):
        print(row["text"])
    for hit in rulewright.search("Rükblende"):
        print(hit.kind, hit.title("de"), hit.iri)

All of these are also attributes of `rulewright` itself, loaded at first use.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rulewright.index import Hit, Kind, Progress
    from rulewright.sources.ingest import Report
    from rulewright.store import Dataset

__all__ = ["ingest", "open", "search"]


def open(store: str | Path | None = None, read_only: bool = False) -> Dataset:
    """The graph that the package carries, in memory, or with what was ingested in the folder `store`.

    A folder that is not there yet is made, unless `read_only`. Use it in a `with` statement, or `close` it: one process
    at a time can write to a folder. Raises `rulewright.store.StoreError` for a folder that is no store or is in use.
    """
    from rulewright.store import Dataset

    dataset = Dataset.open(None if store is None else Path(store), read_only and store is not None)
    if not dataset.read_only:
        try:
            dataset.load_packaged()
        except BaseException:
            dataset.close()
            raise
    return dataset


def ingest(
    paths: str | Path | Iterable[str | Path],
    store: str | Path | Dataset | None = None,
    kind: Literal["dated", "wiki"] | None = None,
) -> Report:
    """Reads documents of rulings (files, folders of `*.txt`) into named graphs: all of a document, or nothing.

    `store`: a folder, an open dataset (see `open`), or None for one in memory. `kind`: the kind of document, where it
    is not recognised. The report says what was found (`documents`), what could not be read (`errors`), and counts
    (`summary`); its `dataset` can be asked at once, unless `store` is a folder: that is closed again. Raises
    `rulewright.store.StoreError` for a folder that cannot be used.
    """
    from rulewright.sources.ingest import Report
    from rulewright.sources.ingest import ingest as ingesting
    from rulewright.store import Dataset

    dataset = store if isinstance(store, Dataset) else open(store)
    report = Report(dataset)
    try:
        for item in ingesting([paths] if isinstance(paths, (str, Path)) else paths, dataset, kind):
            report.add(item)
    finally:
        if isinstance(store, (str, Path)):
            dataset.close()
    return report


def search(
    text: str,
    store: str | Path | Dataset | None = None,
    kinds: Collection[Kind] = (),
    limit: int = 10,
    language: Literal["en", "de"] = "en",
) -> list[Hit]:
    """Cards, keywords, rulings, rules and terms by name, number or words, best first; nothing where nothing fits.

    `store`: a folder, an open dataset (see `open`), or None for what the package carries. `kinds`: only such things.
    `language`: whose names come first, where two fit alike; both are looked through. The index is made at first use,
    and again when the store has changed. Raises `rulewright.store.StoreError` for a folder that cannot be used.
    """
    return search_or_hint(text, store, kinds, limit, language)[0]


def search_or_hint(
    text: str,
    store: str | Path | Dataset | None,
    kinds: Collection[Kind],
    limit: int,
    language: str,
    progress: Progress | None = None,
) -> tuple[list[Hit], list[str]]:
    """What is found; where that is nothing, names that are a little like it. `progress` watches an index being made."""
    import sqlite3

    from rulewright.index import open_index

    of = Path(store) if isinstance(store, str) else store
    for anew in (False, True):
        with open_index(of, progress, anew) as index:
            try:
                hits = index.search(text, kinds, limit, language)
                return hits, [] if hits else index.near(text, kinds, language)
            except sqlite3.DatabaseError:  # the file is damaged
                if anew:
                    raise
    raise AssertionError
