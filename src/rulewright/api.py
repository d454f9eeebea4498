"""The graph from Python: open it, and read documents of rulings into it.

    import rulewright

    report = rulewright.ingest(["rulings.txt"])
    print(report.summary["matched"], "of", report.summary["statements"])
    for row in report.dataset.query("SELECT ?text { ?text rw:uncurated true }"):
        print(row["text"])

All of these are also attributes of `rulewright` itself, loaded at first use.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulewright.sources.ingest import Report
    from rulewright.store import Dataset

__all__ = ["ingest", "open"]


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
    kind: str | None = None,
    date: dt.date | None = None,
) -> Report:
    """Reads documents of rulings and bulk files (files, folders) into named graphs: all of a file, or nothing.

    `store`: a folder, an open dataset (see `open`), or None for one in memory. `kind`: one of
    `rulewright.sources.ingest.KINDS`, where it is not recognised. `date`: the day of which a dump of rulings tells,
    where neither it nor its name says one. The report says what was found (`documents`), what could not be read
    (`errors`), and counts (`summary`); its `dataset` can be asked at once, unless `store` is a folder: that is closed
    again. Raises `rulewright.store.StoreError` for a folder that cannot be used.
    """
    from rulewright.sources.ingest import Report
    from rulewright.sources.ingest import ingest as ingesting
    from rulewright.store import Dataset

    dataset = store if isinstance(store, Dataset) else open(store)
    report = Report(dataset)
    try:
        for item in ingesting([paths] if isinstance(paths, (str, Path)) else paths, dataset, kind, date=date):
            report.add(item)
    finally:
        if isinstance(store, (str, Path)):
            dataset.close()
    return report
