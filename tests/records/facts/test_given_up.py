"""What players sacrifice or discard: from where, and whose it is."""

from __future__ import annotations

import pytest

from ..small import CREATURE, Plain, event, fact, graph

BEAR = {**CREATURE, "zone": "battlefield"}


def given_up(kind: str, bear: Plain, **more: object) -> tuple[object, object]:
    found = graph(event(kind, cards=["#bear"], **more), cards=[bear])
    return fact(found, 1, "givenUpFromThere"), fact(found, 1, "givenUpByOwn")


@pytest.mark.parametrize(
    ("kind", "zone", "player", "known"),
    [
        ("Sacrifice", "battlefield", "#ana", (True, True)),
        ("Sacrifice", "battlefield", "#ben", (True, False)),
        ("Sacrifice", "hand", "#ana", (False, True)),
        ("Discard", "hand", "#ana", (True, True)),
        ("Discard", "hand", "#ben", (True, False)),
        ("Discard", "graveyard", "#ana", (False, True)),
    ],
)
def test_it_is_where_that_is_done_and_whose_it_is(
    kind: str, zone: str, player: str, known: tuple[bool, bool]
) -> None:
    assert given_up(kind, {**BEAR, "zone": zone}, player=player) == known


def test_what_is_not_told_is_not_known() -> None:
    nowhere = {name: value for name, value in BEAR.items() if name != "zone"}
    assert given_up("Sacrifice", nowhere, player="#ana")[0] is None
    assert given_up("Sacrifice", BEAR)[1] is None


def test_inside_a_casting_it_went_before_the_costs() -> None:
    cast = event("Cast", card="#spell", object="#s", player="#ana")
    found = graph(
        cast, event("Sacrifice", cards=["#bear"], player="#ana", during="#1"),
        cards=[{**BEAR, "zone": "graveyard"}, {"id": "#spell", "name": "Spell", "owner": "#ana"}],
    )  # fmt: skip
    assert fact(found, 2, "givenUpFromThere") is None
