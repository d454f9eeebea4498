"""Checks on records that are on a SPARQL endpoint already: the endpoint judges, and nothing is written there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from typing import Protocol

import pyoxigraph as ox

from rulewright.axioms import Knowledge, ir, lower
from rulewright.axioms.joins import JoinedPlan
from rulewright.checks.checker import Result
from rulewright.checks.coverage import Coverage
from rulewright.checks.reference import Judge
from rulewright.checks.verdicts import verdicts
from rulewright.records import RecordError, Value, canonical
from rulewright.records.rdf import records as read_quads
from rulewright.store import Dataset, Row, StoreError
from rulewright.vocabulary import CORE, GAME, RDF, Iri

BATCH = 50
"""Records a query: a longer list makes some servers refuse it."""
PAGE = 5000
_IN = f"<{GAME}inRecord> $record"
_PARTS = (
    "SELECT ($record AS ?s) ?p ?o WHERE { $record ?p ?o }",
    f"SELECT ?s ?p ?o WHERE {{ ?s {_IN} ; ?p ?o }}",
    # the cells of lists
    f"SELECT DISTINCT ?s ?p ?o WHERE {{ {{ ?node {_IN} }} UNION {{ $record a <{GAME}Record> BIND($record AS ?node) }}\n"
    f"?node ?list ?head . ?head <{RDF}first> ?first ; <{RDF}rest>* ?s . ?s ?p ?o }}",
)
"""What is said of a record and its nodes."""


class Selects(Protocol):
    """What answers SELECT queries."""

    def select(self, query: str) -> Sequence[Row]: ...


class StoredGames:
    """The game records that were ingested into a dataset (`rulewright ingest --as records`)."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def select(self, query: str) -> Sequence[Row]:
        return self._dataset.rows(query, graphs=("source",))

    def records(self) -> Iterator[Iri]:
        """Their identifiers, in order."""
        pattern = f'GRAPH ?source {{ ?source <{CORE}kind> "records" . ?record a <{GAME}Record> }}'
        yield from (Iri(row["record"].value) for row in _pages(self.select, pattern))


class EndpointChecker:
    """Checks canonical graphs where they are. Only records of which there is something to tell are fetched.

    `store`: its default graph holds the records, and of `game:none` what `rulewright.records.quads.nothing` says.
    `source`: what is said of where the records are.
    """

    def __init__(self, knowledge: Knowledge, store: Selects, source: str, everything: bool = False) -> None:
        self.knowledge, self.store, self.source = knowledge, store, source
        self.plan: ir.Plan = lower(knowledge)
        self._names = knowledge.record_words()
        self._joined = JoinedPlan(self.plan, everything)
        self._coverage = Coverage(knowledge, self.plan)
        self._positions = count(1)

    def check(self, these: Iterable[Iri] | None = None) -> Iterator[Result]:
        """Results for these records, or for all in the order of their identifiers. Raises StoreError."""
        records = self._records() if these is None else iter(these)
        while batch := list(islice(records, BATCH)):
            found: dict[Iri, list[ir.Finding]] = {record: [] for record in batch}
            for record, finding in self.findings(batch):
                found[record].append(finding)
            unchecked = self._unchecked(batch)
            for record in batch:
                yield self._result(record, found[record], record in unchecked)

    def findings(self, records: Sequence[Iri]) -> Iterator[tuple[Iri, ir.Finding]]:
        """Each finding with its record, of records on the endpoint."""
        return self._joined.run(self._ask, records)

    def _records(self) -> Iterator[Iri]:
        rows = _pages(self.store.select, f"?record a <{GAME}Record>")
        yield from (Iri(row["record"].value) for row in rows)

    def _unchecked(self, records: Iterable[Iri]) -> set[Iri]:
        """Those that name something that nothing judges."""
        these = " ".join(f"<{record}>" for record in records)
        pattern = f"VALUES ?record {{ {these} }} {self._coverage.pattern()}"
        rows = self.store.select(f"PREFIX game: <{GAME}> SELECT DISTINCT ?record WHERE {{ {pattern} }}")
        return {Iri(row["record"].value) for row in rows}

    def _result(self, record: Iri, found: Sequence[ir.Finding], unchecked: bool) -> Result:
        """A record of which there is something to say is read, so that facts can be told."""
        if not found and not unchecked:
            return Result(unread=record)
        graph = ox.NamedNode(record)
        rows = [row for pattern in _PARTS for row in self.store.select(pattern.replace("$record", f"<{record}>"))]
        quads = [ox.Quad(row["s"], row["p"], row["o"], graph) for row in rows]
        for item in read_quads(quads, self.source, self._positions, self.knowledge.parameters()):
            if isinstance(item, RecordError):
                return Result(problems=item.problems)
            read = canonical(item, self._names, self.plan.steps)
            read.unchecked += self._coverage.gaps(read)
            Judge(self.plan, read).derive()
            return Result(record=item, graph=read, verdicts=verdicts(found, self.knowledge, self.plan, read))
        raise StoreError(record, "is on the endpoint only in part", "ingest the record again")

    def _ask(self, query: str) -> Iterable[Row]:
        return map(_Values, self.store.select(query))


def _pages(select: Callable[[str], Sequence[Row]], pattern: str) -> Iterator[Row]:
    for start in count(0, PAGE):
        rows = select(f"SELECT DISTINCT ?record WHERE {{ {pattern} }} ORDER BY ?record LIMIT {PAGE} OFFSET {start}")
        yield from rows
        if len(rows) < PAGE:
            return


class _Values:
    """A row as plain values."""

    def __init__(self, row: Row) -> None:
        self._row = row

    def __getitem__(self, variable: str, /) -> Value | None:
        term = self._row[variable]
        if isinstance(term, ox.NamedNode):
            return Iri(term.value)
        if not isinstance(term, ox.Literal):
            return None
        match term.datatype.value.rpartition("#")[2]:
            case "integer":
                return int(term.value)
            case "boolean":
                return term.value == "true"
            case _:
                return term.value
