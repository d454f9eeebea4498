"""Clients' logs: the kind is recognised, packed or not, and what cannot be read is one error."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from rulewright.records import Record, RecordError
from rulewright.sources import SourceError, open_log
from rulewright.vocabulary import packaged

SAMPLE = packaged("data", "examples", "arena-sample.jsonl").read_bytes()
NAMES = packaged("data", "examples", "arena-names.json")
GAME = {"id": "urn:g", "events": [{"type": "Draw", "n": 1}]}


def plain(raw: bytes) -> bytes:
    return raw


def records(folder: Path, raw: bytes, name: str = "log.txt", names: Path | None = None) -> list[Record | RecordError]:
    (folder / name).write_bytes(raw)
    return list(open_log(folder / name, names))


@pytest.mark.parametrize("pack", [plain, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstandard"])
def test_a_log_by_its_lines_whatever_it_is_called(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    found = records(tmp_path, pack(SAMPLE), names=NAMES)
    assert found
    assert all(isinstance(r, Record) for r in found)
    cards = {str(c.facts["name"]) for r in found if isinstance(r, Record) for c in r.children("cards")}
    assert cards & set(json.loads(NAMES.read_text(encoding="utf-8")).values())


def test_lines_of_the_client_before_the_first_message(tmp_path: Path) -> None:
    assert len(records(tmp_path, b"starting\n" * 150 + SAMPLE)) == len(records(tmp_path, SAMPLE))


@pytest.mark.parametrize(("name", "raw"), [("g.json", json.dumps(GAME)), ("g.jsonl", json.dumps(GAME) + "\n")])
def test_records_are_read_as_such(name: str, raw: str, tmp_path: Path) -> None:
    (record,) = records(tmp_path, raw.encode(), name)
    assert isinstance(record, Record)
    assert record.id == "urn:g"


def cut_off(packed: bytes) -> bytes:
    return packed[:-100_000]


def overwritten(packed: bytes) -> bytes:
    return packed[:-100_000] + b"\xff" * 100_000


def of_another_sum(packed: bytes) -> bytes:
    return packed[:-8] + bytes(4) + packed[-4:]


@pytest.mark.parametrize(
    ("pack", "spoil", "said"),
    [
        (gzip.compress, cut_off, "is cut off"),
        (gzip.compress, of_another_sum, "is damaged"),
        (zstandard.compress, cut_off, "is cut off"),
        (zstandard.compress, overwritten, "is damaged"),
    ],
)
def test_a_packed_log_that_is_not_whole(
    pack: Callable[[bytes], bytes], spoil: Callable[[bytes], bytes], said: str, tmp_path: Path
) -> None:
    """Its lines are long past the first look, and cannot be packed much."""
    noise = random.Random(1)
    more = b"".join(b"%x\n" % noise.getrandbits(4000) for _ in range(600))
    (error,) = [r for r in records(tmp_path, spoil(pack(SAMPLE + more))) if isinstance(r, RecordError)]
    (problem,) = error.problems
    assert problem.source == str(tmp_path / "log.txt")
    assert problem.problem.startswith(said)


def test_a_short_log_that_is_cut_off_is_a_log(tmp_path: Path) -> None:
    found = records(tmp_path, gzip.compress(SAMPLE)[:-20])
    assert ["is cut off" in str(r) for r in found if isinstance(r, RecordError)] == [True]


def test_a_file_that_is_neither(tmp_path: Path) -> None:
    (error,) = records(tmp_path, b"nothing of the kind\n")
    assert isinstance(error, RecordError)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (error,) = list(open_log(tmp_path / "none.log"))
    assert isinstance(error, RecordError)
    assert "none.log" in str(error)


@pytest.mark.parametrize(
    ("raw", "said"),
    [(None, "cannot be read"), ("[]", "not an object"), ("{", "not JSON"), ('{"x": "Bolt"}', "no name by number")],
)
def test_names_that_cannot_be_read_are_an_error_before_any_game(raw: str | None, said: str, tmp_path: Path) -> None:
    names = tmp_path / "names.json"
    if raw is not None:
        names.write_text(raw, encoding="utf-8")
    (tmp_path / "log").write_bytes(SAMPLE)
    with pytest.raises(SourceError, match=said):
        next(open_log(tmp_path / "log", names))
