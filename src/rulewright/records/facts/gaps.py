"""What is no longer known: where a record misses something, or tells of a change but not of what changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rulewright.records.characteristics import View
from rulewright.records.facts import costs
from rulewright.records.facts.state import State
from rulewright.records.facts.values import BATTLEFIELD, EXILE, GRAVEYARD, HAND, STACK, game
from rulewright.records.model import Node, Value
from rulewright.vocabulary import EventType, Iri

_PAID_FROM: dict[Iri, Collection[Value]] = {
    GRAVEYARD: (HAND, BATTLEFIELD), EXILE: (HAND, BATTLEFIELD, GRAVEYARD),
}  # fmt: skip
"""Where cards that pay a cost go -> where they can come from."""


def pass_over(state: State) -> None:
    """Whatever could have changed is unknown: nothing is complete, and nothing is surely where and as it was."""
    state.complete = frozenset()
    _anywhere(state, [*_cards(state), *state.objects])
    state.lost_host.clear()
    state.last_trigger.clear()
    state.legends.clear()
    _some_ended(state)
    _forget_spells(state)


def untold(state: State, event: Node, kind: EventType) -> None:
    """An event that does not say what it is about may be about anything that such events can change."""
    if not kind.tells_of(event.facts):
        if kind.moves:
            leaves = event.facts.get("from") if kind.leaves == "from" else game(str(kind.leaves))
            _some_moved(state, event, None if leaves is None else (leaves,))
        elif kind.ends_object:
            _some_ended(state)
        elif event.kind == "Cease":
            _some_ended(state)
            _anywhere(state, _no_cards(state))
        else:
            _unsure(state, [*_cards(state), *state.objects])
            state.attached.clear()
    if event.kind == "Cast":
        for to in costs.unnamed(state, event):
            _some_moved(state, event, _PAID_FROM.get(to))


def between(state: State, one: Node, other: Node) -> bool:
    """Whether something is missing between two events."""
    first, second = state.order[one.iri], state.order[other.iri]
    return any(first < gap < second for gap in state.gaps)


def _cards(state: State) -> list[Iri]:
    return [card.iri for card in state.record.children("cards")]


def _no_cards(state: State) -> list[Iri]:
    """What can change zones though it is no card."""
    return [found.iri for found in state.objects.values() if found.kind in ("Token", "CardCopy")]


def _some_ended(state: State) -> None:
    """Whatever is on the stack may have left it."""
    for found in state.objects.values():
        found.uncertain = found.on_stack


def _forget_spells(state: State) -> None:
    """Which spell a card is, where it may be another one by now."""
    for card in [card for card, spell in state.spell_of.items() if state.objects[spell].on_stack]:
        state.objects[state.spell_of.pop(card)].uncertain = True


def _some_moved(state: State, event: Node, zones: Collection[Value] | None) -> None:
    """Some cards have left one of these zones: out of a hand, only the player's own."""
    player = event.facts.get("player")
    moved = []
    for card in [*_cards(state), *_no_cards(state)]:
        zone = state.zone.get(card)
        others = zone == HAND and player is not None and state.owner(card) not in (None, player)
        if (zone is None or zones is None or zone in zones) and not others:
            moved.append(card)
    _anywhere(state, moved)
    if event.kind == "Cast" or zones is None or STACK in zones:
        _forget_spells(state)


def _anywhere(state: State, things: Iterable[Iri]) -> None:
    """Things that may have changed zones: nothing is known of what was on them."""
    listed = list(things)
    state.untraced.update(listed)
    for thing in listed:
        state.zone.pop(thing, None)
        state.arrival.pop(thing, None)
        state.counters[thing] = None
        state.counters_stated.discard(thing)
        state.attached.pop(thing, None)
    for card in [card for card, (host, _) in state.attached.items() if host in listed]:
        del state.attached[card]
    _unsure(state, listed)


def _unsure(state: State, things: Iterable[Iri]) -> None:
    """Things of which colours, keywords, control and the face that is up may have changed."""
    for thing in things:
        state.colour[thing] = None
        state.controller.pop(thing, None)
        state.changes.pop(thing, None)
        state.permanents[thing] = View("permanent", face_down=None)
        state.unsure.add(thing)
