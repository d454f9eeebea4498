"""Targets: each with what is asked for, how many are needed, and whether they are gone (CR 115, 601.2c, 608.2b)."""

from __future__ import annotations

from rulewright.records.facts.state import GameObject, Moment, State
from rulewright.records.facts.values import BATTLEFIELD, STACK, as_one, iri, iris, number, texts
from rulewright.records.graph import Facts
from rulewright.records.model import Node
from rulewright.vocabulary import Iri

_TYPES_WANTED = {
    "creature": frozenset({"Creature"}),
    "land": frozenset({"Land"}),
    "any": frozenset({"Creature", "Planeswalker", "Battle"}),
}
"""Kind of target -> the types of permanents of which one fits (CR 115.4 for "any target")."""


def chosen(state: State, at: Moment) -> None:
    """Each target with the requirement that it is for (CR 115.1a, 601.2c)."""
    card = state.node(_card(state, at))
    if "targets" not in at.event.facts or card is None:
        return
    targets = iris(at.event.facts, "targets")
    wanted = [t for part in state.parts_cast(card, at.faces) for t in state.parts(part, "targetRequirements")]
    # no more than there are targets: a record may ask for any number of them
    kinds = [str(t.facts.get("kind")) for t in wanted for _ in range(min(number(t.facts, "n", 1), len(targets)))]
    stated = bool(kinds) or "targetRequirements" in card.facts
    origin = state.node(iri(state.value(at.subject, "createdBy")))
    before = iris(origin.facts, "targets") if origin is not None else ()
    entries = tuple(Iri(f"{at.event.iri}/target/{n}") for n in range(1, len(targets) + 1))
    for position, (entry, target) in enumerate(zip(entries, targets, strict=True)):
        kept = position < len(before) and before[position] == target
        facts: Facts = {"inRecord": state.record.id, "target": target, "kept": kept}
        if position >= len(kinds):
            facts["unasked"] = stated
        elif (fits := _fits(state, target, kinds[position])) is not None:
            facts["fits"] = fits
        state.graph.add(entry, "TargetEntry", facts)
    at.facts["targetEntries"], at.facts["targetEntriesCount"] = entries, len(entries)


def division(state: State, at: Moment) -> None:
    """How an effect is divided among the targets (CR 601.2d)."""
    shares = {s.facts.get("target"): s.facts for s in state.parts(at.event, "division")}
    targets = iris(at.event.facts, "targets")
    if shares and all(t in shares for t in targets):
        at.facts["divisionKey"] = as_one((number(shares[t], "amount", 0) for t in targets), "sequence")


def needed(state: State, at: Moment) -> None:
    """Whether the spell as it is cast asks for targets (CR 115.1a), and for how many with what is paid (601.2c)."""
    card = state.node(at.card)
    if card is None:
        return
    parts = state.parts_cast(card, at.faces)
    wanted = [t for part in parts for t in state.parts(part, "targetRequirements")]
    at.facts["asksForTargets"] = bool(wanted)
    stated = any("targetRequirements" in part.facts for part in parts)
    if stated and ("additionalCosts" in at.event.facts or all("ifPaid" not in t.facts for t in wanted)):
        paid = {None, *(p.facts.get("kind") for p in state.parts(at.event, "additionalCosts"))}
        at.facts["targetsNeeded"] = sum(number(t.facts, "n", 1) for t in wanted if t.facts.get("ifPaid") in paid)


def gone(state: State, at: Moment) -> None:
    """Whether every target has changed zones since it was chosen, and so is illegal (CR 608.2b, 400.7)."""
    origin = state.created.get(at.subject) if at.subject is not None else None
    node = state.node(origin)
    targets = iris(node.facts, "targets") if node is not None else ()
    if targets and origin is not None:
        at.facts["allTargetsGone"] = all(_is_gone(state, target, origin) for target in targets)


def _is_gone(state: State, target: Iri, origin: Iri) -> bool:
    since = state.order[origin]
    found = state.objects.get(target)
    if found is not None and found.kind != "Token" and not found.on_stack:
        return True
    return state.order.get(state.arrival.get(target, origin), since) > since


def _card(state: State, at: Moment) -> Iri | None:
    """The card that says what is asked for: of a copy, that of the spell copied (CR 707.10)."""
    found = state.objects.get(at.subject) if at.subject is not None else None
    if found is not None and found.root is not None:
        found = state.objects.get(found.root)
    return found.card if found is not None else at.card


def _fits(state: State, target: Iri, kind: str) -> bool | None:
    """Whether a target is of the kind required (CR 115.4); None where its types are not known."""
    node = state.node(target)
    if kind == "player" or (node is not None and node.kind == "Player"):
        return node is not None and node.kind == "Player" and kind in ("player", "any")
    found = state.objects.get(target) or state.objects.get(state.spell_of.get(target, Iri("")))
    if kind in ("spell", "instant or sorcery spell"):
        if found is None and node is not None and state.zone.get(target) == STACK:
            types = state.printed(node.iri, None).types
            return True if kind == "spell" else None if types is None else bool({"Instant", "Sorcery"} & set(types))
        return _fits_spell(state, found, kind)
    if found is not None and found.kind != "Token":
        return False
    zone = state.zone.get(target)
    if zone is not None and zone != BATTLEFIELD:
        return False
    if kind == "permanent":
        return True if zone == BATTLEFIELD else None
    return _fits_permanent(state, target, node, kind, certain=zone is not None)


def _fits_spell(state: State, found: GameObject | None, kind: str) -> bool | None:
    """CR 112.1: it is a spell while it is on the stack."""
    if found is None or found.kind != "Spell" or not found.on_stack:
        return False
    if kind == "spell":
        return True
    original = state.objects.get(found.root, found) if found.root is not None else found
    types = state.printed(original.card, found.faces).types
    return None if types is None else bool({"Instant", "Sorcery"} & set(types))


def _fits_permanent(state: State, target: Iri, node: Node | None, kind: str, certain: bool) -> bool | None:
    """A permanent by its types; `certain`: it is known to be on the battlefield."""
    made = state.node(state.created.get(target))
    facts = node.facts if node is not None else made.facts if made is not None else {}
    wanted = _TYPES_WANTED.get(kind)
    if wanted is None or "types" not in facts:
        return None
    fits = not wanted.isdisjoint(texts(facts, "types"))
    return None if fits and not certain else fits
