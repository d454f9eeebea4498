"""The canonical game graph as data, and which words of a record name a keyword."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rulewright.records.model import Record, Value
from rulewright.vocabulary import KEYWORD, NEWEST, NONE, Iri, KeywordCost, KeywordIris, Scalar, slug

Facts = dict[str, Value]
_NOTHING_SAID = KeywordCost()


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


class KeywordNames:
    """Which words name a keyword: names and labels of the known ones, and whatever the record's cards have."""

    def __init__(self, known: Mapping[str, Iri]) -> None:
        self._known = {name.casefold(): iri for name, iri in known.items()}
        self._defined = frozenset(known.values())
        self._traits = known.traits if isinstance(known, KeywordIris) else {}
        self._costs: dict[Iri, KeywordCost] = {}

    def iri(self, name: str) -> Iri:
        return self._known.get(name.casefold()) or Iri(KEYWORD + slug(name))

    def define(self, keywords: Iterable[Iri]) -> bool:
        """Whether all of these are known, and so whatever they say of play."""
        return self._defined.issuperset(keywords)

    def traits(self, keyword: Iri) -> Mapping[str, Scalar]:
        """What a keyword defines about the object that has it."""
        return self._traits.get(keyword, {})

    def cost(self, keyword: Value | None) -> KeywordCost:
        """What the cost of a keyword is to a spell that has it."""
        if not isinstance(keyword, Iri):
            return _NOTHING_SAID
        if keyword not in self._costs:
            self._costs[keyword] = KeywordCost.of(self.traits(keyword))
        return self._costs[keyword]

    def since(self, trait: str) -> int:
        """The first day (yyyymmdd) of whose rules a keyword defines such a thing."""
        days = (t.get("validFrom", 0) for t in self._traits.values() if trait in t)
        return min((day for day in days if isinstance(day, int)), default=NEWEST)

    def in_label(self, label: str, also: Mapping[str, Iri]) -> Iri:
        """The keyword that a label (`rebound`, `suspend: cast`) names, or `game:none`."""
        name = label.split(":", 1)[0].strip().casefold()
        return self._known.get(name) or also.get(name) or NONE
