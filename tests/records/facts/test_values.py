"""Values by their type, and in one spelling."""

from __future__ import annotations

import pytest

from rulewright.records import Value
from rulewright.records.facts.values import as_one, integer, iri, iris, members, number, numbers_as_one, texts
from rulewright.vocabulary import NONE, Iri, Scalar

THING = Iri("urn:g#a")


def test_a_thing_is_neither_none_nor_a_text() -> None:
    assert [iri(v) for v in (THING, NONE, "urn:g#a", None, 1, (THING,))] == [THING, None, None, None, None, None]


@pytest.mark.parametrize(
    ("compared", "same", "others"),
    [
        ("set", ["b", "a", "b"], ["b", "a"]),
        ("bag", ["b", "a", "b"], ["b", "b", "a"]),
        ("sequence", ["b", "a", "b"], ["b", "a", "b"]),
        ("set", [10, 9], [9, 10]),
        ("bag", ["a", THING], [THING, "a"]),
        ("set", [], []),
    ],
)
def test_lists_that_are_the_same(compared: str, same: list[Scalar], others: list[Scalar]) -> None:
    assert as_one(same, compared) == as_one(others, compared)


@pytest.mark.parametrize(
    ("compared", "one", "other"),
    [
        ("set", ["a", "b"], ["a | b"]),
        ("set", ["a, b"], ["a", "b"]),
        ("set", ['a", "b'], ["a", "b"]),
        ("set", ["1"], [1]),
        ("set", [THING], [str(THING)]),
        ("bag", ["a", "a"], ["a"]),
        ("bag", ["a", "a", "b"], ["a", "b", "b"]),
        ("sequence", ["a", "b"], ["b", "a"]),
    ],
)
def test_lists_that_differ(compared: str, one: list[Scalar], other: list[Scalar]) -> None:
    assert as_one(one, compared) != as_one(other, compared)


def test_numbers_of_kinds() -> None:
    assert numbers_as_one({"time": 2, "ash": 1, "ice": 0}) == numbers_as_one({"ash": 1, "time": 2})
    assert numbers_as_one({"time": 2}) != numbers_as_one({"time": 1})
    assert numbers_as_one({"time: 2": 1}) != numbers_as_one({"time": 2})


def test_facts_by_type() -> None:
    facts: dict[str, Value] = {"list": (THING, "a", 1), "n": 2, "text": "x"}
    assert (iris(facts, "list"), members(facts, "list"), texts(facts, "list")) == (
        (THING,), (THING, "a", 1), ("urn:g#a", "a", "1"),
    )  # fmt: skip
    assert iris(facts, "none") == members(facts, "text") == ()
    assert (number(facts, "n", 1), number(facts, "text", 1), number(facts, "none", 0)) == (2, 1, 0)
    assert (integer(2), integer("2"), integer(None)) == (2, None, None)
