"""Characteristics of a card as it is stated: by half, or combined (CR 202, 709, 715)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Words, read_structure
from rulewright.records.characteristics import AS_CARD, AS_SPELL, FACE_DOWN, Characteristics, View, characteristics
from rulewright.vocabulary import GAME, KEYWORD, NONE, Iri, KeywordIris, Scalar

FIRE = {"name": "Fire", "manaCost": "{1}{R}", "types": ["Instant"]}
ICE = {"name": "Ice", "manaCost": "{1}{U}", "types": ["Sorcery"]}
ICE_CAST = View("spell", ("Ice",))
MARKED = Iri(KEYWORD + "marked")
SPLIT: dict[str, Any] = {"layout": "split", "faces": [FIRE, ICE]}


def of(view: View = AS_SPELL, traits: dict[str, Scalar] | None = None, **card: Any) -> Characteristics:
    """Of a card whose keywords are listed; `traits`: what its keyword “marked”, the only one that is known, defines."""
    stated = {"id": "#c", "name": "Example", "keywords": [], **card}
    record = read_structure({"id": "urn:g", "cards": [stated], "events": []}, "g")
    names = Words(KeywordIris({"marked": MARKED}, {MARKED: traits or {}}))
    return characteristics(record, record.nodes[Iri("urn:g#c")], view, names)


def colours(found: Characteristics) -> list[str] | None:
    return None if found.colors is None else [c.removeprefix(GAME) for c in found.colors]


def test_no_card_has_none() -> None:
    record = read_structure({"id": "urn:g", "events": []}, "g")
    assert characteristics(record, None, AS_CARD) == Characteristics()


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
    found = of(AS_CARD, **SPLIT)
    assert (found.names, found.types) == (("Fire", "Ice"), ("Instant", "Sorcery"))
    assert (found.mana_cost, found.mana_value(0), found.halves) == ("{1}{R}{1}{U}", 4, (2, 2))
    assert colours(found) == ["blue", "red"]


@pytest.mark.parametrize("unknown", ["manaCost", "types"])
def test_of_a_half_that_is_not_known_the_whole_is_not(unknown: str) -> None:
    half = {k: v for k, v in ICE.items() if k != unknown}
    found = of(AS_CARD, layout="split", faces=[FIRE, half])
    told = {"manaCost": found.mana_cost, "types": found.types}
    assert {name for name, value in told.items() if value is None} == {unknown}
    assert (found.mana_value(0), found.halves) == ((None, None) if unknown == "manaCost" else (4, (2, 2)))


def test_the_half_that_is_cast() -> None:
    """CR 709.3b."""
    found = of(ICE_CAST, **SPLIT)
    assert (found.names, found.types, found.mana_cost) == (("Ice",), ("Sorcery",), "{1}{U}")
    assert of(View("spell", ("Nothing",)), **SPLIT) == Characteristics()
    assert of(**SPLIT).names is of(**SPLIT).types is None, "it is not known which half"


@pytest.mark.parametrize("layout", ["adventure", "modal", "transform"])
def test_off_the_stack_other_cards_have_their_first_face(layout: str) -> None:
    """CR 712.8a, 715.4."""
    assert of(AS_CARD, layout=layout, faces=[FIRE, ICE]).names == ("Fire",)


DAY = {"name": "Day", "manaCost": "{2}{G}", "types": ["Creature"]}
NIGHT = {"name": "Night", "manaCost": None, "types": ["Creature"], "colorIndicator": ["R"]}
TWO_FACED: dict[str, Any] = {"layout": "transform", "faces": [DAY, NIGHT]}


def test_a_back_face_has_the_mana_value_of_the_front() -> None:
    """CR 202.3b, 712.8e: and a copy of it has 0; a modal double-faced card's faces have their own (712.8f)."""
    back = View("permanent", ("Night",))
    found = of(back, **TWO_FACED)
    assert (found.names, found.mana_cost, found.mana_value(0), colours(found)) == (("Night",), NONE, 3, ["red"])
    assert of(back._replace(copied=True), **TWO_FACED).mana_value(0) == 0
    assert of(back, **{**TWO_FACED, "layout": "modal"}).mana_value(0) == 0


def test_a_permanent_whose_face_is_not_known_has_what_the_faces_share() -> None:
    found = of(View("permanent"), **TWO_FACED)
    assert (found.names, found.types, found.mana_value(0), found.colors) == (None, ("Creature",), 3, None)


def test_face_down_nothing_of_the_card_counts() -> None:
    """CR 708.2a: where it is not known whether it is, only what holds either way."""
    down = View("permanent", face_down=True)
    assert of(down, manaCost="{2}{R}", types=["Artifact"]) == FACE_DOWN
    assert (FACE_DOWN.mana_value(None), FACE_DOWN.names, FACE_DOWN.colors) == (0, (), ())
    either = of(down._replace(face_down=None), manaCost="{2}{R}", types=["Creature"])
    assert (either.types, either.names, either.colors, either.mana_value(0)) == (("Creature",), None, None, None)


def test_an_adventurer_card_is_its_normal_self_but_as_an_adventure() -> None:
    """CR 715.3b, 715.4: whatever the record calls the card as a whole."""
    card: dict[str, Any] = {"name": "Fire // Ice", "layout": "adventure", "faces": [FIRE, ICE]}
    assert of(AS_CARD, **card).names == of(View("permanent"), **card).names == ("Fire",)
    assert of(ICE_CAST, **card).names == ("Ice",)


def test_keywords_define_characteristics() -> None:
    """CR 604.3, 702.73a, 702.114a: unless they are all known, one may do so."""
    red: dict[str, Any] = {"manaCost": "{R}", "keywords": ["marked"]}
    assert colours(of(traits={"colourless": True}, **red)) == []
    assert colours(of(**red)) == ["red"]
    assert colours(of(**{**red, "keywords": ["unheard-of"]})) is None
    creature = Iri("urn:creature")
    assert of(traits={"everySubtypeOf": creature}, **red).every_subtype_of == {creature}
    assert of(**red).every_subtype_of == frozenset()


def test_as_facts() -> None:
    found = of(manaCost="{1}{R}", types=["Instant"]).facts(None)
    assert (found["ManaValue"], found["Names"]) == (2, ("Example",))
    assert of().facts(None) == {"Names": ("Example",)}
