"""Records in, results out, in the order of the input."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.axioms import Knowledge
from rulewright.checks import Checker, Result
from rulewright.records import Problem, Record, RecordError, read_structure

from ..axioms.turtle import SAYS, read

NO_CAST_FROM_EXILE = (
    f":a a ax:Cost ; {SAYS} ; ax:of kw:kindle ; ax:focus game:Cast ; "
    "ax:require [ sh:path game:from ; sh:in ( game:hand game:graveyard ) ] ."
)


@pytest.fixture
def knowledge(tmp_path: Path) -> Knowledge:
    return read(tmp_path, NO_CAST_FROM_EXILE)


def game(name: str, zone: str | None = "hand") -> Record:
    cast: dict[str, Any] = {"id": "#e", "type": "Cast", "card": "#c", "object": "#s"}
    card = {"id": "#c", "name": "Example", "keywords": ["kindle"]}
    events = [cast if zone is None else {**cast, "from": zone}]
    return read_structure({"id": f"urn:g:{name}", "cards": [card], "events": events}, name)


def broken(name: str) -> RecordError:
    return RecordError([Problem(name, "events", "missing")])


def told(results: Iterator[Result]) -> list[tuple[str, list[str]]]:
    """Of each result: its record, or what is broken; and the verdicts."""
    return [
        (r.record.source if r.record else f"{r.problems[0].source}!", [v.verdict for v in r.verdicts]) for r in results
    ]


@pytest.mark.parametrize("engine", ["fast", "sparql", "reference"])
def test_results_come_in_the_order_of_the_input(engine: str, knowledge: Knowledge) -> None:
    """Among records that cannot be read, and records with one id."""
    stream: list[Record | RecordError] = [
        game("a", "exile"), broken("b"), game("c"), game("a", "hand"), game("d", None), broken("e"),
    ]  # fmt: skip
    assert told(Checker(knowledge, engine).check(stream)) == [
        ("a", ["violates"]), ("b!", []), ("c", []), ("a", []), ("d", ["undetermined"]), ("e!", []),
    ]  # fmt: skip


def test_conforming_verdicts_where_they_are_wanted(knowledge: Knowledge) -> None:
    assert told(Checker(knowledge, everything=True).check([game("a")])) == [("a", ["conforms"])]


def test_a_record_conforms_where_nothing_violates(knowledge: Knowledge) -> None:
    found = list(Checker(knowledge).check([game("a", "exile"), game("b", None), game("c")]))
    assert [r.conforms for r in found] == [False, True, True]


def test_records_are_streamed(knowledge: Knowledge) -> None:
    """The first result is there before the whole input is read."""
    taken = []

    def stream() -> Iterator[Record]:
        for n in range(10):
            taken.append(n)
            yield game(str(n))

    next(Checker(knowledge).check(stream()))
    assert len(taken) < 5


def test_a_keyword_that_no_card_has_costs_no_verdict(knowledge: Knowledge) -> None:
    record = read_structure(
        {"id": "urn:g", "cards": [{"id": "#c", "name": "Example", "keywords": []}],
         "events": [{"type": "Cast", "card": "#c", "object": "#s", "from": "exile"}]}, "g")  # fmt: skip
    assert told(Checker(knowledge, everything=True).check([record])) == [("g", [])]


def test_nothing_in_nothing_out(knowledge: Knowledge) -> None:
    assert list(Checker(knowledge).check([])) == []
