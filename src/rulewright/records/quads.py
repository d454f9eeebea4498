"""The canonical graph as RDF triples: IRIs only, no blank nodes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache, lru_cache

import pyoxigraph as ox

from rulewright.records.canonical import Graph
from rulewright.vocabulary import GAME, NONE, RDF, Iri, Scalar, load_schema

TYPE = ox.NamedNode(RDF + "type")
FIRST, REST, NIL = (ox.NamedNode(RDF + name) for name in ("first", "rest", "nil"))


@cache
def named(iri: str) -> ox.NamedNode:
    return ox.NamedNode(iri)


def property_iri(name: str) -> str:
    """A fact's name as an IRI: a local name of the game ontology, or the IRI of a fact that axioms derive."""
    return name if ":" in name else GAME + name


def term(value: Scalar) -> ox.NamedNode | ox.Literal:
    return ox.NamedNode(value) if isinstance(value, Iri) else _literal(value)


# The same few values come again and again: making a term costs more than finding it. `typed`: 1 is not true.
@lru_cache(maxsize=2**14, typed=True)
def _literal(value: str | int | bool) -> ox.Literal:
    return ox.Literal(value)


@cache
def _predicate(name: str) -> ox.NamedNode:
    return ox.NamedNode(property_iri(name))


@cache
def _members() -> dict[str, str]:
    """Name of a list -> property of its members."""
    return {count.removesuffix("Count"): member for member, count in load_schema().members.items()}


def triples(graph: Graph, wanted: Container[str] | None = None) -> Iterator[ox.Triple]:
    """Types and facts of all nodes; with `wanted`, only these properties (members of lists by the member's name).

    Without `wanted`, each stated list is there as an RDF list too, so that order, and that it was stated, survive.
    """
    stated = load_schema().properties
    member_of = _members()
    nodes: dict[str, ox.NamedNode] = {}

    def made(value: Scalar) -> ox.NamedNode | ox.Literal:
        if not isinstance(value, Iri):
            return _literal(value)
        if value not in nodes:
            nodes[value] = ox.NamedNode(value)
        return nodes[value]

    for node, facts in graph.facts.items():
        subject = nodes[node] if node in nodes else nodes.setdefault(node, ox.NamedNode(node))
        yield ox.Triple(subject, TYPE, named(GAME + graph.kinds[node]))
        for name, value in facts.items():
            if isinstance(value, tuple):
                member = member_of[name]
                if wanted is None or member in wanted:
                    predicate = _predicate(member)
                    for item in dict.fromkeys(value):
                        yield ox.Triple(subject, predicate, made(item))
                if wanted is None and name in stated:
                    yield from _stated_list(subject, name, value)
            elif wanted is None or name in wanted:
                yield ox.Triple(subject, _predicate(name), made(value))


def lines(graph: Graph, wanted: Mapping[str, Container[str]]) -> Iterator[str]:
    """Types and facts as N-Triples, of each node only the properties wanted of its kind: what checks are run on.

    Text, since a store parses it faster than terms can be made one by one.
    """
    member_of = _members()
    nothing: Container[str] = ()
    for node, facts in graph.facts.items():
        kind = graph.kinds[node]
        yield f"<{node}> {_TYPE} <{GAME}{kind}> .\n"
        of_kind = wanted.get(kind, nothing)
        for name, value in facts.items():
            if isinstance(value, tuple):
                member = member_of[name]
                if member in of_kind:
                    for item in dict.fromkeys(value):
                        yield f"<{node}> <{GAME}{member}> {_text(item)} .\n"
            elif name in of_kind and ":" not in name:
                yield f"<{node}> <{GAME}{name}> {_text(value)} .\n"


_TYPE = f"<{RDF}type>"


def _text(value: Scalar) -> str:
    return f"<{value}>" if isinstance(value, Iri) else _literal_text(value)


@lru_cache(maxsize=2**14, typed=True)
def _literal_text(value: str | int | bool) -> str:
    return str(ox.Literal(value))


def _stated_list(subject: ox.NamedNode, name: str, items: tuple[Scalar, ...]) -> Iterator[ox.Triple]:
    base = subject.value if "#" in subject.value else f"{subject.value}#"
    cells = [ox.NamedNode(f"{base}/{name}/list/{n}") for n in range(1, len(items) + 1)]
    yield ox.Triple(subject, named(GAME + name), cells[0] if cells else NIL)
    for cell, item, rest in zip(cells, items, [*cells, NIL][1:], strict=True):
        yield ox.Triple(cell, FIRST, term(item))
        yield ox.Triple(cell, REST, rest)


def nothing(wanted: Iterable[str] | None = None) -> Iterator[ox.Triple]:
    """What holds of `game:none`, in any record: each property leads to it again. Checks by SPARQL need these facts.

    `wanted`: only these properties, among them facts that axioms derive; lists have no such fact.
    """
    none, functional = named(NONE), load_schema().functional
    for name in sorted(functional if wanted is None else wanted):
        if ":" in name or name in functional:
            yield ox.Triple(none, _predicate(name), none)
