"""A card and the name that a record gives to what it became are one object, while it is that (CR 400.7)."""

from __future__ import annotations

import pytest

from rulewright.records import Graph

from ..small import CREATURE, Plain, cast, event, fact, graph

ENTERS = [
    cast("bear"), event("Resolve", object="#s"),
    event("Move", card="#bear", **{"from": "stack"}, to="battlefield", cause="#2", newObject="#perm"),
]  # fmt: skip


def seen(*events: Plain) -> Graph:
    return graph(*ENTERS, *events, cards=[CREATURE])


@pytest.mark.parametrize("name", ["#bear", "#perm"])
def test_both_names_mean_the_permanent(name: str) -> None:
    found = seen(event("Trigger", object="#t", source=name), event("Observe", card=name))
    assert [fact(found, n, "subjectCard") for n in (3, 4, 5)] == ["#bear"] * 3
    assert (fact(found, "t", "originSpell"), fact(found, 5, "zoneBefore")) == ("#s", "battlefield")
    assert fact(found, 4, "source") == name
    assert (fact(found, "perm", "card"), fact(found, "perm", "createdBy")) == ("#bear", "#3")


@pytest.mark.parametrize(
    "leaves",
    [
        event("Move", card="#perm", to="graveyard"),
        event("Sacrifice", cards=["#perm"]),
        cast("bolt", "u", additionalCosts=[{"kind": "sacrifice", "cards": ["#perm"]}]),
    ],
)
def test_once_it_has_left_the_name_of_the_permanent_means_nothing_known(leaves: Plain) -> None:
    found = graph(*ENTERS, leaves, event("Observe", card="#bear"), event("Observe", card="#perm"), effects=[],
                  cards=[{**CREATURE, "keywords": []}, {"id": "#bolt", "owner": "#ana", "name": "Bolt"}])  # fmt: skip
    assert [fact(found, n, "zoneBefore") for n in (5, 6)] == ["graveyard", None]


def test_it_may_get_another_name() -> None:
    found = seen(event("Move", card="#perm", to="exile"),
                 event("Move", card="#bear", to="battlefield", newObject="#again"), event("Observe", card="#again"),
                 event("Observe", card="#perm"))  # fmt: skip
    assert [fact(found, n, "zoneBefore") for n in (6, 7)] == ["battlefield", None]


def test_what_a_copy_becomes_is_a_token_of_its_own() -> None:
    found = seen(event("Copy", object="#c", of="#s"),
                 event("Move", card="#c", **{"from": "stack"}, to="battlefield", newObject="#token"))  # fmt: skip
    assert (fact(found, 5, "subjectCard"), fact(found, "token", "createdBy")) == ("#token", "#5")
