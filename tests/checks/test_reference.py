"""The reference evaluator: what it says decided a condition. Values themselves are in `test_engines`."""

from __future__ import annotations

import pytest

from rulewright.axioms import ir
from rulewright.axioms.ir import Compare, Exists, Includes, Named, Not, Stated, path
from rulewright.checks.reference import Fact, Judge, Judgement, Missing, evaluate
from rulewright.vocabulary import GAME, NONE, Iri

from .. import three_values as small
from ..three_values import ANA, BEN, FOCUS, KEYWORD, NO, OPEN, RECORD, SPELL, YES, some_event, some_target

ORDER: Fact = (FOCUS, "order", 3)
X = Missing(FOCUS, "x")
NAME = Iri("urn:x:name")


def judged(condition: ir.Condition, *derives: ir.Derive) -> Judgement:
    judge = Judge(ir.Plan(list(derives)), small.small_graph())
    judge.derive()
    return judge.judge(condition, FOCUS, FOCUS)


@pytest.mark.parametrize(
    ("condition", "facts", "missing"),
    [
        (YES, [ORDER], []),
        (NO, [ORDER], []),
        (OPEN, [], [X]),
        (Not(NO), [ORDER], []),
        (Compare("=", path("object", "resolved"), True), [(SPELL, "resolved", False)], []),
        (Compare("=", path("cause", "player"), ANA), [], [Missing(FOCUS, "cause")]),
        (Compare("=", path("object", "x"), 1), [], [Missing(SPELL, "x")]),
        (Compare("=", path("player"), path("fromPlayer")), [(FOCUS, "player", ANA), (FOCUS, "fromPlayer", NONE)], []),
        (Compare("=", path("fromPlayer", "turnOrder"), 1), [(FOCUS, "fromPlayer", NONE)], []),
        (Exists(path("player")), [(FOCUS, "player", ANA)], []),
        (Stated(path("x")), [], []),
        (small.targets(BEN), [(FOCUS, "targeted", BEN)], []),
        (small.targets(SPELL), [(FOCUS, "targets", (ANA, BEN))], []),
        (small.modes("a"), [(FOCUS, "modes", ())], []),
        (small.forbidden(ANA), [], [Missing(FOCUS, "forbiddenBy")]),
        (Includes(path("cause"), "targeted", "targetsCount", ANA), [], [Missing(FOCUS, "cause")]),
        (some_target(Compare("=", path("turnOrder"), 2)), [(BEN, "turnOrder", 2)], []),
        (some_target(Compare("=", path("turnOrder"), 9)), [(ANA, "turnOrder", 1), (BEN, "turnOrder", 2)], []),
        (some_target(Compare("=", path("team"), "a")), [], [Missing(ANA, "team"), Missing(BEN, "team")]),
        (some_event("Move", Compare("=", path("order"), 9)), [], [Missing(RECORD, "records", Iri(GAME + "Move"))]),
    ],
)
def test_a_condition_is_explained_by_facts_or_by_what_is_missing(
    condition: ir.Condition, facts: list[Fact], missing: list[Missing]
) -> None:
    found = judged(condition)
    assert (list(found.facts), list(found.missing)) == (facts, missing)


@pytest.mark.parametrize(
    ("condition", "value", "facts", "missing"),
    [
        (ir.All((YES, NO, OPEN)), False, (ORDER,), ()),
        (ir.All((YES, Compare("=", path("player"), ANA))), True, (ORDER, (FOCUS, "player", ANA)), ()),
        (ir.All((YES, OPEN)), None, (), (X,)),
        (ir.AnyOf((OPEN, YES)), True, (ORDER,), ()),
        (ir.AnyOf((OPEN, Compare("=", path("n"), 1), NO)), None, (), (X, Missing(FOCUS, "n"))),
    ],
)
def test_only_what_decided_is_told(
    condition: ir.Condition, value: bool | None, facts: tuple[Fact, ...], missing: tuple[Missing, ...]
) -> None:
    found = judged(condition)
    assert (found.value, found.facts, found.missing) == (value, facts, missing)


def test_named_conditions_are_told_with_their_values() -> None:
    other = Iri("urn:x:other")
    assert judged(Not(Named(NAME, NO))).named == ((NAME, False),)
    assert judged(Named(NAME, ir.All((YES, Named(other, OPEN))))).named == ((NAME, None), (other, None))
    assert judged(ir.AnyOf((Named(NAME, NO), Named(other, YES)))).named == ((other, True),)


def test_a_derived_fact_is_explained_by_what_it_was_derived_from() -> None:
    derive = ir.Derive("urn:x#applies", Iri("urn:x"), ir.Focus(("Cast",)), Named(NAME, YES))
    found = judged(Compare("=", path("urn:x#applies"), True), derive)
    assert (found.value, found.facts, found.named) == (True, (ORDER,), ((NAME, True),))


@pytest.mark.parametrize(("keyword", "value"), [(None, None), (KEYWORD, None), (Iri("urn:x:other"), False)])
def test_one_of_counts_facts_of_keywords_that_the_event_names(keyword: Iri | None, value: bool | None) -> None:
    derive = ir.Derive("urn:x#grants", Iri("urn:x"), ir.Focus(("Cast",), keyword), OPEN)
    assert judged(ir.OneOf(("urn:x#grants",)), derive).value is value


def test_findings_come_in_the_order_of_checks() -> None:
    def check(name: str, holds: ir.Condition) -> ir.Check:
        return ir.Check(Iri(name), "", ir.Focus(("Cast",), KEYWORD), ir.TRUE, holds)

    plan = ir.Plan(checks=[check("urn:b", YES), check("urn:a", OPEN), check("urn:c", NO)])
    found = evaluate(plan, small.small_graph())
    assert [(f.check.axiom, f.focus, f.verdict) for f in found] == [
        ("urn:b", FOCUS, "conforms"), ("urn:a", FOCUS, "undetermined"), ("urn:c", FOCUS, "violates"),
    ]  # fmt: skip
