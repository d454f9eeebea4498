"""Where copies and tokens are, and when they have ceased to exist (CR 704.5d, 704.5e, 707.10a)."""

from __future__ import annotations

import pytest

from rulewright.records import Graph, Value

from ..small import CREATURE, INSTANT, Plain, card, cast, event, fact, graph

ENDINGS = ["Resolve", "Countered", "NotResolved", "Cease"]
COPY = event("Copy", object="#c", of="#s", to="stack")
LATER = event("Step", turn=2, step="upkeep")


def seen(*events: Plain, of: str = "#c", **more: object) -> Value | None:
    """The zone of a thing after some events."""
    found = graph(*events, event("Observe", object=of), **more)
    return fact(found, len(events) + 1, "zoneBefore")


def test_a_copy_is_on_the_stack_until_something_else_resolves() -> None:
    other = [event("Trigger", object="#t", source="#bolt"), event("Resolve", object="#t")]
    assert seen(cast(), COPY) == "stack"
    assert seen(cast(), COPY, *other) is None
    assert seen(cast(), COPY, *other, records=ENDINGS) == "stack"


def test_a_copy_is_on_the_stack_before_the_record_tells_how_it_ends() -> None:
    found = graph(cast(), COPY, event("Resolve", object="#s"), event("Observe", object="#c"),
                  event("Countered", object="#c"))  # fmt: skip
    assert fact(found, 4, "zoneBefore") == "stack"
    assert fact(found, "c", "leftStackAt") == 5


@pytest.mark.parametrize("end", ["Resolve", "Countered", "NotResolved"])
def test_a_copy_that_left_the_stack_ceases_to_exist_at_the_next_check(end: str) -> None:
    left = event(end, object="#c")
    assert seen(cast(), COPY, left) is None
    assert seen(cast(), COPY, left, LATER) == "none"


def test_what_is_told_to_cease_is_gone_at_once() -> None:
    assert seen(cast(), COPY, event("Cease", object="#c")) == "none"
    assert seen(event("CreateToken", object="#c"), event("Cease", object="#c")) == "none"


def test_a_token_ceases_off_the_battlefield() -> None:
    moved = [event("CreateToken", object="#c"), event("Move", card="#c", to="graveyard")]
    assert seen(*moved[:1]) == "battlefield"
    assert seen(*moved) == "graveyard"
    assert seen(*moved, LATER) == "none"


def test_what_a_copy_of_an_unknown_spell_becomes_is_unknown() -> None:
    """Only of a permanent spell does the copy become a token (CR 608.3f)."""
    assert seen(cast(), COPY, event("Resolve", object="#c"), LATER, cards=[card("bolt")]) is None


def of_a_card(*events: Plain, zone: str | None = "exile") -> Graph:
    made = event("CopyCard", object="#copy", of="#bolt", **({} if zone is None else {"zone": zone}))
    return graph(made, *events, cards=[{**INSTANT, "zone": "exile"}, CREATURE])


def test_a_copy_of_a_card_is_where_the_card_is() -> None:
    for zone in ("exile", None):
        assert fact(of_a_card(event("Observe", object="#copy"), zone=zone), 2, "zoneBefore") == "exile"


def test_a_copy_of_a_card_that_is_not_cast_ceases_to_exist() -> None:
    assert fact(of_a_card(LATER, event("Observe", object="#copy")), 3, "zoneBefore") == "none"


def test_a_copy_of_a_card_is_cast() -> None:
    """CR 707.12: a spell with the characteristics of the card, which was cast and is a copy."""
    found = of_a_card(cast("copy"), event("Observe", object="#s"), event("Resolve", object="#s"), LATER,
                      event("Observe", object="#s"))  # fmt: skip
    assert [fact(found, "s", name) for name in ("isCopy", "castEvent", "card")] == [True, "#2", "#copy"]
    assert (fact(found, 2, "spellManaValue"), fact(found, 3, "zoneBefore")) == (2, "stack")
    assert fact(found, 6, "zoneBefore") == "none"
    assert (fact(found, "copy", "copyOf"), fact(found, "copy", "isCopy")) == ("#bolt", True)


def test_a_copy_elsewhere_is_one_of_a_card() -> None:
    found = graph(event("Copy", object="#copy", of="#bolt", to="exile"))
    assert found.kinds[next(node for node in found.kinds if node.endswith("#1"))] == "CopyCard"
    assert (fact(found, 1, "zone"), fact(found, 1, "to")) == ("exile", None)
