"""Prints a plan as Python functions over canonical graphs as data: what `rulewright check` runs.

A function returns True, False or None (unknown). It tells no reasons: the reference evaluator does, of what is found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rulewright.axioms import ir
from rulewright.records import Graph, Value
from rulewright.vocabulary import NONE, Iri, Scalar

_NOTHING_KNOWN: Mapping[str, Value] = {}


class World:
    """A canonical graph, and its nodes by kind and by the keywords that they name."""

    __slots__ = ("_naming", "facts", "of_kind")

    def __init__(self, graph: Graph) -> None:
        self.facts = graph.facts
        self.of_kind: dict[str, list[Iri]] = {}
        self._naming: dict[tuple[str, Scalar], list[Iri]] = {}
        for node, kind in graph.kinds.items():
            self.of_kind.setdefault(kind, []).append(node)
            names = graph.facts[node].get("keywordsNamed")
            if isinstance(names, tuple):
                for name in names:
                    self._naming.setdefault((kind, name), []).append(node)

    def foci(self, focus: ir.Focus) -> list[Iri]:
        if focus.keyword is None:
            lists = [self.of_kind[kind] for kind in focus.kinds if kind in self.of_kind]
        else:
            keys = [(kind, focus.keyword) for kind in focus.kinds]
            lists = [self._naming[key] for key in keys if key in self._naming]
        return lists[0] if len(lists) == 1 else [node for nodes in lists for node in nodes]


Test = Callable[[World, Iri, Iri], bool | None]
"""A condition: of a world, the node in question and the focus."""
Lookup = Callable[[World, Iri, Iri], Value | None]


@dataclass(frozen=True)
class DeriveFunction:
    """Gives the foci of its group a fact where it is known."""

    group: int
    name: str
    value: Lookup


@dataclass(frozen=True)
class CheckFunction:
    group: int
    check: ir.Check
    applies: Test
    holds: Test


class Functions:
    """A compiled plan."""

    def __init__(self, plan: ir.Plan) -> None:
        self._foci: dict[ir.Focus, int] = {}
        self._derived: dict[str, ir.Focus] = {}
        self._derives: list[DeriveFunction] = []
        for rule in plan.derives:
            if isinstance(rule, ir.DeriveTurn):
                value: Lookup = _next_turn(rule)
            else:
                value = self._test(rule.condition)
                self._derived[rule.name] = rule.focus
            self._derives.append(DeriveFunction(self._group(rule.focus), rule.name, value))
        self._checks = [
            CheckFunction(self._group(check.focus), check, self._test(check.applies), self._test(check.holds))
            for check in plan.checks
        ]

    def _group(self, focus: ir.Focus) -> int:
        return self._foci.setdefault(focus, len(self._foci))

    def run(self, graph: Graph) -> list[ir.Finding]:
        """All verdicts on one canonical graph, which is extended with the facts of the stages."""
        world = World(graph)
        groups = [world.foci(focus) for focus in self._foci]
        for derive in self._derives:
            for focus in groups[derive.group]:
                value = derive.value(world, focus, focus)
                if value is not None:
                    graph.facts[focus][derive.name] = value
        found: list[ir.Finding] = []
        for each in self._checks:
            for focus in groups[each.group]:
                applies = each.applies(world, focus, focus)
                if applies is False:
                    continue
                verdict = ir.verdict(applies, each.holds(world, focus, focus))
                if verdict is not None:
                    found.append(ir.Finding(each.check, focus, verdict))
        return found

    def _test(self, condition: ir.Condition) -> Test:
        match condition:
            case ir.Constant(value=value):
                return lambda world, this, focus: value
            case ir.Compare(op=op, left=left, right=right):
                return _compare(op, left, right)
            case ir.Exists(path=path):
                return _exists(_follow(path))
            case ir.Stated(path=path):
                end = _follow(path)
                return lambda world, this, focus: end(world, this, focus) is not None
            case ir.Includes():
                return _includes(condition)
            case ir.Some():
                return self._some(condition)
            case ir.All(parts=inner):
                return _joined(self._tests(inner), decisive=False)
            case ir.AnyOf(parts=inner):
                return _joined(self._tests(inner), decisive=True)
            case ir.Not(part=part):
                return _negated(self._test(part))
            case ir.Named(part=part):
                return self._test(part)
            case ir.OneOf(derived=names):
                return self._one_of(names)

    def _tests(self, inner: Sequence[ir.Condition]) -> list[Test]:
        """Quantifiers last: what comes before them may already decide."""
        return [self._test(part) for part in sorted(inner, key=_quantified)]

    def _some(self, some: ir.Some) -> Test:
        test = self._test(some.condition)
        if some.kind:
            kind, closed = some.kind, self._test(some.closed or ir.TRUE)

            def some_node(world: World, this: Iri, focus: Iri) -> bool | None:
                unknown = False
                for member in world.of_kind.get(kind, ()):
                    value = test(world, member, focus)
                    if value:
                        return True
                    unknown = unknown or value is None
                return None if unknown or closed(world, this, focus) is not True else False

            return some_node
        at, count, members = _follow(some.at or ir.path()), some.count, some.count.removesuffix("Count")

        def some_member(world: World, this: Iri, focus: Iri) -> bool | None:
            node = at(world, this, focus)
            facts = world.facts.get(node) if isinstance(node, Iri) and node != NONE else None
            if facts is None:
                return None
            listed = facts.get(members, ())
            unknown = False
            for member in listed if isinstance(listed, tuple) else ():
                value = test(world, Iri(str(member)), focus)
                if value:
                    return True
                unknown = unknown or value is None
            return None if unknown or count not in facts else False

        return some_member

    def _one_of(self, names: tuple[str, ...]) -> Test:
        rules = [(name, self._derived[name].keyword) for name in names]

        def one_of(world: World, this: Iri, focus: Iri) -> bool | None:
            facts = world.facts[this]
            keywords = facts.get("keywordsNamed", ())
            unknown = False
            for name, keyword in rules:
                if keyword is None or (isinstance(keywords, tuple) and keyword in keywords):
                    value = facts.get(name)
                    if value is True:
                        return True
                    unknown = unknown or value is None
            return None if unknown else False

        return one_of


def _quantified(condition: ir.Condition) -> bool:
    return any(isinstance(part, ir.Some) for part in ir.walk(condition))


def _follow(path: ir.Path) -> Lookup:
    """The value at the end of a path; of `game:none` everything is none."""
    steps, from_focus = path.steps, path.from_focus
    if not steps:
        return (lambda world, this, focus: focus) if from_focus else (lambda world, this, focus: this)
    first, rest = steps[0], steps[1:]

    def follow(world: World, this: Iri, focus: Iri) -> Value | None:
        node = focus if from_focus else this
        facts = world.facts.get(node)
        if facts is None:
            return NONE if node == NONE else None
        value = facts.get(first)
        for step in rest:
            if value is None or value == NONE:
                return value
            value = world.facts.get(value, _NOTHING_KNOWN).get(step) if isinstance(value, Iri) else None
        return None if type(value) is tuple else value

    return follow


def _compare(op: str, left: ir.Path, right: ir.Term) -> Test:
    one = _follow(left)
    if op == "=" and not isinstance(right, ir.Path):
        return _equals(left, one, right)
    other: Lookup = _follow(right) if isinstance(right, ir.Path) else lambda world, this, focus: right

    def compare(world: World, this: Iri, focus: Iri) -> bool | None:
        value = one(world, this, focus)
        if value is None:
            return None
        with_ = other(world, this, focus)
        return None if with_ is None else ir.compared(op, value, with_)

    return compare


def _equals(path: ir.Path, end: Lookup, wanted: Scalar) -> Test:
    """Equality with a constant; the most frequent test of all, of a fact of the node itself, without a detour."""
    resource = isinstance(wanted, Iri)
    if len(path.steps) != 1:

        def equals(world: World, this: Iri, focus: Iri) -> bool | None:
            value = end(world, this, focus)
            return None if value is None else value == wanted and isinstance(value, Iri) is resource

        return equals
    name, from_focus = path.steps[0], path.from_focus

    def fact_equals(world: World, this: Iri, focus: Iri) -> bool | None:
        facts = world.facts.get(focus if from_focus else this)
        value = end(world, this, focus) if facts is None else facts.get(name)
        if value is None or type(value) is tuple:
            return None
        return value == wanted and isinstance(value, Iri) is resource

    return fact_equals


def _exists(end: Lookup) -> Test:
    def exists(world: World, this: Iri, focus: Iri) -> bool | None:
        value = end(world, this, focus)
        return None if value is None else value != NONE

    return exists


def _includes(condition: ir.Includes) -> Test:
    at, count, members = _follow(condition.at), condition.count, condition.count.removesuffix("Count")
    term = condition.term
    wanted: Lookup = _follow(term) if isinstance(term, ir.Path) else lambda world, this, focus: term

    def includes(world: World, this: Iri, focus: Iri) -> bool | None:
        node, member = at(world, this, focus), wanted(world, this, focus)
        facts = world.facts.get(node) if isinstance(node, Iri) and node != NONE else None
        if facts is None or member is None:
            return None
        listed = facts.get(members, ())
        if isinstance(listed, tuple) and member in listed:
            return True
        return False if count in facts else None

    return includes


def _joined(tests: list[Test], decisive: bool) -> Test:
    """Any (decisive true) or all (decisive false)."""
    settled = not decisive

    def joined(world: World, this: Iri, focus: Iri) -> bool | None:
        unknown = False
        for test in tests:
            value = test(world, this, focus)
            if value is decisive:
                return decisive
            if value is None:
                unknown = True
        return None if unknown else settled

    return joined


def _negated(test: Test) -> Test:
    def negated(world: World, this: Iri, focus: Iri) -> bool | None:
        value = test(world, this, focus)
        return None if value is None else not value

    return negated


def _next_turn(rule: ir.DeriveTurn) -> Lookup:
    whose, before = _follow(rule.player), rule.position

    def next_turn(world: World, this: Iri, focus: Iri) -> Value | None:
        facts = world.facts[focus]
        player, turn = whose(world, focus, focus), facts.get("turnNode")
        if player is None or not isinstance(turn, Iri):
            return None
        turn_facts = world.facts.get(turn, _NOTHING_KNOWN)
        if turn_facts.get("activePlayer") == player:
            position = facts.get("stepPosition")
            if position is None:
                return None
            if isinstance(position, int) and position < before:
                return turn
        following = turn_facts.get("followedBy", ())
        for later in following if isinstance(following, tuple) else ():
            if world.facts.get(Iri(str(later)), _NOTHING_KNOWN).get("activePlayer") == player:
                return Iri(str(later))
        last = turn_facts.get("lastTurnOf", ())
        return NONE if isinstance(last, tuple) and player in last else None

    return next_turn
