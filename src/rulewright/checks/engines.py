"""The engines by name: each finds the same violations in a canonical graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rulewright.axioms import Functions, ir
from rulewright.checks.reference import Finding, Judge, evaluate
from rulewright.records import Graph
from rulewright.vocabulary import Iri

Findings = dict[Iri, list[Finding]]
"""By record."""
NAMES = ("fast", "sparql", "pyshacl", "reference")
_TOLD = ("violates", "undetermined")


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
            return Fast(plan, everything)
        case "reference":
            return Reference(plan, everything)
        case "sparql":
            from rulewright.axioms.sparql import compile_plan
            from rulewright.checks import sparql

            return WithFacts(sparql.Engine(compile_plan(plan), everything), plan)
        case "pyshacl":
            from rulewright.checks import shacl

            return WithFacts(shacl.Engine(plan), plan)
    raise ValueError(f"{name} is no engine; they are {', '.join(NAMES)}")


class Fast:
    """The plan compiled to Python functions."""

    batch = 1

    def __init__(self, plan: ir.Plan, everything: bool) -> None:
        self._functions, self._everything = Functions(plan), everything

    def run(self, graphs: Sequence[Graph]) -> Findings:
        return {
            graph.record.id: [
                Finding(check, focus, verdict)
                for check, focus, verdict in self._functions.run(graph)
                if self._everything or verdict in _TOLD
            ]
            for graph in graphs
        }


class Reference:
    """The reference evaluator."""

    batch = 1

    def __init__(self, plan: ir.Plan, everything: bool) -> None:
        self._plan, self._everything = plan, everything

    def run(self, graphs: Sequence[Graph]) -> Findings:
        return {
            graph.record.id: [f for f in evaluate(self._plan, graph) if self._everything or f.verdict in _TOLD]
            for graph in graphs
        }


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
