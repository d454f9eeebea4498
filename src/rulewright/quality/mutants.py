"""Axioms that are wrong on purpose: each differs from the right ones in one thing, which is said in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from rulewright.axioms import Axiom, Knowledge, ir
from rulewright.vocabulary import AX, BASE, GAME, Iri, local_name

_LISTS = ("scope", "when", "unless", "require")
_OTHER = {
    "destination": (Iri(GAME + "exile"), Iri(GAME + "graveyard")),
    "replaces": (Iri(GAME + "graveyard"), Iri(GAME + "exile")),
    "step": (Iri(GAME + "upkeep"), Iri(GAME + "drawStep")),
}
"""What a value is changed into: the first, or if that is what it is, the second."""


@dataclass(frozen=True)
class Mutant:
    """`name` says what was mutated; `change` makes the wrong knowledge, and leaves the right one as it is."""

    axiom: Iri
    name: str
    change: Callable[[Knowledge], Knowledge]


def mutants(knowledge: Knowledge) -> list[Mutant]:
    """All of them, always in the same order. Names are unique."""
    found: list[Mutant] = []
    seen: dict[str, int] = {}
    for iri in sorted(knowledge.axioms):
        for what, change in _changes(knowledge.axioms[iri], knowledge):
            name = f"{iri.removeprefix(BASE)}: {what}"
            seen[name] = seen.get(name, 0) + 1
            found.append(Mutant(iri, name if seen[name] == 1 else f"{name} ({seen[name]})", change))
    return found


def _changes(axiom: Axiom, knowledge: Knowledge) -> Iterator[tuple[str, Callable[[Knowledge], Knowledge]]]:
    yield "dropped", lambda known: _without(known, axiom.iri)
    for name in _LISTS:
        conditions: list[ir.Condition] = getattr(axiom, name)
        for position, condition in enumerate(conditions):
            for what, other in _variants(condition, knowledge):
                changed = [*conditions[:position], *([] if other is None else [other]), *conditions[position + 1 :]]
                yield f"{name}: {what}", _set(axiom, name, changed)
    for name, (first, second) in _OTHER.items():
        value = getattr(axiom, name)
        if value is not None:
            other_value = second if value == first else first
            yield f"{name} {local_name(value)} becomes {local_name(other_value)}", _set(axiom, name, other_value)
    if axiom.ability is not None:
        yield f"ability {axiom.ability!r} becomes another", _set(axiom, "ability", f"not {axiom.ability}")
    if axiom.created_by is not None:
        yield f"createdBy {local_name(axiom.created_by)} is dropped", _set(axiom, "created_by", None)
    if axiom.keyword is not None:
        needed = axiom.keyword_needed
        yield f"keywordNeeded becomes {str(not needed).lower()}", _set(axiom, "keyword_needed", not needed)
    for name, key in (("valid_from", "validFrom"), ("valid_until", "validUntil")):
        if getattr(axiom, name) is not None:
            yield f"{key} is dropped", _set(axiom, name, None)


def _set(axiom: Axiom, name: str, value: Any) -> Callable[[Knowledge], Knowledge]:
    def change(known: Knowledge) -> Knowledge:
        mutated = copy(axiom)
        setattr(mutated, name, value)
        return replace(known, axioms={**known.axioms, axiom.iri: mutated})

    return change


def _without(known: Knowledge, iri: Iri) -> Knowledge:
    """What an axiom creates goes with it."""
    kept = {i: a for i, a in known.axioms.items() if iri not in (i, a.created_by)}
    return replace(known, axioms=kept)


def _variants(condition: ir.Condition, knowledge: Knowledge) -> Iterator[tuple[str, ir.Condition | None]]:
    """A condition dropped (None) or negated, and so each condition inside it."""
    words = in_words(condition, knowledge)
    yield f"dropped: {words}", None
    yield f"negated: {words}", condition.part if isinstance(condition, ir.Not) else ir.Not(condition)
    match condition:
        case ir.Not(part=part):
            for what, other in _variants(part, knowledge):
                # To drop or to negate the whole of what is negated was done above.
                if other is not None and other not in (condition, ir.Not(part)):
                    yield what, ir.Not(other)
        case ir.Named(part=part):
            for what, other in _inside(part, knowledge):
                yield f"{what}, in {words}", replace(condition, part=other)
        case ir.All() | ir.AnyOf() | ir.Some():
            yield from _inside(condition, knowledge)
        case _:
            pass


def _inside(condition: ir.Condition, knowledge: Knowledge) -> Iterator[tuple[str, ir.Condition]]:
    match condition:
        case ir.All(parts=inner) | ir.AnyOf(parts=inner):
            for position, part in enumerate(inner):
                for what, other in _variants(part, knowledge):
                    changed = (*inner[:position], *(() if other is None else (other,)), *inner[position + 1 :])
                    yield what, type(condition)(changed)
        case ir.Some(condition=inside):
            for what, other in _variants(inside, knowledge):
                yield f"{what}, in {in_words(condition, knowledge, short=True)}", replace(
                    condition, condition=ir.TRUE if other is None else other
                )
        case ir.Not(part=part):
            for what, other in _inside(part, knowledge):
                yield what, ir.Not(other)
        case ir.Named(part=part):
            for what, other in _inside(part, knowledge):
                yield what, replace(condition, part=other)
        case _:
            pass


def in_words(condition: ir.Condition, knowledge: Knowledge, short: bool = False) -> str:
    """A condition for people who read the report."""
    match condition:
        case ir.Named(iri=iri, part=part):
            # What is written in place has its IRI from its label; that changes more often than what it says.
            return in_words(part, knowledge, short) if iri not in _shared(knowledge) else f"‘{local_name(iri)}’"
        case ir.Compare(op=op, left=left, right=right):
            return f"{_words(left)} {op} {_words(right)}"
        case ir.Exists(path=path):
            return f"{_words(path)} exists"
        case ir.Stated(path=path):
            return f"{_words(path)} is stated"
        case ir.Includes(at=at, members=members, term=term):
            return f"{_words(ir.Path((*at.steps, members), at.from_focus))} includes {_words(term)}"
        case ir.Some(condition=inside, members=members, kind=kind):
            head = f"some {kind or members}"
            return head if short else f"{head} with ({in_words(inside, knowledge)})"
        case ir.All(parts=inner):
            return " and ".join(f"({in_words(p, knowledge)})" for p in inner)
        case ir.AnyOf(parts=inner):
            return " or ".join(f"({in_words(p, knowledge)})" for p in inner)
        case ir.Not(part=part):
            return f"not ({in_words(part, knowledge)})"
        case ir.Constant(value=value):
            return {True: "true", False: "false", None: "unknown"}[value]
        case ir.OneOf(derived=derived):
            return f"one of {len(derived)} facts"


def _shared(knowledge: Knowledge) -> set[Iri]:
    return {iri for iri in knowledge.conditions if iri.startswith(BASE)}


def _words(term: ir.Term) -> str:
    if isinstance(term, ir.Path):
        return "/".join(("the focus", *term.steps) if term.from_focus else term.steps) or "itself"
    if isinstance(term, Iri):
        return local_name(term.removeprefix(AX))
    return str(term).lower() if isinstance(term, bool) else repr(term)
