"""A real Arena match through the command line: converted, and checked without a violation or an open verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ARENA = Path(__file__).parents[3] / "shared" / "data" / "arena"
MATCH, NAMES = ARENA / "sample-match.json.gz", ARENA / "card-names.json"

pytestmark = pytest.mark.skipif(not MATCH.exists(), reason="the real match (shared/data/arena) is not here")

# (axiom, event) of each verdict that is rightly `undetermined`. None: of what the match's verdicts need, the stream
# tells everything. Keywords, mana costs and effects, which it does not tell, are asked of no event in it.
UNDETERMINED: set[tuple[str, str]] = set()


def run(*arguments: str, given: bytes = b"") -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", *arguments], input=given, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.fixture(scope="module")
def converted() -> bytes:
    return run("convert", str(MATCH), "--names", str(NAMES))


@pytest.fixture(scope="module")
def verdicts(converted: bytes) -> list[dict[str, Any]]:
    result = json.loads(run("check", "--all", "--format", "json", "-", given=converted))
    assert result["errors"] == []
    (record,) = result["records"]
    assert record["conforms"] is True
    found: list[dict[str, Any]] = record["verdicts"]
    return found


def of(verdicts: list[dict[str, Any]], verdict: str) -> list[tuple[str, str]]:
    return [
        (found["axiom"].rpartition("/")[2], found["focus"].partition("#")[2])
        for found in verdicts
        if found["verdict"] == verdict
    ]


def test_match_breaks_no_rule(verdicts: list[dict[str, Any]]) -> None:
    assert of(verdicts, "violates") == []


def test_what_stays_open_is_what_the_stream_cannot_tell(verdicts: list[dict[str, Any]]) -> None:
    found = of(verdicts, "undetermined")
    assert len(found) == len(UNDETERMINED)
    assert set(found) == UNDETERMINED


def test_every_cast_and_every_spell_that_left_the_stack_was_judged(
    converted: bytes, verdicts: list[dict[str, Any]]
) -> None:
    (record,) = [json.loads(line) for line in converted.splitlines()]
    casts = {event["id"].rpartition("#")[2] for event in record["events"] if event["type"] == "Cast"}
    timed = [focus for axiom, focus in of(verdicts, "conforms") if axiom == "sorcery-timing"]
    assert len(casts) == 11
    assert sorted(timed) == sorted(casts)
    counts = Counter(axiom for axiom, _ in of(verdicts, "conforms"))
    assert counts["spell-destination"] == 11


def test_a_sorcery_over_a_full_stack_would_be_found(converted: bytes) -> None:
    """The verdicts above hold for what the stream says of the stack, not for want of asking."""
    record = json.loads(converted)
    cast = next(event for event in record["events"] if event["type"] == "Cast")
    cast["stackEmpty"] = False
    there = [("sorcery-timing", cast["id"].rpartition("#")[2])]
    assert of(judged(record), "undetermined") == there, "effects and keywords are not in the stream"
    assert of(judged(record, "--assume", "effects", "--assume", "keywords"), "violates") == there


def judged(record: Any, *options: str) -> Any:
    """The verdicts of the command on a record."""
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", "check", "--format", "json", *options, "-"],
        input=json.dumps(record).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr.decode()
    (found,) = json.loads(done.stdout)["records"]
    return found["verdicts"]
