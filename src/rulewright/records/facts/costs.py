"""Costs of the spell that is cast: what is chosen and paid, what that amounts to, what is mandatory (CR 118, 601.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rulewright.records import mana
from rulewright.records.facts import effects, keywords
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import (
    EXILE,
    FREE,
    GRAVEYARD,
    HAND,
    MANA_COST,
    STACK,
    integer,
    iris,
    members,
    number,
    numbers_as_one,
)
from rulewright.records.graph import Facts
from rulewright.records.model import Node, Value
from rulewright.vocabulary import KEYWORD, NONE, Iri


def payments(state: State, at: Moment) -> None:
    """Additional costs: their kinds, repetitions, and the opponent chosen as part of one (CR 601.2b)."""
    if "additionalCosts" not in at.event.facts:
        return
    facts = at.facts
    paid = state.parts(at.event, "additionalCosts")
    kinds = [str(p.facts.get("kind")) for p in paid]
    once = tuple(sorted(set(kinds)))
    facts["paymentKinds"], facts["paymentKindsCount"] = once, len(once)
    if (times := _times(state, paid)) is not None:
        facts["paymentKindsKey"] = numbers_as_one(times)
    for position, payment in enumerate(paid):
        state.facts(payment.iri)["repeated"] = kinds[position] in kinds[:position]
    opponents = {p.facts["opponent"] for p in paid if "opponent" in p.facts}
    if not opponents and all(kind in state.schema.cost_kinds for kind in kinds):
        facts["chosenOpponent"] = NONE
    elif len(opponents) == 1:
        facts["chosenOpponent"] = opponents.pop()
    _keywords_paid(state, facts, once)


def _keywords_paid(state: State, facts: Facts, kinds: Iterable[str]) -> None:
    """The keywords whose costs are paid (CR 601.2b), counted where every kind is understood."""
    found = {kind: state.names.in_label(kind, state.card_keywords) for kind in kinds}
    named = tuple(sorted({keyword for keyword in found.values() if keyword != NONE}))
    facts["paidKeywords"] = named
    if all(keyword != NONE or kind in state.schema.cost_kinds for kind, keyword in found.items()):
        facts["paidKeywordsCount"] = len(named)


def _times(state: State, paid: list[Node]) -> Counter[str] | None:
    """How many times additional costs of which kind were paid (CR 601.2b): what cards pay is one cost, however listed.

    None where a kind is not known: it may be a way to pay the total cost, which a copy need not have.
    """
    times: Counter[str] = Counter()
    for payment in paid:
        kind = str(payment.facts.get("kind"))
        keyword = state.names.in_label(kind, state.card_keywords)
        if kind in state.schema.cost_kinds:
            times[kind] = 1
        elif keyword != NONE:
            times[keyword.removeprefix(KEYWORD).replace("-", " ")] += number(payment.facts, "n", 1)
        else:
            return None
    return times


def bases(state: State, at: Moment) -> None:
    """Whether it is cast without paying its mana cost (CR 118.9), and for which alternative costs (118.9a)."""
    if "cost" not in at.event.facts:
        return
    chosen = iris(at.event.facts, "cost")
    at.facts["free"] = FREE in chosen
    at.facts["alternativeBases"] = sum(1 for b in chosen if b != MANA_COST)
    labels = [node.facts.get("alternative") for b in chosen if (node := state.node(b)) is not None]
    names = [state.names.in_label(str(label), state.card_keywords) for label in labels]
    if len(names) <= 1:
        at.facts["alternativeKeyword"] = names[0] if names else NONE


# --- what is to be paid (CR 601.2f)


def amounts(state: State, at: Moment) -> None:
    """The mana of the cost chosen, and with increases and reductions the total cost (CR 601.2f)."""
    _of_keywords(state, at)
    chosen = iris(at.event.facts, "cost")
    amount = _amount(state, at, chosen[0]) if len(chosen) == 1 else None
    if amount is None:
        return
    facts = at.facts
    facts["basisMana"] = amount
    facts["basisManaText"] = NONE if amount == NONE else mana.text(str(amount))
    x = integer(facts.get("x"))
    base = mana.count(str(amount), x) if amount != NONE else None
    if base is not None:
        facts["basisManaKey"] = mana.key(base)
        _total(state, at, base, x)


def _of_keywords(state: State, at: Moment) -> None:
    """What a keyword asks as an additional cost (CR 601.2b), where all its instances ask the same."""
    for payment in iris(at.event.facts, "additionalCosts"):
        facts = state.facts(payment)
        keyword = state.card_keywords.get(str(facts.get("kind")).casefold())
        amount = _same_cost(state, keywords.of_instances(state, at.facts, keyword))
        if amount is not None:
            facts["keywordCost"] = amount


def _same_cost(state: State, instances: Iterable[Iri]) -> Value | None:
    costs = {state.facts(i).get("keywordCost") for i in instances}
    return costs.pop() if len(costs) == 1 else None


def _amount(state: State, at: Moment, basis: Iri) -> Value | None:
    """The mana of a cost: of the faces cast, or of the alternative cost, else that of its keyword (CR 118.9)."""
    if basis == FREE:
        return "{0}"
    if basis == MANA_COST:
        return state.printed(at.card, at.faces).mana_cost
    stated = state.facts(basis).get("mana")
    if stated is not None:
        return stated
    return _same_cost(state, keywords.of_instances(state, at.facts, at.facts.get("alternativeKeyword")))


def _total(state: State, at: Moment, base: Counter[str], x: int | None) -> None:
    """The total cost, as it is stated and as it follows: base, increases, reductions, in this order (CR 601.2f)."""
    facts, stated = at.facts, at.event.facts
    total = stated.get("totalCost")
    if isinstance(total, str) and total != NONE and (counted := mana.count(total, x)) is not None:
        facts["totalCostKey"] = mana.key(counted)
    extra = [state.facts(p).get("mana") for p in iris(stated, "additionalCosts")]
    increases = _counted([*members(stated, "costIncreases"), *extra])
    reductions = _counted(members(stated, "costReductions"))
    facts["costTotal"] = mana.key(mana.total(base, increases, reductions))
    if state.effects_stated or "costIncreases" in stated or "costReductions" in stated:
        facts["costModifiersKnown"] = True


def _counted(amounts: Iterable[Value | None]) -> list[Counter[str]]:
    """Amounts of mana, of those that are any; {X} in them counts nothing."""
    return [mana.count(str(m), 0) or Counter() for m in amounts if m and m != NONE]


# --- mandatory additional costs (CR 118.8, 601.2b)


def required(state: State, at: Moment) -> None:
    """Mandatory additional costs of the spell as it is cast (CR 601.2b), and whether each is paid (601.2h)."""
    card = state.node(at.card)
    if card is None:
        return
    mandatory = [m for part in state.parts_cast(card, at.faces) for m in state.parts(part, "mandatoryCosts")]
    entries = tuple(Iri(f"{at.event.iri}/required/{n}") for n in range(1, len(mandatory) + 1))
    at.facts["requiredCosts"], at.facts["requiredCostsCount"] = entries, len(entries)
    paid = state.parts(at.event, "additionalCosts")
    for entry, requirement in zip(entries, mandatory, strict=True):
        facts: Facts = {"inRecord": state.record.id, **requirement.facts}
        if "additionalCosts" in at.event.facts:
            facts["isPaid"] = _is_paid(requirement, paid)
        state.graph.add(entry, "RequiredCost", facts)


def _is_paid(requirement: Node, paid: list[Node]) -> bool:
    """Whether payments of the kind are there, with as many cards as required where they list cards (CR 601.2h)."""
    alike = [p for p in paid if p.facts.get("kind") == requirement.facts.get("kind")]
    if not any("paymentCards" in p.facts for p in alike):
        return bool(alike)
    return len({c for p in alike for c in iris(p.facts, "paymentCards")}) >= number(requirement.facts, "n", 1)


# --- cards exiled to pay (CR 601.2h)


def exiled(state: State, at: Moment) -> None:
    """The cards exiled to pay, each with the zone it is in as costs are paid (CR 601.2h)."""
    cards, all_listed = _listed_as_exiled(state, at.event)
    turned_in, discarded = _given_up(state, at.event)
    moved = {o.facts.get("card"): o.facts.get("to") for o in state.within.get(at.event.iri, ()) if o.kind == "Move"}
    entries: list[Iri] = []
    for position, card in enumerate(dict.fromkeys(cards), 1):
        zone: Value | None = state.zone.get(card)
        if card == at.event.facts.get("card"):
            zone = STACK
        elif card in moved:
            zone = moved[card]
        elif card in turned_in:
            token = card in state.objects
            zone = NONE if token else effects.destination(state, at.event, card, zone, GRAVEYARD)
        facts: Facts = {"inRecord": state.record.id, "card": card}
        elsewhere = state.zone.get(card) not in (None, HAND)
        if card in discarded or elsewhere or "additionalCosts" in at.event.facts:
            facts["discardedForCost"] = card in discarded
        if zone is not None:
            facts["zone"] = zone
        owner = state.owner(card)
        if owner is not None:
            facts["owner"] = owner
        entries.append(Iri(f"{at.event.iri}/exiled/{position}"))
        state.graph.add(entries[-1], "ExiledEntry", facts)
    at.facts["exiledEntries"] = tuple(entries)
    if all_listed:
        at.facts["exiledEntriesCount"] = len(entries)


def _listed_as_exiled(state: State, cast: Node) -> tuple[list[Iri], bool]:
    """Cards that the alternative cost or payments exile (CR 601.2h), and whether these are all."""
    listed: list[Iri] = []
    all_listed = "additionalCosts" in cast.facts
    for basis in iris(cast.facts, "cost"):
        node = state.node(basis)
        if node is not None and "exiledForCost" in node.facts:
            listed += iris(node.facts, "exiledForCost")
            all_listed = True
    for payment in state.parts(cast, "additionalCosts"):
        if state.schema.cost_kinds.get(str(payment.facts.get("kind"))) == EXILE:
            listed += iris(payment.facts, "paymentCards")
            all_listed = all_listed and "paymentCards" in payment.facts
    return listed, all_listed


def _given_up(state: State, cast: Node) -> tuple[set[Iri], set[Iri]]:
    """Cards put into graveyards to pay (CR 601.2h), and those of them that are discarded (701.9)."""
    turned_in: set[Iri] = set()
    discarded: set[Iri] = set()
    for payment in state.parts(cast, "additionalCosts"):
        if state.schema.cost_kinds.get(str(payment.facts.get("kind"))) == GRAVEYARD:
            turned_in.update(iris(payment.facts, "paymentCards"))
            if payment.facts.get("kind") == "discard":
                discarded.update(iris(payment.facts, "paymentCards"))
    for event in state.within.get(cast.iri, ()):
        if event.kind in ("Discard", "Sacrifice"):
            turned_in.update(iris(event.facts, "movedCards"))
        if event.kind == "Discard":
            discarded.update(iris(event.facts, "movedCards"))
    return turned_in, discarded


def moves(state: State, cast: Node) -> list[tuple[Iri, Iri]]:
    """The cards that change zones because they pay a cost, and where to (CR 601.2h)."""
    bases = (node for b in iris(cast.facts, "cost") if (node := state.node(b)) is not None)
    found = [(card, EXILE) for basis in bases for card in iris(basis.facts, "exiledForCost")]
    for payment in state.parts(cast, "additionalCosts"):
        to = state.schema.cost_kinds.get(str(payment.facts.get("kind")))
        if to is not None:
            found += [(card, to) for card in iris(payment.facts, "paymentCards")]
    return found
