"""What a source believed: whether a card can be cast, keywords, targets."""

from __future__ import annotations

import pytest

from ..small import CREATURE, Plain, card, event, fact, graph

MAIN: Plain = {"turn": 2, "activePlayer": "#ana", "step": "precombat main"}
OTHERS: Plain = {**MAIN, "activePlayer": "#ben"}
HAND = {**card("bolt"), "zone": "hand", "types": ["Instant"], "keywords": []}


def observed(name: str, *before: Plain, cards: list[Plain], **believed: object) -> object:
    return fact(graph(*before, event("Observe", **believed), cards=cards), len(before) + 1, name)


def test_who_could_cast_a_card_in_hand_is_its_owner() -> None:
    assert observed("player", cards=[HAND], card="#bolt", canCast=True, **MAIN) == "#ana"
    assert observed("player", cards=[{**HAND, "zone": "exile"}], card="#bolt", canCast=True, **MAIN) is None


def test_a_card_is_looked_at_as_the_spell_that_it_would_be() -> None:
    assert observed("spellTypesCount", cards=[HAND], card="#bolt", canCast=True, **MAIN) == 1
    assert observed("spellTypesCount", cards=[HAND], card="#bolt", zone="hand", **MAIN) is None


@pytest.mark.parametrize(("when", "told"), [(MAIN, None), ({**MAIN, "stackEmpty": True}, True), (OTHERS, True)])
def test_the_time_is_told_by_the_stack_or_by_whose_turn_it_is(when: Plain, told: bool | None) -> None:
    assert observed("timingTold", cards=[HAND], card="#bolt", canCast=True, **when) is told


@pytest.mark.parametrize(
    ("stated", "held"),
    [
        ({"keywords": []}, None),
        ({"keywords": [{"keyword": "kindle"}]}, True),
        ({}, None),
    ],
)
def test_a_keyword_that_nobody_knows_is_there_or_not_known(stated: Plain, held: bool | None) -> None:
    bear = {**CREATURE, "zone": "battlefield", **stated}
    assert observed("keywordsHeld", cards=[bear], card="#bear", keywords=["kindle"], **MAIN) is held


@pytest.mark.parametrize(("believed", "held"), [(["#ben"], True), (["#ana"], False), (["#ben", "#ben"], False)])
def test_targets_are_those_that_were_chosen(believed: list[str], held: bool) -> None:
    cast = event("Cast", card="#bolt", object="#s", player="#ana", targets=["#ben"], **MAIN)
    assert observed("targetsHeld", cast, cards=[HAND], object="#s", targets=believed) is held
