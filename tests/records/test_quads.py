"""The canonical graph as RDF: no blank nodes, nothing lost, and only what is wanted."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from rulewright.records.quads import FIRST, NIL, REST, TYPE, lines, property_iri, term, triples
from rulewright.vocabulary import GAME, NONE, Iri, Scalar

from .small import CREATURE, cast, event, graph

SPELL = cast(targets=["#bear", "#ana", "#bear"], modes=[], x=2, permission='a "b" \\ ü\n', cost="mana cost", turn=1)
GRAPH = graph(SPELL, event("Resolve", object="#s"), cards=[{**CREATURE, "id": "#bolt"}, CREATURE])
E1 = ox.NamedNode("urn:g#1")


def of(name: str) -> set[object]:
    return {t.object for t in triples(GRAPH) if t.subject == E1 and t.predicate.value == GAME + name}


def test_all_nodes_have_their_type_and_iris() -> None:
    found = list(triples(GRAPH))
    assert {t.subject.value for t in found if t.predicate == TYPE} == set(GRAPH.facts)  # type: ignore[union-attr]
    assert not any(isinstance(t.subject, ox.BlankNode) or isinstance(t.object, ox.BlankNode) for t in found)


def test_members_of_a_list_and_the_list_itself() -> None:
    assert of("targeted") == {ox.NamedNode("urn:g#bear"), ox.NamedNode("urn:g#ana")}
    cells = {t.subject: t for t in triples(GRAPH) if t.predicate == FIRST}
    rest = {t.subject: t.object for t in triples(GRAPH) if t.predicate == REST}
    (cell,) = of("targets")
    listed = []
    while cell != NIL:
        listed.append(cells[cell].object)  # type: ignore[index]
        cell = rest[cell]  # type: ignore[index]
    assert [str(m.value)[-4:] for m in listed] == ["bear", "#ana", "bear"]  # type: ignore[union-attr]


def test_an_empty_list_is_there() -> None:
    assert of("modes") == {NIL}
    assert of("mode") == set()
    assert of("modesCount") == {ox.Literal(0)}


def test_only_what_is_wanted() -> None:
    found = list(triples(GRAPH, {"targeted", "x"}))
    assert {t.predicate for t in found} == {TYPE, *(ox.NamedNode(GAME + n) for n in ("targeted", "x"))}


def test_lines_say_the_same() -> None:
    everything = {t.predicate.value.removeprefix(GAME) for t in triples(GRAPH)}
    wanted = dict.fromkeys(set(GRAPH.kinds.values()), everything)
    parsed = {t.triple for t in ox.parse("".join(lines(GRAPH, wanted)), format=ox.RdfFormat.N_TRIPLES)}
    lists = {FIRST, REST, *(ox.NamedNode(GAME + n) for n, v in _facts() if isinstance(v, tuple))}
    assert parsed == {t for t in triples(GRAPH) if t.predicate not in lists}


def _facts() -> list[tuple[str, object]]:
    return [fact for facts in GRAPH.facts.values() for fact in facts.items()]


def test_lines_of_a_kind_have_what_is_wanted_of_it() -> None:
    found = "".join(lines(GRAPH, {"Cast": {"x"}, "Resolve": set()})).splitlines()
    assert [line for line in found if GAME + "x" in line] == [
        f'<urn:g#1> <{GAME}x> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .'
    ]
    assert not any(GAME + "order" in line for line in found)


def test_facts_of_the_stages_are_no_lines() -> None:
    """They are derived anew where they are wanted."""
    again = graph(cast())
    again.facts[Iri("urn:g#1")]["urn:x#a/applies"] = True
    assert not any("applies" in line for line in lines(again, {"Cast": {"urn:x#a/applies"}}))
    assert any(t.predicate.value == "urn:x#a/applies" for t in triples(again))


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (NONE, ox.NamedNode(NONE)), ("urn:x", ox.Literal("urn:x")), (1, ox.Literal(1)), (True, ox.Literal(True)),
        (0, ox.Literal(0)), (False, ox.Literal(False)),
    ],
)  # fmt: skip
def test_a_value(value: Scalar, wanted: object) -> None:
    """1 and true are two values, in whatever order they come."""
    assert term(value) == wanted


def test_names_of_properties() -> None:
    assert (property_iri("from"), property_iri("urn:x#a")) == (GAME + "from", "urn:x#a")
