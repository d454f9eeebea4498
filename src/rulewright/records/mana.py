"""Mana costs: written as symbols in braces, counted per symbol (CR 107.4), added and reduced (CR 601.2f)."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

_SYMBOL = re.compile(r"\{([^{}]*)\}")
_KNOWN = re.compile(r"[WUBRGCSXYZ]|\d+|[WUBRGC2]/[WUBRG](/P)?|[WUBRG]/P|C/[WUBRG]")
_ORDER = "XYZ"


@cache
def symbols(cost: str) -> tuple[str, ...]:
    """The symbols of a cost in the order written; a ValueError says which one is none."""
    found = tuple(m.group(1).upper() for m in _SYMBOL.finditer(cost))
    if "".join(f"{{{s}}}" for s in found) != cost.upper():
        raise ValueError(f"{cost!r} is not mana: write symbols in braces, such as {{2}}{{R}}")
    for symbol in found:
        if not _KNOWN.fullmatch(symbol):
            raise ValueError(f"{{{symbol}}} is no mana symbol: use digits, W U B R G C S X or hybrids such as W/U")
    return found


def count(cost: str, x: int | None = None) -> Counter[str] | None:
    """Mana by symbol, generic mana under `generic`. None where {X} is in the cost and `x` is not known."""
    total: Counter[str] = Counter()
    for symbol in symbols(cost):
        if symbol.isdigit():
            total["generic"] += int(symbol)
        elif symbol in _ORDER:
            if x is None:
                return None
            total["generic"] += x
        else:
            total[symbol] += 1
    return total


def mana_value(cost: str, x: int = 0) -> int:
    """The mana value of a mana cost (CR 202.3): {X} counts `x` (202.3e), a hybrid symbol its larger half (202.3f)."""
    value = 0
    for symbol in symbols(cost):
        if symbol.isdigit():
            value += int(symbol)
        elif symbol in _ORDER:
            value += x
        else:
            value += 2 if symbol.startswith("2/") else 1
    return value


def colours(cost: str) -> set[str]:
    """The colours of the symbols in a mana cost (CR 202.2), as letters."""
    return {letter for symbol in symbols(cost) for letter in symbol.split("/") if letter in "WUBRG"}


def total(base: Counter[str], increases: list[Counter[str]], reductions: list[Counter[str]]) -> Counter[str]:
    """Base, then increases, then reductions (CR 601.2f); generic mana is not reduced below nothing (CR 118.7c)."""
    result = Counter(base)
    for increase in increases:
        result.update(increase)
    for reduction in reductions:
        for symbol, amount in reduction.items():
            taken = min(result[symbol], amount)
            result[symbol] -= taken
            if symbol != "generic":
                result["generic"] -= min(result["generic"], amount - taken)
    return +result


def key(amount: Counter[str]) -> str:
    """One spelling for equal amounts of mana: generic first, then symbols in alphabetical order; `{0}` for none."""
    parts = [f"{{{amount['generic']}}}"] if amount["generic"] else []
    parts += [f"{{{s}}}" * n for s, n in sorted(amount.items()) if s != "generic" and n > 0]
    return "".join(parts) or "{0}"


def text(cost: str) -> str:
    """One spelling for equal mana costs: symbols sorted, numbers added, {X} kept."""
    numbers = sum(int(s) for s in symbols(cost) if s.isdigit())
    others = sorted(s for s in symbols(cost) if not s.isdigit())
    return (f"{{{numbers}}}" if numbers or not others else "") + "".join(f"{{{s}}}" for s in others)
