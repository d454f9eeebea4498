"""What a source believed: whether a card can be cast, which keywords something has, what it targets (CR 601.3)."""

from __future__ import annotations

from collections import Counter

from rulewright.records.facts import characteristics, effects, faces, targets
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import HAND, iris, texts
from rulewright.vocabulary import NONE, Iri


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
    """Whether something has all keywords that it is believed to have (CR 702.1).

    Surely not only where it has none at all: a keyword may give another one, as dash gives haste. Not known of what may
    be face down or a copy, nor of a keyword that nobody knows.
    """
    there = iris(at.facts, "keywordsInForce")
    believed = [state.instances[instance] for instance in iris(at.event.facts, "keywords")]
    if all(keyword in there for keyword in believed):
        return True
    copied = at.subject in state.objects and state.objects[at.subject].copy
    plain = not copied and at.card is not None and faces.face_down(state, at.event, at.subject, at.card) is False
    own = {state.instances[one.iri] for one in state.parts(state.node(at.card), "keywords")}
    none = "keywordsInForceCount" in at.facts and not there and own <= set(believed)
    known = state.names.define(believed) and state.zone.get(at.card or NONE) is not None
    return False if none and plain and known else None


def _targets(state: State, at: Moment) -> bool | None:
    """Whether a spell or ability has the targets that it is believed to have, as they were chosen (CR 601.2c)."""
    chosen = targets.as_chosen(state, at)
    return None if chosen is None else Counter(chosen) == Counter(iris(at.event.facts, "targets"))
