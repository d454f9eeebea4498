"""Archetypes into rules: both directions of each, in stages, over the whole set of axioms."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rulewright.axioms import Axiom, Keyword, Knowledge, Label, ir, lower
from rulewright.axioms.ir import Check, Compare, Derive, DeriveTurn, Focus, Includes, Not, OneOf, Plan, Stated, path
from rulewright.vocabulary import AX, GAME, Iri

KINDLE = Iri("urn:x:kindle")
EXILE, GRAVEYARD, UPKEEP = Iri(GAME + "exile"), Iri(GAME + "graveyard"), Iri(GAME + "upkeep")
SCOPE, WHEN, UNLESS, REQUIRE = (Stated(path(name)) for name in ("scope", "when", "unless", "require"))
HAS_KINDLE = Includes(ir.Path(()), "keywordInForce", "keywordsInForceCount", KINDLE)
LABEL = Label("it is so", "so ist es")


def axiom(name: str, archetype: str, keyword: Iri | None = KINDLE, **more: Any) -> Axiom:
    made = Axiom(Iri(f"urn:x#{name}"), archetype, "x.ttl", LABEL, keyword, authority=(Iri("urn:rule"),))
    return replace(made, **more)


def plan(*axioms: Axiom) -> Plan:
    keyword = Keyword(KINDLE, ("kindle",), Label("kindle", "Entfachen"), (Iri("urn:rule:kindle"),))
    return lower(Knowledge({a.iri: a for a in axioms}, {}, {KINDLE: keyword}))


def checks(found: Plan) -> dict[str, Check]:
    return {c.id.removeprefix("urn:x#"): c for c in found.checks}


def derives(found: Plan) -> dict[str, Derive | DeriveTurn]:
    return {d.name.removeprefix("urn:x#"): d for d in found.derives}


def replacement(**more: Any) -> Axiom:
    return axiom("exile", "Replacement", when=[WHEN], destination=EXILE, replaces=GRAVEYARD, **more)


# --- what all have in common


@pytest.mark.parametrize(
    "archetype", ["Cost", "Value", "Obligation", "Order", "Identity", "Inheritance"]
)
def test_what_is_required_must_hold_where_the_axiom_applies(archetype: str) -> None:
    found = checks(plan(axiom("a", archetype, focus=("Cast",), scope=[SCOPE], when=[WHEN], unless=[UNLESS],
                              require=[REQUIRE])))["a"]  # fmt: skip
    assert found.focus == Focus(("Cast",), KINDLE)
    assert found.applies == ir.All((ir.All((SCOPE, HAS_KINDLE, WHEN)), Not(UNLESS)))
    assert found.holds == REQUIRE


def test_a_prohibition_holds_by_one_of_its_exceptions() -> None:
    other = Stated(path("other"))
    found = checks(plan(axiom("a", "Prohibition", focus=("Cast",), when=[WHEN], unless=[UNLESS, other])))["a"]
    assert found.applies == ir.All((HAS_KINDLE, WHEN))
    assert found.holds == ir.AnyOf((UNLESS, other))


def test_a_prohibition_without_exception_is_broken_where_it_applies() -> None:
    assert checks(plan(axiom("a", "Prohibition", focus=("Cast",))))["a"].holds == ir.FALSE


def test_the_card_need_not_have_the_keyword_any_more() -> None:
    found = checks(plan(axiom("a", "Prohibition", focus=("Cast",), when=[WHEN], keyword_needed=False)))["a"]
    assert (found.applies, found.focus.keyword) == (WHEN, KINDLE)


def test_a_principle_looks_at_every_event() -> None:
    found = checks(plan(axiom("a", "Prohibition", None, focus=("Cast", "Play"), when=[WHEN])))["a"]
    assert (found.focus, found.applies) == (Focus(("Cast", "Play")), WHEN)


@pytest.mark.parametrize(
    ("since", "until", "bounds"),
    [
        (20140718, None, [(">=", 20140718)]),
        (None, 20170428, [("<", 20170428)]),
        (20140718, 20170428, [(">=", 20140718), ("<", 20170428)]),
    ],
)
def test_it_is_the_rule_from_its_first_day_to_the_day_before_the_second(
    since: int | None, until: int | None, bounds: list[tuple[str, int]]
) -> None:
    dated = axiom("a", "Prohibition", None, focus=("Cast",), when=[WHEN], valid_from=since, valid_until=until)
    day = path("inRecord", "rulesDate")
    applies = checks(plan(dated))["a"].applies
    found = [p for p in ir.walk(applies) if isinstance(p, Compare) and p.left == day]
    assert found == [Compare(op, day, bound) for op, bound in bounds]


def test_what_is_judged_at_no_event_is_reported_at_one() -> None:
    found = checks(plan(axiom("a", "Prohibition", focus=("Attachment",)), axiom("b", "Prohibition", focus=("Cast",))))
    assert (found["a"].report, found["b"].report) == ("focusEvent", "")


# --- replacements and permissions are judged as a set


def test_a_replacement_is_checked_as_due_and_as_claimed() -> None:
    found = plan(replacement())
    assert list(derives(found)) == ["exile/applies", "exile/explains"]
    due, claimed = checks(found)["exile/due"], checks(found)["exile/claimed"]
    assert due.holds == Not(Compare("=", path("to"), GRAVEYARD))
    named = path("replacementKeyword")
    assert claimed.applies == ir.All((Stated(named), Compare("=", named, KINDLE)))
    assert claimed.holds == Compare("=", path("urn:x#exile/explains"), True)


def test_one_that_replaces_any_destination_is_due_there_and_nowhere_else() -> None:
    found = plan(axiom("exile", "Replacement", when=[WHEN], destination=EXILE, replaces=Iri(AX + "anyDestination")))
    assert checks(found)["exile/due"].holds == Compare("=", path("to"), EXILE)
    derive = derives(found)["exile/applies"]
    assert isinstance(derive, Derive)
    assert derive.condition == ir.All((HAS_KINDLE, WHEN))


def test_a_claim_is_explained_by_any_axiom_of_the_keyword() -> None:
    found = checks(plan(axiom("a", "Permission", when=[WHEN]), axiom("b", "Permission", when=[WHEN])))
    grants = [Compare("=", path(f"urn:x#{name}/grants"), True) for name in "ab"]
    assert found["a/claimed"].holds == ir.AnyOf(tuple(grants))
    assert "b/claimed" not in found


@pytest.mark.parametrize(("part", "link"), [("a/permits-nothing", "during"), ("a/replaces-nothing", "cause")])
def test_a_keyword_that_neither_permits_nor_replaces_is_wrongly_claimed(part: str, link: str) -> None:
    """Unless an ability of the keyword itself brings it about."""
    found = checks(plan(axiom("a", "Prohibition", focus=("Cast",))))
    assert found[part].holds == ir.All((
        Compare("=", path(link, "object", "castEvent"), Iri(GAME + "none")),
        Compare("=", path(link, "object", "abilityKeyword"), KINDLE),
    ))  # fmt: skip


def test_a_wrong_claim_cites_what_defines_the_keyword() -> None:
    found = checks(plan(axiom("a", "Prohibition", focus=("Cast",))))
    assert found["a/permits-nothing"].authority == ("urn:rule:kindle",)
    assert not {"a/permits-nothing", "p/permits-nothing"} & set(
        checks(plan(axiom("a", "Prohibition", focus=("Cast",)), axiom("p", "Permission", when=[WHEN])))
    )


@pytest.mark.parametrize(
    ("principle", "archetype", "fact"),
    [("DestinationPrinciple", "Replacement", "explains"), ("PermissionPrinciple", "Permission", "grants")],
)
def test_a_principle_judges_by_all_axioms_of_any_keyword(principle: str, archetype: str, fact: str) -> None:
    some = [axiom(n, archetype, Iri(f"urn:x:{n}"), when=[WHEN], destination=EXILE) for n in "ab"]
    found = checks(plan(axiom("p", principle, None), *some))["p"]
    (judged,) = [c for c in ir.walk(found.holds) if isinstance(c, OneOf)]
    assert judged.derived == tuple(f"urn:x#{n}/{fact}" for n in "ab")


# --- triggers


def trigger(**more: Any) -> Axiom:
    return axiom("t", "Trigger", ability="kindle: cast", **more)


def test_a_trigger_of_each_step_is_missing_unjustified_or_twice() -> None:
    found = plan(trigger(step=UPKEEP, in_turn_of=path("owner"), when=[WHEN]))
    assert found.steps == (UPKEEP,)
    assert {"t/missing", "t/justified", "t/once"} <= set(checks(found))
    assert checks(found)["t/missing"].focus == Focus(("Standing",), KINDLE)


def test_a_delayed_trigger_comes_once_and_needs_no_state_of_cards_at_steps() -> None:
    found = plan(replacement(), trigger(step=UPKEEP, created_by=Iri("urn:x#exile"), in_turn_of=path("spellController")))
    assert found.steps == ()
    turn = derives(found)["t/due"]
    assert isinstance(turn, DeriveTurn)
    assert (turn.step, turn.player) == (UPKEEP, path("spellController"))
    assert {"t/missing", "t/justified", "t/once"} <= set(checks(found))


def test_a_trigger_on_an_event_can_come_as_often_as_the_event() -> None:
    found = checks(plan(trigger(on=("Move",), when=[WHEN])))
    assert {"t/missing", "t/justified"} <= set(found)
    assert "t/once" not in found
    assert found["t/missing"].focus.kinds == ("Move",)


# --- the plan as a whole


def test_what_a_rule_reads_is_derived_before_it() -> None:
    found = plan(
        replacement(), trigger(step=UPKEEP, created_by=Iri("urn:x#exile")), axiom("p", "DestinationPrinciple", None)
    )
    known: set[str] = set()
    names = {d.name for d in found.derives}
    for rule in found.derives:
        if isinstance(rule, Derive):
            asked = {s for c in ir.walk(rule.condition) if isinstance(c, Compare) for s in c.left.steps}
            assert asked & names <= known, rule.name
        known.add(rule.name)


def test_the_order_of_the_axioms_does_not_matter() -> None:
    some = [axiom(n, "Permission", when=[WHEN]) for n in "abc"]
    assert plan(*some) == plan(*reversed(some))


def test_nothing_known_is_nothing_to_check() -> None:
    assert plan() == Plan()
