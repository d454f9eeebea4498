"""Plans as Python functions: three values, stages and foci."""

from __future__ import annotations

from functools import cache

import pytest

from rulewright.axioms import Functions, ir
from rulewright.axioms.ir import Compare, Derive, DeriveTurn, Focus, OneOf, Plan, path
from rulewright.records import Graph, Record
from rulewright.records.graph import Facts
from rulewright.vocabulary import GAME, NONE, Iri

from ..three_values import ANA, BEN, CASES, FOCUS, IDS, KEYWORD, OF_VALUE, VERDICT, checks, small_graph

CASTS = Focus(("Cast",))


@cache
def found() -> dict[tuple[str, str], str]:
    """(axiom, focus) -> verdict."""
    return {(str(c.axiom), str(focus)): verdict for c, focus, verdict in Functions(checks()).run(small_graph())}


@pytest.mark.parametrize("number", range(len(CASES)), ids=IDS)
def test_a_condition(number: int) -> None:
    assert found()[f"urn:x:{number}", FOCUS] == VERDICT[CASES[number][2]]


def verdicts(applies: ir.Condition, holds: ir.Condition, focus: Focus = CASTS) -> dict[str, str]:
    plan = Plan(checks=[ir.Check(Iri("urn:x"), "", focus, applies, holds)])
    return {str(node): verdict for _, node, verdict in Functions(plan).run(small_graph())}


@pytest.mark.parametrize(
    ("applies", "holds", "verdict"),
    [
        (True, True, "conforms"), (True, False, "violates"), (True, None, "undetermined"),
        (None, False, "undetermined"), (None, None, "undetermined"), (None, True, None),
        (False, False, None), (False, None, None), (False, True, None),
    ],
)  # fmt: skip
def test_what_applies_and_does_not_hold_is_broken(
    applies: bool | None, holds: bool | None, verdict: str | None
) -> None:
    """What holds anyway is silent where it is unknown whether it applies."""
    assert verdicts(OF_VALUE[applies], OF_VALUE[holds]).get(FOCUS) == verdict


def test_foci_are_of_the_kinds_and_name_the_keyword() -> None:
    def of(*kinds: str, keyword: Iri | None = None) -> set[str]:
        return {n.rpartition("#")[2] for n in verdicts(ir.TRUE, ir.TRUE, Focus(kinds, keyword))}

    assert of("Cast") == {"1", "2", "3"}
    assert of("Cast", "Resolve", "Nothing") == {"1", "2", "3", "4"}
    assert of("Cast", "Resolve", keyword=KEYWORD) == {"1"}
    assert of("Cast", keyword=Iri("urn:x:other")) == set()


def test_a_stage_leaves_its_fact_where_it_is_known_and_the_next_reads_it() -> None:
    derives: list[Derive | DeriveTurn] = [
        Derive("urn:x#a", Iri("urn:x#a"), CASTS, Compare("=", path("player"), ANA)),
        Derive("urn:x#b", Iri("urn:x#b"), CASTS, ir.Not(Compare("=", path("urn:x#a"), True))),
        Derive("urn:x#open", Iri("urn:x#open"), CASTS, ir.UNKNOWN),
    ]
    graph = small_graph()
    Functions(Plan(derives)).run(graph)
    facts = [graph.facts[Iri(f"urn:g#{n}")] for n in (1, 2)]
    assert [f["urn:x#a"] for f in facts] == [True, False]
    assert [f["urn:x#b"] for f in facts] == [False, True]
    assert "urn:x#open" not in facts[0]


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ([True, False], "conforms"), ([False, False], "violates"), ([False, None], "undetermined"),
        ([None, True], "conforms"), ([], "violates"),
    ],
)  # fmt: skip
def test_one_of_a_set_of_facts(values: list[bool | None], verdict: str) -> None:
    names = [f"urn:x#{n}" for n in range(len(values))]
    derives: list[Derive | DeriveTurn] = [
        Derive(name, Iri(name), CASTS, OF_VALUE[value]) for name, value in zip(names, values, strict=True)
    ]
    check = ir.Check(Iri("urn:x"), "", CASTS, ir.TRUE, OneOf(tuple(names)))
    found = Functions(Plan(derives, [check])).run(small_graph())
    assert [v for _, focus, v in found if focus == FOCUS] == [verdict]


def test_a_fact_of_a_keyword_that_is_not_named_is_false_and_not_unknown() -> None:
    focus = Focus(("Cast",), Iri("urn:x:other"))
    derive = Derive("urn:x#other", Iri("urn:x#other"), focus, ir.UNKNOWN)
    check = ir.Check(Iri("urn:x"), "", CASTS, ir.TRUE, OneOf(("urn:x#other",)))
    assert {v for _, _, v in Functions(Plan([derive], [check])).run(small_graph())} == {"violates"}


# --- the next turn (CR 500.1, 603.7): turn 1 is Ana's, 2 Ben's, 3 again Ana's, after which there is none of his

TURNS: dict[str, Facts] = {
    "t1": {"activePlayer": ANA, "followedBy": (Iri("urn:g#t2"), Iri("urn:g#t3")), "lastTurnOf": ()},
    "t2": {"activePlayer": BEN, "followedBy": (Iri("urn:g#t3"),), "lastTurnOf": (BEN,)},
    "t3": {"activePlayer": ANA, "followedBy": (), "lastTurnOf": (BEN,)},
}


def next_turn(turn: str, player: Iri, step: int | None) -> object:
    """The turn with a player's next step at position 2, seen from a step of a turn."""
    graph = Graph(Record(Iri("urn:g"), "by hand"))
    for name, of_turn in TURNS.items():
        graph.add(Iri(f"urn:g#{name}"), "Turn", dict(of_turn))
    facts: Facts = {"turnNode": Iri(f"urn:g#{turn}"), "player": player}
    graph.add(FOCUS, "Move", facts if step is None else {**facts, "stepPosition": step})
    upkeep = Iri(GAME + "upkeep")
    Functions(Plan([DeriveTurn("urn:x#due", Iri("urn:x"), Focus(("Move",)), path("player"), upkeep, 2)])).run(graph)
    found = graph.facts[FOCUS].get("urn:x#due")
    return found.removeprefix("urn:g#") if isinstance(found, str) else found


@pytest.mark.parametrize(
    ("turn", "player", "step", "due"),
    [
        ("t1", ANA, 1, "t1"),
        ("t1", ANA, 2, "t3"),
        ("t1", ANA, 4, "t3"),
        ("t1", BEN, 1, "t2"),
        ("t1", ANA, None, None),
        ("t1", BEN, None, "t2"),
        ("t2", BEN, 4, str(NONE)),
        ("t3", BEN, 1, str(NONE)),
        ("t3", ANA, 4, None),
    ],
)
def test_the_turn_in_which_a_step_comes_next(turn: str, player: Iri, step: int | None, due: str | None) -> None:
    assert next_turn(turn, player, step) == due
