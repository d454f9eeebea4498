"""Costs of the spell that is cast: what is chosen and paid, what that amounts to, what is mandatory (CR 118, 601.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rulewright.records import mana
from rulewright.records.facts import effects, keywords, paying, totals
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import (
    DISCARDING,
    EXILE,
    FREE,
    GRAVEYARD,
    HAND,
    MANA_COST,
    STACK,
    integer,
    iris,
    number,
    numbers_as_one,
)
from rulewright.records.graph import Facts
from rulewright.records.model import Node, Value
from rulewright.vocabulary import KEYWORD, NONE, Iri
from rulewright.vocabulary.costs import WAY_OF_PAYING


def payments(state: State, at: Moment) -> None:
    """Additional costs: their kinds, repetitions, and the opponent chosen as part of one (CR 601.2b)."""
    repeated(state, at)
    if "additionalCosts" not in at.event.facts:
        return
    facts = at.facts
    paid = state.parts(at.event, "additionalCosts")
    if (times := _times(state, paid)) is not None:
        facts["paymentKindsKey"] = numbers_as_one(times)
    opponents = {p.facts["opponent"] for p in paid if "opponent" in p.facts}
    if not opponents and all(paying.is_known(state, payment) for payment in paid):
        facts["chosenOpponent"] = NONE
    elif len(opponents) == 1:
        facts["chosenOpponent"] = opponents.pop()
    _keywords_paid(state, facts, paid)


def repeated(state: State, at: Moment) -> None:
    """Which payments are of a kind that stands before among those of the event."""
    for name in ("additionalCosts", "costsPaid"):
        paid = state.parts(at.event, name)
        kinds = [paying.word(state, payment) for payment in paid]
        for position, payment in enumerate(paid):
            state.facts(payment.iri)["repeated"] = kinds[position] in kinds[:position]


def _keywords_paid(state: State, facts: Facts, paid: list[Node]) -> None:
    """The keywords whose costs are paid (CR 601.2b), counted where every kind is understood."""
    named = tuple(sorted({keyword for p in paid if (keyword := paying.keyword(state, p)) is not None}))
    facts["paidKeywords"] = named
    if all(paying.kind(state, p) is not None or paying.keyword(state, p) is not None for p in paid):
        facts["paidKeywordsCount"] = len(named)


def _times(state: State, paid: list[Node]) -> Counter[str] | None:
    """How many times additional costs of which kind were paid (CR 601.2b): what cards pay is one cost, however listed.

    None where a kind is not known: it may be a way to pay the total cost, which is no additional cost of a copy.
    """
    times: Counter[str] = Counter()
    for payment in paid:
        kind, keyword = paying.kind(state, payment), paying.keyword(state, payment)
        if kind is not None:
            times[state.schema.word_of[kind]] = 1
        elif keyword is None:
            return None
        elif state.names.cost(keyword).role != WAY_OF_PAYING:
            times[keyword.removeprefix(KEYWORD).replace("-", " ")] += number(payment.facts, "n", 1)
    return times


def bases(state: State, at: Moment) -> None:
    """Whether it is cast without paying its mana cost (CR 118.9), and for which alternative costs (118.9a)."""
    if "cost" not in at.event.facts:
        return
    chosen = iris(at.event.facts, "cost")
    at.facts["free"] = FREE in chosen
    at.facts["alternativeBases"] = sum(1 for b in chosen if b != MANA_COST)
    labels = [node.facts.get("alternative") for b in chosen if (node := state.node(b)) is not None]
    if not labels:
        at.facts["alternativeKeyword"] = NONE
    elif len(labels) == 1 and (named := _names(state, str(labels[0]))) is not None:
        at.facts["alternativeKeyword"] = named


def _names(state: State, label: str) -> Iri | None:
    """The keyword that the name of an alternative cost stands for, none where it stands for an effect; else unknown."""
    keyword = state.names.in_label(label, state.card_keywords)
    return keyword if keyword != NONE or keywords.effects_named(state, label, "") else None


# --- what is to be paid (CR 601.2f)


def amounts(state: State, at: Moment) -> None:
    """The mana of the cost chosen, and with increases and reductions the total cost (CR 601.2f)."""
    paying.judged(state, at)
    chosen = iris(at.event.facts, "cost")
    amount = _amount(state, at, chosen[0]) if len(chosen) == 1 else None
    facts = at.facts
    base: Counter[str] | None = None
    if amount is not None:
        facts["basisMana"] = amount
        text = NONE if amount == NONE else _announced_for(state, at, str(amount))
        if text is not None:
            facts["basisManaText"] = text
        x = integer(facts.get("x"))
        base = mana.count(str(amount), x or 0) if amount != NONE else None
        if base is not None and (x is not None or not mana.has_x(str(amount))):
            facts["basisManaKey"] = mana.key(base)
    paying.alternative(state, at)
    totals.facts_at(state, at, base)


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
    keyword = at.facts.get("alternativeKeyword")
    cast_for = state.names.cost(keyword).cast_for
    return cast_for or _same_cost(state, keywords.of_instances(state, at.facts, keyword))


def _announced_for(state: State, at: Moment, stated: str) -> str | None:
    """A cost in one spelling: that of the keyword chosen for which it can be announced (CR 601.2b), if there is one.

    None where that depends on a value of X that is not known.
    """
    x, text = integer(at.facts.get("x")), mana.text(stated)
    amount = mana.count(stated, x)
    found: str | None = text
    for instance in keywords.of_instances(state, at.facts, at.facts.get("alternativeKeyword")):
        cost = state.facts(instance).get("keywordCost")
        if cost is None or cost == NONE:
            continue
        asked = mana.count(str(cost), x)
        agree = None if amount is None or asked is None else mana.agree(amount, asked)
        if agree or mana.text(str(cost)) == text:
            return mana.text(str(cost))
        found = None if agree is None else found
    return found


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
            is_paid = _is_paid(state, at.event, requirement, paid)
            if is_paid is not None:
                facts["isPaid"] = is_paid
        state.graph.add(entry, "RequiredCost", facts)


def _is_paid(state: State, cast: Node, requirement: Node, paid: list[Node]) -> bool | None:
    """Whether payments of the kind are there, with as many cards as required where they list cards (CR 601.2h).

    Not known where the kind of what is required, or of another payment, is not.
    """
    word, wanted = paying.word(state, requirement), paying.kind(state, requirement)
    alike = [p for p in paid if paying.word(state, p) == word
             or (wanted is not None and paying.done_with_cards(state, cast, p) == wanted)]
    enough = bool(alike)
    if any(paying.lists_cards(p) for p in alike):
        enough = len({c for p in alike for c in paying.cards(p)}) >= number(requirement.facts, "n", 1)
    unknown = (wanted is None and len(alike) < len(paid)) or any(not paying.is_known(state, p) for p in paid)
    return True if enough else None if unknown else False


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
        elif zone != GRAVEYARD and "additionalCosts" not in at.event.facts:
            zone = None  # what else was paid may have put it there
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
        to = _destination(state, cast, payment)
        if to == EXILE:
            listed += paying.cards(payment)
            all_listed = all_listed and paying.lists_cards(payment)
        unknown = paying.lists_cards(payment) and paying.done_with_cards(state, cast, payment) is None
        all_listed = all_listed and not unknown
    return listed, all_listed


def _given_up(state: State, cast: Node) -> tuple[set[Iri], set[Iri]]:
    """Cards put into graveyards to pay (CR 601.2h), and those of them that are discarded (701.9)."""
    turned_in: set[Iri] = set()
    discarded: set[Iri] = set()
    for payment in state.parts(cast, "additionalCosts"):
        kind = paying.done_with_cards(state, cast, payment)
        if _destination(state, cast, payment) == GRAVEYARD:
            turned_in.update(paying.cards(payment))
        if kind == DISCARDING:
            discarded.update(paying.cards(payment))
    for event in state.within.get(cast.iri, ()):
        if event.kind in ("Discard", "Sacrifice"):
            turned_in.update(iris(event.facts, "movedCards"))
        if event.kind == "Discard":
            discarded.update(iris(event.facts, "movedCards"))
    return turned_in, discarded


def _destination(state: State, cast: Node, payment: Node) -> Iri | None:
    """Where cards go that pay; None where they stay, or where that is not known."""
    kind = paying.done_with_cards(state, cast, payment)
    return None if kind is None else state.schema.cost_kinds[kind]


def moves(state: State, cast: Node) -> list[tuple[Iri, Iri | None]]:
    """The cards that change zones because they pay a cost, and where to (CR 601.2h); None: that is not known."""
    bases = (node for b in iris(cast.facts, "cost") if (node := state.node(b)) is not None)
    found: list[tuple[Iri, Iri | None]] = []
    found += [(card, EXILE) for basis in bases for card in iris(basis.facts, "exiledForCost")]
    for payment in state.parts(cast, "additionalCosts"):
        kind = paying.done_with_cards(state, cast, payment)
        if kind is None or state.schema.cost_kinds[kind] is not None:
            found += [(card, _destination(state, cast, payment)) for card in paying.cards(payment)]
    return found


def unnamed(state: State, cast: Node) -> set[Iri]:
    """Where cards go that pay a cost but are not named."""
    bare = [p for p in state.parts(cast, "additionalCosts") if not paying.cards(p)]
    return {to for payment in bare if (to := _destination(state, cast, payment)) is not None}
