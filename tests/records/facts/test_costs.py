"""Costs (CR 118, 601.2b, 601.2f-h)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Graph

from ..small import CREATURE, INSTANT, Plain, card, cast, event, fact, graph

GIFT = {**INSTANT, "keywords": [{"keyword": "kindle", "cost": "{2}"}]}


def paid(*kinds: str, **more: Any) -> Graph:
    return graph(cast(additionalCosts=[{"kind": kind} for kind in kinds], **more), cards=[GIFT])


def test_kinds_of_additional_costs_are_counted_and_repetitions_are_marked() -> None:
    found = paid("kindle", "discard", "kindle", "discard")
    assert fact(found, 1, "paidKeywords") == ("kw:kindle",)
    assert fact(found, 1, "paymentKindsKey") == '{"discard": 1, "kindle": 2}'
    assert [fact(found, f"1/additionalCosts/{n}", "repeated") for n in (1, 2, 3)] == [False, False, True]


def test_kinds_that_are_not_known_are_not_compared() -> None:
    """Such a word may be a way to pay the total cost, which is no additional cost (CR 702.51b)."""
    assert fact(paid("kindle", "ash"), 1, "paymentKindsKey") is None


def test_no_additional_costs_and_none_stated() -> None:
    assert fact(paid(), 1, "paidKeywordsCount") == 0
    assert fact(graph(cast()), 1, "paidKeywordsCount") is None


@pytest.mark.parametrize(
    ("opponents", "chosen"), [([], "none"), (["#ben"], "#ben"), (["#ben", "#ben"], "#ben"), (["#ben", "#ana"], None)]
)
def test_the_opponent_chosen(opponents: list[str], chosen: str | None) -> None:
    costs = [{"kind": "gift", "opponent": o} for o in opponents]
    assert fact(graph(cast(additionalCosts=costs)), 1, "chosenOpponent") == chosen


@pytest.mark.parametrize(
    ("cost", "free", "alternatives", "keyword"),
    [
        ("mana cost", False, 0, "none"),
        ("without paying mana cost", True, 1, "none"),
        ({"alternative": "kindle"}, False, 1, "kw:kindle"),
        ({"alternative": "Kindle: again"}, False, 1, "kw:kindle"),
        ({"alternative": "something"}, False, 1, None),
        ([{"alternative": "kindle"}, "without paying mana cost"], True, 2, "kw:kindle"),
        (["mana cost"], False, 0, "none"),
    ],
)
def test_which_cost_is_chosen(cost: Any, free: bool, alternatives: int, keyword: str | None) -> None:
    """CR 118.9a: a spell takes no second alternative cost; a record may claim one."""
    found = graph(cast(cost=cost), cards=[GIFT])
    names = ("free", "alternativeBases", "alternativeKeyword")
    assert tuple(fact(found, 1, name) for name in names) == (free, alternatives, keyword)


def test_a_keywords_cost_is_that_of_its_instances_where_they_agree() -> None:
    def basis(*costs: str) -> object:
        instances = [{"keyword": "kindle", "cost": c} for c in costs]
        cards = [{**INSTANT, "keywords": instances}]
        return fact(graph(cast(cost={"alternative": "kindle"}), cards=cards), 1, "basisManaText")

    assert basis("{2}") == basis("{2}", "{2}") == "{2}"
    assert basis("{2}", "{3}") is None


@pytest.mark.parametrize(
    ("costs", "is_paid"),
    [
        (None, None),
        ([], False),
        ([{"kind": "sacrifice"}], False),
        ([{"kind": "something"}], None),
        ([{"kind": "discard", "card": "#a"}, {"kind": "something"}], None),
        ([{"kind": "discard"}], True),
        ([{"kind": "discard", "cards": ["#a"]}], False),
        ([{"kind": "discard", "cards": ["#a", "#a"]}], False),
        ([{"kind": "discard", "cards": ["#a", "#b"]}], True),
        ([{"kind": "discard", "cards": ["#a"]}, {"kind": "discard", "cards": ["#b"]}], True),
    ],
)
def test_a_mandatory_cost_of_two_cards(costs: list[Plain] | None, is_paid: bool | None) -> None:
    cards = [{**INSTANT, "additionalCosts": [{"kind": "discard", "n": 2}]}, card("a"), card("b")]
    more: Plain = {} if costs is None else {"additionalCosts": costs}
    assert fact(graph(cast(**more), cards=cards), "1/required/1", "isPaid") is is_paid


def test_cards_exiled_to_pay_are_in_the_zone_in_which_they_are_as_costs_are_paid() -> None:
    """CR 601.2a: the card itself is on the stack by then; 601.2h: costs are paid in any order."""
    alternative = {"alternative": "kindle", "exile": ["#a", "#bolt", "#b"]}
    costs = [{"kind": "discard", "cards": ["#b"]}]
    found = graph(
        cast(cost=alternative, additionalCosts=costs),
        cards=[GIFT, card("a", zone="graveyard"), card("b", zone="hand", keywords=[])], effects=[],
    )
    entries = [f"1/exiled/{n}" for n in (1, 2, 3)]
    assert [fact(found, e, "zone") for e in entries] == ["graveyard", "stack", "graveyard"]
    assert [fact(found, e, "discardedForCost") for e in entries] == [False, False, True]
    assert fact(found, 1, "exiledEntriesCount") == 3


def test_a_card_that_pays_has_left_its_zone() -> None:
    costs = [{"kind": "sacrifice", "cards": ["#bear"]}]
    found = graph(cast(additionalCosts=costs), event("Observe", card="#bear"),
                  cards=[INSTANT, {**CREATURE, "zone": "battlefield", "keywords": []}], effects=[])  # fmt: skip
    assert (fact(found, 2, "zoneBefore"), fact(found, 2, "arrivedBy")) == ("graveyard", "#1")
