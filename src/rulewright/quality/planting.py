"""Breaks of rules that concern every game, to be planted in a legal one: one break of one kind at a time.

A record is plain data (`docs/game-record.md`), whose events have ids and their own turn, active player and step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

Event = dict[str, Any]
Game = dict[str, Any]
_CARRIED = ("turn", "activePlayer", "step")
_MAIN = ("precombat main", "postcombat main")
_PUBLIC = ("graveyard", "exile")


@dataclass(frozen=True)
class Planted:
    """A game with one break. `events`: where it may be reported."""

    kind: str
    game: Game
    events: tuple[str, ...]


def spelled_out(game: Game) -> Game:
    """The same game, in which every event has an id and says its own turn, active player and step."""
    told = deepcopy(game)
    carried: Event = {}
    for position, event in enumerate(told["events"], 1):
        event.setdefault("id", f"#event/{position}")
        if event["type"] == "Gap" or event.get("turn", carried.get("turn")) != carried.get("turn"):
            carried = {}
        carried |= {name: event[name] for name in _CARRIED if name in event}
        event.update(carried)
    return told


def plant(game: Game) -> Iterator[Planted]:
    """Every break of every kind for which the game has a place."""
    for kind, planter in KINDS.items():
        for changed, events in planter(game):
            yield Planted(kind, changed, events)


Plants = Iterator[tuple[Game, tuple[str, ...]]]


def _with(game: Game, position: int, *events: Event, instead: bool = False, cards: tuple[Event, ...] = ()) -> Game:
    """The game with events put before a position, or in the place of the one there."""
    changed = deepcopy(game)
    changed["events"][position : position + instead] = [deepcopy(e) for e in events]
    changed.setdefault("cards", []).extend(cards)
    return changed


def _without(game: Game, *positions: int) -> Game:
    changed = deepcopy(game)
    changed["events"] = [e for i, e in enumerate(changed["events"]) if i not in positions]
    return changed


def _refers(value: object, to: str) -> bool:
    if isinstance(value, dict):
        return any(_refers(part, to) for name, part in value.items() if name != "id")
    if isinstance(value, list):
        return any(_refers(part, to) for part in value)
    return value == to


def _removable(game: Game, event: Event) -> bool:
    """Whether nothing in the record refers to an event, so that the record can be read without it."""
    return not any(_refers(game.get(part), event["id"]) for part in ("players", "cards", "effects", "events"))


def _at(event: Event) -> Event:
    """When an event happens."""
    return {name: event[name] for name in _CARRIED if name in event}


def _typed(game: Game, *types: str) -> Iterator[tuple[int, Event]]:
    return ((i, e) for i, e in enumerate(game["events"]) if e["type"] in types)


def _card(game: Game, card: str | None) -> Event:
    return next((c for c in game.get("cards", ()) if c["id"] == card), {})


def _others(game: Game, player: str | None) -> list[str]:
    return [p["id"] for p in game.get("players", ()) if p["id"] != player]


def _land(owner: str) -> Event:
    return {"id": "#planted-land", "name": "Wastes", "owner": owner, "zone": "hand", "types": ["Land"],
            "keywords": [], "otherText": False}  # fmt: skip


def _instant(owner: str, zone: str) -> Event:
    return {"id": "#planted-spell", "name": "Planted Spell", "owner": owner, "zone": zone, "manaCost": "{1}",
            "types": ["Instant"], "keywords": [], "otherText": False}  # fmt: skip


def second_land(game: Game) -> Plants:
    for position, play in _typed(game, "Play"):
        if "player" in play and play.get("turn") is not None and "during" not in play:
            again = {"id": "#planted", "type": "Play", "card": "#planted-land", "from": "hand",
                     "player": play["player"], **_at(play)}  # fmt: skip
            yield _with(game, position + 1, again, cards=(_land(play["player"]),)), ("#planted",)


def land_in_anothers_turn(game: Game) -> Plants:
    for position, step in _typed(game, "Step"):
        for other in _others(game, step.get("activePlayer"))[:1]:
            if step.get("step") in _MAIN and "activePlayer" in step:
                play = {"id": "#planted", "type": "Play", "card": "#planted-land", "from": "hand", "player": other}
                yield _with(game, position + 1, play | _at(step), cards=(_land(other),)), ("#planted",)


def land_at_a_wrong_time(game: Game) -> Plants:
    for position, step in _typed(game, "Step"):
        active = step.get("activePlayer")
        if active and step.get("step") in ("upkeep", "end", "declare attackers"):
            play = {"id": "#planted", "type": "Play", "card": "#planted-land", "from": "hand", "player": active}
            yield _with(game, position + 1, play | _at(step), cards=(_land(active),)), ("#planted",)


def spell_at_a_wrong_time(game: Game) -> Plants:
    for position, cast in _typed(game, "Cast"):
        types = _card(game, cast.get("card")).get("types")
        others = _others(game, cast.get("player"))
        if types and "Instant" not in types and "during" not in cast and others and "step" in cast:
            wrong = {**cast, "activePlayer": others[0], "step": "upkeep"}
            wrong.pop("stackEmpty", None)
            yield _with(game, position, wrong, instead=True), (cast["id"],)


def step_left_out(game: Game) -> Plants:
    if "Step" not in game.get("records", ()):
        return
    for before, here, after in _triples(game):
        if before["type"] == here[1]["type"] == after["type"] == "Step" and "cause" not in here[1]:
            skippable = here[1].get("step") in ("declare blockers", "combat damage")
            first_draw = here[1].get("step") == "draw" and here[1].get("turn") == 1
            if not skippable and not first_draw and _removable(game, here[1]):
                yield _without(game, here[0]), (after["id"],)


def steps_swapped(game: Game) -> Plants:
    for position, (one, other) in enumerate(pairwise(game["events"])):
        if one["type"] == other["type"] == "Step" and _same_turn(one, other) and one.get("step") != other.get("step"):
            changed = deepcopy(game)
            changed["events"][position : position + 2] = [deepcopy(other), deepcopy(one)]
            later = game["events"][position + 2]["id"] if position + 2 < len(game["events"]) else one["id"]
            yield changed, (one["id"], other["id"], later)


def _same_turn(one: Event, other: Event) -> bool:
    return "turn" in one and one["turn"] == other.get("turn")


def _triples(game: Game) -> Iterator[tuple[Event, tuple[int, Event], Event]]:
    events = game["events"]
    for i in range(1, len(events) - 1):
        yield events[i - 1], (i, events[i]), events[i + 1]


def two_draws(game: Game) -> Plants:
    for position, draw in _typed(game, "Draw"):
        if draw.get("step") == "draw" and "cause" not in draw and draw.get("player") == draw.get("activePlayer"):
            yield _with(game, position + 1, {**draw, "id": "#planted"}), ("#planted",)


def resolves_twice(game: Game) -> Plants:
    for position, resolve in _typed(game, "Resolve"):
        if "object" in resolve:
            end = position + 1
            while end < len(game["events"]) and resolve["id"] in (
                game["events"][end].get("during"), game["events"][end].get("cause")
            ):  # fmt: skip
                end += 1
            again = {"id": "#planted", "type": "Resolve", "object": resolve["object"], **_at(resolve)}
            yield _with(game, end, again), ("#planted",)


def resolves_after_it_left(game: Game) -> Plants:
    for position, left in _typed(game, "Countered", "NotResolved"):
        if "object" in left:
            resolve = {"id": "#planted", "type": "Resolve", "object": left["object"], **_at(left)}
            yield _with(game, position + 1, resolve), ("#planted",)


def out_of_order(game: Game) -> Plants:
    """What is below on the stack resolves first, where nothing follows from that resolution but its card's own move."""
    events = game["events"]
    ends = {e["object"]: i for i, e in _typed(game, "Resolve") if "object" in e}
    begun = {e["object"]: i for i, e in _typed(game, "Cast", "Trigger", "Activate") if "object" in e}
    for below, above in ((b, a) for b in ends for a in ends if a != b):
        if not (below in begun and above in begun and begun[below] < begun[above] < ends[above] < ends[below]):
            continue
        lower, upper = events[ends[below]], events[ends[above]]
        own = [e for e in events if lower["id"] in (e.get("cause"), e.get("during"))]
        if all(e["type"] == "Move" for e in own) and _same_turn(lower, upper):
            moved = [{**e, **_at(upper)} for e in (lower, *own)]
            rest = [e for e in events if e is not lower and e not in own]
            at = rest.index(upper)
            yield {**deepcopy(game), "events": deepcopy([*rest[:at], *moved, *rest[at:]])}, (lower["id"],)


