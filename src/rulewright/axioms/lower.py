"""Archetypes into rules: what each archetype owes, in stages, over the whole set of axioms.

A move is judged against all replacements and a cast against all permissions, so these first derive facts; the
principles then judge by them. Every archetype yields both directions: due but not done, and claimed but not
applicable.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.axioms.ir import (
    FALSE,
    TRUE,
    UNKNOWN,
    All,
    AnyOf,
    Check,
    Compare,
    Condition,
    Derive,
    DeriveTurn,
    Exists,
    Focus,
    Includes,
    Not,
    OneOf,
    Path,
    Plan,
    Some,
    Stated,
    all_of,
    any_of,
    path,
)  # fmt: skip
from rulewright.axioms.model import Axiom, Knowledge
from rulewright.vocabulary import AX, GAME, Iri, load_schema

RESOLVE = Iri(GAME + "Resolve")
TRIGGER = Iri(GAME + "Trigger")
MOVE = Iri(GAME + "Move")
HAND, STACK = Iri(GAME + "hand"), Iri(GAME + "stack")
NOTHING = Iri(GAME + "none")


def lower(knowledge: Knowledge) -> Plan:
    """All axioms as one plan."""
    plan = Plan()
    axioms = sorted(knowledge.axioms.values(), key=lambda a: a.iri)
    kinds: dict[str, list[Axiom]] = {}
    for axiom in axioms:
        kinds.setdefault(axiom.archetype, []).append(axiom)
    replacements, permissions = kinds.get("Replacement", []), kinds.get("Permission", [])
    abilities = tuple(sorted({axiom.ability for axiom in kinds.get("Trigger", []) if axiom.ability}))
    for axiom in replacements:
        _replacement(plan, axiom)
    for keyword, same in _by_keyword(replacements).items():
        _replacement_claims(plan, keyword, same)
    for axiom in permissions:
        focus = Focus(axiom.focus or ("Cast",), axiom.keyword)
        plan.derives.append(Derive(grants(axiom), axiom.iri, focus, applies(axiom)))
    for keyword, same in _by_keyword(permissions).items():
        _permission_claims(plan, keyword, same)
    for axiom in kinds.get("Trigger", []):
        if axiom.on:
            _event_trigger(plan, axiom)
        elif axiom.created_by is not None:
            _delayed_trigger(plan, axiom, knowledge.axioms[axiom.created_by])
        else:
            _step_trigger(plan, axiom)
    known = {keyword.iri: keyword.rules for keyword in knowledge.keywords.values()}
    told = tuple(_by_keyword(axioms))
    for keyword, same in _by_keyword(axioms).items():
        if not any(a.archetype == "Replacement" for a in same):
            claimed = _named_as("replacement", keyword)
            focus, own = Focus(("Move",), keyword), _does_it_itself("cause", keyword)
            plan.checks.append(Check(_first(same), "replaces-nothing", focus, claimed, own, known.get(keyword, ())))
        if not any(a.archetype == "Permission" for a in same):
            claimed = _named_as("permission", keyword)
            focus, own = Focus(("Cast",), keyword), _does_it_itself("during", keyword)
            plan.checks.append(Check(_first(same), "permits-nothing", focus, claimed, own, known.get(keyword, ())))
    for axiom in kinds.get("Prohibition", []):
        unless = any_of(*axiom.unless)
        plan.checks.append(Check(axiom.iri, "", _focus(axiom), _when(axiom), unless, report=_report(axiom)))
    for archetype in ("Cost", "Value", "Obligation", "Order", "Identity", "Inheritance"):
        for axiom in kinds.get(archetype, []):
            plan.checks.append(
                Check(axiom.iri, "", _focus(axiom), applies(axiom), all_of(*axiom.require), report=_report(axiom))
            )
    for axiom in kinds.get("DestinationPrinciple", []):
        _destination_principle(plan, axiom, replacements, abilities, told)
    for axiom in kinds.get("PermissionPrinciple", []):
        _permission_principle(plan, axiom, permissions, abilities, told)
    plan.steps = tuple(
        sorted({a.step for a in kinds.get("Trigger", []) if a.created_by is None and a.step is not None})
    )
    return plan


def _by_keyword(axioms: list[Axiom]) -> dict[Iri, list[Axiom]]:
    found: dict[Iri, list[Axiom]] = {}
    for axiom in axioms:
        if axiom.keyword is not None:
            found.setdefault(axiom.keyword, []).append(axiom)
    return found


def _first(axioms: list[Axiom]) -> Iri:
    """The axiom to name where none of a keyword's axioms does what is claimed: a permission or replacement, if any."""
    return next((a.iri for a in axioms if a.archetype in ("Permission", "Replacement")), axioms[0].iri)


