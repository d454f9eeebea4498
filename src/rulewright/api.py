"""From Python what the command line does: check records, read documents, validate them, ask the graph, search it.

    import rulewright

    for outcome in rulewright.check("game.json"):
        for verdict in outcome.verdicts:
            print(verdict["message"]["en"], [a["label"] for a in verdict["authority"]])

    report = rulewright.ingest(["rulings.txt"])
    print(report.summary["matched"], "of", report.summary["statements"])
    for row in report.dataset.query("SELECT ?text { ?text rw:uncurated true }"):
        print(row["text"])
    for hit in rulewright.search("Rükblende"):
        print(hit.kind, hit.title("de"), hit.iri)

All of these are also attributes of `rulewright` itself, loaded at first use.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rulewright.explain import Outcome
    from rulewright.index import Hit, Kind, Progress
    from rulewright.quality.validation import Report as Validation
    from rulewright.sources.ingest import Report
    from rulewright.store import Dataset, Endpoint
    from rulewright.store.dataset import Results

__all__ = ["check", "ingest", "open", "query", "search", "validate"]


def check(
    records: str | Path | Iterable[str | Path],
    axioms: Iterable[str | Path] = (),
    everything: bool = False,
    assume: Collection[Literal["effects", "text", "keywords", "records"]] = (),
) -> Iterator[Outcome]:
    """Checks game records (files, folders), one outcome each, in order: its verdicts, or what could not be read.

    `axioms`: Turtle files with further axioms. `everything`: conforming verdicts too. `assume`: what records leave out
    of these kinds is taken as none, and verdicts that rest on it say so (`assumed`). Raises
    `rulewright.axioms.AxiomError` for axioms that cannot be used; a bad record is an outcome with `errors`. An outcome
    says what was not checked (`unchecked`), and whether it is to be counted as a finding (`fails`).
    """
    from rulewright.explain import Run
    from rulewright.records import read

    run = Run(axioms=tuple(Path(f) for f in axioms), everything=everything, assumed=assume)
    return run.outcomes(read(_listed(records), run.knowledge.parameters()))


def open(
    store: str | Path | None = None,
    read_only: bool = False,
    *,
    endpoint: str | Endpoint | None = None,
) -> Dataset:
    """The graph that the package carries, in memory, or with what was ingested in the folder `store` or on a server.

    A folder that is not there yet is made, unless `read_only`. Use it in a `with` statement, or `close` it: one process
    at a time can write to a folder. `endpoint`: the address at which a server takes queries of SPARQL 1.1, or a
    `rulewright.store.Endpoint`, with user, password and other addresses. Raises `rulewright.store.StoreError` for a
    folder that is no store or is in use, or a server that cannot be asked.
    """
    from rulewright.store import Dataset, Endpoint

    if endpoint is not None:
        if store is not None:
            raise ValueError("store and endpoint: give one of them")
        dataset = Dataset.connect(Endpoint(endpoint) if isinstance(endpoint, str) else endpoint, read_only)
    else:
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
    again, and the index for searching is made in it. Raises `rulewright.store.StoreError` for a folder that cannot be
    used.
    """
    from rulewright.index import keep_index
    from rulewright.sources.ingest import Report
    from rulewright.sources.ingest import ingest as ingesting
    from rulewright.store import Dataset

    dataset = store if isinstance(store, Dataset) else open(store)
    report = Report(dataset)
    try:
        for item in ingesting(_listed(paths), dataset, kind, date=date):
            report.add(item)
        if isinstance(store, (str, Path)) and report.documents:
            keep_index(dataset)
    finally:
        if isinstance(store, (str, Path)):
            dataset.close()
    return report


def validate(paths: str | Path | Iterable[str | Path] = (), store: str | Path | None = None) -> Validation:
    """Holds against the shapes files of data (.ttl) and documents, or what a store holds, or else the package's data.

    The report says what is to be mended (`findings`, each with its message in both languages), and whether nothing is
    (`conforms`). Raises `rulewright.store.StoreError` for a store that cannot be read.
    """
    from rulewright.quality.validation import validate as validating

    return validating([Path(f) for f in _listed(paths)], None if store is None else Path(store))


def query(name: str, store: str | Path | Dataset | None = None, **values: str) -> Results:
    """Asks a named query of `queries/`, with values for its parameters as a user would type them.

    Any other SPARQL is asked of what `open` gives. Raises `rulewright.store.queries.QueryError` for a name that there
    is not, or a value that does not fit.
    """
    from rulewright.store import Dataset
    from rulewright.store.queries import QueryError, load_queries

    known = load_queries()
    if name not in known:
        raise QueryError(f"no query {name!r}: there are {', '.join(known)}")
    with nullcontext(store) if isinstance(store, Dataset) else open(store, read_only=True) as dataset:
        return dataset.query(known[name].bind(values, dataset.query), graphs=known[name].graphs)


def search(
    text: str,
    store: str | Path | Dataset | None = None,
    kinds: Collection[Kind] = (),
    limit: int = 10,
    language: Literal["en", "de"] = "en",
) -> list[Hit]:
    """Cards, keywords, rulings, rules and terms by name, number or words, best first; nothing where nothing fits.

    `store`: a folder, an open dataset (see `open`), or None for what the package carries. `kinds`: only such things.
    `language`: whose names come first, where two fit alike; both are looked through. The index of a store is made by
    `ingest`, else at first use, and again when the store has changed; a server's is kept in the cache folder. Raises
    `rulewright.store.StoreError` for a folder that cannot be used.
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
                return index.search_or_near(text, kinds, limit, language)
            except sqlite3.DatabaseError:  # the file is damaged
                if anew:
                    raise
    raise AssertionError


def _listed(paths: str | Path | Iterable[str | Path]) -> list[str | Path]:
    return [paths] if isinstance(paths, (str, Path)) else list(paths)
