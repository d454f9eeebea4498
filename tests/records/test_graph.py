"""The canonical graph as data, and names of keywords."""

from __future__ import annotations

import pytest

from rulewright.records import Graph, KeywordNames, Record
from rulewright.vocabulary import KEYWORD, NONE, Iri

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


NAMES = KeywordNames({"kindle": Iri("urn:k"), "Entfachen": Iri("urn:k")})


@pytest.mark.parametrize(
    ("name", "iri"),
    [("kindle", "urn:k"), ("KINDLE", "urn:k"), ("entfachen", "urn:k"), ("Jump-start", KEYWORD + "jump-start")],
)
def test_a_keyword_by_name(name: str, iri: str) -> None:
    assert NAMES.iri(name) == iri


@pytest.mark.parametrize(
    ("label", "iri"),
    [
        ("kindle", "urn:k"), ("Kindle: cast", "urn:k"), (" kindle : a: b", "urn:k"), ("entfachen: x", "urn:k"),
        ("glow: end", "urn:glow"), ("kindled", str(NONE)), ("Some Card", str(NONE)), ("", str(NONE)),
        (": x", str(NONE)),
    ],
)  # fmt: skip
def test_the_keyword_that_a_label_names(label: str, iri: str) -> None:
    assert NAMES.in_label(label, {"glow": Iri("urn:glow")}) == iri
