"""What a user would add to a record so that an open verdict is settled: the keys of the record, and where they go.

An axiom asks for facts that follow from a record; how they are traced to what the record states stands in the
ontology (`game:settledBy`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rulewright.checks.reference import Missing
from rulewright.records import Graph
from rulewright.vocabulary import GAME, NONE, Iri, Property, load_schema


class Addition(NamedTuple):
    """A key that a node of the record lacks; of a list that it has, the member that this lacks."""

    node: Iri
    key: str
    member: str | None = None


@dataclass
class Tracer:
    """Follows what is missing in a graph to what the record leaves out."""

    graph: Graph

    def additions(self, missing: Iterable[Missing]) -> list[Addition]:
        """Each once, in the order of what is missing; where a turn is, its events.

        Where nothing else would help, what the events are about that do not say it: they may be about what is missing.
        """
        found: dict[Addition, None] = {}
        for gap in missing:
            if gap.name.endswith("/due"):
                found[Addition(self.graph.record.id, "events")] = None
            elif gap.name in ("records", "closedTypes") and gap.member is not None:
                found[self._closure(str(gap.member).removeprefix(GAME))] = None
            else:
                found.update(dict.fromkeys(self._of(gap.node, gap.name, frozenset())))
        return list(found) or list(self._untold())

    def _untold(self) -> Iterator[Addition]:
        types = load_schema().event_types
        for event in self.graph.record.children("events"):
            kind = types.get(event.kind)
            if kind is not None and not kind.tells_of(event.facts):
                yield Addition(event.iri, load_schema().properties[min(kind.about)].key)

    def _closure(self, event_type: str) -> Addition:
        return Addition(self.graph.record.id, "records", event_type)

    def _of(self, node: Iri, name: str, seen: frozenset[tuple[Iri, str]]) -> list[Addition]:
        """What would make a fact of a node known."""
        if (node, name) in seen or self._known(node, name):
            return []
        own = self._own(node, name)
        if own is not None:
            parts = self._parts(node, name)
            lacking = [part for part in parts or (node,) if not self._known(part, name)]
            return [Addition(part, own.key) for part in lacking] if self._needed(node, name) else []
        schema = load_schema()
        for alternative in schema.settled_by.get(name) or schema.settled_by.get(_base(name), ()):
            found = list(dict.fromkeys(self._along(node, alternative, seen | {(node, name)})))
            if found:
                return found
        return [] if _base(name) == name else self._of(node, _base(name), seen | {(node, name)})

    def _along(self, node: Iri, path: tuple[str, ...], seen: frozenset[tuple[Iri, str]]) -> Iterator[Addition]:
        """What is open at the end of a path, or where that breaks off."""
        step, rest = path[0], path[1:]
        if step in load_schema().event_types:
            if not rest:
                yield from self._closed(step)
            else:
                for event in self._about_the_same(node, step):
                    yield from self._along(event, rest, seen)
            return
        if not rest:
            yield from self._of(node, step, seen)
            return
        value = self.graph.value(node, step)
        if value is None and step == "focusEvent":
            value = _event_of(node)
        if value is None:
            yield from self._broken_off(node, step, seen)
        for thing in value if isinstance(value, tuple) else (value,):
            if isinstance(thing, Iri) and thing != NONE:
                yield from self._along(thing, rest, seen)

    def _closed(self, event_type: str) -> Iterator[Addition]:
        complete = self.graph.record.root.facts.get("records", ())
        if not isinstance(complete, tuple) or Iri(GAME + event_type) not in complete:
            yield self._closure(event_type)

    def _broken_off(self, node: Iri, step: str, seen: frozenset[tuple[Iri, str]]) -> list[Addition]:
        """A derived fact is traced on; of what is stated, only a reference that an event lacks is asked for."""
        own = self._own(node, step)
        if own is None or (own.structure is None and self.graph.kinds.get(node) in load_schema().event_types):
            return self._of(node, step, seen)
        return []

    def _about_the_same(self, node: Iri, event_type: str) -> Iterator[Iri]:
        """Events about the same card, and those that may be: they do not say what they are about."""
        card = self.graph.value(node, "subjectCard")
        for event in self.graph.of_kind(event_type):
            if card is not None and self.graph.value(event, "subjectCard") in (card, None):
                yield event

    def _known(self, node: Iri, name: str) -> bool:
        """Whether the fact is there, of a list all of it."""
        facts = self.graph.facts.get(node, {})
        return name in facts and (not isinstance(facts[name], tuple) or f"{name}Count" in facts)

    def _own(self, node: Iri, name: str) -> Property | None:
        """The stated property of this name that a node of the record can have."""
        of_record = self.graph.record.nodes.get(node)
        if of_record is None:
            return None
        of_kind = load_schema().structures.get(of_record.kind, {})
        return next((prop for prop in of_kind.values() if prop.name == name), None)

    def _parts(self, node: Iri, name: str) -> list[Iri]:
        """The faces of a card, on which what it leaves out may stand."""
        faces = self.graph.facts[node].get("faces", ())
        return [f for f in faces if isinstance(f, Iri) and self._own(f, name)] if isinstance(faces, tuple) else []

    def _needed(self, node: Iri, name: str) -> bool:
        paths = load_schema().needed_where.get(name)
        return paths is None or any(self._leads_somewhere(node, path) for path in paths)

    def _leads_somewhere(self, node: Iri, path: tuple[str, ...]) -> bool:
        value = self.graph.value(node, path[0])
        if len(path) == 1 or not isinstance(value, Iri):
            return value not in (None, False, NONE, ())
        return self._leads_somewhere(value, path[1:])


def _base(name: str) -> str:
    """A list of which the length or the spelling as one value is asked for."""
    return name.removesuffix("Count").removesuffix("Key")


def _event_of(node: Iri) -> Iri:
    """The event that a node which stands for a part of it is named after."""
    return Iri(node.rsplit("/", 2)[0])
