"""What an event changes: what it creates, ends and moves by its type, and what it does to what is there."""

from __future__ import annotations

from rulewright.records.facts import attachments, counters, durations, faces, gaps, objects, zones
from rulewright.records.facts.state import State
from rulewright.records.facts.values import CHANGING_COLOURS, iri
from rulewright.records.model import Node
from rulewright.vocabulary import EventType, Iri


def apply(state: State, event: Node) -> None:
    """The state after an event. What its type implies stands in the ontology (`game:creates`, `game:moves`, …)."""
    kind = state.schema.event_types.get(event.kind) or EventType("Event")
    thing = iri(event.facts.get("object"))
    if thing is not None and kind.creates:
        objects.create(state, event, kind, thing)
    if thing is not None and kind.ends_object:
        objects.end(state, event, thing)
    if kind.moves:
        zones.moved(state, event, kind)
    if kind.puts_counter:
        counters.put(state, event, kind)
    if kind.interrupts:
        gaps.pass_over(state)
    gaps.untold(state, event, kind)
    if event.kind == "Resolve":
        gaps.instructed(state, event)
    match event.kind:
        case "Cast":
            _cast(state, event, thing)
        case "AddCounters" | "RemoveCounters":
            counters.changed(state, event)
        case "Cease" if thing is not None:
            objects.cease(state, event, thing)
        case "Attach":
            attachments.attach(state, event)
        case "Detach":
            attachments.detach(state, event)
        case "Transform" | "TurnFaceUp" | "TurnFaceDown":
            faces.turns(state, event)
        case "ChangeControl" | "Change" | "GainKeyword" | "LoseKeyword":
            changed = iri(event.facts.get("object", event.facts.get("card")))
            if changed is not None:
                _change(state, event, changed)


def _cast(state: State, event: Node, spell: Iri | None) -> None:
    """The last parts of casting: costs are paid (CR 601.2h), and the spell has been cast (601.2i)."""
    zones.pay(state, event)
    state.casts.append(event)
    if spell is not None:
        state.facts(event.iri)["createdObject"] = spell


def _change(state: State, event: Node, thing: Iri) -> None:
    """Another controller (CR 613.1b), other colours (613.1e), keywords gained or lost (613.1f)."""
    if event.kind == "ChangeControl":
        durations.begin(state, event, state.spell_of.get(thing, thing))
    elif event.kind != "Change" or state.value(event.iri, "changedMeant") in (None, CHANGING_COLOURS):
        durations.begin(state, event, thing)
