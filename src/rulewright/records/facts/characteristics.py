"""Characteristics of an event's card and spell: names, colours, types, mana cost, mana value (CR 109.3, 202, 709)."""

from __future__ import annotations

from rulewright.records.characteristics import View
from rulewright.records.facts import faces
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import ADVENTURE, AFTERMATH, SPLIT, STACK, as_one, integer, texts
from rulewright.records.graph import Facts
from rulewright.vocabulary import Iri


def facts_at(state: State, at: Moment, card: Iri) -> None:
    """Of the card off the stack (CR 709.4, 715.4), and of the spell that it is or is to be (709.3b, 715.3b)."""
    facts = at.facts
    thing = at.subject if at.card is None and at.subject is not None else card
    facts.update(_shown(state, "card", card, faces.elsewhere(state, thing), 0))
    if at.type in ("Cast", "Suspend") or at.subject in state.objects or state.zone.get(card) == STACK:
        facts.update(_shown(state, "spell", card, faces.spell(state, at), _x(state, at)))
    if at.type == "Observe":
        _changed_colours(state, at, card)
    node = state.node(card)
    split = facts["subjectSplit"] = node is not None and node.facts.get("layout") in (SPLIT, AFTERMATH)
    if split and (halves := state.printed(card, None, combined=True).halves) is not None:
        facts["halvesManaValueKey"] = as_one(halves, "set")
    if at.type == "Cast" and (cost := state.printed(card, at.faces).mana_cost) is not None:
        facts["hasX"] = "{X}" in str(cost).upper()


def as_spell(state: State, at: Moment, card: Iri) -> None:
    """Of the spell that a card would be, cast with the faces of the event (CR 601.3e)."""
    at.facts.update(_shown(state, "spell", card, View("spell", at.faces), None))


def adventure(state: State, at: Moment) -> None:
    """Whether an adventurer card is cast as an Adventure (CR 715.3); not known where its face is not recorded."""
    card = state.node(at.card)
    if card is None:
        return
    if card.facts.get("layout") != ADVENTURE:
        at.facts["castAsAdventure"] = False
    elif at.faces is not None:
        at.facts["castAsAdventure"] = any(
            face.facts.get("name") in at.faces and (position == 1 or "Adventure" in texts(face.facts, "subtypes"))
            for position, face in enumerate(state.parts(card, "faces"))
        )


def _shown(state: State, prefix: str, card: Iri, view: View, x: int | None) -> Facts:
    """Characteristics as facts, of the card (`card…`) or of the spell (`spell…`), with a value for X (CR 202.3e)."""
    way = (prefix, card, view, x)
    if way not in state.shown:
        facts = state.shown[way] = Facts()
        for name, value in state.seen(card, view).facts(x).items():
            facts[prefix + name] = value
            if isinstance(value, tuple):
                facts[f"{prefix}{name}Count"] = len(value)
                facts[f"{prefix}{name}Key"] = as_one(value, state.schema.compared[prefix + name])
            elif name == "ManaValue":
                facts[f"{prefix}ManaValueKey"] = as_one((value,), state.schema.compared["manaValue"])
    return state.shown[way]


def _x(state: State, at: Moment) -> int | None:
    """The value chosen for X (CR 107.3a); a copy has that of the spell copied (707.10)."""
    if at.type == "Cast":
        return integer(at.facts.get("x"))
    found = state.objects.get(at.subject) if at.subject is not None else None
    if found is None:
        return None
    return integer(state.value(state.value(found.root or found.iri, "createdBy"), "x"))


def _changed_colours(state: State, at: Moment, card: Iri) -> None:
    """What an effect has changed the colours to (CR 105.3, 613.1e)."""
    changed = next((thing for thing in (at.subject, card) if thing in state.colour), None)
    if changed is None:
        return
    colours = state.colour[changed]
    for name in ("cardColorsKey", "spellColorsKey"):
        at.facts.pop(name, None)
        if colours is not None:
            at.facts[name] = colours
