"""Turns and steps: what is carried forward, what is over, whose the skipped turns were (CR 500 to 514)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Graph, Value, Words, canonical, read_structure
from rulewright.vocabulary import GAME, Iri

Plain = dict[str, Any]


def graph(*events: Plain, players: int = 2) -> Graph:
    seats = [{"id": f"#p{n}", "turnOrder": n} for n in range(1, players + 1)]
    listed = [{"id": f"#e{n}", "type": "Draw", **event} for n, event in enumerate(events, 1)]
    record = {"id": "urn:g", "players": seats, "events": listed}
    return canonical(read_structure(record, "g"), Words({}))


def fact(found: Graph, node: str, name: str) -> Value | None:
    return found.facts[Iri(f"urn:g#{node}")].get(name)


def turn(number: int, player: int, **more: Any) -> Plain:
    return {"turn": number, "activePlayer": f"#p{player}", **more}


def test_turn_step_and_active_player_are_carried_forward() -> None:
    found = graph(turn(3, 1, step="upkeep"), {}, {"step": "draw"}, {})
    for event in ("e1", "e2", "e3", "e4"):
        assert fact(found, event, "turn") == 3
        assert fact(found, event, "activePlayer") == "urn:g#p1"
        assert fact(found, event, "turnNode") == "urn:g#turn/3"
    assert fact(found, "e2", "step") == GAME + "upkeep"
    assert fact(found, "e4", "step") == GAME + "drawStep"
    assert fact(found, "e4", "stepPosition") == 3


def test_a_new_turn_alone_clears_the_other_two() -> None:
    found = graph(turn(3, 1, step="upkeep"), {"turn": 4}, {"turn": 4, "step": "draw"})
    assert fact(found, "e2", "activePlayer") is None
    assert fact(found, "e2", "step") is None
    assert fact(found, "e3", "step") == GAME + "drawStep"


def test_the_same_turn_said_again_clears_nothing() -> None:
    found = graph(turn(3, 1, step="upkeep"), {"turn": 3})
    assert fact(found, "e2", "step") == GAME + "upkeep"


def test_nothing_is_known_before_it_is_said() -> None:
    found = graph({}, turn(1, 1))
    assert fact(found, "e1", "turn") is None
    assert fact(found, "e1", "turnNode") is None


def test_a_step_is_past_once_a_later_one_or_an_action_in_it_is_recorded() -> None:
    began = {"type": "Step"}
    assert fact(graph(turn(3, 1, step="upkeep", **began)), "turn/3", "pastPosition") == 1
    assert fact(graph(turn(3, 1, step="upkeep")), "turn/3", "pastPosition") == 2
    assert fact(graph(turn(3, 1, step="upkeep", **began), {"step": "draw", **began}), "turn/3", "pastPosition") == 2
    assert fact(graph(turn(3, 1, step="upkeep", **began), turn(4, 2)), "turn/3", "pastPosition") == 99


def test_each_players_next_turn() -> None:
    found = graph(turn(3, 1), turn(4, 2), turn(5, 1))
    assert fact(found, "turn/3", "followedBy") == ("urn:g#turn/4", "urn:g#turn/5")
    assert fact(found, "turn/4", "followedBy") == ("urn:g#turn/5",)
    assert fact(found, "turn/5", "followedBy") == ()
    assert fact(found, "turn/4", "lastTurnOf") == ("urn:g#p2",)


def test_a_skipped_turn_belongs_to_the_other_of_two_players() -> None:
    found = graph(turn(7, 1), turn(9, 1))
    assert fact(found, "turn/7", "followedBy") == ("urn:g#turn/9",)
    assert Iri("urn:g#turn/8") not in found.facts


def test_after_skipped_turns_of_unknown_players_the_next_turn_is_unknown() -> None:
    """Turns 7 and 10 of two players: 8 and 9 may both have been the player's own (an extra turn)."""
    assert fact(graph(turn(7, 1), turn(10, 2)), "turn/7", "followedBy") == ()
    assert fact(graph(turn(7, 1), turn(9, 1), players=3), "turn/7", "followedBy") == ()


def test_three_players_and_one_skipped_turn() -> None:
    found = graph(turn(1, 1), turn(3, 3), players=3)
    assert fact(found, "turn/1", "followedBy") == ("urn:g#turn/3",)


def test_turn_order_is_that_of_the_players_not_of_the_list() -> None:
    record = {
        "id": "urn:g",
        "players": [{"id": "#b", "turnOrder": 2}, {"id": "#c", "turnOrder": 3}, {"id": "#a", "turnOrder": 1}],
        "events": [
            {"type": "Draw", "turn": 1, "activePlayer": "#a", "player": "#a"},
            {"id": "#t", "type": "Trigger", "object": "#o", "player": "#c"},
        ],
    }
    found = canonical(read_structure(record, "g"), Words({}))
    assert fact(found, "t", "playerRank") == 2


@pytest.mark.parametrize("last", [10**15, 2**53 - 1])
def test_turn_numbers_far_apart_cost_nothing(last: int) -> None:
    assert fact(graph(turn(1, 1), turn(last, 1)), "turn/1", "followedBy") == ()
