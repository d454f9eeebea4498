"""The printed SPARQL: portable, and read by two parsers of SPARQL 1.1."""

from __future__ import annotations

import re

import pyoxigraph as ox
import pytest
from rdflib.plugins.sparql import prepareQuery

from rulewright.axioms import ir
from rulewright.axioms.ir import Compare, Includes, Stated, path
from rulewright.axioms.sparql import Program, compile_plan, literal
from rulewright.store import Embedded
from rulewright.vocabulary import GAME, Iri, Scalar

from ..three_values import CASES, IDS, KEYWORD, checks

FOCUS = ir.Focus(("Cast",), KEYWORD)


def program(applies: ir.Condition, holds: ir.Condition = ir.FALSE, focus: ir.Focus = FOCUS) -> Program:
    return compile_plan(ir.Plan(checks=[ir.Check(Iri("urn:x"), "", focus, applies, holds)]))


@pytest.mark.parametrize(
    "value",
    ["plain", "", 'a "quoted" one', "back\\slash", "\\", "two\nlines", "carriage\rreturn", "tab\t", "ü – 雷", "'''",
     Iri("urn:x:y"), 0, -7, 2**40, True, False],
)  # fmt: skip
def test_a_value_comes_back_from_its_text(value: Scalar) -> None:
    (row,) = Embedded().select(f"SELECT ?v WHERE {{ BIND({literal(value)} AS ?v) }}")
    assert row["v"] == (ox.NamedNode(value) if isinstance(value, Iri) else ox.Literal(value))


@pytest.mark.parametrize("number", range(len(CASES)), ids=IDS)
def test_every_query_is_sparql_to_another_parser_and_portable(number: int) -> None:
    compiled = compile_plan(ir.Plan(checks=[checks().checks[number]]))
    texts = [step.construct() for step in compiled.steps]
    texts += [query.select("undetermined") for query in compiled.queries]
    for text in texts:
        prepareQuery(text)
        ox.Store().query(text)
        assert not re.search(r"\b(MINUS|VALUES|SERVICE|NOT EXISTS|GRAPH)\b", text)


def test_a_quantifier_is_a_stage_of_its_own_before_the_check() -> None:
    some = ir.Some(Compare("=", path("turnOrder"), 1), path(), "targeted", "targetsCount")
    compiled = program(ir.TRUE, ir.All((some, ir.Not(some))))
    facts = {step.fact for step in compiled.steps}
    assert {"urn:x/holds/some/1", "urn:x/holds/some/2"} <= facts
    (query,) = compiled.queries
    assert all(f"<{fact}>" in query.select("violates") for fact in ("urn:x/holds/some/1", "urn:x/holds/some/2"))


def test_what_must_be_stated_is_asked_for_first() -> None:
    """A check costs nothing where a fact that it needs is nowhere."""
    (query,) = program(ir.All((Stated(path("x")), Compare("=", path("x"), 2)))).queries
    assert query.needs == {"x"}
    assert f"?focus <{GAME}x> 2 ." in query.body


def test_foci_name_the_keyword() -> None:
    (query,) = program(ir.TRUE).queries
    assert f"?focus <{GAME}namesKeyword> <{KEYWORD}>" in query.body
    (query,) = program(ir.TRUE, focus=ir.Focus(("Cast", "Play"))).queries
    assert "namesKeyword" not in query.body


def test_the_properties_that_are_asked_for() -> None:
    includes = Includes(path("object"), "targeted", "targetsCount", path("player"))
    found = program(Compare("<", path("order"), path("cause", "order")), includes)
    assert {"order", "cause", "object", "targeted", "targetsCount", "player", "inRecord"} <= found.properties
    assert "from" not in found.properties
    (reads,) = found.reads
    assert {"order", "cause", "object", "player"} <= reads.by_kind["Cast"]
    assert {"targeted", "targetsCount", "order"} <= reads.by_kind[""]
