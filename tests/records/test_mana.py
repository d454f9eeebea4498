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


def amount(cost: str) -> Counter[str]:
    found = mana.count(cost)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("cost", "by", "left"),
    [
        ("{2}{R}", "{1}", "{1}{R}"),
        ("{1}{R}", "{3}", "{R}"),  # 118.7a: generic reductions touch the generic part only
        ("{2}{R}", "{R}{R}", "{1}"),  # 118.7c: what exceeds the colour reduces the generic part
        ("{2}{R}", "{U}", "{1}{R}"),  # 118.7b
        ("{R}", "{U}", "{R}"),
        ("{2}{C}", "{C}{C}", "{1}"),  # 118.7d
        ("{1}{W}", "{W/P}", "{1}"),  # 118.7f
        ("{2}{S}", "{S}", "{1}{S}"),  # 118.7g
        ("{1}{W/U}", "{1}", "{W/U}"),
        ("{1}", "{1}", "{0}"),
    ],
)
def test_reduced(cost: str, by: str, left: str) -> None:
    assert mana.key(mana.reduced(amount(cost), amount(by))) == left


@pytest.mark.parametrize(
    ("cost", "least", "raised"), [("{R}", 3, "{2}{R}"), ("{2/W}", 3, "{1}{2/W}"), ("{4}", 3, "{4}"), ("{0}", 1, "{1}")]
)
def test_a_least_cost_adds_generic_mana(cost: str, least: int, raised: str) -> None:
    assert mana.key(mana.at_least(amount(cost), least)) == raised


@pytest.mark.parametrize(
    ("cost", "ways"),
    [
        ("{1}{R}", {"{1}{R}"}),
        ("{W/U}", {"{W/U}", "{W}", "{U}"}),  # 107.4e
        ("{2/W}{1}", {"{1}{2/W}", "{3}", "{1}{W}"}),
        ("{C/W}", {"{C/W}", "{C}", "{W}"}),
        ("{W/P}", {"{W/P}", "{W}", "{0}"}),  # 107.4f: or 2 life
        ("{G/U/P}", {"{G/U/P}", "{G}", "{U}", "{0}"}),
    ],
)
def test_what_may_be_announced(cost: str, ways: set[str]) -> None:
    assert set(map(mana.key, mana.announced(amount(cost)))) == ways


def test_too_many_ways_to_announce_are_not_gone_through() -> None:
    cost = "".join(f"{{{a}/{b}}}" for a, b in ("WU", "WB", "UB", "UR", "BR", "BG", "RG", "RW", "GW", "GU")) * 2
    with pytest.raises(OverflowError):
        mana.announced(amount(cost))
    assert mana.agree(amount("{1}"), amount(cost)) is None
    assert mana.pays("{20}", cost) is None


@pytest.mark.parametrize(
    ("paid", "cost", "pays"),
    [
        ("{1}{R}", "{R}{1}", True),
        ("{U}{R}", "{1}{R}", True),  # 107.4b: any mana pays for generic
        ("{C}{R}", "{1}{R}", True),
        ("{W}", "{W/U}", True),
        ("{G}", "{W/U}", False),
        ("{B}{B}", "{2/W}", True),
        ("{W}", "{2/W}", True),
        ("{R}", "{1}{R}", False),
        ("{2}{R}", "{1}{R}", False),
        ("{U}{U}", "{1}{R}", False),
        ("{2}", "{1}{R}", None),  # the number does not say of which colour the mana was
        ("{W}", "{C}", False),
        ("{W}", "{S}", None),  # 107.4h: whether it came from a snow source is not told
        ("{S}", "{S}", True),
        ("{1}", "{1}{W/P}", None),  # 107.4f: 2 life may have been paid
        ("{1}{W}", "{1}{W/P}", True),
        ("{U}{U}{U}", "{1}{W/P}", False),
    ],
)
def test_what_pays_for_a_cost(paid: str, cost: str, pays: bool | None) -> None:
    assert mana.pays(paid, cost) is pays


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
