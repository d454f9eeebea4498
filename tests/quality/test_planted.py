"""Breaks are planted where a game has a place for them, and what comes of each is counted."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.quality.planted import FOUND, OPEN, SILENT, Planter
from rulewright.quality.planting import KINDS, plant, spelled_out

STEPS = ("untap", "upkeep", "draw", "precombat main", "beginning of combat")
GAME: dict[str, Any] = {
    "id": "urn:example:planted",
    "type": "Game",
    "records": ["Step", "Play", "Draw", "Resolve", "Cast", "Trigger", "Activate", "Copy", "Move"],
    "effects": [],
    "players": [{"id": "#ana", "turnOrder": 1}, {"id": "#ben", "turnOrder": 2}],
    "cards": [
        {"id": "#land", "name": "Forest", "owner": "#ana", "zone": "hand", "types": ["Land"], "keywords": []},
        {"id": "#opt", "name": "Opt", "owner": "#ana", "zone": "hand", "manaCost": "{U}", "types": ["Instant"],
         "keywords": [], "otherText": False},
    ],
    "events": [
        *({"id": f"#{step.replace(' ', '-')}", "type": "Step", "turn": 3, "activePlayer": "#ana", "step": step}
          for step in STEPS[:3]),
        {"id": "#drawn", "type": "Draw", "player": "#ana", "n": 1},
        {"id": "#main", "type": "Step", "step": "precombat main"},
        {"id": "#play", "type": "Play", "player": "#ana", "card": "#land", "from": "hand"},
        {"id": "#cast", "type": "Cast", "player": "#ana", "card": "#opt", "object": "#spell", "from": "hand",
         "cost": "mana cost"},
        {"id": "#resolve", "type": "Resolve", "object": "#spell"},
        {"id": "#gone", "type": "Move", "card": "#opt", "from": "stack", "to": "graveyard", "cause": "#resolve"},
        {"id": "#combat", "type": "Step", "step": "beginning of combat"},
    ],
}  # fmt: skip


def told(game: dict[str, Any]) -> dict[str, dict[str, int]]:
    planter = Planter()
    planter.game(game, "game")
    assert not planter.tally.accused
    return {kind: dict(counter) for kind, counter in planter.tally.outcomes.items()}


def test_every_event_says_when_it_is() -> None:
    game = spelled_out(GAME)
    assert {e["turn"] for e in game["events"]} == {3}
    assert [e["step"] for e in game["events"]][-2:] == ["precombat main", "beginning of combat"]
    assert "turn" not in GAME["events"][3], "the game itself is left as it is"


def test_breaks_of_a_closed_game_are_found() -> None:
    found = told(GAME)
    assert {"second land", "step left out", "steps swapped", "two draws", "resolves twice", "land in another's turn",
            "spell without a permission", "land at a wrong time"} <= set(found)  # fmt: skip
    assert all(set(outcomes) == {FOUND} for outcomes in found.values()), found


def test_what_effects_may_allow_is_open() -> None:
    found = told({k: v for k, v in GAME.items() if k != "effects"})
    assert found["second land"] == {"found once assumed": 1}
    assert all(SILENT not in outcomes for outcomes in found.values()), found
    assert all(OPEN not in outcomes for outcomes in found.values()), found


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_break_changes_the_game(kind: str) -> None:
    game = spelled_out(GAME)
    assert all(planted.game["events"] != game["events"] for planted in plant(game) if planted.kind == kind)


def test_what_something_refers_to_is_not_taken_out() -> None:
    def left_out(game: dict[str, Any]) -> set[str]:
        return {p.events[0] for p in plant(spelled_out(game)) if p.kind == "step left out"}

    lasting = {"id": "#fx", "player": "#ana", "prohibits": "Play", "since": "#untap", "until": "#upkeep"}
    assert left_out(GAME) - left_out({**GAME, "effects": [lasting]}) == {"#draw"}


def test_an_accused_game_is_told() -> None:
    broken = {**GAME, "events": [*GAME["events"][:6], {**GAME["events"][5], "id": "#again"}, *GAME["events"][6:]]}
    planter = Planter()
    planter.game(broken, "broken")
    assert planter.tally.accused == ["broken"]
    assert "1 accused" in "\n".join(planter.tally.lines())
