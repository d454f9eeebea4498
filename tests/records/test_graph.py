"""The canonical graph as data."""

from __future__ import annotations

from rulewright.records import Graph, Record
from rulewright.vocabulary import NONE, Iri

A, B = Iri("urn:g#a"), Iri("urn:g#b")


def small() -> Graph:
    graph = Graph(Record(Iri("urn:g"), "g"))
    graph.add(A, "Card", {"owner": B, "name": "urn:g#b"})
    return graph


def test_what_is_known_of_a_node() -> None:
    graph = small()
    assert graph.value(A, "owner") == B
    assert graph.value(A, "zone") is graph.value(B, "zone") is graph.value(None, "zone") is None
    assert graph.value(NONE, "zone") == NONE, "of none nothing holds, which is known"
    assert graph.value(str(A), "owner") is None, "a text is no node"


def test_added_nodes_replace_and_extended_ones_keep() -> None:
    graph = small()
    graph.extend(A, "Card", {"zone": "hand"})
    assert set(graph.facts[A]) == {"owner", "name", "zone"}
    graph.add(A, "Token", {})
    assert (graph.facts[A], graph.kinds[A]) == ({}, "Token")
    graph.extend(B, "Player", {"turnOrder": 1})
    assert graph.of_kind("Player") == [B]
    assert graph.of_kind("Card") == []
