"""What a record states, as facts, before its first event."""

from __future__ import annotations

import pytest

from rulewright.vocabulary import Iri

from ..small import card, cast, event, fact, graph, listed


def test_what_is_stated_of_the_whole() -> None:
    of_record = graph(cast(), records=["Cast", "Move"], effects=[]).facts[Iri("urn:g")]
    assert (of_record["recordsCount"], of_record["effectsComplete"]) == (2, True)
    bare = graph(cast()).facts[Iri("urn:g")]
    assert (bare["recordsCount"], bare["effectsStated"]) == (0, False)
    assert "effectsComplete" not in bare
    assert "inRecord" not in bare


@pytest.mark.parametrize(
    ("cost", "text", "has_x"),
    [("{1}{R}", "{1}{R}", False), ("{x}{r}", "{R}{X}", True), ("{X}", "{X}", True), (None, "none", False)],
)
def test_what_a_keyword_costs(cost: str | None, text: str, has_x: bool) -> None:
    found = graph(cast(), cards=[card("bolt", keywords=[{"keyword": "kindle", "cost": cost}])])
    assert fact(found, "bolt/keywords/1", "keywordCostText") == text
    assert fact(found, "bolt/keywords/1", "hasX") is has_x


def test_a_keyword_without_a_cost() -> None:
    found = graph(cast(), cards=[card("bolt", keywords=["kindle"])])
    assert fact(found, "bolt/keywords/1", "keywordNamed") == "kw:kindle"
    assert fact(found, "bolt/keywords/1", "keywordCostText") is None


def test_lists_as_one_value() -> None:
    found = graph(event("Observe", card="#bolt", targets=["#ana"], modes=["b", "a"], manaValue=[2]))
    assert fact(found, 1, "modesKey") == listed("a", "b")
    assert fact(found, 1, "targetsKey") == '[{"@id": "urn:g#ana"}]'
    assert fact(found, 1, "targetsCount") == 1


def test_a_member_of_a_set_counts_once() -> None:
    found = graph(event("Observe", card="#bolt", colors=["R", "R"], modes=["a", "a"]))
    assert (fact(found, 1, "colorsKey"), fact(found, 1, "colorsCount")) == (listed("red"), 1)
    assert (fact(found, 1, "modesKey"), fact(found, 1, "modesCount")) == (listed("a", "a"), 2)
