"""A record as plain data (objects, lists, words) into the record model: strict, and helpful about what is malformed."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping

import pyoxigraph as ox

from rulewright.records import mana
from rulewright.records.model import Node, Problem, Record, RecordError, Value
from rulewright.vocabulary import NONE, Iri, Property, Scalar, Schema, load_schema

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>\"{}|\\^`]+")
_LOCAL = re.compile(r"#[^\s<>\"{}|\\^`#]+")
SCENARIO_KEYS = ("comment", "source", "statements", "expect", "exhaustive")
_ZONES_OF_COPIES = {"stack", "battlefield"}
"""Where copies of spells and permanents are put (CR 707.10)."""
UNREAD = "@unread"
"""Key by which another form says that it has stated something that is not known, and has warned of it."""
_NOTHING: frozenset[str] = frozenset()


class _Malformed(Exception):
    pass


def read_structure(data: object, source: str, position: int = 1, parameters: frozenset[str] = _NOTHING) -> Record:
    """One record from its plain form. `parameters`: names of keyword parameters that axioms ask for beyond the known.

    Raises RecordError with every problem found: place (`events[3].from`), what is wrong, how to mend it.
    """
    return _Reader(source, parameters).record(data, position)


class _Reader:
    def __init__(self, source: str, parameters: frozenset[str]) -> None:
        self.schema: Schema = load_schema()
        self.source = source
        self.parameters = parameters
        self.problems: list[Problem] = []
        self.references: list[tuple[str, str, Iri]] = []
        self.record_: Record
        self._resolved: dict[str, Iri] = {}

    def problem(self, place: str, text: str) -> None:
        self.problems.append(Problem(self.source, place, text))

    def record(self, data: object, position: int) -> Record:
        if not isinstance(data, dict):
            raise RecordError([Problem(self.source, f"record {position}", "a record is a JSON object")])
        given = data.get("id", f"urn:rulewright:record:{position}")
        if not isinstance(given, str) or not _is_iri(given):
            raise RecordError(
                [Problem(self.source, "id", f"{given!r} is not an IRI: write one such as urn:example:game:1")]
            )
        self.record_ = Record(Iri(given), self.source)
        if data.get("type", "Game") != "Game":
            self.problem("type", f"{data['type']!r} is not 'Game'")
        extras = {k: data[k] for k in SCENARIO_KEYS if k in data}
        self.record_.extras = extras
        body = {k: v for k, v in data.items() if k not in ("id", "type", "@context", *extras)}
        node = self._node("Record", Iri(given), "")
        if "events" not in body:
            self.problem("events", "missing: a record lists its events in the order in which they happened")
        self._fill(node, "Record", body, "")
        self._check_references()
        self._settle_choices()
        self._check_cycles()
        if self.problems:
            name = f"{given}: " if position > 1 or "id" in data else ""
            raise RecordError([Problem(p.source, p.place, name + p.problem) for p in self.problems])
        return self.record_

    def _node(self, kind: str, iri: Iri, place: str) -> Node:
        node = Node(iri, kind, place=place)
        if iri in self.record_.nodes:
            self.problem(f"{place}.id" if place else "id", f"{iri} is declared twice: ids are unique in a record")
        self.record_.nodes[iri] = node
        return node

    def _fill(self, node: Node, structure: str, data: Mapping[str, object], place: str) -> None:
        known = self.schema.structures[structure]
        for key, raw in data.items():
            where = f"{place}.{key}" if place else key
            prop = known.get(key)
            if prop is None:
                if structure == "KeywordInstance" and key in self.parameters and isinstance(raw, (str, int)):
                    node.facts[key] = raw
                else:
                    node.partial = True
                    self.record_.warnings += [] if key == UNREAD else [f"{where}: unknown property, ignored"]
                continue
            try:
                node.facts[prop.name] = self._value(prop, raw, where, node)
            except _Malformed as error:
                self.problem(where, str(error))

    def _value(self, prop: Property, raw: object, place: str, node: Node) -> Value:
        if raw is None and prop.or_none:
            return NONE
        if raw is None and prop.kind != "Mana":
            raise _Malformed("null says nothing: leave the property out if it is unknown, write [] for none")
        if not prop.is_list:
            return self._scalar(prop, raw, place, node)
        if prop.kind == "Map":
            return self._shares(prop, raw, place, node)
        if not isinstance(raw, list):
            if not prop.one_or_many:
                raise _Malformed(f"{_said(raw)} is not a list")
            raw = [raw]
        members: list[Scalar] = []
        for position, item in enumerate(raw):
            try:
                members.append(self._scalar(prop, item, f"{place}[{position}]", node))
            except _Malformed as error:
                self.problem(f"{place}[{position}]", str(error))
        return tuple(members)

    def _shares(self, prop: Property, raw: object, place: str, node: Node) -> Value:
        if not isinstance(raw, dict):
            raise _Malformed(f"{_said(raw)} is not an object of target and amount")
        shares: list[Scalar] = []
        for number, (target, amount) in enumerate(raw.items(), 1):
            iri = Iri(f"{_fragment(node.iri)}/{prop.key}/{number}")
            share = self._node(str(prop.structure), iri, place)
            self._fill(share, str(prop.structure), {"target": target, "amount": amount}, place)
            shares.append(iri)
        return tuple(shares)

    def _scalar(self, prop: Property, raw: object, place: str, node: Node) -> Scalar:
        kind = prop.kind
        if kind == "Structure":
            return self._structure(prop, raw, place, node)
        if (plain := _PLAIN.get(kind)) is not None:
            return plain(raw)
        if (words := _ENUMERATIONS.get(kind)) is not None:
            return self._word(words, raw)
        if kind == "Any":
            if isinstance(raw, int) or (isinstance(raw, str) and not raw.startswith("#")):
                return raw
            kind = "Thing"
        if kind == "EventOrText":
            if isinstance(raw, str) and raw.strip() and not (raw.startswith("#") or _is_iri(raw)):
                return raw
            kind = "Event"
        return self._reference(raw, place, kind)

    def _word(self, kind: str, raw: object) -> Iri:
        words = self.schema.words[kind]
        if isinstance(raw, str) and raw in words:
            return words[raw]
        noun = {"TurnStep": "step", "EventType": "event type"}.get(kind, kind.lower())
        raise _Malformed(f"{_said(raw)} is no {noun}: use one of {', '.join(words)}")

    def _resolve(self, raw: object) -> Iri:
        if isinstance(raw, str):
            if raw not in self._resolved:
                self._resolved[raw] = self._id(raw)
            return self._resolved[raw]
        raise _Malformed(f"{_said(raw)} is no id: write #name or an IRI")

    def _id(self, raw: str) -> Iri:
        if _LOCAL.fullmatch(raw):
            if "#" in self.record_.id:
                raise _Malformed(f"the record's own id has a '#': write whole IRIs, not {raw!r}, or an id without '#'")
            if _is_iri(self.record_.id + raw):
                return Iri(self.record_.id + raw)
        if _is_iri(raw):
            return Iri(raw)
        raise _Malformed(f"{_said(raw)} is no id: write #name or an IRI")

    def _reference(self, raw: object, place: str, kind: str) -> Iri:
        iri = self._resolve(raw)
        self.references.append((place, kind, iri))
        return iri

    def _structure(self, prop: Property, raw: object, place: str, parent: Node) -> Scalar:
        structure = str(prop.structure)
        if structure == "CostBasis" and isinstance(raw, str):
            return self._word("CostBasis", raw)
        if structure == "KeywordInstance" and isinstance(raw, str):
            raw = {"keyword": raw}
        if not isinstance(raw, dict):
            raise _Malformed(f"{_said(raw)} is not an object")
        body = dict(raw)
        if structure == "Event":
            structure = self._event_type(body.pop("type", None), body)
        elif structure == "CostBasis":
            structure = "AlternativeCost"
            if not isinstance(body.get("alternative"), str):
                raise _Malformed('a cost is "mana cost", "without paying mana cost" or {"alternative": …}')
        elif body.pop("type", structure) != structure:
            raise _Malformed(f"'type' here is {structure}")
        if "id" in body:
            iri = self._resolve(body.pop("id"))
        elif structure in ("Player", "Card"):
            raise _Malformed("has no id: events refer to it by one, such as #ana")
        else:
            index = re.search(r"\[(\d+)\]$", place)
            number = int(index.group(1)) + 1 if index else 1
            prefix = "event" if prop.name == "events" else prop.key
            iri = Iri(f"{_fragment(parent.iri)}/{prefix}/{number}")
        if body.get("newObject") is True:
            body["newObject"] = f"{_fragment(iri)}/object"  # it is not spoken of again
        child = self._node(structure, iri, place)
        if structure == "Event":
            self.record_.dropped[iri] = str(raw["type"])
        self._fill(child, structure, body, place)
        return iri

    def _event_type(self, raw: object, body: dict[str, object]) -> str:
        if not isinstance(raw, str):
            raise _Malformed("an event needs its type, such as 'Cast'")
        if raw not in self.schema.event_types:
            self.record_.warnings.append(f"event type {raw!r} is unknown, the event is kept without meaning")
            return "Event"
        to = body.get("to")
        if raw == "Copy" and isinstance(to, str) and to in self.schema.words["Zone"] and to not in _ZONES_OF_COPIES:
            # only a card is copied elsewhere, to be cast from there (CR 707.12)
            body["zone"] = body.pop("to")
            return "CopyCard"
        put, counters = self.schema.event_types[raw].puts_counter, body.get("counters")
        if put is not None and isinstance(counters, list):
            body["counters"] = _number_of(put, counters)
        return raw

    def _objects(self) -> set[Iri]:
        return {
            Iri(v)
            for n in self.record_.nodes.values()
            for k in ("object", "newObject")
            if (v := n.facts.get(k)) is not None and self._creates(n, k)
        }

    def _settle_choices(self) -> None:
        """What was chosen is a word, a number or a thing: a whole IRI means the thing that the record declares so."""
        open_ = [
            (node, name, value)
            for node in self.record_.nodes.values()
            for name, value in node.facts.items()
            if isinstance(value, tuple) and self.schema.properties[name].kind == "Any"
        ]
        things = self.record_.nodes.keys() | self._objects() if open_ else set()
        for node, name, value in open_:
            node.facts[name] = tuple(Iri(v) if isinstance(v, str) and v in things else v for v in value)

    def _check_references(self) -> None:
        nodes = self.record_.nodes
        objects = self._objects()
        for place, kind, iri in self.references:
            node = nodes.get(iri)
            if kind == "Thing":
                good = iri in objects or (node is not None and node.kind in ("Card", "Player"))
            elif kind == "Card":
                good = (node is not None and node.kind == "Card") or iri in objects
            elif kind == "Player":
                good = node is not None and node.kind == "Player"
            else:
                good = node is not None and (node.kind in self.schema.event_types or node.kind == "Event")
            if not good:
                wanted = {"Thing": "a card, player or object"}.get(
                    kind, f"a {kind.lower()}" if kind != "Event" else "an event"
                )
                self.problem(place, f"{iri} is not declared as {wanted} of this record")

    def _creates(self, node: Node, key: str) -> bool:
        kind = self.schema.event_types.get(node.kind)
        return key == "newObject" or node.kind == "Suspend" or (kind is not None and kind.creates is not None)

    def _check_cycles(self) -> None:
        nodes = self.record_.nodes
        done: set[tuple[Iri, str]] = set()
        for start in self.record_.children("events"):
            for link in ("cause", "during"):
                seen: list[Iri] = []
                iri: Value | None = start.iri
                while isinstance(iri, Iri) and iri in nodes and (iri, link) not in done:
                    if iri in seen:
                        self.problem(f"{nodes[iri].place}.{link}", f"{iri} is, by way of '{link}', its own {link}")
                        break
                    seen.append(iri)
                    iri = nodes[iri].facts.get(link)
                done.update((i, link) for i in seen)


def _integer(raw: object) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise _Malformed(f"{_said(raw)} is not an integer")
    if not -(2**53) < raw < 2**53:
        raise _Malformed(f"{raw} is out of range")
    return raw


def _boolean(raw: object) -> bool:
    if not isinstance(raw, bool):
        raise _Malformed(f"{_said(raw)} is not true or false")
    return raw


def _text(raw: object) -> str:
    if not isinstance(raw, str) or not raw.strip():
        raise _Malformed(f"{_said(raw)} is not a text")
    return raw


def _date(raw: object) -> int:
    try:
        day = datetime.date.fromisoformat(raw) if isinstance(raw, str) else None
    except ValueError:
        day = None
    if day is None:
        raise _Malformed(f"{_said(raw)} is no date: write YYYY-MM-DD")
    return day.year * 10000 + day.month * 100 + day.day


def _mana(raw: object) -> Scalar:
    if raw is None:
        return NONE
    if not isinstance(raw, str):
        raise _Malformed(f"{_said(raw)} is not mana: write a text such as {{2}}{{R}}, or null for no mana cost")
    if not raw:
        raise _Malformed("an empty text is not mana: write {0}, or null where there is no mana cost")
    try:
        mana.symbols(raw)
    except ValueError as error:
        raise _Malformed(str(error)) from None
    return raw


_PLAIN: Mapping[str, Callable[[object], Scalar]] = {
    "Integer": _integer, "Boolean": _boolean, "String": _text, "Label": _text, "Date": _date, "Mana": _mana,
}  # fmt: skip
"""Kinds of values that stand for themselves -> how one is read."""
_ENUMERATIONS = {
    "Zone": "Zone", "Colour": "Colour", "Layout": "Layout", "EventType": "EventType", "Step": "TurnStep",
}  # fmt: skip
"""Kinds of values that are among the words of an enumeration."""


def _number_of(counter: str, listed: list[object]) -> object:
    """The number of counters of the only kind that an event puts on a card, where they are listed as elsewhere."""
    match listed:
        case [{"counter": str(name), "n": n}] if name.casefold() == counter:
            return n
    return listed


def _is_iri(text: str) -> bool:
    """RFC 3987, as RDF stores hold it: such an IRI can be written in every form."""
    if not _ABSOLUTE.fullmatch(text):
        return False
    try:
        ox.NamedNode(text)
    except ValueError:
        return False
    return True


def _fragment(iri: str) -> str:
    return iri if "#" in iri else iri + "#"


def _said(raw: object) -> str:
    text = repr(raw)
    return text if len(text) <= 60 else text[:57] + "…"
