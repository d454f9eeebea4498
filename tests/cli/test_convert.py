"""`rulewright convert`: a client's log, or records in any form, into records in any other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from commands import Command, Json

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
LOG, NAMES = EXAMPLES / "arena-sample.jsonl", EXAMPLES / "arena-names.json"


def test_log(rulewright: Command) -> None:
    done = rulewright("convert", LOG, "--names", NAMES)
    assert (done.code, done.err) == (0, "")
    records = [json.loads(line) for line in done.out.splitlines()]
    assert records
    assert all(r["type"] == "Game" and r["events"] for r in records)
    names = set(json.loads(NAMES.read_text(encoding="utf-8")).values())
    assert names & {card["name"] for r in records for card in r["cards"]}


@pytest.mark.parametrize("form", ["json", "jsonld", "trig"])
def test_what_comes_out_goes_in(rulewright: Command, form: str) -> None:
    converted = rulewright("convert", LOG, "--names", NAMES, "--to", form)
    assert (converted.code, converted.err) == (0, "")
    checked = rulewright("check", "-", "--format", "json", stdin=converted.out.encode())
    assert checked.code == 0, checked.err
    direct = rulewright(
        "check", "-", "--format", "json", stdin=rulewright("convert", LOG, "--names", NAMES).out.encode()
    )
    assert [r["verdicts"] for r in json.loads(checked.out)["records"]] == [
        r["verdicts"] for r in json.loads(direct.out)["records"]
    ]


@pytest.mark.parametrize("form", ["json", "jsonld", "trig"])
def test_records_in_another_form(rulewright: Command, game: Json, tmp_path: Path, form: str) -> None:
    (tmp_path / "game.json").write_text(json.dumps(game), encoding="utf-8")
    suffix = {"json": "jsonl"}.get(form, form)
    done = rulewright("convert", "game.json", "--to", form)
    assert (done.code, done.err) == (0, "")
    (tmp_path / f"out.{suffix}").write_text(done.out, encoding="utf-8")
    again = rulewright("convert", f"out.{suffix}", "--to", "json")
    assert (again.code, json.loads(again.out)) == (0, game)


def test_bad_record_among_good_ones(rulewright: Command, game: Json, tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_text(f"{json.dumps(game)}\n{{\n", encoding="utf-8")
    done = rulewright("convert", "games.jsonl")
    assert (done.code, json.loads(done.out)) == (2, game)
    (problem,) = done.problems
    assert problem.startswith("games.jsonl: line 2")


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "empty"), ("Hello, this is no log\n", ""), ('{"timestamp": "1"}\n', "")],
    ids=["empty", "prose", "no-game"],
)
def test_no_log(rulewright: Command, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "log.txt").write_text(text, encoding="utf-8")
    done = rulewright("convert", "log.txt")
    assert (done.code, done.out) == (2, "")
    (problem,) = done.problems
    assert problem.startswith("log.txt: ")
    assert said in problem


def test_missing(rulewright: Command) -> None:
    done = rulewright("convert", "nowhere.log")
    assert (done.code, done.problems) == (2, ["nowhere.log: there is no such file"])
    done = rulewright("convert", LOG, "--names", "nowhere.json")
    assert done.code == 2
    assert len(done.problems) == 1
    assert "nowhere.json" in done.problems[0]
