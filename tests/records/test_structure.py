"""Records from plain data: strict, and each problem with its place and its mend."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Problem, Record, RecordError, read_structure
from rulewright.vocabulary import GAME, NONE, Iri

from .small import INSTANT, PLAYERS, Plain, cast

BASE: Plain = {"id": "urn:g", "players": PLAYERS, "cards": [INSTANT], "events": []}


def read(*events: Plain, **more: Any) -> Record:
    return read_structure({**BASE, "events": list(events), **more}, "g.json")


def problems(data: Any) -> list[Problem]:
    with pytest.raises(RecordError) as error:
        read_structure(data, "g.json", 3)
    return error.value.problems


EVENT = {"type": "Draw"}


def of_card(**more: Any) -> Plain:
    return {"cards": [{**INSTANT, **more}]}


# place, what is said, and what is changed in a record
MALFORMED: list[tuple[str, str, Plain]] = [
    ("id", "'x' is not an IRI: write one such as urn:example:game:1", {"id": "x"}),
    ("id", "5 is not an IRI", {"id": 5}),
    ("type", "'Match' is not 'Game'", {"type": "Match"}),
    ("date", "'2020-02-30' is no date: write YYYY-MM-DD", {"date": "2020-02-30"}),
    ("date", "20200101 is no date", {"date": 20200101}),
    ("date", "null says nothing: leave the property out", {"date": None}),
    ("records", "'Cast' is not a list", {"records": "Cast"}),
    ("records[0]", "'Casts' is no event type: use one of", {"records": ["Casts"]}),
    ("players[0].turnOrder", "'1' is not an integer", {"players": [{"id": "#ana", "turnOrder": "1"}]}),
    ("players[0].turnOrder", "True is not an integer", {"players": [{"id": "#ana", "turnOrder": True}]}),
    ("players[0].turnOrder", "out of range", {"players": [{"id": "#ana", "turnOrder": 2**53}]}),
    ("players[0]", "has no id", {"players": [{"turnOrder": 1}], "cards": []}),
    ("players[0]", "'#ana' is not an object", {"players": ["#ana"], "cards": []}),
    ("players[1].id", "declared twice", {"players": [{"id": "#ana"}, {"id": "#ana"}]}),
    ("cards[0].name", "'' is not a text", of_card(name="")),
    ("cards[0].zone", "'grave' is no zone: use one of", of_card(zone="grave")),
    ("cards[0].manaCost", "an empty text is not mana: write {0}, or null", of_card(manaCost="")),
    ("cards[0].manaCost", "3 is not mana: write a text such as {2}{R}, or null", of_card(manaCost=3)),
    ("cards[0].manaCost", "2R", of_card(manaCost="2R")),
    ("cards[0].owner", "urn:g#zoe is not declared as a player of this record", of_card(owner="#zoe")),
    ("cards[0].owner", "'zoe' is no id: write #name or an IRI", of_card(owner="zoe")),
    ("cards[0].owner", "urn:g#bolt is not declared as a player", of_card(owner="#bolt")),
    ("events[0]", "an event needs its type", {"events": [{"id": "#1"}]}),
    ("events[0].step", "'main' is no step", {"events": [{**EVENT, "step": "main"}]}),
    ("events[0].cause", "urn:g#9 is not declared as an event", {"events": [{**EVENT, "cause": "#9"}]}),
    ("events[0].cause", "its own cause", {"events": [{**EVENT, "id": "#1", "cause": "#1"}]}),
    ("events[0].cost[0]", 'a cost is "mana cost", "without paying mana cost" or', {"events": [cast(cost={})]}),
    ("events[0].division", "is not an object of target and amount", {"events": [cast(division=["#ana"])]}),
    ("events[0].stackEmpty", "'yes' is not true or false", {"events": [cast(stackEmpty="yes")]}),
    ("events[0].additionalCosts[0]", "'type' here is Payment", {"events": [cast(additionalCosts=[{"type": "Cast"}])]}),
]  # fmt: skip


@pytest.mark.parametrize(("place", "said", "change"), MALFORMED, ids=[f"{p} {s[:20]}" for p, s, _ in MALFORMED])
def test_a_malformed_value(place: str, said: str, change: Plain) -> None:
    (problem,) = problems({**BASE, **change})
    assert problem.source == "g.json"
    assert problem.place == place
    assert said in problem.problem


@pytest.mark.parametrize("data", [None, [], "x", 3])
def test_a_record_is_an_object(data: Any) -> None:
    assert problems(data) == [Problem("g.json", "record 3", "a record is a JSON object")]


def test_a_record_without_events() -> None:
    (problem,) = problems({"id": "urn:g"})
    assert problem.place == "events"
    assert problem.problem.startswith("urn:g: missing: ")


def test_every_problem_is_told() -> None:
    found = problems({**BASE, "date": "x", "events": [{"type": "Draw", "n": "1"}, {"type": "Move", "to": "void"}]})
    assert sorted(p.place for p in found) == ["date", "events[0].n", "events[1].to"]


def test_a_cycle_of_causes_is_told_once_a_link() -> None:
    found = problems({**BASE, "events": [
        {"id": "#1", "type": "Draw", "cause": "#2"}, {"id": "#2", "type": "Draw", "cause": "#1"},
        {"id": "#3", "type": "Draw", "during": "#1"},
    ]})  # fmt: skip
    assert len(found) == 1
    assert "by way of 'cause', its own cause" in found[0].problem


def test_what_is_not_known_is_a_warning_and_the_rest_is_read() -> None:
    record = read({"type": "Levitate", "turn": 2}, colour="red")
    assert sorted(record.warnings) == [
        "colour: unknown property, ignored", "event type 'Levitate' is unknown, the event is kept without meaning",
    ]  # fmt: skip
    (event,) = record.children("events")
    assert (event.kind, event.facts["turn"]) == ("Event", 2)


def test_ids() -> None:
    """#name is short for the record's id and that name; an event without one has it from its position."""
    record = read(cast(), {"type": "Draw", "id": "urn:other:e"}, {"type": "Draw"})
    assert [e.iri for e in record.children("events")] == ["urn:g#/event/1", "urn:other:e", "urn:g#/event/3"]
    assert read_structure({"events": []}, "x", 4).id == "urn:rulewright:record:4"