def applied(axiom: Axiom) -> str:
    return f"{axiom.iri}/applies"


def explains(axiom: Axiom) -> str:
    return f"{axiom.iri}/explains"


def grants(axiom: Axiom) -> str:
    return f"{axiom.iri}/grants"


def created(axiom: Axiom) -> str:
    return f"{axiom.iri}/created"


def due(axiom: Axiom) -> str:
    return f"{axiom.iri}/due"


def _focus(axiom: Axiom) -> Focus:
    return Focus(axiom.focus, axiom.keyword)


def _report(axiom: Axiom) -> str:
    """Where the focus is no event, the event to report is named by the focus."""
    return "" if set(axiom.focus) <= set(load_schema().event_types) else "focusEvent"


def has_keyword(keyword: Iri) -> Condition:
    return Includes(Path(()), "keywordInForce", "keywordsInForceCount", keyword)


def names_keyword(keyword: Iri) -> Condition:
    return Includes(Path(()), "namesKeyword", "keywordsNamedCount", keyword)


def validity(axiom: Axiom) -> Condition:
    """The rules of the day on which the game was played."""
    day = path("inRecord", "rulesDate")
    since = Compare(">=", day, axiom.valid_from) if axiom.valid_from is not None else TRUE
    until = Compare("<", day, axiom.valid_until) if axiom.valid_until is not None else TRUE
    return all_of(since, until)


def _when(axiom: Axiom) -> Condition:
    keyword = has_keyword(axiom.keyword) if axiom.keyword is not None and axiom.keyword_needed else TRUE
    return all_of(validity(axiom), *axiom.scope, keyword, *axiom.when)


def applies(axiom: Axiom) -> Condition:
    return all_of(_when(axiom), *(Not(u) for u in axiom.unless))


def is_true(name: str) -> Condition:
    return Compare("=", path(name), True)


def _named_as(label: str, keyword: Iri) -> Condition:
    """Whether a keyword is named as the permission or replacement; a label that is not there names none."""
    named = path(f"{label}Keyword")
    return All((Stated(named), Compare("=", named, keyword)))


def _does_it_itself(link: str, keyword: Iri) -> Condition:
    """Whether an ability of the keyword brings about what the keyword is named for."""
    is_ability = Compare("=", path(link, "object", "castEvent"), NOTHING)
    return All((is_ability, Compare("=", path(link, "object", "abilityKeyword"), keyword)))


def _told_otherwise(label: str, keywords: Iterable[Iri]) -> Condition:
    """Whether an effect, or one of these keywords, is named: then the claim is judged for itself."""
    effect, named = path(f"{label}Effect"), path(f"{label}Keyword")
    by_keyword = any_of(*(Compare("=", named, keyword) for keyword in keywords))
    return AnyOf((All((Stated(effect), Exists(effect))), All((Stated(named), by_keyword))))


def _instructed(event: tuple[str, ...], label: str, abilities: tuple[Iri, ...]) -> Condition:
    """Whether what resolves meanwhile may instruct it: open unless it is an ability whose axioms tell all it does.

    True only where something is named that does; `label` names the property that would say so.
    """
    ability = path(*event, "during", "object", "abilityMeant")
    known = AnyOf(tuple(Compare("=", ability, name) for name in abilities)) if abilities else FALSE
    return All((
        Compare("=", path(*event, "during", "eventType"), RESOLVE),
        Not(All((Stated(ability), known))),
        Not(Compare("=", path(label), NOTHING)),
    ))  # fmt: skip


