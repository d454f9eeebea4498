"""The total cost (CR 601.2f): what is due, what is claimed, and what can be told of it where not all is recorded."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Graph

from ..small import INSTANT, Plain, card, cast, event, fact, graph

SPELL = {**INSTANT, "keywords": []}


def total(stated: str | None = None, effects: list[Plain] | None = None, spell: Plain = SPELL, **of_cast: Any) -> Graph:
    given = {"additionalCosts": [], "cost": "mana cost", **({"totalCost": stated} if stated else {}), **of_cast}
    listed = [{"id": f"#f{n}", **one} for n, one in enumerate(effects or [], 1)]
    more = {} if effects is None else {"effects": listed}
    return graph(cast(**{"from": "hand"} | given), cards=[spell], **more)


def due(*args: Any, **more: Any) -> Any:
    return fact(total(*args, **more), 1, "costTotal")


def test_increases_come_before_reductions_and_the_least_cost_last() -> None:
    assert due(effects=[{"increases": "{2}"}, {"reduces": "{3}"}]) == "{R}"
    assert due(effects=[{"increases": "{2}"}, {"reduces": "{3}"}, {"minimum": "{3}"}]) == "{2}{R}"
    assert due(effects=[{"reduces": "{1}", "minimum": "{2}"}]) == "{1}{R}"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"types": ["Instant"]}, "{2}{R}"),
        ({"types": ["Creature"]}, "{1}{R}"),
        ({"typesNot": ["Creature"]}, "{2}{R}"),
        ({"typesNot": ["Creature", "Instant"]}, "{1}{R}"),
        ({"colors": ["R"]}, "{2}{R}"),
        ({"from": "exile"}, "{1}{R}"),
        ({"subtypes": ["Arcane"]}, None),
        ({"of": "ability"}, None),
        ({"moon": "full"}, None),
    ],
)
def test_an_effect_changes_the_cost_under_its_condition(condition: Plain, expected: str | None) -> None:
    assert due(effects=[{"increases": "{1}", "condition": condition}]) == expected


def test_of_several_totals_the_one_stated_is_due() -> None:
    hybrid = {**SPELL, "manaCost": "{1}{W/U}{R/P}"}
    assert [due(stated, [], hybrid) for stated in ("{1}{W}{R}", "{1}{U}")] == ["{1}{R}{W}", "{1}{U}"]
    assert due(effects=[], spell=hybrid) == due("{1}{G}", [], hybrid) == "{1}{R/P}{W/U}"
    assert fact(total("{1}{G}", [], hybrid), 1, "totalRuledOut") is True
    reduced = {**SPELL, "manaCost": "{2}{W}"}
    assert {due(stated, [{"reduces": "{W/U}"}], reduced) for stated in ("{2}", "{1}{W}")} == {"{2}", "{1}{W}"}


@pytest.mark.parametrize(
    ("stated", "effects", "of_cast", "ruled_out"),
    [
        ("{2}{R}", [], {}, True),
        ("{R}", [], {}, True),
        ("{2}{R}", None, {}, False),
        ("{2}{R}", [{"label": "emblem"}], {}, False),
        ("{2}{R}", [], {"additionalCosts": None}, False),
        ("{R}", [], {"additionalCosts": None}, True),  # no additional cost makes a total lower
        ("{2}{R}", [], {"additionalCosts": [{"kind": "discard"}]}, False),
        ("{2}{R}", [], {"from": "command"}, False),  # how often a commander was cast from there is not known
        ("{R}", [], {"from": "command"}, True),
        ("{2}{R}", None, {"costIncreases": [], "costReductions": []}, True),
        ("{2}{R}", None, {"costIncreases": []}, True),  # reductions make no total higher
        ("{R}", None, {"costIncreases": []}, False),
        ("{R}", None, {"costReductions": []}, True),
        ("{2}{R}", None, {"costReductions": []}, False),
        ("{2}", [{"minimum": "{3}"}], {"additionalCosts": None}, True),
    ],
)
def test_a_total_is_ruled_out_where_nothing_left_out_could_lead_to_it(
    stated: str, effects: list[Plain] | None, of_cast: Plain, ruled_out: bool
) -> None:
    of_cast = {"additionalCosts": [], **of_cast}
    given = {key: value for key, value in of_cast.items() if value is not None}
    found = graph(cast(**{"from": "hand", "cost": "mana cost", "totalCost": stated} | given), cards=[SPELL],
                  **({} if effects is None else {"effects": [{"id": f"#f{n}", **e} for n, e in enumerate(effects)]}))
    assert fact(found, 1, "totalRuledOut") is ruled_out


def test_x_that_is_not_told_leaves_the_total_open() -> None:
    ball = {**SPELL, "manaCost": "{X}{R}"}
    assert (due("{3}{R}", [], ball), fact(total("{3}{R}", [], ball), 1, "totalRuledOut")) == (None, False)
    assert fact(total("{3}", [], ball), 1, "totalRuledOut") is True
    assert due("{3}{R}", [], ball, x=3) == "{3}{R}"


@pytest.mark.parametrize(
    ("increases", "effects", "explained"),
    [
        ([], [], True),
        (["{1}"], [], False),
        (["{1}"], [{"increases": "{1}"}], True),
        (["{2}"], [{"increases": "{1}"}, {"increases": "{1}"}], True),
        (["{1}", "{1}"], [{"increases": "{2}"}], True),
        (["{2}"], [{"increases": "{1}"}], False),
        (["{1}"], [{"minimum": "{3}"}], True),
        (["{1}"], [{"increases": "{1}", "condition": {"of": "ability"}}], None),
    ],
)
def test_claimed_increases(increases: list[str], effects: list[Plain], explained: bool | None) -> None:
    assert fact(total(effects=effects, costIncreases=increases), 1, "increasesExplained") is explained


def test_claimed_reductions_may_be_less_than_what_effects_could_take_off() -> None:
    less = [{"reduces": "{3}"}]
    assert fact(total(effects=less, costReductions=["{1}"]), 1, "reductionsExplained") is True
    assert fact(total(effects=less, costReductions=["{4}"]), 1, "reductionsExplained") is False
    assert fact(total(effects=[], costReductions=["{1}"]), 1, "reductionsExplained") is False


def test_what_is_claimed_is_not_counted_twice() -> None:
    assert due(effects=[{"increases": "{1}"}], costIncreases=["{1}"]) == "{2}{R}"
    assert due(effects=[], costIncreases=["{1}"]) == "{2}{R}"


@pytest.mark.parametrize(
    ("turn", "records", "expected", "known"),
    [(1, ["Cast"], "{3}{G}", True), (2, ["Cast"], "{3}{G}", None), (1, [], "{3}{G}", None)],
)
def test_a_commander_costs_more_for_each_time_before(
    turn: int, records: list[str], expected: str, known: bool | None
) -> None:
    chief = card("bolt", manaCost="{1}{G}", types=["Creature"], keywords=[], commander=True, zone="command")
    first = cast(**{"from": "command"}, cost="mana cost", additionalCosts=[], turn=turn)
    back = event("Move", card="#bolt", to="command")
    second = cast(spell="t", **{"from": "command"}, cost="mana cost", additionalCosts=[])
    found = graph(first, back, second, cards=[chief], effects=[], records=records)
    assert (fact(found, 3, "costTotal"), fact(found, 3, "costModifiersKnown")) == (expected, known)
