"""What is known at one point of a record."""

from __future__ import annotations

from rulewright.records import Words, read_structure
from rulewright.records.facts.places import zone_of
from rulewright.records.facts.state import GameObject, State
from rulewright.records.facts.stated import begin
from rulewright.vocabulary import GAME, NEWEST, NONE, Iri

from ..small import INSTANT, PLAYERS, cast

SPELL, BOLT = Iri("urn:g#s"), Iri("urn:g#bolt")


def state(**more: object) -> State:
    record = {"id": "urn:g", "players": PLAYERS, "cards": [{**INSTANT, "zone": "hand"}], "events": [cast()], **more}
    return begin(read_structure(record, "g"), Words({}))


def test_where_an_object_is() -> None:
    """CR 400.1; a copy or ability that has left the stack has ceased to exist."""
    found = state()
    spell, copy = GameObject(SPELL, "Spell", BOLT), GameObject(Iri("urn:g#c"), "Spell", root=SPELL, copy=True)
    found.created[copy.iri] = found.events[0].iri
    found.objects = {o.iri: o for o in (spell, copy)}
    assert [zone_of(found, thing) for thing in (BOLT, SPELL, copy.iri)] == [
        GAME + "hand", GAME + "stack", GAME + "stack",
    ]  # fmt: skip
    spell.on_stack = copy.on_stack = False
    assert (zone_of(found, SPELL), zone_of(found, copy.iri)) == (GAME + "hand", NONE)
    assert zone_of(found, Iri("urn:g#unknown")) is None


def test_whether_a_spell_resolved() -> None:
    assert state().resolved(SPELL) is None
    assert state(records=["Resolve"]).resolved(SPELL) is False
    ended = state()
    ended.ended[SPELL] = "Resolve"
    assert ended.resolved(SPELL) is True
    ended.ended[SPELL] = "Countered"
    assert ended.resolved(SPELL) is False


def test_the_day_and_the_effects() -> None:
    assert (state().day, state(date="2020-02-29").day) == (NEWEST, 20200229)
    assert (state().effects_stated, state(effects=[]).effects_stated) == (False, True)


def test_the_original_of_a_copy_is_known_if_it_is_recorded() -> None:
    found = state()
    spell, copy = GameObject(SPELL, "Spell", BOLT), GameObject(Iri("urn:g#c"), "Spell", root=SPELL)
    found.objects[copy.iri] = copy
    assert found.original(copy.iri) is None
    found.objects[SPELL] = spell
    assert found.original(copy.iri) is spell
    assert found.original(SPELL) is found.original(None) is None
