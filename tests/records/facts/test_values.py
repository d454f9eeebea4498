"""Values by their type, and in one spelling."""

from __future__ import annotations

import pytest

from rulewright.records import Value
from rulewright.records.facts.values import integer, iri, iris, key, members, number, sequence_key, texts
from rulewright.vocabulary import GAME, NONE, Iri

THING = Iri("urn:g#a")


def test_a_thing_is_neither_none_nor_a_text() -> None:
    assert [iri(v) for v in (THING, NONE, "urn:g#a", None, 1, (THING,))] == [THING, None, None, None, None, None]


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        (["b", "a", "b"], "a | b"),
        ([10, 9], "10 | 9"),
        ([Iri(GAME + "red"), Iri(GAME + "blue")], "blue | red"),
        ([], ""),
        ([THING], None),
        (["a", THING], None),
    ],
)
def test_a_set_of_plain_values_has_one_spelling(values: list[object], wanted: str | None) -> None:
    assert key(values) == wanted
    assert key(reversed(values)) == wanted


def test_a_sequence_keeps_order_and_number() -> None:
    assert sequence_key([3, 1, 3]) == "3 | 1 | 3"


def test_facts_by_type() -> None:
    facts: dict[str, Value] = {"list": (THING, "a", 1), "n": 2, "text": "x"}
    assert (iris(facts, "list"), members(facts, "list"), texts(facts, "list")) == (
        (THING,), (THING, "a", 1), ("urn:g#a", "a", "1"),
    )  # fmt: skip
    assert iris(facts, "none") == members(facts, "text") == ()
    assert (number(facts, "n", 1), number(facts, "text", 1), number(facts, "none", 0)) == (2, 1, 0)
    assert (integer(2), integer("2"), integer(None)) == (2, None, None)
