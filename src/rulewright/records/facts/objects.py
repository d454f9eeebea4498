"""Spells, abilities and tokens: how they come to be, what was chosen for them, how they end (CR 112, 113, 707)."""

from __future__ import annotations

from rulewright.records.facts import attachments
from rulewright.records.facts.places import zone_of
from rulewright.records.facts.state import GameObject, State
from rulewright.records.facts.values import BATTLEFIELD, PERMANENT_TYPES, game, iri, texts
from rulewright.records.graph import Facts
from rulewright.records.model import Node
from rulewright.vocabulary import NEWEST, NONE, EventType, Iri

_DECISIONS = {
    "x": "chosenX", "modesKey": "chosenModesKey", "divisionKey": "chosenDivisionKey",
    "paymentKindsKey": "chosenPaymentsKey", "chosenOpponent": "chosenOpponent",
    "paidKeywords": "paidKeywords", "paidKeywordsCount": "paidKeywordsCount",
}  # fmt: skip
"""What an event states of the choices for a spell -> how the spell keeps it (CR 601.2b-d)."""
_OF_ABILITY = ("abilityKeyword", "abilityLabel", "abilityMeant", "source")
"""What an ability on the stack keeps of the event that put it there."""


def create(state: State, event: Node, kind: EventType, made: Iri) -> None:
    """An object comes to be: who controls it (CR 112.2, 113.8), whether it is a copy and was cast (707.10)."""
    facts: Facts = {"inRecord": state.record.id, "createdBy": event.iri}
    found = GameObject(made, str(kind.creates))
    if "player" in event.facts:
        facts["controller"] = state.controller[made] = event.facts["player"]
    if event.kind == "Cast":
        _cast(state, event, found, facts)
    elif event.kind == "Copy":
        _copied(state, event, found, facts)
    elif found.kind == "CardCopy":
        _copied_card(state, event, found, facts)
    elif found.kind == "Ability":
        _ability(state, event, facts)
    else:
        facts.update({"isCopy": False, "castEvent": NONE})
        found.on_stack = False
        state.zone[made] = BATTLEFIELD
    if found.kind == "Spell":
        _decisions(state, event, found, facts)
    if found.kind == "Token":
        state.became[made] = NONE
        if "name" in event.facts:
            known = state.names.resolve("TokenName", str(event.facts["name"]))
            state.facts(event.iri)["nameMeant"] = known or NONE
    state.objects[made] = found
    state.created[made] = event.iri
    state.graph.extend(made, found.kind, facts)


def token(state: State, event: Node, made: Iri) -> None:
    """What a card or copy becomes as it arrives: a new object (CR 400.7)."""
    state.objects[made] = GameObject(made, "Token", on_stack=False)
    facts: Facts = {"inRecord": state.record.id, "createdBy": event.iri, "isCopy": False, "castEvent": NONE}
    state.graph.extend(made, "Token", facts)


def _cast(state: State, event: Node, found: GameObject, facts: Facts) -> None:
    """A card that is cast becomes a spell (CR 601.2a), of the face chosen (709.3a, 715.3a)."""
    found.card = iri(event.facts.get("card"))
    found.faces = texts(event.facts, "face") or None
    down = state.facts(event.iri).get("faceDown")
    found.face_down = down if isinstance(down, bool) else None
    made = state.objects.get(found.card or NONE)
    found.copy = made is not None and made.kind == "CardCopy"
    facts.update({"isCopy": found.copy, "castEvent": event.iri, "originSpell": found.iri})
    if found.card is not None:
        facts["card"] = found.card
        state.spell_of[found.card] = found.iri


def _copied(state: State, event: Node, found: GameObject, facts: Facts) -> None:
    """A copy of a spell was not cast (CR 707.10); what is put onto the battlefield as a copy is a token (111.1)."""
    of = iri(event.facts.get("of"))
    of = state.spell_of.get(of, of) if of is not None else None
    source = state.objects.get(of) if of is not None else None
    found.root = (source.root or source.iri) if source is not None else of
    found.faces = source.faces if source is not None else None
    found.face_down = source.face_down if source is not None else None
    found.copy = True
    facts.update({"isCopy": True, "castEvent": NONE, "card": NONE})
    if found.root is not None:
        facts["originSpell"] = state.value(found.root, "originSpell") or found.root
    if event.facts.get("to") == BATTLEFIELD:
        found.kind, found.on_stack = "Token", False


