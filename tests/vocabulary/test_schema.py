"""The record's schema, as it is read from the ontology."""

from __future__ import annotations

import pytest

from rulewright.vocabulary import GAME, EventType, Iri, Property, load_schema

SCHEMA = load_schema()


def test_a_key_means_what_its_structure_says() -> None:
    """`to` is a zone where a card moves, and a player where control changes."""
    of = SCHEMA.structures
    assert of["Move"]["to"].kind == "Zone"
    assert of["ChangeControl"]["to"].kind == "Player"
    assert of["Move"]["to"].name != of["ChangeControl"]["to"].name


@pytest.mark.parametrize("name", ["turn", "activePlayer", "step", "player", "cause", "during"])
def test_every_event_may_have(name: str) -> None:
    assert all(name in SCHEMA.structures[kind] for kind in SCHEMA.event_types)


def test_what_a_type_of_event_implies() -> None:
    assert SCHEMA.event_types["Cast"] == EventType(
        "Cast", action=True, creates="Spell", moves="card", leaves="from", arrives="stack", about=frozenset({"card"}),
    )
    assert SCHEMA.event_types["Resolve"].ends_object
    assert not SCHEMA.event_types["Observe"].action


def test_words_of_the_record() -> None:
    assert SCHEMA.words["Zone"]["graveyard"] == Iri(GAME + "graveyard")
    assert SCHEMA.word_of[GAME + "precombatMain"] == "precombat main"
    assert set(SCHEMA.words["Colour"]) == set("WUBRG")


def test_steps_come_in_the_order_of_a_turn() -> None:
    """CR 500.1."""
    steps = sorted(SCHEMA.step_position, key=SCHEMA.step_position.__getitem__)
    assert [SCHEMA.word_of[s] for s in steps] == [
        "untap", "upkeep", "draw", "precombat main", "beginning of combat", "declare attackers", "declare blockers",
        "combat damage", "end of combat", "postcombat main", "end", "cleanup",
    ]  # fmt: skip


def test_public_zones() -> None:
    """CR 400.2."""
    assert {z.removeprefix(GAME) for z in SCHEMA.public_zones} == {
        "graveyard", "battlefield", "stack", "exile", "command",
    }  # fmt: skip


def test_a_list_has_members_and_a_length() -> None:
    assert SCHEMA.properties["targets"] == Property("targets", "targets", "Thing", member="targeted")
    assert SCHEMA.properties["targets"].count == SCHEMA.members["targeted"] == "targetsCount"
    assert SCHEMA.members["keywordInForce"] == "keywordsInForceCount"


def test_a_property_has_one_value_or_is_a_list_or_is_of_members() -> None:
    assert not SCHEMA.functional & (SCHEMA.lists | set(SCHEMA.members))
    assert set(SCHEMA.members.values()) <= SCHEMA.functional


def test_people_are_told_what_is_stated_or_rests_on_a_rule() -> None:
    assert {"from", "targets", "zoneBefore", "keywordInForce"} <= SCHEMA.told
    assert not {"inRecord", "order", "turnNode", "keywordsInForceCount"} & SCHEMA.told


def test_what_the_rules_no_longer_know() -> None:
    assert SCHEMA.valid_until["halvesManaValueKey"] == 20170428
