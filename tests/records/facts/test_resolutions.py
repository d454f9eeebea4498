"""Inside of a resolution: the order of effects, and what players keep (CR 608.2)."""

from __future__ import annotations

from typing import Any

import pytest

from ..small import Plain, card, cast, event, fact, graph

CARDS = [card("bolt"), *(card(n, zone="battlefield") for n in "abcd"), card("z", owner="#ben", zone="battlefield")]


def test_effects_have_a_position() -> None:
    """CR 608.2c: in the order written; who chooses does so as part of one."""
    found = graph(
        cast(), event("Resolve", object="#s"), event("Draw", n=1, during="#2"),
        event("Choose", of="#s", choice="keep", chosen=[], during="#2"), event("Observe", card="#a", during="#2"),
        event("Effect", of="#s", during="#2"), cards=CARDS,
    )  # fmt: skip
    assert [fact(found, n, "positionInResolution") for n in (3, 4, 5, 6)] == [1, None, None, 2]
    assert fact(found, 2, "firstEffect") == "#3"


def test_triggers_put_on_the_stack_together() -> None:
    """CR 603.3b."""
    def trigger(n: int, **more: str) -> Plain:
        return event("Trigger", object=f"#t{n}", source="#a", ability="x", **more)

    found = graph(
        {**trigger(1), "turn": 1, "activePlayer": "#ana", "step": "upkeep"}, event("Observe", card="#a"), trigger(2),
        trigger(3, cause="#3"), event("Resolve", object="#t2"), trigger(4), {**trigger(5), "step": "draw"}, cards=CARDS,
    )  # fmt: skip
    assert [fact(found, n, "previousInBatch") for n in (1, 3, 4, 6, 7)] == [None, "#1", None, None, None]


@pytest.mark.parametrize(
    ("observed", "able"),
    [
        ([event("Observe", card="#a", canCast=False)], False),
        ([event("Observe", card="#a", canCast=True)], True),
        ([event("Observe", card="#b", canCast=False)], None),
        ([event("Observe", card="#a", canCast=False), event("Resolve", object="#u")], None),
        ([], None),
    ],
)
def test_who_declines_could_have_cast_it(observed: list[Plain], able: bool | None) -> None:
    triggers = [event("Trigger", object=f"#{o}", source="#a", ability="x") for o in "tu"]
    found = graph(*triggers, event("Resolve", object="#t"), *observed, event("Declined", object="#t"), cards=CARDS)
    assert fact(found, 4 + len(observed), "able") is able


def keeping(*chosen: list[str], given: list[list[str]], **more: Any) -> tuple[list[object], list[object]]:
    """Ana and Ben choose what to keep and give up the rest: the fewest that one had, and what of it was kept."""
    players = ("#ana", "#ben")
    chooses = [event("Choose", player=p, of="#s", choice="keep", chosen=c, during="#2")
               for p, c in zip(players, chosen, strict=True)]  # fmt: skip
    gives = [event("Sacrifice", cards=cards, during="#2") for cards in given]
    found = graph(cast(), event("Resolve", object="#s"), *chooses, *gives, cards=CARDS, **more)
    sacrifices = range(5, 5 + len(given))
    return [fact(found, n, "fewest") for n in (3, 4)], [fact(found, n, "keptCards") for n in sacrifices]


def test_the_fewest_that_one_had_is_what_was_kept_and_given_up() -> None:
    assert keeping(["#a"], ["#z"], given=[["#b", "#c"]]) == ([1, 1], [()])
    assert keeping(["#a", "#b"], [], given=[["#c"]]) == ([0, 0], [()])


def test_nothing_is_known_where_nothing_was_given_up_and_not_all_is_recorded() -> None:
    assert keeping(["#a"], ["#z"], given=[])[0] == [None, None]
    everything = ["Sacrifice", "Discard"]
    assert keeping(["#a"], ["#z"], given=[], records=everything)[0] == [1, 1]


def test_what_was_to_be_kept_and_is_given_up_is_told() -> None:
    assert keeping(["#a"], ["#z"], given=[["#a", "#b"]])[1] == [("#a",)]


def test_cards_given_up_apart_are_not_given_up_at_one_time() -> None:
    """CR 608.2f."""
    chosen = event("Choose", player="#ana", of="#s", choice="keep", chosen=["#a"], during="#2")
    gives = [event("Sacrifice", cards=[c], during="#2") for c in ("#b", "#c")]
    found = graph(cast(), event("Resolve", object="#s"), chosen, *gives, cards=CARDS)
    assert [fact(found, n, "apart") for n in (4, 5)] == [False, True]


@pytest.mark.parametrize(("names", "halves"), [(["Fire"], 1), (["Fire", "Ice"], 2), (["Bolt"], None)])
def test_names_of_halves(names: list[str], halves: int | None) -> None:
    """CR 201.4, 709.4a: one name is chosen, of a split card that of one half."""
    split = card("split", layout="split", faces=[{"name": "Fire"}, {"name": "Ice"}])
    chosen = event("Choose", player="#ana", of="#s", choice="name", chosen=names, during="#2")
    found = graph(cast(), event("Resolve", object="#s"), chosen, cards=[*CARDS, split])
    assert fact(found, 3, "halvesNamed") == halves
