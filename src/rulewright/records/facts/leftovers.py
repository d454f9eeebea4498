"""What was not chosen to be kept, and has to go before the resolution is over (CR 608.2c, 608.2e)."""

from __future__ import annotations

from rulewright.records.descriptions import description
from rulewright.records.facts import effects, fitting
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.things import thing
from rulewright.records.facts.values import STACK, iri, iris
from rulewright.records.model import Node
from rulewright.vocabulary import Iri

_MOVE = "Move"


def choosable(state: State, at: Moment) -> None:
    """What the player could choose among that is recorded, where the choice is of something to keep (CR 608.2d)."""
    meant = iri(at.facts.get("choiceMeant"))
    among = state.names.among(meant) if meant is not None else None
    player = at.event.facts.get("player")
    if among is None or player is None or "chosen" not in at.event.facts:
        return
    asked = description(among)
    things = [card.iri for card in state.record.children("cards")]
    things += [found.iri for found in state.objects.values() if found.kind == "Token"]
    state.choosable[at.event.iri] = frozenset(
        one for one in things if fitting.fits(state, thing(state, at, one), asked, player).surely
    )


def left(state: State) -> None:
    """Of each resolution that is over: what those who chose what to keep still have of the rest."""
    groups: dict[tuple[Iri, str], list[Node]] = {}
    for iri_ in state.choosable:
        inside = state.facts(iri_).get("during")
        if isinstance(inside, Iri) and inside in state.record.nodes:
            spelled = str(state.value(iri_, "choiceSpelled"))
            groups.setdefault((inside, spelled), []).append(state.record.nodes[iri_])
    for (inside, _), choices in groups.items():
        after = _until_over(state, inside, choices[0])
        if after is not None and (rest := _rest(state, choices, after)) is not None:
            _add(state, inside, rest, certain=not rest or _is_told(state, choices[0]))


def _rest(state: State, choices: list[Node], after: list[Node]) -> frozenset[Iri] | None:
    """What is left; None unless some of the rest was given up, so that what was chosen was to be kept."""
    types = _giving_up(state, choices[0])
    could = frozenset[Iri]().union(*(state.choosable[choice.iri] for choice in choices))
    keep = frozenset(card for choice in choices for card in iris(choice.facts, "chosen"))
    given = {card for event in after if event.kind in types for card in _moved(state, event)}
    if not keep <= could or keep & given or not given & could:
        return None
    return could - keep - {card for event in after for card in _moved(state, event)}


def _is_told(state: State, choice: Node) -> bool:
    """Whether the record has everything by which the rest goes, and nothing can have kept it where it is."""
    types = _giving_up(state, choice)
    return {_MOVE, *types} <= state.complete and all(effects.none_bears(state, kind) for kind in types)


def _add(state: State, inside: Iri, rest: frozenset[Iri], certain: bool) -> None:
    facts = state.facts(inside)
    all_told = certain and ("leftOver" not in facts or "leftOverCount" in facts)
    found = (*iris(facts, "leftOver"), *(sorted(rest) if certain else ()))
    facts["keepsSome"], facts["leftOver"] = True, found
    facts.pop("leftOverCount", None)
    if found or all_told:
        facts["leftOverCount"] = len(found)


def _giving_up(state: State, choice: Node) -> frozenset[str]:
    """The types of the events by which the rest is given up, and so moves."""
    meant = state.value(choice.iri, "choiceMeant")
    named = state.names.events(meant) if isinstance(meant, Iri) else frozenset()
    return frozenset(name for name in named if state.schema.event_types[name].moves is not None)


def _until_over(state: State, inside: Iri, choice: Node) -> list[Node] | None:
    """The events from a choice to the end of the resolution; None where the record ends, or has a gap, before."""
    found: list[Node] = []
    spell = state.value(state.record.nodes[inside].facts.get("object"), "card")
    for event in state.events[state.order[choice.iri]:]:
        during = state.facts(event.iri).get("during")
        if state.order[event.iri] in state.gaps:
            return None
        if event.kind == "Resolve" or during not in (inside, None):
            return found
        found.append(event)
        if event.kind == _MOVE and event.facts.get("from") == STACK and event.facts.get("card") == spell:
            return found
    return None


def _moved(state: State, event: Node) -> tuple[Iri, ...]:
    """What an event moves by its type."""
    kind = state.schema.event_types.get(event.kind)
    return tuple([thing for thing in kind.moved(event.facts) if isinstance(thing, Iri)]) if kind is not None else ()
