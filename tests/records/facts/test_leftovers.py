"""What was not chosen to be kept and is still there: known only where the record tells of all by which it goes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rulewright.records import Graph, Words, canonical, read_structure

from ..small import PLAYERS, WORDS, Plain, card, cast, event, fact

KEEP = [replace(word, among="land you control") if word.en == "keep" else word for word in WORDS]
LANDS = [card(name, types=["Land"], zone="battlefield", keywords=[]) for name in ("field", "hill", "marsh")]
SPELL = card("edict", manaCost="{W}", types=["Sorcery"])
CLOSED = {"records": ["Move", "Sacrifice", "Discard"], "effects": []}
OVER = event("Move", card="#edict", to="graveyard", cause="#2", **{"from": "stack"})


def resolved(*inside: Plain, over: bool = True, **more: Any) -> Graph:
    events = [cast("edict"), event("Resolve", object="#s"), *({**one, "during": "#2"} for one in inside)]
    events = [{"id": f"#{n}", **one} for n, one in enumerate([*events, *([OVER] if over else [])], 1)]
    record = {"id": "urn:g", "players": PLAYERS, "cards": [SPELL, *LANDS], **CLOSED, **more, "events": events}
    return canonical(read_structure(record, "g"), Words({}, KEEP))


def keeps(*chosen: str, **more: Any) -> Plain:
    return event("Choose", player="#ana", of="#s", choice="keep", chosen=list(chosen), **more)


def gives(*cards: str) -> Plain:
    return event("Sacrifice", player="#ana", cards=list(cards))


def test_what_was_neither_kept_nor_given_up_is_left() -> None:
    found = resolved(keeps("#field"), gives("#hill"))
    assert (fact(found, 2, "keepsSome"), fact(found, 2, "leftOver")) == (True, ("#marsh",))
    assert fact(resolved(keeps("#field"), gives("#hill", "#marsh")), 2, "leftOverCount") == 0


@pytest.mark.parametrize("open_", [{"records": ["Sacrifice", "Discard"]}, {"effects": [{"id": "#x", "label": "?"}]}])
def test_whether_it_is_left_is_open_where_not_everything_is_told(open_: Plain) -> None:
    found = resolved(keeps("#field"), gives("#hill"), **open_)
    assert (fact(found, 2, "leftOver"), fact(found, 2, "leftOverCount")) == ((), None)
    assert fact(resolved(keeps("#field"), gives("#hill", "#marsh"), **open_), 2, "leftOverCount") == 0


def test_what_went_between_two_choices_is_gone() -> None:
    choices = [keeps("#field"), gives("#hill"), {**keeps("#field"), "choice": "behalten"}, gives("#marsh")]
    assert fact(resolved(*choices), 2, "leftOverCount") == 0


@pytest.mark.parametrize(
    "inside",
    [
        [keeps("#field")],
        [keeps("#field"), gives("#field")],
        [keeps("#edict"), gives("#hill")],
        [{**keeps("#field"), "choice": "glorp"}, gives("#hill")],
        [keeps("#field"), event("Discard", player="#ana", cards=["#edict"])],
    ],
    ids=["nothing given up", "what was chosen is given up", "chosen among others", "unknown word", "of another kind"],
)
def test_it_is_not_known_that_something_was_to_be_kept(inside: list[Plain]) -> None:
    assert fact(resolved(*inside), 2, "keepsSome") is None


def test_while_the_resolution_is_not_over_nothing_is_left() -> None:
    assert fact(resolved(keeps("#field"), gives("#hill"), over=False), 2, "keepsSome") is None
    assert fact(resolved(keeps("#field"), gives("#hill"), event("Gap")), 2, "keepsSome") is None
