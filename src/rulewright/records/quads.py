"""The canonical graph as RDF triples: IRIs only, no blank nodes."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache

import pyoxigraph as ox

from rulewright.records.canonical import Graph
from rulewright.vocabulary import GAME, RDF, Iri, Scalar, load_schema

TYPE = ox.NamedNode(RDF + "type")
FIRST, REST, NIL = (ox.NamedNode(RDF + name) for name in ("first", "rest", "nil"))


@cache
def named(iri: str) -> ox.NamedNode:
    return ox.NamedNode(iri)


def property_iri(name: str) -> str:
    """A fact's name as an IRI: a local name of the game ontology, or the IRI of a fact that axioms derive."""
    return name if ":" in name else GAME + name


def term(value: Scalar) -> ox.NamedNode | ox.Literal:
    return ox.NamedNode(value) if isinstance(value, Iri) else ox.Literal(value)


def triples(graph: Graph, wanted: Container[str] | None = None) -> Iterator[ox.Triple]:
    """Types and facts of all nodes; with `wanted`, only these properties (members of lists by the member's name).

    Without `wanted`, each stated list is there as an RDF list too, so that order, and that it was stated, survive.
    """
    schema = load_schema()
    member_of = {count.removesuffix("Count"): member for member, count in schema.members.items()}
    for node, facts in graph.facts.items():
        subject = ox.NamedNode(node)
        yield ox.Triple(subject, TYPE, named(GAME + graph.kinds[node]))
        for name, value in facts.items():
            if isinstance(value, tuple):
                member = member_of[name]
                if wanted is None or member in wanted:
                    predicate = named(GAME + member)
                    for item in dict.fromkeys(value):
                        yield ox.Triple(subject, predicate, term(item))
                if wanted is None and name in schema.properties:
                    yield from _stated_list(subject, name, value)
            elif wanted is None or name in wanted:
                yield ox.Triple(subject, named(property_iri(name)), term(value))


def _stated_list(subject: ox.NamedNode, name: str, items: tuple[Scalar, ...]) -> Iterator[ox.Triple]:
    base = subject.value if "#" in subject.value else f"{subject.value}#"
    cells = [ox.NamedNode(f"{base}/{name}/list/{n}") for n in range(1, len(items) + 1)]
    yield ox.Triple(subject, named(GAME + name), cells[0] if cells else NIL)
    for cell, item, rest in zip(cells, items, [*cells, NIL][1:], strict=True):
        yield ox.Triple(cell, FIRST, term(item))
        yield ox.Triple(cell, REST, rest)