# --- replacements (CR 614, 616)


def _replacement(plan: Plan, axiom: Axiom) -> None:
    focus = Focus(axiom.focus or ("Move",), axiom.keyword)
    to = Compare("=", path("to"), axiom.destination or "")
    anywhere = axiom.replaces is None or axiom.replaces == AX + "anyDestination"
    replaced: Condition = TRUE if anywhere else Compare("=", path("defaultDestination"), axiom.replaces or "")
    plan.derives.append(Derive(applied(axiom), axiom.iri, focus, all_of(applies(axiom), replaced)))
    plan.derives.append(Derive(explains(axiom), axiom.iri, focus, All((is_true(applied(axiom)), to))))
    not_claimed = Not(_named_as("replacement", axiom.keyword or Iri("")))
    kept = to if anywhere else Not(Compare("=", path("to"), axiom.replaces or ""))
    plan.checks.append(Check(axiom.iri, "due", focus, All((not_claimed, is_true(applied(axiom)))), kept))


def _replacement_claims(plan: Plan, keyword: Iri, axioms: list[Axiom]) -> None:
    claimed = _named_as("replacement", keyword)
    holds = any_of(*(is_true(explains(a)) for a in axioms))
    plan.checks.append(Check(axioms[0].iri, "claimed", Focus(("Move",), keyword), claimed, holds))


def _destination_principle(
    plan: Plan, axiom: Axiom, replacements: list[Axiom], abilities: tuple[Iri, ...], told: tuple[Iri, ...]
) -> None:
    focus = Focus(axiom.focus or ("Move",))
    ordinary = All((
        Compare("=", path("to"), path("defaultDestination")),
        Compare("<=", path("insteadZonesCount"), 0),
    ))  # fmt: skip
    by_effect = Includes(Path(()), "insteadZone", "insteadZonesCount", path("to"))
    by_axiom = OneOf(tuple(explains(a) for a in replacements))
    instructed = _instructed(("spell", "castEvent"), "replacement", abilities)
    elsewhere = Not(Compare("=", path("to"), path("defaultDestination")))
    holds = AnyOf((ordinary, by_effect, by_axiom, All((elsewhere, AnyOf((*axiom.unless, instructed))))))
    claimed = _told_otherwise("replacement", told)
    plan.checks.append(Check(axiom.iri, "", focus, All((_when(axiom), Not(claimed))), holds))
    effect = path("replacementEffect")
    named = All((_when(axiom), Stated(effect), Exists(effect)))
    sends_there = Includes(Path(()), "namedInsteadZone", "namedInsteadZonesCount", path("to"))
    plan.checks.append(Check(axiom.iri, "named", focus, named, sends_there))


# --- permissions (CR 601.3)


def _permission_claims(plan: Plan, keyword: Iri, axioms: list[Axiom]) -> None:
    cost = path("alternativeKeyword")
    claimed = AnyOf((_named_as("permission", keyword), All((Stated(cost), Compare("=", cost, keyword)))))
    holds = any_of(*(is_true(grants(a)) for a in axioms))
    plan.checks.append(Check(axioms[0].iri, "claimed", Focus(("Cast",), keyword), claimed, holds))


def _permission_principle(
    plan: Plan, axiom: Axiom, permissions: list[Axiom], abilities: tuple[Iri, ...], told: tuple[Iri, ...]
) -> None:
    focus = Focus(axiom.focus or ("Cast",))
    by_effect = Some(
        Compare("=", path("inRecord"), Path(("inRecord",), True)), Path(()), "permitted", "permittedByCount"
    )
    by_axiom = OneOf(tuple(grants(a) for a in permissions))
    holds = AnyOf((by_axiom, by_effect, *axiom.unless, _instructed((), "permission", abilities)))
    claimed = _told_otherwise("permission", told)
    plan.checks.append(Check(axiom.iri, "", focus, All((_when(axiom), Not(claimed))), holds))
    effect = path("permissionEffect")
    named = All((_when(axiom), Stated(effect), Exists(effect)))
    plan.checks.append(Check(axiom.iri, "named", focus, named, is_true("namedEffectPermits")))


