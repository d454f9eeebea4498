"""What players sacrifice or discard: whether it is where that is done, and whose it is (CR 701.9, 701.21)."""

from __future__ import annotations

from rulewright.records.facts.fitting import every
from rulewright.records.facts.places import zone_of
from rulewright.records.facts.stack import controller_of
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import BATTLEFIELD, game, iris, same
from rulewright.records.model import Value
from rulewright.vocabulary import Iri


def facts_at(state: State, at: Moment) -> None:
    """Of an event whose type says from where its cards are taken, and which has a list of them.

    What is given up inside a casting went before or with the costs, which the casting itself moves (CR 601.2g, 601.2h).
    """
    if at.kind is None or at.kind.moves is None or at.kind.leaves in (None, "from") or _is_inside_casting(state, at):
        return
    cards = iris(at.event.facts, at.kind.moves)
    taken_from = game(at.kind.leaves)
    if not cards or not isinstance(at.event.facts.get(at.kind.moves), tuple):
        return
    there = every(same(zone_of(state, card, at.event), taken_from) for card in cards)
    if there is not None:
        at.facts["givenUpFromThere"] = there
    player = at.facts.get("player")
    own = every(same(_whose(state, at, card, taken_from), player) for card in cards)
    if own is not None and player is not None:
        at.facts["givenUpByOwn"] = own


def _is_inside_casting(state: State, at: Moment) -> bool:
    inside = state.node(at.event.facts.get("during"))
    return inside is not None and inside.kind == "Cast"


def _whose(state: State, at: Moment, card: Iri, zone: Iri) -> Value | None:
    return controller_of(state, card, at.event) if zone == BATTLEFIELD else state.owner(card)
