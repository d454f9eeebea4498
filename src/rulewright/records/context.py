"""The JSON-LD context of the plain form, made from the record's schema; `ontology/context.jsonld` is its copy.

It says what a context can say: keys that mean one thing here and another there are scoped by event type and by
structure, and words ("precombat main") stand for individuals. What no context can say, `null` as a mana cost and `#id`s
against the record's own id, only our reader understands.
"""

from __future__ import annotations

from functools import cache

from rulewright.vocabulary import BASE, GAME, Property, Schema, load_schema

CONTEXT = BASE + "context.jsonld"
_REFERENCES = frozenset({"Player", "Card", "Thing", "Event"})
_WORDS = {"Zone": "Zone", "Step": "TurnStep", "Colour": "Colour", "Layout": "Layout", "EventType": "EventType"}

Terms = dict[str, object]


@cache
def context() -> Terms:
    """The value of `@context`."""
    schema = load_schema()
    return {
        "@version": 1.1,
        "game": GAME,
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "id": "@id",
        "type": "@type",
        "Game": "game:Record",
        **_terms(schema, "Record"),
    }


def _terms(schema: Schema, structure: str) -> Terms:
    known = schema.structures[structure]
    return {key: _term(schema, known[key]) for key in sorted(known)}


def _words(schema: Schema, kind: str) -> Terms:
    return {word: f"game:{iri.removeprefix(GAME)}" for word, iri in schema.words[kind].items()}


def _term(schema: Schema, prop: Property) -> object:
    term: Terms = {"@id": f"game:{prop.name}"}
    if prop.kind == "Map":
        return {**term, "@type": "@json"}
    if prop.is_list:
        term["@container"] = "@list"
    if prop.kind in _REFERENCES:
        term["@type"] = "@id"
    elif prop.kind in _WORDS:
        term |= {"@type": "@vocab", "@context": _words(schema, _WORDS[prop.kind])}
    elif prop.kind == "Date":
        term["@type"] = "xsd:date"
    elif prop.structure == "Event":
        term["@context"] = _event_terms(schema)
    elif prop.structure == "CostBasis":
        term |= {"@type": "@vocab", "@context": {**_words(schema, "CostBasis"), **_terms(schema, "AlternativeCost")}}
    elif prop.structure is not None:
        term["@context"] = _terms(schema, prop.structure)
    return term["@id"] if len(term) == 1 else term


def _event_terms(schema: Schema) -> Terms:
    common = _terms(schema, "Event")
    found = dict(common)
    for name in sorted(schema.event_types):
        own = {key: term for key, term in _terms(schema, name).items() if key not in common}
        found[name] = {"@id": f"game:{name}", "@context": own} if own else f"game:{name}"
    return found