def test_shorthand() -> None:
    record = read(cast(face="Fire", cost="mana cost"), cards=[{**INSTANT, "keywords": ["kindle"]}])
    event = record.children("events")[0]
    assert event.facts["face"] == ("Fire",)
    assert event.facts["cost"] == (GAME + "payingManaCost",)
    assert [n.facts for n in record.nodes.values() if n.kind == "KeywordInstance"] == [{"keyword": "kindle"}]


def test_no_mana_cost_is_none_and_an_empty_list_is_a_list() -> None:
    record = read(cast(targets=[]), cards=[{**INSTANT, "manaCost": None}])
    assert record.children("cards")[0].facts["manaCost"] == NONE
    assert record.children("events")[0].facts["targets"] == ()


def test_a_word_chosen_is_a_word_and_a_whole_iri_of_the_record_is_that_thing() -> None:
    chosen = ["urn:g#bolt", "urn:elsewhere", "#ana", "Bolt", 3]
    event = read({"type": "Choose", "chosen": chosen}).children("events")[0]
    facts = event.facts["chosen"]
    assert isinstance(facts, tuple)
    assert [isinstance(v, Iri) for v in facts] == [True, False, True, False, False]


def test_parameters_that_axioms_ask_for() -> None:
    data = {**BASE, "cards": [{**INSTANT, "keywords": [{"keyword": "kindle", "sparks": 2, "smoke": 1}]}]}
    record = read_structure(data, "g", parameters=frozenset({"sparks"}))
    (instance,) = [n for n in record.nodes.values() if n.kind == "KeywordInstance"]
    assert instance.facts == {"keyword": "kindle", "sparks": 2}
    assert record.warnings == ["cards[0].keywords[0].smoke: unknown property, ignored"]


def test_what_a_scenario_says_beside_the_game_is_kept_apart() -> None:
    record = read(comment="why", expect=[], statements=["RB-1"], source="x")
    assert record.extras == {"comment": "why", "expect": [], "statements": ["RB-1"], "source": "x"}
    assert record.warnings == []
