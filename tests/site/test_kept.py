"""What is made once and kept."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from rulewright.site.context import Kept
from waiting import PATIENCE


def test_of_those_who_want_the_same_one_makes_it() -> None:
    kept, made = Kept(), []

    def make() -> int:
        made.append(threading.get_ident())
        time.sleep(0.05)
        return 7

    with ThreadPoolExecutor(8) as many:
        assert set(many.map(lambda _: kept.get("x", make), range(8))) == {7}
    assert len(made) == 1
    assert kept.there("x") == 7
    assert kept.there("y") is None


def test_what_was_asked_for_last_stays() -> None:
    kept = Kept(3)
    for key in ("a", "b", "c", "a", "d"):
        kept.get(key, lambda key=key: key)
    assert [kept.there(key) for key in ("a", "b", "c", "d")] == ["a", None, "c", "d"]


def test_what_is_heavy_makes_more_room() -> None:
    kept = Kept(100, len)
    for key, size in (("a", 40), ("b", 40), ("c", 90)):
        kept.get(key, lambda size=size: b"x" * size)
    assert [kept.there(key) is not None for key in ("a", "b", "c")] == [False, False, True]
    assert len(kept.get("d", lambda: b"x" * 500)) == 500


def test_what_fails_is_not_kept() -> None:
    kept = Kept()
    with pytest.raises(ZeroDivisionError):
        kept.get("x", lambda: 1 / 0)
    assert kept.get("x", lambda: 2) == 2


def test_some_are_forgotten() -> None:
    kept = Kept(10, len)
    for key in ("a1", "b1", "a2"):
        kept.get(key, lambda key=key: key)  # type: ignore[misc]
    kept.forget(lambda key: key.startswith("a"))
    assert [kept.there(key) for key in ("a1", "b1", "a2")] == [None, "b1", None]
    kept.get("c", lambda: "c" * 8)
    assert kept.there("b1") == "b1", "what is forgotten weighs nothing"


def test_what_was_begun_before_all_was_forgotten_is_not_kept() -> None:
    kept, begun, go = Kept(), threading.Event(), threading.Event()

    def old() -> str:
        begun.set()
        assert go.wait(PATIENCE)
        return "old"

    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(kept.get, "x", old)
        assert begun.wait(PATIENCE)
        kept.forget()
        assert kept.get("x", lambda: "new") == "new"
        go.set()
        assert waiting.result(PATIENCE) == "old"
    assert kept.there("x") == "new"
