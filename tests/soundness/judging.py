"""Verdicts on records as plain data, by the fast engine: as `Checker` gives them, without their explanations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any

from rulewright.axioms import Functions, Knowledge, lower, packaged_knowledge
from rulewright.records import KeywordNames, Record, RecordError, canonical, read_structure
from rulewright.vocabulary import Iri

Plain = dict[str, Any]
Verdicts = Mapping[tuple[str, str], str]
"""Axiom and event -> `violates`, `undetermined` or `conforms`."""
_WEIGHT = {"violates": 0, "undetermined": 1, "conforms": 2}


@dataclass(frozen=True)
class Unreadable:
    """The places of what is malformed in a record."""

    places: tuple[str, ...]


class Judge:
    def __init__(self, knowledge: Knowledge | None = None) -> None:
        self.knowledge = knowledge or packaged_knowledge()
        self.names = KeywordNames(self.knowledge.keyword_names())
        self._plan = lower(self.knowledge)
        self._functions = Functions(self._plan)
        self.parameters = self.knowledge.parameters()

    @cached_property
    def constants(self) -> frozenset[str]:
        """The words that axioms compare with: names among them are the rules', not a card's own."""
        rules = (*self._plan.derives, *self._plan.checks)
        return frozenset(_strings(rules))

    @cached_property
    def synonyms(self) -> dict[str, str]:
        """Each name of a keyword, in lower case -> the next of its names."""
        found: dict[str, str] = {}
        for keyword in self.knowledge.keywords.values():
            names = sorted(keyword.names)
            found |= {a.casefold(): b for a, b in zip(names, names[1:] + names[:1], strict=True)}
        return found

    def authority(self, axiom: str) -> frozenset[str]:
        return frozenset(self.knowledge.axioms[Iri(axiom)].authority)

    def read(self, stated: Plain) -> Record | Unreadable:
        try:
            return read_structure(stated, "record", parameters=self.parameters)
        except RecordError as error:
            return Unreadable(tuple(p.place for p in error.problems))

    def verdicts(self, record: Record) -> Verdicts:
        graph = canonical(record, self.names, self._plan.steps)
        found: dict[tuple[str, str], str] = {}
        for check, focus, verdict in self._functions.run(graph):
            report = graph.facts[focus].get(check.report) if check.report else focus
            key = (str(check.axiom), str(report if isinstance(report, Iri) else focus))
            if key not in found or _WEIGHT[verdict] < _WEIGHT[found[key]]:
                found[key] = verdict
        return found

    def of(self, stated: Plain) -> Verdicts | None:
        """None where the record cannot be read."""
        record = self.read(stated)
        return None if isinstance(record, Unreadable) else self.verdicts(record)


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