def anothers_ability(game: Game) -> Plants:
    for position, activation in _typed(game, "Activate"):
        source, player = _card(game, activation.get("source")), activation.get("player")
        others = _others(game, player)
        if source.get("owner") == player and others and "zone" in source:
            yield _with(game, position, {**activation, "player": others[0]}, instead=True), (activation["id"],)


def spell_without_permission(game: Game) -> Plants:
    for zone in _PUBLIC:
        for position, step in _typed(game, "Step"):
            active = step.get("activePlayer")
            if active and step.get("step") == "precombat main":
                cast = {"id": "#planted", "type": "Cast", "card": "#planted-spell", "object": "#planted-object",
                        "from": zone, "player": active, "cost": "mana cost", **_at(step)}  # fmt: skip
                yield _with(game, position + 1, cast, cards=(_instant(active, zone),)), ("#planted",)


def wrong_zone(game: Game) -> Plants:
    for position, move in _typed(game, "Move"):
        card = _card(game, move.get("card"))
        if move.get("from") in ("hand", "graveyard", "exile", "battlefield") and "zone" in card:
            wrong = "library" if move["from"] != "library" else "hand"
            yield _with(game, position, {**move, "from": wrong}, instead=True), (move["id"],)


def lost_target(game: Game) -> Plants:
    for position, cast in _typed(game, "Cast"):
        asked = _card(game, cast.get("card")).get("targets") or []
        all_needed = bool(asked) and all(set(t) == {"kind"} for t in asked) and "modes" not in cast
        if all_needed and len(asked) == len(cast.get("targets", ())):
            yield _with(game, position, {**cast, "targets": cast["targets"][:-1]}, instead=True), (cast["id"],)


