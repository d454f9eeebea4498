"""`rulewright ingest` as a user has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Command
from rulewright.index.keeping import NAME
from rulewright.store import Dataset

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
SEEDS = Path(__file__).parents[3] / "shared" / "seeds"


def test_it_says_what_it_finds_and_keeps_nothing(rulewright: Command, tmp_path: Path) -> None:
    done = rulewright("ingest", EXAMPLES)
    assert done.code == 0
    assert not done.err
    assert "dated rulings on Aschenpfad (no card that is known), Der letzte Funke" in done.out
    assert "wiki page about Glutwacht" in done.out
    assert "4 German; 1 German with an English remark (2); 1 English (3)" in done.out
    assert "not known: 3 (line 13, 2025-05-03): Ashen Trail does not look at its own card" in done.out
    assert "2 documents, 0 of 12 statements matched (10 German" in done.out
    assert done.out.splitlines()[-1].startswith("Nothing was kept")
    assert not list(tmp_path.iterdir())


def test_in_german(rulewright: Command) -> None:
    done = rulewright("ingest", EXAMPLES, language="de_DE.UTF-8")
    assert "datierte Regelerläuterungen zu Aschenpfad" in done.out
    assert "2 Dokumente, 0 von 12 Aussagen zugeordnet" in done.out
    assert done.out == rulewright("ingest", EXAMPLES, "--lang", "de").out


def test_as_json(rulewright: Command) -> None:
    told = json.loads(rulewright("ingest", EXAMPLES, "--format", "json").out)
    assert told["summary"] == {
        "documents": 2, "statements": 12, "matched": 0,
        "languages": {"de": 10, "de+en": 1, "en": 1}, "states": {"found": 2}, "errors": 0,
    }  # fmt: skip
    second = told["documents"][0]["statements"][1]
    assert second["languages"] == ["de", "en"]
    assert second["remarks"] == ["even those that got there while the trail was waiting"]
    assert (second["line"], second["date"], second["heading"]) == (9, "2025-05-03", "Aschenpfad")


def test_into_a_store_once(rulewright: Command, tmp_path: Path) -> None:
    first = rulewright("ingest", EXAMPLES, "--store", "store")
    assert first.code == 0
    assert first.out.count("added:") == 2
    assert "Kept in store" in first.out
    again = rulewright("ingest", EXAMPLES, "--store", "store", "--format", "json")
    assert [d["state"] for d in json.loads(again.out)["documents"]] == ["already there"] * 2
    assert (tmp_path / "store" / "CURRENT").exists()


def test_an_index_that_cannot_be_kept(rulewright: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    with Dataset.open(tmp_path / "store"):
        pass
    (tmp_path / "store" / f"{NAME}.sqlite").mkdir()
    done = rulewright("ingest", EXAMPLES, "--store", "store")
    assert (done.code, len(done.problems)) == (0, 1)
    assert done.err.startswith("the index for searching cannot be kept")
    assert done.out.count("added:") == 2
    assert "Kept in store" in done.out
    assert rulewright("search", "Aschenpfad", "--store", "store").code == 0
    done = rulewright("ingest", EXAMPLES, "--store", "store", "--lang", "de")
    assert done.err.startswith("der Index für die Suche lässt sich nicht aufbewahren")
    assert done.out.count("schon da:") == 2


def test_bad_files_beside_good_ones(rulewright: Command, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Guten Tag,\n\ndies ist ein Brief.\n")
    done = rulewright("ingest", "letter.txt", "none.txt", EXAMPLES / "wiki-glutwacht.txt", "--store", "store")
    assert done.code == 2
    assert len(done.problems) == 2
    assert done.problems[0].startswith("letter.txt: line 3: text without a date above it: this is neither")
    assert done.problems[1] == "none.txt: there is no such file: mend the path"
    assert "1 document, 0 of 6 statements matched (6 German); 2 errors" in done.out
    told = json.loads(rulewright("ingest", "letter.txt", "--format", "json").out)
    assert [(e["source"], e["place"]) for e in told["errors"]] == [("letter.txt", "line 3")]


def test_from_standard_input_and_of_a_given_kind(rulewright: Command) -> None:
    text = b"* Eine Anmerkung zu allem.\n"
    assert rulewright("ingest", "-", stdin=text).code == 2
    done = rulewright("ingest", "-", "--as", "wiki", stdin=text)
    assert done.code == 0
    assert done.out.startswith("-: wiki page about –")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--store", "file"], "file: is a file, and no folder; name a folder"),
        (["--store", "folder"], "folder: is no store, and not empty (x); name a new or an empty folder"),
        (["--as", "letter"], "'letter' is not one of"),
    ],
)
def test_bad_usage(rulewright: Command, tmp_path: Path, arguments: list[str], problem: str) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x").write_text("x")
    done = rulewright("ingest", EXAMPLES, *arguments)
    assert done.code == 2
    assert problem in done.err
    assert not done.out


def test_the_five_documents(rulewright: Command) -> None:
    if not SEEDS.exists():
        pytest.skip("the source documents are not there: ../shared/seeds")
    done = rulewright("ingest", *sorted(SEEDS.glob("*.txt")))
    assert done.code == 0
    total = "68 of 68 statements matched (59 German, 5 English, 4 German with an English remark); 0 errors"
    assert f"5 documents, {total}" in done.out
    assert "2 English (CO-4, CO-7); 1 German with an English remark (CO-2)" in done.out
    assert "known as: ES-1 ES-2 ES-3 ES-4 ES-5 ES-6 ES-7 ES-8 ES-9 ES-10" in done.out
