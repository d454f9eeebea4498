"""Whether things fit descriptions (CR 109.2, 109.5, 115.4)."""

from __future__ import annotations

import pytest

from rulewright.records.facts.fitting import Answer, agreed, every, some

from ..small import CREATURE, INSTANT, Plain, card, cast, event, fact, graph

BEAR = {**CREATURE, "zone": "battlefield", "subtypes": ["Bear"], "keywords": []}
CARDS = [BEAR, card("theirs", owner="#ben", types=["Creature"], supertypes=["Legendary"], zone="battlefield"),
         card("dead", owner="#ben", types=["Creature"], zone="graveyard"),
         card("lost", types=["Creature"])]  # fmt: skip


def fits(kind: str, target: str, *before: Plain, **more: object) -> object:
    bolt = {**INSTANT, "targets": [{"kind": kind, **more}]}
    return fact(graph(*before, cast(targets=[target]), cards=[bolt, *CARDS]), f"{len(before) + 1}/target/1", "fits")


@pytest.mark.parametrize(
    ("kind", "target", "wanted"),
    [
        ("creature you control", "#bear", True), ("creature you control", "#theirs", False),
        ("creature you don't control", "#theirs", True), ("creature an opponent controls", "#bear", False),
        ("creature you own", "#theirs", False), ("opponent", "#ben", True), ("opponent", "#ana", False),
        ("legendary creature", "#theirs", True), ("legendary creature", "#bear", None), ("Bear", "#bear", True),
        ("Goblin", "#bear", False), ("Goblin", "#theirs", None), ("green creature", "#bear", True),
        ("nongreen creature", "#bear", False), ("green creature", "#theirs", None),
        ("colorless creature", "#bear", False),
        ("monocolored creature", "#bear", True), ("multicolored creature", "#bear", False),
        ("creature card in a graveyard", "#dead", True), ("creature card in your graveyard", "#dead", False),
        ("creature card", "#dead", None), ("card in exile", "#dead", False), ("token", "#bear", False),
        ("creature", "#lost", None), ("creature card in a graveyard", "#lost", None), ("player", "#lost", False),
        ("instant or sorcery", "#bear", False), ("permanent card in a graveyard", "#dead", True),
        ("tapped creature", "#bear", None), ("tapped creature", "#dead", False),
    ],
)  # fmt: skip
def test_what_fits(kind: str, target: str, wanted: bool | None) -> None:
    assert fits(kind, target) is wanted


def test_more_that_a_requirement_says() -> None:
    assert fits("creature", "#dead", zone="graveyard") is True
    assert fits("creature", "#bear", zone="graveyard") is False
    assert fits("creature", "#theirs", controller="you") is False
    assert fits("permanent", "#bear", **{"not": ["Creature"]}) is False
    assert fits("permanent", "#bear", **{"not": ["Frobnicated"]}) is None
    assert fits("player", "#ben", controller="opponent") is True


def test_abilities_and_spells() -> None:
    trigger = event("Trigger", object="#t", source="#bear", player="#ana")
    assert fits("triggered ability", "#t", trigger) is True
    assert fits("activated ability", "#t", trigger) is False
    assert fits("spell", "#t", trigger) is False
    assert fits("ability", "#t", trigger, event("Resolve", object="#t")) is False


def test_control_that_changed() -> None:
    assert fits("creature you control", "#theirs", event("ChangeControl", card="#theirs", to="#ana")) is True
    reanimated = event("Move", card="#dead", to="battlefield")
    assert fits("creature you control", "#dead", reanimated) is None, "who put it there is not said (110.2a)"
    assert fits("creature you control", "#dead", {**reanimated, "toPlayer": "#ana"}) is True


def test_three_values() -> None:
    assert [every(values) for values in ((), (True, None), (None, False))] == [True, None, False]
    assert [some(values) for values in ((), (False, None), (None, True))] == [False, None, True]
    assert agreed([Answer(True, True), Answer(True, None)]) == Answer(True, None)
