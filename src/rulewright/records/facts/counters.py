"""Counters on cards and permanents (CR 122)."""

from __future__ import annotations

from collections import Counter

from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.subjects import thing_at
from rulewright.records.facts.values import iri, number, numbers_as_one
from rulewright.records.graph import Facts
from rulewright.records.model import Node
from rulewright.vocabulary import EventType, Iri


def facts_at(state: State, at: Moment) -> None:
    """The counters on the card concerned (CR 122.1), their numbers where all are recorded; and what is believed."""
    thing = at.card if at.card is not None else thing_at(at.event)
    counters = state.counters.get(thing) if thing is not None else None
    if counters is not None and at.type in ("Observe", "RemoveCounters", "AddCounters"):
        on(at.facts, counters)
        if thing in state.counters_stated or "AddCounters" in state.complete:
            at.facts["countersOnKey"] = numbers_as_one(counters)
    if at.type == "Observe" and "counters" in at.event.facts:
        at.facts["countersKey"] = numbers_as_one(listed(state, at.event))


def listed(state: State, node: Node) -> Counter[str]:
    """How many counters of which kind a card or an observation lists."""
    found: Counter[str] = Counter()
    for entry in state.parts(node, "counters"):
        if "counter" in entry.facts:
            found[str(entry.facts["counter"])] += number(entry.facts, "n", 1)
    return found


def on(facts: Facts, counters: dict[str, int]) -> None:
    """The kinds of counters that there are (CR 122.1)."""
    names = tuple(sorted([name for name, n in counters.items() if n > 0]))
    facts["countersOn"], facts["countersOnCount"] = names, len(names)


def changed(state: State, event: Node) -> None:
    """Counters put on or removed from a card: what was there before, and what is left (CR 122.1)."""
    card, name = iri(event.facts.get("card")), str(event.facts.get("counter"))
    if card is None:
        return
    left = event.facts.get("left")
    if left is not None:
        state.counters_stated.add(card)
    have = state.counters.get(card)
    if have is not None:
        n = number(event.facts, "n", 1)
        before = have.get(name, 0)
        have[name] = left if isinstance(left, int) else max(0, before + (n if event.kind == "AddCounters" else -n))
        facts = state.facts(event.iri)
        facts["countersBefore"] = before
        facts.setdefault("left", have[name])
    elif isinstance(left, int):
        state.counters[card] = {name: left}


def paid(state: State, card: Iri, payment: Node) -> None:
    """Counters removed from a card to pay a cost (CR 601.2h)."""
    have, n = state.counters.get(card), payment.facts.get("n")
    if have is None or not isinstance(n, int) or "counter" not in payment.facts:
        state.counters[card] = None
    else:
        name = str(payment.facts["counter"])
        have[name] = max(0, have.get(name, 0) - n)


def put(state: State, event: Node, kind: EventType) -> None:
    """Counters that events of a type put on their card, whatever they state of counters (CR 122.1)."""
    card = iri(event.facts.get("card"))
    amount = event.facts.get(kind.counter_amount or "")
    if kind.puts_counter and card is not None and isinstance(amount, int):
        state.counters[card] = {kind.puts_counter: amount}
