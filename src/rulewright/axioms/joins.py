"""Prints a plan as SELECTs whose stages the client joins: for endpoints that may only be read.

A stage's facts cannot be added there. So each rule is one query for the part of its conditions that the endpoint can
judge by itself, as columns of 1 (true), 0 (false) and 2 (unknown), and a function that puts these together with the
facts of earlier stages, which the client holds. A quantifier has a query of its own, with a row for each member.
Rows that what the endpoint knows already settles are filtered out there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulewright.axioms import ir
from rulewright.axioms.sparql import Text, member_pattern, turn_steps
from rulewright.records import Value
from rulewright.store import Row
from rulewright.vocabulary import GAME, NONE, Iri

Ask = Callable[[str], Iterable[Row]]
TRUTH: Mapping[Any, bool | None] = {1: True, 0: False, 2: None}


@dataclass
class Joins:
    """What the client holds of earlier stages, for one batch of records."""

    facts: dict[tuple[Iri, str], Value] = field(default_factory=dict)
    foci: dict[str, set[Iri]] = field(default_factory=lambda: defaultdict(set))
    """Derived fact -> the nodes that its rule looked at."""
    members: dict[int, dict[Iri, list[Row]]] = field(default_factory=dict)
    """Quantifier -> focus -> rows of members that may meet its condition."""


Test = Callable[[Row, Joins], "bool | None"]
Lookup = Callable[[Row, Joins], "Value | None"]


class JoinedPlan:
    """A compiled plan. `everything`: whether conforming verdicts are wanted too."""

    def __init__(self, plan: ir.Plan, everything: bool = False) -> None:
        derived = frozenset(rule.name for rule in plan.derives)
        self._everything = everything
        self._onward = _onward(plan, derived)
        self._rules: list[tuple[ir.Rule, _Query | None]] = [
            (rule, None if isinstance(rule, ir.DeriveTurn) else _compiled(rule, derived, everything))
            for rule in plan.rules()
        ]

    def run(self, ask: Ask, records: Sequence[Iri]) -> Iterator[tuple[Iri, ir.Finding]]:
        """Each finding with its record, of records whose canonical graphs `ask` sees."""
        these = _these(records)
        rows = ask(f"SELECT DISTINCT ?kind ?keyword WHERE {{\n{these}  ?focus a ?kind .\n"
                   f"  OPTIONAL {{ ?focus <{GAME}namesKeyword> ?keyword }}\n}}")  # fmt: skip
        there = {(row["kind"], keyword) for row in rows for keyword in (None, row["keyword"])}
        joins = Joins()
        for rule, query in self._rules:
            if not any((GAME + kind, rule.focus.keyword) in there for kind in rule.focus.kinds):
                continue
            if isinstance(rule, ir.DeriveTurn):
                for step in turn_steps(rule):
                    head = "?focus" if step.value is not None else "?focus ?value"
                    for row in ask(f"SELECT DISTINCT {head} WHERE {{\n{these}{step.body}}}"):
                        value = row["value"] if step.value is None else step.value
                        if value is not None:
                            joins.facts[Iri(str(row["focus"])), rule.name] = value
            elif query is not None:
                yield from self._judged(rule, query, ask, these, joins)
            if not isinstance(rule, ir.Check):
                for steps in self._onward.get(rule.name, ()):
                    _go_on(rule.name, steps, ask, joins)

    def _judged(
        self, rule: ir.Rule, query: _Query, ask: Ask, these: str, joins: Joins
    ) -> Iterator[tuple[Iri, ir.Finding]]:
        for key, text in query.quantifiers:
            found: dict[Iri, list[Row]] = defaultdict(list)
            for row in ask(text.replace(_THESE, these)):
                found[Iri(str(row["focus"]))].append(row)
            joins.members[key] = found
        for row in ask(query.text.replace(_THESE, these)):
            focus = Iri(str(row["focus"]))
            first = query.first(row, joins)
            if isinstance(rule, ir.Derive):
                joins.foci[rule.name].add(focus)
                if first is not None:
                    joins.facts[focus, rule.name] = first
            elif isinstance(rule, ir.Check) and first is not False:
                verdict = ir.verdict(first, query.second(row, joins))
                if verdict is not None and (verdict != "conforms" or self._everything):
                    yield row["record"], ir.Finding(rule, focus, verdict)


def _onward(plan: ir.Plan, derived: frozenset[str]) -> dict[str, set[tuple[str, ...]]]:
    """Fact of a stage -> the steps that paths take from there."""
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for part in (inner for rule in plan.rules() for c in ir.conditions(rule) for inner in ir.walk(c)):
        for path in ir.paths(part):
            for n, step in enumerate(path.steps[:-1]):
                if step in derived:
                    found[step].add(path.steps[n + 1 :])
    return found


def _go_on(name: str, steps: tuple[str, ...], ask: Ask, joins: Joins) -> None:
    nodes = sorted({v for (_, fact), v in joins.facts.items() if fact == name and isinstance(v, Iri) and v != NONE})
    if nodes:
        listed, way = " ".join(f"<{node}>" for node in nodes), "/".join(f"<{GAME}{step}>" for step in steps)
        for row in ask(f"SELECT ?node ?value WHERE {{\n  VALUES ?node {{ {listed} }}\n  ?node {way} ?value .\n}}"):
            joins.facts[row["node"], "/".join(steps)] = row["value"]


@dataclass
class _Query:
    """`first`: the condition of a derived fact, or whether a check applies; `second`: whether the check holds."""

    text: str
    quantifiers: list[tuple[int, str]]
    first: Test
    second: Test


_THESE = "#these\n"
"""Where the records of the batch are named in a query's text."""


