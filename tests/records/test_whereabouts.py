"""Where things are after each event: what the state of the canonical graph says, and nothing that it does not."""

from __future__ import annotations

import json
from pathlib import Path

from rulewright.axioms import packaged_knowledge
from rulewright.records import Place, Record, Words, canonical, read, whereabouts
from rulewright.vocabulary import GAME, NONE, Iri

SCENARIOS = Path(__file__).parents[2] / "data" / "scenarios"


def followed(name: str) -> tuple[Record, Words]:
    knowledge = packaged_knowledge()
    (record,) = read([str(SCENARIOS / f"{name}.json")], knowledge.parameters())
    assert isinstance(record, Record)
    return record, knowledge.record_words()


def test_changes_stand_at_their_events_and_the_graph_is_the_canonical_one() -> None:
    record, names = followed("rebound/cast-from-hand-goes-to-graveyard")
    found = whereabouts(record, names)
    assert len(found.changes) == len(record.children("events")) + 1
    spell, ana = Iri(record.id + "#spell"), Iri(record.id + "#ana")
    zones = {0: "hand", 1: "stack", 5: "graveyard"}
    places = {n: change[spell] for n, change in enumerate(found.changes) if spell in change}
    assert places == {n: Place(Iri(GAME + zone), ana) for n, zone in zones.items()}
    assert found.graph.facts == canonical(record, names).facts


def test_an_ability_is_gone_once_it_has_resolved() -> None:
    record, names = followed("rebound/three-spells-one-trigger-missing")
    found = whereabouts(record, names)
    abilities = [i for i, kind in found.graph.kinds.items() if kind == "Ability"]
    for ability in abilities:
        zones = [change[ability].zone for change in found.changes if ability in change]
        assert zones == [Iri(GAME + "stack"), NONE]


def test_a_permanent_that_was_a_copy_is_known_as_the_copy() -> None:
    record, names = followed("gift/copied-permanent-spell-loses-the-promise")
    stated = json.loads((SCENARIOS / "gift" / "copied-permanent-spell-loses-the-promise.json").read_text())
    moves = {m["newObject"]: m["card"] for m in stated["events"] if "newObject" in m}
    assert whereabouts(record, names).became == {record.id + new: record.id + old for new, old in moves.items()}
