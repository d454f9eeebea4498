"""MTG Arena's message stream (`Player.log` with detailed logs, or one JSON message a line) as game records.

`read` yields one record for each game; a stream that lost messages (its `gameStateId`s do not link up) yields a
fragment for each unbroken part, since what happened in between is unknown. Identity follows `ObjectIdChanged`: an
instance id lives as long as an object stays in a zone, the card behind it goes on.

`records` of a game lists these types, and only while nothing in the game spoke against them:

- `Cast`, `Play`: every one puts a card into a public zone by a `ZoneTransfer` of its own category.
- `Resolve`: every spell and ability on the stack that begins to resolve has a `ResolutionStart`.
- `Move`: every change of zone has a `ZoneTransfer`. The reader checks it: the stream also lists what is in each zone,
  and a card that stands in a public zone without a transfer that took it there (or is gone without one) removes `Move`.
- `Step`: every step and phase is announced; checked against each message's `turnInfo`.

Not listed: `Trigger` and `Activate` (abilities have numbers, not names, so nothing follows from the absence of a name;
those that leave at once are never shown), `Countered` (a countered ability only vanishes), `Draw` (hidden zones),
`Discard` and `Sacrifice` (state-based sacrifices and replaced discards have other categories, and are moves here),
`AddCounters`, `RemoveCounters` and `CreateToken` (permanents enter with counters, tokens die at once, unannounced).

What the stream does not say is left out: mana costs, keywords, which cost was paid (save an alternative cost, by the
number of its ability), modes, X, promises, replacement effects, what a copy is a copy of, players' counters.
Two things follow the rules rather than the stream. Arena creates the instance of a triggered ability in the middle of
the resolution that triggered it; it is put on the stack once that is over (CR 603.3), and stands there in the record.
And a spell whose casting was cancelled was never cast (CR 733.1), nor one whose casting the stream's end cut off.

`stackEmpty` of a `Cast`, `Play` or `Activate` is stated where the stream leaves no doubt: the stack zone's list as the
message before ended, what the message's annotations say came and went up to that point, and the list as the message
ends agree. Attachments and changes of control are left out: the stream announces their beginning, but not their end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

from .errors import SourceError

__all__ = ["Names", "SourceError", "read", "read_names", "recognise"]

Json = dict[str, Any]

_ZONES = {
    "ZoneType_Library": "library",
    "ZoneType_Hand": "hand",
    "ZoneType_Battlefield": "battlefield",
    "ZoneType_PhasedOut": "battlefield",  # phasing changes no zone (CR 702.26d)
    "ZoneType_Graveyard": "graveyard",
    "ZoneType_Stack": "stack",
    "ZoneType_Exile": "exile",
    "ZoneType_Command": "command",
}
_PUBLIC = frozenset({"battlefield", "graveyard", "stack", "exile", "command"})
_CARDS = frozenset({"GameObjectType_Card", "GameObjectType_SplitCard"})
# One half or side of a card, shown as an object of its own: its layout, and whether the card's other face is the card
# as it is named outside the stack.
_HALVES: Mapping[str, tuple[str | None, bool]] = {
    "GameObjectType_SplitLeft": (None, False),
    "GameObjectType_SplitRight": (None, False),
    "GameObjectType_Adventure": ("adventure", True),
    "GameObjectType_Omen": (None, True),
    "GameObjectType_MDFCBack": ("modal", True),
    "GameObjectType_DisturbBack": ("transform", True),
    "GameObjectType_RoomLeft": (None, False),
    "GameObjectType_RoomRight": (None, False),
}
_COLOURS = {
    "CardColor_White": "W",
    "CardColor_Blue": "U",
    "CardColor_Black": "B",
    "CardColor_Red": "R",
    "CardColor_Green": "G",
}
_FACTS = (
    ("types", "cardTypes", "CardType_"),
    ("supertypes", "superTypes", "SuperType_"),
    ("subtypes", "subtypes", "SubType_"),
)
_STEPS = {
    (1, 1): "untap",
    (1, 2): "upkeep",
    (1, 3): "draw",
    (2, 0): "precombat main",
    (3, 0): "beginning of combat",
    (3, 4): "beginning of combat",
    (3, 5): "declare attackers",
    (3, 6): "declare blockers",
    (3, 7): "combat damage",
    (3, 11): "combat damage",
    (3, 8): "end of combat",
    (4, 0): "postcombat main",
    (5, 0): "end",
    (5, 9): "end",
    (5, 10): "cleanup",
}
_TURN_INFO = {
    "Step_Untap": "untap",
    "Step_Upkeep": "upkeep",
    "Step_Draw": "draw",
    "Step_BeginCombat": "beginning of combat",
    "Step_DeclareAttack": "declare attackers",
    "Step_DeclareBlock": "declare blockers",
    "Step_CombatDamage": "combat damage",
    "Step_FirstStrikeDamage": "combat damage",
    "Step_EndCombat": "end of combat",
    "Step_End": "end",
    "Step_Cleanup": "cleanup",
    "Phase_Main1": "precombat main",
    "Phase_Main2": "postcombat main",
}
# The protocol numbers its counters; those not listed here keep their number, which is true if not telling.
_COUNTERS = {
    1: "+1/+1",
    2: "-1/-1",
    5: "time",
    7: "loyalty",
    9: "age",
    19: "charge",
    53: "ice",
    58: "level",
    82: "quest",
    86: "shield",
    94: "storage",
    104: "verse",
    108: "lore",
    130: "egg",
    147: "voyage",
    172: "stun",
    173: "oil",
    174: "defense",
}
_ACTIVATE, _ACTIVATE_MANA = 2, 4
_CAST_THROUGH_ABILITY = 13
_SURE = ("Cast", "Play", "Resolve", "Move", "Step")
_EVENT_KEYS = ("greToClientEvent", "matchGameRoomStateChangedEvent")
_GAME_STATES = ("GREMessageType_GameStateMessage", "GREMessageType_QueuedGameStateMessage")
_ROLLBACKS = ("GameStateUpdate_Undo", "GameStateUpdate_Restore")
_SEND_AGAIN = "give the line as the client wrote it"


def recognise(first_lines: Iterable[str | bytes]) -> bool:
    """Whether a file that begins with these lines is an Arena log or message stream."""
    marks = (*(f'"{key}"' for key in _EVENT_KEYS), "[UnityCrossThreadLogger]")
    for line in first_lines:
        text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
        if any(mark in text for mark in marks):
            return True
    return False


class Names(dict[int, str]):
    """Card names by `grpId`; `texts` has names by the number of the text that an object gives as its `name`."""

    def __init__(self, names: Mapping[int, str], texts: Mapping[int, str] | None = None) -> None:
        super().__init__(names)
        self.texts = dict(texts or {})


def read_names(text: str | bytes) -> Names:
    """Read a JSON file of names: `{"12": "Bolt"}` by `grpId`, or `{"Cards": {"12": {"Name": "Bolt"}}, "Locs": {…}}`.

    `Locs` (optional) has names by the number of the text that an object gives as its `name`.
    """
    try:
        document = json.loads(text)
    except ValueError as error:
        raise SourceError("names", f"not JSON ({error}); give an object of names by grpId") from None
    if not isinstance(document, dict):
        raise SourceError("names", "not an object; give an object of names by grpId")
    if "Cards" not in document and "Locs" not in document:
        return Names(_name_table("names", document))
    cards = _name_table("names, Cards", document.get("Cards", {}))
    return Names(cards, _name_table("names, Locs", document.get("Locs", {})))


def _name_table(place: str, table: object) -> dict[int, str]:
    if not isinstance(table, dict):
        raise SourceError(place, "not an object; give an object of names by number")
    names: dict[int, str] = {}
    for key, value in table.items():
        name = value.get("Name") if isinstance(value, dict) else value
        if not isinstance(name, str) or not key.isdecimal():
            raise SourceError(f"{place}, {key!r}", "no name by number; write a number as the key, a name as the value")
        names[int(key)] = name
    return names


def read(lines: Iterable[str | bytes], names: Mapping[int, str] | None = None) -> Iterator[dict[str, object]]:
    """Yield a game record for each game in the stream (see the module's text for fragments).

    `names` maps a card's `grpId` to its name (or is what `read_names` gives); a card that it lacks is called
    "card <grpId>". Raises `SourceError` for a
    message that is not as Arena writes it, and for a stream that holds no game.
    """
    stream = _Stream()
    found = False
    for place, message in _messages(lines):
        for game in stream.add(place, message):
            found = True
            yield from game.records(names or {})
    for game in stream.end():
        found = True
        yield from game.records(names or {})
    if not found and stream.headless:
        raise SourceError(
            stream.headless, "the stream begins in the middle of a game; give it from the game's first message on"
        )
    if not found:
        raise SourceError("stream", "no game in it; turn on the client's detailed logs, and give the log of a game")


# Lines and messages


def _messages(lines: Iterable[str | bytes]) -> Iterator[tuple[str, Json]]:
    """The stream's messages with their places; text that is no message is passed over."""
    for number, line in enumerate(lines, 1):
        place = f"line {number}"
        try:
            text = line.decode("utf-8") if isinstance(line, bytes) else line
        except UnicodeDecodeError:
            raise SourceError(place, "not UTF-8; save the log as UTF-8") from None
        text = text.removeprefix("\ufeff").rstrip()
        start = text.find("{")
        ours = any(f'"{key}"' in text for key in _EVENT_KEYS)
        # Some of the client's own text has braces, and some of its JSON goes over several lines: neither is ours.
        if start < 0 or not (ours or (start == 0 and text[1:].lstrip().startswith('"'))):
            continue
        try:
            message = json.loads(text[start:])
        except ValueError as error:
            raise SourceError(place, f"not a whole JSON message ({error}); give one message a line, uncut") from None
        if isinstance(message, dict) and ours:
            yield place, message


def _object(value: object, place: str) -> Json:
    if not isinstance(value, dict):
        raise SourceError(place, f"an object was expected, not {value!r:.40}; {_SEND_AGAIN}")
    return value


def _objects(parent: Json, key: str, place: str) -> list[tuple[str, Json]]:
    """The objects of a list, with their places; an absent list is empty, as in the protocol."""
    value = parent.get(key, [])
    if not isinstance(value, list):
        raise SourceError(f"{place}, {key}", f"a list was expected, not {value!r:.40}; {_SEND_AGAIN}")
    return [(f"{place}, {key}[{i}]", _object(item, f"{place}, {key}[{i}]")) for i, item in enumerate(value)]


def _number(value: object, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise SourceError(place, f"a whole number was expected, not {value!r:.40}; {_SEND_AGAIN}")
    return value


def _maybe(parent: Json, key: str, place: str) -> int | None:
    return _number(parent[key], f"{place}.{key}") if key in parent else None


def _numbers(parent: Json, key: str, place: str) -> list[int]:
    value = parent.get(key, [])
    if not isinstance(value, list):
        raise SourceError(f"{place}.{key}", f"a list was expected, not {value!r:.40}; {_SEND_AGAIN}")
    return [_number(item, f"{place}.{key}[{i}]") for i, item in enumerate(value)]


def _texts(parent: Json, key: str, place: str) -> list[str]:
    value = parent.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SourceError(f"{place}.{key}", f"a list of texts was expected, not {value!r:.40}; {_SEND_AGAIN}")
    return value


def _text(parent: Json, key: str, place: str) -> str:
    value = parent.get(key, "")
    if not isinstance(value, str):
        raise SourceError(f"{place}.{key}", f"a text was expected, not {value!r:.40}; {_SEND_AGAIN}")
    return value


@dataclass(frozen=True)
class _Annotation:
    """What the engine says happened: kinds, the one who brought it about, the ones it happened to, and details."""

    place: str
    id: int | None
    kinds: frozenset[str]
    affector: int | None
    affected: list[int]
    details: dict[str, list[object]]

    @classmethod
    def of(cls, place: str, value: Json) -> _Annotation:
        details: dict[str, list[object]] = {}
        for where, detail in _objects(value, "details", place):
            found: object = next((detail[key] for key in detail if key.startswith("value")), [])
            details[_text(detail, "key", where)] = found if isinstance(found, list) else [found]
        kinds = frozenset(kind.removeprefix("AnnotationType_") for kind in _texts(value, "type", place))
        affector = _maybe(value, "affectorId", place)
        return cls(place, _maybe(value, "id", place), kinds, affector, _numbers(value, "affectedIds", place), details)

    def number(self, key: str) -> int | None:
        values = self.details.get(key)
        return _number(values[0], f"{self.place}, {key}") if values else None

    def text(self, key: str) -> str:
        values = self.details.get(key)
        return str(values[0]) if values else ""

    def needed(self, key: str) -> int:
        value = self.number(key)
        if value is None:
            raise SourceError(self.place, f"{key} is missing; {_SEND_AGAIN}")
        return value

    def one(self) -> int:
        if not self.affected:
            raise SourceError(self.place, f"affectedIds is missing; {_SEND_AGAIN}")
        return self.affected[0]


# Games


@dataclass
class _Part:
    """Game states of which each follows the one before; `fresh` unless it goes on from the part before."""

    fresh: bool
    states: list[tuple[str, Json]] = field(default_factory=list)

    def last(self) -> int | None:
        return self.states[-1][1].get("gameStateId") if self.states else None


@dataclass
class _Game:
    match: str
    number: int
    date: str | None
    parts: list[_Part] = field(default_factory=list)

    def records(self, names: Mapping[int, str]) -> Iterator[dict[str, object]]:
        table: _Table | None = None
        number = 0
        for part in self.parts:
            table = _Table(names) if table is None or part.fresh else table.go_on()
            for place, state in part.states:
                table.apply(place, state)
            record = table.record()
            if record is None:
                continue
            number += 1
            name = f"urn:arena:{quote(self.match, safe='')}:game-{self.number}"
            head: dict[str, object] = {"id": name if number == 1 else f"{name}:part-{number}", "type": "Game"}
            if self.date:
                head["date"] = self.date
            yield head | record


class _Stream:
    """Sorts game states into games, and takes back what the engine took back."""

    def __init__(self) -> None:
        self.game: _Game | None = None
        self.match = ""
        self.headless = ""

    def add(self, place: str, message: Json) -> Iterator[_Game]:
        room = message.get("matchGameRoomStateChangedEvent")
        if isinstance(room, dict):
            info = room.get("gameRoomInfo")
            config = info.get("gameRoomConfig") if isinstance(info, dict) else None
            match = config.get("matchId") if isinstance(config, dict) else None
            self.match = match if isinstance(match, str) else self.match
        if "greToClientEvent" not in message:
            return
        event = _object(message["greToClientEvent"], f"{place}, greToClientEvent")
        for where, inner in _objects(event, "greToClientMessages", place):
            if inner.get("type") in _GAME_STATES:
                state = _object(inner.get("gameStateMessage"), f"{where}, gameStateMessage")
                yield from self._state(where, state, message.get("timestamp"))

    def end(self) -> Iterator[_Game]:
        if self.game is not None:
            yield self.game
        self.game = None

    def _state(self, place: str, state: Json, timestamp: object) -> Iterator[_Game]:
        number = _maybe(state, "gameStateId", place)
        if state.get("type") == "GameStateType_Full":
            info = _object(state.get("gameInfo", {}), f"{place}, gameInfo")
            match = _text(info, "matchID", place) or self.match or "unknown"
            game_number = _maybe(info, "gameNumber", place) or (self.game.number if self.game else 1)
            if self.game is None or (self.game.match, self.game.number) != (match, game_number):
                yield from self.end()
                self.game = _Game(match, game_number, _date(timestamp))
            elif state.get("update") in _ROLLBACKS and self._roll_back(state.get("prevGameStateId")):
                self.game.parts[-1].states.append((place, state))
                return
            self.game.parts.append(_Part(True, [(place, state)]))
            return
        if self.game is None:
            self.headless = self.headless or place
            return
        part = self.game.parts[-1]
        if number is not None and any(number == earlier.get("gameStateId") for _, earlier in part.states[-8:]):
            return  # sent twice
        if "prevGameStateId" in state and state["prevGameStateId"] != part.last():
            part = _Part(False)
            self.game.parts.append(part)
        part.states.append((place, state))

    def _roll_back(self, target: object) -> bool:
        states = self.game.parts[-1].states if self.game else []
        for index in range(len(states) - 1, -1, -1):
            if states[index][1].get("gameStateId") == target:
                del states[index + 1 :]
                return True
        return False


def _date(timestamp: object) -> str | None:
    """The day (UTC) of a time stamp: milliseconds since 1970, or ticks of 100 ns since the year 1."""
    text = str(timestamp)
    if text.isdecimal() and len(text) == 13:
        return datetime.fromtimestamp(int(text) / 1000, UTC).date().isoformat()
    if text.isdecimal() and len(text) == 18:
        return (datetime(1, 1, 1) + timedelta(microseconds=int(text) // 10)).date().isoformat()
    return None


@dataclass(eq=False)
class _Event:
    kind: str
    props: Json
    context: tuple[int | None, int | None, str | None]
    cause: _Event | None = None
    during: _Event | None = None
    dropped: bool = False


@dataclass(frozen=True)
class _Half:
    """One half or side of a card: the kind of object that stands for it ("" if unknown), and the text of its name."""

    kind: str
    text: int | None
    facts: dict[str, list[str]]

    @property
    def beside_the_card(self) -> bool:
        """Whether the card as it is named outside the stack is the other face."""
        return self.kind in _HALVES and _HALVES[self.kind][1]


@dataclass(eq=False)
class _Thing:
    """A physical card, or a token, through all its instance ids; `key` is the first of them that is known."""

    key: int
    now: int
    token: bool = False
    copy: bool = False
    declared: bool = False
    owner: int | None = None
    grp: int | None = None
    text: int | None = None
    from_stack: bool = False
    zone: str | None = None
    start: str | None = None
    facts: dict[str, list[str]] = field(default_factory=dict)
    halves: dict[int, _Half] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"#{'t' if self.token else 'c'}{self.key}"


@dataclass(eq=False)
class _OnStack:
    """A spell, a copy of one, or an ability."""

    instance: int
    event: _Event
    ability: bool = False
    thing: _Thing | None = None
    grp: int | None = None
    text: int | None = None
    half: bool = False
    visible: bool = False
    confirmed: bool = False
    choosing: bool = False
    targets_known: bool = False
    over_empty: bool | None = None
    resolve: _Event | None = None
    countered: _Event | None = None

    @property
    def id(self) -> str:
        return f"#{'a' if self.ability else 's'}{self.instance}"


class _StackOverMessage:
    """What was on the stack at each point of one message.

    `before` and `after` are the zone's lists as the message before ended and as this one ends, None where unknown;
    `told` says whether this message gave the list; what is `doubtful` is listed, but may be no object of its own.
    """

    def __init__(
        self,
        annotations: list[_Annotation],
        zones: set[int],
        before: set[int] | None,
        after: set[int] | None,
        told: bool,
        doubtful: set[int],
    ) -> None:
        self.before, self.after, self.doubtful = before, after, doubtful
        self.came: dict[int, int] = {}
        self.moved: set[int] = set()
        self.seen: set[int] = set()
        self.left: dict[int, list[int]] = {}
        was: dict[int | None, int | None] = {}
        mana = {
            a.affected[0]
            for a in annotations
            if "UserActionTaken" in a.kinds and a.affected and a.number("actionType") == _ACTIVATE_MANA
        }
        for point, annotation in enumerate(annotations):
            kinds = annotation.kinds
            if not annotation.affected:
                continue
            instance = annotation.affected[0]
            if "ObjectIdChanged" in kinds:
                was[annotation.number("new_id")] = annotation.number("orig_id")
            elif "ZoneTransfer" in kinds:
                if annotation.number("zone_dest") in zones:
                    self.came[instance] = point
                    self.moved.add(instance)
                    was.pop(instance, None)
                elif annotation.number("zone_src") in zones:
                    spell = was.get(instance) or instance
                    self.left.setdefault(spell, []).append(point)
                    self.seen.add(spell)
            elif instance in mana:
                continue  # it does not use the stack (CR 605.3b)
            elif "AbilityInstanceCreated" in kinds:
                self.came.setdefault(instance, point)
            elif "ResolutionComplete" in kinds:
                self.left.setdefault(instance, []).append(point)
                self.seen.add(instance)
            elif "AbilityInstanceDeleted" in kinds:
                # Told of some abilities a second time, long after: no sign that one was on the stack.
                self.left.setdefault(instance, []).append(point)
        staying = {instance for instance in self.moved if instance not in self.left}
        stale = not told and (bool(staying) or any(instance in self.left for instance in before or ()))
        if stale or not staying <= (after or set()):
            self.before = None
        self.end = None if stale else after

    def empty(self, point: int) -> bool | None:
        """Whether the stack was empty just before an annotation, if that is sure."""
        if self.before is None or self.after is None:
            return None
        found = set()
        for instance in self.before | self.after | self.seen | set(self.came):
            sure = instance in self.before and instance not in self.doubtful
            if instance not in self.before:
                if self.came.get(instance, -1) >= point:
                    continue
                sure = instance in self.moved  # an ability may still wait to be put on the stack
            found.add(self._there(instance, point, instance in self.after, sure))
        return False if True in found else None if None in found else True

    def _there(self, instance: int, point: int, stays: bool, sure: bool) -> bool | None:
        left = self.left.get(instance)
        if left and point > max(left):
            return None if stays else False
        there = point < min(left) if left else stays
        return True if there and sure else None


class _Table:
    """The state of one game, changed by one game state after the other, and the events that these tell of."""

    def __init__(self, names: Mapping[int, str]) -> None:
        self.names = names
        self.zones: dict[int, tuple[str | None, int | None]] = {}
        self.objects: dict[int, Json] = {}
        self.lasting: dict[int, _Annotation] = {}
        self.things: dict[int, _Thing] = {}
        self.stack: dict[int, _OnStack] = {}
        self.seats: list[int] = []
        self.first_seat: int | None = None
        self.turn: int | None = None
        self.active: int | None = None
        self.step: str | None = None
        self.starts_known = True
        self.started = False
        self._empty()

    def _empty(self) -> None:
        self.events: list[_Event] = []
        self.doubts: set[str] = set()
        self.waiting: list[_OnStack] = []
        self.resolving: _OnStack | None = None
        self.removed: dict[tuple[_Thing, int], list[_Event]] = {}
        self.on_stack: set[int] | None = None
        self.stack_empty: bool | None = None
        self.casting: _OnStack | None = None
        self.begun = False
        self.fresh = True

    def go_on(self) -> _Table:
        """The same table after messages were lost: no events, and where things were when the part begins is unknown."""
        self._empty()
        self.stack = {}
        self.starts_known = False
        self.started = True
        self.turn = self.active = self.step = None
        for thing in self.things.values():
            thing.zone = thing.start = None
            thing.declared = thing.declared and not thing.token
        return self

    # One game state

    def apply(self, place: str, state: Json) -> None:
        listed = self._zones(place, state)
        objects = self._objects(place, state)
        annotations = [_Annotation.of(*item) for item in _objects(state, "annotations", place)]
        lasting = [_Annotation.of(*item) for item in _objects(state, "persistentAnnotations", place)]
        for annotation in lasting:
            if annotation.id is not None:
                self.lasting[annotation.id] = annotation
        for where, player in _objects(state, "players", place):
            seat = _maybe(player, "systemSeatNumber", where)
            if seat is not None and seat not in self.seats:
                self.seats.append(seat)
        turn_info = _object(state.get("turnInfo", {}), f"{place}, turnInfo")
        turns_to_come = sum("NewTurnStarted" in annotation.kinds for annotation in annotations)
        number = _maybe(turn_info, "turnNumber", place)
        if number is not None:
            self.turn = number - turns_to_come
        if self.active is None and not turns_to_come:
            self.active = _maybe(turn_info, "activePlayer", place)
        if self.turn == 1:
            self.first_seat = self.active
        if self.fresh:
            # What stands in the zones now was there before, so the lists are taken as they are.
            self._reconcile(listed)
            self.step = _step_of(turn_info)
        tapped = {a.one() for a in annotations if "TappedUntappedPermanent" in a.kinds and a.affected}
        stack = self._stack_over(state, listed, annotations)
        for point, annotation in enumerate(annotations):
            self.stack_empty = stack.empty(point)
            if self.stack_empty and self.resolving:
                self.stack_empty = None  # what resolves is on the stack, but no list says so
            if "NewTurnStarted" in annotation.kinds:
                self._settle()
                self.turn = self.turn + 1 if self.turn is not None else None
                self.active = annotation.one()
                self.step = None
                if self.turn == 1:
                    self.first_seat = self.active
            self._annotation(annotation, tapped)
        self.on_stack = stack.end
        told = _step_of(turn_info)
        if told is not None and self.begun and told != self.step:
            self.doubts.add("Step")
            self.step = told
        for instance, value in objects.items():
            self._learn(place, instance, value)
        self._copies(objects)
        self._targets(annotations)
        gone = set(_numbers(state, "diffDeletedPersistentAnnotationIds", place))
        self._counters_left(gone)
        for key in gone:
            self.lasting.pop(key, None)
        if not self.resolving and self.casting is None:
            self._settle()
        if not self.fresh:
            self._reconcile(listed)
        self.fresh = False

    def _stack_over(
        self, state: Json, listed: list[tuple[str | None, list[int]]], annotations: list[_Annotation]
    ) -> _StackOverMessage:
        lists = [set(instances) for zone, instances in listed if zone == "stack"]
        before = None if state.get("type") == "GameStateType_Full" else self.on_stack
        doubtful = {number for number in before or () if number not in self.stack and not self._own_object(number)}
        zones = {number for number, (kind, _) in self.zones.items() if kind == "stack"}
        after = set().union(*lists) if lists else before
        return _StackOverMessage(annotations, zones, before, after, bool(lists), doubtful)

    def _own_object(self, instance: int) -> bool:
        kind = self.objects.get(instance, {}).get("type")
        return kind in _CARDS or kind == "GameObjectType_Ability"

    def _zones(self, place: str, state: Json) -> list[tuple[str | None, list[int]]]:
        listed = []
        for where, zone in _objects(state, "zones", place):
            kind = _ZONES.get(_text(zone, "type", where))
            number = _maybe(zone, "zoneId", where)
            owner = _maybe(zone, "ownerSeatId", where)
            if number is None:
                raise SourceError(where, f"zoneId is missing; {_SEND_AGAIN}")
            self.zones[number] = (kind, owner)
            if owner is not None and owner not in self.seats:
                self.seats.append(owner)
            listed.append((kind, _numbers(zone, "objectInstanceIds", where)))
        return listed

    def _objects(self, place: str, state: Json) -> dict[int, Json]:
        objects: dict[int, Json] = {}
        for where, value in _objects(state, "gameObjects", place):
            instance = _maybe(value, "instanceId", where)
            if instance is None:
                raise SourceError(where, f"instanceId is missing; {_SEND_AGAIN}")
            _text(value, "type", where)
            for key in ("grpId", "zoneId", "ownerSeatId", "controllerSeatId", "parentId", "name"):
                _maybe(value, key, where)
            self.objects[instance] = objects[instance] = value
            if instance in self.stack and self._zone(value) == "stack":
                self.stack[instance].visible = True
        return objects

    def _zone(self, value: Json) -> str | None:
        return self.zones.get(value.get("zoneId", -1), (None, None))[0]

    def _thing(self, instance: int) -> _Thing:
        thing = self.things.get(instance)
        if thing is None:
            value = self.objects.get(instance, {})
            thing = _Thing(instance, instance, token=value.get("type") == "GameObjectType_Token")
            thing.copy = value.get("isCopy") is True and not thing.token
            self.things[instance] = thing
        return thing

    def _seat(self, number: int | None) -> str:
        return f"#p{number}"

    def _context(self) -> tuple[int | None, int | None, str | None]:
        return self.turn, self.active, self.step

    def _emit(self, kind: str, props: Json, cause: _Event | None = None, during: _Event | None = None) -> _Event:
        event = _Event(kind, props, self._context(), cause, during)
        if self.turn is None and kind != "Step" and not self.started:
            event.dropped = True  # what is done before the first turn is no event of the game
            return event
        self.started = True
        if not self.begun:
            self.begun = True
            for thing in self.things.values():
                thing.start = thing.zone
        self.events.append(event)
        return event

    def _inside(self, affector: int | None) -> tuple[_Event | None, _Event | None]:
        """The cause and the surrounding event of what happens now, brought about by an object or a player."""
        source = self.stack.get(affector) if affector is not None else None
        cause = source.resolve if source is not None and source is self.resolving else None
        if source is not None and source.ability and source.resolve is None:
            during: _Event | None = source.event
        elif self.casting is not None:
            during = self.casting.event
        else:
            during = self.resolving.resolve if self.resolving else None
        return cause, during

    def _settle(self) -> None:
        """Put the triggered abilities that wait onto the stack: after all that happened until now."""
        for item in self.waiting:
            event = item.event
            if event.kind == "Trigger" and not event.dropped and event in self.events:
                self.events.remove(event)
                event.context = self._context()
                self.events.append(event)
        self.waiting = []

    # Annotations

    def _annotation(self, annotation: _Annotation, tapped: set[int]) -> None:
        kinds = annotation.kinds
        if "ObjectIdChanged" in kinds:
            thing = self._thing(annotation.needed("orig_id"))
            thing.now = annotation.needed("new_id")
            self.things[thing.now] = thing
        elif "ZoneTransfer" in kinds:
            self._transfer(annotation)
        elif "PhaseOrStepModified" in kinds:
            self._step(annotation)
        elif "ResolutionStart" in kinds:
            self._resolution(annotation)
        elif "ResolutionComplete" in kinds:
            self._over(annotation.one())
        elif "AbilityInstanceCreated" in kinds:
            self._ability(annotation)
        elif "AbilityInstanceDeleted" in kinds:
            self._over(annotation.one())
            item = self.stack.get(annotation.one())
            if item is not None and item in self.waiting and item.resolve is None and item.event.kind == "Trigger":
                item.event.dropped = True  # removed at once
        elif "UserActionTaken" in kinds:
            self._action(annotation)
        elif "TokenCreated" in kinds:
            for instance in annotation.affected:
                self._token(instance, annotation.affector, instance in tapped)
        elif "TokenDeleted" in kinds:
            for instance in annotation.affected:
                self._thing(instance).zone = None  # it ceases to exist, and moves nowhere
        elif "CounterAdded" in kinds or "CounterRemoved" in kinds:
            self._counter(annotation, "AddCounters" if "CounterAdded" in kinds else "RemoveCounters")
        elif "PlayerSelectingTargets" in kinds or "PlayerSubmittedTargets" in kinds:
            item = self.stack.get(annotation.one())
            if item is not None:
                item.choosing = "PlayerSelectingTargets" in kinds

    def _step(self, annotation: _Annotation) -> None:
        step = _STEPS.get((annotation.needed("phase"), annotation.number("step") or 0))
        if step is None:
            return
        self.resolving = self.casting = None
        self._settle()
        if annotation.one() in self.seats:
            self.active = annotation.one()
        last = self.events[-1] if self.events else None
        if last is not None and last.kind == "Step" and last.context == (self.turn, self.active, step):
            return  # the phase and its first step, announced one after the other
        self.step = step
        self._emit("Step", {})

    def _transfer(self, annotation: _Annotation) -> None:
        instance = annotation.one()
        source, source_owner = self.zones.get(annotation.needed("zone_src"), (None, None))
        target, target_owner = self.zones.get(annotation.needed("zone_dest"), (None, None))
        category = annotation.text("category")
        thing = self._thing(instance)
        spell = self.stack.get(thing.now if source == "stack" and thing.now in self.stack else -1)
        if spell is None and source == "stack":
            spell = next((item for item in reversed(self.stack.values()) if item.thing is thing), None)
        cause, during = self._inside(annotation.affector)
        if spell is not None and category != "Countered" and spell.resolve is not None:
            cause = spell.resolve
        if thing.zone is not None and source is not None and thing.zone != source:
            self.doubts.update(("Move", "Cast", "Play"))
        if target is None:
            self.doubts.update(("Move", "Cast", "Play"))
        elif target == "stack":
            self._to_stack(annotation, thing, source, source_owner, category)
        elif category == "PlayLand" and target == "battlefield":
            value = self.objects.get(instance, {})
            seat = value.get("controllerSeatId", thing.owner if thing.owner is not None else source_owner)
            props: Json = {"player": seat, "card": thing}
            if source:
                props["from"] = source
            props["stackEmpty"] = self.stack_empty
            self._emit("Play", props, cause, during)
        elif category == "Draw" and target == "hand" and target_owner is not None:
            draw = self._emit("Draw", {"player": target_owner, "n": 1}, cause, during)
            self._move(thing, source, target, draw, during)
        elif category in ("Discard", "Sacrifice") and target == "graveyard":
            self._together(category, thing, source_owner, annotation, cause, during)
        elif spell is not None and source == "stack":
            self._from_stack(spell, thing, target, category, cause, during)
        else:
            self._move(thing, source, target, cause, during)
        thing.zone = target

    def _to_stack(
        self, annotation: _Annotation, thing: _Thing, source: str | None, source_owner: int | None, category: str
    ) -> None:
        if category != "CastSpell":
            self.doubts.add("Cast")
            self._move(thing, source, "stack", *self._inside(annotation.affector))
            return
        if not self.resolving:
            self._settle()
        before = self.stack.get(thing.now)
        if before is not None and not before.confirmed:
            before.event.dropped = True
        value = self.objects.get(thing.now, {})
        seat = value.get("controllerSeatId", value.get("ownerSeatId", source_owner))
        props: Json = {"player": seat, "card": thing, "object": f"#s{thing.now}"}
        if source:
            props["from"] = source
        if source_owner is not None and seat is not None and source_owner != seat:
            props["fromPlayer"] = source_owner
        props["stackEmpty"] = self.stack_empty
        outer = self.resolving.resolve if self.resolving else None
        event = self._emit("Cast", props, self._inside(annotation.affector)[0], outer)
        half = value.get("type") in _HALVES
        item = _OnStack(thing.now, event, thing=thing, half=half, visible=True)
        item.grp, item.text = value.get("grpId"), value.get("name")
        self.stack[thing.now] = item
        self.casting = item

    def _from_stack(
        self,
        spell: _OnStack,
        thing: _Thing,
        target: str | None,
        category: str,
        cause: _Event | None,
        during: _Event | None,
    ) -> None:
        casting = not spell.confirmed and spell.resolve is None and not category.startswith("Countered")
        if casting and target == spell.event.props.get("from"):
            spell.event.dropped = True  # cancelled
            if self.casting is spell:
                self.casting = None
            return
        if category == "Countered":
            cause = spell.countered = self._emit("Countered", {"object": spell}, cause, during)
        elif category == "Countered_Fizzle":
            if spell.resolve is not None:
                spell.resolve.kind = "NotResolved"
            else:
                cause = self._emit("NotResolved", {"object": spell}, None, during)
            during = None
        spell.confirmed = True
        self._move(thing, "stack", target, cause, during)

    def _move(
        self, thing: _Thing, source: str | None, target: str | None, cause: _Event | None, during: _Event | None
    ) -> None:
        if target is None or source == target:
            return
        props: Json = {"card": thing}
        if source:
            props["from"] = source
        props["to"] = target
        if self.objects.get(thing.now, {}).get("isFacedown") is True:
            props["faceDown"] = True
        self._emit("Move", props, cause, during)

    def _together(
        self,
        kind: str,
        thing: _Thing,
        seat: int | None,
        annotation: _Annotation,
        cause: _Event | None,
        during: _Event | None,
    ) -> None:
        """Cards that one effect discards, or permanents that it sacrifices, one transfer directly after the other."""
        if kind == "Sacrifice":
            value = self.objects.get(thing.now, {})
            seat = value.get("controllerSeatId", thing.owner)
            older = [instance for instance, other in self.things.items() if other is thing and instance != thing.now]
            if older:
                seat = self.objects.get(older[-1], value).get("controllerSeatId", seat)
        last = self.events[-1] if self.events else None
        mark = (annotation.place.rpartition(",")[0], annotation.affector)
        if last is not None and last.kind == kind and last.props["mark"] == mark:
            last.props["cards"].append(thing)
            if last.props.get("player") != seat:
                last.props["player"] = None
            return
        self._emit(kind, {"player": seat, "cards": [thing], "mark": mark}, cause, during)

    def _resolution(self, annotation: _Annotation) -> None:
        item = self.stack.get(annotation.one())
        self.resolving = self.casting = None  # one object resolves at a time, and none while a spell is being cast
        self._settle()
        if item is None:
            value = self.objects.get(annotation.one(), {})
            if value.get("type") != "GameObjectType_Ability" or self._zone(value) == "stack":
                self.doubts.add("Resolve")
            return
        item.confirmed = True
        if item.ability and item.grp is None:
            item.grp = annotation.number("grpid")
        item.resolve = self._emit("Resolve", {"object": item})
        self.resolving = item

    def _over(self, instance: int) -> None:
        if self.resolving is not None and self.resolving.instance == instance:
            self.resolving = None

    def _ability(self, annotation: _Annotation) -> None:
        instance = annotation.one()
        value = self.objects.get(instance, {})
        props: Json = {"player": value.get("controllerSeatId"), "object": f"#a{instance}", "source": None}
        if annotation.affector is not None and annotation.affector in self.things:
            props["source"] = self.things[annotation.affector]
        item = _OnStack(instance, self._emit("Trigger", props), ability=True, grp=value.get("grpId"))
        item.visible = self._zone(value) == "stack"
        item.over_empty = self.stack_empty
        self.stack[instance] = item
        self.waiting.append(item)

    def _action(self, annotation: _Annotation) -> None:
        item = self.stack.get(annotation.one())
        if item is None:
            return
        if not item.ability:
            item.confirmed = True
            if self.casting is item:
                self.casting = None
            return
        action = annotation.number("actionType")
        if action == _ACTIVATE:
            item.event.kind = "Activate"
            item.event.props["player"] = annotation.affector
            item.event.props["stackEmpty"] = item.over_empty
            item.confirmed = True
        else:
            # A mana ability does not use the stack (CR 605.3b); what other actions make is not said.
            item.event.dropped = True
            if action != _ACTIVATE_MANA:
                self.doubts.add("Resolve")

    def _token(self, instance: int, affector: int | None, tapped_later: bool) -> None:
        thing = self._thing(instance)
        thing.token = thing.declared = True
        thing.zone = "battlefield"
        cause, during = self._inside(affector)
        props: Json = {"object": thing}
        value = self.objects.get(instance)
        if value is not None:
            props["name"] = self._name(value.get("grpId"), value.get("name"))
            changed = {kind for a in self.lasting.values() if instance in a.affected for kind in a.kinds}
            if "ModifiedType" not in changed:
                props["types"] = _plain(_texts(value, "cardTypes", "gameObjects"), "CardType_")
            if "ModifiedColor" not in changed:
                props["colors"] = _colours(_texts(value, "color", "gameObjects"))
            for key in ("power", "toughness"):
                size = value.get(key)
                if isinstance(size, dict) and f"Modified{key.title()}" not in changed:
                    props[key] = _number(size.get("value", 0), f"gameObjects, {instance}, {key}")
            if not tapped_later:
                props["tapped"] = value.get("isTapped") is True
            props["to"] = value.get("controllerSeatId")
        self._emit("CreateToken", props, cause, during)

    def _counter(self, annotation: _Annotation, kind: str) -> None:
        number = annotation.number("counter_type")
        amount = annotation.number("transaction_amount")
        cause, during = self._inside(annotation.affector)
        if number is None or not amount:
            return
        for instance in annotation.affected:
            if instance in self.seats or instance not in self.things:
                continue
            counter = _COUNTERS.get(number, f"counter {number}")
            props: Json = {"card": self.things[instance], "counter": counter, "n": abs(amount)}
            event = self._emit(kind, props, cause, during)
            if kind == "RemoveCounters":
                self.removed.setdefault((self.things[instance], number), []).append(event)

    # What a message says beside its annotations

    def _counters_left(self, gone: set[int]) -> None:
        """How many counters are left: the state at the message's end, told of the message's only removal."""
        for (thing, counter), events in self.removed.items():
            for number, lasting in self.lasting.items():
                about = "Counter" in lasting.kinds and thing.now in lasting.affected
                if about and lasting.number("counter_type") == counter and len(events) == 1:
                    left = 0 if number in gone else lasting.number("count")
                    if left is not None:
                        events[0].props["left"] = left
        self.removed = {}

    def _learn(self, place: str, instance: int, value: Json) -> None:
        """Take from an object what it says of its card."""
        kind = value.get("type")
        zone = self._zone(value)
        if zone is None or not (kind in _CARDS or kind in _HALVES or kind == "GameObjectType_Token"):
            return
        grp = value.get("grpId")
        facts = {key: _plain(_texts(value, arena, place), prefix) for key, arena, prefix in _FACTS if arena in value}
        if "color" in value:
            facts["colors"] = _colours(_texts(value, "color", place))
        for annotation in self.lasting.values():
            if instance in annotation.affected:
                if "ModifiedType" in annotation.kinds:
                    facts = {key: fact for key, fact in facts.items() if key == "colors"}
                if "ModifiedColor" in annotation.kinds:
                    facts.pop("colors", None)
        facts = {key: fact for key, fact in facts.items() if not any("laceholder" in word for word in fact)}
        if kind in _HALVES:
            # Beside a card in hand stand objects for its halves; on the stack the half is the spell.
            parent = value.get("parentId") if instance not in self.things else None
            whole = self.things.get(parent if parent is not None else instance)
            if whole is not None and grp is not None:
                whole.halves[grp] = _Half(str(kind), value.get("name"), facts)
                if parent is None:
                    whole.declared = True
                    whole.owner = value.get("ownerSeatId", whole.owner)
            return
        thing = self._thing(instance)
        thing.owner = value.get("ownerSeatId", thing.owner)
        if thing.token or thing.copy:
            return
        thing.declared = True
        if value.get("isFacedown") is True or not grp:
            return
        if thing.grp is None or (thing.from_stack and zone not in ("stack", "battlefield") and grp != thing.grp):
            thing.grp, thing.text, thing.facts = grp, value.get("name"), facts
            thing.from_stack = zone == "stack"

    def _copies(self, objects: dict[int, Json]) -> None:
        """Copies of spells come to the stack without a transfer."""
        for instance, value in objects.items():
            if value.get("isCopy") is not True or self._zone(value) != "stack" or instance in self.stack:
                continue
            if value.get("type") == "GameObjectType_Ability":
                continue
            props: Json = {"object": f"#s{instance}", "to": "stack", "player": value.get("controllerSeatId")}
            self.stack[instance] = _OnStack(instance, self._emit("Copy", props), visible=True, confirmed=True)

    def _targets(self, annotations: list[_Annotation]) -> None:
        """Targets and alternative costs, once the player has settled them."""
        lasting: dict[int, list[_Annotation]] = {}
        for annotation in self.lasting.values():
            if annotation.kinds & {"TargetSpec", "CastingTimeOption"} and annotation.affector is not None:
                lasting.setdefault(annotation.affector, []).append(annotation)
        for instance, said in lasting.items():
            item = self.stack.get(instance)
            if item is None or item.targets_known or item.choosing or not (item.confirmed or item.ability):
                continue
            item.targets_known = True
            specs = [annotation for annotation in said if "TargetSpec" in annotation.kinds]
            specs.sort(key=lambda annotation: annotation.number("index") or 0)
            if specs:
                item.event.props["targets"] = [self._target(number) for spec in specs for number in spec.affected]
            for option in said:
                if "CastingTimeOption" in option.kinds and option.number("type") == _CAST_THROUGH_ABILITY:
                    cost, through = option.number("alternateCostGrpId"), option.number("castAbilityGrpId")
                    if cost:
                        item.event.props["cost"] = {"alternative": f"ability {cost}"}
                    if through and item.event.props.get("from") != "hand":
                        item.event.props["permission"] = f"ability {through}"

    def _target(self, number: int) -> int | _Thing | _OnStack | None:
        if number in self.seats:
            return number
        item = self.stack.get(number)
        # A permanent keeps the instance id that it had as a spell.
        if item is not None and (item.thing is None or item.thing.zone == "stack"):
            return item
        return self.things.get(number)

    def _reconcile(self, listed: list[tuple[str | None, list[int]]]) -> None:
        """Hold the zones' lists against where things are known to be; what no transfer explains, the lists decide."""
        for zone, instances in listed:
            if zone is None:
                continue
            for instance in instances:
                if instance in self.stack:
                    self.stack[instance].visible = True
                value = self.objects.get(instance, {})
                kind = value.get("type", "GameObjectType_Card")
                known = instance in self.things
                if kind not in _CARDS and kind != "GameObjectType_Token" and not (kind in _HALVES and known):
                    continue
                thing = self._thing(instance)
                if thing.zone == zone or thing.now != instance or thing.copy:
                    continue
                if self.begun and not self.fresh and (zone in _PUBLIC or thing.zone in _PUBLIC):
                    self.doubts.update(("Move", "Cast") if zone == "stack" else ("Move",))
                if not self.fresh and known and thing.zone is not None:
                    self._move(thing, thing.zone, zone, None, None)
                thing.zone = zone
        if self.fresh:
            return
        present = {number for _, instances in listed for number in instances}
        told = {zone for zone, _ in listed if zone in _PUBLIC - {"graveyard"}}
        for thing in set(self.things.values()):
            if thing.zone in told and thing.now not in present and not thing.copy:
                self.doubts.add("Move")
                thing.zone = None

    # The record

    def _name(self, grp: int | None, text: int | None) -> str:
        if grp is None:
            return "unknown card"
        texts = self.names.texts if isinstance(self.names, Names) else {}
        return self.names.get(grp) or texts.get(text or 0) or f"card {grp}"

    def record(self) -> dict[str, object] | None:
        """The record of the events so far, or nothing if there are none."""
        self._settle()
        for item in self.stack.values():
            if item.ability and not item.visible:
                item.event.dropped = True
            if not item.ability and not item.confirmed:
                item.event.dropped = True
                for event in self.events:
                    event.dropped = event.dropped or event.during is item.event
            if item.ability and item.event.kind == "Trigger" and item.grp is not None:
                item.event.props["ability"] = f"ability {item.grp}"
            if item.thing is not None and item.event.kind == "Cast":
                self._face(item, item.thing)
        introduced = {item for item in self.stack.values() if self._keep(item.event, set())}
        kept = [event for event in self.events if self._keep(event, introduced)]
        if not kept:
            return None
        ids = {event: f"#e{number}" for number, event in enumerate(kept, 1)}
        events: list[dict[str, object]] = []
        context: tuple[int | None, int | None, str | None] = (None, None, None)
        for event in kept:
            shown = event.context != context or event.kind == "Step"
            events.append(self._shown(event, ids, introduced, event.context if shown else (None, None, None)))
            context = event.context
        cards = {thing for thing in self.things.values() if thing.declared and not thing.token and not thing.copy}
        return {
            "records": [kind for kind in _SURE if kind not in self.doubts],
            "players": self._players(),
            "cards": [self._card(thing) for thing in sorted(cards, key=lambda thing: thing.key)],
            "events": events,
        }

    def _face(self, item: _OnStack, thing: _Thing) -> None:
        if item.grp is None:
            return
        other = thing.grp is not None and item.grp != thing.grp
        main = any(half.beside_the_card for half in thing.halves.values())
        if item.half or other or main:
            item.event.props["face"] = self._name(item.grp, item.text)
            if other:
                thing.halves.setdefault(item.grp, _Half("", item.text, {}))

    def _keep(self, event: _Event, introduced: set[_OnStack]) -> bool:
        """Whether an event happened, and all that it cannot do without is in the record."""
        if event.dropped:
            return False
        props = event.props
        needed = [props[key] for key in ("card", "object") if key in props] + list(props.get("cards", []))
        for value in needed:
            if isinstance(value, _Thing) and (not value.declared or value.copy):
                if {props.get("from"), props.get("to")} & _PUBLIC or event.kind in ("Discard", "Sacrifice"):
                    self.doubts.update({"Move", event.kind})
                return False
            if isinstance(value, _OnStack) and value not in introduced:
                if not value.ability:
                    self.doubts.add(event.kind)
                return False
        return True

    def _shown(
        self,
        event: _Event,
        ids: dict[_Event, str],
        introduced: set[_OnStack],
        context: tuple[int | None, int | None, str | None],
    ) -> dict[str, object]:
        shown: dict[str, object] = {"id": ids[event], "type": event.kind}
        turn, active, step = context
        if turn is not None:
            shown["turn"] = turn
        if active in self.seats:
            shown["activePlayer"] = self._seat(active)
        if step is not None:
            shown["step"] = step
        for key, value in event.props.items():
            said = value
            if key in ("player", "fromPlayer") or (key == "to" and isinstance(value, int)):
                said = self._seat(value) if value in self.seats else None
            elif isinstance(value, (_Thing, _OnStack)):
                said = self._shown_id(value, introduced)
            elif key in ("cards", "targets"):
                listed = [self._seat(v) if isinstance(v, int) else self._shown_id(v, introduced) for v in value]
                said = None if None in listed else listed  # a list that is there is whole
            if said is not None and key != "mark":
                shown[key] = said
        for key, stated in (("cause", event.cause), ("during", event.during)):
            other = stated
            # What happened while a mana ability was activated happened inside the casting that it paid for.
            while other is not None and (other not in ids or other.kind == "Trigger"):
                other = other.during
            if other is not None:
                shown[key] = ids[other]
        return shown

    def _shown_id(self, value: _Thing | _OnStack | None, introduced: set[_OnStack]) -> str | None:
        if isinstance(value, _Thing):
            return value.id if value.declared and not value.copy else None
        return value.id if value is not None and value in introduced else None

    def _players(self) -> list[dict[str, object]]:
        players: list[dict[str, object]] = []
        for seat in sorted(self.seats):
            player: dict[str, object] = {"id": self._seat(seat)}
            if self.first_seat is not None and (seat == self.first_seat or len(self.seats) == 2):
                player["turnOrder"] = 1 if seat == self.first_seat else 2
            players.append(player)
        return players

    def _card(self, thing: _Thing) -> dict[str, object]:
        halves = sorted(thing.halves.items(), key=lambda item: (item[1].kind, item[0]))
        grp, text = thing.grp, thing.text
        if grp is None and halves:
            grp, text = halves[0][0], halves[0][1].text
        card: dict[str, object] = {"id": thing.id, "name": self._name(grp, text)}
        if thing.owner in self.seats:
            card["owner"] = self._seat(thing.owner)
        if self.starts_known and thing.start is not None:
            card["zone"] = thing.start
        card |= thing.facts
        layouts = {_HALVES[half.kind][0] for _, half in halves if half.kind}
        if len(layouts) == 1 and None not in layouts:
            card["layout"] = layouts.pop()
        faces: list[dict[str, object]] = [{"name": self._name(grp, half.text), **half.facts} for grp, half in halves]
        if thing.grp is not None and any(half.beside_the_card for _, half in halves):
            faces.insert(0, {"name": self._name(thing.grp, thing.text), **thing.facts})
        if faces:
            card["faces"] = faces
        return card


def _step_of(turn_info: Json) -> str | None:
    return _TURN_INFO.get(str(turn_info.get("step"))) or _TURN_INFO.get(str(turn_info.get("phase")))


def _plain(words: list[str], prefix: str) -> list[str]:
    return [word.removeprefix(prefix) for word in words]


def _colours(words: list[str]) -> list[str]:
    return [colour for arena, colour in _COLOURS.items() if arena in words]