def _copied_card(state: State, event: Node, found: GameObject, facts: Facts) -> None:
    """A copy of a card is created in the zone in which that is (CR 707.12)."""
    found.on_stack = False
    facts["isCopy"] = True
    of = iri(event.facts.get("of"))
    if of is None:
        return
    original = state.original(of) or state.objects.get(of)
    card = original.card if original is not None and original.card is not None else of
    facts["copyOf"] = state.card_copies[found.iri] = state.card_copies.get(card, card)
    zone = event.facts.get("zone", zone_of(state, of, event))
    if zone is not None:
        state.zone[found.iri] = zone
    state.arrival[found.iri] = event.iri


def _ability(state: State, event: Node, facts: Facts) -> None:
    """An ability on the stack (CR 113.1c): its source, the spell that this was, and how it is named."""
    facts.update({"isCopy": False, "castEvent": NONE})
    source = iri(event.facts.get("source"))
    became = state.became.get(source) if source is not None else None
    if became is not None:
        facts["originSpell"] = became
    at = state.facts(event.iri)
    facts.update({name: at[name] for name in _OF_ABILITY if name in at})


def _decisions(state: State, event: Node, found: GameObject, facts: Facts) -> None:
    """What was chosen for a spell (CR 601.2b-d); a copy takes it over from the original (707.10)."""
    facts["abilityLabel"] = facts["abilityMeant"] = NONE
    for name, chosen in _DECISIONS.items():
        value = state.value(event.iri, name) if event.kind == "Cast" else state.value(found.root, chosen)
        if value is not None:
            facts[chosen] = value
    original = state.objects.get(found.root, found) if found.root is not None else found
    types = state.printed(original.card, found.faces).types
    if types is not None:
        facts["permanentSpell"] = not PERMANENT_TYPES.isdisjoint(types)


def end(state: State, event: Node, ended: Iri) -> None:
    """A spell or ability resolves, is countered or does not resolve: an ability or copy is gone by that (CR 608.2n)."""
    found = state.objects.get(ended)
    if event.kind == "Resolve":
        state.last_resolution = state.order[event.iri]
    if found is None or ended in state.ended or found.kind in ("Token", "CardCopy"):
        return
    state.ended[ended] = event.kind
    if event.kind == "Resolve":
        state.resolution_of[ended] = event.iri
    vanishes = found.copy and state.value(ended, "permanentSpell") is not True
    if found.kind == "Ability" or vanishes or event.kind != "Resolve":
        leave_stack(state, event, found)


def leave_stack(state: State, event: Node, found: GameObject) -> None:
    if found.on_stack:
        found.on_stack = found.uncertain = False
        state.facts(found.iri)["leftStackAt"] = state.order[event.iri]
        if found.copy:
            for thing in (found.iri, found.card):
                if thing is not None:
                    state.zone.pop(thing, None)
                    state.arrival[thing] = event.iri


def cease(state: State, event: Node, thing: Iri) -> None:
    """A copy, token or ability ceases to exist (CR 704.5d, 704.5e): it is nowhere, and nothing is attached to it."""
    attachments.left(state, event, thing)
    found = state.objects.get(thing)
    for gone in (thing, found.card if found is not None and found.copy else None):
        if gone is not None:
            state.zone[gone] = NONE
            state.arrival[gone] = event.iri


def finish(state: State) -> None:
    """How each spell and ability ended (CR 608.1, 608.2b, 701.6a), and that what is left never left the stack."""
    for made, found in state.objects.items():
        facts = state.facts(made)
        outcome = state.ended.get(made)
        if outcome is not None:
            facts.setdefault("leftStackAt", state.ends[made])
        elif not found.uncertain and found.kind != "Token" and (not found.copy or state.endings_recorded):
            facts.setdefault("leftStackAt", NEWEST)
        if outcome is not None:
            facts["resolved"], facts["outcome"] = outcome == "Resolve", game(outcome)
        elif "Resolve" in state.complete and not found.on_stack:
            facts.setdefault("resolved", False)
