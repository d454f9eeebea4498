"""Counters on cards (CR 122)."""

from __future__ import annotations

import pytest

from rulewright.records import Graph, Value

from ..small import Plain, card, event, fact, graph

CHANGES = ["AddCounters", "RemoveCounters"]
TWO = [{"counter": "time", "n": 2}]


def of(*events: Plain, counters: list[Plain] | None = TWO) -> Graph:
    of_card: Plain = card("ember", zone="exile")
    return graph(
        *events, event("Observe", card="#ember"),
        cards=[of_card if counters is None else {**of_card, "counters": counters}],
    )  # fmt: skip


def there(found: Graph) -> Value | None:
    """The counters at the last event."""
    return fact(found, len(found.of_kind("AddCounters") + found.of_kind("RemoveCounters") + found.of_kind("Move")) + 1,
                "countersOnKey")  # fmt: skip


def change(kind: str, n: int | None = 1, counter: str = "time", **more: int) -> Plain:
    return event(kind, card="#ember", counter=counter, **({} if n is None else {"n": n}), **more)


@pytest.mark.parametrize(
    ("events", "counters"),
    [
        ([], '{"time": 2}'),
        ([change("RemoveCounters")], '{"time": 1}'),
        ([change("RemoveCounters", None)], '{"time": 1}'),
        ([change("RemoveCounters", 2)], "{}"),
        ([change("RemoveCounters", 5)], "{}"),
        ([change("AddCounters", 3)], '{"time": 5}'),
        ([change("AddCounters", 1, "ash")], '{"ash": 1, "time": 2}'),
        ([change("RemoveCounters", 1, left=0)], "{}"),
    ],
)
def test_counters_are_put_on_and_removed(events: list[Plain], counters: str) -> None:
    assert there(of(*events)) == counters


def test_a_card_that_changes_zones_has_none() -> None:
    """CR 122.2, 400.7: a new object; that others were put on it would have been recorded, if such events are."""
    found = graph(
        event("Move", card="#ember", to="hand"), event("Observe", card="#ember"), records=CHANGES,
        cards=[card("ember", zone="exile", counters=TWO)],
    )  # fmt: skip
    assert (fact(found, 2, "countersOn"), fact(found, 2, "countersOnCount")) == ((), 0)
    assert fact(found, 2, "countersOnKey") == "{}"


def test_before_and_left() -> None:
    found = of(change("RemoveCounters"), change("RemoveCounters", 1, left=1))
    assert [fact(found, n, "countersBefore") for n in (1, 2)] == [2, 1]
    assert [fact(found, n, "left") for n in (1, 2)] == [1, 1]


def test_what_is_due_after_a_change() -> None:
    found = of(change("AddCounters", 3), change("RemoveCounters", 9, left=1))
    assert [fact(found, n, "leftDue") for n in (1, 2)] == [5, 0]
    assert [fact(found, n, "left") for n in (1, 2)] == [5, 1]


def test_changes_are_recorded_where_the_record_has_all_of_them() -> None:
    def recorded(*records: str, **of_change: str) -> Value | None:
        found = graph(event("AddCounters", counter="Time", n=1, **of_change), change("RemoveCounters"),
                      cards=[card("ember", counters=TWO)], records=list(records))  # fmt: skip
        return fact(found, 2, "countersRecorded")

    assert recorded(*CHANGES, card="#ember") is True
    assert recorded("AddCounters", card="#ember") is None
    assert recorded(*CHANGES, player="#ana") is None  # or a card, which the record leaves out


@pytest.mark.parametrize(("counter", "before"), [("TIME", 2), ("Zeit", None)])
def test_another_word_may_be_the_same_kind(counter: str, before: int | None) -> None:
    assert fact(of(change("RemoveCounters", counter=counter)), 1, "countersBefore") == before


def test_counters_of_a_player() -> None:
    """CR 122.1: without a card, they are the player's."""
    players = [{"id": "#ana", "counters": [{"counter": "energy", "n": 2}]}, {"id": "#ben"}]
    found = graph(*(event("RemoveCounters", player=p, counter="energy", n=3) for p in ("#ana", "#ben")),
                  players=players)  # fmt: skip
    assert [fact(found, n, "countersBefore") for n in (1, 2)] == [2, None]


def test_unknown_counters_are_known_by_what_is_left() -> None:
    found = of(change("RemoveCounters"), counters=None)
    assert (fact(found, 1, "countersBefore"), fact(found, 2, "countersOn")) == (None, None)
    assert fact(of(change("RemoveCounters", left=3), counters=None), 2, "countersOn") == ("#time",)


def test_what_is_believed_is_compared_as_one_value() -> None:
    believed = [{"counter": "time", "n": 2}, {"counter": "ash", "n": 0}]
    found = graph(event("Observe", card="#ember", counters=believed), cards=[card("ember", counters=TWO)])
    assert fact(found, 1, "countersKey") == fact(found, 1, "countersOnKey") == '{"time": 2}'
