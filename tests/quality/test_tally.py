"""What became of mutants: listed with reasons, counted, and compared with the numbers kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.quality import fact_mutation, mutation
from rulewright.quality.tally import Count, command, counts, listed, parser, read_counts, written_counts

NAMES = ["a: dropped", "a: x", "a: y: z", "b: dropped"]
KILLERS = ["some/scenario", "", None, "some/scenario"]
COUNTED = {"a": Count(3, 1, 1, ["y: z"]), "b": Count(1, 1, 0, [])}


def fate(position: int) -> str | None:
    return KILLERS[position]


def run(tmp_path: Path, reasons: str, *arguments: str, wanted: tuple[int, ...] = (0, 1, 2, 3)) -> int:
    survivors = tmp_path / "survivors.toml"
    survivors.write_text(reasons, encoding="utf-8")
    options = parser("it", None, survivors, tmp_path / "counts.json").parse_args(["--jobs", "1", *arguments])
    return command(options, NAMES, fate, wanted, each=True)


def reason(*names: str, of: str = "It cannot matter.") -> str:
    return f'[[survivors]]\nreason = "{of}"\nmutants = {list(names)}\n'


def test_survivors_need_a_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, reason("a: y: z", of=" ")) == 2
    assert "without a reason" in capsys.readouterr().err
    assert listed(tmp_path / "absent.toml") == {}


@pytest.mark.parametrize("file", [mutation.SURVIVORS, fact_mutation.SURVIVORS], ids=str)
def test_those_of_the_project_have_one(file: Path) -> None:
    assert all(listed(Path(__file__).parents[2] / file).values())


def test_mutants_are_counted_by_subject(tmp_path: Path) -> None:
    assert counts(list(zip(NAMES, KILLERS, strict=True))) == COUNTED
    file = tmp_path / "counts.json"
    assert read_counts(file) == {}
    file.write_text(written_counts(COUNTED), encoding="utf-8")
    assert read_counts(file) == COUNTED


def test_all_is_well_where_survivors_are_listed_and_the_numbers_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "counts.json"
    assert run(tmp_path, reason("a: y: z"), "--json", str(kept)) == 0
    assert read_counts(kept) == COUNTED
    assert run(tmp_path, reason("a: y: z")) == 0
    out = capsys.readouterr().out
    assert "1 of 2 noticed: a\n" in out
    assert "survives (listed): a: y: z" in out
    assert "4 mutants: 2 killed, 1 equivalent, 1 survive (66.7 % killed)" in out


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ((), "survives (NOT LISTED): a: y: z"),
        (("a: y: z", "a: x"), "listed, but killed: a: x"),
        (("a: y: z", "c: x"), "listed, but no mutant: c: x"),
        (("a: y: z",), "a is not as found"),
    ],
)
def test_anything_else_is_a_finding(
    names: tuple[str, ...], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "counts.json").write_text(written_counts({"b": COUNTED["b"]}), encoding="utf-8")
    assert run(tmp_path, reason(*names)) == 1
    assert says in capsys.readouterr().out


def test_a_run_in_part_looks_at_nothing_else(tmp_path: Path) -> None:
    kept = tmp_path / "counts.json"
    kept.write_text(written_counts(COUNTED), encoding="utf-8")
    assert run(tmp_path, reason("a: y: z", "c: x"), wanted=(3,)) == 0
    run(tmp_path, reason("a: y: z"), "--json", str(kept), wanted=(3,))
    assert read_counts(kept) == COUNTED