def never_leaves_the_stack(game: Game) -> Plants:
    events = game["events"]
    resolved = {e["id"] for _, e in _typed(game, "Resolve")}
    for position, move in _typed(game, "Move"):
        types = _card(game, move.get("card")).get("types") or []
        sorcery = move.get("from") == "stack" and {"Instant", "Sorcery"} & set(types)
        forgotten = not any(e.get("card") == move.get("card") for e in events[position + 1 :])
        over = events[-1].get("turn", 0) > move.get("turn", 0) > 0
        if not _removable(game, move):
            continue
        if sorcery and forgotten and over and move.get("cause") in resolved and "replacement" not in move:
            yield _without(game, position), (move["cause"],)


def token_comes_back(game: Game) -> Plants:
    tokens = {e["object"] for _, e in _typed(game, "CreateToken") if "object" in e}
    for position, move in _typed(game, "Move"):
        if move.get("card") in tokens and move.get("to") not in (None, "battlefield"):
            back = {"id": "#planted", "type": "Move", "card": move["card"], "from": move["to"], "to": "battlefield"}
            yield _with(game, position + 1, back | _at(move)), ("#planted",)


KINDS: dict[str, Callable[[Game], Plants]] = {
    "second land": second_land,
    "land in another's turn": land_in_anothers_turn,
    "land at a wrong time": land_at_a_wrong_time,
    "spell at a wrong time": spell_at_a_wrong_time,
    "step left out": step_left_out,
    "steps swapped": steps_swapped,
    "two draws": two_draws,
    "resolves twice": resolves_twice,
    "resolves after it left": resolves_after_it_left,
    "out of order": out_of_order,
    "another's ability": anothers_ability,
    "spell without a permission": spell_without_permission,
    "wrong zone": wrong_zone,
    "lost target": lost_target,
    "never leaves the stack": never_leaves_the_stack,
    "token comes back": token_comes_back,
}
