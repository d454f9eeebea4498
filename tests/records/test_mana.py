"""Mana costs by CR 107.4, 118.7, 202.2, 202.3 and 601.2f."""

from __future__ import annotations

from collections import Counter

import pytest

from rulewright.records import mana


@pytest.mark.parametrize(
    ("cost", "value"),
    [
        ("{0}", 0),
        ("{2}{R}", 3),
        ("{10}{G}{G}", 12),
        ("{X}{X}{R}", 1),  # 202.3e: X is 0 off the stack
        ("{W/U}{W/U}", 2),  # 202.3f: a hybrid symbol counts its larger half
        ("{2/W}{2/W}", 4),
        ("{G/P}", 1),  # 202.3g
        ("{C}{S}", 2),
    ],
)
def test_mana_value(cost: str, value: int) -> None:
    assert mana.mana_value(cost) == value


def test_x_counts_on_the_stack() -> None:
    assert mana.mana_value("{X}{X}{R}", 3) == 7
    assert mana.count("{X}{R}") is None
    assert mana.count("{X}{R}", 3) == Counter(generic=3, R=1)


def test_colours_are_those_of_the_symbols() -> None:
    assert mana.colours("{2}{R}{W/U}{G/P}") == {"R", "W", "U", "G"}
    assert mana.colours("{C}{3}{X}") == set()


@pytest.mark.parametrize("wrong", ["2R", "{2}R", "{2", "{Q}", "{}", "R", "{2} {R}", "{-1}", "{1.5}"])
def test_what_is_no_mana(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"is not mana|is no mana symbol"):
        mana.symbols(wrong)


def test_small_letters_are_the_same_symbols() -> None:
    assert mana.symbols("{2}{r}") == ("2", "R")


@pytest.mark.parametrize(
    ("base", "increases", "reductions", "total"),
    [
        ("{1}{R}", ["{2}"], ["{1}"], "{2}{R}"),
        ("{1}{R}", [], ["{3}"], "{R}"),  # 118.7a: generic reductions touch the generic part only
        ("{R}", ["{2}"], ["{1}"], "{1}{R}"),  # 601.2f: increases come first
        ("{2}{R}", [], ["{R}{R}"], "{1}"),  # 118.7c: what exceeds the colour reduces the generic part
        ("{2}{R}", [], ["{U}"], "{1}{R}"),  # 118.7b
        ("{R}", [], ["{U}"], "{R}"),
        ("{2}", ["{R}"], ["{2}"], "{R}"),
        ("{1}", [], ["{1}"], "{0}"),
    ],
)
def test_total(base: str, increases: list[str], reductions: list[str], total: str) -> None:
    def amounts(costs: list[str]) -> list[Counter[str]]:
        return [amount for cost in costs if (amount := mana.count(cost)) is not None]

    start = mana.count(base)
    assert start is not None
    assert mana.key(mana.total(start, amounts(increases), amounts(reductions))) == total


@pytest.mark.parametrize(
    ("one", "other"), [("{R}{2}", "{2}{R}"), ("{1}{1}{R}", "{2}{R}"), ("{0}{R}", "{R}"), ("{r}", "{R}")]
)
def test_equal_costs_have_one_spelling(one: str, other: str) -> None:
    assert mana.text(one) == mana.text(other)
    assert mana.key(mana.count(one) or Counter()) == mana.key(mana.count(other) or Counter())


def test_x_stays_in_the_text_of_a_cost() -> None:
    assert mana.text("{R}{X}") == "{R}{X}"
    assert mana.text("{X}") == "{X}"
    assert mana.text("{0}") == "{0}"
