"""Which face is up, and what is face down (CR 708, 712)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Graph, Words, canonical, read_structure
from rulewright.vocabulary import KEYWORD, Iri, KeywordIris

from ..small import PLAYERS, Plain, card, cast, event, fact, listed

MASK = Iri(KEYWORD + "mask")
WORDS = Words(KeywordIris({"mask": MASK, "plain": Iri(KEYWORD + "plain")}, {MASK: {"castFaceDown": True}}))
APE = card("ape", manaCost="{4}{G}", types=["Creature"], keywords=["mask"])
WOLF = card("wolf", layout="transform", zone="battlefield", keywords=[], faces=[
    {"name": "Day", "manaCost": "{2}{G}", "types": ["Creature"]},
    {"name": "Night", "manaCost": None, "types": ["Creature"], "colorIndicator": ["R"]}])  # fmt: skip
BY_KEYWORD: Plain = {"alternative": "mask", "mana": "{3}"}


def graph(*events: Plain, cards: list[Plain]) -> Graph:
    numbered = [{"id": f"#{n}", **one} for n, one in enumerate(events, 1)]
    record = {"id": "urn:g", "players": PLAYERS, "cards": cards, "events": numbered}
    return canonical(read_structure(record, "g"), WORDS)


@pytest.mark.parametrize(
    ("of", "down"),
    [
        ({"cost": BY_KEYWORD}, True), ({"cost": "mana cost"}, False), ({"cost": "mana cost", "faceDown": True}, True),
        ({}, None), ({"face": "Ape"}, False), ({"cost": {"alternative": "unheard-of"}}, None),
        ({"cost": {"alternative": "plain"}}, False), ({"cost": "without paying mana cost"}, None),
        ({"cost": "without paying mana cost", "permission": "plain"}, False),
        ({"cost": [BY_KEYWORD, BY_KEYWORD]}, None),
    ],
)  # fmt: skip
def test_whether_a_spell_is_cast_face_down(of: dict[str, Any], down: bool | None) -> None:
    """CR 702.37c, 708.4."""
    assert fact(graph(cast("ape", **of), cards=[APE]), 1, "faceDown") is down


def test_a_card_that_is_never_a_permanent_is_not_cast_face_down() -> None:
    bolt = card("ape", types=["Instant"])
    assert fact(graph(cast("ape"), cards=[bolt]), 1, "faceDown") is False
    assert fact(graph(cast("ape"), cards=[{**APE, "keywords": []}]), 1, "faceDown") is False
    assert fact(graph(cast("ape"), cards=[card("ape", types=["Creature"])]), 1, "faceDown") is None


def names(*events: Plain, cards: list[Plain], of: str = "ape") -> object:
    found = graph(*events, event("Observe", card=f"#{of}"), cards=cards)
    return fact(found, len(events) + 1, "cardNamesKey")


@pytest.mark.parametrize(
    ("of", "move", "wanted"),
    [
        (BY_KEYWORD, {}, listed()), ("mana cost", {}, listed("Ape")), (BY_KEYWORD, {"faceDown": False}, listed("Ape")),
    ],
)  # fmt: skip
def test_a_permanent_enters_as_the_spell_was(of: Any, move: Plain, wanted: str) -> None:
    """CR 708.4."""
    enters = event("Move", card="#ape", **{"from": "stack"}, to="battlefield", **move)
    assert names(cast("ape", cost=of), event("Resolve", object="#s"), enters, cards=[APE]) == wanted


def test_how_others_enter_is_known_if_it_is_said_or_they_are_played() -> None:
    there = {**APE, "zone": "library"}
    enters = event("Move", card="#ape", to="battlefield")
    assert names(enters, cards=[there]) is None
    assert names({**enters, "faceDown": True}, cards=[there]) == listed()
    assert names(event("Play", card="#ape"), cards=[there]) == listed("Ape")


def test_turned_face_down_and_up() -> None:
    """CR 708.2a, 708.8."""
    down, up = event("TurnFaceDown", card="#ape"), event("TurnFaceUp", card="#ape")
    here = {**APE, "zone": "battlefield"}
    assert [names(*turns, cards=[here]) for turns in ((), (down,), (down, up))] == [
        listed("Ape"), listed(), listed("Ape")
    ]  # fmt: skip
    assert names(down, cards=[{**APE, "zone": "hand"}]) == listed("Ape"), "only permanents are turned (708.2a)"


def test_transforming() -> None:
    """CR 712.8d, 712.8e."""
    turn = event("Transform", card="#wolf")
    day = {**WOLF, "face": "Day"}
    assert [names(*[turn] * n, cards=[day], of="wolf") for n in range(3)] == [
        listed("Day"), listed("Night"), listed("Day")
    ]  # fmt: skip
    assert names(turn, cards=[WOLF], of="wolf") is None
    assert names({**turn, "face": "Night"}, cards=[WOLF], of="wolf") == listed("Night")


def test_face_down_it_has_only_the_keyword_that_turns_it_up() -> None:
    """CR 708.2a."""
    here = {**APE, "zone": "battlefield", "faceDown": True, "keywords": ["mask", "plain"]}
    assert fact(graph(event("Observe", card="#ape"), cards=[here]), 1, "keywordsInForce") == ("kw:mask",)
