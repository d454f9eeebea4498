"""Do the scenarios bite? Each axiom is mutated in turn, and the expectations of some scenario must then fail.

`python -m rulewright.quality.mutation` reports the mutants that survive; it fails for one that
`tests/mutation-survivors.toml` does not list, for a listed one that is killed, and where `tests/mutation-counts.json`
does not have the numbers found. `--json FILE` writes these to a file instead of comparing them. With `--coverage` it
prints how each axiom was seen to fire and to stay silent.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from rulewright.axioms import Functions, Knowledge, ir, lower, packaged_knowledge
from rulewright.checks import Expected, Result, differences, expectations
from rulewright.checks.reference import Judge, Judgement
from rulewright.checks.verdicts import verdicts
from rulewright.quality import tally
from rulewright.quality.mutants import Mutant, mutants
from rulewright.records import Graph, Record, canonical, read_structure
from rulewright.vocabulary import BASE, NEWEST, Iri, load_rule_numbers, load_schema, packaged

SURVIVORS = Path("tests", "mutation-survivors.toml")
COUNTS = Path("tests", "mutation-counts.json")
Facts = dict[Iri, dict[str, object]]


@dataclass
class Case:
    """A scenario, its graph, and what the right axioms say of it."""

    name: str
    record: Record
    graph: Graph
    expected: list[Expected]
    keywords: frozenset[Iri]
    findings: list[ir.Finding] = field(default_factory=list)

    def fresh(self, graph: Graph | None = None) -> Graph:
        """A copy, since stages add facts to a graph."""
        own = graph or self.graph
        return Graph(own.record, {node: dict(facts) for node, facts in own.facts.items()}, own.kinds)

    def evaluate(self, functions: Functions, graph: Graph | None = None) -> list[ir.Finding]:
        """What can make a difference: a verdict that conforms only where the scenario expects one."""
        wanted = {"violates", "undetermined", *(e.verdict for e in self.expected)}
        return [f for f in functions.run(self.fresh(graph)) if f.verdict in wanted]


class World:
    """The right axioms, and all scenarios."""

    def __init__(self) -> None:
        self.knowledge = packaged_knowledge()
        self.plan = lower(self.knowledge)
        self._functions = Functions(self.plan)
        self.names = self.knowledge.record_words()
        self.cases = [self._case(file) for file in sorted(packaged("data", "scenarios").rglob("*.json"))]
        self._rules = set(self.plan.rules())
        self._in_steps: dict[tuple[str, tuple[Iri, ...]], Graph] = {}

    def _case(self, file: Path) -> Case:
        parameters = self.knowledge.parameters()
        record = read_structure(json.loads(file.read_text(encoding="utf-8")), str(file), parameters=parameters)
        graph = canonical(record, self.names, self.plan.steps)
        named = frozenset(graph.keywords_named())
        case = Case(f"{file.parent.name}/{file.stem}", record, graph, [], named)
        case.expected = expectations(Result(record=record, graph=graph))[0]
        case.findings = case.evaluate(self._functions)
        return case

    def _graph(self, case: Case, steps: tuple[Iri, ...]) -> Graph:
        if steps == self.plan.steps:
            return case.graph
        if (case.name, steps) not in self._in_steps:
            self._in_steps[case.name, steps] = canonical(case.record, self.names, steps)
        return self._in_steps[case.name, steps]

    @cache  # noqa: B019 - a world lives as long as its process
    def order(self, axiom: Iri) -> list[Case]:
        """The scenarios that an axiom can matter to: those it decides, those citing its authority, the others."""
        keyword = self.knowledge.axioms[axiom].keyword
        numbers = load_rule_numbers()
        cited = {numbers.label(a, NEWEST).removeprefix("CR ") for a in self.knowledge.axioms[axiom].authority}

        def rank(case: Case) -> int:
            if any(f.check.axiom == axiom and f.verdict == "violates" for f in case.findings):
                return 0
            authorities = {a for e in case.expected for a in e.authorities}
            return 1 if cited & authorities else 2 if any(f.check.axiom == axiom for f in case.findings) else 3

        return sorted((c for c in self.cases if keyword is None or keyword in c.keywords), key=rank)

    def killer(self, mutant: Mutant) -> str | None:
        """The scenario whose expectations fail; "" where the mutant says the same as the right axioms; else None."""
        knowledge = mutant.change(self.knowledge)
        plan = lower(knowledge)
        changed = _affected(plan, self._rules) | _affected(self.plan, set(plan.rules()))
        if not changed and plan.steps == self.plan.steps:
            return ""
        partial = Functions(_part(plan, changed))
        for case in self.order(mutant.axiom):
            graph = self._graph(case, plan.steps)
            before = [f for f in case.findings if f.check.id in changed]
            after = case.evaluate(partial, graph)
            if said(before) == said(after):
                continue
            kept = [f for f in case.findings if f.check.id not in changed]
            if fails(case, graph, [*kept, *after], knowledge, plan):
                return case.name
        return None


def fails(case: Case, graph: Graph, findings: list[ir.Finding], knowledge: Knowledge, plan: ir.Plan) -> bool:
    """Whether the expectations of a scenario fail where this is found in its graph."""
    explained = case.fresh(graph)
    Judge(plan, explained).derive()
    result = Result(record=case.record, graph=graph, verdicts=verdicts(findings, knowledge, plan, explained))
    return bool(differences(result, case.expected))


def said(findings: Iterable[ir.Finding]) -> set[tuple[str, Iri, str]]:
    """Which check says what of which node."""
    return {(f.check.id, f.focus, f.verdict) for f in findings}


def _facts_used(rule: ir.Rule) -> set[str]:
    """The facts of stages that a rule reads."""
    used: set[str] = set()
    for part in (inner for c in ir.conditions(rule) for inner in ir.walk(c)):
        used.update(part.derived if isinstance(part, ir.OneOf) else ())
        used.update(step for path in ir.paths(part) for step in path.steps)
    return {name for name in used if ":" in name}


def _affected(plan: ir.Plan, known: set[ir.Rule]) -> set[str]:
    """The checks of a plan that are not known, or that read, however indirectly, a fact that is not."""
    new: set[str] = set()
    for rule in plan.derives:
        if rule not in known or _facts_used(rule) & new:
            new.add(rule.name)
    return {check.id for check in plan.checks if check not in known or _facts_used(check) & new}


def _part(plan: ir.Plan, checks: set[str]) -> ir.Plan:
    """Only these checks, and the stages that they need."""
    kept = [c for c in plan.checks if c.id in checks]
    needed = {name for c in kept for name in _facts_used(c)}
    derives = []
    for rule in reversed(plan.derives):
        if rule.name in needed:
            needed |= _facts_used(rule)
            derives.append(rule)
    return ir.Plan(derives[::-1], kept, plan.steps)


# --- coverage


@dataclass
class Seen:
    """How an axiom was seen: the number of scenarios of each kind."""

    fires: int = 0
    different: int = 0
    closed: int = 0
    absent: int = 0
    unknown: int = 0


def coverage(world: World) -> dict[Iri, Seen]:
    """For each axiom: in how many scenarios it fires, and is silent by a known different value, by a list known whole,
    by absence (its keyword is there, but nothing that it is about), and undetermined by an unknown.

    An axiom that has no check of its own, such as the second permission of a keyword, fires where its fact is true.
    """
    lists = load_schema().lists
    table = {iri: Seen() for iri in sorted(world.knowledge.axioms)}
    own = {c.axiom for c in world.plan.checks}
    for case in world.cases:
        graph = case.fresh()
        judge = Judge(world.plan, graph)
        judge.derive()
        told: dict[Iri, set[str]] = {iri: set() for iri in table}
        for check in world.plan.checks:
            for focus in judge.foci(check.focus):
                applies = judge.judge(check.applies, focus, focus)
                holds = Judgement(None) if applies.value is False else judge.judge(check.holds, focus, focus)
                if applies.value and holds.value is False:
                    told[check.axiom].add("fires")
                elif applies.value is not False and (holds.value is None or not (applies.value or holds.value)):
                    told[check.axiom].add("unknown")
                else:
                    told[check.axiom].add("different")
                    decided = applies.facts if applies.value is False else applies.facts + holds.facts
                    if any(name in lists or name.endswith("Count") for _, name, _ in decided):
                        told[check.axiom].add("closed")
        for rule in world.plan.derives:
            if isinstance(rule, ir.Derive) and rule.axiom not in own:
                for focus in judge.foci(rule.focus):
                    value = graph.facts[focus].get(rule.name)
                    told[rule.axiom].add("unknown" if value is None else "fires" if value is True else "different")
        for iri, kinds in told.items():
            keyword = world.knowledge.axioms[iri].keyword
            for kind in kinds or ({"absent"} if keyword is None or keyword in case.keywords else set()):
                setattr(table[iri], kind, getattr(table[iri], kind) + 1)
    return table


# --- the command


@cache
def _world() -> World:
    return World()


@cache
def _mutants() -> list[Mutant]:
    return mutants(_world().knowledge)


def _try(position: int) -> str | None:
    return _world().killer(_mutants()[position])


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 0 where every mutant is killed or listed and counted, 1 for findings, 2 for bad usage."""
    parser = tally.parser("rulewright.quality.mutation", __doc__, SURVIVORS, COUNTS)
    parser.add_argument("--coverage", action="store_true", help="how each axiom was seen, instead of mutation")
    parser.add_argument("--axiom", default="", help="only axioms whose IRI contains this")
    options = parser.parse_args(arguments)
    if options.coverage:
        print(f"{'fires':>6}{'differs':>8}{'closed':>7}{'absent':>7}{'unknown':>8}  axiom")
        for iri, seen in coverage(_world()).items():
            print(f"{seen.fires:6}{seen.different:8}{seen.closed:7}{seen.absent:7}{seen.unknown:8}  "
                  f"{iri.removeprefix(BASE)}")
        return 0
    every = _mutants()
    wanted = [n for n, m in enumerate(every) if options.axiom in m.axiom]
    return tally.command(options, [m.name for m in every], _try, wanted)


if __name__ == "__main__":
    sys.exit(main())
