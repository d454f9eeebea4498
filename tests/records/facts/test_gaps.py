"""What is no longer known after a gap, or a change that does not name what changed."""

from __future__ import annotations

from rulewright.records import Graph

from ..small import CREATURE, INSTANT, STACKS, Plain, card, cast, event, fact, graph

BEAR = {**CREATURE, "zone": "battlefield", "keywords": ["kindle"], "counters": [{"counter": "time", "n": 1}]}
GAP = event("Gap", reason="unknown")


def seen(*events: Plain, **more: object) -> tuple[Graph, int]:
    return graph(*events, event("Observe", card="#bear"), cards=[INSTANT, BEAR], **more), len(events) + 1


def test_after_a_gap_nothing_is_surely_where_and_as_it_was() -> None:
    found, last = seen(GAP)
    for name in ("zoneBefore", "arrivedBy", "countersOnCount", "cardColorsKey", "keywordsInForceCount"):
        assert fact(found, last, name) is None, name
    assert fact(found, last, "keywordsInForce") == ()
    assert fact(found, last, "keywordsNamed") == ("kw:kindle",)


def test_what_happens_after_it_is_known_again() -> None:
    found, last = seen(GAP, event("Move", card="#bear", to="hand"))
    assert fact(found, last, "zoneBefore") == "hand"
    assert (fact(found, last, "keywordsInForce"), fact(found, last, "keywordsInForceCount")) == (("kw:kindle",), 1)


def test_turn_and_step_are_not_carried_across() -> None:
    found, last = seen(event("Step", turn=3, step="upkeep", activePlayer="#ana"), GAP)
    assert (fact(found, 2, "turn"), fact(found, last, "turn"), fact(found, last, "step")) == (3, None, None)


def test_nothing_is_closed_across_it() -> None:
    record = {"records": [*STACKS, "Resolve"]}
    whole, broken = seen(cast(), **record)[0], seen(cast(), GAP, **record)[0]
    assert whole.value(whole.record.id, "closedTypesCount") == 5
    assert broken.value(broken.record.id, "closedTypesCount") is None


def test_a_spell_may_have_left_the_stack_meanwhile() -> None:
    after = event("Observe", object="#s")
    found = graph(cast(), GAP, after)
    assert (fact(found, 3, "zoneBefore"), fact(found, "s", "leftStackAt")) == (None, None)


def test_it_ends_the_window_of_a_resolution() -> None:
    found = graph(cast(), event("Resolve", object="#s"), GAP, event("Draw", n=1), event("Draw", during="#2", n=1))
    assert fact(found, 4, "during") is None


def test_any_card_may_be_the_one_that_moved() -> None:
    found, last = seen(event("Move", to="graveyard", **{"from": "battlefield"}))
    assert fact(found, last, "zoneBefore") is None
    elsewhere, last = seen(event("Move", to="graveyard", **{"from": "hand"}))
    assert fact(elsewhere, last, "zoneBefore") == "battlefield"


def test_only_the_players_own_hand_is_discarded_from() -> None:
    cards = [card("a", zone="hand"), card("b", zone="hand", owner="#ben")]
    seen = [event("Observe", card="#a"), event("Observe", card="#b")]
    found = graph(event("Discard", player="#ana"), *seen, cards=cards)
    assert [fact(found, n, "zoneBefore") for n in (2, 3)] == [None, "hand"]


def test_a_payment_without_cards_was_paid_with_any() -> None:
    found, last = seen(cast(additionalCosts=[{"kind": "sacrifice"}]))
    assert fact(found, last, "zoneBefore") is None


def test_any_card_may_be_the_one_that_gained_a_keyword() -> None:
    found, last = seen(event("GainKeyword", keyword="haste"))
    assert fact(found, last, "keywordsInForceCount") is None
    assert fact(found, last, "zoneBefore") == "battlefield"
