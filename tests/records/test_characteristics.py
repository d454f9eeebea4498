"""Characteristics of a card as it is stated: by half, or combined (CR 202, 709, 715)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import read_structure
from rulewright.records.characteristics import Characteristics, characteristics
from rulewright.vocabulary import GAME, NONE, Iri

FIRE = {"name": "Fire", "manaCost": "{1}{R}", "types": ["Instant"]}
ICE = {"name": "Ice", "manaCost": "{1}{U}", "types": ["Sorcery"]}
SPLIT: dict[str, Any] = {"layout": "split", "faces": [FIRE, ICE]}


def of(half: tuple[str, ...] | None = None, combined: bool = False, **card: Any) -> Characteristics:
    stated = {"id": "#c", "name": "Example", **card}
    record = read_structure({"id": "urn:g", "cards": [stated], "events": []}, "g")
    return characteristics(record, record.nodes[Iri("urn:g#c")], half, combined)


def colours(found: Characteristics) -> list[str] | None:
    return None if found.colors is None else [c.removeprefix(GAME) for c in found.colors]


def test_no_card_has_none() -> None:
    record = read_structure({"id": "urn:g", "events": []}, "g")
    assert characteristics(record, None, None) == Characteristics()


@pytest.mark.parametrize(
    ("cost", "x", "value"),
    [
        ("{2}{R}", None, 3), ("{0}", None, 0), (None, None, 0), ("{X}{R}", None, None), ("{X}{R}", 0, 1),
        ("{X}{X}{R}", 2, 5), ("{W/U}{2/B}{G/P}", None, 4),
    ],
)  # fmt: skip
def test_mana_value(cost: str | None, x: int | None, value: int | None) -> None:
    """CR 202.3: a hybrid symbol counts its largest part, a Phyrexian one 1; no mana cost has 0."""
    assert of(manaCost=cost).mana_value(x) == value


def test_a_mana_cost_that_is_not_recorded_is_not_none() -> None:
    assert of().mana_value(0) is None
    assert of(manaCost=None).mana_cost == NONE


@pytest.mark.parametrize(
    ("card", "wanted"),
    [
        ({"manaCost": "{2}{R}{G}"}, ["green", "red"]),
        ({"manaCost": "{2}"}, []),
        ({"manaCost": "{W/U}"}, ["blue", "white"]),
        ({"manaCost": None, "colorIndicator": ["B"]}, ["black"]),
        ({"manaCost": None, "types": ["Land"]}, []),
        ({"manaCost": None, "types": ["Creature"]}, None),
        ({"manaCost": "{R}", "colors": ["U"]}, ["blue"]),
        ({}, None),
    ],
)
def test_colours(card: dict[str, Any], wanted: list[str] | None) -> None:
    """CR 105.2, 202.2: by the mana cost and the colour indicator, unless the record says otherwise."""
    assert colours(of(**card)) == wanted


def test_a_split_card_off_the_stack_has_both_halves_together() -> None:
    """CR 709.4."""
    found = of(combined=True, **SPLIT)
    assert (found.names, found.types) == (("Fire", "Ice"), ("Instant", "Sorcery"))
    assert (found.mana_cost, found.mana_value(0), found.halves) == ("{1}{R}{1}{U}", 4, (2, 2))
    assert colours(found) == ["blue", "red"]


@pytest.mark.parametrize("unknown", ["manaCost", "types"])
def test_of_a_half_that_is_not_known_the_whole_is_not(unknown: str) -> None:
    half = {k: v for k, v in ICE.items() if k != unknown}
    found = of(combined=True, layout="split", faces=[FIRE, half])
    told = {"manaCost": found.mana_cost, "types": found.types}
    assert {name for name, value in told.items() if value is None} == {unknown}
    assert (found.mana_value(0), found.halves) == ((None, None) if unknown == "manaCost" else (4, (2, 2)))


def test_the_half_that_is_cast() -> None:
    """CR 709.3b."""
    found = of(("Ice",), **SPLIT)
    assert (found.names, found.types, found.mana_cost) == (("Ice",), ("Sorcery",), "{1}{U}")
    assert of(("Nothing",), **SPLIT) == Characteristics()
    assert of(None, **SPLIT) == Characteristics(), "it is not known which half"


@pytest.mark.parametrize("layout", ["adventure", "modal", "transform"])
def test_off_the_stack_other_cards_have_their_first_face(layout: str) -> None:
    """CR 712.8a, 715.4."""
    assert of(combined=True, layout=layout, faces=[FIRE, ICE]).names == ("Fire",)


def test_as_facts() -> None:
    found = of(manaCost="{1}{R}", types=["Instant"]).facts(None)
    assert (found["ManaValue"], found["Names"]) == (2, ("Example",))
    assert of().facts(None) == {"Names": ("Example",)}
