"""Game records from RDF: what the graph states, turned back to the plain form and read as that is.

Derived facts in the input are ignored, since they are derived again. Where a derived fact has the name of a stated one
(turn, step and active player are carried forward), the graph says so of the node: `game:inferred game:turn`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache

import pyoxigraph as ox

from rulewright.records.model import Problem, Record, RecordError
from rulewright.records.structure import UNREAD, read_structure
from rulewright.vocabulary import GAME, NONE, RDF, Property, Schema, load_schema

INFERRED = GAME + "inferred"
FORMATS = {"ttl": ox.RdfFormat.TURTLE, "trig": ox.RdfFormat.TRIG, "nq": ox.RdfFormat.N_QUADS}
BASE_IRI = "relative://record/"
"""Stands for the record's own id while a text is parsed: which record an `<#id>` belongs to is known only then."""

_TYPE, _FIRST, _REST, _NIL = (RDF + name for name in ("type", "first", "rest", "nil"))
_XSD = "http://www.w3.org/2001/XMLSchema#"
_INTEGERS = frozenset(_XSD + name for name in (
    "integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "nonPositiveInteger",
    "negativeInteger", "unsignedInt", "unsignedLong", "unsignedShort", "unsignedByte"))
_INTEGER = re.compile(r"[+-]?[0-9]{1,19}")

Term = ox.NamedNode | ox.BlankNode | ox.Literal
Node = ox.NamedNode | ox.BlankNode


class _Unturned(Exception):
    """A value of the graph that has no plain form."""


class _Graph:
    """One named graph, or the default graph, by subject and predicate."""

    def __init__(self) -> None:
        self.facts: dict[Node, dict[str, list[Term]]] = {}

    def add(self, subject: Node, predicate: str, value: Term) -> None:
        values = self.facts.setdefault(subject, {}).setdefault(predicate, [])
        if value not in values:
            values.append(value)

    def of(self, node: Node, predicate: str) -> list[Term]:
        return self.facts.get(node, {}).get(predicate, [])

    def types(self, node: Node) -> list[str]:
        return [t.value.removeprefix(GAME) for t in self.of(node, _TYPE)
                if isinstance(t, ox.NamedNode) and t.value.startswith(GAME)]

    def is_list(self, term: Term) -> bool:
        return term == ox.NamedNode(_NIL) or (not isinstance(term, ox.Literal) and bool(self.of(term, _FIRST)))

    def members(self, head: Term) -> list[Term]:
        """The members of an RDF list in order."""
        found: list[Term] = []
        seen: set[Term] = set()
        while head != ox.NamedNode(_NIL):
            if head in seen or isinstance(head, ox.Literal):
                raise _Unturned("its RDF list does not end")
            seen.add(head)
            first, rest = self.of(head, _FIRST), self.of(head, _REST)
            if len(first) != 1 or len(rest) != 1:
                raise _Unturned("its RDF list is broken: each cell has one rdf:first and one rdf:rest")
            found.append(first[0])
            head = rest[0]
        return found


def parse(text: str, form: ox.RdfFormat, source: str) -> list[ox.Quad]:
    """All quads of an RDF text; a RecordError says where its syntax is wrong."""
    try:
        return list(ox.parse(text, format=form, base_iri=BASE_IRI))
    except SyntaxError as error:
        place = f"line {error.lineno}, column {error.offset}" if error.lineno else ""
        said = re.sub(r"^Parser error (at|between) .*?: ", "", str(error.msg))
        raise RecordError([Problem(source, place, f"no {form.name}: {said}")]) from None


def records(
    quads: Iterable[ox.Quad], source: str, positions: Iterator[int], parameters: frozenset[str] = frozenset()
) -> Iterator[Record | RecordError]:
    """The records of a dataset, graph by graph, in the order of their first mention."""
    graphs: dict[object, _Graph] = {}
    for quad in quads:
        subject, value = quad.subject, quad.object
        if isinstance(subject, ox.Triple) or isinstance(value, ox.Triple):
            problem = Problem(source, str(subject), "a quoted triple is no part of a record: RDF 1.1 is read")
            yield RecordError([problem])
            return
        graphs.setdefault(quad.graph_name, _Graph()).add(subject, quad.predicate.value, value)
    none = True
    for name, graph in graphs.items():
        found = [node for node in graph.facts if "Record" in graph.types(node)]
        none = none and not found
        turners = [_Turner(graph, node, source, next(positions), parameters) for node in found]
        results: list[Record | RecordError] = [turner.read() for turner in turners]
        lost = _lost(graph, turners, source, name) if found else []
        if lost and len(found) == 1:
            before = results[0].problems if isinstance(results[0], RecordError) else []
            results = [RecordError([*before, *lost])]
        elif lost:
            results.append(RecordError(lost))
        yield from results
        about_games = any(p.startswith(GAME) for facts in graph.facts.values() for p in facts)
        if not found and about_games and isinstance(name, ox.NamedNode):
            none = False
            yield RecordError([Problem(source, name.value, "this graph has no game:Record: one graph a record")])
    if none:
        yield RecordError([Problem(source, "", "holds no game:Record")])


