"""Targets: each with what is asked for, how many are needed, and whether they are gone (CR 115, 601.2c, 608.2b)."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.records.descriptions import Description, asking, description
from rulewright.records.facts import fitting, keywords, paying
from rulewright.records.facts.fitting import Answer
from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.things import thing
from rulewright.records.facts.values import CHOOSING_TARGETS, as_one, iri, iris, members, number, texts
from rulewright.records.graph import Facts, Unchecked
from rulewright.records.model import Node, Value
from rulewright.records.words import COST, normal
from rulewright.vocabulary import NONE, Iri
from rulewright.vocabulary.costs import OF_ANOTHER_CARD


@dataclass(frozen=True)
class _Requirement:
    """What a card asks for: how many of what; `applies`: whether it does with what is paid (None: not known)."""

    kind: str
    asked: Description
    n: int
    applies: bool | None


def chosen(state: State, at: Moment) -> None:
    """Each target with the requirement that it is for (CR 115.1a, 601.2c)."""
    card = state.node(_card(state, at))
    if "targets" not in at.event.facts or card is None:
        return
    targets = iris(at.event.facts, "targets")
    origin = state.node(iri(state.value(at.subject, "createdBy")))
    before = iris(origin.facts, "targets") if origin is not None else ()
    possible = _possible(state, origin or at.event, card, at.faces)
    unknown = (r.kind for r in possible if r.kind and not r.asked.understood)
    state.graph.unchecked += [Unchecked("kind", kind, at.event.iri) for kind in unknown]
    asked_for = _asked_for(state, origin or at.event, card, at.faces, len(targets))
    entries = tuple(Iri(f"{at.event.iri}/target/{n}") for n in range(1, len(targets) + 1))
    for position, (entry, target) in enumerate(zip(entries, targets, strict=True)):
        kept = position < len(before) and before[position] == target
        asked = asked_for[position]
        facts: Facts = {"inRecord": state.record.id, "target": target, "kept": kept, "unasked": not asked,
                        "fitsIfChanged": False}  # fmt: skip
        if asked:
            _judge(state, facts, _answer(state, at, target, asked))
        state.graph.add(entry, "TargetEntry", facts)
    at.facts["targetEntries"], at.facts["targetEntriesCount"] = entries, len(entries)


def _possible(state: State, cast: Node, card: Node, faces: tuple[str, ...] | None) -> list[_Requirement]:
    return [r for r in _requirements(state, cast, card, faces) if r.applies is not False]


def _asked_for(
    state: State, cast: Node, card: Node, faces: tuple[str, ...] | None, number_of_targets: int
) -> list[list[Description]]:
    """Of each target, in order, what it may be asked for: several where that is not settled, none where it is not."""
    possible = _possible(state, cast, card, faces)
    if _modal(state, cast, card, faces) or not all(r.applies and not r.asked.optional for r in possible):
        return [[r.asked for r in possible]] * number_of_targets
    in_order = _in_order(possible, number_of_targets)
    return [in_order[position : position + 1] for position in range(number_of_targets)]


def _answer(state: State, at: Moment, target: Iri, asked: list[Description]) -> Answer:
    """Whether a target fits what it is for, whichever of these that is; nothing targets itself (CR 115.5)."""
    if target == at.subject:
        return Answer(False, False)
    found, player = thing(state, at, target), at.event.facts.get("player")
    return fitting.agreed(fitting.fits(state, found, one, player) for one in asked)


def _judge(state: State, facts: Facts, answer: Answer) -> None:
    """An effect that is listed without a form may have changed what the target is, as may one that is not listed."""
    changeable = answer.shown is False and answer.surely is None
    if answer.shown is not None and not (changeable and state.effects_stated and not state.effects_closed):
        facts["fits"], facts["fitsIfChanged"] = answer.shown, changeable


def _requirements(state: State, cast: Node, card: Node, faces: tuple[str, ...] | None) -> list[_Requirement]:
    """What the faces cast ask for, each with whether that depends on what is paid (CR 601.2c)."""
    stated = [t for part in state.parts_cast(card, faces) for t in state.parts(part, "targetRequirements")]
    paid = None
    if "additionalCosts" in cast.facts:
        paid = {str(p.facts.get("kind")) for p in state.parts(cast, "additionalCosts")}
    return [
        _Requirement(str(t.facts.get("kind", "")), _asked(t), number(t.facts, "n", 1), _applies(state, t, paid))
        for t in stated
    ]


def _asked(requirement: Node) -> Description:
    facts = requirement.facts
    zone, controller = facts.get("zone"), facts.get("controllerWanted")
    return asking(
        description(str(facts.get("kind", ""))), zone if isinstance(zone, Iri) else None,
        str(controller) if controller is not None else None, texts(facts, "excluded"),
    )  # fmt: skip


def _applies(state: State, requirement: Node, paid: set[str] | None) -> bool | None:
    """Whether a target is needed with what is paid; None where that, or as what it is paid, is not known."""
    answers = [
        None if (is_paid := _is_paid(state, str(requirement.facts[name]), paid)) is None else is_paid is wanted
        for name, wanted in (("ifPaid", True), ("unlessPaid", False)) if name in requirement.facts
    ]  # fmt: skip
    return False if False in answers else None if None in answers else True


def _is_paid(state: State, kind: str, paid: set[str] | None) -> bool | None:
    """Whether something is paid as a kind of cost; a word that is unknown is like itself, and may be any other."""
    if paid is None:
        return None
    meant = {state.meaning(COST, word) or normal(word) for word in paid}
    wanted = state.meaning(COST, kind) or normal(kind)
    if wanted in meant:
        return True
    return False if all(isinstance(word, Iri) for word in (wanted, *meant)) or not meant else None


def _modal(state: State, cast: Node, card: Node, faces: tuple[str, ...] | None) -> bool:
    """Whether what is asked for depends on modes (CR 115.8, 700.2): the card offers some, or some are chosen."""
    offered = any("modesOffered" in part.facts for part in state.parts_cast(card, faces))
    return offered or bool(members(cast.facts, "modes"))


def _in_order(requirements: list[_Requirement], limit: int) -> list[Description]:
    """What is asked for, target by target; no more than there are: a record may ask for any number of them."""
    return [r.asked for r in requirements for _ in range(min(r.n, limit))]


def division(state: State, at: Moment) -> None:
    """How an effect is divided among the targets (CR 601.2d)."""
    shares = {s.facts.get("target"): s.facts for s in state.parts(at.event, "division")}
    targets = iris(at.event.facts, "targets")
    if shares and all(t in shares for t in targets):
        at.facts["divisionKey"] = as_one((number(shares[t], "amount", 0) for t in targets), "sequence")


def needed(state: State, at: Moment) -> None:
    """Whether the spell as it is cast asks for targets (CR 115.1a), for how many at least, and at most (601.2c)."""
    card = state.node(at.card)
    if card is None:
        return
    requirements = _requirements(state, at.event, card, at.faces)
    at.facts["asksForTargets"] = bool(requirements)
    stated = any("targetRequirements" in part.facts for part in state.parts_cast(card, at.faces))
    if not stated or any(r.applies is None for r in requirements):
        return
    applying = [r for r in requirements if r.applies]
    surely = [] if _modal(state, at.event, card, at.faces) else [r for r in applying if not r.asked.optional]
    at.facts["targetsNeeded"] = sum(r.n for r in surely)
    if not any(r.asked.optional for r in applying):
        at.facts["targetsAllowed"] = sum(r.n for r in applying)
    if "additionalCosts" in at.event.facts:
        own = [_is_its_own(state, payment) for payment in state.parts(at.event, "additionalCosts")]
        at.facts["targetsOfAnotherCard"] = not all(own)
    if len(applying) == 1 and surely == applying and "targets" in at.event.facts:
        targets = iris(at.event.facts, "targets")
        at.facts["targetRepeated"] = len(set(targets)) < len(targets)


def _is_its_own(state: State, payment: Node) -> bool:
    """Whether a payment surely adds no text of another card to the spell (CR 702.47a)."""
    return paying.is_known(state, payment) and state.names.cost(paying.keyword(state, payment)).role != OF_ANOTHER_CARD


# --- as it resolves, or does not


def legal(state: State, at: Moment) -> None:
    """Whether every target is illegal as the spell or ability would resolve, and whether one surely is legal."""
    targets, origin = as_chosen(state, at), _origin(state, at)
    if not targets or origin is None:
        return
    card = state.node(_card(state, at))
    asked = [[]] * len(targets) if card is None else _asked_for(state, origin, card, at.faces, len(targets))
    you = origin.facts.get("player")
    found = [
        _illegal(state, at, target, origin.iri, kinds if _counts(state, at, origin, position) else [], you)
        for position, (target, kinds) in enumerate(zip(targets, asked, strict=True), 1)
    ]
    if any(asked):
        at.facts["asksForTargets"] = True
    if (all_illegal := fitting.every(found)) is not None:
        at.facts["allTargetsGone"] = all_illegal
    still = (t for t, illegal in zip(targets, found, strict=True) if illegal is False)
    if all_illegal:
        at.facts["legalTargetLeft"] = False
    elif state.effects_closed and any(_can_be_targeted(state, at, target) for target in still):
        at.facts["legalTargetLeft"] = True


def _counts(state: State, at: Moment, origin: Node, position: int) -> bool:
    """Whether it matters of what kind a target is: a spell cast at what was not legal is a break of its own."""
    was_legal = state.value(Iri(f"{origin.iri}/target/{position}"), "fits") is True
    return was_legal or origin.kind != "Cast" or at.type == "NotResolved"


def _illegal(
    state: State, at: Moment, target: Iri, origin: Iri, asked: list[Description], you: Value | None
) -> bool | None:
    """Whether a target has changed zones since it was chosen (CR 400.7), or no longer is what it is for (608.2b)."""
    if _is_gone(state, target, origin):
        return True
    if not asked:
        return False
    found = thing(state, at, target)
    answer = fitting.agreed(fitting.fits(state, found, one, you) for one in asked)
    if answer.surely is False or (answer.shown is False and state.effects_closed):
        return True
    return False if answer.shown else None


def _can_be_targeted(state: State, at: Moment, target: Iri) -> bool:
    """Whether nothing protects a target from being one: a player, or what surely has no keyword at all."""
    node = state.node(target)
    if node is None or node.kind == "Player":
        return node is not None
    has = keywords.in_force(state, at.event, None, target, None)
    return has.all_stated and not has.surely and not has.maybe


def as_chosen(state: State, at: Moment) -> tuple[Iri, ...] | None:
    """The targets of a spell or ability on the stack, unless others may have been chosen since, or are not recorded."""
    origin = _origin(state, at)
    if origin is None or "targets" not in origin.facts or _changed_since(state, at, origin.iri):
        return None
    return iris(origin.facts, "targets")


def _origin(state: State, at: Moment) -> Node | None:
    """The event that put a spell or ability on the stack."""
    return state.node(state.created.get(at.subject)) if at.subject is not None else None


def _changed_since(state: State, at: Moment, origin: Iri) -> bool:
    """Whether other targets may have been chosen since (CR 115.7)."""
    for event in state.before(at.event):
        if event.iri == origin:
            return False
        if state.order[event.iri] in state.gaps or _may_redirect(state, at, event):
            return True
        about = event.kind == "Choose" and event.facts.get("of", at.subject) == at.subject
        if about and state.value(event.iri, "choiceMeant") in (None, CHOOSING_TARGETS):
            return True
    return False


def _may_redirect(state: State, at: Moment, event: Node) -> bool:
    """Whether something resolved that targeted the spell or ability, and the record leaves out what was chosen then."""
    if event.kind != "Resolve" or "Choose" in state.complete:
        return False
    made = state.node(state.created.get(iri(event.facts.get("object")) or NONE))
    found = state.objects.get(at.subject) if at.subject is not None else None
    targets = iris(made.facts, "targets") if made is not None else ()
    return found is not None and (found.iri in targets or found.card in targets)


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
