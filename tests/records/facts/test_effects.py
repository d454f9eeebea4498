"""Effects that forbid, permit and replace (CR 601.3, 611, 614)."""

from __future__ import annotations

from typing import Any

import pytest

from rulewright.records import Value

from ..small import CREATURE, INSTANT, Plain, card, cast, event, fact, graph

TO_EXILE = {"id": "#rip", "replaces": "Move", "to": "graveyard", "instead": "exile"}
SPLIT = card("bolt", layout="split", faces=[
    {"name": "Fire", "manaCost": "{1}{R}", "types": ["Instant"]},
    {"name": "Ice", "manaCost": "{3}{U}", "types": ["Instant"]},
])  # fmt: skip


def forbids(*events: Plain, at: int = 1, cards: list[Plain] | None = None, date: str | None = None,
            **effect: Any) -> Value | None:  # fmt: skip
    """How many effects forbid the event: 1, 0, or None for perhaps."""
    more: Plain = {} if date is None else {"date": date}
    found = graph(*events, cards=cards, effects=[{"id": "#no", "forbids": "Cast", **effect}], records=["Cast"], **more)
    return fact(found, at, "forbiddenByCount")


@pytest.mark.parametrize(
    ("zone", "forbidden"), [("graveyard", 1), ("hand", 0), (None, None)]
)
def test_from_where(zone: str | None, forbidden: int | None) -> None:
    from_zone: Plain = {} if zone is None else {"from": zone}
    of_graveyards: Plain = {"from": "graveyard"}
    assert forbids(cast(**from_zone), **of_graveyards) == forbidden


def test_a_player_who_is_not_recorded_may_be_affected() -> None:
    unknown = {k: v for k, v in cast().items() if k != "player"}
    assert forbids(unknown, player="#ben") is None


def test_one_unknown_condition_among_one_that_fails_decides_nothing() -> None:
    assert forbids(cast(), player="#ben", condition={"from": "graveyard"}) == 0
    assert forbids(cast(), player="#ana", condition={"from": "graveyard"}) is None


@pytest.mark.parametrize(
    ("date", "value", "forbidden"),
    [
        ("2017-04-27", 2, 1), ("2017-04-27", 4, 1), ("2017-04-27", 6, 0),
        ("2017-04-28", 2, 0), ("2017-04-28", 4, 0), ("2017-04-28", 6, 1), (None, 6, 1),
    ],
)  # fmt: skip
def test_a_split_card_off_the_stack_had_two_mana_values_until_2017(
    date: str | None, value: int, forbidden: int
) -> None:
    """CR 709.4b as of Amonkhet: those of the halves together."""
    condition = {"of": "card", "manaValue": [value]}
    assert forbids(cast(face="Fire"), cards=[SPLIT], date=date, condition=condition) == forbidden


def test_until_an_event_and_no_longer() -> None:
    events = [cast(), cast(spell="t"), cast(spell="u")]
    assert [forbids(*events, at=n, until="#2") for n in (1, 2, 3)] == [1, 1, 0]


def test_suspending_is_forbidden_like_casting() -> None:
    """CR 702.62a: only what could begin to be cast can be suspended."""
    assert forbids(event("Suspend", card="#bolt", player="#ana", **{"from": "hand"}, counters=2)) == 1


@pytest.mark.parametrize(
    ("permission", "permits"),
    [("#yes", True), ("Bear", True), ("#bear", True), ("#late", False), ("something", None), (None, None)],
)
def test_an_effect_named_as_the_permission(permission: str | None, permits: bool | None) -> None:
    """By its id, or the id or name of its source."""
    effects = [
        {"id": "#yes", "permits": "Cast", "from": "exile", "source": "#bear"},
        {"id": "#late", "permits": "Cast", "since": "#1", "source": "#elf"},
    ]
    named: Plain = {} if permission is None else {"permission": permission}
    cards = [INSTANT, {**CREATURE, "zone": "battlefield"}, card("elf")]
    found = graph(cast(**{"from": "exile"}, **named), effects=effects, cards=cards)
    assert fact(found, 1, "namedEffectPermits") is permits


def test_what_pays_a_cost_goes_where_effects_send_it() -> None:
    """CR 614.6, 601.2h."""
    found = graph(
        cast(additionalCosts=[{"kind": "discard", "cards": ["#bear"]}]), event("Observe", card="#bear"),
        cards=[INSTANT, {**CREATURE, "zone": "hand", "keywords": []}], effects=[TO_EXILE],
    )  # fmt: skip
    assert fact(found, 2, "zoneBefore") == "exile"


@pytest.mark.parametrize(("owner", "zones"), [("#ana", ("exile",)), ("#ben", ())])
def test_a_replacement_looks_at_whose_card_moves(owner: str, zones: tuple[str, ...]) -> None:
    found = graph(
        event("Move", card="#bear", **{"from": "hand"}, to="graveyard", player="#ana"),
        cards=[{**CREATURE, "owner": owner}], effects=[{**TO_EXILE, "player": "#ana"}],
    )  # fmt: skip
    assert fact(found, 1, "insteadZones") == zones


def test_a_replacement_of_another_destination_does_not_bear() -> None:
    found = graph(event("Move", card="#bolt", **{"from": "hand"}, to="library"), effects=[TO_EXILE])
    assert (fact(found, 1, "insteadZones"), fact(found, 1, "insteadZonesCount")) == ((), 0)
