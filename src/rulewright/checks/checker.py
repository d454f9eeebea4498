"""Records in, results out: batches through the engine, in the order of the input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulewright.axioms import Knowledge, ir, lower
from rulewright.axioms.sparql import compile_plan
from rulewright.checks.fast import Engine
from rulewright.checks.reference import Finding, evaluate
from rulewright.checks.verdicts import Verdict, verdicts
from rulewright.records import Graph, KeywordNames, Problem, Record, RecordError, canonical
from rulewright.vocabulary import Iri

BATCH = 100
"""Records a batch: one query answers for all of them (more gains little, and memory grows)."""


@dataclass
class Result:
    """What came of one record of the input: verdicts, or the problems that kept it from being read."""

    record: Record | None = None
    graph: Graph | None = None
    verdicts: list[Verdict] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def conforms(self) -> bool:
        return not any(v.verdict == "violates" for v in self.verdicts)


class Checker:
    """Checks game records against axioms.

    `engine`: `fast` (compiled SPARQL on an embedded store), `reference` (plain Python), or `pyshacl` (the exported
    SHACL). `everything`: whether conforming verdicts are wanted too.
    """

    def __init__(self, knowledge: Knowledge, engine: str = "fast", everything: bool = False) -> None:
        self.knowledge = knowledge
        self.plan: ir.Plan = lower(knowledge)
        self.names = KeywordNames(knowledge.keyword_names())
        self.everything = everything
        self._engine = engine
        self._fast = Engine(compile_plan(self.plan), everything) if engine == "fast" else None

    def check(self, records: Iterable[Record | RecordError]) -> Iterator[Result]:
        """Results in input order; a batch is held in memory at a time."""
        batch: list[Result] = []
        ids: set[Iri] = set()
        for item in records:
            if isinstance(item, RecordError):
                batch.append(Result(problems=item.problems))
                continue
            if len(ids) >= BATCH or item.id in ids:
                yield from self._run(batch)
                batch, ids = [], set()
            ids.add(item.id)
            batch.append(Result(record=item, graph=canonical(item, self.names, self.plan.steps)))
        yield from self._run(batch)

    def _run(self, batch: list[Result]) -> Iterator[Result]:
        graphs = [r.graph for r in batch if r.graph is not None]
        found = self._findings(graphs)
        for result in batch:
            if result.graph is not None and result.record is not None:
                mine = found.get(result.record.id, [])
                result.verdicts = verdicts(mine, self.knowledge, self.plan, result.graph)
            yield result

    def _findings(self, graphs: list[Graph]) -> dict[Iri, list[Finding]]:
        if self._fast is not None:
            return self._fast.run(graphs)
        if self._engine == "pyshacl":
            from rulewright.checks.shacl import run

            return {g.record.id: run(self.plan, g) for g in graphs}
        wanted = ("violates", "undetermined", "conforms") if self.everything else ("violates", "undetermined")
        return {g.record.id: [f for f in evaluate(self.plan, g) if f.verdict in wanted] for g in graphs}
