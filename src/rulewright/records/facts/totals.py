"""The total cost of a spell (CR 601.2f): what changes it, whether claims are explained, which total is due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from rulewright.records import mana
from rulewright.records.facts import effects, paying
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import COMMAND, iris, members
from rulewright.records.model import Node, Value
from rulewright.vocabulary import NONE

Amount = Counter[str]
_TAX = Counter(generic=2)
"""For each time that a commander was cast from the command zone before (CR 903.8)."""

_MOST = 6
"""So many effects that may bear on a spell or not are gone through."""


@dataclass(frozen=True)
class Change:
    """An increase or a reduction; `least`: the mana below which a reduction does not reduce."""

    amount: Amount
    least: int = 0


@dataclass
class Side:
    """All increases, or all reductions."""

    sure: list[Change] = field(default_factory=list)
    possible: list[Change] = field(default_factory=list)
    """By effects of which it is not known whether they bear on the spell."""
    open: bool = False
    """Whether there may be others, which are not recorded."""
    told: bool = True
    """Whether it is known of all that is recorded what it adds here."""


@dataclass
class Changes:
    """What changes a cost, as far as the record tells."""

    increases: Side
    reductions: Side
    least: int = 0
    known: bool = True
    """Whether the amount of everything is known that surely is part of it."""

def facts_at(state: State, at: Moment, base: Amount | None) -> None:
    """The total cost stated and the total cost due, and whether increases and reductions that are claimed are there.

    `base`: the mana of the cost chosen, with X as 0 where its value is not known.
    """
    stated = _amount(at.event.facts.get("totalCost"), at.facts.get("x"))
    if stated is not None and len(members(at.event.facts, "cost")) == 1 and at.facts.get("basisMana") != NONE:
        at.facts["totalCostKey"] = mana.key(stated)
    changes, paid = _given(state, at), paying.paid(state, at)
    whole = None if base is None else sum(paid.amounts, base)
    _claims(at, changes, paid.amounts, whole)
    if whole is not None and paid.known and changes.known:
        variable = "x" not in at.facts and mana.has_x(str(at.facts["basisMana"]))
        changes.increases.open = changes.increases.open or paid.rises or variable
        _due(at, changes, whole, stated, variable)
    told = changes.increases.told and changes.reductions.told
    if told and not (paid.rises and "additionalCosts" in at.event.facts):
        at.facts["costModifiersKnown"] = True


def _amount(of: Value | None, x: Value | None = None) -> Amount | None:
    if not isinstance(of, str) or of == NONE:
        return None
    return mana.count(of, x if isinstance(x, int) else None)


# --- what changes a cost


def _given(state: State, at: Moment) -> Changes:
    """What effects (CR 118.7, 611), keywords and the commander tax (903.8) make of a cost."""
    named = iris(at.facts, "keywordsNamed")
    unsure = not (state.effects_closed and at.facts.get("keywordsListed") and state.names.define(named))
    reduced = any(state.names.cost(keyword).reduces for keyword in named)
    changes = Changes(Side(open=unsure), Side(open=unsure or reduced, told=not reduced))
    for effect, holds in effects.changing_costs(state, at):
        if holds is not False:
            _by_effect(changes, effect, holds is True)
    if not _tax(state, at, changes.increases):
        changes.increases.open, changes.increases.told = True, False
    return changes


def _by_effect(changes: Changes, effect: Node, holds: bool) -> None:
    least = _amount(effect.facts.get("minimum"))
    floor = 0 if least is None else least.total()
    for verb, side in (("increases", changes.increases), ("reduces", changes.reductions)):
        if verb in effect.facts:
            amount = _amount(effect.facts[verb])
            if amount is not None:
                (side.sure if holds else side.possible).append(Change(amount, floor))
            elif holds:
                changes.known = False
            else:
                side.open, side.told = True, False
    if "minimum" in effect.facts and "reduces" not in effect.facts:
        if not holds:
            changes.increases.open, changes.increases.told = True, False
        elif least is None:
            changes.known = False
        else:
            changes.least = max(changes.least, floor)


def _tax(state: State, at: Moment, increases: Side) -> bool:
    """What a commander costs more: something for each time that its player cast it from the command zone (CR 903.8).

    Whether these times are known: it is not told of other cards there whether they are commanders.
    """
    start, card = at.facts.get("from"), state.node(at.card)
    if start is not None and start != COMMAND:
        return True
    if start is None or card is None or card.facts.get("commander") is not True:
        return False
    same = (at.card, at.facts.get("player"), COMMAND)
    before = sum(1 for c in state.casts if (c.facts.get("card"), c.facts.get("player"), c.facts.get("from")) == same)
    increases.sure += [Change(_TAX)] * before
    return state.value(state.events[0].iri, "turn") == 1 and "Cast" in state.complete


# --- what is claimed to change it


def _claimed(at: Moment, name: str) -> Amount | None:
    """What the cast claims in sum; None where an amount is not known."""
    amounts = [_amount(claim, at.facts.get("x")) for claim in members(at.event.facts, name)]
    known = [amount for amount in amounts if amount is not None]
    return sum(known, Counter[str]()) if len(known) == len(amounts) else None


def _claims(at: Moment, changes: Changes, paid: Sequence[Amount], whole: Amount | None) -> None:
    """Whether increases and reductions that are claimed are there. Where they are claimed, there are no others."""
    stated = at.event.facts
    if "costReductions" in stated:
        side, claimed = changes.reductions, _claimed(at, "costReductions")
        given = sum((change.amount.total() for change in side.sure), 0)
        # generic mana that is not there cannot be taken off: less than all may have been
        explained = True if claimed is not None and claimed.total() <= given else _compare(changes, side, claimed, ())
        if explained is not None:
            at.facts["reductionsExplained"] = explained
        side.possible, side.open = [], False
    if "costIncreases" in stated:
        side, claimed = changes.increases, _claimed(at, "costIncreases")
        explained = _compare(changes, side, claimed, [*paid, *_raised(changes, whole)])
        if explained is not None:
            at.facts["increasesExplained"] = explained
        side.possible, side.open = [], False


def _raised(changes: Changes, whole: Amount | None) -> list[Amount]:
    """What the least cost adds."""
    if not changes.least or whole is None:
        changes.increases.told = changes.increases.told and not changes.least
        return []
    before = _total(whole, changes.reductions.sure, 0)
    return [mana.at_least(before, changes.least) - before]


def _compare(changes: Changes, side: Side, claimed: Amount | None, others: Sequence[Amount]) -> bool | None:
    """Whether something recorded gives what is claimed; what nothing gives is taken as it is claimed."""
    if claimed is None:
        changes.known = False
        return None
    sure, possible = ([change.amount for change in some] for some in (side.sure, side.possible))
    if _chosen(claimed, [*sure, *others]) is not None:
        return True
    chosen = _chosen(claimed, [*possible, *sure, *others])
    if chosen is not None:
        side.sure += [side.possible[i] for i in chosen if i < len(possible)]
        return None
    if side.open and not mana.within(sum(sure, Counter[str]()), claimed):
        side.sure.append(Change(claimed))
    else:
        side.sure = [Change(claimed)]
    return False if side.told else None


def _chosen(wanted: Amount, amounts: Sequence[Amount]) -> tuple[int, ...] | None:
    """Which amounts make a sum."""
    sums: dict[str, tuple[Amount, tuple[int, ...]]] = {mana.key(Counter()): (Counter(), ())}
    for index, amount in enumerate(amounts):
        for so_far, chosen in list(sums.values()):
            if mana.within(more := so_far + amount, wanted):
                sums.setdefault(mana.key(more), (more, (*chosen, index)))
    found = sums.get(mana.key(wanted))
    return None if found is None else found[1]


# --- the total that is due


def _due(at: Moment, changes: Changes, whole: Amount, stated: Amount | None, variable: bool) -> None:
    """The total cost due: where several are, the one that is stated; and whether that one cannot be due.

    Not known where X is not (`variable`), nor whether an effect bears on the spell, unless that makes no difference.
    """
    whole = sum((change.amount for change in changes.increases.sure), whole)
    due = _total(whole, changes.reductions.sure, changes.least)
    unsettled = variable or bool(changes.increases.possible or changes.reductions.possible)
    if stated is not None and (unsettled or mana.key(stated) != mana.key(due)):
        try:
            ruled_out = not any(_fits(one, more, stated) for one, more in _each(changes, whole))
            if not unsettled and _is_among(changes, whole, stated):
                due = stated
        except OverflowError:
            return
        at.facts["totalRuledOut"] = ruled_out
        unsettled = unsettled and not ruled_out
    if not unsettled:
        at.facts["costTotal"] = mana.key(due)


def _each(changes: Changes, whole: Amount) -> Iterator[tuple[Changes, Amount]]:
    """The changes with some of those that are possible, and the cost that these increases make."""
    if len(changes.increases.possible) + len(changes.reductions.possible) > _MOST:
        raise OverflowError
    for up, down in product(_some(changes.increases.possible), _some(changes.reductions.possible)):
        reductions = Side([*changes.reductions.sure, *down], open=changes.reductions.open)
        one = Changes(Side(open=changes.increases.open), reductions, changes.least)
        yield one, sum((change.amount for change in up), whole)


def _some(possible: Sequence[Change]) -> Iterator[tuple[Change, ...]]:
    return (some for n in range(len(possible) + 1) for some in combinations(possible, n))


def _fits(changes: Changes, whole: Amount, stated: Amount) -> bool:
    return _is_among(changes, whole, stated) or _could_be(changes, whole, stated)


def _is_among(changes: Changes, whole: Amount, stated: Amount) -> bool:
    return any(mana.key(stated) == mana.key(total) for total in _totals(changes, whole, changes.least))


def _totals(changes: Changes, whole: Amount, least: int) -> Iterator[Amount]:
    """Every total to which choices for hybrid and Phyrexian mana lead (CR 118.7e, 601.2b)."""
    ways = [
        [Change(amount, change.least) for amount in mana.announced(change.amount, life=False)]
        for change in changes.reductions.sure
    ]
    for announced in mana.announced(whole):
        for reductions in product(*ways):
            yield _total(announced, reductions, least)


def _could_be(changes: Changes, whole: Amount, stated: Amount) -> bool:
    """Whether increases or reductions that are not recorded could lead to a total."""
    if mana.size(stated) < changes.least:
        return False
    if changes.increases.open and not changes.reductions.open:
        return any(mana.within(lower, stated) for lower in _totals(changes, whole, 0))
    if changes.reductions.open and not changes.increases.open and not changes.least:
        return any(mana.within(stated, announced) for announced in mana.announced(whole))
    return changes.increases.open or changes.reductions.open


def _total(whole: Amount, reductions: Sequence[Change], least: int) -> Amount:
    for change in reductions:
        after = mana.reduced(whole, change.amount)
        whole = mana.at_least(after, min(change.least, mana.size(whole)))
    return mana.at_least(whole, least)
