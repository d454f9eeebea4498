"""Compiled checks over batches of canonical graphs, on any store: one query answers for a whole batch."""

from __future__ import annotations

from collections.abc import Sequence

import pyoxigraph as ox

from rulewright.axioms.sparql import Program, Query, Step
from rulewright.checks.reference import Finding
from rulewright.records import Graph
from rulewright.records.quads import named, property_iri, term, triples
from rulewright.store import Embedded, Store
from rulewright.vocabulary import NONE, Iri, load_schema


class Engine:
    """Runs a compiled program on batches of graphs whose identifiers are unique; by default on an embedded store.

    A StoreError comes through, and leaves the store's graph empty where it can still be reached.
    """

    def __init__(self, program: Program, everything: bool = False, store: Store | None = None) -> None:
        self.program = program
        self.verdicts = ("violates", "undetermined", "conforms") if everything else ("violates", "undetermined")
        self.store: Store = store or Embedded()
        nothing = named(NONE)
        functional = load_schema().functional
        self._nothing = [
            ox.Triple(nothing, named(property_iri(p)), nothing)
            for p in sorted(program.properties)
            if ":" in p or p in functional
        ]

    def run(self, graphs: Sequence[Graph]) -> dict[Iri, list[Finding]]:
        """Findings by record."""
        try:
            return self._run(graphs)
        finally:
            self.store.clear()

    def _run(self, graphs: Sequence[Graph]) -> dict[Iri, list[Finding]]:
        self.store.add(self._nothing)
        keywords: set[str] = set()
        record_of: dict[str, Iri] = {}
        looked_at = {kind for query in self.program.queries for kind in query.check.focus.kinds}
        for graph in graphs:
            self.store.add(triples(graph, self.program.properties))
            for node, facts in graph.facts.items():
                names = facts.get("keywordsNamed")
                if names:
                    record_of[node] = graph.record.id
                    keywords.update(str(n) for n in names) if isinstance(names, tuple) else None
                elif graph.kinds[node] in looked_at:
                    record_of[node] = graph.record.id
        for step in self.program.steps:
            if step.keyword is None or step.keyword in keywords:
                self._derive(step)
        found: dict[Iri, list[Finding]] = {graph.record.id: [] for graph in graphs}
        for query in self.program.queries:
            if query.check.focus.keyword is None or query.check.focus.keyword in keywords:
                for verdict in self.verdicts:
                    for focus in self._foci(query, verdict):
                        found[record_of[focus]].append(Finding(query.check, Iri(focus), verdict))
        return found

    def _derive(self, step: Step) -> None:
        predicate = named(property_iri(step.fact))
        rows = self.store.select(step.select())
        if not rows:
            return
        if step.value is not None:
            value = term(step.value)
            self.store.add([ox.Triple(row["focus"], predicate, value) for row in rows])
        else:
            self.store.add([ox.Triple(row["focus"], predicate, row["value"]) for row in rows])

    def _foci(self, query: Query, verdict: str) -> list[str]:
        return [row["focus"].value for row in self.store.select(query.select(verdict))]
