"""The intermediate representation: what every printer prints and the reference evaluator evaluates.

A condition has three values. A path that leads to no fact is unknown; one that leads to `game:none` is a known
nothing, which differs from everything else.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from rulewright.vocabulary import Iri, Scalar


@dataclass(frozen=True)
class Path:
    """Properties to follow, from the node in question (`this`) or, inside a quantifier, from the focus."""

    steps: tuple[str, ...]
    from_focus: bool = False


Term = Path | Scalar


@dataclass(frozen=True)
class Compare:
    """`op`: `=`, `<`, `<=`, `>=`."""

    op: str
    left: Path
    right: Term


@dataclass(frozen=True)
class Exists:
    """True where the path leads to something, false where it leads to `game:none`."""

    path: Path


@dataclass(frozen=True)
class Stated:
    """Whether anything is known at the end of a path: true or false, never unknown. For scopes."""

    path: Path


@dataclass(frozen=True)
class Includes:
    """Whether a list has a member: false only where the list is known whole (its length is)."""

    at: Path
    members: str
    count: str
    term: Term


@dataclass(frozen=True)
class Some:
    """Whether a member of a list, or a node of a kind in the same record, meets a condition.

    A list is known whole where its length is known; nodes of a kind, where `closed` is true.
    """

    condition: Condition
    at: Path | None = None
    members: str = ""
    count: str = ""
    kind: str = ""
    closed: Condition | None = None


@dataclass(frozen=True)
class All:
    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class AnyOf:
    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Not:
    part: Condition


@dataclass(frozen=True)
class Constant:
    """A fixed value; None is unknown."""

    value: bool | None


@dataclass(frozen=True)
class Named:
    """A condition with a label and an authority of its own."""

    iri: Iri
    part: Condition


@dataclass(frozen=True)
class OneOf:
    """Whether any of a set of derived facts holds of the node: the set judgement over permissions or replacements."""

    derived: tuple[str, ...]


Condition = Compare | Exists | Stated | Includes | Some | All | AnyOf | Not | Constant | Named | OneOf
TRUE, FALSE, UNKNOWN = Constant(True), Constant(False), Constant(None)


@dataclass(frozen=True)
class Focus:
    """Which nodes a rule looks at: of these kinds, and where `keyword` is given, only those that name it."""

    kinds: tuple[str, ...]
    keyword: Iri | None = None


@dataclass(frozen=True)
class Derive:
    """A fact with the value of a condition, for later stages; `axiom` is the one that it says something of."""

    name: str
    axiom: Iri
    focus: Focus
    condition: Condition


@dataclass(frozen=True)
class DeriveTurn:
    """A fact: the turn in which a step of a player comes next after the focus (CR 500.1, 603.7)."""

    name: str
    axiom: Iri
    focus: Focus
    player: Path
    step: Iri
    position: int


@dataclass(frozen=True)
class Check:
    """A verdict for each focus: violated where `applies` is true and `holds` is false."""

    axiom: Iri
    part: str
    focus: Focus
    applies: Condition
    holds: Condition
    authority: tuple[Iri, ...] = ()
    report: str = ""
    """Property of the focus that names the event to report, where the focus is no event itself."""

    @property
    def id(self) -> str:
        return f"{self.axiom}/{self.part}" if self.part else str(self.axiom)


Rule = Derive | DeriveTurn | Check


class Finding(NamedTuple):
    """A verdict of one check at one focus: `violates`, `conforms` or `undetermined`."""

    check: Check
    focus: Iri
    verdict: str


@dataclass
class Plan:
    """Rules in the order of their stages: what a rule needs is derived by the rules before it."""

    derives: list[Derive | DeriveTurn] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    steps: tuple[Iri, ...] = ()

    def rules(self) -> Iterator[Rule]:
        yield from self.derives
        yield from self.checks


def parts(condition: Condition) -> tuple[Condition, ...]:
    """The conditions directly inside a condition."""
    match condition:
        case All(parts=inner) | AnyOf(parts=inner):
            return inner
        case Not(part=part) | Named(part=part):
            return (part,)
        case Some(condition=inside, closed=closed):
            return (inside,) if closed is None else (inside, closed)
        case _:
            return ()


def walk(condition: Condition) -> Iterator[Condition]:
    """A condition and all that is inside it."""
    yield condition
    for part in parts(condition):
        yield from walk(part)


def compared(op: str, left: object, right: object) -> bool | None:
    """A comparison of two known values; what is no number is neither less nor more than one."""
    if op == "=":
        return left == right and isinstance(left, Iri) is isinstance(right, Iri)
    if not isinstance(left, int) or not isinstance(right, int):
        return None
    return _ORDER[op](left, right)


_ORDER: dict[str, Callable[[int, int], bool]] = {"<": operator.lt, "<=": operator.le, ">=": operator.ge}


def verdict(applies: bool | None, holds: bool | None) -> str | None:
    """What a check says where it applies and holds to this degree; None where it is silent."""
    if applies is False:
        return None
    if applies and holds is not None:
        return "conforms" if holds else "violates"
    return None if holds and applies is None else "undetermined"


def paths(condition: Condition) -> Iterator[Path]:
    """The paths that a condition follows itself, not those of the conditions inside it."""
    match condition:
        case Compare(left=left, right=right):
            yield left
            if isinstance(right, Path):
                yield right
        case Exists(path=only) | Stated(path=only):
            yield only
        case Includes(at=at, members=members, count=count, term=term):
            yield Path((*at.steps, members), at.from_focus)
            yield Path((*at.steps, count), at.from_focus)
            if isinstance(term, Path):
                yield term
        case Some(at=at, members=members, count=count) if members:
            start = at or Path(())
            yield Path((*start.steps, members), start.from_focus)
            yield Path((*start.steps, count), start.from_focus)
        case _:
            return


def conditions(rule: Rule) -> tuple[Condition, ...]:
    """The conditions of a rule."""
    match rule:
        case Derive(condition=condition):
            return (condition,)
        case Check(applies=applies, holds=holds):
            return (applies, holds)
        case _:
            return ()


def all_of(*conditions: Condition) -> Condition:
    kept = tuple(c for c in conditions if c != TRUE)
    return TRUE if not kept else kept[0] if len(kept) == 1 else All(kept)


def any_of(*conditions: Condition) -> Condition:
    kept = tuple(c for c in conditions if c != FALSE)
    return FALSE if not kept else kept[0] if len(kept) == 1 else AnyOf(kept)


def path(*steps: str) -> Path:
    return Path(steps)
