"""Records in, results out: batches through the engine, in the order of the input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulewright.axioms import Knowledge, ir, lower
from rulewright.checks import engines
from rulewright.checks.coverage import Coverage
from rulewright.checks.verdicts import Verdict, verdicts
from rulewright.records import Graph, KeywordNames, Problem, Record, RecordError, Unchecked, canonical
from rulewright.vocabulary import Iri


@dataclass
class Result:
    """What came of one record of the input: verdicts, or the problems that kept it from being read."""

    record: Record | None = None
    graph: Graph | None = None
    verdicts: list[Verdict] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unread: Iri | None = None
    """A record that was judged where it is, and of which there is nothing to tell."""

    @property
    def conforms(self) -> bool:
        return not any(v.verdict == "violates" for v in self.verdicts)

    @property
    def unchecked(self) -> list[Unchecked]:
        """What the record names and nothing judged."""
        return [] if self.graph is None else self.graph.unchecked


class Checker:
    """Checks game records against axioms.

    `engine`: one of `rulewright.checks.engines`. `everything`: whether conforming verdicts are wanted too.
    """

    def __init__(self, knowledge: Knowledge, engine: str = "fast", everything: bool = False) -> None:
        self.knowledge = knowledge
        self.plan: ir.Plan = lower(knowledge)
        self.names = KeywordNames(knowledge.keyword_names())
        self._engine = engines.engine(engine, self.plan, everything)
        self._coverage = Coverage(knowledge, self.plan)

    def check(self, records: Iterable[Record | RecordError]) -> Iterator[Result]:
        """Results in input order; a batch is held in memory at a time."""
        batch: list[Result] = []
        ids: set[Iri] = set()
        for item in records:
            if isinstance(item, RecordError):
                batch.append(Result(problems=item.problems))
                continue
            if len(ids) >= self._engine.batch or item.id in ids:
                yield from self._run(batch)
                batch, ids = [], set()
            ids.add(item.id)
            graph = canonical(item, self.names, self.plan.steps)
            graph.unchecked += self._coverage.gaps(graph)
            batch.append(Result(record=item, graph=graph))
        yield from self._run(batch)

    def _run(self, batch: list[Result]) -> Iterator[Result]:
        found = self._engine.run([r.graph for r in batch if r.graph is not None])
        for result in batch:
            if result.graph is not None and result.record is not None:
                mine = found[result.record.id]
                result.verdicts = verdicts(mine, self.knowledge, self.plan, result.graph)
            yield result
