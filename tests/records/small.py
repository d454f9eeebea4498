"""Small records, and the facts of their canonical graphs."""

from __future__ import annotations

import json
from typing import Any

from rulewright.records import Graph, Value, Words, canonical, read_structure
from rulewright.vocabulary import GAME, KEYWORD, Iri, OpenWord, load_schema

Plain = dict[str, Any]
PLAYERS = [{"id": "#ana", "turnOrder": 1}, {"id": "#ben", "turnOrder": 2}]
GIVEN_UP = frozenset({"Sacrifice", "Discard", "Reveal"})
WORDS = [
    *(OpenWord(Iri(f"urn:g#{name}"), "CounterKind", name, name) for name in ("time", "ash", "charge")),
    OpenWord(Iri("urn:g#keep"), "ChoiceKind", "keep", "behalten", (), None, GIVEN_UP),
]
STACKS = ["Cast", "Copy", "Activate", "Trigger"]


def card(name: str, **more: Any) -> Plain:
    return {"id": f"#{name}", "name": name.title(), "owner": "#ana", **more}


def cast(name: str = "bolt", spell: str = "s", **more: Any) -> Plain:
    return {"type": "Cast", "player": "#ana", "card": f"#{name}", "object": f"#{spell}", **more}


def event(kind: str, **more: Any) -> Plain:
    return {"type": kind, **more}


INSTANT = card("bolt", manaCost="{1}{R}", types=["Instant"])
CREATURE = card("bear", manaCost="{1}{G}", types=["Creature"])


def graph(*events: Plain, cards: list[Plain] | None = None, steps: tuple[str, ...] = (), **more: Any) -> Graph:
    """Events get the ids #1, #2, … `steps`: for which the state of cards is wanted."""
    listed = [{"id": f"#{n}", **one} for n, one in enumerate(events, 1)]
    stated = [INSTANT] if cards is None else cards
    record = {"id": "urn:g", "players": PLAYERS, "cards": stated, **more, "events": listed}
    wanted = [load_schema().words["TurnStep"][step] for step in steps]
    return canonical(read_structure(record, "g"), Words({}, WORDS), wanted)


def fact(found: Graph, node: str | int, name: str) -> Value | None:
    """A fact with IRIs short: `#ana` of the record, `hand` of the game ontology, `kw:rebound`."""
    value = found.facts[Iri(f"urn:g#{node}")].get(name)
    return tuple(map(_short, value)) if isinstance(value, tuple) else _short(value) if value is not None else None


def listed(*members: Any) -> str:
    """A list as one value, colours by their names."""
    return json.dumps([{"@id": GAME + m} if m in ("white", "blue", "black", "red", "green") else m for m in members])


def _short(value: Any) -> Any:
    if not isinstance(value, Iri):
        return value
    return value.removeprefix(GAME).removeprefix("urn:g").replace(KEYWORD, "kw:")
