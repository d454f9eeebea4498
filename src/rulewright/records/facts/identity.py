"""One object under two names: a card, and the name that a record gives to what the card became (CR 400.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.records.model import Node, Record, Value
from rulewright.vocabulary import Iri, Scalar, Schema

_PARTS = frozenset({"Payment", "AlternativeCost", "Share"})
"""What events say of cards in parts of their own."""


def by_cards(record: Record, schema: Schema) -> Record:
    """The record with each new object called by its card as long as it is that object; afterwards by its own name."""
    events = record.children("events")
    if not any("newObject" in event.facts for event in events):
        return record
    renamed: dict[Iri, Node] = {}
    card_of: dict[Scalar, Iri] = {}
    for event in events:
        nodes = [_called(node, card_of) for node in _with_parts(record, event)]
        renamed |= {node.iri: node for node in nodes}
        moved = set(_moved(nodes, schema))
        card_of = {new: card for new, card in card_of.items() if card not in moved}
        new, card = event.facts.get("newObject"), nodes[0].facts.get("card")
        if isinstance(new, Iri) and isinstance(card, Iri) and card in moved and _is_card(record, card):
            card_of[new] = card
            nodes[0].facts.pop("newObject")
    return replace(record, nodes={**record.nodes, **renamed})


def new_objects(stated: Record, called: Record) -> dict[Iri, tuple[Iri, Iri]]:
    """Name of what a card became -> the event by which it did, and the card."""
    found: dict[Iri, tuple[Iri, Iri]] = {}
    if called is not stated:
        for event in called.children("events"):
            new, card = stated.nodes[event.iri].facts.get("newObject"), event.facts.get("card")
            if isinstance(new, Iri) and isinstance(card, Iri) and "newObject" not in event.facts:
                found[new] = event.iri, card
    return found


def _is_card(record: Record, thing: Iri) -> bool:
    return thing in record.nodes and record.nodes[thing].kind == "Card"


def _with_parts(record: Record, event: Node) -> Iterator[Node]:
    """An event, and the parts in which it tells of costs and shares."""
    yield event
    for value in event.facts.values():
        for thing in value if isinstance(value, tuple) else (value,):
            if isinstance(thing, Iri) and thing in record.nodes and record.nodes[thing].kind in _PARTS:
                yield record.nodes[thing]


def _called(node: Node, card_of: dict[Scalar, Iri]) -> Node:
    facts: dict[str, Value] = {}
    for name, value in node.facts.items():
        if isinstance(value, tuple):
            facts[name] = tuple([card_of.get(member, member) for member in value])
        else:
            facts[name] = card_of.get(value, value)
    return replace(node, facts=facts)


def _moved(nodes: list[Node], schema: Schema) -> Iterator[Scalar]:
    """What an event moves by its type, what ceases to exist by it, and what pays for it."""
    event, *parts = nodes
    kind = schema.event_types.get(event.kind)
    if kind is not None:
        value = event.facts.get(kind.moves or ("object" if kind.ends_object else ""), ())
        yield from value if isinstance(value, tuple) else (value,)
    for part in parts:
        for value in part.facts.values():
            yield from value if isinstance(value, tuple) else ()
