"""Names of files."""

from __future__ import annotations

import pytest

from rulewright.site.export.names import Names
from rulewright.vocabulary import BASE


@pytest.mark.parametrize(
    "path",
    ["keyword/rebound", "ruling/RB-8", "edition/2010-04-23/702.85a", "core", "core/0.1.0", "scenario/a/b-c", "de"],
)
def test_a_plain_name_is_the_identifier(path: str) -> None:
    assert Names([BASE + path])[BASE + path] == path


@pytest.mark.parametrize(
    "path",
    [
        "keyword/..", "../x", "a//b", "a/", "", "card/con", "card/AUX.x", "card/é", "card/a b", "card/.x", "card/x.",
        "a.b/c", "index", "card/index", "card/page-3", "search", "de/x", "static/x", "card/" + "x" * 121, "card/a%20b",
    ],
)  # fmt: skip
def test_any_other_gets_a_plain_one(path: str) -> None:
    stem = Names([BASE + path])[BASE + path]
    assert stem != path
    assert stem.rpartition("-")[2].isalnum()
    assert stem.isascii()
    assert Names([BASE + stem])[BASE + stem] == stem


def test_capitals_tell_no_two_apart() -> None:
    names = Names(BASE + path for path in ("card/abc", "card/ABC", "card/aBc"))
    assert names[BASE + "card/ABC"] == "card/ABC"
    assert len({names[thing].casefold() for thing in names}) == len(names) == 3


def test_the_name_of_one_does_not_depend_on_the_order() -> None:
    things = [BASE + path for path in ("card/abc", "card/ABC", "card/..", "x")]
    first, second = Names(things), Names(reversed(things))
    assert {thing: first[thing] for thing in first} == {thing: second[thing] for thing in second}


def test_one_that_takes_the_name_made_for_another() -> None:
    made = Names([BASE + "card/.."])[BASE + "card/.."]
    names = Names([BASE + "card/..", BASE + made])
    assert names[BASE + made] == made
    assert names[BASE + "card/.."] != made
    assert names.get(BASE + "nothing") is None
    assert BASE + "nothing" not in names
