"""The reference evaluator: slow and obvious. Every printer is held to it, and it says why a verdict is what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rulewright.axioms import ir
from rulewright.records import Graph, Value
from rulewright.vocabulary import NONE, Iri, Scalar

Fact = tuple[Iri, str, Value]


class Missing(NamedTuple):
    """A fact that is not known of a node; of a list, also the member that it would have to have."""

    node: Iri
    name: str
    member: Scalar | None = None


@dataclass(frozen=True)
class Judgement:
    """The value of a condition, and what decided it: facts, or missing facts, and the named conditions."""

    value: bool | None
    facts: tuple[Fact, ...] = ()
    missing: tuple[Missing, ...] = ()
    named: tuple[tuple[Iri, bool | None], ...] = ()

    def negated(self) -> Judgement:
        return Judgement(None if self.value is None else not self.value, self.facts, self.missing, self.named)


def evaluate(plan: ir.Plan, graph: Graph) -> list[ir.Finding]:
    """All verdicts of a plan on one canonical graph, which is extended with the facts of the stages."""
    judge = Judge(plan, graph)
    judge.derive()
    found = []
    for check in plan.checks:
        for focus in judge.foci(check.focus):
            verdict = judge.verdict(check, focus)
            if verdict is not None:
                found.append(ir.Finding(check, focus, verdict))
    return found


class Judge:
    def __init__(self, plan: ir.Plan, graph: Graph) -> None:
        self.plan, self.graph = plan, graph
        self._by_kind: dict[str, list[Iri]] = {}
        for iri, kind in graph.kinds.items():
            self._by_kind.setdefault(kind, []).append(iri)
        self._derived = {d.name: d for d in plan.derives if isinstance(d, ir.Derive)}

    def derive(self) -> None:
        """The facts of the stages, in order."""
        for rule in self.plan.derives:
            for focus in self.foci(rule.focus):
                value: Value | None
                if isinstance(rule, ir.DeriveTurn):
                    value = self._next_turn(rule, focus)
                else:
                    value = self.judge(rule.condition, focus, focus).value
                if value is not None:
                    self.graph.facts[focus][rule.name] = value

    def foci(self, focus: ir.Focus) -> Iterator[Iri]:
        for kind in focus.kinds:
            for node in self._by_kind.get(kind, []):
                names = self.graph.facts[node].get("keywordsNamed", ())
                if focus.keyword is None or (isinstance(names, tuple) and focus.keyword in names):
                    yield node

    def verdict(self, check: ir.Check, focus: Iri) -> str | None:
        applies = self.judge(check.applies, focus, focus).value
        if applies is False:
            return None
        return ir.verdict(applies, self.judge(check.holds, focus, focus).value)

    def explain(self, check: ir.Check, focus: Iri) -> tuple[Judgement, Judgement]:
        """What decided whether a check applies, and whether it holds."""
        return self.judge(check.applies, focus, focus), self.judge(check.holds, focus, focus)

    # --- paths

    def _follow(self, path: ir.Path, this: Iri, focus: Iri) -> tuple[Value | None, Fact | None, Missing | None]:
        """The value at the end of a path; the last fact on the way; where it breaks off."""
        node: Value = focus if path.from_focus else this
        fact: Fact | None = None
        for step in path.steps:
            value = self.graph.value(node, step)
            at = node if isinstance(node, Iri) else focus
            if value is None or isinstance(value, tuple):
                return None, fact, Missing(at, step)
            if at != NONE:
                fact = (at, step, value)
            node = value
        return node, fact, None

    # --- conditions

    def judge(self, condition: ir.Condition, this: Iri, focus: Iri) -> Judgement:
        match condition:
            case ir.Constant(value=value):
                return Judgement(value)
            case ir.Compare():
                return self._compare(condition, this, focus)
            case ir.Exists(path=path):
                found, fact, missing = self._follow(path, this, focus)
                known = None if found is None else found != NONE
                return Judgement(known, (fact,) if fact else (), (missing,) if missing else ())
            case ir.Stated(path=path):
                _, fact, missing = self._follow(path, this, focus)
                return Judgement(missing is None, (fact,) if fact and not missing else ())
            case ir.Includes():
                return self._includes(condition, this, focus)
            case ir.Some():
                return self._some(condition, this, focus)
            case ir.All(parts=inner):
                return _joined([self.judge(p, this, focus) for p in inner], decisive=False)
            case ir.AnyOf(parts=inner):
                return _joined([self.judge(p, this, focus) for p in inner], decisive=True)
            case ir.Not(part=part):
                return self.judge(part, this, focus).negated()
            case ir.Named(iri=iri, part=part):
                inside = self.judge(part, this, focus)
                return Judgement(inside.value, inside.facts, inside.missing, ((iri, inside.value), *inside.named))
            case ir.OneOf(derived=names):
                return _joined([self._derived_or_false(n, this) for n in names], decisive=True)

    def _derived_or_false(self, name: str, node: Iri) -> Judgement:
        rule = self._derived[name]
        names = self.graph.facts[node].get("keywordsNamed", ())
        if rule.focus.keyword is not None and (not isinstance(names, tuple) or rule.focus.keyword not in names):
            return Judgement(False)
        return self.judge(rule.condition, node, node)

    def _compare(self, condition: ir.Compare, this: Iri, focus: Iri) -> Judgement:
        left, fact, missing = self._follow(condition.left, this, focus)
        last = condition.left.steps[-1] if condition.left.steps else ""
        if last in self._derived and (len(condition.left.steps) == 1 or fact is not None):
            at = (focus if condition.left.from_focus else this) if len(condition.left.steps) == 1 else None
            if at is not None and condition.right is True:
                return self.judge(self._derived[last].condition, at, at)
        right: Value | None = condition.right if not isinstance(condition.right, ir.Path) else None
        facts = [fact] if fact else []
        gaps = [missing] if missing else []
        if isinstance(condition.right, ir.Path):
            right, other, gap = self._follow(condition.right, this, focus)
            facts += [other] if other else []
            gaps += [gap] if gap else []
        if left is None or right is None:
            return Judgement(None, (), tuple(gaps))
        return Judgement(ir.compared(condition.op, left, right), tuple(facts))

    def _includes(self, condition: ir.Includes, this: Iri, focus: Iri) -> Judgement:
        node, _, missing = self._follow(condition.at, this, focus)
        wanted: Value | None = None
        gap: Missing | None = None
        if isinstance(condition.term, ir.Path):
            wanted, _, gap = self._follow(condition.term, this, focus)
        else:
            wanted = condition.term
        if node is None or wanted is None:
            return Judgement(None, (), tuple(m for m in (missing, gap) if m))
        if not isinstance(node, Iri) or node == NONE:
            return Judgement(None)
        members = self._members(node, condition.count)
        if wanted in members:
            return Judgement(True, ((node, condition.members, wanted),))
        if condition.count in self.graph.facts.get(node, {}):
            return Judgement(False, ((node, condition.count.removesuffix("Count"), members),))
        return Judgement(None, (), (Missing(node, condition.count.removesuffix("Count")),))

    def _members(self, node: Iri, count: str) -> tuple[Scalar, ...]:
        value = self.graph.facts.get(node, {}).get(count.removesuffix("Count"), ())
        return value if isinstance(value, tuple) else ()

    def _some(self, condition: ir.Some, this: Iri, focus: Iri) -> Judgement:
        missing: tuple[Missing, ...] = ()
        if condition.kind:
            members: tuple[Scalar, ...] = tuple(self._by_kind.get(condition.kind, []))
            closed = self.judge(condition.closed or ir.TRUE, this, focus)
            whole = closed.value is True
            missing = closed.missing or tuple(self._lacking(condition.closed or ir.TRUE, this, focus))
        else:
            node, _, gap = self._follow(condition.at or ir.path(), this, focus)
            if not isinstance(node, Iri) or node == NONE:
                return Judgement(None, (), (gap,) if gap else ())
            members = self._members(node, condition.count)
            whole = condition.count in self.graph.facts.get(node, {})
            missing = () if whole else (Missing(node, condition.count.removesuffix("Count")),)
        found = [self.judge(condition.condition, Iri(str(m)), focus) for m in members]
        if any(j.value for j in found):
            return next(j for j in found if j.value)
        unknown = [j for j in found if j.value is None]
        if unknown:
            return _joined(unknown, decisive=True)
        if not whole:
            return Judgement(None, (), missing)
        facts = tuple(f for j in found for f in j.facts)
        return Judgement(False, facts, (), tuple(n for j in found for n in j.named))

    def _lacking(self, closed: ir.Condition, this: Iri, focus: Iri) -> Iterator[Missing]:
        """What would close a kind of nodes where it is known not to be closed: members of lists, facts not stated."""
        for part in ir.walk(closed):
            if isinstance(part, ir.Includes) and not isinstance(part.term, ir.Path):
                node = self._follow(part.at, this, focus)[0]
                if isinstance(node, Iri) and part.term not in self._members(node, part.count):
                    yield Missing(node, part.count.removesuffix("Count"), part.term)
            elif isinstance(part, ir.Stated) and (gap := self._follow(part.path, this, focus)[2]) is not None:
                yield gap

    def _next_turn(self, rule: ir.DeriveTurn, focus: Iri) -> Value | None:
        player = self._follow(rule.player, focus, focus)[0]
        facts = self.graph.facts[focus]
        turn, position = facts.get("turnNode"), facts.get("stepPosition")
        if player is None or not isinstance(turn, Iri):
            return None
        if self.graph.value(turn, "activePlayer") == player:
            if position is None:
                return None
            if isinstance(position, int) and position < rule.position:
                return turn
        of_turn = self.graph.facts.get(turn, {})
        following = of_turn.get("followedBy", ())
        for later in following if isinstance(following, tuple) else ():
            if self.graph.value(later, "activePlayer") == player:
                return later
        none = of_turn.get("lastTurnOf", ())
        return NONE if isinstance(none, tuple) and player in none else None


def _joined(found: list[Judgement], decisive: bool) -> Judgement:
    """Any (decisive true) or all (decisive false), with what decided it."""
    deciding = [j for j in found if j.value is decisive]
    if deciding:
        return deciding[0]
    unknown = [j for j in found if j.value is None]
    told = unknown or found
    value = None if unknown else not decisive
    facts = tuple(dict.fromkeys(f for j in told for f in j.facts))
    missing = tuple(dict.fromkeys(m for j in unknown for m in j.missing))
    return Judgement(value, facts, missing, tuple(dict.fromkeys(n for j in told for n in j.named)))
