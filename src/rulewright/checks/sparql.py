"""Compiled checks over batches of canonical graphs, on any store: one query answers for a whole batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyoxigraph as ox

from rulewright.axioms import ir
from rulewright.axioms.sparql import Program, Query, Step
from rulewright.records import Graph
from rulewright.records.quads import lines, named, nothing, property_iri, term
from rulewright.store import Embedded, Store
from rulewright.vocabulary import Iri

_TRUTH = {"1": True, "0": False, "2": None}


class Engine:
    """Runs a compiled program on batches of graphs whose identifiers are unique; by default on an embedded store.

    A StoreError comes through, and leaves the store's graph empty where it can still be reached.
    """

    batch = 100
    """One query answers for all of them: more gains little, and memory grows."""

    def __init__(self, program: Program, everything: bool = False, store: Store | None = None) -> None:
        self.program = program
        self.verdicts = ("violates", "undetermined", "conforms") if everything else ("violates", "undetermined")
        self.store: Store = store or Embedded()
        self._nothing = list(nothing(program.properties))

    def run(self, graphs: Sequence[Graph]) -> dict[Iri, list[ir.Finding]]:
        """Findings by record."""
        try:
            return self._run(graphs)
        finally:
            self.store.clear()

    def _run(self, graphs: Sequence[Graph]) -> dict[Iri, list[ir.Finding]]:
        self.store.add(self._nothing)
        keywords: set[str] = set()
        record_of: dict[str, Iri] = {}
        looked_at = {kind for query in self.program.queries for kind in query.check.focus.kinds}
        for graph in graphs:
            for node, facts in graph.facts.items():
                names = facts.get("keywordsNamed")
                if names:
                    record_of[node] = graph.record.id
                    keywords.update(str(n) for n in names) if isinstance(names, tuple) else None
                elif graph.kinds[node] in looked_at:
                    record_of[node] = graph.record.id
        kinds: dict[str, set[str]] = {}
        for graph in graphs:
            for node, kind in graph.kinds.items():
                kinds.setdefault(kind, set()).update(graph.facts[node])

        def relevant(focus: ir.Focus, needs: frozenset[str] = frozenset()) -> bool:
            """An axiom that cannot fire costs nothing: its keyword, event type or facts are not in the batch."""
            if focus.keyword is not None and focus.keyword not in keywords:
                return False
            return any(kind in kinds and needs <= kinds[kind] for kind in focus.kinds)

        wanted: dict[str, set[str]] = {kind: set() for kind in kinds}
        for reads in self.program.reads:
            if relevant(reads.focus):
                for kind, properties in reads.by_kind.items():
                    for each in kinds if kind == "" else (kind,):
                        wanted.setdefault(each, set()).update(properties)
        self.store.load(line for graph in graphs for line in lines(graph, wanted))
        for step in self.program.steps:
            if relevant(step.focus):
                self._derive(step)
        found: dict[Iri, list[ir.Finding]] = {graph.record.id: [] for graph in graphs}
        for query in self.program.queries:
            if relevant(query.check.focus, query.needs):
                for focus, verdict in self._verdicts(query):
                    found[record_of[focus]].append(ir.Finding(query.check, Iri(focus), verdict))
        return found

    def _derive(self, step: Step) -> None:
        predicate = named(property_iri(step.fact))
        both = self.store.exact and step.either
        if both == "-":
            return
        rows = self.store.select(step.select_either() if both else step.select())
        if not rows:
            return
        if step.value is not None and not both:
            value = term(step.value)
            self.store.add([ox.Triple(row["focus"], predicate, value) for row in rows])
        else:
            self.store.add([ox.Triple(row["focus"], predicate, row["value"]) for row in rows])

    def _verdicts(self, query: Query) -> Iterator[tuple[str, str]]:
        if not self.store.exact:
            for verdict in self.verdicts:
                yield from ((row["focus"].value, verdict) for row in self.store.select(query.select(verdict)))
            return
        for row in self.store.select(query.select_all("conforms" in self.verdicts)):
            told = ir.verdict(_TRUTH[row["applies"].value], _TRUTH[row["holds"].value])
            if told is not None:
                yield row["focus"].value, told
