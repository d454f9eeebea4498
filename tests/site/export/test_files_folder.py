"""A folder that is replaced as a whole, if it is ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.site.export.folder import MARK, replacing
from rulewright.store import StoreError


def write(folder: Path, name: str, text: str = "x") -> None:
    with replacing(folder) as new:
        (new / name).write_text(text)


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_made_and_replaced(tmp_path: Path) -> None:
    place = tmp_path / "site"
    write(place, "a")
    assert names(place) == ["a", MARK]
    write(place, "b")
    assert names(place) == ["b", MARK]
    assert names(tmp_path) == ["site"]
    assert place.stat().st_mode & 0o055 == 0o055


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    place = tmp_path / "site"
    place.mkdir()
    write(place, "a")
    assert names(place) == ["a", MARK]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    place = tmp_path / "site"
    place.symlink_to(tmp_path / "there")
    write(place, "a")
    assert place.is_symlink()
    assert names(tmp_path / "there") == ["a", MARK]


def refused(place: Path, words: str) -> None:
    before = sorted(str(p) for p in place.parent.rglob("*"))
    with pytest.raises(StoreError, match=words):
        write(place, "new")
    assert sorted(str(p) for p in place.parent.rglob("*")) == before


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    place = tmp_path / "site"
    place.mkdir()
    (place / "thesis.txt").write_text("years of work")
    refused(place, "no export of the site")
    (tmp_path / "file").write_text("x")
    refused(tmp_path / "file", "is a file")
    refused(tmp_path / "no" / "site", "cannot be written: No such file")


def test_what_was_put_into_ours_stays(tmp_path: Path) -> None:
    place = tmp_path / "site"
    write(place, "a")
    (place / ".git").mkdir()
    refused(place, "no export wrote there: .git")
    (place / ".git").rmdir()
    (place / MARK).write_text("[]")
    refused(place, "cannot be read")
    (place / MARK).write_text(json.dumps({"entries": None}))
    refused(place, "cannot be read")


def test_nothing_is_left_of_what_fails(tmp_path: Path) -> None:
    place = tmp_path / "site"
    write(place, "a", "old")

    def fail() -> None:
        with replacing(place) as new:
            (new / "a").write_text("new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (place / "a").read_text() == "old"
    assert names(tmp_path) == ["site"]


def test_what_came_meanwhile_stays(tmp_path: Path) -> None:
    place = tmp_path / "site"

    def late() -> None:
        with replacing(place) as new:
            (new / "a").write_text("new")
            place.mkdir()
            (place / "theirs").write_text("x")

    with pytest.raises(StoreError, match="no export of the site"):
        late()
    assert names(place) == ["theirs"]
