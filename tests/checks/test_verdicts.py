"""Verdicts: one for each axiom and event, with the facts, conditions and authorities that decided it."""

from __future__ import annotations

from dataclasses import replace

from rulewright.axioms import Axiom, Knowledge, Label, NamedCondition, ir
from rulewright.axioms.ir import Check, Compare, Focus, Named, path
from rulewright.checks import Verdict, evaluate
from rulewright.checks.verdicts import verdicts
from rulewright.vocabulary import Iri

from ..three_values import ANA, FOCUS, NO, OPEN, YES, small_graph

LABEL = Label("it is so", "so ist es")
A, B, NAME, OTHER = (Iri(f"urn:x:{n}") for n in ("a", "b", "name", "other"))
RULE, RULING, OF_CHECK = (Iri(f"urn:{n}") for n in ("rule", "ruling", "of-check"))
KNOWLEDGE = Knowledge(
    {iri: Axiom(iri, "Cost", "x.ttl", LABEL, authority=(RULE,)) for iri in (A, B)},
    {
        NAME: NamedCondition(NAME, YES, LABEL, authority=(RULING,)),
        OTHER: NamedCondition(OTHER, NO, LABEL, authority=(Iri("urn:other"),)),
    },
)


def check(applies: ir.Condition, holds: ir.Condition, axiom: Iri = A, part: str = "") -> Check:
    return Check(axiom, part, Focus(("Cast",)), applies, holds)


def of(*checks: Check, at: Iri | None = FOCUS) -> list[Verdict]:
    plan, graph = ir.Plan(checks=list(checks)), small_graph()
    found = verdicts(evaluate(plan, graph), KNOWLEDGE, plan, graph)
    return [v for v in found if at is None or v.focus == at]


def test_a_violation_tells_the_facts_of_what_applied_and_of_what_did_not_hold() -> None:
    (verdict,) = of(check(Compare("=", path("player"), ANA), NO))
    assert verdict.verdict == "violates"
    assert verdict.facts == ((FOCUS, "player", ANA), (FOCUS, "order", 3))
    assert (verdict.missing, verdict.authority) == ((), (RULE,))


def test_what_is_undetermined_tells_what_is_missing_and_no_facts() -> None:
    n = Compare("=", path("n"), 1)
    for applies, holds, missing in ((YES, OPEN, ["x"]), (OPEN, NO, ["x"]), (OPEN, n, ["x", "n"])):
        (verdict,) = of(check(applies, holds))
        assert (verdict.verdict, verdict.facts) == ("undetermined", ())
        assert [gap.name for gap in verdict.missing] == missing


def test_a_condition_that_decided_brings_its_authority() -> None:
    (verdict,) = of(check(YES, Named(NAME, NO)))
    assert (verdict.authority, verdict.conditions) == ((RULE, RULING), ((NAME, False),))


def test_a_condition_that_is_unknown_brings_none() -> None:
    (verdict,) = of(check(YES, Named(NAME, OPEN)))
    assert (verdict.authority, verdict.conditions) == ((RULE,), ((NAME, None),))


def test_where_something_was_due_what_made_it_due_decided() -> None:
    applies = Named(NAME, YES)
    assert of(check(applies, NO, part="due"))[0].authority == (RULE, RULING)
    assert of(check(applies, NO, part="missing"))[0].authority == (RULE, RULING)
    assert of(check(applies, NO, part="claimed"))[0].authority == (RULE,)


def test_a_check_may_rest_on_an_authority_of_its_own() -> None:
    assert of(replace(check(YES, NO), authority=(OF_CHECK,)))[0].authority == (OF_CHECK,)


def test_checks_of_one_axiom_are_one_verdict_the_gravest() -> None:
    parts = [check(YES, YES, part="a"), check(YES, NO, part="b"), check(YES, OPEN, part="c")]
    (verdict,) = of(*parts)
    assert (verdict.verdict, verdict.part, verdict.missing) == ("violates", "b", ())
    (verdict,) = of(parts[0], parts[2])
    assert (verdict.verdict, verdict.part) == ("undetermined", "c")


def test_two_checks_that_break_together_tell_the_facts_of_both() -> None:
    (verdict,) = of(check(YES, NO, part="a"), check(YES, Compare("=", path("player"), FOCUS), part="b"))
    assert verdict.facts == ((FOCUS, "order", 3), (FOCUS, "player", ANA))


def test_they_come_in_the_order_of_events_and_then_of_axioms() -> None:
    found = of(check(ir.TRUE, ir.TRUE, B), check(ir.TRUE, ir.TRUE, A), at=None)
    assert [(v.focus.rpartition("#")[2], v.axiom) for v in found] == [
        ("3", A), ("3", B), ("1", A), ("1", B), ("2", A), ("2", B),
    ]  # fmt: skip


def test_the_event_to_report_is_named_by_a_focus_that_is_none() -> None:
    reported = replace(check(YES, NO), report="object")
    assert [v.focus for v in of(reported, at=None)] == [Iri("urn:g#s")]
