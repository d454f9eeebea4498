"""The intermediate representation: joining and walking conditions."""

from __future__ import annotations

import pytest

from rulewright.axioms import ir
from rulewright.axioms.ir import FALSE, TRUE, All, AnyOf, Check, Compare, Exists, Focus, Named, Not, Some, path
from rulewright.vocabulary import Iri

A, B = Exists(path("a")), Exists(path("b"))


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (ir.all_of(), TRUE),
        (ir.all_of(TRUE, A, TRUE), A),
        (ir.all_of(A, FALSE), All((A, FALSE))),
        (ir.any_of(), FALSE),
        (ir.any_of(FALSE, A), A),
        (ir.any_of(A, TRUE, B), AnyOf((A, TRUE, B))),
    ],
)
def test_what_decides_nothing_is_left_out(found: ir.Condition, wanted: ir.Condition) -> None:
    assert found == wanted


def test_walk_comes_to_everything_inside() -> None:
    closed = Compare("=", path("c"), 1)
    whole = Not(All((Named(Iri("urn:n"), A), AnyOf((Some(B, kind="Cast", closed=closed), TRUE)))))
    assert {A, B, closed, TRUE, whole} <= set(ir.walk(whole))
    assert next(ir.walk(whole)) == whole


def test_a_check_is_named_by_its_axiom_and_part() -> None:
    def check(part: str) -> Check:
        return Check(Iri("urn:x#a"), part, Focus(("Cast",)), TRUE, TRUE)

    assert (check("").id, check("due").id) == ("urn:x#a", "urn:x#a/due")


def test_rules_come_in_the_order_of_their_stages() -> None:
    derive = ir.Derive("urn:x#a/applies", Iri("urn:x#a"), Focus(("Move",)), TRUE)
    check = Check(Iri("urn:x#a"), "due", Focus(("Move",)), TRUE, TRUE)
    assert list(ir.Plan([derive], [check]).rules()) == [derive, check]
