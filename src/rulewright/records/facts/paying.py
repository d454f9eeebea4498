"""Paying: as whose cost something is paid, what that asks for, and where the cards go (CR 118.8, 601.2b, 601.2h)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rulewright.records import mana
from rulewright.records.facts import effects, keywords
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import ACTIVATED_ABILITY, integer, iri, iris, number
from rulewright.records.model import Node, Value
from rulewright.records.words import COST, normal
from rulewright.vocabulary import NONE, Iri
from rulewright.vocabulary.costs import ACTION, ADDITIONAL, ALTERNATIVE, OF_ANOTHER_CARD, WAY_OF_PAYING

_WITHOUT_MANA = frozenset({ACTION, WAY_OF_PAYING})


def kind(state: State, of: Node) -> Iri | None:
    """The kind of a cost that is paid otherwise than with mana; None where its word names none."""
    named = of.facts.get("kind")
    return None if named is None else state.names.resolve(COST, str(named))


def word(state: State, of: Node) -> str:
    """The kind of a cost or the keyword whose cost it is, else its word in one spelling: the same for the same cost."""
    return iri(state.value(of.iri, "kindMeant")) or normal(str(of.facts.get("kind")))


def keyword(state: State, payment: Node) -> Iri | None:
    """The keyword as whose cost something is paid."""
    if kind(state, payment) is not None or "kind" not in payment.facts:
        return None
    return iri(state.names.in_label(str(payment.facts["kind"]), state.card_keywords))


def is_known(state: State, payment: Node) -> bool:
    """Whether it is known as what something is paid."""
    return kind(state, payment) is not None or state.names.cost(keyword(state, payment)).role is not None


def cards(payment: Node) -> tuple[Iri, ...]:
    """The cards with which something is paid."""
    one = iri(payment.facts.get("card"))
    return (*iris(payment.facts, "paymentCards"), *([one] if one is not None else []))


def lists_cards(payment: Node) -> bool:
    return "paymentCards" in payment.facts or "card" in payment.facts


def done_with_cards(state: State, at: Node, payment: Node) -> Iri | None:
    """The kind of cost that the cards pay, by the payment's kind, by its keyword, or by what its ability asks for."""
    named = kind(state, payment)
    if named is not None:
        return named
    of = keyword(state, payment)
    if (by := state.names.cost(of).paid_by) is not None:
        return by
    card = state.node(at.facts.get("card"))
    asked = {
        kind(state, asks)
        for part in (state.parts_cast(card, None) if card is not None else ())
        for instance in state.parts(part, "keywords")
        if state.instances[instance.iri] == of and (asks := state.node(instance.facts.get("costKind"))) is not None
    }
    return asked.pop() if len(asked) == 1 else None


# --- what keywords ask for


def judged(state: State, at: Moment) -> None:
    """Of each payment by a keyword: whether that is there, what it asks for, and whether it is paid too often."""
    times: Counter[Iri] = Counter()
    for payment in state.parts(at.event, "additionalCosts"):
        of = keyword(state, payment)
        role = state.names.cost(of).role
        if of is None or role in (None, ALTERNATIVE):
            continue
        facts = state.facts(payment.iri)
        facts["paymentKeyword"] = of
        instances, whole = _instances(state, at, payment, of)
        if instances or whole:
            facts["paymentHeld"] = bool(instances)
        if role in _WITHOUT_MANA or not instances:
            if role in _WITHOUT_MANA or whole:
                facts["paidTooOften"] = False
            continue
        _asked(state, at, payment, instances, whole)
        times[of] += number(payment.facts, "n", 1)
        if times[of] <= len(instances) or any(_is_repeatable(state, i) for i in instances):
            facts["paidTooOften"] = False
        elif whole:
            facts["paidTooOften"] = True


def _is_repeatable(state: State, instance: Iri) -> bool:
    return state.names.cost(state.instances[instance]).role != ADDITIONAL


def _instances(state: State, at: Moment, payment: Node, of: Iri) -> tuple[list[Iri], bool]:
    """The instances as whose cost something can be paid, and whether there are no others."""
    if state.names.cost(of).role == OF_ANOTHER_CARD:
        return _of_another(state, at, payment, of)
    there = iris(at.facts, "instancesInForce")
    found = [i for i in there if of in (state.instances[i], state.names.cost(state.instances[i]).variant_of)]
    return found, "keywordsListed" in at.facts and not _may_be_granted(state)


def _of_another(state: State, at: Moment, payment: Node, of: Iri) -> tuple[list[Iri], bool]:
    found: list[Iri] = []
    whole = lists_cards(payment) and not _may_be_granted(state)
    for card in cards(payment):
        has = keywords.in_force(state, at.event, None, card, None)
        found += [i for i in has.surely if state.instances[i] == of]
        whole = whole and has.all_stated and not has.maybe
    return found, whole


def _may_be_granted(state: State) -> bool:
    """Whether a listed effect of which it is not said what it does may give a keyword."""
    return state.effects_stated and not state.effects_closed