# --- triggers (CR 603)


def _same_trigger(axiom: Axiom, card: Path) -> tuple[Condition, ...]:
    """An unknown naming may be the ability's, unless it names another keyword."""
    return (
        Compare("=", path("abilityKeyword"), axiom.keyword or ""),
        Compare("=", path("abilityMeant"), axiom.ability or ""),
        Compare("=", path("subjectCard"), card),
    )


def _is_named(axiom: Axiom) -> Condition:
    """A naming that is unknown claims nothing."""
    meant = path("abilityMeant")
    return All((Stated(meant), Compare("=", meant, axiom.ability or "")))


def _delayed_trigger(plan: Plan, axiom: Axiom, creator: Axiom) -> None:
    keyword = axiom.keyword or Iri("")
    focus = Focus(creator.focus or ("Move",), keyword)
    step, player = axiom.step or Iri(""), axiom.in_turn_of or path("player")
    position = load_schema().step_position[step]
    by_creator = AnyOf((
        Compare("=", path("replacementKeyword"), keyword),
        All((
            Not(Stated(path("replacement"))),
            any_of(
                All((
                    Compare("=", path("inRecord", "effectsComplete"), True),
                    Not(Includes(Path(()), "insteadZone", "insteadZonesCount", path("to"))),
                )),
                UNKNOWN,
            ),
        )),
    ))  # fmt: skip
    made = all_of(validity(axiom), by_creator, is_true(explains(creator)), *axiom.when)
    plan.derives.append(Derive(created(axiom), axiom.iri, focus, made))
    plan.derives.append(DeriveTurn(due(axiom), axiom.iri, focus, player, step, position))
    over = Compare(">=", path(due(axiom), "pastPosition"), position)
    later = Compare(">=", path("order"), Path(("order",), True))
    follows = Some(
        All((*_same_trigger(axiom, Path(("subjectCard",), True)), later)), kind="Trigger", closed=_complete(TRIGGER)
    )
    plan.checks.append(
        Check(axiom.iri, "missing", focus, All((is_true(created(axiom)), Exists(path(due(axiom))), over)), follows)
    )

    mine = _is_named(axiom)
    origin = All((
        names_keyword(keyword),
        Compare("=", path("subjectCard"), Path(("subjectCard",), True)),
        Compare("<", path("order"), Path(("order",), True)),
        is_true(created(axiom)),
        Compare("=", Path(("step",), True), step),
        Compare("=", player, Path(("activePlayer",), True)),
        Compare("=", path(due(axiom)), Path(("turnNode",), True)),
        Compare("=", axiom.controller or player, Path(("player",), True)),
    ))  # fmt: skip
    from_start = Not(Compare("=", Path(("subjectCard", "initialZone"), True), creator.destination or ""))
    kinds = focus.kinds[0]
    moved = Compare("=", Path(("arrivedBy", "eventType"), True), MOVE)
    no_card = Not(Exists(Path(("subjectCard",), True)))
    by_move = All((Stated(Path(("arrivedBy",), True)), moved))
    whole = All((from_start, _traced(), any_of(no_card, _complete(MOVE), by_move)))
    justified = Some(origin, kind=kinds, closed=whole)
    plan.checks.append(Check(axiom.iri, "justified", Focus(("Trigger",), keyword), mine, justified))
    plan.checks.append(_once(axiom, keyword, mine))


