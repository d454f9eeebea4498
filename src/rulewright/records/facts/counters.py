"""Counters on cards and permanents (CR 122)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.subjects import thing_at
from rulewright.records.facts.values import iri, number, numbers_as_one
from rulewright.records.graph import Facts
from rulewright.records.model import Node
from rulewright.records.words import COUNTER
from rulewright.vocabulary import EventType, Iri

_CHANGES = frozenset({"AddCounters", "RemoveCounters"})


def facts_at(state: State, at: Moment) -> None:
    """The counters on the card concerned (CR 122.1), their numbers where all are recorded; and what is believed."""
    if at.type in _CHANGES:
        _change(state, at)
    thing = at.card if at.card is not None else thing_at(at.event)
    if thing is not None and at.type in ("Observe", *_CHANGES):
        on(state, at.facts, thing)
        if (counters := state.counters.get(thing)) is not None and _all_told(state, thing):
            at.facts["countersOnKey"] = numbers_as_one(counters)
    if at.type == "Observe" and "counters" in at.event.facts and (believed := listed(state, at.event)) is not None:
        at.facts["countersKey"] = numbers_as_one(believed)
        there = (state.counters.get(thing) if thing is not None else None) or {}
        if not _told_apart(state, [k for k in {*believed, *there} if believed[k] != there.get(k, 0)]):
            at.facts.pop("countersOnKey", None)


def listed(state: State, node: Node) -> Counter[str] | None:
    """How many counters of which kind a card, a player or an observation lists; None where one has no kind."""
    found: Counter[str] = Counter()
    for entry in state.parts(node, "counters"):
        if "counter" not in entry.facts:
            return None
        found[_kind(state, entry)] += number(entry.facts, "n", 1)
    return found


def on(state: State, facts: Facts, thing: Iri) -> None:
    """The kinds of counters that there are (CR 122.1), counted where all of them are known."""
    counters = state.counters.get(thing)
    if counters is not None:
        kinds = [state.names.resolve(COUNTER, name) for name, n in counters.items() if n > 0]
        known = tuple(sorted([kind for kind in kinds if kind is not None]))
        facts["countersOn"] = known
        if _all_told(state, thing) and len(known) == len(kinds):
            facts["countersOnCount"] = len(known)


def _kind(state: State, node: Node) -> str:
    """The kind of counters that is named, in one spelling."""
    return state.names.spelled(COUNTER, str(node.facts["counter"]))


def _told_apart(state: State, kinds: Iterable[str]) -> bool:
    """Whether kinds of counters can be told apart: an unknown word may stand for any other of them."""
    return all(state.names.resolve(COUNTER, kind) is not None for kind in kinds)


def _is_certain(state: State, have: Mapping[str, int], kind: str) -> bool:
    """Whether it is known how many counters of a kind there are among those that there are."""
    there = {name for name, n in have.items() if n > 0}
    return kind in there or not there or _told_apart(state, {kind, *there})


def _all_told(state: State, thing: Iri) -> bool:
    """Whether the counters are known: stated, which holds until they change, or since all changes are recorded."""
    return thing in state.counters_stated or state.complete >= _CHANGES


def _bearer(event: Node) -> Iri | None:
    """What gets or loses counters: a card, or without one the player (CR 122.1)."""
    return iri(event.facts.get("card", event.facts.get("player")))


def _change(state: State, at: Moment) -> None:
    """How many counters of the kind there are before they change, and how many that should leave (CR 122.1)."""
    thing = _bearer(at.event)
    have = state.counters.get(thing) if thing is not None else None
    if thing is None or have is None or "counter" not in at.event.facts or not _all_told(state, thing):
        return
    name, facts = _kind(state, at.event), at.facts
    if not _is_certain(state, have, name):
        return
    before, n = have.get(name, 0), number(at.event.facts, "n", 1)
    facts["countersBefore"], facts["leftDue"] = before, max(0, before + (n if at.type == "AddCounters" else -n))
    facts.setdefault("left", facts["leftDue"])
    facts.setdefault("n", n)
    if state.complete >= _CHANGES and name not in state.counters_unsure:
        facts["countersRecorded"] = True


def changed(state: State, event: Node) -> None:
    """Counters put on or removed: what is left is stated, or follows (CR 122.1)."""
    thing = _bearer(event)
    if thing is None:
        state.counters.update(dict.fromkeys(state.counters))
        state.counters_stated.clear()
        return
    if "counter" not in event.facts:
        state.counters[thing] = None
        state.counters_stated.discard(thing)
        return
    name, left = _kind(state, event), event.facts.get("left")
    if "card" not in event.facts:
        state.counters_unsure.add(name)
    have = state.counters.get(thing)
    if have is not None and not _is_certain(state, have, name):
        state.counters[thing] = None
    elif isinstance(left, int):
        if have is None:
            have = state.counters[thing] = {}
        have[name] = left
    elif have is not None:
        n = number(event.facts, "n", 1)
        have[name] = max(0, have.get(name, 0) + (n if event.kind == "AddCounters" else -n))


def paid(state: State, card: Iri, payment: Node) -> None:
    """Counters removed from a card to pay a cost (CR 601.2h)."""
    have, n = state.counters.get(card), payment.facts.get("n")
    if have is None or not isinstance(n, int) or "counter" not in payment.facts:
        state.counters[card] = None
    else:
        name = _kind(state, payment)
        have[name] = max(0, have.get(name, 0) - n)


def put(state: State, event: Node, kind: EventType) -> None:
    """Counters that events of a type put on their card, whatever they state of counters (CR 122.1)."""
    card = iri(event.facts.get("card"))
    amount = event.facts.get(kind.counter_amount or "")
    if kind.puts_counter and card is not None and not isinstance(amount, int):
        state.counters[card] = None
        state.counters_stated.discard(card)
    elif kind.puts_counter and card is not None and isinstance(amount, int):
        state.counters[card] = {kind.puts_counter: amount}
        state.counters_stated.add(card)
