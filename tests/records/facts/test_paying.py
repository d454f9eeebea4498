"""As whose cost something is paid (CR 118.8, 601.2b), and what is done with the cards that pay (601.2h)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Graph, Words, canonical, read_structure
from rulewright.vocabulary import AX, GAME, KEYWORD, Iri, KeywordIris, Scalar

from ..small import INSTANT, PLAYERS, WORDS, Plain, card, cast, event, fact

TRAITS: dict[str, dict[str, Scalar]] = {
    "stoke": {"costRole": Iri(AX + "additionalCost")},
    "rekindle": {"costRole": Iri(AX + "repeatableCost"), "variantOf": Iri(KEYWORD + "stoke")},
    "quench": {"costRole": Iri(AX + "wayOfPaying"), "paidBy": Iri(GAME + "tapping")},
    "burn": {"costRole": Iri(AX + "additionalAction"), "paidBy": Iri(GAME + "sacrificing")},
    "graft on": {"costRole": Iri(AX + "costOfAnotherCard"), "paidBy": Iri(GAME + "revealing")},
    "smother": {"costRole": Iri(AX + "alternativeCost"), "castFor": "{3}"},
    "flare": {"costRole": Iri(AX + "alternativeCost")},
}
IRIS = {name: Iri(KEYWORD + name.replace(" ", "-")) for name in TRAITS}
NAMES = Words(KeywordIris(IRIS, {IRIS[name]: traits for name, traits in TRAITS.items()}), WORDS)
THING = card("thing", zone="battlefield", types=["Artifact"], keywords=[], counters=[{"counter": "charge", "n": 3}])


def paid(*costs: Plain, keywords: Any = (), more: tuple[Plain, ...] = (), cards: tuple[Plain, ...] = (),
         **of_cast: Any) -> Graph:
    spell = {**INSTANT, "keywords": list(keywords)} if keywords is not None else INSTANT
    events = [cast(additionalCosts=list(costs), cost=of_cast.pop("cost", "mana cost"), **of_cast), *more]
    listed = [{"id": f"#{n}", **one} for n, one in enumerate(events, 1)]
    record = {"id": "urn:g", "players": PLAYERS, "effects": [], "cards": [spell, THING, *cards], "events": listed}
    return canonical(read_structure(record, "g"), NAMES)


def of_payment(found: Graph, *names: str, n: int = 1) -> tuple[Any, ...]:
    return tuple(fact(found, f"1/additionalCosts/{n}", name) for name in names)


STOKE, AGAIN = {"keyword": "stoke", "cost": "{1}{W/U}"}, {"keyword": "rekindle", "cost": "{R}"}


@pytest.mark.parametrize(
    ("payment", "keywords", "held", "paid_key", "asked"),
    [
        ({"kind": "stoke", "mana": "{1}{W}"}, [STOKE], True, "{1}{W/U}", "{1}{W/U}"),
        ({"kind": "Stoke"}, [STOKE], True, None, "{1}{W/U}"),
        ({"kind": "stoke", "mana": "{1}{G}"}, [STOKE], True, "{1}{G}", "{1}{W/U}"),
        ({"kind": "stoke", "mana": "{1}"}, ["stoke"], True, "{1}", None),
        ({"kind": "stoke", "mana": "{1}"}, [], False, None, None),
        ({"kind": "stoke", "mana": "{1}"}, None, None, None, None),
        ({"kind": "quench"}, ["quench"], True, None, None),
        ({"kind": "something", "mana": "{1}"}, ["something"], None, None, None),
        ({"kind": "rekindle", "n": 3}, [AGAIN], True, None, "{R}{R}{R}"),
        ({"kind": "rekindle", "n": 2, "mana": "{R}"}, [AGAIN], True, "{R}{R}", "{R}{R}"),
        ({"kind": "stoke", "mana": "{R}"}, [AGAIN], True, "{R}", "{R}"),
    ],
)  # fmt: skip
def test_what_a_keyword_asks_for_and_what_is_paid(
    payment: Plain, keywords: Any, held: bool | None, paid_key: str | None, asked: str | None
) -> None:
    found = paid(payment, keywords=keywords)
    assert of_payment(found, "paymentHeld", "manaPaidKey", "manaAskedKey") == (held, paid_key, asked)


def test_a_cost_is_paid_once_for_each_ability_that_asks_for_it() -> None:
    twice = ({"kind": "stoke"}, {"kind": "stoke"})
    assert of_payment(paid(*twice, keywords=[STOKE]), "paidTooOften", n=2) == (True,)
    assert of_payment(paid(*twice, keywords=[STOKE, STOKE]), "paidTooOften", n=2) == (False,)
    assert of_payment(paid(*twice, keywords=None), "paidTooOften", n=2) == (None,)
    assert of_payment(paid({"kind": "stoke", "n": 2}, keywords=[STOKE]), "paidTooOften") == (True,)
    again = paid({"kind": "rekindle"}, {"kind": "rekindle"}, keywords=[AGAIN])
    assert of_payment(again, "paidTooOften", n=2) == (False,)


def test_a_cost_may_stand_on_another_card() -> None:
    other = card("other", zone="hand", keywords=[{"keyword": "graft on", "cost": "{R}"}])
    plain = card("plain", zone="hand", keywords=[])
    found = paid({"kind": "graft on", "card": "#other"}, {"kind": "graft on", "card": "#plain"}, {"kind": "graft on"},
                 cards=(other, plain))
    assert [of_payment(found, "paymentHeld", n=n)[0] for n in (1, 2, 3)] == [True, False, None]
    assert of_payment(found, "manaAskedKey") == ("{R}",)


@pytest.mark.parametrize(
    ("payment", "keywords", "zone"),
    [
        ({"kind": "exile"}, [], "exile"), ({"kind": "discard"}, [], "graveyard"), ({"kind": "return"}, [], "hand"),
        ({"kind": "Millen"}, [], "graveyard"), ({"kind": "tap"}, [], "battlefield"),
        ({"kind": "life"}, [], "battlefield"), ({"kind": "reveal"}, [], "battlefield"),
        ({"kind": "burn"}, ["burn"], "graveyard"),
        ({"kind": "quench"}, ["quench"], "battlefield"), ({"kind": "stoke"}, ["stoke"], None),
        ({"kind": "stoke"}, [{"keyword": "stoke", "costKind": {"kind": "sacrifice"}}], "graveyard"),
        ({"kind": "something"}, [], None), ({}, [], None),
    ],
)  # fmt: skip
def test_where_a_card_is_that_paid(payment: Plain, keywords: list[Any], zone: str | None) -> None:
    for name in ("card", "cards"):
        given = {**payment, name: "#thing" if name == "card" else ["#thing"]}
        found = paid(given, keywords=keywords, more=(event("Observe", card="#thing"),))
        assert fact(found, 2, "zoneBefore") == zone


@pytest.mark.parametrize(
    ("payment", "left"),
    [({"counter": "charge", "n": 2}, ("#charge",)), ({"counter": "charge", "n": 3}, ()), ({"counter": "charge"}, None)],
)
def test_counters_removed_to_pay(payment: Plain, left: tuple[str, ...] | None) -> None:
    costs = {"kind": "remove counters", "card": "#thing", **payment}
    assert fact(paid(costs, more=(event("Observe", card="#thing"),)), 2, "countersOn") == left


def test_a_card_that_is_said_to_move_moves_once() -> None:
    move = event("Move", card="#thing", to="hand", **{"from": "battlefield", "cause": "#1"})
    found = paid({"kind": "return", "card": "#thing"}, more=(move,))
    assert fact(found, 2, "zoneBefore") == "battlefield"


@pytest.mark.parametrize(
    ("cost", "keywords", "held", "asked"),
    [
        ({"alternative": "flare", "mana": "{R}"}, [{"keyword": "flare", "cost": "{R}"}], True, "{R}"),
        ({"alternative": "flare", "mana": "{W}"}, [{"keyword": "flare", "cost": "{W/U}"}], True, "{W/U}"),
        ({"alternative": "flare", "mana": "{R}"}, [], False, None),
        ({"alternative": "flare", "mana": "{R}"}, None, None, None),
        ({"alternative": "smother"}, [{"keyword": "smother", "cost": "{R}"}], True, "{3}"),
        ({"alternative": "stoke"}, [STOKE], False, None),
        ({"alternative": "something"}, ["something"], None, None),
    ],
)
def test_the_keyword_of_an_alternative_cost(cost: Plain, keywords: Any, held: bool | None, asked: str | None) -> None:
    found = paid(cost=cost, keywords=keywords)
    assert (fact(found, 1, "alternativeHeld"), fact(found, 1, "alternativeAskedText")) == (held, asked)


ENGINE = card("engine", zone="battlefield", types=["Artifact"], keywords=[{"keyword": "vent", "cost": "{1}"}, "stoke"],
              abilities=[{"ability": "hum", "cost": "{R}"}, {"ability": "roar", "cost": "{X}"}])  # fmt: skip


def activated(ability: str | None, paid: str | None, effects: Any = (), **of_card: Any) -> tuple[Any, ...]:
    said = {"ability": ability, "paid": paid}
    stated = {key: value for key, value in said.items() if value}
    event_ = {"id": "#1", "type": "Activate", "source": "#engine", "object": "#a", **stated}
    record = {"id": "urn:g", "players": PLAYERS, "cards": [{**ENGINE, **of_card}], "effects": list(effects),
              "events": [event_]}  # fmt: skip
    found = canonical(read_structure(record, "g"), NAMES)
    return fact(found, 1, "abilityCost"), fact(found, 1, "abilityPaid")


@pytest.mark.parametrize(
    ("ability", "paid", "known"),
    [
        ("hum", "{R}", ("{R}", True)),
        ("HUM", "{G}", ("{R}", False)),
        ("hum", "{1}", ("{R}", None)),
        ("hum", "{X}", ("{R}", None)),
        ("hum", None, ("{R}", None)),
        ("vent", "{G}", ("{1}", True)),
        ("vent", "{G}{G}", ("{1}", False)),
        ("roar", "{3}", (None, None)),
        ("stoke", "{3}", (None, None)),
        ("purr", "{3}", (None, None)),
        (None, "{3}", (None, None)),
    ],
)
def test_what_activating_an_ability_costs(ability: str | None, paid: str | None, known: tuple[Any, ...]) -> None:
    assert activated(ability, paid) == known


def test_an_effect_may_change_what_an_ability_costs() -> None:
    assert activated("hum", "{G}", [{"id": "#x", "increases": "{1}"}]) == ("{R}", None)
    assert activated("hum", "{G}", [{"id": "#x", "label": "something"}]) == ("{R}", None)
    assert activated("hum", "{G}", [{"id": "#x", "forbids": "Cast"}]) == ("{R}", False)


def test_two_costs_of_one_name_are_not_told_apart() -> None:
    both = [{"ability": "hum", "cost": cost} for cost in ("{R}", "{G}")]
    assert activated("hum", "{W}", abilities=both) == (None, None)


def test_what_pays_the_total_adds_nothing_to_it() -> None:
    found = paid({"kind": "quench", "mana": "{2}"}, keywords=["quench"], totalCost="{1}{R}")
    assert fact(found, 1, "costTotal") == fact(found, 1, "totalCostKey")
