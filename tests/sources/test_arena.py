"""Arena's message stream: a small stream of our own, changes to it, and a real match where there is one."""

from __future__ import annotations

import copy
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.sources.arena import SourceError, read, read_names, recognise

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "data" / "examples"
ARENA = ROOT.parent / "shared" / "data" / "arena"

ZONES = {"library", "hand", "battlefield", "graveyard", "stack", "exile", "command"}
STEPS = {
    "untap",
    "upkeep",
    "draw",
    "precombat main",
    "beginning of combat",
    "declare attackers",
    "declare blockers",
    "combat damage",
    "end of combat",
    "postcombat main",
    "end",
    "cleanup",
}
COMMON = {"id", "type", "turn", "activePlayer", "step", "player", "cause", "during"}
# Event types that the reader gives: what each needs, and what it may have besides.
EVENTS: dict[str, tuple[set[str], set[str]]] = {
    "Cast": ({"card", "object"}, {"from", "fromPlayer", "face", "cost", "permission", "targets", "stackEmpty"}),
    "Copy": ({"object", "to"}, {"targets"}),
    "Play": ({"card"}, {"from", "stackEmpty"}),
    "Activate": ({"object"}, {"source", "targets", "stackEmpty"}),
    "Trigger": ({"object", "ability"}, {"source", "targets"}),
    "Resolve": ({"object"}, set()),
    "Countered": ({"object"}, set()),
    "NotResolved": ({"object"}, set()),
    "Move": ({"card", "to"}, {"from", "faceDown"}),
    "Draw": ({"player", "n"}, set()),
    "Discard": ({"cards"}, set()),
    "Sacrifice": ({"cards"}, set()),
    "CreateToken": ({"object"}, {"name", "to", "types", "colors", "power", "toughness", "tapped"}),
    "AddCounters": ({"card", "counter", "n"}, set()),
    "RemoveCounters": ({"card", "counter", "n"}, {"left"}),
    "Step": ({"step", "turn", "activePlayer"}, set()),
}

Record = dict[str, Any]


def records(lines: Iterable[str | bytes], names: dict[int, str] | None = None) -> list[Record]:
    return list(read(lines, names))


def check_contract(record: Record) -> None:
    """Ids are unique and resolve to something introduced before; values are those of the record's form."""
    players = {player["id"] for player in record["players"]}
    cards = {card["id"] for card in record["cards"]}
    assert len(players) == len(record["players"])
    assert len(cards) == len(record["cards"])
    assert set(record["records"]) <= set(EVENTS)
    for card in record["cards"]:
        assert card["name"]
        assert card.get("owner", "#p1") in players
        assert card.get("zone", "hand") in ZONES
        assert set(card.get("colors", [])) <= set("WUBRG")
        for word in card.get("types", []) + card.get("subtypes", []) + card.get("supertypes", []):
            assert "_" not in word
    known = set(cards)
    earlier: set[str] = set()
    for event in record["events"]:
        needed, besides = EVENTS[event["type"]]
        keys = set(event)
        assert needed <= keys <= needed | besides | COMMON, event
        assert event["id"] not in earlier
        if event["type"] in ("Cast", "Copy", "Trigger", "Activate", "CreateToken"):
            assert event["object"] not in known
            known.add(event["object"])
        for key in ("card", "object", "source"):
            assert event.get(key, event["id"]) in known | {event["id"]}, event
        assert set(event.get("cards", [])) <= known
        assert set(event.get("targets", [])) <= known | players
        assert event.get("step", "end") in STEPS
        assert event.get("from", "hand") in ZONES
        assert event.get("to", "hand") in (players if event["type"] == "CreateToken" else ZONES)
        for key in ("player", "activePlayer", "fromPlayer"):
            assert event.get(key, "#p1") in players
        for key in ("cause", "during"):
            assert event.get(key) is None or event[key] in earlier
        earlier.add(event["id"])


