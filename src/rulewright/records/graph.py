"""The canonical game graph as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.records.model import Record, Value
from rulewright.records.words import Words
from rulewright.vocabulary import NONE, Iri

Facts = dict[str, Value]


@dataclass(frozen=True)
class Unchecked:
    """What a record names and no axiom judges. `what`: `keyword`, `label`, `kind`, `event type`, or `event` (dropped).

    `word`: how the record writes it. `event`: one of the events concerned; None where it bears on none.
    """

    what: str
    word: str
    event: Iri | None = None


@dataclass
class Graph:
    """The canonical graph as data: node -> property (local name) -> value; a tuple for the members of a list."""

    record: Record
    facts: dict[Iri, Facts] = field(default_factory=dict)
    kinds: dict[Iri, str] = field(default_factory=dict)
    unchecked: list[Unchecked] = field(default_factory=list)
    words: Words | None = None
    """By which the words of the record were understood."""

    def value(self, node: Value | None, name: str) -> Value | None:
        """What is known of a node; of `game:none` nothing holds, which is known."""
        if node == NONE:
            return NONE
        return self.facts.get(node, {}).get(name) if isinstance(node, Iri) else None

    def of_kind(self, kind: str) -> list[Iri]:
        return [iri for iri, k in self.kinds.items() if k == kind]

    def keywords_named(self) -> set[Iri]:
        """The keywords that bear on anything in it."""
        named = (facts.get("keywordsNamed") for facts in self.facts.values())
        return {Iri(str(name)) for names in named if isinstance(names, tuple) for name in names}

    def add(self, node: Iri, kind: str, facts: Facts) -> None:
        """A node with its facts, in the place of whatever had its name."""
        self.facts[node], self.kinds[node] = facts, kind

    def extend(self, node: Iri, kind: str, facts: Facts) -> None:
        """Further facts of a node, which may be new."""
        self.facts.setdefault(node, {}).update(facts)
        self.kinds[node] = kind
