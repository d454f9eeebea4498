"""The record model: every input form is read into it, and the canonical graph is made from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.vocabulary import Iri, Scalar

Value = Scalar | tuple[Scalar, ...]


@dataclass
class Node:
    """A player, card, event, effect or a part of one. `facts`: property (local name) -> value, or tuple for a list."""

    iri: Iri
    kind: str
    facts: dict[str, Value] = field(default_factory=dict)
    place: str = ""
    partial: bool = False
    """Whether something is stated of it that is not known."""


@dataclass
class Record:
    """One game as stated. `nodes` has the record's own node, and every node below it, in the order read."""

    id: Iri
    source: str
    nodes: dict[Iri, Node] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    extras: dict[str, object] = field(default_factory=dict)
    """What a scenario says beside the game: comment, source, statements, expect, exhaustive."""
    dropped: dict[Iri, str] = field(default_factory=dict)
    """Events that are kept without meaning, each with the word that stands for its type and that nobody knows."""

    @property
    def root(self) -> Node:
        return self.nodes[self.id]

    def children(self, name: str) -> list[Node]:
        """The nodes listed by a property of the record itself, such as `events`; [] where it is not stated."""
        value = self.nodes[self.id].facts.get(name, ())
        return [self.nodes[i] for i in value if isinstance(i, Iri)] if isinstance(value, tuple) else []


@dataclass(frozen=True)
class Problem:
    """Something malformed: where, what, and how to mend it."""

    source: str
    place: str
    problem: str

    def __str__(self) -> str:
        return f"{self.source}: {self.place}: {self.problem}" if self.place else f"{self.source}: {self.problem}"


class RecordError(ValueError):
    """A record, or a whole file, that cannot be read."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "; ".join(str(p) for p in self.problems)
