"""Numbers of rules move: which one a rule had on a day."""

from __future__ import annotations

import pytest

from rulewright.vocabulary import KEYWORD, NEWEST, RULE, RULING, Iri, RuleNumbers, load_rule_numbers

MOVED, ONCE, UNKNOWN = Iri(RULE + "moved-a"), Iri(RULE + "once"), Iri(RULE + "unknown-b")
TABLE = RuleNumbers({MOVED: [(20100101, "702.85a"), (20150101, "702.87a"), (20200101, "702.88a")],
                     ONCE: [(20100101, "101.2")]})  # fmt: skip


@pytest.mark.parametrize(
    ("day", "number"),
    [
        (20090101, "702.85a"), (20100101, "702.85a"), (20141231, "702.85a"), (20150101, "702.87a"),
        (20191231, "702.87a"), (20200101, "702.88a"), (NEWEST, "702.88a"),
    ],
)  # fmt: skip
def test_the_number_of_a_day(day: int, number: str) -> None:
    """A number holds from its day on; before the first, the first is the best there is."""
    assert TABLE.number(MOVED, day) == number


def test_a_rule_that_is_not_in_the_table() -> None:
    assert (TABLE.number(UNKNOWN, NEWEST), TABLE.numbers(UNKNOWN)) == (None, set())


def test_all_numbers_of_a_rule() -> None:
    assert TABLE.numbers(MOVED) == {"702.85a", "702.87a", "702.88a"}


@pytest.mark.parametrize(
    ("authority", "label"),
    [
        (MOVED, "CR 702.87a"),
        (UNKNOWN, "unknown-b"),
        (Iri(RULING + "RB-1"), "RB-1"),
        (Iri(KEYWORD + "rebound"), "rebound"),
    ],
)
def test_how_an_authority_is_cited(authority: Iri, label: str) -> None:
    assert TABLE.label(authority, 20160101) == label


def test_the_packaged_table() -> None:
    table = load_rule_numbers()
    rebound = Iri(RULE + "rebound-a")
    assert {"702.85a", "702.88a"} <= table.numbers(rebound)
    assert table.number(rebound, 20110101) != table.number(rebound, NEWEST) == "702.88a"
    for known in table.versions.values():
        assert known == sorted(known)
        assert all(19930101 < since < NEWEST for since, _ in known)