def _asked(state: State, at: Moment, payment: Node, instances: list[Iri], whole: bool) -> None:
    """The mana that the keyword asks for (CR 601.2f), and that which is paid, as far as they are known."""
    facts = state.facts(payment.iri)
    costs = {state.facts(i).get("keywordCost") for i in instances}
    settled = whole and len(costs) == 1 and None not in costs
    if settled:
        facts["keywordCost"] = next(iter(costs)) or NONE
    if NONE in costs or payment.facts.get("mana") == NONE:
        return
    x, n = integer(at.facts.get("x")), number(payment.facts, "n", 1)
    stated = payment.facts.get("mana")
    due = [amount for cost in costs if (amount := _due(cost, x, n)) is not None]
    if stated is None:
        if settled and due:
            facts["manaAskedKey"] = mana.key(due[0])
        return
    paid = mana.count(str(stated), x)
    if paid is None:
        return
    facts["manaPaidKey"] = mana.key(paid)
    for amount, once in ((a, _due(c, x, 1)) for c in costs if (a := _due(c, x, n)) is not None):
        if mana.agree(paid, amount) is not False or (once is not None and mana.agree(paid, once) is not False):
            facts["manaPaidKey"] = facts["manaAskedKey"] = mana.key(amount)
            return
    if whole and due and len(due) == len(costs):
        facts["manaAskedKey"] = mana.key(due[0])


def _due(cost: Value | None, x: int | None, times: int) -> Counter[str] | None:
    """A cost as often as it is paid."""
    once = mana.count(str(cost), x) if cost is not None else None
    return None if once is None else Counter({symbol: n * times for symbol, n in once.items()})


def alternative(state: State, at: Moment) -> None:
    """Whether the keyword of the alternative cost is there, and what it asks for (CR 118.9, 601.2b)."""
    of = iri(at.facts.get("alternativeKeyword"))
    cost = state.names.cost(of)
    if of is None or cost.role is None:
        return
    at.facts["alternativeCostKeyword"] = of
    if cost.role != ALTERNATIVE:
        at.facts["alternativeHeld"] = False
        return
    instances = keywords.of_instances(state, at.facts, of)
    whole = "keywordsListed" in at.facts and not _may_be_granted(state)
    if instances or whole:
        at.facts["alternativeHeld"] = bool(instances)
    costs = {state.facts(i).get("keywordCostText") for i in instances}
    if cost.cast_for is not None:
        at.facts["alternativeAskedText"] = mana.text(cost.cast_for)
    elif (paid := at.facts.get("basisManaText")) is not None and paid in costs:
        at.facts["alternativeAskedText"] = paid
    elif whole and None not in costs and len(costs) == 1:
        at.facts["alternativeAskedText"] = costs.pop() or NONE


# --- activated abilities


def activation(state: State, at: Moment) -> None:
    """The mana that activating an ability costs, and whether it is paid (CR 602.2b)."""
    if "ability" not in at.event.facts:
        return
    named = keywords.own_abilities(state, at)
    own = [a for a in named if state.value(a.iri, "abilityKindMeant") in (None, ACTIVATED_ABILITY)]
    of = at.facts.get("abilityKeyword")
    instances = keywords.of_instances(state, at.facts, of) if not named and state.names.cost(of).role is None else []
    costs = {ability.facts.get("abilityCost") for ability in own}
    costs |= {state.facts(instance).get("keywordCost") for instance in instances}
    cost = costs.pop() if len(costs) == 1 else None
    if not isinstance(cost, str) or cost == NONE or mana.has_x(cost):
        return
    at.facts["abilityCost"], paid = cost, at.event.facts.get("paid")
    if isinstance(paid, str) and paid != NONE and not mana.has_x(paid):
        pays = mana.pays(paid, cost)
        whole = bool(own) or "instancesInForceCount" in at.facts
        if pays or (pays is False and whole and effects.no_cost_changes(state)):
            at.facts["abilityPaid"] = pays


# --- what is paid


@dataclass(frozen=True)
class Paid:
    """The mana of payments; `rises`: more may have been paid; `known`: no part is left open that surely is there."""

    amounts: tuple[Counter[str], ...] = ()
    rises: bool = False
    known: bool = True


def paid(state: State, at: Moment) -> Paid:
    """The mana paid as additional costs. A payment that names none may have been paid without.

    What pays a part of the total (CR 702.132a) adds nothing to it.
    """
    if "additionalCosts" not in at.event.facts:
        return Paid(rises=True)
    amounts: list[Counter[str]] = []
    rises, known = False, True
    for payment in state.parts(at.event, "additionalCosts"):
        if state.names.cost(keyword(state, payment)).role == WAY_OF_PAYING:
            continue
        amount = _amount(state, at, payment)
        if amount is not None:
            amounts.append(amount)
        elif kind(state, payment) is not None:
            rises = True
        elif state.names.cost(keyword(state, payment)).role not in _WITHOUT_MANA:
            known = False
    return Paid(tuple(amounts), rises, known)


def _amount(state: State, at: Moment, payment: Node) -> Counter[str] | None:
    facts = state.facts(payment.iri)
    stated: Value | None = facts.get("manaPaidKey", facts.get("manaAskedKey"))
    if "manaAskedKey" not in facts and (kind(state, payment) is not None or number(payment.facts, "n", 1) == 1):
        stated = payment.facts.get("mana")
    return None if stated is None or stated == NONE else mana.count(str(stated), integer(at.facts.get("x")))