def _these(records: Iterable[Iri]) -> str:
    listed = " ".join(f"<{record}>" for record in records)
    return f"  VALUES ?record {{ {listed} }}\n  ?focus <{GAME}inRecord> ?record .\n"


def _compiled(rule: ir.Derive | ir.Check, derived: frozenset[str], everything: bool) -> _Query:
    split = _Split(rule.focus, derived)
    if isinstance(rule, ir.Derive):
        first, second = split.test(rule.condition), _constant(True)
        wanted = ""
    else:
        first, second = split.test(rule.applies), split.test(rule.holds)
        tests = [f"!{split.text.known(split.relaxed(rule.applies), False)}"]
        if not everything:
            tests.append(f"!{split.text.known(split.relaxed(rule.holds), True)}")
        wanted = f"  FILTER({' && '.join(tests)})\n"
    return _Query(split.select(wanted), split.quantifiers, first, second)


class _Split:
    """The query of one rule or quantifier, and the functions that judge its rows."""

    def __init__(self, focus: ir.Focus, derived: frozenset[str], member: str = "") -> None:
        self.text = Text(focus, member)
        self.quantifiers: list[tuple[int, str]] = []
        self._focus, self._derived, self._member = focus, derived, member
        self._columns: list[tuple[str, str]] = []
        self._nodes: list[str] = []

    def select(self, wanted: str) -> str:
        own = ["?record", "?focus", *(["?member"] if self._member else [])]
        heads = list(dict.fromkeys([*own, *self._nodes, *(name for _, name in self._columns)]))
        binds = "".join(f"  BIND({expression} AS {name})\n" for expression, name in self._columns)
        return f"SELECT DISTINCT {' '.join(heads)} WHERE {{\n{_THESE}{self.text.body()}{wanted}{binds}}}"

    def relaxed(self, condition: ir.Condition) -> ir.Condition:
        """The condition with whatever the endpoint cannot judge unknown: what that settles is settled."""
        if self._by_endpoint(condition):
            return condition
        match condition:
            case ir.All(parts=inner):
                return ir.All(tuple(self.relaxed(p) for p in inner))
            case ir.AnyOf(parts=inner):
                return ir.AnyOf(tuple(self.relaxed(p) for p in inner))
            case ir.Not(part=part):
                return ir.Not(self.relaxed(part))
            case ir.Named(part=part):
                return self.relaxed(part)
            case _:
                return ir.UNKNOWN

    def test(self, condition: ir.Condition) -> Test:
        if isinstance(condition, ir.Constant):
            return _constant(condition.value)
        if self._by_endpoint(condition):
            column = self._column(condition)
            return lambda row, joins: TRUTH[row[column]]
        match condition:
            case ir.All(parts=inner):
                return _joined(self._tests(inner, ir.All), decisive=False)
            case ir.AnyOf(parts=inner):
                return _joined(self._tests(inner, ir.AnyOf), decisive=True)
            case ir.Not(part=part):
                test = self.test(part)
                return lambda row, joins: None if (value := test(row, joins)) is None else not value
            case ir.Named(part=part):
                return self.test(part)
            case ir.Stated(path=path):
                end = self._lookup(path)
                return lambda row, joins: end(row, joins) is not None
            case ir.Exists(path=path):
                end = self._lookup(path)
                return lambda row, joins: None if (value := end(row, joins)) is None else value != NONE
            case ir.Compare(op=op, left=left, right=right):
                return _compare(op, self._lookup(left), self._lookup(right) if isinstance(right, ir.Path) else right)
            case ir.OneOf(derived=names):
                return _one_of(names)
            case ir.Some():
                return self._some(condition)
            case _:
                raise ValueError(f"a list that a fact of a stage leads to: name a condition on it instead: {condition}")

    def _tests(self, inner: tuple[ir.Condition, ...], kind: type[ir.All] | type[ir.AnyOf]) -> list[Test]:
        """Whatever the endpoint can judge as one column."""
        there = tuple(p for p in inner if self._by_endpoint(p))
        rest = [self.test(p) for p in inner if p not in there]
        return [self.test(kind(there)), *rest] if there else rest

    def _by_endpoint(self, condition: ir.Condition) -> bool:
        return not any(
            isinstance(part, ir.Some | ir.OneOf) or any(self._derived & set(p.steps) for p in ir.paths(part))
            for part in ir.walk(condition)
        )

    def _column(self, condition: ir.Condition) -> str:
        known = self.text.known
        expression = f"IF({known(condition, True)}, 1, IF({known(condition, False)}, 0, 2))"
        for there, name in self._columns:
            if there == expression:
                return name[1:]
        self._columns.append((expression, f"?c{len(self._columns) + 1}"))
        return self._columns[-1][1][1:]

    def _lookup(self, path: ir.Path) -> Lookup:
        """The value at a path: to the fact of a stage as the endpoint says, from there on as the client has asked."""
        stage = next((n for n, step in enumerate(path.steps) if step in self._derived), None)
        if stage is None:
            variable = self._node(path)
            return lambda row, joins: row[variable]
        variable = self._node(ir.Path(path.steps[:stage], path.from_focus))
        name, rest = path.steps[stage], "/".join(path.steps[stage + 1 :])

        def stage_fact(row: Row, joins: Joins) -> Value | None:
            node = row[variable]
            value = NONE if node == NONE else joins.facts.get((node, name))
            if not rest or value is None or value == NONE:
                return value
            return joins.facts.get((Iri(str(value)), rest))

        return stage_fact

    def _node(self, path: ir.Path) -> str:
        variable = self.text.path(path)
        self._nodes.append(variable)
        return variable[1:]

    def _some(self, some: ir.Some) -> Test:
        if self._member:
            raise ValueError("a quantifier within a quantifier: name the inner condition as a fact of its own")
        inside = _Split(self._focus, self._derived, member_pattern(some))
        test = inside.test(some.condition)
        wanted = f"  FILTER(!{inside.text.known(inside.relaxed(some.condition), False)})\n"
        key = id(some)
        self.quantifiers.append((key, inside.select(wanted)))
        whole = some.closed or ir.TRUE
        if not some.kind:
            # Nothing is known of a list of `game:none`, whose length is none too.
            whole = ir.Compare(">=", ir.Path((*(some.at or ir.path()).steps, some.count)), 0)
        closed = self.test(whole)

        def some_member(row: Row, joins: Joins) -> bool | None:
            members = joins.members[key].get(row["focus"], ())
            found = _settled([test(member, joins) for member in members], decisive=True)
            return None if found is False and closed(row, joins) is not True else found

        return some_member


def _constant(value: bool | None) -> Test:
    return lambda row, joins: value


def _joined(tests: list[Test], decisive: bool) -> Test:
    def joined(row: Row, joins: Joins) -> bool | None:
        return _settled([test(row, joins) for test in tests], decisive)

    return joined


def _settled(values: list[bool | None], decisive: bool) -> bool | None:
    """Any (decisive true) or all (decisive false)."""
    return decisive if decisive in values else None if None in values else not decisive


def _compare(op: str, left: Lookup, right: Lookup | Value) -> Test:
    def compare(row: Row, joins: Joins) -> bool | None:
        one, two = left(row, joins), right(row, joins) if callable(right) else right
        return None if one is None or two is None else ir.compared(op, one, two)

    return compare


def _one_of(names: tuple[str, ...]) -> Test:
    def one_of(row: Row, joins: Joins) -> bool | None:
        focus = row["focus"]
        values = [joins.facts.get((focus, name)) for name in names if focus in joins.foci[name]]
        return _settled([value if isinstance(value, bool) else None for value in values], decisive=True)

    return one_of