def _lost(graph: _Graph, turners: list[_Turner], source: str, name: object) -> list[Problem]:
    """Players, cards and events of the graph that no record lists: they would be dropped in silence."""
    schema = load_schema()
    reached = set().union(*(turner.reached for turner in turners))
    stated = schema.structures.keys() | schema.event_types.keys()
    problems = []
    for node in graph.facts:
        kinds = [kind for kind in graph.types(node) if kind in stated and kind != "Record"]
        if kinds and node not in reached:
            text = f"is a game:{kinds[0]} that no list of a record has: add it, to game:events for instance"
            problems.append(Problem(source, turners[0].said(node), text))
    return problems


@cache
def _declared() -> frozenset[str]:
    schema = load_schema()
    return frozenset(
        {*schema.properties, *schema.functional, *schema.lists, *schema.members, *schema.members.values(),
         INFERRED.removeprefix(GAME)}
    )


class _Turner:
    """Turns one record of a graph to its plain form."""

    def __init__(
        self, graph: _Graph, node: Node, source: str, position: int, parameters: frozenset[str]
    ) -> None:
        self.schema: Schema = load_schema()
        self.graph, self.node, self.source, self.position, self.parameters = graph, node, source, position, parameters
        self.problems: list[Problem] = []
        self.warnings: list[str] = []
        self.reached: set[Node] = {node}
        self.places: dict[str, str] = {}
        self.blanks: dict[ox.BlankNode, str] = {}
        default = f"urn:rulewright:record:{position}"
        iri = node.value if isinstance(node, ox.NamedNode) else default
        self.base = default if iri.startswith(BASE_IRI) else iri
        self.used = {n.value for n in graph.facts if isinstance(n, ox.NamedNode)}

    def iri(self, text: str) -> str:
        """An IRI of the text; a relative one is resolved against the record's own id (RFC 3986, section 5)."""
        if not text.startswith(BASE_IRI):
            return text
        rest = text.removeprefix(BASE_IRI)
        if rest and not rest.startswith("#"):
            raise _Unturned(f"<{rest}> is a relative IRI: write <#name> or a whole IRI")
        return self.base.partition("#")[0] + rest if rest else self.base

    def said(self, node: Node) -> str:
        if isinstance(node, ox.NamedNode):
            return f"<{node.value.removeprefix(BASE_IRI)}>"
        return f"<{self.blanks[node]}>" if node in self.blanks else str(node)

    def read(self) -> Record | RecordError:
        plain: dict[str, object] = {}
        try:
            plain["id"] = self.iri(self.node.value) if isinstance(self.node, ox.NamedNode) else self.base
        except _Unturned as error:
            self.problems.append(Problem(self.source, self.said(self.node), str(error)))
        self._name_blanks()
        plain |= self._structure(self.node, "Record", "")
        if self.problems:
            return RecordError(self.problems)
        try:
            record = read_structure(plain, self.source, self.position, self.parameters)
        except RecordError as error:
            return RecordError([Problem(p.source, self._place(p.place), p.problem) for p in error.problems])
        record.warnings += self.warnings
        return record

    def _place(self, place: str) -> str:
        """The node and property that a place of the plain form came from."""
        at = place
        while at and at not in self.places:
            at = at[: max(at.rfind("."), at.rfind("["), 0)]
        return self.places.get(at, place)

    def _name_blanks(self) -> None:
        """Ids for blank nodes that the record lists, by position, as the plain form gives them."""
        start = self.base if "#" in self.base else f"{self.base}#"
        for prop in self.schema.structures["Record"].values():
            if prop.kind != "Structure":
                continue
            try:
                listed = self._items(self.node, prop) or []
            except _Unturned:
                continue
            prefix = "event" if prop.name == "events" else prop.key
            for number, item in enumerate(listed, 1):
                if isinstance(item, ox.BlankNode):
                    self.blanks.setdefault(item, f"{start}/{prefix}/{number}")

    def _reference(self, term: Term) -> str:
        if isinstance(term, ox.Literal):
            raise _Unturned(f"{term} is a literal, and no IRI of a thing in the record")
        if isinstance(term, ox.NamedNode):
            return self.iri(term.value)
        if term not in self.blanks:
            start = self.base if "#" in self.base else f"{self.base}#"
            number = len(self.blanks) + 1
            while (iri := f"{start}/object/{number}") in self.used:
                number += 1
            self.used.add(iri)
            self.blanks[term] = iri
        return self.blanks[term]

    def _structure(self, node: Node, structure: str, place: str) -> dict[str, object]:
        known = self.schema.structures[structure]
        inferred = {t.value for t in self.graph.of(node, INFERRED) if isinstance(t, ox.NamedNode)}
        plain: dict[str, object] = {}
        for prop in known.values():
            where = f"{place}.{prop.key}" if place else prop.key
            self.places[where] = f"{self.said(node)} game:{prop.name}"
            if GAME + prop.name in inferred:
                continue
            try:
                if prop.is_list:
                    items = self._items(node, prop)
                    if items is not None:
                        plain[prop.key] = self._list(prop, items, where)
                else:
                    values = self.graph.of(node, GAME + prop.name)
                    if len(values) > 1:
                        raise _Unturned(f"has {len(values)} values, and can have one")
                    # Of `during` a canonical graph says that there is none; the plain form just has none.
                    if values and (prop.kind != "Event" or values[0] != ox.NamedNode(NONE)):
                        plain[prop.key] = self._scalar(prop, values[0], where)
            except _Unturned as error:
                self.problems.append(Problem(self.source, self.places[where], str(error)))
        self._rest(node, structure, inferred, plain)
        return plain

    def _rest(self, node: Node, structure: str, inferred: set[str], plain: dict[str, object]) -> None:
        """Parameters of keywords that axioms ask for, and what the ontology does not know of such a node."""
        properties = self.schema.structures[structure].values()
        own = {n for p in properties for n in (p.name, p.member, p.count)}
        for predicate in self.graph.facts.get(node, {}):
            name = predicate.removeprefix(GAME)
            if not predicate.startswith(GAME) or name in own or predicate in inferred:
                continue
            if structure == "KeywordInstance" and name in self.parameters:
                values = self.graph.of(node, predicate)
                try:
                    if len(values) > 1:
                        raise _Unturned(f"has {len(values)} values, and can have one")
                    plain[name] = self._native(values[0])
                except _Unturned as error:
                    self.problems.append(Problem(self.source, f"{self.said(node)} game:{name}", str(error)))
            elif name not in _declared():
                self.warnings.append(f"{self.said(node)}: unknown property game:{name}, ignored")
                plain[UNREAD] = True
            elif name in self.schema.properties:
                self.warnings.append(f"{self.said(node)}: game:{name} is no property of {structure}, ignored")
                plain[UNREAD] = True

    def _items(self, node: Node, prop: Property) -> list[Term] | None:
        """The members of a stated list; None where it is not stated."""
        direct = self.graph.of(node, GAME + prop.name)
        if len(direct) > 1:
            raise _Unturned(f"has {len(direct)} values: a list is one RDF list")
        if direct and self.graph.is_list(direct[0]):
            return self.graph.members(direct[0])
        if direct and (prop.one_or_many or prop.kind == "Map"):
            return direct
        if direct:
            raise _Unturned(f"{_short(direct[0])} is no RDF list: write game:{prop.name} ( … )")
        members = self.graph.of(node, f"{GAME}{prop.member}")
        counts = self.graph.of(node, GAME + prop.count)
        if not members and not counts:
            return None
        if counts or prop.name != "events":
            count = self._integer(counts[0]) if len(counts) == 1 else None
            if count != len(members):
                said = f"game:{prop.count} {_short(counts[0])}" if counts else f"no game:{prop.count}"
                raise _Unturned(f"{len(members)} of game:{prop.member} and {said}: say how many, or write an RDF list")
        return self._ordered(members, prop)

    def _ordered(self, members: list[Term], prop: Property) -> list[Term]:
        places: list[int] = []
        for member in members:
            stated = [] if isinstance(member, ox.Literal) else self.graph.of(member, GAME + "order")
            if len(stated) == 1:
                places.append(self._integer(stated[0]))
        if len(set(places)) == len(members):
            return [member for _, member in sorted(zip(places, members, strict=True), key=lambda pair: pair[0])]
        if prop.name == "events" and len(members) > 1:
            raise _Unturned("events have an order: write an RDF list, or an integer game:order at each")
        return members

    def _list(self, prop: Property, items: list[Term], place: str) -> object:
        if prop.kind == "Map":
            return self._shares(prop, items, place)
        found: list[object] = []
        for number, item in enumerate(items):
            where = f"{place}[{number}]"
            self.places[where] = self.places[place]
            try:
                found.append(self._scalar(prop, item, where))
            except _Unturned as error:
                self.problems.append(Problem(self.source, self.places[where], str(error)))
        return found

    def _shares(self, prop: Property, items: list[Term], place: str) -> object:
        if len(items) == 1 and isinstance(items[0], ox.Literal):
            if items[0].datatype.value != RDF + "JSON":
                raise _Unturned(f"{_short(items[0])} is no RDF list of game:{prop.structure}")
            try:
                shares: object = json.loads(items[0].value)
            except (ValueError, RecursionError):
                raise _Unturned(f"{_short(items[0])} is no JSON") from None
            return shares
        found: dict[str, object] = {}
        for item in items:
            if isinstance(item, ox.Literal):
                raise _Unturned(f"{_short(item)} is a literal, and no game:{prop.structure}")
            self.reached.add(item)
            share = self._structure(item, str(prop.structure), place)
            target = share.get("target")
            if not isinstance(target, str) or "amount" not in share or target in found:
                raise _Unturned(f"{self.said(item)} needs one game:target of its own and one game:amount")
            found[target] = share["amount"]
        return found

    def _scalar(self, prop: Property, term: Term, place: str) -> object:
        if term == ox.NamedNode(NONE) and (prop.or_none or prop.kind == "Mana"):
            return None
        match prop.kind:
            case "Integer":
                return self._integer(term)
            case "Boolean":
                return self._boolean(term)
            case "String" | "Label" | "Mana":
                return self._text(term)
            case "Date":
                return self._date(term)
            case "Zone" | "Step" | "Colour" | "Layout" | "EventType":
                return self._word(term)
            case "EventOrText" if isinstance(term, ox.Literal):
                return self._text(term)
            case "Any":
                return self._native(term) if isinstance(term, ox.Literal) else self._reference(term)
            case "Structure":
                return self._node(prop, term, place)
        return self._reference(term)

    def _node(self, prop: Property, term: Term, place: str) -> object:
        structure = str(prop.structure)
        if isinstance(term, ox.Literal):
            if structure == "KeywordInstance":
                return self._text(term)
            raise _Unturned(f"{_short(term)} is a literal, and no game:{structure}")
        if structure == "CostBasis":
            if isinstance(term, ox.NamedNode) and term.value in self.schema.word_of:
                return self._word(term)
            structure = "AlternativeCost"
        self.reached.add(term)
        plain: dict[str, object] = {}
        if isinstance(term, ox.NamedNode):
            plain["id"] = self.iri(term.value)
        elif term in self.blanks:
            plain["id"] = self.blanks[term]
        if structure == "Event":
            structure = self._event_type(term, plain)
        return plain | self._structure(term, structure, place)

    def _event_type(self, term: Node, plain: dict[str, object]) -> str:
        types = self.graph.types(term)
        known = [name for name in types if name in self.schema.event_types]
        if len(known) > 1:
            raise _Unturned(f"{self.said(term)} is of {len(known)} event types: {', '.join(known)}")
        if not types:
            raise _Unturned(f"{self.said(term)} has no event type: write for instance a game:Cast")
        word = next((w.value for w in self.graph.of(term, GAME + "typeWord") if isinstance(w, ox.Literal)), types[0])
        plain["type"] = known[0] if known else word
        return known[0] if known else "Event"

    def _word(self, term: Term) -> str:
        word = self.schema.word_of.get(term.value) if isinstance(term, ox.NamedNode) else None
        if word is None:
            raise _Unturned(f"{_short(term)} is no individual of the game ontology, such as game:hand")
        return word

    @staticmethod
    def _integer(term: Term) -> int:
        if isinstance(term, ox.Literal) and term.datatype.value in _INTEGERS and _INTEGER.fullmatch(term.value):
            return int(term.value)
        raise _Unturned(f"{_short(term)} is not an integer")

    @staticmethod
    def _boolean(term: Term) -> bool:
        found = term.value if isinstance(term, ox.Literal) and term.datatype.value == _XSD + "boolean" else None
        if found in ("true", "false", "1", "0"):
            return found in ("true", "1")
        raise _Unturned(f"{_short(term)} is not true or false")

    def _text(self, term: Term) -> str:
        if not isinstance(term, ox.Literal):
            raise _Unturned(f"{_short(term)} is no text")
        if term.language is not None:
            raise _Unturned(f"{_short(term)} has a language, which a record cannot keep: write a plain string")
        if term.datatype.value != _XSD + "string":
            raise _Unturned(f"{_short(term)} is not a text")
        return term.value

    def _date(self, term: Term) -> str:
        if isinstance(term, ox.Literal) and term.datatype.value == _XSD + "date":
            return term.value
        if isinstance(term, ox.Literal) and term.datatype.value in _INTEGERS and re.fullmatch(r"\d{5,8}", term.value):
            day = term.value.zfill(8)
            return f"{day[:4]}-{day[4:6]}-{day[6:]}"
        return self._text(term)

    def _native(self, term: Term) -> str | int | bool:
        if isinstance(term, ox.Literal):
            if term.datatype.value in _INTEGERS:
                return self._integer(term)
            if term.datatype.value == _XSD + "boolean":
                return self._boolean(term)
        return self._text(term)


def _short(term: Term) -> str:
    text = str(term)
    return text if len(text) <= 60 else text[:57] + "…"
