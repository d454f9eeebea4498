"""Compiled checks over batches of canonical graphs, on an embedded store: one query answers for a whole batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyoxigraph as ox

from rulewright.axioms.sparql import Program, Query, Step
from rulewright.checks.reference import Finding
from rulewright.records import Graph
from rulewright.records.quads import named, property_iri, term, triples
from rulewright.vocabulary import NONE, Iri, load_schema


class Engine:
    """Runs a compiled program on batches of graphs whose identifiers are unique."""

    def __init__(self, program: Program, everything: bool = False) -> None:
        self.program = program
        self.verdicts = ("violates", "undetermined", "conforms") if everything else ("violates", "undetermined")
        nothing = named(NONE)
        functional = load_schema().functional
        self._nothing = [
            ox.Quad(nothing, named(property_iri(p)), nothing)
            for p in sorted(program.properties)
            if ":" in p or p in functional
        ]

    def run(self, graphs: Sequence[Graph]) -> dict[Iri, list[Finding]]:
        """Findings by record."""
        store = ox.Store()
        store.extend(self._nothing)
        keywords: set[str] = set()
        record_of: dict[str, Iri] = {}
        for graph in graphs:
            quads = []
            for triple in triples(graph, self.program.properties):
                quads.append(ox.Quad(triple.subject, triple.predicate, triple.object))
            store.extend(quads)
            for node, facts in graph.facts.items():
                names = facts.get("keywordsNamed")
                if names:
                    record_of[node] = graph.record.id
                    keywords.update(str(n) for n in names) if isinstance(names, tuple) else None
                elif graph.kinds[node] in load_schema().event_types:
                    record_of[node] = graph.record.id
        for step in self.program.steps:
            if step.keyword is None or step.keyword in keywords:
                self._derive(store, step)
        found: dict[Iri, list[Finding]] = {graph.record.id: [] for graph in graphs}
        for query in self.program.queries:
            if query.check.focus.keyword is None or query.check.focus.keyword in keywords:
                for verdict in self.verdicts:
                    for focus in self._foci(store, query, verdict):
                        found[record_of[focus]].append(Finding(query.check, Iri(focus), verdict))
        return found

    @staticmethod
    def _derive(store: ox.Store, step: Step) -> None:
        predicate = named(property_iri(step.fact))
        solutions: Iterable[ox.QuerySolution] = store.query(step.select())  # type: ignore[assignment]
        if step.value is not None:
            value = term(step.value)
            store.extend([ox.Quad(s["focus"], predicate, value) for s in solutions])
        else:
            store.extend([ox.Quad(s["focus"], predicate, s["value"]) for s in solutions])

    @staticmethod
    def _foci(store: ox.Store, query: Query, verdict: str) -> Iterable[str]:
        solutions: Iterable[ox.QuerySolution] = store.query(query.select(verdict))  # type: ignore[assignment]
        return [s["focus"].value for s in solutions]


