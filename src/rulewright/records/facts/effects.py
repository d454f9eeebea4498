"""The record's effects: which forbid, permit or replace an event, as far as the record says (CR 601.3, 611, 614)."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.records.characteristics import AS_CARD, Characteristics
from rulewright.records.descriptions import named
from rulewright.records.facts import durations, faces, keywords
from rulewright.records.facts.fitting import is_among, some
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import (
    BATTLEFIELD,
    GRAVEYARD,
    STACK,
    game,
    integer,
    iri,
    members,
    number,
    same,
    texts,
)
from rulewright.records.graph import Facts
from rulewright.records.model import Node, Value
from rulewright.vocabulary import GAME, NONE, Iri

_CAST, _MOVE = game("Cast"), game("Move")
_ANY_TIME = "any"
_CHANGES_COSTS = frozenset({"increases", "reduces", "minimum"})


def bearing(state: State, at: Moment) -> None:
    """Effects that forbid or permit an event (CR 601.3), and where effects send a card instead (614.1)."""
    forbidden, no_other_forbids = _that(state, at, "forbids")
    permitted, no_other_permits = _that(state, at, "permits")
    none_used = at.event.facts.get("permission") == NONE
    _listed(at.facts, "forbiddenBy", forbidden, no_other_forbids and state.effects_stated)
    _listed(at.facts, "permittedBy", permitted, no_other_permits and (state.effects_closed or none_used))
    named = state.named_effects.get(at.event.iri, [])
    if at.type == "Move":
        _listed(at.facts, "insteadZones", *_instead(state, at, state.effects))
        if any(effect.facts.get("replaces") == _MOVE for effect in named):
            _listed(at.facts, "namedInsteadZones", *_instead(state, at, named))
        return
    lifted, no_other_lifts = _lifting(state, at)
    _listed(at.facts, "timingLiftedBy", lifted, no_other_lifts and state.effects_closed)
    if any(effect.iri in permitted for effect in named):
        at.facts["namedEffectPermits"] = True
    elif no_other_permits and any(effect.facts.get("permits") == _CAST for effect in named):
        at.facts["namedEffectPermits"] = False


def destination(state: State, event: Node, card: Iri, start: Value | None, to: Iri) -> Value | None:
    """Where a card goes that would go to a zone: elsewhere, if an effect replaces that (CR 614.6).

    Not known where an effect that the record leaves out, or a keyword of the card, may send it elsewhere.
    """
    known = to != GRAVEYARD or (state.effects_closed and keywords.all_defined(state, event, card))
    for effect in state.effects:
        if effect.facts.get("replaces") == _MOVE and effect.facts.get("to") == to:
            facts: Facts = {"from": start} if start is not None else {}
            holds = _bears(state, effect, Moment(event, facts, None, None, card, None), of_owner=True)
            if holds and known:
                return effect.facts.get("instead", NONE)
            known = known and holds is not None
    return to if known else None


def none_bears(state: State, type_: str) -> bool:
    """Whether no effect can have to do with events of a type (CR 611): all are known, and none is about them."""
    verbs = ("forbids", "permits", "replaces")
    of_type = game(type_)
    return state.effects_closed and all(of_type != e.facts.get(verb) for e in state.effects for verb in verbs)


def no_cost_changes(state: State) -> bool:
    """Whether no effect changes what anything costs (CR 601.2f)."""
    return state.effects_closed and all(_CHANGES_COSTS.isdisjoint(effect.facts) for effect in state.effects)


def changing_costs(state: State, at: Moment) -> Iterator[tuple[Node, bool | None]]:
    """The effects that change what a spell costs (CR 601.2f), each with whether it bears on this one.

    What an effect that permits casting adds or takes off is due only where the spell is cast by its permission.
    """
    for effect in state.effects:
        if not _CHANGES_COSTS.isdisjoint(effect.facts):
            holds = _bears(state, effect, at)
            yield effect, _is_used(state, effect, at) if holds and "permits" in effect.facts else holds


def _is_used(state: State, effect: Node, at: Moment) -> bool | None:
    """Whether an effect is the permission that is named."""
    if at.facts.get("permissionKeyword", NONE) != NONE:
        return False
    named = state.named_effects.get(at.event.iri)
    return effect in named if named else None


def _listed(facts: Facts, name: str, found: list[Iri], all_known: bool) -> None:
    """Effects as a fact; counted if there are some, or surely none."""
    facts[name] = tuple(found)
    if found or all_known:
        facts[f"{name}Count"] = len(found)


def _that(state: State, at: Moment, verb: str) -> tuple[list[Iri], bool]:
    """The effects that forbid or permit what happens, and whether no other may.

    Suspending counts as casting, as does what is observed of whether a card can be cast.
    """
    found: list[Iri] = []
    no_other = True
    type_ = GAME + ("Cast" if at.type in ("Suspend", "Observe") else at.type)
    for effect in state.effects:
        if effect.facts.get(verb) == type_:
            holds = _bears(state, effect, at)
            if holds and verb == "permits" and not _names_zone(state, effect):
                holds = None
            if holds:
                found.append(effect.iri)
            no_other = no_other and holds is not None
    return found, no_other


def _names_zone(state: State, effect: Node) -> bool:
    """Whether an effect that permits something does not only change when it is possible."""
    condition = state.node(effect.facts.get("condition"))
    return "timing" not in effect.facts or "from" in effect.facts or (
        condition is not None and "from" in condition.facts
    )


def _lifting(state: State, at: Moment) -> tuple[list[Iri], bool]:
    """The effects by which the card can be cast whenever an instant could, and whether no other may be one."""
    found: list[Iri] = []
    no_other = True
    for effect in state.effects:
        if "timing" in effect.facts and effect.facts.get("permits") == _CAST:
            holds = _bears(state, effect, at)
            known = effect.facts["timing"] == _ANY_TIME
            if holds and known:
                found.append(effect.iri)
            no_other = no_other and (holds is False or (holds is True and known))
    return found, no_other


def _instead(state: State, at: Moment, effects: list[Node]) -> tuple[list[Iri], bool]:
    """The zones to which effects send the card instead (CR 614.1), and whether no other effect may do so."""
    found: list[Iri] = []
    no_other = True
    would = at.facts.get("defaultDestination" if at.facts.get("from") == STACK else "to")
    for effect in effects:
        if effect.facts.get("replaces") == _MOVE and would in (None, effect.facts.get("to")):
            holds = _bears(state, effect, at)
            if holds and would is not None:
                found.append(iri(effect.facts.get("instead")) or NONE)
            no_other = no_other and holds is not None and would is not None
    return found, no_other


# --- one effect and one event: True, False, or None where the record does not say


def _bears(state: State, effect: Node, at: Moment, of_owner: bool = False) -> bool | None:
    """Whether an effect bears on an event (CR 611.2, 611.3). `of_owner`: it looks at whose card moves, as on moves."""
    over = _is_over(state, effect, at.event)
    if over:
        return False
    facts = at.facts
    answers: list[bool | None] = [None if over is None or effect.partial else True]
    if "player" in effect.facts:
        whom = state.owner(at.card) if of_owner or at.type == "Move" else facts.get("player")
        answers.append(same(whom, effect.facts["player"]))
    if "from" in effect.facts:
        answers.append(same(facts.get("from", facts.get("zoneBefore")), effect.facts["from"]))
    condition = state.node(effect.facts.get("condition"))
    if condition is not None:
        answers += _condition(state, condition, at)
    if False in answers:
        return False
    return None if None in answers else True


def _is_over(state: State, effect: Node, event: Node) -> bool | None:
    """Whether an effect is not there yet or no longer: by what is stated, else by its source (CR 611.2a, 611.3b)."""
    since = state.node(effect.facts.get("since"))
    if since is not None and state.order[event.iri] <= state.order[since.iri]:
        return True
    source = iri(effect.facts.get("source"))
    static = source is not None and since is not None and source in (since.facts.get("card"), since.facts.get("object"))
    if "until" in effect.facts or (since is not None and not static):
        return durations.is_over(state, effect, since or state.events[0], event)
    if source is None or (since is None and state.value(source, "initialZone") != BATTLEFIELD):
        return False
    zone = state.zone.get(source)
    return None if zone is None else zone != BATTLEFIELD


def _condition(state: State, condition: Node, at: Moment) -> list[bool | None]:
    """What an effect asks of the card or spell, of where it comes from, and of what the player has cast this turn."""
    wanted = condition.facts
    of_card = wanted.get("considers", "spell") == "card"
    cast = at.type in ("Cast", "Observe")
    spell = not of_card and (cast or (at.type == "Move" and at.subject is not None))
    view = AS_CARD if at.card is None else faces.spell(state, at) if spell else faces.elsewhere(state, at.card)
    found = state.seen(at.card, view)
    answers: list[bool | None] = []
    if condition.partial or wanted.get("considers", "spell") not in ("card", "spell"):
        return [None]
    for name, have in (("colors", found.colors), ("names", found.names)):
        if name in wanted:
            answers.append(None if have is None else not set(members(wanted, name)).isdisjoint(have))
    for name, words in (("types", found.types), ("subtypes", found.subtypes)):
        if name in wanted:
            answers.append(_has_one(words, texts(wanted, name)))
    if "typesNot" in wanted:
        has = _has_one(found.types, texts(wanted, "typesNot"))
        answers.append(None if has is None else not has)
    values = _mana_values(state, found, at, of_card)
    if "manaValue" in wanted:
        answers.append(not values.isdisjoint(members(wanted, "manaValue")) if values else None)
    if "manaValueAtMost" in wanted:
        answers.append(min(values) <= number(wanted, "manaValueAtMost", 0) if values else None)
    if "from" in wanted:
        start = _came_from(state, at) if spell or cast else at.facts.get("from")
        answers.append(same(start, wanted["from"]))
    if "perTurn" in wanted:
        answers.append(_cast_already(state, at, number(wanted, "perTurn", 0)))
    return answers


def _has_one(words: tuple[str, ...] | None, wanted: tuple[str, ...]) -> bool | None:
    """Whether one of the types is among those wanted, in any language; a word that is not known may mean any."""
    if words is None:
        return None
    if not set(words).isdisjoint(wanted):
        return True
    return some(None if one is None else is_among(one, words) for one in named(wanted))


def _came_from(state: State, at: Moment) -> Value | None:
    """The zone from which a spell is or was cast; of a copy there is none."""
    if at.type in ("Cast", "Observe"):
        return at.facts.get("from", at.facts.get("zoneBefore"))
    return state.value(state.value(at.subject, "castEvent"), "from")


def _mana_values(state: State, found: Characteristics, at: Moment, of_card: bool) -> set[int]:
    """The mana value (CR 202.3), that of either half where rules of the day count so (202.3d); empty: not known."""
    if of_card and found.halves is not None and state.day < state.schema.valid_until["halvesManaValueKey"]:
        return set(found.halves)
    value = found.mana_value(0 if of_card else integer(at.facts.get("x")))
    return set() if value is None else {value}


def _cast_already(state: State, at: Moment, times: int) -> bool | None:
    """Whether the player has cast as many spells this turn before."""
    mine = (at.facts.get("player"), at.facts.get("turnNode"))
    if None in mine:
        return None
    before = sum(1 for c in state.casts if (c.facts.get("player"), state.value(c.iri, "turnNode")) == mine)
    if before >= times:
        return True
    return False if "Cast" in state.complete and state.turns.turn_began(at.event.iri) else None
