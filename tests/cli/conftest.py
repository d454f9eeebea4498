"""The command line as a user has it, in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Command, Done, Json


@pytest.fixture
def rulewright(tmp_path: Path) -> Command:
    """Runs `rulewright ARGUMENTS` in an empty folder; no traceback may ever come out of it."""

    def run(*arguments: str | Path, stdin: bytes = b"", language: str = "en_GB.UTF-8") -> Done:
        environment = {**os.environ, "LC_ALL": language}
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-m", "rulewright", *map(str, arguments)],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            env=environment,
            check=False,
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        assert "Traceback" not in out + err, err
        return Done(done.returncode, out, err)

    return run


@pytest.fixture
def game() -> Json:
    """A card with rebound, cast from hand and resolved, that goes to the graveyard: a violation at #e3."""
    return {
        "id": "urn:example:game:1",
        "type": "Game",
        "records": ["Cast", "Resolve", "Move", "Trigger"],
        "players": [{"id": "#ana", "turnOrder": 1, "name": "Ana"}, {"id": "#ben", "turnOrder": 2, "name": "Ben"}],
        "cards": [
            {
                "id": "#bolt",
                "name": "Staggershock",
                "owner": "#ana",
                "manaCost": "{2}{R}",
                "types": ["Instant"],
                "keywords": [{"keyword": "rebound"}],
            }
        ],
        "effects": [],
        "events": [
            {
                "id": "#e1",
                "type": "Cast",
                "turn": 3,
                "activePlayer": "#ana",
                "step": "precombat main",
                "player": "#ana",
                "card": "#bolt",
                "object": "#s1",
                "from": "hand",
                "cost": "mana cost",
            },
            {"id": "#e2", "type": "Resolve", "object": "#s1"},
            {"id": "#e3", "type": "Move", "card": "#bolt", "from": "stack", "to": "graveyard", "cause": "#e2"},
        ],
    }


@pytest.fixture
def good(game: Json) -> Json:
    """The same, exiled as it should be."""
    game["id"] = "urn:example:game:2"
    game["events"][2]["to"] = "exile"
    return game
