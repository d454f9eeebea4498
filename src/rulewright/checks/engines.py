"""The engines by name: each finds the same violations in a canonical graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Protocol

from rulewright.axioms import Functions, ir
from rulewright.checks.reference import Judge, evaluate
from rulewright.records import Graph
from rulewright.vocabulary import Iri

Findings = dict[Iri, list[ir.Finding]]
"""By record."""
NAMES = ("fast", "sparql", "pyshacl", "reference")


class Engine(Protocol):
    batch: int
    """Records that are worth being judged together."""

    def run(self, graphs: Sequence[Graph]) -> Findings:
        """Findings in graphs whose identifiers are unique.

        Where there are any, the facts of the stages are left in the graph.
        """


def engine(name: str, plan: ir.Plan, everything: bool = False) -> Engine:
    """`fast` (Python functions), `sparql` (an embedded store), `pyshacl` (the exported SHACL) or `reference`.

    `everything`: whether conforming verdicts are wanted too. pyshacl finds violations alone.
    """
    match name:
        case "fast":
            return InMemory(Functions(plan).run, everything)
        case "reference":
            return InMemory(partial(evaluate, plan), everything)
        case "sparql":
            from rulewright.axioms.sparql import compile_plan
            from rulewright.checks import sparql

            return WithFacts(sparql.Engine(compile_plan(plan), everything), plan)
        case "pyshacl":
            from rulewright.checks import shacl

            return WithFacts(shacl.Engine(plan), plan)
    raise ValueError(f"{name} is no engine; they are {', '.join(NAMES)}")


class InMemory:
    """Judges the graph as data, a record at a time. `find` leaves the facts of the stages in the graph."""

    batch = 1

    def __init__(self, find: Callable[[Graph], Iterable[ir.Finding]], everything: bool) -> None:
        self._find = find
        self._told = ("violates", "undetermined", *(["conforms"] if everything else []))

    def run(self, graphs: Sequence[Graph]) -> Findings:
        return {graph.record.id: [f for f in self._find(graph) if f.verdict in self._told] for graph in graphs}


class WithFacts:
    """An engine whose stages leave their facts elsewhere than in the graph."""

    def __init__(self, inner: Engine, plan: ir.Plan) -> None:
        self._inner, self._plan, self.batch = inner, plan, inner.batch

    def run(self, graphs: Sequence[Graph]) -> Findings:
        found = self._inner.run(graphs)
        for graph in graphs:
            if found[graph.record.id]:
                Judge(self._plan, graph).derive()
        return found
