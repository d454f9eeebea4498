"""What is no longer known: where a record misses something, or tells of a change but not of what changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rulewright.records.characteristics import View
from rulewright.records.facts import costs
from rulewright.records.facts.state import State
from rulewright.records.facts.values import BATTLEFIELD, EXILE, GRAVEYARD, HAND, game
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
    for found in state.objects.values():
        found.uncertain = found.on_stack
    for card in [card for card, spell in state.spell_of.items() if state.objects[spell].uncertain]:
        del state.spell_of[card]


def untold(state: State, event: Node, kind: EventType) -> None:
    """An event may have moved any card that it does not name, from where such events move cards."""
    if kind.moves and kind.moves not in event.facts:
        leaves = event.facts.get("from") if kind.leaves == "from" else game(str(kind.leaves))
        _some_moved(state, event, None if leaves is None else (leaves,))
    if event.kind == "Cast":
        for to in costs.unnamed(state, event):
            _some_moved(state, event, _PAID_FROM.get(to))


def something_changed(state: State) -> None:
    """An event changed something that it does not name."""
    _unsure(state, [*_cards(state), *state.objects])


def between(state: State, one: Node, other: Node) -> bool:
    """Whether something is missing between two events."""
    first, second = state.order[one.iri], state.order[other.iri]
    return any(first < gap < second for gap in state.gaps)


def _cards(state: State) -> list[Iri]:
    return [card.iri for card in state.record.children("cards")]


def _some_moved(state: State, event: Node, zones: Collection[Value] | None) -> None:
    """Some cards have left one of these zones: out of a hand, only the player's own."""
    player = event.facts.get("player")
    moved = []
    for card in _cards(state):
        zone = state.zone.get(card)
        others = zone == HAND and player is not None and state.owner(card) not in (None, player)
        if (zone is None or zones is None or zone in zones) and not others:
            moved.append(card)
    _anywhere(state, moved)


def _anywhere(state: State, things: Iterable[Iri]) -> None:
    """Things that may have changed zones: nothing is known of what was on them."""
    listed = list(things)
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
