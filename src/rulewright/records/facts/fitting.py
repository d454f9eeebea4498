"""Whether a thing fits a description, as far as is known (CR 109.2, 115.4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rulewright.records.characteristics import Characteristics
from rulewright.records.descriptions import Description, Phrase, Quality, named, quality, subtype_of
from rulewright.records.facts.state import State
from rulewright.records.facts.things import CARD, NOTHING, PERMANENT, PLAYER, Thing
from rulewright.records.facts.values import BATTLEFIELD, PERMANENT_TYPES
from rulewright.records.model import Value
from rulewright.vocabulary import Iri

_PERMANENT = frozenset(Iri(str(found.value)) for name in PERMANENT_TYPES if (found := quality(name)) is not None)
_NO_PERMANENTS = frozenset(found.value for name in ("Instant", "Sorcery") if (found := quality(name)) is not None)


class Answer(NamedTuple):
    """Whether a thing fits as it is shown, and whether it does whatever effects make of its characteristics."""

    shown: bool | None
    surely: bool | None


def every(answers: Iterable[bool | None]) -> bool | None:
    """All of them, in three values."""
    found = set(answers)
    return False if False in found else None if None in found else True


def some(answers: Iterable[bool | None]) -> bool | None:
    """One of them, in three values."""
    found = set(answers)
    return True if True in found else None if None in found else False


def agreed(answers: Iterable[Answer]) -> Answer:
    """What holds whichever of them is meant."""
    shown, surely = (set(values) for values in zip(*answers, strict=True))
    return Answer(shown.pop() if len(shown) == 1 else None, surely.pop() if len(surely) == 1 else None)


def fits(state: State, found: Thing, asked: Description, you: Value | None) -> Answer:
    """`you`: the player who controls what asks for it (CR 109.5)."""
    match asked.readings:
        case [[phrase]]:
            return _phrase(state, found, phrase, you)
    return agreed(
        Answer(some(a.shown for a in answers), some(a.surely for a in answers))
        for reading in asked.readings
        if (answers := [_phrase(state, found, phrase, you) for phrase in reading])
    )


def _phrase(state: State, found: Thing, phrase: Phrase, you: Value | None) -> Answer:
    if phrase.unknown:
        return Answer(None, None)
    lasting: list[bool | None] = [_kind(state, found, phrase, you), None if phrase.unseen else True]
    changeable: list[bool | None] = []
    for asked in phrase.qualities:
        holds = _not(_quality(state, found, asked, you)) if asked.negated else _quality(state, found, asked, you)
        (changeable if _may_change(found, asked) else lasting).append(holds)
    return Answer(every([*lasting, *changeable]), every([*lasting, *(None if h is False else h for h in changeable)]))


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _may_change(found: Thing, asked: Quality) -> bool:
    """Whether effects change what is asked for (CR 613.1): types of permanents, anything's subtypes and colours."""
    if asked.kind in ("cardType", "permanent"):
        return found.kind in (PERMANENT, None)
    return asked.kind not in ("inZone", "ofPlayer", "controlledBy", "madeBy", "token")


# --- what it is


def _kind(state: State, found: Thing, phrase: Phrase, you: Value | None) -> bool | None:
    """Whether it is a thing of the kind asked for; without a noun, that is a permanent (CR 109.2)."""
    if found.kind == NOTHING:
        return False
    if found.kind == PLAYER:
        return phrase.thing == PLAYER or (phrase.thing == "opponent" and _opponent(state, found.iri, you))
    if phrase.thing in (PLAYER, "opponent"):
        return False
    zones = {q.value for q in phrase.qualities if q.kind == "inZone"}
    if phrase.thing is None and zones - {BATTLEFIELD}:
        return True
    if phrase.thing is None and not _NO_PERMANENTS.isdisjoint({q.value for q in phrase.qualities}):
        return None
    if phrase.thing == CARD:
        return False if found.token else True if zones else None
    return None if found.kind is None else found.kind == (phrase.thing or PERMANENT)


def _opponent(state: State, player: Value | None, you: Value | None) -> bool | None:
    """A player of another team, where there are teams (CR 102.2, 102.3)."""
    if player is None or you is None:
        return None
    teams = {state.value(player, "team"), state.value(you, "team")}
    return player != you and (len(teams) > 1 or teams == {None})


# --- what else is asked for


def _quality(state: State, found: Thing, asked: Quality, you: Value | None) -> bool | None:
    value, shown = asked.value, found.shown
    match asked.kind:
        case "inZone":
            return None if found.zone is None else found.zone == value
        case "ofPlayer":
            return _whose(state, found.owner, value, you)
        case "controlledBy":
            return _whose(state, found.controller, value, you)
        case "madeBy":
            return None if found.made_by is None else found.made_by == value
        case "token":
            return found.token
        case "cardType":
            return is_among(value, shown.types)
        case "supertype":
            return is_among(value, shown.supertypes)
        case "subtype":
            return _has_subtype(value, shown)
        case "permanent":
            return some(is_among(one, shown.types) for one in _PERMANENT)
    return _colour(asked, shown.colors)


def _whose(state: State, player: Value | None, whose: Value, you: Value | None) -> bool | None:
    if player is None or you is None:
        return None
    if whose == "opponent":
        return _opponent(state, player, you)
    return (player == you) == (whose == "you")


def is_among(wanted: Value, stated: tuple[str, ...] | None) -> bool | None:
    """Whether types that are stated have one among them; a type that is not known may be another word for it."""
    if stated is None:
        return None
    there = named(stated)
    return True if wanted in there else None if None in there else False


def _has_subtype(wanted: Value, shown: Characteristics) -> bool | None:
    every = None if shown.every_subtype_of is None else not shown.every_subtype_of.isdisjoint(subtype_of(wanted))
    return some((is_among(wanted, shown.subtypes), every))


def _colour(asked: Quality, colours: tuple[Iri, ...] | None) -> bool | None:
    if colours is None:
        return None
    if asked.kind == "hasColour":
        return asked.value in colours
    bound = asked.value if isinstance(asked.value, int) else 0
    return len(colours) >= bound if asked.kind == "coloursAtLeast" else len(colours) <= bound
