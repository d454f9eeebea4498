"""What is no longer known: where a record misses something, or tells of a change but not of what changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rulewright.records.characteristics import View
from rulewright.records.facts import costs
from rulewright.records.facts.priority import next_received
from rulewright.records.facts.state import State
from rulewright.records.facts.values import BATTLEFIELD, EXILE, GRAVEYARD, HAND, STACK, game, iri, iris
from rulewright.records.model import Node, Value
from rulewright.vocabulary import NONE, EventType, Iri

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


def instructed(state: State, resolution: Node) -> None:
    """What a resolution did to its targets is unknown where the record tells nothing of it, and does not close it.

    A permanent spell does nothing but enter; an event that tells of another effect of the spell tells what it did.
    """
    found = state.objects.get(iri(resolution.facts.get("object")) or NONE)
    made = state.node(state.created.get(found.iri)) if found is not None else None
    if found is None or made is None or state.value(found.iri, "permanentSpell") is True:
        return
    targets = [target for target in iris(made.facts, "targets") if target in state.zone or target in state.objects]
    if targets and (told := _told(state, resolution)) is not None:
        for target in targets:
            thing = state.objects.get(target)
            if told.isdisjoint((target, thing.card if thing is not None else target)):
                _perhaps_changed(state, target)


def _told(state: State, resolution: Node) -> set[Value] | None:
    """What the record tells of as long as something may be resolving; None: it tells of its effects in words."""
    after = next_received(state, resolution)
    end = state.order[after.iri] - 1 if after is not None else None
    found: set[Value] = set()
    for event in state.events[state.order[resolution.iri] : end]:
        if event.kind == "Effect":
            return None
        for value in event.facts.values():
            found.update(value if isinstance(value, tuple) else (value,))
    return found


def _perhaps_changed(state: State, thing: Iri) -> None:
    if "Move" not in state.complete:
        _anywhere(state, [thing])
    elif "ChangeControl" not in state.complete:
        state.controller.pop(thing, None)
        state.control_unknown.add(thing)


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
