"""Verdicts on records as plain data, by the fast engine: as `Checker` gives them, without their explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

from rulewright.axioms import Functions, Knowledge, packaged_knowledge
from rulewright.checks import Checker
from rulewright.checks.verdicts import strongest
from rulewright.records import Record, RecordError, canonical, read_structure
from rulewright.records.words import normal
from rulewright.vocabulary import Iri, load_schema

Plain = dict[str, Any]
Verdicts = Mapping[tuple[str, str], str]
"""Axiom and event -> `violates`, `undetermined` or `conforms`."""
KEYWORD = "keyword"


@dataclass(frozen=True)
class Unreadable:
    """The places of what is malformed in a record."""

    places: tuple[str, ...]


class Judge:
    def __init__(self, knowledge: Knowledge | None = None) -> None:
        self.knowledge = knowledge or packaged_knowledge()
        checker = Checker(self.knowledge)
        self.names, self._plan = checker.names, checker.plan
        self._functions = Functions(self._plan)
        self.parameters = self.knowledge.parameters()

    def keeps_name(self, name: str) -> bool:
        """Whether a name is the rules', as a predefined token's, and no card's own: a known word, or in an axiom."""
        return normal(name) in self.labels or name in self._constants

    def knows(self, text: str, kind: str) -> bool:
        return (kind, normal(text)) in self._synonyms or (KEYWORD, normal(text.partition(":")[0])) in self._synonyms

    @cached_property
    def _constants(self) -> frozenset[str]:
        return frozenset(_strings((*self._plan.derives, *self._plan.checks)))

    @cached_property
    def _synonyms(self) -> dict[tuple[str, str], str]:
        """What a word can mean, and the word in one spelling -> the next word for the same."""
        found: dict[tuple[str, str], str] = {}
        labels = [(KEYWORD, sorted(keyword.names)) for keyword in self.knowledge.keywords.values()]
        open_words = (*load_schema().own_words, *self.knowledge.words.values())
        for kind, names in [*labels, *((word.kind, list(word.labels)) for word in open_words)]:
            found |= {(kind, normal(a)): b for a, b in zip(names, names[1:] + names[:1], strict=True)}
        return found

    @cached_property
    def labels(self) -> list[str]:
        """Every word that records can name something by."""
        return sorted({text for _, text in self._synonyms})

    def synonym(self, text: str, kind: str) -> str:
        """Another word for the same, in the place of the whole or of the keyword before a colon; else the text."""
        head, colon, rest = text.partition(":")
        other = self._synonyms.get((kind, normal(text)))
        return other or self._synonyms.get((KEYWORD, normal(head)), head) + colon + rest

    def authority(self, axiom: str) -> frozenset[str]:
        found = self.knowledge.axioms.get(Iri(axiom))
        return frozenset(found.authority if found is not None else ())

    def read(self, stated: Plain) -> Record | Unreadable:
        try:
            return read_structure(stated, "record", parameters=self.parameters)
        except RecordError as error:
            return Unreadable(tuple(p.place for p in error.problems))

    def verdicts(self, record: Record) -> Verdicts:
        graph = canonical(record, self.names, self._plan.steps)
        return strongest(self._functions.run(graph), graph)

    def of(self, stated: Plain) -> Verdicts | None:
        """None where the record cannot be read. Where judging itself fails, the record is accused of that."""
        record = self.read(stated)
        if isinstance(record, Unreadable):
            return None
        try:
            return self.verdicts(record)
        except Exception as error:
            return {(f"fails: {error!r}", str(record.id)): "violates"}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str) and not isinstance(value, Iri):
        yield value
    elif isinstance(value, tuple | list | frozenset):
        for item in value:
            yield from _strings(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _strings(getattr(value, field.name))


def accused(verdicts: Verdicts) -> dict[str, set[str]]:
    """The events accused, each with the axioms that accuse it."""
    found: dict[str, set[str]] = {}
    for (axiom, focus), verdict in verdicts.items():
        if verdict == "violates":
            found.setdefault(focus, set()).add(axiom)
    return found
