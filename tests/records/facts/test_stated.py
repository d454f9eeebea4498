"""What a record states, as facts, before its first event."""

from __future__ import annotations

import pytest

from rulewright.vocabulary import Iri

from ..small import card, cast, event, fact, graph


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


def test_lists_of_things_have_no_spelling_of_their_own() -> None:
    """A set of cards is compared member by member; words and numbers can be compared as one value."""
    found = graph(event("Observe", card="#bolt", targets=["#ana"], modes=["b", "a"], manaValue=[2]))
    assert fact(found, 1, "modesKey") == "a | b"
    assert fact(found, 1, "targetsKey") is None
    assert fact(found, 1, "targetsCount") == 1
