"""Mana costs: written as symbols in braces, counted (CR 107.4), announced (601.2b), reduced (118.7), paid."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

_SYMBOL = re.compile(r"\{([^{}]*)\}")
_KNOWN = re.compile(r"[WUBRGCSXYZ]|\d+|[WUBRGC2]/[WUBRG](/P)?|[WUBRG]/P|C/[WUBRG]")
_ORDER = "XYZ"
_MOST = 1000
"""So many ways to announce a cost are gone through."""


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


def has_x(cost: str) -> bool:
    """Whether a cost is variable (CR 107.3)."""
    return any(symbol in _ORDER for symbol in symbols(cost))


# --- what may be announced for hybrid and Phyrexian symbols (CR 107.4e-f, 601.2b)


def announced(amount: Counter[str], life: bool = True) -> list[Counter[str]]:
    """An amount as it is, and with each such symbol settled: for a half, for its colour, or (`life`) for 2 life.

    An OverflowError where the ways are too many to go through.
    """
    found = {"": Counter({symbol: n for symbol, n in amount.items() if "/" not in symbol})}
    for symbol in amount.elements():
        if "/" in symbol:
            ways = (one + way for one in found.values() for way in _ways(symbol, life))
            found = {key(one): one for one in ways}
            if len(found) > _MOST:
                raise OverflowError
    return list(found.values())


@cache
def _ways(symbol: str, life: bool) -> tuple[Counter[str], ...]:
    halves = [half for half in symbol.split("/") if half != "P"]
    paid = [Counter(generic=int(half)) if half.isdigit() else Counter([half]) for half in halves]
    return (Counter([symbol]), *paid, *([Counter()] if life and symbol.endswith("/P") else []))


def agree(stated: Counter[str], asked: Counter[str]) -> bool | None:
    """Whether an amount is what is asked for, or may be announced for it."""
    if key(stated) == key(asked):
        return True
    try:
        return key(stated) in map(key, announced(asked))
    except OverflowError:
        return None


def pays(paid: str, asked: str) -> bool | None:
    """Whether mana pays for a cost exactly (CR 107.4). Numbers stand for mana whose type is not told.

    None where it depends on such types, on what came from snow sources, or on life that may have been paid.
    """
    mana, cost = count(paid, 0), count(asked, 0)
    assert mana is not None
    assert cost is not None
    if key(mana) == key(cost):
        return True
    try:
        exact = {_covers(one, way) for one in announced(mana) for way in announced(cost, life=False)}
        if True in exact:
            return True
        with_life = {_covers(one, way) for one in announced(mana) for way in announced(cost)}
    except OverflowError:
        return None
    return False if with_life <= {False} else None


def _covers(paid: Counter[str], due: Counter[str]) -> bool | None:
    """Whether mana covers a cost without a choice in it."""
    if paid.total() != due.total() or any("/" in symbol for symbol in due):
        return False
    untold = paid["generic"] + paid["S"]
    short = sum(max(0, n - paid[symbol]) for symbol, n in due.items() if symbol not in ("generic", "S"))
    if short > untold:
        return False
    return None if short or due["S"] > paid["S"] else True


# --- the total cost (CR 118.7, 601.2f)


def reduced(amount: Counter[str], by: Counter[str]) -> Counter[str]:
    """What is left: of generic mana never less than none (118.7a); what a colour lacks comes off generic (118.7b-d).

    A reduction by Phyrexian mana is one by its colour (118.7f), by snow mana one by generic (118.7g).
    """
    result = Counter(amount)
    for symbol, n in by.items():
        kind = symbol.removesuffix("/P") if symbol not in result else symbol
        taken = min(result[kind], n) if kind != "S" else 0
        result[kind] -= taken
        if kind != "generic":
            result["generic"] -= min(result["generic"], n - taken)
    return +result


def at_least(amount: Counter[str], least: int) -> Counter[str]:
    """An amount raised to so much mana, by generic mana (CR 601.2f)."""
    return amount + Counter(generic=max(0, least - size(amount)))


def size(amount: Counter[str]) -> int:
    """How much mana an amount is, a hybrid symbol by its larger half."""
    return sum(n * (2 if symbol.startswith("2/") else 1) for symbol, n in amount.items())


def within(small: Counter[str], large: Counter[str]) -> bool:
    """Whether an amount has no more of anything than another."""
    return all(n <= large[symbol] for symbol, n in small.items())


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