def check_coherence(record: Record) -> int:
    """Whatever leaves a zone was there; returns how many changes of zone were checked against a known zone."""
    where = {card["id"]: card["zone"] for card in record["cards"] if "zone" in card}
    checked = 0
    for event in record["events"]:
        kind = event["type"]
        moved: list[tuple[str, str | None, str]] = []
        if kind == "Cast":
            moved = [(event["card"], event.get("from"), "stack")]
        elif kind == "Play":
            moved = [(event["card"], event.get("from"), "battlefield")]
        elif kind == "Move":
            moved = [(event["card"], event.get("from"), event["to"])]
        elif kind == "Discard":
            moved = [(card, "hand", "graveyard") for card in event["cards"]]
        elif kind == "Sacrifice":
            moved = [(card, "battlefield", "graveyard") for card in event["cards"]]
        elif kind == "CreateToken":
            where[event["object"]] = "battlefield"
        for card, source, target in moved:
            if card in where and source is not None:
                assert where[card] == source, event
                checked += 1
            where[card] = target
    return checked


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return (EXAMPLES / "arena-sample.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def names() -> dict[int, str]:
    return read_names((EXAMPLES / "arena-names.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def record(lines: list[str], names: dict[int, str]) -> Record:
    (found,) = records(lines, names)
    return found


def of(record: Record, kind: str) -> list[Record]:
    return [event for event in record["events"] if event["type"] == kind]


def card(record: Record, name: str) -> Record:
    return next(card for card in record["cards"] if card["name"] == name)


def states(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for message in messages:
        for inner in message.get("greToClientEvent", {}).get("greToClientMessages", []):
            if "gameStateMessage" in inner:
                yield inner["gameStateMessage"]


def changed(lines: list[str], change: Callable[[dict[int, dict[str, Any]]], None]) -> list[str]:
    """The stream with its game states, by number, changed."""
    messages = [json.loads(line) for line in lines]
    change({state["gameStateId"]: state for state in states(messages)})
    return [json.dumps(message) for message in messages]


def annotation(state: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(item for item in state["annotations"] if f"AnnotationType_{kind}" in item["type"])


def without(state: dict[str, Any], kind: str) -> None:
    state["annotations"] = [item for item in state["annotations"] if f"AnnotationType_{kind}" not in item["type"]]


def find(lines: list[str], kind: str, text: str = "") -> int:
    """The number of the first game state with such an annotation."""
    for state in states([json.loads(line) for line in lines]):
        for item in state.get("annotations", []):
            if f"AnnotationType_{kind}" in item["type"] and text in json.dumps(item):
                return int(state["gameStateId"])
    raise AssertionError(kind)


# Our own stream


def test_example_obeys_the_contract(record: Record) -> None:
    check_contract(record)
    assert check_coherence(record) == 18
    json.dumps(record)


def test_example_game(record: Record) -> None:
    assert record["id"] == "urn:arena:example-match:game-1"
    assert record["type"] == "Game"
    assert record["date"] == "2026-01-01"
    assert record["players"] == [{"id": "#p1", "turnOrder": 1}, {"id": "#p2", "turnOrder": 2}]
    assert record["records"] == ["Cast", "Play", "Resolve", "Move", "Step"]
    assert Counter(event["type"] for event in record["events"]) == {
        "Step": 33,
        "Cast": 6,
        "Play": 3,
        "Resolve": 8,
        "Move": 8,
        "Draw": 4,
        "Trigger": 2,
        "Activate": 1,
        "Countered": 1,
        "CreateToken": 1,
        "AddCounters": 1,
        "RemoveCounters": 1,
        "Discard": 1,
    }


def test_cards_are_physical_cards(record: Record) -> None:
    assert Counter(card["name"] for card in record["cards"]) == {
        "Ember Flats": 3,
        "Echoing Spark": 1,
        "Late Return": 1,
        "Tide Shelf": 1,
        "Gravel Pup": 1,
        "Stern Refusal": 1,
    }
    assert card(record, "Gravel Pup") == {
        "id": "#c202",
        "name": "Gravel Pup",
        "owner": "#p2",
        "zone": "hand",
        "types": ["Creature"],
        "subtypes": ["Dog"],
        "colors": ["U"],
    }


def test_instant_cast_from_hand_exiled_and_cast_again(record: Record) -> None:
    spark = card(record, "Echoing Spark")["id"]
    first, second = (event for event in of(record, "Cast") if event["card"] == spark)
    assert (first["from"], first["targets"]) == ("hand", ["#p2"])
    assert not {"cost", "permission"} & set(first)
    resolved = next(event for event in of(record, "Resolve") if event["object"] == first["object"])
    exiled = next(event for event in of(record, "Move") if event["card"] == spark)
    assert (exiled["from"], exiled["to"], exiled["cause"]) == ("stack", "exile", resolved["id"])
    assert "replacement" not in exiled
    trigger = next(event for event in of(record, "Trigger") if event["source"] == spark)
    assert trigger["ability"] == "ability 700001"
    resolution = next(event for event in of(record, "Resolve") if event["object"] == trigger["object"])
    assert (second["from"], second["during"]) == ("exile", resolution["id"])
    assert second["permission"] == "ability 700001"
    assert "cost" not in second
    assert second["object"] != first["object"]


def test_counterspell(record: Record) -> None:
    (countered,) = of(record, "Countered")
    refusal = next(event for event in of(record, "Cast") if event["card"] == card(record, "Stern Refusal")["id"])
    assert refusal["targets"] == [countered["object"]]
    resolution = next(event for event in of(record, "Resolve") if event["object"] == refusal["object"])
    assert countered["cause"] == resolution["id"]
    move = next(event for event in of(record, "Move") if event.get("cause") == countered["id"])
    assert (move["card"], move["to"]) == (card(record, "Late Return")["id"], "graveyard")
    assert countered["object"] not in {event["object"] for event in of(record, "Resolve")}


def test_undone_cast_is_no_cast(record: Record, lines: list[str]) -> None:
    assert "320" in "".join(lines)
    assert "#s320" not in {event["object"] for event in of(record, "Cast")}


def test_cast_from_graveyard_with_alternative_cost(record: Record) -> None:
    cast = next(event for event in of(record, "Cast") if event["from"] == "graveyard")
    assert cast["cost"] == {"alternative": "ability 700002"}
    assert cast["permission"] == "ability 700002"
    (discard,) = of(record, "Discard")
    assert (discard["player"], discard["during"]) == ("#p1", cast["id"])
    assert of(record, "Move")[-1]["to"] == "exile"


def test_token_dies_once(record: Record) -> None:
    (token,) = of(record, "CreateToken")
    assert (token["name"], token["power"], token["toughness"], token["to"]) == ("Pup", 1, 1, "#p2")
    moves = [event for event in of(record, "Move") if event["card"] == token["object"]]
    assert [(move["from"], move["to"]) for move in moves] == [("battlefield", "graveyard")]


def test_abilities(record: Record) -> None:
    (activation,) = of(record, "Activate")
    assert activation["source"] == card(record, "Gravel Pup")["id"]
    (removal,) = of(record, "RemoveCounters")
    assert removal["during"] == activation["id"]
    assert (removal["counter"], removal["n"], removal["left"]) == ("time", 1, 1)
    assert not any(event["object"] in ("#a303", "#a340", "#a341") for event in of(record, "Trigger"))  # mana


def test_drawn_card_is_named_only_if_seen(record: Record) -> None:
    draws = of(record, "Draw")
    assert [draw["player"] for draw in draws] == ["#p2", "#p1", "#p2", "#p2"]
    moves = [move for move in of(record, "Move") if move.get("cause") in {draw["id"] for draw in draws}]
    assert [(move["card"], move["from"], move["to"]) for move in moves] == [("#c105", "library", "hand")]


def test_stack_before_casts_plays_and_activations(record: Record) -> None:
    """Empty before each but the cast inside the trigger's resolution, and the counterspell over its target."""
    said = {
        event.get("object") or event["card"]: event["stackEmpty"]
        for event in record["events"]
        if event["type"] in ("Cast", "Play", "Activate")
    }
    assert said == {
        "#c101": True,
        "#s302": True,
        "#c201": True,
        "#s307": True,
        "#s311": False,
        "#c102": True,
        "#s316": True,
        "#s317": False,
        "#s321": True,
        "#a324": True,
    }


def stack_before(lines: list[str], name: str, change: Callable[[dict[int, dict[str, Any]]], None]) -> bool | None:
    """What the record of a changed stream says of the stack before a spell, ability or land."""
    (found,) = records(changed(lines, change))
    check_contract(found)
    (said,) = [
        event.get("stackEmpty")
        for event in found["events"]
        if event["type"] in ("Cast", "Play", "Activate") and name in (event.get("object"), event.get("card"))
    ]
    assert said is None or isinstance(said, bool)
    return said


def listed(state: dict[str, Any]) -> dict[str, Any]:
    """The stack zone as a game state lists it, if need be from now on."""
    zones = state.setdefault("zones", [])
    if not any(zone["type"] == "ZoneType_Stack" for zone in zones):
        zones.append({"zoneId": 11, "type": "ZoneType_Stack"})
    found: dict[str, Any] = next(zone for zone in zones if zone["type"] == "ZoneType_Stack")
    return found


def made(number: int, instance: int, source: int = 301) -> dict[str, Any]:
    kind = ["AnnotationType_AbilityInstanceCreated"]
    return {"id": number, "affectorId": source, "affectedIds": [instance], "type": kind}


def ended(number: int, instance: int, source: int = 301) -> dict[str, Any]:
    kind = ["AnnotationType_AbilityInstanceDeleted"]
    return {"id": number, "affectorId": source, "affectedIds": [instance], "type": kind}


def ability(instance: int) -> dict[str, Any]:
    return {
        "instanceId": instance,
        "grpId": 700009,
        "type": "GameObjectType_Ability",
        "zoneId": 11,
        "ownerSeatId": 2,
        "controllerSeatId": 2,
    }


def trigger_on_the_stack(state: dict[str, Any]) -> None:
    state.setdefault("annotations", []).append(made(9001, 390))
    state.setdefault("gameObjects", []).append(ability(390))
    listed(state)["objectInstanceIds"] = [390]


def test_ability_on_the_stack_counts(lines: list[str]) -> None:
    def change(by_number: dict[int, dict[str, Any]]) -> None:
        trigger_on_the_stack(by_number[14])  # its list stands until another is given
        by_number[16]["zones"][0]["objectInstanceIds"] = [307, 390]

    assert stack_before(lines, "#c201", change) is False
    assert stack_before(lines, "#s307", change) is False


def test_ability_that_ended_before_the_cast_in_the_same_message(lines: list[str]) -> None:
    def change(by_number: dict[int, dict[str, Any]]) -> None:
        trigger_on_the_stack(by_number[15])
        by_number[16]["annotations"].insert(0, ended(9002, 390))

    assert stack_before(lines, "#s307", change) is True


def test_ability_that_ended_after_the_cast_in_the_same_message(lines: list[str]) -> None:
    def change(by_number: dict[int, dict[str, Any]]) -> None:
        trigger_on_the_stack(by_number[15])
        by_number[16]["annotations"].append(ended(9002, 390))

    assert stack_before(lines, "#s307", change) is False


def test_ability_gone_without_a_word_leaves_the_stack_unknown(lines: list[str]) -> None:
    assert stack_before(lines, "#s307", lambda by_number: trigger_on_the_stack(by_number[15])) is None
    assert stack_before(lines, "#s311", lambda by_number: trigger_on_the_stack(by_number[15])) is False


def test_trigger_on_the_cast_is_not_before_it(lines: list[str]) -> None:
    def change(by_number: dict[int, dict[str, Any]]) -> None:
        by_number[16]["annotations"].append(made(9001, 390))
        by_number[16]["gameObjects"].append(ability(390))
        by_number[16]["zones"][0]["objectInstanceIds"] = [390, 307]

    assert stack_before(lines, "#s307", change) is True


def test_trigger_made_before_the_cast_in_the_same_message_is_unknown(lines: list[str]) -> None:
    """It may be on the stack already, or wait until a player would get priority."""

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        by_number[16]["annotations"].insert(0, made(9001, 390))
        by_number[16]["gameObjects"].append(ability(390))
        by_number[16]["zones"][0]["objectInstanceIds"] = [390, 307]

    assert stack_before(lines, "#s307", change) is None


def test_unexplained_object_on_the_stack_is_unknown(lines: list[str]) -> None:
    def change(by_number: dict[int, dict[str, Any]]) -> None:
        by_number[16]["zones"][0]["objectInstanceIds"] = [390, 307]

    assert stack_before(lines, "#s307", change) is None


def test_spells_that_left_before_the_next_cast_in_the_same_message(lines: list[str]) -> None:
    """One message tells of a land, a spell that becomes a permanent, its resolution, and a spell after it."""
    added = {"zone_src": 31, "zone_dest": 11}

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        items = by_number[15]["annotations"]
        items += by_number[16].pop("annotations") + by_number[17].pop("annotations")[:3]
        items.append(
            {
                "id": 9001,
                "affectedIds": [203],
                "type": ["AnnotationType_ZoneTransfer"],
                "details": [
                    *({"key": key, "type": "int32", "valueInt32": [zone]} for key, zone in added.items()),
                    {"key": "category", "type": "string", "valueString": ["CastSpell"]},
                ],
            }
        )
        for key in ("zones", "gameObjects"):
            by_number[15][key] += by_number[16].pop(key, [])
        listed(by_number[15])["objectInstanceIds"] = [203]
        by_number[17] |= {"zones": [], "gameObjects": []}
        by_number[18]["annotations"] = [
            {"id": 9002, "affectedIds": [203], "type": [f"AnnotationType_Resolution{kind}"]}
            for kind in ("Start", "Complete")
        ]

    assert stack_before(lines, "#c201", change) is True
    assert stack_before(lines, "#s307", change) is True
    assert stack_before(lines, "#s203", change) is True


def test_list_that_was_not_given_is_not_guessed(lines: list[str]) -> None:
    def change(by_number: dict[int, dict[str, Any]]) -> None:
        by_number[16]["zones"] = [zone for zone in by_number[16]["zones"] if zone["type"] != "ZoneType_Stack"]
        by_number[17]["zones"] = [zone for zone in by_number[17]["zones"] if zone["type"] != "ZoneType_Stack"]
        by_number[18]["zones"] = [zone for zone in by_number[18]["zones"] if zone["type"] != "ZoneType_Stack"]

    assert stack_before(lines, "#s307", change) is None
    assert stack_before(lines, "#s316", change) is True  # a later message gives the list


def test_stack_is_unknown_after_lost_messages_until_it_is_listed(lines: list[str], names: dict[int, str]) -> None:
    lost = [line for line in lines if '"gameStateId":14,' not in line]
    second = records(lost, names)[1]
    said = [event.get("stackEmpty") for event in second["events"] if event["type"] in ("Play", "Cast")]
    assert said[:3] == [None, None, False]  # a land, a spell before any list; then one inside a resolution
    assert set(said[3:]) == {True, False}


def test_unknown_names(lines: list[str]) -> None:
    (found,) = records(lines)
    assert {card["name"] for card in found["cards"]} >= {"card 900001", "card 900004"}


# Lines


def test_player_log(lines: list[str], names: dict[int, str], record: Record) -> None:
    log = ["Initialize engine {version}", "[UnityCrossThreadLogger]Connecting to {", "{", '  "greeting": "hello",', "}"]
    for line in lines:
        log += ["[UnityCrossThreadLogger]1/1/2026 12:00:00: Match to USER_1: GreToClientEvent", line, ""]
    assert records(log, names) == [record]
    assert records([f"[UnityCrossThreadLogger]12:00:00 {line}" for line in lines], names) == [record]
    assert records((line.encode() + b"\r\n" for line in lines), names) == [record]
    assert records(["\ufeff" + lines[0], *lines[1:]], names) == [record]


def test_recognise(lines: list[str]) -> None:
    assert recognise(lines[:1])
    assert recognise([b"Mono path", b"[UnityCrossThreadLogger]x"])
    assert not recognise(["[state]", "turn=5"])
    assert not recognise(['{"id": "urn:example:game:1", "type": "Game"}'])
    assert not recognise([])


@pytest.mark.parametrize(
    "line", ['{"greToClientEvent": {"greToCli', '{"greToClientEvent": {', '{"timestamp": "1", "gr']
)
def test_cut_line(lines: list[str], line: str) -> None:
    with pytest.raises(SourceError, match="one message a line") as caught:
        records([*lines[:3], line])
    assert caught.value.place == "line 4"
    assert isinstance(caught.value, ValueError)


def test_not_utf8() -> None:
    with pytest.raises(SourceError, match="UTF-8"):
        records([b'{"greToClientEvent": "\xff"}'])


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (["annotations", 0, "affectedIds"], "x", "annotations[0].affectedIds"),
        (["annotations", 0, "details", 0, "valueInt32", 0], "x", "annotations[0], orig_id"),
        (["annotations", 0, "details"], [], "annotations[0]"),
        (["annotations", 1], None, "annotations[1]"),
        (["gameObjects", 0, "instanceId"], 1.5, "gameObjects[0].instanceId"),
        (["gameObjects", 0, "type"], {}, "gameObjects[0].type"),
        (["zones", 0, "objectInstanceIds", 0], True, "zones[0].objectInstanceIds[0]"),
        (["zones"], {}, "zones"),
    ],
)
def test_malformed_message(lines: list[str], path: list[str | int], value: object, place: str) -> None:
    def change(by_number: dict[int, dict[str, Any]]) -> None:
        parent: Any = by_number[find(lines, "ZoneTransfer", "PlayLand")]
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = value

    with pytest.raises(SourceError) as caught:
        records(changed(lines, change))
    assert caught.value.place == f"line 7, greToClientMessages[0], {place}"
    assert "as the client wrote it" in caught.value.problem


def test_unknown_kinds_are_ignored(lines: list[str], names: dict[int, str], record: Record) -> None:
    other = {"greToClientEvent": {"greToClientMessages": [{"type": "GREMessageType_New", "new": [1]}]}}

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        for state in by_number.values():
            state.setdefault("annotations", []).append({"id": 9999, "type": ["AnnotationType_New"]})
            state["new"] = {"a": 1}

    found = records([json.dumps(other), '{"other": 1}', *changed(lines, change)], names)
    assert found == [record]


def test_no_game(lines: list[str]) -> None:
    with pytest.raises(SourceError, match="detailed logs"):
        records(["Initialize engine"])
    with pytest.raises(SourceError, match="from the game's first message on") as caught:
        records(lines[5:20])
    assert caught.value.place.startswith("line 1")


def test_read_names() -> None:
    assert read_names('{"12": "Bolt"}') == {12: "Bolt"}
    names = read_names('{"Cards": {"12": {"Name": "Bolt"}}, "Locs": {"7": "Flats"}}')
    assert (names, names.texts) == ({12: "Bolt"}, {7: "Flats"})
    for text in ("[]", "{", '{"x": "Bolt"}', '{"12": 3}', '{"Cards": []}'):
        with pytest.raises(SourceError, match="names"):
            read_names(text)


# Games and parts


def test_two_games(lines: list[str], names: dict[int, str], record: Record) -> None:
    second = [line.replace('"gameNumber":1', '"gameNumber":2') for line in lines]
    found = records([*lines, *second], names)
    assert [game["id"] for game in found] == ["urn:arena:example-match:game-1", "urn:arena:example-match:game-2"]
    assert found[1]["events"] == record["events"]


def test_lost_messages_make_fragments(lines: list[str], names: dict[int, str]) -> None:
    lost = [line for line in lines if '"gameStateId":17,' not in line]
    assert len(lost) == len(lines) - 1
    found = records(lost, names)
    assert [game["id"] for game in found] == [
        "urn:arena:example-match:game-1",
        "urn:arena:example-match:game-1:part-2",
    ]
    for game in found:
        check_contract(game)
        check_coherence(game)
    assert not any("zone" in card for card in found[1]["cards"])
    assert found[1]["events"][0]["turn"] == 2


def test_message_sent_twice(lines: list[str], names: dict[int, str], record: Record) -> None:
    assert records([*lines[:10], lines[9], *lines[10:]], names) == [record]


def test_cut_off_casting_is_not_recorded(lines: list[str], names: dict[int, str]) -> None:
    number = find(lines, "PlayerSelectingTargets")
    until = next(i for i, line in enumerate(lines) if f'"gameStateId":{number},' in line)
    (found,) = records(lines[: until + 1], names)
    check_contract(found)
    assert of(found, "Cast") == []


def test_unexplained_move_is_a_move_and_a_doubt(lines: list[str], names: dict[int, str]) -> None:
    number = find(lines, "ZoneTransfer", "SBA_Damage")

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        state = by_number[number]
        state["annotations"] = [
            item
            for item in state["annotations"]
            if not ("AnnotationType_ZoneTransfer" in item["type"] and item["affectedIds"] == [313])
        ]

    (found,) = records(changed(lines, change), names)
    check_contract(found)
    check_coherence(found)
    assert "Move" not in found["records"]
    assert "Cast" in found["records"]


def test_unexplained_spell_is_a_doubt(lines: list[str], names: dict[int, str]) -> None:
    number = find(lines, "ZoneTransfer", "CastSpell")
    (found,) = records(changed(lines, lambda by_number: without(by_number[number], "ZoneTransfer")), names)
    check_contract(found)
    assert "Cast" not in found["records"]
    assert "Resolve" not in found["records"]


def test_step_missing_is_a_doubt(lines: list[str], names: dict[int, str]) -> None:
    number = find(lines, "ZoneTransfer", "Draw")
    (found,) = records(changed(lines, lambda by_number: without(by_number[number], "PhaseOrStepModified")), names)
    assert "Step" not in found["records"]


def test_trigger_of_a_resolution_stands_after_it(lines: list[str], names: dict[int, str]) -> None:
    number = find(lines, "AbilityInstanceCreated", "308")

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        items = by_number[number]["annotations"]
        items.insert(1, items.pop())

    (found,) = records(changed(lines, change), names)
    kinds = [event["type"] for event in found["events"]]
    first = kinds.index("Trigger")
    assert kinds[first - 2 : first + 2] == ["Resolve", "Move", "Trigger", "Resolve"]


def test_trigger_removed_at_once_is_not_recorded(lines: list[str], names: dict[int, str]) -> None:
    number = find(lines, "AbilityInstanceCreated", "308")

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        by_number[number]["annotations"].append(
            {"id": 9999, "affectorId": 307, "affectedIds": [308], "type": ["AnnotationType_AbilityInstanceDeleted"]}
        )
        without(by_number[number + 1], "ResolutionStart")

    (found,) = records(changed(lines, change), names)
    check_contract(found)
    assert "#a308" not in {event["object"] for event in of(found, "Trigger")}


def test_fizzled_spell(lines: list[str], names: dict[int, str]) -> None:
    number = find(lines, "ZoneTransfer", "SBA_Damage")

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        transfer = annotation(by_number[number], "ZoneTransfer")
        transfer["details"][2]["valueString"] = ["Countered_Fizzle"]

    (found,) = records(changed(lines, change), names)
    check_contract(found)
    (event,) = of(found, "NotResolved")
    assert event["object"] == "#s311"
    assert event["object"] not in {resolved["object"] for resolved in of(found, "Resolve")}


def test_cards_discarded_at_one_time(lines: list[str], names: dict[int, str]) -> None:
    number = find(lines, "ZoneTransfer", "Discard")

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        items = by_number[number]["annotations"]
        index = items.index(next(item for item in items if "Discard" in json.dumps(item)))
        more = copy.deepcopy(items[index - 1 : index + 1])
        more[0]["affectedIds"] = [106]
        more[0]["details"][0]["valueInt32"], more[0]["details"][1]["valueInt32"] = [106], [350]
        more[1]["affectedIds"] = [350]
        items[index + 1 : index + 1] = more
        object_ = copy.deepcopy(by_number[number]["gameObjects"][1])
        by_number[number]["gameObjects"].append(object_ | {"instanceId": 350})

    (found,) = records(changed(lines, change), names)
    (discard,) = of(found, "Discard")
    assert discard["cards"] == ["#c105", "#c106"]


def test_half_of_a_card(lines: list[str], names: dict[int, str]) -> None:
    """The opponent's card is cast as its second half, and only its discarded whole has the card's own name."""

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        for state in by_number.values():
            for value in state.get("gameObjects", []):
                if value["instanceId"] == 317:
                    value |= {"type": "GameObjectType_Adventure", "grpId": 900010, "cardTypes": ["CardType_Sorcery"]}

    (found,) = records(changed(lines, change), {**names, 900010: "Firm No"})
    check_contract(found)
    refusal = card(found, "Stern Refusal")
    assert refusal["layout"] == "adventure"
    assert [face["name"] for face in refusal["faces"]] == ["Stern Refusal", "Firm No"]
    assert refusal["types"] == ["Instant"]
    cast = next(event for event in of(found, "Cast") if event["card"] == refusal["id"])
    assert cast["face"] == "Firm No"


def test_copy_of_a_spell(lines: list[str], names: dict[int, str]) -> None:
    number = find(lines, "ResolutionStart", "317")

    def change(by_number: dict[int, dict[str, Any]]) -> None:
        before, state = by_number[number - 1], by_number[number]
        value = copy.deepcopy(before["gameObjects"][0])
        before["gameObjects"].append(value | {"instanceId": 360, "isCopy": True})
        start = annotation(state, "ResolutionStart")
        again = copy.deepcopy(start) | {"affectorId": 360, "affectedIds": [360]}
        end = copy.deepcopy(again) | {"type": ["AnnotationType_ResolutionComplete"]}
        state["annotations"][:0] = [again, end]

    (found,) = records(changed(lines, change), names)
    check_contract(found)
    (copied,) = of(found, "Copy")
    assert (copied["to"], copied["player"]) == ("stack", "#p2")
    assert copied["object"] in {event["object"] for event in of(found, "Resolve")}
    assert len(found["cards"]) == 8


# A real match

needs_match = pytest.mark.skipif(
    not (ARENA / "sample-match.json.gz").exists(), reason="the real match (shared/data/arena) is not here"
)


@pytest.fixture(scope="module")
def match() -> Record:
    names = read_names((ARENA / "card-names.json").read_bytes())
    with gzip.open(ARENA / "sample-match.json.gz") as stream:
        (found,) = records(stream, names)
    return found


@needs_match
def test_match_obeys_the_contract(match: Record) -> None:
    check_contract(match)
    assert check_coherence(match) == 45
    assert match["records"] == ["Cast", "Play", "Resolve", "Move", "Step"]
    assert match["players"] == [{"id": "#p1", "turnOrder": 2}, {"id": "#p2", "turnOrder": 1}]


@needs_match
def test_match_in_numbers(match: Record) -> None:
    assert Counter(event["type"] for event in match["events"]) == {
        "Step": 113,
        "Move": 25,
        "Resolve": 23,
        "Trigger": 12,
        "Cast": 11,
        "Draw": 10,
        "Play": 8,
        "CreateToken": 7,
        "AddCounters": 4,
        "Sacrifice": 1,
    }
    assert len(match["cards"]) == 23
    assert not any(card["name"].startswith("card ") for card in match["cards"])
    assert {event["turn"] for event in match["events"] if "turn" in event} == set(range(1, 12))


@needs_match
def test_match_tells_the_stack_before_each_cast_and_land(match: Record) -> None:
    """Read by hand: the last list of the stack before each of them is empty, and nothing came in between."""
    said = [(event["type"], event["stackEmpty"]) for event in match["events"] if event["type"] in ("Cast", "Play")]
    assert Counter(said) == {("Cast", True): 11, ("Play", True): 8}


@needs_match
def test_match_agrees_with_the_stream(match: Record) -> None:
    """Counted in the messages themselves: each cast, land, start of a resolution, and targets of a spell."""
    with gzip.open(ARENA / "sample-match.json.gz", "rt", encoding="utf-8") as stream:
        items = [item for s in states([json.loads(line) for line in stream]) for item in s.get("annotations", [])]
    categories = Counter(
        detail["valueString"][0]
        for item in items
        if "AnnotationType_ZoneTransfer" in item["type"]
        for detail in item["details"]
        if detail["key"] == "category"
    )
    starts = [item for item in items if "AnnotationType_ResolutionStart" in item["type"]]
    assert len(of(match, "Cast")) == categories["CastSpell"]
    assert len(of(match, "Play")) == categories["PlayLand"]
    assert len(of(match, "Draw")) == categories["Draw"]
    assert len(of(match, "Resolve")) == len(starts)
    targets = [event["targets"] for event in match["events"] if "targets" in event]
    assert targets == [["#c236"], ["#t340"], ["#t340"]]
    (sacrifice,) = of(match, "Sacrifice")
    assert sacrifice["during"] in {event["id"] for event in of(match, "Cast")}
