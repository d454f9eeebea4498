"""What a source believed: whether a card can be cast, which keywords something has, what it targets (CR 601.3)."""

from __future__ import annotations

from collections import Counter

from rulewright.records.facts import characteristics, effects, targets
from rulewright.records.facts.fitting import every
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import HAND, iris, texts
from rulewright.vocabulary import Iri


def facts_at(state: State, at: Moment, card: Iri | None) -> None:
    """Of an observation: what it would take to be right. `card`: that whose characteristics count."""
    if card is not None and "canCast" in at.event.facts:
        _castable(state, at, card)
    if "keywords" in at.event.facts and (held := _held(state, at)) is not None:
        at.facts["keywordsHeld"] = held
    if "targets" in at.event.facts and (same := _targets(state, at)) is not None:
        at.facts["targetsHeld"] = same


def _castable(state: State, at: Moment, card: Iri) -> None:
    """The spell that a card would be, who would cast it, and the effects that would bear on that."""
    if "player" not in at.facts and at.facts.get("zoneBefore") == HAND and (owner := state.owner(card)) is not None:
        at.facts["player"] = owner
    at.faces = texts(at.event.facts, "face") or None
    characteristics.as_spell(state, at, card)
    effects.bearing(state, at)
    whose = at.facts.get("activePlayer"), at.facts.get("player")
    if "stackEmpty" in at.facts or (None not in whose and whose[0] != whose[1]):
        at.facts["timingTold"] = True


def _held(state: State, at: Moment) -> bool | None:
    """Whether something has all keywords that it is believed to have (CR 702.1)."""
    there, whole = iris(at.facts, "keywordsInForce"), "keywordsInForceCount" in at.facts
    known = [state.instances[instance] for instance in iris(at.event.facts, "keywords")]
    return every(True if keyword in there else False if whole else None for keyword in known)


def _targets(state: State, at: Moment) -> bool | None:
    """Whether a spell or ability has the targets that it is believed to have, as they were chosen (CR 601.2c)."""
    chosen = targets.as_chosen(state, at)
    return None if chosen is None else Counter(chosen) == Counter(iris(at.event.facts, "targets"))
