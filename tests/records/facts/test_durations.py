"""How long changes and effects last: until an event, until the end of a turn, or for nobody knows how long."""

from __future__ import annotations

import pytest

from ..small import CREATURE, Plain, card, event, fact, graph

BEAR = {**CREATURE, "zone": "battlefield", "keywords": []}
MAIN: Plain = {"turn": 2, "activePlayer": "#ana", "step": "precombat main"}
NEXT: Plain = {"turn": 3, "activePlayer": "#ben", "step": "precombat main"}
KINDLE: Plain = {"keyword": {"keyword": "kindle"}}


def seen(*events: Plain, what: str = "keywordsInForce", **later: object) -> object:
    found = graph(*events, event("Observe", card="#bear", **later), cards=[BEAR])
    return fact(found, len(events) + 1, what)


@pytest.mark.parametrize(
    ("until", "later", "known"),
    [
        ({"until": "end of turn"}, {"step": "end"}, True),
        ({"until": "end of turn"}, {"step": "cleanup"}, None),
        ({"until": "end of turn"}, NEXT, False),
        ({"until": "End of  TURN"}, NEXT, False),
        ({"until": "end of turn"}, {}, True),
        ({"until": "end of combat"}, {"step": "combat damage"}, True),
        ({"until": "end of combat"}, {"step": "postcombat main"}, False),
        ({"until": "Ende des Spiels"}, NEXT, True),
        ({"until": "for a while"}, {}, None),
        ({"until": "#1"}, {}, False),
        ({"until": "#2"}, NEXT, True),
        ({}, {"step": "end"}, True),
        ({}, {"step": "cleanup"}, None),
        ({}, NEXT, None),
    ],
)
def test_a_keyword_is_there_until_it_is_over(until: Plain, later: Plain, known: bool | None) -> None:
    found = graph(
        event("GainKeyword", card="#bear", **KINDLE, **MAIN, **until), event("Observe", card="#bear", **later),
        cards=[BEAR],
    )  # fmt: skip
    count = fact(found, 2, "keywordsInForceCount")
    assert (fact(found, 2, "keywordsInForce"), count) == {
        True: (("kw:kindle",), 1), False: ((), 0), None: ((), None),
    }[known]  # fmt: skip
    assert fact(found, 1, "mayHaveEnded") is (True if not until and known is None else None)


def test_where_the_turn_is_not_told_the_end_of_it_is_not_known() -> None:
    gained = event("GainKeyword", card="#bear", **KINDLE, step="upkeep", until="end of turn")
    assert seen(gained) == ("kw:kindle",)
    assert seen(gained, step="draw") == ()
    assert seen(gained, what="keywordsInForceCount", step="draw") is None


def test_a_keyword_that_was_lost_comes_back() -> None:
    hot = {**BEAR, "keywords": ["kindle"]}
    lost = event("LoseKeyword", card="#bear", **KINDLE, **MAIN, until="end of turn")
    found = graph(lost, event("Observe", card="#bear"), event("Observe", card="#bear", **NEXT), cards=[hot])
    assert (fact(found, 2, "keywordsInForce"), fact(found, 3, "keywordsInForce")) == ((), ("kw:kindle",))
    open_ = {name: value for name, value in lost.items() if name != "until"}
    found = graph(open_, event("Observe", card="#bear", **NEXT), cards=[hot])
    assert (fact(found, 2, "keywordsInForce"), fact(found, 2, "keywordsInForceCount")) == ((), None)


def activated(*changes: Plain, **later: object) -> object:
    found = graph(*changes, event("Activate", source="#bear", object="#a", **later), cards=[BEAR])
    return fact(found, len(changes) + 1, "sourceController")


def taken(**more: object) -> Plain:
    return event("ChangeControl", card="#bear", **more)


def test_control_goes_back_to_whose_it_was() -> None:
    stolen = taken(to="#ben", until="end of turn", **MAIN)
    assert activated(stolen) == "#ben"
    assert activated(stolen, **NEXT) == "#ana"
    assert activated(stolen, step="cleanup") is None
    assert activated(taken(to="#ben", until="end of game", **MAIN), stolen, **NEXT) == "#ben"


def test_a_later_change_of_control_outlasts_an_earlier_one() -> None:
    first, second = taken(to="#ben", until="end of turn", **MAIN), taken(to="#ana", until="end of game")
    assert activated(first, second, **NEXT) == "#ana"
    assert activated(taken(until="end of turn", **MAIN)) is None
    assert activated(taken(until="end of turn", **MAIN), **NEXT) == "#ana"


def test_a_new_object_is_not_changed_any_more() -> None:
    back = event("Move", card="#bear", **{"from": "battlefield", "to": "hand"})
    again = event("Move", card="#bear", to="battlefield", toPlayer="#ana", **{"from": "hand"})
    assert activated(taken(to="#ben", until="end of game", **MAIN), back, again) == "#ana"


def test_colours_are_as_they_were_before() -> None:
    def painted(colour: str, **more: object) -> Plain:
        return event("Change", card="#bear", of="colors", colors=[colour], **more)

    first = painted("U", until="end of game", **MAIN)
    for_now = painted("R", until="end of turn")
    assert seen(first, for_now, what="cardColorsKey") == '[{"@id": "https://w3id.org/rulewright/game#red"}]'
    assert seen(first, for_now, what="cardColorsKey", **NEXT) == '[{"@id": "https://w3id.org/rulewright/game#blue"}]'
    assert seen(painted("R", **MAIN), what="cardColorsKey", **NEXT) is None
    assert "green" in str(seen({**for_now, **MAIN}, what="cardColorsKey", **NEXT))


@pytest.mark.parametrize(
    ("effect", "later", "forbidden"),
    [
        ({"since": "#1", "until": "this turn"}, {}, 1),
        ({"since": "#1", "until": "this turn"}, NEXT, 0),
        ({"until": "end of turn"}, NEXT, 0),
        ({"since": "#1", "until": "for a while"}, {}, None),
        ({"since": "#1"}, {}, 1),
        ({"since": "#1"}, NEXT, None),
        ({"since": "#1", "source": "#bear"}, NEXT, 1),
        ({"since": "#1", "until": "#1"}, {}, 0),
        ({}, NEXT, 1),
    ],
)
def test_an_effect_lasts_as_it_says(effect: Plain, later: Plain, forbidden: int | None) -> None:
    enters = event("Move", card="#bear", **MAIN, **{"from": "hand", "to": "battlefield"})
    plays = event("Play", card="#field", player="#ana", **later)
    ban = {"id": "#ban", "forbids": "Play", **effect}
    found = graph(enters, plays, cards=[CREATURE, card("field", types=["Land"])], effects=[ban])
    assert fact(found, 2, "forbiddenByCount") == forbidden
