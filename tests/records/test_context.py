"""The JSON-LD context of the plain form, made from the schema."""

from __future__ import annotations

import json
from typing import Any

import pyoxigraph as ox
import pytest

from rulewright.records.context import context
from rulewright.vocabulary import GAME, load_schema

from .small import PLAYERS, Plain


def values(event: Plain) -> dict[str, set[str]]:
    """What comes of an event's keys in a record that any JSON-LD processor reads."""
    base = "urn:g"
    document = {
        "@context": context(), "id": base, "type": "Game", "players": PLAYERS, "events": [{"id": "urn:g#1", **event}],
    }  # fmt: skip
    found: dict[str, set[str]] = {}
    for quad in ox.parse(json.dumps(document), format=ox.RdfFormat.JSON_LD, base_iri="urn:g"):
        if quad.subject == ox.NamedNode("urn:g#1"):
            found.setdefault(quad.predicate.value.removeprefix(GAME), set()).add(
                getattr(quad.object, "value", "").removeprefix(GAME)
            )
    return found


@pytest.mark.parametrize(
    ("event", "name", "value"),
    [
        ({"type": "Move", "to": "exile"}, "to", "exile"),
        ({"type": "Move", "from": "hand"}, "from", "hand"),
        ({"type": "ChangeControl", "to": "urn:g#ben"}, "recipient", "urn:g#ben"),
        ({"type": "Step", "step": "precombat main"}, "step", "precombatMain"),
        ({"type": "Cast", "x": 3}, "x", "3"),
        ({"type": "Cast", "permission": "rebound"}, "permission", "rebound"),
    ],
)
def test_a_key_means_what_it_does_in_that_type_of_event(event: Plain, name: str, value: str) -> None:
    assert values(event)[name] == {value}


def test_types_are_types() -> None:
    found = values({"type": "Cast"})
    (kind,) = [v for k, v in found.items() if k.endswith("#type")]
    assert kind == {"Cast"}


def test_every_key_of_every_structure_has_a_term() -> None:
    def keys(value: Any) -> set[str]:
        if not isinstance(value, dict):
            return set()
        return set(value).union(*(keys(v) for v in value.values()))

    known = keys(context())
    for structure, properties in load_schema().structures.items():
        if structure != "Share":  # of a map from target to amount, which JSON-LD keeps as JSON
            assert set(properties) <= known, structure
    assert set(load_schema().event_types) <= known
