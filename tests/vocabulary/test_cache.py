"""The cache: kept by the digest of what it is made of, and never in the way."""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.vocabulary import cache, cached


class Maker:
    """Counts how often it is asked to make the thing."""

    def __init__(self, made: object = "made") -> None:
        self.made, self.times = made, 0

    def __call__(self) -> object:
        self.times += 1
        return self.made


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "source.ttl"
    file.write_text("one", encoding="utf-8")
    return file


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.pickle"))


def test_it_is_made_once(folder: Path, source: Path) -> None:
    maker = Maker({"a": [1]})
    assert [cached("thing", [source], maker) for _ in range(3)] == [{"a": [1]}] * 3
    assert maker.times == 1
    assert len(kept(folder)) == 1
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_changed_file_is_read_anew_and_what_was_kept_of_it_is_removed(folder: Path, source: Path) -> None:
    cached("thing", [source], Maker("one"))
    before = kept(folder)
    source.write_text("two", encoding="utf-8")
    assert cached("thing", [source], Maker("two")) == "two"
    assert len(kept(folder)) == 1
    assert kept(folder) != before


def test_so_is_a_changed_program(folder: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cached("thing", [source], Maker("one"))
    module = source.with_name("module.py")
    module.write_text("x = 1", encoding="utf-8")
    monkeypatch.setattr(cache, "_code", lambda: [module])
    assert cached("thing", [source], Maker("two")) == "two"


def test_things_are_kept_apart_by_name(folder: Path, source: Path) -> None:
    assert [cached(name, [source], Maker(name)) for name in ("thing", "other")] == ["thing", "other"]
    assert [cached(name, [source], Maker()) for name in ("thing", "other")] == ["thing", "other"]


def test_a_name_that_begins_like_another_does_not_remove_it(folder: Path, source: Path) -> None:
    cached("a-b", [source], Maker("long"))
    cached("a", [source], Maker("short"))
    assert cached("a-b", [source], Maker()) == "long"


@pytest.mark.parametrize(
    "content",
    [
        b"", b"no pickle", pickle.dumps("made")[:-1], b"\x80\x05garbage",
        b"cno.such.module\nThing\n.", pickle.dumps("another"),
    ],
    ids=["empty", "text", "cut off", "garbage", "module gone", "another thing"],
)  # fmt: skip
def test_a_damaged_file_is_made_anew(content: bytes, folder: Path, source: Path) -> None:
    cached("thing", [source], Maker())
    (file,) = kept(folder)
    file.write_bytes(content)
    maker = Maker()
    assert [cached("thing", [source], maker) for _ in range(2)] == ["made", "made"]
    assert maker.times == 1


def test_a_single_wrong_byte_is_noticed(folder: Path, source: Path) -> None:
    cached("thing", [source], Maker("a word"))
    (file,) = kept(folder)
    file.write_bytes(file.read_bytes().replace(b"word", b"ward"))
    assert cached("thing", [source], Maker("anew")) == "anew"


def test_a_file_of_another_user_is_not_read(folder: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To read a pickle is to run it."""
    cached("thing", [source], Maker())
    (file,) = kept(folder)
    file.write_bytes(hashlib.sha256(pickle.dumps("planted")).digest() + pickle.dumps("planted"))
    assert cached("thing", [source], Maker()) == "planted"
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    assert cached("thing", [source], Maker()) == "made"


def test_none_is_kept_where_the_variable_is_empty(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    maker = Maker()
    cached("thing", [source], maker)
    cached("thing", [source], maker)
    assert maker.times == 2
    assert not (tmp_path / "xdg").exists()


@pytest.mark.parametrize("spoil", [lambda f: f.write_text("a file"), lambda f: f.symlink_to("/dev/null/x")],
                         ids=["a file", "nowhere"])  # fmt: skip
def test_a_folder_that_cannot_be_made_is_no_error(spoil: Callable[[Path], object], folder: Path, source: Path) -> None:
    spoil(folder)
    assert cached("thing", [source], Maker()) == "made"


def test_what_cannot_be_kept_is_no_error(folder: Path, source: Path) -> None:
    thing = [object(), lambda: None]
    assert cached("thing", [source], lambda: thing) is thing
    assert list(folder.glob("*")) == []


def test_an_error_in_making_is_not_kept(folder: Path, source: Path) -> None:
    def fails() -> str:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        cached("thing", [source], fails)
    assert cached("thing", [source], Maker()) == "made"


@pytest.mark.parametrize(
    ("set_", "wanted"),
    [
        ({"RULEWRIGHT_CACHE": "/a", "XDG_CACHE_HOME": "/b"}, "/a"),
        ({"XDG_CACHE_HOME": "/b"}, "/b/rulewright"),
        ({"HOME": "/h"}, "/h/.cache/rulewright"),
        ({"XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/rulewright"),
    ],
)
def test_where_it_is(set_: dict[str, str], wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RULEWRIGHT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in set_.items():
        monkeypatch.setenv(name, value)
    assert cache.folder() == Path(wanted)
