"""Records as plain data: where their properties stand, and how a changed record is kept readable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rulewright.records.structure import SCENARIO_KEYS
from rulewright.vocabulary import Property, load_schema
from soundness.judging import Judge, Plain, Unreadable

Path = tuple[str | int, ...]
CARRIED = ("turn", "activePlayer", "step")
"""Of an event that leaves them out, those of the event before hold (game-record, "The record")."""
_REPAIRS = 40


@dataclass(frozen=True)
class Spot:
    """A property where a record states it."""

    path: Path
    structure: str
    """That of the schema which the property belongs to; `Event` for what every event can have."""
    property: Property
    value: Any

    @property
    def kind(self) -> str:
        return f"{self.structure}.{self.property.key}"


def spots(stated: Plain) -> Iterator[Spot]:
    """Every property that a record states and the schema knows, outermost first."""
    yield from _spots(stated, "Record", ())


def _spots(node: Plain, structure: str, path: Path) -> Iterator[Spot]:
    schema = load_schema()
    common = schema.structures["Event"]
    for key, prop in schema.structures.get(structure, {}).items():
        if key not in node:
            continue
        owner = "Event" if structure in schema.event_types and key in common else structure
        value, here = node[key], (*path, key)
        yield Spot(here, owner, prop, value)
        if prop.kind == "Structure":
            for number, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(item, dict):
                    inner = _structure(str(prop.structure), item)
                    yield from _spots(item, inner, here if number is None else (*here, number))


def _structure(declared: str, item: Plain) -> str:
    if declared == "Event":
        return str(item.get("type"))
    return "AlternativeCost" if declared == "CostBasis" else declared


def copied(value: Any) -> Any:
    """A deep copy of plain data."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def prepared(stated: Plain) -> Plain:
    """The record itself, without what a scenario says beside it; each event with an id and its own turn and step.

    So no event's place in the list, and nothing that is carried forward, says anything that could be lost by a change.
    """
    found = {key: copied(value) for key, value in stated.items() if key not in SCENARIO_KEYS}
    found.setdefault("id", "urn:example:game")
    carried: Plain = {}
    for number, event in enumerate(found["events"], 1):
        event.setdefault("id", f"{_start(found['id'])}/event/{number}")
        if "turn" in event and event["turn"] != carried.get("turn"):
            carried = {}
        carried |= {key: event[key] for key in CARRIED if key in event}
        event.update(carried)
    for number, effect in enumerate(found.get("effects", ()), 1):
        effect.setdefault("id", f"{_start(found['id'])}/effects/{number}")
    return found


def absolute(stated: Plain, written: str) -> str:
    """An id as it stands in verdicts."""
    return f"{stated['id']}{written}" if written.startswith("#") else written


def _start(iri: str) -> str:
    return iri if "#" in iri else f"{iri}#"


def at(stated: Any, path: Path) -> Any:
    """What stands there; None where nothing does (any more)."""
    for step in path:
        try:
            stated = stated[step]
        except (KeyError, IndexError, TypeError):
            return None
    return stated


def put(stated: Any, path: Path, value: Any) -> None:
    for step in path[:-1]:
        stated = stated[step]
    stated[path[-1]] = value


def drop(stated: Plain, path: Path) -> None:
    """Takes out the property at the end of a path, where it is still there."""
    holder = at(stated, path[:-1])
    if isinstance(holder, dict):
        holder.pop(path[-1], None)


def readable(stated: Plain, judge: Judge, kept: frozenset[str]) -> Plain | None:
    """The record without what refers to something that it has lost; None where that cannot be left out (`kept`)."""
    for _ in range(_REPAIRS):
        record = judge.read(stated)
        if not isinstance(record, Unreadable):
            return stated
        for place in record.places:
            path = _property(place)
            if not path or path[-1] in kept:
                return None
            drop(stated, path)
    return None


def _property(place: str) -> Path:
    """The path of the property that a problem's place is in."""
    steps: list[str | int] = [int(s) if s.isdigit() else s for s in re.findall(r"[^.\[\]]+", place)]
    while steps and isinstance(steps[-1], int):
        steps.pop()
    return tuple(steps)
