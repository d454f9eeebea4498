"""Priority, and the order of players (CR 101.4, 117)."""

from __future__ import annotations

import pytest

from ..small import INSTANT, PLAYERS, Plain, card, cast, event, fact, graph

CAL = {"id": "#cal", "turnOrder": 3}


@pytest.mark.parametrize(("active", "ranks"), [("#ana", [0, 1, 2]), ("#ben", [2, 0, 1]), ("#cal", [1, 2, 0])])
def test_players_choose_from_the_active_player_on(active: str, ranks: list[int]) -> None:
    """CR 101.4."""
    chooses = [event("Choose", player=p, of="#s", choice="keep", chosen=[]) for p in ("#ana", "#ben", "#cal")]
    found = graph({**cast(), "turn": 1, "activePlayer": active}, *chooses, players=[CAL, *PLAYERS])
    assert [fact(found, n, "playerRank") for n in (2, 3, 4)] == ranks


def test_no_rank_where_the_active_player_is_not_known() -> None:
    found = graph(cast(), event("Choose", player="#ana", of="#s", choice="keep", chosen=[]))
    assert fact(found, 2, "playerRank") is None


RESOLVES = event("Resolve", object="#s", turn=1, activePlayer="#ana", step="upkeep")


@pytest.mark.parametrize(
    ("later", "settled"),
    [
        ([], False),
        ([event("Observe", card="#bolt")], False),
        ([event("Trigger", object="#t", source="#bolt", ability="a")], False),
        ([event("Draw", n=1, cause="#3")], False),
        ([event("Cast", card="#elf", object="#e", during="#3")], False),
        ([event("Resolve", object="#other")], True),
        ([event("Step", step="draw")], True),
        ([event("Draw", n=1, turn=2)], True),
    ],
)
def test_triggers_are_on_the_stack_once_players_had_priority(later: list[Plain], settled: bool) -> None:
    """CR 603.3: put on the stack when somebody would next have priority."""
    other = cast("elf", "other", turn=1, activePlayer="#ana", step="upkeep")
    found = graph(other, cast(), RESOLVES, *later, cards=[INSTANT, card("elf")])
    assert fact(found, 3, "settled") is settled


@pytest.mark.parametrize(
    ("between", "player"),
    [
        ([], "#ben"),
        ([event("Trigger", object="#t", source="#bolt", ability="a")], "#ben"),
        ([event("Move", card="#elf", to="graveyard")], "#ben"),
        ([event("Resolve", object="#s")], "#ana"),
        ([event("Step", step="draw")], "#ana"),
    ],
)
def test_who_has_priority(between: list[Plain], player: str) -> None:
    """CR 117.3b, 117.3c; neither triggers nor state-based actions give it to anybody (117.5)."""
    found = graph(
        {**cast(), "player": "#ben", "turn": 1, "activePlayer": "#ana"}, *between, event("Observe", card="#bolt"),
        cards=[INSTANT, card("elf")],
    )  # fmt: skip
    assert fact(found, len(between) + 2, "priorityPlayer") == player