def _once(axiom: Axiom, keyword: Iri, mine: Condition) -> Check:
    earlier = All((
        *_same_trigger(axiom, Path(("subjectCard",), True)),
        Compare("<", path("order"), Path(("order",), True)),
        Compare("=", path("turnNode"), Path(("turnNode",), True)),
        Compare("=", path("step"), Path(("step",), True)),
        Compare("=", path("stepOccurrence"), Path(("stepOccurrence",), True)),
    ))  # fmt: skip
    twice = Some(earlier, kind="Trigger", closed=TRUE)
    return Check(axiom.iri, "once", Focus(("Trigger",), keyword), mine, Not(twice), axiom.instances_authority)


def _event_trigger(plan: Plan, axiom: Axiom) -> None:
    keyword = axiom.keyword or Iri("")
    focus = Focus(axiom.on, keyword)
    plan.derives.append(Derive(created(axiom), axiom.iri, focus, applies(axiom)))
    after = Compare("<", Path(("order",), True), path("order"))
    follows = Some(
        All((*_same_trigger(axiom, Path(("subjectCard",), True)), after)), kind="Trigger", closed=_complete(TRIGGER)
    )
    missing = All((is_true(created(axiom)), is_true("settled")))
    plan.checks.append(Check(axiom.iri, "missing", focus, missing, follows))
    mine = _is_named(axiom)
    previous = Path(("previousSame",), True)
    origin = All((
        names_keyword(keyword),
        Compare("=", path("subjectCard"), Path(("subjectCard",), True)),
        Compare("<", path("order"), Path(("order",), True)),
        is_true(created(axiom)),
        AnyOf((Not(Exists(previous)), Compare("<", Path(("previousSame", "order"), True), path("order")))),
        TRUE if axiom.controller is None else Compare("=", axiom.controller, Path(("player",), True)),
    ))  # fmt: skip
    entered = any_of(*(Stated(Path(("subjectCard", p), True)) for p in ("initialZone", "createdBy")))
    told = any_of(
        All((_complete(Iri(GAME + axiom.on[0])), Compare("=", Path(("reachesBack",), True), True))),
        entered if axiom.on == ("Move",) else FALSE,
    )
    closed = All((_traced(), told))
    justified = Some(origin, kind=axiom.on[0], closed=closed)
    plan.checks.append(Check(axiom.iri, "justified", Focus(("Trigger",), keyword), mine, justified))


def _step_trigger(plan: Plan, axiom: Axiom) -> None:
    keyword = axiom.keyword or Iri("")
    focus = Focus(("Standing",), keyword)
    right_step = Compare("=", path("step"), axiom.step or "")
    player = axiom.in_turn_of or path("owner")
    own_turn = Compare("=", path("activePlayer"), player)
    plan.derives.append(Derive(created(axiom), axiom.iri, focus, all_of(right_step, own_turn, applies(axiom))))
    same = All(
        (*_same_trigger(axiom, Path(("card",), True)), Compare("=", path("turnNode"), Path(("turnNode",), True)))
    )
    follows = Some(same, kind="Trigger", closed=_complete(TRIGGER))
    missing = All((is_true(created(axiom)), is_true("past")))
    plan.checks.append(Check(axiom.iri, "missing", focus, missing, follows, report="focusEvent"))
    mine = _is_named(axiom)
    origin = All((
        names_keyword(keyword),
        Compare("=", path("card"), Path(("subjectCard",), True)),
        Compare("=", path("turnNode"), Path(("turnNode",), True)),
        Compare("=", path("step"), Path(("step",), True)),
        is_true(created(axiom)),
    ))  # fmt: skip
    when_known = All((Exists(Path(("step",), True)), Exists(Path(("turnNode",), True))))
    justified = Some(origin, kind="Standing", closed=when_known)
    plan.checks.append(Check(axiom.iri, "justified", Focus(("Trigger",), keyword), mine, justified))
    plan.checks.append(_once(axiom, keyword, mine))


def _traced() -> Condition:
    """Whether the record tells how the thing that an ability is of came to be where it is."""
    return Compare("=", Path(("traced",), True), True)


def _complete(event_type: Iri) -> Condition:
    return Includes(Path(("inRecord",), True), "closedType", "closedTypesCount", event_type)
