"""Where the cards and objects of a game are, event by event, as far as the record tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rulewright.records.canonical import play
from rulewright.records.facts.places import zone_of
from rulewright.records.facts.state import State
from rulewright.records.graph import Graph
from rulewright.records.model import Record, Value
from rulewright.records.words import Words
from rulewright.vocabulary import NONE, Iri


class Place(NamedTuple):
    """A zone (`game:none`: it does not exist; None: not known), and who controls what is there."""

    zone: Value | None
    controller: Iri | None


@dataclass(frozen=True)
class Whereabouts:
    """`changes[0]`: where things are as the record begins; `changes[n]`: what is elsewhere after event n."""

    graph: Graph
    changes: list[dict[Iri, Place]]
    became: dict[Iri, Iri]
    """Permanent that a spell became, where the record gives it a name of its own -> the card or copy that it was."""


def whereabouts(record: Record, keywords: Words) -> Whereabouts:
    """Follows each card, and each spell or ability on the stack and token that is not a card."""
    cards = [card.iri for card in record.children("cards")]
    renamed = {new: thing for event in record.children("events")
               if isinstance(new := event.facts.get("newObject"), Iri)
               and isinstance(thing := event.facts.get("card"), Iri)}  # fmt: skip
    changes: list[dict[Iri, Place]] = []
    now: dict[Iri, Place] = {}
    for state in play(record, keywords):
        changes.append({})
        for thing in [*cards, *(o.iri for o in state.objects.values() if o.card is None)]:
            place = Place(zone_of(state, thing), _controller(state, thing))
            if now.get(thing) != place:
                now[thing] = changes[-1][thing] = place
    # the last state is that of the last event, with more said of it
    changes.pop()
    return Whereabouts(state.graph, changes, renamed)


def _controller(state: State, thing: Iri) -> Iri | None:
    """Who controls a spell, ability or permanent; of a card elsewhere, its owner (CR 108.4); a token's recipient."""
    spell = state.spell_of.get(thing) or state.became.get(thing) or NONE
    created = state.node(state.created.get(thing))
    given = created.facts.get("recipient") if created is not None else None
    found = (state.controller.get(thing), state.controller.get(spell), state.owner(thing), given)
    return next((player for player in found if isinstance(player, Iri)), None)
