"""`rulewright site` as a user has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands import Command

pytest.importorskip("starlette")


def test_a_part_of_the_package(rulewright: Command, tmp_path: Path) -> None:
    done = rulewright("site", "out", "--only", "RB-8", "--jobs", "1")
    assert (done.code, done.err) == (0, "")
    files = [file for file in (tmp_path / "out").rglob("*") if file.is_file()]
    assert done.out.startswith("out: ")
    assert f" {len(files)} files" in done.out
    assert (tmp_path / "out" / "de" / "ruling" / "RB-8.html").is_file()
    html = (tmp_path / "out" / "ruling" / "RB-8.html").read_text(encoding="utf-8")
    assert str(tmp_path) not in html


def test_what_is_not_there_is_said_and_the_rest_written(rulewright: Command, tmp_path: Path) -> None:
    (tmp_path / "cards.txt").write_text("Nobody's Card\n")
    only = [word for what in ("term/aftermath", "cards.txt", "Nothing") for word in ("--only", what)]
    done = rulewright("site", "out", *only, "--jobs", "1")
    assert done.code == 2
    assert [line.partition(":")[0] for line in done.problems] == ["cards.txt, line 1", "Nothing"]
    assert (tmp_path / "out" / "term" / "aftermath.html").is_file()


def test_nothing_of_it_is_there(rulewright: Command, tmp_path: Path) -> None:
    done = rulewright("site", "out", "--only", "Nothing", "--lang", "de")
    assert (done.code, done.out) == (2, "")
    assert len(done.problems) == 2
    assert "nicht geschrieben" in done.problems[1]
    assert not (tmp_path / "out").exists()


def test_from_a_store(rulewright: Command, tmp_path: Path) -> None:
    examples = Path(__file__).parents[2] / "data" / "examples"
    assert rulewright("ingest", examples, "--store", "store").code == 0
    addresses = ["--base", "https://live.example", "--at", "https://files.example/x"]
    done = rulewright("site", "out", "--store", "store", "--only", "RB-1", "--jobs", "2", *addresses)
    assert (done.code, done.err) == (0, "")
    html = (tmp_path / "out" / "ruling" / "RB-1.html").read_text(encoding="utf-8")
    assert "https://files.example/x/ruling/RB-1.html" in html
    assert any("https://live.example/" in f.read_text(encoding="utf-8") for f in (tmp_path / "out").rglob("*.html"))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["full"], "full: has files that are no export of the site; name another folder, or a new one"),
        (["full/theirs"], "full/theirs: is a file; name a folder"),
        (["no/where"], "no/where: cannot be written: No such file or directory; mend the path"),
        (["out", "--store", "none"], "none: there is no such store"),
        (["out", "--base", "example.org"], "Error: --base: example.org is no web address"),
    ],
)
def test_what_is_wrong(rulewright: Command, tmp_path: Path, arguments: list[str], problem: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "theirs").write_text("x")
    done = rulewright("site", *arguments, "--only", "term/aftermath")
    assert done.code == 2
    assert done.problems[-1].startswith(problem)
    assert sorted(f.name for f in tmp_path.rglob("*")) == ["full", "theirs"]
