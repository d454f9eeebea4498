"""Records in, results out: batches through the engine, in the order of the input."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rulewright.axioms import Knowledge, ir, lower
from rulewright.checks import engines
from rulewright.checks.assumptions import assumed, resting
from rulewright.checks.coverage import Coverage
from rulewright.checks.verdicts import Verdict, strongest, verdicts
from rulewright.records import Graph, Problem, Record, RecordError, Unchecked, canonical
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
    `assume`: kinds of what records leave out that are taken as none.
    """

    def __init__(
        self, knowledge: Knowledge, engine: str = "fast", everything: bool = False, assume: Collection[str] = ()
    ) -> None:
        self.knowledge, self.assume = knowledge, assume
        self.plan: ir.Plan = lower(knowledge)
        self.names = knowledge.record_words()
        self._wanted = ("violates", "undetermined", *(["conforms"] if everything else []))
        self._quick = engines.engine("fast", self.plan, everything=True)
        self._engine = self._quick if engine == "fast" else engines.engine(engine, self.plan, everything)
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
            graph = self._graph(item, self.assume)
            graph.unchecked += self._coverage.gaps(graph)
            batch.append(Result(record=item, graph=graph))
        yield from self._run(batch)

    def _graph(self, record: Record, assume: Collection[str]) -> Graph:
        return canonical(assumed(record, assume) if assume else record, self.names, self.plan.steps)

    def _run(self, batch: list[Result]) -> Iterator[Result]:
        found = self._engine.run([r.graph for r in batch if r.graph is not None])
        for result in batch:
            if result.graph is not None and result.record is not None:
                mine = found[result.record.id]
                if not result.unchecked and not self._judged(mine, result.graph):
                    result.graph.unchecked += self._coverage.unjudged(result.graph)
                wanted = (finding for finding in mine if finding.verdict in self._wanted)
                result.verdicts = verdicts(wanted, self.knowledge, self.plan, result.graph)
                if self.assume:
                    judge = partial(self._judge, result.record)
                    result.verdicts = resting(result.verdicts, self.assume, judge)
            yield result

    def _judged(self, found: Sequence[ir.Finding], graph: Graph) -> bool:
        """Whether any axiom had anything to say; engines that find no conforming verdicts do not tell."""
        return bool(found) or (self._engine is not self._quick and any(self._quick.run([graph]).values()))

    def _judge(self, record: Record, assume: Collection[str]) -> Mapping[tuple[Iri, Iri], str]:
        """What is found where only some of what is left out is taken as none."""
        graph = self._graph(record, assume)
        return strongest(self._quick.run([graph])[record.id], graph)
