"""Axioms as they are read from RDF, before they are brought into the intermediate representation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from rulewright.axioms.ir import Condition, Named, Path, walk
from rulewright.records import Words
from rulewright.vocabulary import Iri, KeywordIris, OpenWord, Scalar


class AxiomError(ValueError):
    """An axiom file that contradicts the vocabulary: file, axiom, property, what and how to mend it."""

    def __init__(self, file: str, node: str, problem: str) -> None:
        super().__init__(f"{file}: {node}: {problem}" if node else f"{file}: {problem}")
        self.file, self.node, self.problem = file, node, problem


@dataclass(frozen=True)
class Label:
    en: str
    de: str

    def in_language(self, language: str) -> str:
        return self.de if language == "de" else self.en


@dataclass
class NamedCondition:
    iri: Iri
    condition: Condition
    label: Label
    negation: Label | None = None
    authority: tuple[Iri, ...] = ()
    cited_by: tuple[Iri, ...] = ()
    """Axioms that it does not decide, but whose verdicts cite its authority where it holds."""


@dataclass
class Axiom:
    """One axiom: what its archetype's properties say. Dates are integers, yyyymmdd."""

    iri: Iri
    archetype: str
    file: str
    label: Label
    keyword: Iri | None = None
    keyword_needed: bool = True
    focus: tuple[str, ...] = ()
    scope: list[Condition] = field(default_factory=list)
    when: list[Condition] = field(default_factory=list)
    unless: list[Condition] = field(default_factory=list)
    require: list[Condition] = field(default_factory=list)
    authority: tuple[Iri, ...] = ()
    destination: Iri | None = None
    replaces: Iri | None = None
    created_by: Iri | None = None
    ability: Iri | None = None
    on: tuple[str, ...] = ()
    step: Iri | None = None
    in_turn_of: Path | None = None
    controller: Path | None = None
    instances_authority: tuple[Iri, ...] = ()
    valid_from: int | None = None
    valid_until: int | None = None


@dataclass
class Keyword:
    iri: Iri
    names: tuple[str, ...]
    label: Label
    rules: tuple[Iri, ...] = ()
    parameters: frozenset[str] = frozenset()
    traits: tuple[tuple[str, Scalar], ...] = ()
    """What it defines about the objects that have it."""
    compounds: tuple[str, ...] = ()
    """Names that say a quality too, at the ellipsis."""


@dataclass
class Knowledge:
    """All axioms, conditions and keywords that are in force for a run."""

    axioms: dict[Iri, Axiom] = field(default_factory=dict)
    conditions: dict[Iri, NamedCondition] = field(default_factory=dict)
    keywords: dict[Iri, Keyword] = field(default_factory=dict)
    words: dict[Iri, OpenWord] = field(default_factory=dict)
    """What open words of records can mean, beside what the ontology declares."""
    rules: dict[Iri, Label] = field(default_factory=dict)
    """Rules that the files themselves declare: those of no edition have no number by which to cite them."""

    def authorities(self, axiom: Axiom) -> set[Iri]:
        """All that verdicts of an axiom can cite: for itself, for its instances, and by its conditions."""
        found = {*axiom.authority, *axiom.instances_authority}
        for iri in _named(axiom):
            if iri in self.conditions:
                found.update(self.conditions[iri].authority)
        return found.union(*(c.authority for c in self.conditions.values() if axiom.iri in c.cited_by))

    def citing(self, authorities: Iterable[Iri]) -> list[Axiom]:
        """Axioms of which verdicts can cite one of these, in the order of their IRIs."""
        sought = set(authorities)
        conditions = {iri: c for iri, c in self.conditions.items() if not sought.isdisjoint(c.authority)}
        by = {iri for condition in conditions.values() for iri in condition.cited_by}
        found = [
            axiom for axiom in self.axioms.values()
            if axiom.iri in by or not sought.isdisjoint((*axiom.authority, *axiom.instances_authority))
            or (conditions and any(iri in conditions for iri in _named(axiom)))
        ]  # fmt: skip
        return sorted(found, key=lambda axiom: axiom.iri)

    @cached_property
    def citing_conditions(self) -> list[NamedCondition]:
        """Those whose authority verdicts of some axiom cite where they hold, without naming them."""
        return [condition for condition in self.conditions.values() if condition.cited_by]

    @cached_property
    def keyword_names(self) -> KeywordIris:
        names = {name: k.iri for k in self.keywords.values() for name in k.names}
        traits = {k.iri: dict(k.traits) for k in self.keywords.values() if k.traits}
        return KeywordIris(names, traits, {name: k.iri for k in self.keywords.values() for name in k.compounds})

    def record_words(self) -> Words:
        """What the words of records mean."""
        events: dict[Iri | None, set[str]] = {}
        for axiom in self.axioms.values():
            events.setdefault(axiom.ability, set()).update(axiom.on, ["Step"] if axiom.step is not None else [])
        words = (
            replace(word, events=word.events.union(events.get(word.iri, ()))) for word in self.words.values()
        )
        return Words(self.keyword_names, words)

    def parameters(self) -> frozenset[str]:
        return frozenset(p for k in self.keywords.values() for p in k.parameters)


def _named(axiom: Axiom) -> Iterator[Iri]:
    """The conditions that it names."""
    for condition in (*axiom.scope, *axiom.when, *axiom.unless, *axiom.require):
        for part in walk(condition):
            if isinstance(part, Named):
                yield part.iri
