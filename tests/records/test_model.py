"""The record model, and problems in one line."""

from __future__ import annotations

import pickle

import pytest

from rulewright.records import Node, Problem, Record, RecordError
from rulewright.vocabulary import Iri

G, E1, E2 = Iri("urn:g"), Iri("urn:g#1"), Iri("urn:g#2")


def test_children_come_in_the_order_listed() -> None:
    record = Record(G, "g", {G: Node(G, "Record", {"events": (E2, E1), "date": 20200101})})
    record.nodes |= {iri: Node(iri, "Draw") for iri in (E1, E2)}
    assert [n.iri for n in record.children("events")] == [E2, E1]
    assert record.children("cards") == record.children("date") == []


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (Problem("g.json", "events[1].from", "is no zone"), "g.json: events[1].from: is no zone"),
        (Problem("g.json", "", "cannot be read"), "g.json: cannot be read"),
    ],
)
def test_a_problem_in_a_line(problem: Problem, line: str) -> None:
    assert str(problem) == line


def test_an_error_says_all_its_problems_and_goes_from_process_to_process() -> None:
    error = RecordError([Problem("a", "x", "one"), Problem("a", "", "two")])
    assert str(error) == "a: x: one; a: two"
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, RecordError)
    assert again.problems == error.problems
