"""Game records out: the plain form, and the canonical game graph as TriG and JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import pyoxigraph as ox

from rulewright.records.canonical import Graph, canonical
from rulewright.records.model import Node, Record
from rulewright.records.quads import named, triples
from rulewright.records.rdf import INFERRED
from rulewright.records.words import Words
from rulewright.vocabulary import GAME, KEYWORD, NONE, RDF, Iri, Property, Scalar, load_schema

FORMS = ("json", "jsonld", "trig")
PREFIXES = {"game": GAME, "kw": KEYWORD, "rdf": RDF}


def plain(record: Record) -> dict[str, object]:
    """A record as plain data, as `read_structure` reads it; what a scenario says beside the game is not part of it."""
    return {"id": str(record.id), "type": "Game", **_Plain(record).body(record.root)}


def write(records: Iterable[Record], form: str, stream: BinaryIO, keywords: Words | None = None) -> None:
    """Records as they come, to `json` (JSON Lines: one record a line), `jsonld` or `trig` (one named graph a record).

    RDF holds the canonical graph, stated and derived facts; `keywords`: the known ones, by their names. A ValueError
    for any other form.
    """
    if form == "json":
        for record in records:
            stream.write(json.dumps(plain(record), ensure_ascii=False).encode() + b"\n")
    elif form in FORMS:
        names = keywords or Words({})
        formats = {"jsonld": ox.RdfFormat.JSON_LD, "trig": ox.RdfFormat.TRIG}
        ox.serialize((q for r in records for q in quads(r, names)), stream, formats[form], prefixes=PREFIXES)
        if form == "jsonld":
            stream.write(b"\n")
    else:
        raise ValueError(f"no form {form!r}: use one of {', '.join(FORMS)}")


def quads(record: Record, keywords: Words, steps: Iterable[Iri] = ()) -> Iterator[ox.Quad]:
    """The canonical graph of a record in the graph named by its id; `steps` as for `canonical`.

    Facts that follow, but have the name of a stated property, are marked (`game:inferred`): a reader takes them for
    derived, and a record read back states no more than it did.
    """
    graph = canonical(record, keywords, steps)
    properties = load_schema().properties
    name = ox.NamedNode(record.id)
    for iri, facts in graph.facts.items():
        subject = ox.NamedNode(iri)
        found = list(triples(Graph(record, {iri: facts}, {iri: graph.kinds[iri]})))
        if iri in record.nodes:
            stated = record.nodes[iri].facts
            likewise = [name for name in map(_of_count, facts) if name in properties]
            found += [ox.Triple(subject, named(INFERRED), named(GAME + fact))
                      for fact in dict.fromkeys([*facts, *likewise]) if fact in properties and fact not in stated]
        # What is said of the node itself comes first, then the cells of its lists: so a text stays together.
        found.sort(key=lambda triple: triple.subject != subject)
        for triple in found:
            yield ox.Quad(triple.subject, triple.predicate, triple.object, name)


def _of_count(fact: str) -> str:
    """The list that a count counts: a count alone would say that the list is stated, and empty."""
    return fact.removesuffix("Count") if fact.endswith("Count") else ""


def _start(iri: str) -> str:
    return iri if "#" in iri else f"{iri}#"


class _Plain:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.schema = load_schema()
        self.local = "" if "#" in record.id else f"{record.id}#"

    def body(self, node: Node) -> dict[str, object]:
        known = {p.name: p for p in self.schema.structures[node.kind].values()}
        found: dict[str, object] = {}
        for name, value in node.facts.items():
            prop = known.get(name)
            if prop is None:
                found[name] = value
            elif isinstance(value, tuple):
                found[prop.key] = self._list(node, prop, value)
            else:
                found[prop.key] = self._scalar(node, prop, value, 1)
        return found

    def _list(self, node: Node, prop: Property, values: tuple[Scalar, ...]) -> object:
        if prop.kind == "Map":
            shares = [self.record.nodes[Iri(value)].facts for value in values]
            return {self._id(str(share["target"])): share["amount"] for share in shares}
        found = [self._scalar(node, prop, value, number) for number, value in enumerate(values, 1)]
        return found[0] if prop.one_or_many and len(found) == 1 else found

    def _scalar(self, node: Node, prop: Property, value: object, number: int) -> object:
        if prop.kind == "Date":
            day = f"{value:08d}"
            return f"{day[:4]}-{day[4:6]}-{day[6:]}"
        if not isinstance(value, Iri):
            return value
        if value == NONE:
            return None
        if prop.kind == "Structure" and value in self.record.nodes:
            return self._structure(node, prop, self.record.nodes[value], number)
        return self.schema.word_of.get(value) or self._id(value)

    def _structure(self, parent: Node, prop: Property, node: Node, number: int) -> dict[str, object]:
        prefix = "event" if prop.name == "events" else prop.key
        given = node.iri != f"{_start(parent.iri)}/{prefix}/{number}" or node.kind in ("Player", "Card")
        found: dict[str, object] = {"id": self._id(node.iri)} if given else {}
        if prop.structure == "Event":
            found["type"] = self.record.dropped.get(node.iri, node.kind)
        return found | self.body(node)

    def _id(self, iri: str) -> str:
        rest = iri.removeprefix(self.local) if self.local else iri
        return f"#{rest}" if self.local and iri.startswith(self.local) and rest and "#" not in rest else str(iri)
