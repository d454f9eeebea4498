"""Do the scenarios notice a wrong fact? Each derived fact that axioms read is falsified in turn, in every graph.

A fact is made false, true, none, empty or 0 wherever it is known, unknown wherever it is known, and known
wherever it is not; the expectations of some scenario must then fail. `python -m rulewright.quality.fact_mutation` says
of each fact how many of these are noticed; it fails for a survivor that `tests/fact-survivors.toml` does not list with
its reason, for a listed one that is killed, and where `tests/fact-counts.json` does not have the numbers found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rulewright.axioms import Functions, ir
from rulewright.quality import tally
from rulewright.quality.mutation import Case, World, fails, said
from rulewright.records import Graph
from rulewright.records.graph import Facts
from rulewright.records.model import Value
from rulewright.vocabulary import NONE, load_schema

SURVIVORS = Path("tests", "fact-survivors.toml")
COUNTS = Path("tests", "fact-counts.json")
Change = Callable[[Facts, str], bool]
"""Falsifies a fact of a node; whether there was anything to change."""


@dataclass(frozen=True)
class FactMutant:
    """One fact (local name) falsified in one way."""

    fact: str
    way: str

    @property
    def name(self) -> str:
        return f"{self.fact}: {self.way}"


def _forgotten(facts: Facts, fact: str) -> bool:
    count = facts.pop(f"{fact}Count", None)
    return facts.pop(fact, None) is not None or count is not None


def _becomes(value: bool) -> Change:
    def change(facts: Facts, fact: str) -> bool:
        if facts.get(fact) is not (not value):
            return False
        facts[fact] = value
        return True

    return change


def _none(facts: Facts, fact: str) -> bool:
    if facts.get(fact, NONE) == NONE:
        return False
    facts[fact] = NONE
    return True


def _nought(facts: Facts, fact: str) -> bool:
    if not facts.get(fact):
        return False
    facts[fact] = 0
    return True


def _emptied(facts: Facts, fact: str) -> bool:
    if not facts.get(fact):
        return False
    facts[fact], facts[f"{fact}Count"] = (), 0
    return True


def _invented(value: Value) -> Change:
    def change(facts: Facts, fact: str) -> bool:
        if fact in facts:
            return False
        facts[fact] = value
        return True

    return change


def _closed(facts: Facts, fact: str) -> bool:
    """A list that is not known whole is said to be."""
    if f"{fact}Count" in facts:
        return False
    members = facts.setdefault(fact, ())
    facts[f"{fact}Count"] = len(members) if isinstance(members, tuple) else 0
    return True


_BOOLEAN = {"becomes false": _becomes(False), "becomes true": _becomes(True), "unknown becomes false": _invented(False),
            "unknown becomes true": _invented(True)}  # fmt: skip
_LIST = {"becomes empty": _emptied, "unknown becomes known whole": _closed}
_NUMBER = {"becomes 0": _nought, "unknown becomes 0": _invented(0)}
_VALUE = {"becomes none": _none, "unknown becomes none": _invented(NONE)}
_WAYS: dict[str, Change] = {"becomes unknown": _forgotten, **_BOOLEAN, **_LIST, **_NUMBER, **_VALUE}
_OF_KIND = {"Boolean": _BOOLEAN, "Integer": _NUMBER}


def mutants(plan: ir.Plan) -> list[FactMutant]:
    """Each way in which each derived fact that a rule reads can be wrong, save those that only say where a node is."""
    places = {check.report for check in plan.checks} | {"inRecord", "order"}
    every = [part for rule in plan.rules() for c in ir.conditions(rule) for part in ir.walk(c)]
    valued = set(_read(part for part in every if not isinstance(part, ir.Stated)))
    stated = {part.path.steps[-1] for part in every if isinstance(part, ir.Stated)} - valued
    read = (_derived() & (valued | stated)) - places
    return [FactMutant(fact, way) for fact in sorted(read) for way in _ways(fact, fact in valued)]


def _ways(fact: str, valued: bool) -> tuple[str, ...]:
    """In how many ways it can be wrong; where nothing asks for its value, only by being known or not."""
    schema = load_schema()
    of_kind = _LIST if fact in schema.lists else _OF_KIND.get(schema.kinds.get(fact, ""), _VALUE)
    invented = [way for way in of_kind if way.startswith("unknown")]
    return ("becomes unknown", *(of_kind if valued else invented[:1]))


def _derived() -> set[str]:
    schema = load_schema()
    return set(schema.kinds) - set(schema.properties) - set(schema.members) - set(schema.members.values())


def _read(parts: Iterable[ir.Condition]) -> Iterator[str]:
    """The facts that conditions read; of a list, by its members or length."""
    members = load_schema().members
    lists = {member: count.removesuffix("Count") for member, count in members.items()}
    for part in parts:
        for path in ir.paths(part):
            for step in path.steps:
                yield lists.get(step, step.removesuffix("Count") if step in lists.values() else step)
                yield step.removesuffix("Count")


class FactWorld(World):
    """All scenarios, and for each kind of node the facts that nodes of this kind can have."""

    def __init__(self) -> None:
        super().__init__()
        self._all = Functions(self.plan)
        self._carriers: dict[str, set[str]] = {}
        for case in self.cases:
            for node, facts in case.graph.facts.items():
                for fact in facts:
                    self._carriers.setdefault(fact.removesuffix("Count"), set()).add(case.graph.kinds[node])

    def killer_of(self, mutant: FactMutant) -> str | None:
        """The scenario whose expectations fail; "" where no graph has a place for the mutant; None where none fails."""
        reached = False
        for case in self.cases:
            graph = case.fresh()
            if not self._change(graph, mutant):
                continue
            reached = True
            if self._fails(case, graph):
                return case.name
        return None if reached else ""

    def _change(self, graph: Graph, mutant: FactMutant) -> bool:
        change, kinds = _WAYS[mutant.way], self._carriers.get(mutant.fact, set())
        changed = [change(f, mutant.fact) for node, f in graph.facts.items() if graph.kinds[node] in kinds]
        return any(changed)

    def _fails(self, case: Case, graph: Graph) -> bool:
        after = case.evaluate(self._all, graph)
        if said(after) == said(case.findings):
            return False
        return fails(case, graph, after, self.knowledge, self.plan)


@cache
def _world() -> FactWorld:
    return FactWorld()


@cache
def _mutants() -> list[FactMutant]:
    return mutants(_world().plan)


def _try(position: int) -> str | None:
    return _world().killer_of(_mutants()[position])


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 0 where every mutant is killed or listed and counted, 1 for findings, 2 for bad usage."""
    parser = tally.parser("rulewright.quality.fact_mutation", __doc__, SURVIVORS, COUNTS)
    parser.add_argument("--fact", default="", help="only this fact")
    options = parser.parse_args(arguments)
    every = _mutants()
    wanted = [n for n, m in enumerate(every) if options.fact in ("", m.fact)]
    return tally.command(options, [m.name for m in every], _try, wanted, each=True)


if __name__ == "__main__":
    sys.exit(main())
