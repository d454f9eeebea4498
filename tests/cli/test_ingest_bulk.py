"""`rulewright ingest` of bulk files as a user has it."""

from __future__ import annotations

import json
from pathlib import Path

from commands import Command

SAMPLES = Path(__file__).parents[1] / "sources" / "samples"
CARDS = SAMPLES / "oracle-cards-20220425210031.json"
RULINGS = [SAMPLES / "rulings-2018-11-07.jsonl", SAMPLES / "rulings-20220425210031.json"]


def test_it_says_what_it_finds(rulewright: Command) -> None:
    done = rulewright("ingest", CARDS, *RULINGS)
    assert done.code == 0
    assert not done.err
    assert "cards (Scryfall), as of 2022-04-25\n    read: 6 cards" in done.out
    assert "names of no card that is known, or of several: 1 (Marble)" in done.out
    assert "2018-11-07 to 2022-04-25: 3 rulings stay; on cards that had and have some, 3 came and 2 went" in done.out
    german = rulewright("ingest", CARDS, *RULINGS, "--lang", "de")
    assert "Regelerläuterungen (Scryfall), Stand 2018-11-07" in german.out
    assert "Neufassungen darunter: 1" in german.out


def test_into_a_store_once_and_asked(rulewright: Command) -> None:
    for state in ("added", "already there"):
        done = rulewright("ingest", CARDS, *RULINGS, "--store", "store", "--format", "json")
        assert [d["state"] for d in json.loads(done.out)["documents"]] == [state] * 3
    days = ["--set", "from=2018-11-07", "--set", "to=2022-04-25"]
    done = rulewright("query", "changes", *days, "--set", "kind=reworded", "--store", "store", "--format", "csv")
    assert len(done.out.splitlines()) == 2


def test_a_day_can_be_given(rulewright: Command, tmp_path: Path) -> None:
    (tmp_path / "rulings.json").write_bytes(RULINGS[1].read_bytes())
    done = rulewright("ingest", "rulings.json")
    assert done.code == 2
    assert len(done.problems) == 1
    assert "or give --date" in done.problems[0]
    done = rulewright("ingest", "rulings.json", "--date", "2022-04-25", "--format", "json")
    assert json.loads(done.out)["documents"][0]["asOf"] == "2022-04-25"
    assert rulewright("ingest", "rulings.json", "--date", "today").code == 2


def test_a_kind_can_be_given(rulewright: Command) -> None:
    done = rulewright("ingest", CARDS, "--as", "german-cards")
    assert done.code == 2
    assert "nothing in it is what a file of this kind (german-cards) has" in done.problems[0]
