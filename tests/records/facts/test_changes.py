"""What events change, by what their types imply."""

from __future__ import annotations

from ..small import CREATURE, INSTANT, cast, event, fact, graph, listed


def test_another_player_controls_a_spell() -> None:
    """CR 108.4, 112.2: who casts a spell controls it, until an effect gives it to another."""
    found = graph(
        cast(), event("Observe", object="#s"), event("ChangeControl", object="#s", to="#ben"),
        event("Observe", object="#s"),
    )  # fmt: skip
    assert [fact(found, n, "spellController") for n in (2, 4)] == ["#ana", "#ben"]


def test_a_card_on_the_stack_means_the_spell_that_it_is() -> None:
    found = graph(cast(), event("ChangeControl", card="#bolt", to="#ben"), event("Observe", object="#s"))
    assert fact(found, 3, "spellController") == "#ben"


def test_changed_colours_hold_until_the_card_is_another_object() -> None:
    """CR 105.3, 400.7."""
    found = graph(
        event("Observe", card="#bear"), event("Change", card="#bear", of="colors", colors=["U"]),
        event("Observe", card="#bear"), event("Change", card="#bear", of="colors"), event("Observe", card="#bear"),
        event("Move", card="#bear", to="graveyard"), event("Observe", card="#bear"),
        cards=[{**CREATURE, "zone": "battlefield", "keywords": []}],
    )  # fmt: skip
    green, blue = listed("green"), listed("blue")
    assert [fact(found, n, "cardColorsKey") for n in (1, 3, 5, 7)] == [green, blue, None, green]


def test_an_event_of_an_unknown_type_changes_nothing() -> None:
    found = graph(
        event("Levitate", card="#bolt", to="exile"), event("Observe", card="#bolt"), cards=[{**INSTANT, "zone": "hand"}]
    )
    assert fact(found, 2, "zoneBefore") == "hand"


def test_the_spell_that_a_cast_made() -> None:
    found = graph(cast(), event("Cast", card="#bolt"))
    assert [fact(found, n, "createdObject") for n in (1, 2)] == ["#s", None]
