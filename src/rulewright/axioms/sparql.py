"""Prints a plan as portable SPARQL 1.1.

SPARQL's own logic has three values: a comparison with an unbound variable is an error, and `&&`, `||` and `!` treat
errors as the third value. So a condition is printed as one expression over optional paths. Quantifiers and set
judgements become stages of their own, whose results are facts.

Virtuoso 7 keeps to that only in part: where it is negated or is a value, an unbound comparison is false to it; it takes
`?a = ?b` over two optional paths for one variable; and it loses rows of a UNION that OPTIONAL patterns follow. So for
stores that are not exact, whether a condition is known to be true and whether it is known to be false are printed as
two expressions, which BOUND and STR keep from being in error (`Text.known`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rulewright.axioms import ir
from rulewright.records.quads import property_iri
from rulewright.vocabulary import GAME, NONE, Iri, Scalar

NEVER = "(?never = 1)"
"""Unknown: the variable is bound nowhere."""


@dataclass(frozen=True)
class Step:
    """Every focus that the body finds gets a fact: `value`, or what the body binds to `?value` where it is None."""

    fact: str
    value: Scalar | None
    body: str
    focus: ir.Focus
    either: str = ""
    """Of two steps that give a fact its value true or false: a body that binds `?value` to either, for an exact store.
    The second of the two has `-`."""

    @property
    def keyword(self) -> Iri | None:
        return self.focus.keyword

    def select_either(self) -> str:
        return f"SELECT DISTINCT ?focus ?value WHERE {{\n{self.either}}}"

    def select(self) -> str:
        head = "?focus" if self.value is not None else "?focus ?value"
        return f"SELECT DISTINCT {head} WHERE {{\n{self.body}}}"

    def construct(self) -> str:
        value = literal(self.value) if self.value is not None else "?value"
        return f"CONSTRUCT {{ ?focus <{property_iri(self.fact)}> {value} }} WHERE {{\n{self.body}}}"


@dataclass(frozen=True)
class Query:
    """The foci of one check that it finds violated, undetermined, or conforming."""

    check: ir.Check
    body: str
    applies: str
    holds: str
    tests: dict[str, str]
    """For each verdict, an expression that is never in error."""
    needs: frozenset[str] = frozenset()
    """Properties without which, on the focus itself, the check is silent."""

    def select_all(self, everything: bool) -> str:
        """All verdicts at once: `?applies` and `?holds` are 1 (true), 0 (false) or 2 (unknown)."""
        applies, holds = (f"COALESCE(IF({e}, 1, 0), 2)" for e in (self.applies, self.holds))
        silent = "(?applies = 2 && ?holds = 1)" if everything else "(?holds = 1)"
        return (
            f"SELECT DISTINCT ?focus ?applies ?holds WHERE {{\n{self.body}  BIND({applies} AS ?applies)\n"
            f"  BIND({holds} AS ?holds)\n  FILTER(?applies > 0 && !{silent})\n}}"
        )

    def select(self, verdict: str) -> str:
        return f"SELECT DISTINCT ?focus WHERE {{\n{self.body}{self.condition(verdict)}}}"

    def condition(self, verdict: str) -> str:
        return f"  FILTER({self.tests[verdict]})\n"


@dataclass
class Program:
    """Stages in their order, then checks; and the properties of the game graph that they ask for."""

    steps: list[Step] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)
    properties: frozenset[str] = frozenset()
    reads: list[Reads] = field(default_factory=list)


@dataclass(frozen=True)
class Reads:
    """What a rule reads: properties of nodes of a kind (`""`: of whatever nodes its paths lead to)."""

    focus: ir.Focus
    by_kind: dict[str, frozenset[str]]


def compile_plan(plan: ir.Plan) -> Program:
    """A plan as SPARQL. A ValueError names a rule that has a quantifier within a quantifier."""
    program = Program()
    for rule in plan.derives:
        if isinstance(rule, ir.DeriveTurn):
            program.steps.extend(turn_steps(rule))
            continue
        condition = _staged(rule.condition, rule.focus, rule.name, program)
        text = Text(rule.focus)
        test = text.expression(condition)
        either = text.body() + f"  BIND({test} AS ?value)\n  FILTER(BOUND(?value))\n"
        for value, shorter in ((True, either), (False, "-")):
            body = text.body() + f"  FILTER({text.known(condition, value)})\n"
            program.steps.append(Step(rule.name, value, body, rule.focus, shorter))
    for check in plan.checks:
        applies = _staged(check.applies, check.focus, f"{check.id}/applies", program)
        holds = _staged(check.holds, check.focus, f"{check.id}/holds", program)
        text = Text(check.focus)
        applies, needs = _required(applies, text)
        first, second = text.expression(applies), text.expression(holds)
        program.queries.append(Query(check, text.body(), first, second, _tests(text, applies, holds), needs))
    program.properties = frozenset(_properties(plan))
    program.reads = [_reads(rule) for rule in plan.rules()]
    return program


def _tests(text: Text, applies: ir.Condition, holds: ir.Condition) -> dict[str, str]:
    due, done, broken = text.known(applies, True), text.known(holds, True), text.known(holds, False)
    return {
        "violates": f"{due} && {broken}",
        "conforms": f"{due} && {done}",
        "undetermined": f"!{text.known(applies, False)} && !{done} && !({due} && {broken})",
    }


def _required(applies: ir.Condition, text: Text) -> tuple[ir.Condition, frozenset[str]]:
    """What a check needs to be stated, and to be a certain value, as patterns: elsewhere it is silent."""
    parts = applies.parts if isinstance(applies, ir.All) else (applies,)
    stated = {p.path for p in parts if isinstance(p, ir.Stated) and not p.path.from_focus}
    kept: list[ir.Condition] = []
    needs = {path.steps[0] for path in stated}
    fixed: set[ir.Path] = set()
    for part in parts:
        if (isinstance(part, ir.Compare) and part.op == "=" and part.left in stated
                and not isinstance(part.right, ir.Path)):  # fmt: skip
            text.require(part.left, part.right)
            fixed.add(part.left)
        elif not (isinstance(part, ir.Stated) and part.path in stated):
            kept.append(part)
    for path in sorted(stated - fixed, key=lambda p: p.steps):
        text.require(path, None)
    return ir.all_of(*kept), frozenset(n for n in needs if ":" not in n)


def literal(value: Scalar) -> str:
    """A value as SPARQL text."""
    if isinstance(value, Iri):
        return f"<{value}>"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    for character, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r")):
        value = value.replace(character, escaped)
    return f'"{value}"'


def _game(name: str) -> str:
    return f"<{property_iri(name)}>"


def _focus_pattern(focus: ir.Focus, variable: str = "?focus") -> str:
    if len(focus.kinds) == 1:
        kinds = f"  {variable} a <{GAME}{focus.kinds[0]}> .\n"
    else:
        kinds = f"  {variable} a ?kind .\n  FILTER(?kind IN ({', '.join(f'<{GAME}{k}>' for k in focus.kinds)}))\n"
    if focus.keyword is not None:
        return f"  {variable} {_game('namesKeyword')} <{focus.keyword}> .\n" + kinds
    return kinds


class Text:
    """The pattern and the expressions of one query."""

    def __init__(self, focus: ir.Focus, member: str = "") -> None:
        self._lines = [_focus_pattern(focus), member]
        self._this = "?member" if member else "?focus"
        self._paths: dict[tuple[str, ...], str] = {}
        self._includes: dict[tuple[str, ...], str] = {}

    def body(self) -> str:
        return "".join(self._lines)

    def path(self, path: ir.Path) -> str:
        """The variable at the end of a path."""
        root = "?focus" if path.from_focus else self._this
        if not path.steps:
            return root
        key = (root, *path.steps)
        if key not in self._paths:
            variable = f"?v{len(self._paths) + 1}"
            steps = "/".join(_game(s) for s in path.steps)
            self._lines.append(f"  OPTIONAL {{ {root} {steps} {variable} }}\n")
            self._paths[key] = variable
        return self._paths[key]

    def require(self, path: ir.Path, value: Scalar | None) -> None:
        """A path that must lead somewhere, or to a value."""
        steps = "/".join(_game(s) for s in path.steps)
        if value is not None:
            self._lines.append(f"  {self._this} {steps} {literal(value)} .\n")
        elif (self._this, *path.steps) not in self._paths:
            variable = f"?v{len(self._paths) + 1}"
            self._lines.append(f"  {self._this} {steps} {variable} .\n")
            self._paths[(self._this, *path.steps)] = variable

    def _term(self, term: ir.Term) -> str:
        return self.path(term) if isinstance(term, ir.Path) else literal(term)

    def expression(self, condition: ir.Condition) -> str:
        match condition:
            case ir.Constant(value=value):
                return NEVER if value is None else "true" if value else "false"
            case ir.Compare(op=op, left=left, right=right):
                return f"({self.path(left)} {op} {self._term(right)})"
            case ir.Exists(path=path):
                return f"({self.path(path)} != <{NONE}>)"
            case ir.Stated(path=path):
                return f"BOUND({self.path(path)})"
            case ir.Includes():
                return self._membership(condition)
            case ir.All(parts=inner):
                return "(" + " && ".join(self.expression(p) for p in inner) + ")"
            case ir.AnyOf(parts=inner):
                return "(" + " || ".join(self.expression(p) for p in inner) + ")"
            case ir.Not(part=part):
                return f"!({self.expression(part)})"
            case ir.Named(part=part):
                return self.expression(part)
            case ir.OneOf() | ir.Some():
                raise ValueError("a quantifier within a quantifier: name the inner condition as a fact of its own")

    def known(self, condition: ir.Condition, value: bool) -> str:
        """Whether the condition is known to have this value: an expression of two values, never in error."""
        match condition:
            case ir.Constant(value=constant):
                return "true" if constant is value else "false"
            case ir.All(parts=inner) | ir.AnyOf(parts=inner):
                joint = " && " if isinstance(condition, ir.All) is value else " || "
                return "(" + joint.join(self.known(p, value) for p in inner) + ")"
            case ir.Not(part=part):
                return self.known(part, not value)
            case ir.Named(part=part):
                return self.known(part, value)
            case ir.Stated(path=path):
                return f"{'' if value else '!'}BOUND({self.path(path)})"
            case ir.Exists(path=path):
                return f"(BOUND({self.path(path)}) && {self.path(path)} {'!=' if value else '='} <{NONE}>)"
            case ir.Compare(op=op, left=left, right=right):
                ends = [self.path(p) for p in (left, right) if isinstance(p, ir.Path) and p.steps]
                parts = [f"BOUND({end})" for end in ends]
                test = f"({self.path(left)} {op} {self._term(right)})"
                if op != "=":
                    # `game:none` is neither less nor more than a number; to Virtuoso it is both.
                    parts += [f"isNumeric({end})" for end in ends]
                elif isinstance(right, ir.Path):
                    test = f"(STR({self.path(left)}) = STR({self.path(right)}))"
                return "(" + " && ".join([*parts, test if value else f"!{test}"]) + ")"
            case ir.Includes(term=term):
                found, count = self._member(condition)
                if value:
                    return f"BOUND({found})"
                wanted = f" && BOUND({self.path(term)})" if isinstance(term, ir.Path) and term.steps else ""
                # Nothing is known of a list of `game:none`, whose length is none too.
                return f"(!BOUND({found}) && BOUND({count}) && isNumeric({count}){wanted})"
            case ir.OneOf() | ir.Some():
                raise ValueError("a quantifier within a quantifier: name the inner condition as a fact of its own")

    def _membership(self, condition: ir.Includes) -> str:
        found, count = self._member(condition)
        if isinstance(condition.term, ir.Path):
            wanted = self._term(condition.term)
            return f"(BOUND({found}) || {count} < 0 || {wanted} != {wanted})"
        return f"(BOUND({found}) || {count} < 0)"

    def _member(self, condition: ir.Includes) -> tuple[str, str]:
        """The variables of the member looked for, and of the length of its list."""
        wanted = self._term(condition.term)
        root = "?focus" if condition.at.from_focus else self._this
        prefix = "".join(f"{_game(s)}/" for s in condition.at.steps)
        count = self.path(ir.Path((*condition.at.steps, condition.count), condition.at.from_focus))
        key = (root, prefix, condition.members, wanted)
        if key not in self._includes:
            variable = f"?m{len(self._includes) + 1}"
            test, term = f" FILTER({variable} = {wanted})", condition.term
            if isinstance(term, ir.Path) and term.steps:
                start = "?focus" if term.from_focus else self._this
                test = f" {start} {'/'.join(_game(step) for step in term.steps)} {variable}"
            self._lines.append(f"  OPTIONAL {{ {root} {prefix}{_game(condition.members)} {variable} .{test} }}\n")
            self._includes[key] = variable
        return self._includes[key], count


def _staged(condition: ir.Condition, focus: ir.Focus, name: str, program: Program) -> ir.Condition:
    """The condition with each quantifier and set judgement replaced by a fact that earlier steps derive."""
    numbers = iter(range(1, 1000))

    def visit(part: ir.Condition) -> ir.Condition:
        match part:
            case ir.Some():
                fact = f"{name}/some/{next(numbers)}"
                program.steps.extend(_some_steps(part, focus, fact))
                return ir.Compare("=", ir.path(fact), True)
            case ir.OneOf(derived=names):
                fact = f"{name}/one/{next(numbers)}"
                program.steps.extend(_one_of_steps(names, fact, program))
                return ir.AnyOf((
                    ir.Stated(ir.path(fact)),
                    ir.All((ir.Stated(ir.path(f"{fact}/maybe")), ir.UNKNOWN)),
                ))  # fmt: skip
            case ir.All(parts=inner):
                return ir.All(tuple(visit(p) for p in inner))
            case ir.AnyOf(parts=inner):
                return ir.AnyOf(tuple(visit(p) for p in inner))
            case ir.Not(part=inside):
                return ir.Not(visit(inside))
            case ir.Named(part=inside):
                return replace(part, part=visit(inside))
            case _:
                return part

    return visit(condition)


def member_pattern(some: ir.Some) -> str:
    """Binds `?member` to what a quantifier ranges over."""
    if some.kind:
        record = _game("inRecord")
        return f"  ?focus {record} ?record .\n  ?member {record} ?record ; a <{GAME}{some.kind}> .\n"
    steps = "/".join(_game(s) for s in (*(some.at or ir.path()).steps, some.members))
    return f"  ?focus {steps} ?member .\n"


def _some_steps(some: ir.Some, focus: ir.Focus, fact: str) -> Iterator[Step]:
    for name, value in ((fact, True), (f"{fact}/open", False)):
        text = Text(focus, member_pattern(some))
        test = text.known(some.condition, value)
        yield Step(name, True, text.body() + f"  FILTER({test if value else f'!{test}'})\n", focus)
    text = Text(focus)
    if some.kind:
        closed = f"  FILTER({text.known(some.closed or ir.TRUE, True)})\n"
    else:
        length = ir.Path((*(some.at or ir.path()).steps, some.count))
        closed = f"  FILTER({text.known(ir.Compare('>=', length, 0), True)})\n"
    none = f"  OPTIONAL {{ ?focus {_game(f'{fact}/open')} ?open }}\n  FILTER(!BOUND(?open))\n"
    yield Step(fact, False, text.body() + none + closed, focus)


def _one_of_steps(names: tuple[str, ...], fact: str, program: Program) -> Iterator[Step]:
    foci = {s.fact: s.focus for s in program.steps}
    for name in names:
        focus = foci[name]
        start = _focus_pattern(focus)
        yield Step(fact, True, f"{start}  ?focus {_game(name)} true .\n", focus)
        yield Step(
            f"{fact}/maybe",
            True,
            f"{start}  OPTIONAL {{ ?focus {_game(name)} ?known }}\n  FILTER(!BOUND(?known))\n",
            focus,
        )


def turn_steps(rule: ir.DeriveTurn) -> Iterator[Step]:
    player = "/".join(_game(s) for s in rule.player.steps)
    start = (
        _focus_pattern(rule.focus) + f"  ?focus {player} ?player ; {_game('turnNode')} ?turn .\n"
        f"  ?turn {_game('activePlayer')} ?active .\n"
    )
    position = f"?focus {_game('stepPosition')} ?position"
    yield Step(
        rule.name,
        None,
        start + f"  {position} .\n"
        f"  FILTER(?active = ?player && ?position < {rule.position})\n  BIND(?turn AS ?value)\n",
        rule.focus,
    )
    later = f"  OPTIONAL {{ {position} }}\n  FILTER(?active != ?player || ?position >= {rule.position})\n"
    next_one = f"  ?turn {_game('following')} ?value .\n  ?value {_game('activePlayer')} ?player .\n"
    yield Step(rule.name, None, start + next_one + later, rule.focus)
    yield Step(rule.name, NONE, start + f"  ?turn {_game('lastTurnFor')} ?player .\n" + later, rule.focus)


_ALWAYS = ("inRecord", "namesKeyword", "turnNode", "stepPosition", "activePlayer", "following", "lastTurnFor")


def _reads(rule: ir.Rule) -> Reads:
    """Walks a rule's conditions: which properties are asked of the focus, of members, and further on."""
    found: dict[str, set[str]] = {"": set(), **{k: set(_ALWAYS) for k in rule.focus.kinds}}

    def path(path: ir.Path, kinds: tuple[str, ...]) -> None:
        for kind in rule.focus.kinds if path.from_focus else kinds:
            found.setdefault(kind, set()).update(path.steps[:1])
        found[""].update(path.steps[1:])

    def visit(condition: ir.Condition, kinds: tuple[str, ...]) -> None:
        for each in ir.paths(condition):
            path(each, kinds)
        if isinstance(condition, ir.Some):
            visit(condition.condition, (condition.kind or "",))
            if condition.kind:
                found.setdefault(condition.kind, set()).add("inRecord")
            if condition.closed is not None:
                visit(condition.closed, kinds)
            return
        for part in ir.parts(condition):
            visit(part, kinds)

    if isinstance(rule, ir.DeriveTurn):
        path(rule.player, rule.focus.kinds)
        found.setdefault("Turn", set()).update(_ALWAYS)
    for condition in ir.conditions(rule):
        visit(condition, rule.focus.kinds)
    return Reads(rule.focus, {kind: frozenset(names) for kind, names in found.items()})


def _properties(plan: ir.Plan) -> Iterator[str]:
    """Every property of the game graph that the plan's rules follow."""
    yield from _ALWAYS
    for rule in plan.rules():
        if isinstance(rule, ir.DeriveTurn):
            yield from rule.player.steps
        for part in (inner for c in ir.conditions(rule) for inner in ir.walk(c)):
            for path in ir.paths(part):
                yield from path.steps
