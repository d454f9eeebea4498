"""The canonical game graph of a record: what it states, and what follows from that by the rules of the game.

Here is what happens in which order; how each fact follows stands in `rulewright.records.facts`, by subject. What is
unknown has no fact; `game:none` is a known nothing. No keyword is named: what event types imply stands in the ontology.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.records.facts import (
    attachments,
    beliefs,
    changes,
    characteristics,
    costs,
    counters,
    destinations,
    durations,
    effects,
    faces,
    given_up,
    keywords,
    leftovers,
    legends,
    objects,
    paying,
    priority,
    resolutions,
    stack,
    standings,
    subjects,
    targets,
    turn_steps,
)
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.stated import begin
from rulewright.records.graph import Graph
from rulewright.records.model import Record
from rulewright.records.words import Words
from rulewright.vocabulary import Iri

__all__ = ["Graph", "canonical"]

_SHOWS_CHARACTERISTICS = frozenset({"Cast", "Suspend", "Move", "Observe", "Play", "Copy"})
_BORNE_ON_BY_EFFECTS = frozenset({"Cast", "Suspend", "Play", "Move", "Activate"})


def canonical(record: Record, keywords: Words, steps: Iterable[Iri] = ()) -> Graph:
    """The canonical graph of a record.

    `steps`: for which steps the state of each card with keywords is wanted as a node of its own
    (`game:Standing`), so that what triggers at the beginning of a step can be checked.
    """
    *_, state = play(record, keywords, steps)
    return state.graph


def play(record: Record, keywords: Words, steps: Iterable[Iri] = ()) -> Iterator[State]:
    """The state before the first event, after each, and once more when what can only be said in the end is said."""
    state = begin(record, keywords)
    resolutions.windows(state)
    standings.turns(state)
    turn_steps.recorded(state)
    legends.namesakes(state)
    beginnings = standings.beginnings(state, steps)
    yield state
    for event in state.events:
        durations.end(state, event)
        for beginning in beginnings.get(event.iri, ()):
            standings.standing(state, beginning, event)
        _before(state, subjects.moment(state, event))
        changes.apply(state, event)
        legends.together(state, event)
        yield state
    _afterwards(state)
    yield state


def _before(state: State, at: Moment) -> None:
    """The facts of an event as it begins. Later ones rest on earlier ones: keywords on costs, amounts on keywords."""
    subjects.subject(state, at)
    named = keywords.named(state, at)
    keywords.trigger(state, at)
    if at.type in ("Cast", "Copy"):
        costs.payments(state, at)
        targets.division(state, at)
        targets.chosen(state, at)
    if at.type == "Copy":
        subjects.original_event(state, at)
    if at.type == "Cast":
        subjects.from_player(state, at)
        costs.bases(state, at)
        faces.cast(state, at)
    keywords.facts_at(state, at, named)
    if at.type == "Cast":
        costs.exiled(state, at)
        costs.amounts(state, at)
        characteristics.adventure(state, at)
        costs.required(state, at)
        targets.needed(state, at)
    _at_this_point(state, at)
    shown = subjects.card_shown(state, at)
    if shown is not None and at.type in _SHOWS_CHARACTERISTICS:
        characteristics.facts_at(state, at, shown)
        if at.type in ("Cast", "Move"):
            destinations.own_text(state, at, shown)
        if at.type == "Move":
            destinations.due(state, at, shown)
    if at.type in _BORNE_ON_BY_EFFECTS:
        effects.bearing(state, at)
    if at.type == "Observe":
        beliefs.facts_at(state, at, shown)


def _at_this_point(state: State, at: Moment) -> None:
    """What else holds at this point of the game."""
    subjects.paid(state, at)
    counters.facts_at(state, at)
    match at.type:
        case "Observe":
            priority.holder(state, at)
            subjects.following(state, at)
        case "Choose":
            leftovers.choosable(state, at)
        case "Declined":
            resolutions.able(state, at)
        case "Move":
            attachments.host_left(state, at)
            stack.token_gone(state, at)
        case "Trigger":
            priority.reaches_back(state, at)
            subjects.traced(state, at)
        case "Draw":
            turn_steps.draw(state, at)
        case "Play":
            subjects.from_player(state, at)
            turn_steps.land(state, at)
        case "Sacrifice" | "Discard":
            given_up.facts_at(state, at)
        case "Activate":
            costs.repeated(state, at)
            stack.activation(state, at)
            paying.activation(state, at)
        case "Resolve" | "NotResolved":
            targets.legal(state, at)
    stack.ending(state, at)


def _afterwards(state: State) -> None:
    """What can be said only once every event has been read."""
    if state.graph.unchecked:
        state.facts(state.record.id)["unknownWords"] = True
    objects.finish(state)
    for event in state.events:
        resolutions.position(state, event)
        priority.settled(state, event)
        stack.leaving(state, event)
        resolutions.batch(state, event)
        priority.rank(state, event)
    resolutions.kept(state)
    leftovers.left(state)
    legends.settled(state)
