"""Axioms that are wrong on purpose: each in one thing, said in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulewright.axioms import Axiom, Knowledge, Label, NamedCondition, ir
from rulewright.axioms.ir import Compare, Exists, Includes, Named, Not, Path, Some, Stated, path
from rulewright.quality.mutants import in_words, mutants
from rulewright.vocabulary import BASE, GAME, Iri

LABEL = Label("it is so", "so ist es")
A, KINDLE, SHARED = Iri(BASE + "keyword/kindle#a"), Iri(BASE + "keyword/kindle"), Iri(BASE + "condition/from-hand")
GRAVEYARD, EXILE, HAND = Iri(GAME + "graveyard"), Iri(GAME + "exile"), Iri(GAME + "hand")
FROM, X = Compare("=", path("from"), HAND), Stated(path("x"))
SIMPLE = Axiom(A, "Replacement", "x.ttl", LABEL)


def knowledge(**more: object) -> Knowledge:
    shared = NamedCondition(SHARED, FROM, LABEL)
    return Knowledge({A: replace(SIMPLE, **more)}, {SHARED: shared})  # type: ignore[arg-type]


def of(**more: object) -> dict[str, Axiom | None]:
    """What is mutated -> the axiom that comes of it."""
    known = knowledge(**more)
    return {m.name.removeprefix("keyword/kindle#a: "): m.change(known).axioms.get(A) for m in mutants(known)}


def whens(condition: ir.Condition) -> dict[str, list[ir.Condition]]:
    return {name: axiom.when for name, axiom in of(when=[condition]).items() if axiom is not None}


def test_the_axiom_itself_is_dropped() -> None:
    assert of() == {"dropped": None}


def test_what_an_axiom_creates_goes_with_it() -> None:
    other = Iri(BASE + "keyword/kindle#b")
    known = knowledge()
    known.axioms[other] = replace(SIMPLE, iri=other, created_by=A)
    dropped = next(m for m in mutants(known) if m.name == "keyword/kindle#a: dropped")
    assert dropped.change(known).axioms == {}
    assert set(known.axioms) == {A, other}, "the right ones are left as they are"


def test_a_condition_is_dropped_or_negated() -> None:
    assert whens(FROM) == {"when: dropped: from = hand": [], "when: negated: from = hand": [Not(FROM)]}
    assert whens(Not(FROM))["when: negated: not (from = hand)"] == [FROM]


def test_so_is_each_condition_inside_another() -> None:
    found = whens(ir.All((FROM, X)))
    assert found["when: dropped: x is stated"] == [ir.All((FROM,))]
    assert found["when: negated: from = hand"] == [ir.All((Not(FROM), X))]
    some = Some(FROM, Path(()), "targeted", "targetsCount")
    assert whens(some)["when: dropped: from = hand, in some targeted"] == [replace(some, condition=ir.TRUE)]
    named = Named(SHARED, ir.AnyOf((FROM, X)))
    assert whens(named)["when: negated: x is stated, in ‘from-hand’"] == [Named(SHARED, ir.AnyOf((FROM, Not(X))))]


def test_no_mutant_is_the_right_one() -> None:
    conditions = [Not(FROM), ir.All((FROM, Not(X))), Not(ir.AnyOf((FROM, X))), Named(SHARED, FROM), Not(Not(X))]
    right = knowledge(when=conditions, unless=[FROM], scope=[X], destination=EXILE, replaces=GRAVEYARD, keyword=KINDLE)
    for mutant in mutants(right):
        assert mutant.change(right).axioms.get(A) != right.axioms[A], mutant.name


@pytest.mark.parametrize(
    ("more", "name", "attribute", "value"),
    [
        ({"destination": GRAVEYARD}, "destination graveyard becomes exile", "destination", EXILE),
        ({"destination": EXILE}, "destination exile becomes graveyard", "destination", GRAVEYARD),
        ({"ability": "kindle"}, "ability 'kindle' becomes another", "ability", "not kindle"),
        ({"keyword": KINDLE}, "keywordNeeded becomes false", "keyword_needed", False),
        ({"valid_from": 20200101}, "validFrom is dropped", "valid_from", None),
        ({"created_by": KINDLE}, "createdBy kindle is dropped", "created_by", None),
    ],
)
def test_a_value_becomes_another(more: dict[str, object], name: str, attribute: str, value: object) -> None:
    axiom = of(**more)[name]
    assert axiom is not None
    assert getattr(axiom, attribute) == value


def test_names_are_unique_and_always_in_the_same_order() -> None:
    known = knowledge(when=[FROM, FROM], unless=[FROM])
    names = [m.name for m in mutants(known)]
    assert len(set(names)) == len(names)
    assert "keyword/kindle#a: when: dropped: from = hand (2)" in names
    assert names == [m.name for m in mutants(known)]


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (Compare("<=", path("x"), Path(("x",), True)), "x <= the focus/x"),
        (Compare("=", Path(()), "rebound"), "itself = 'rebound'"),
        (Compare("=", path("object", "resolved"), True), "object/resolved = true"),
        (Exists(path("player")), "player exists"),
        (Includes(path("object"), "targeted", "targetsCount", HAND), "object/targeted includes hand"),
        (Some(X, kind="Cast"), "some Cast with (x is stated)"),
        (ir.All((X, Not(X))), "(x is stated) and (not (x is stated))"),
        (ir.AnyOf((X, ir.UNKNOWN)), "(x is stated) or (unknown)"),
        (Named(SHARED, FROM), "‘from-hand’"),
        (Named(Iri("urn:inline"), FROM), "from = hand"),
        (ir.OneOf(("a", "b")), "one of 2 facts"),
    ],
)
def test_a_condition_in_words(condition: ir.Condition, words: str) -> None:
    assert in_words(condition, knowledge()) == words
