"""Values of facts by their type and in one spelling, and the individuals of the ontology that the rules speak of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.records.model import Value
from rulewright.vocabulary import GAME, NONE, Iri, Scalar


def game(name: str) -> Iri:
    """A term of the game ontology by its local name."""
    return Iri(GAME + name)


STACK, BATTLEFIELD, GRAVEYARD, EXILE, HAND, LIBRARY = map(
    game, ("stack", "battlefield", "graveyard", "exile", "hand", "library")
)
FREE, MANA_COST = game("withoutPayingManaCost"), game("payingManaCost")
SPLIT, AFTERMATH, ADVENTURE, MODAL, TRANSFORM = map(
    game, ("splitLayout", "aftermathLayout", "adventureLayout", "modalLayout", "transformLayout")
)
PERMANENT_TYPES = frozenset({"Creature", "Artifact", "Enchantment", "Land", "Planeswalker", "Battle"})
"""CR 110.4."""


def iri(value: Value | None) -> Iri | None:
    """The thing that a value is; None where it is none, not known, or a text."""
    return value if isinstance(value, Iri) and value != NONE else None


def members(facts: Mapping[str, Value], name: str) -> tuple[Scalar, ...]:
    """The members of a list; () where it is not stated."""
    value = facts.get(name, ())
    return value if isinstance(value, tuple) else ()


def iris(facts: Mapping[str, Value], name: str) -> tuple[Iri, ...]:
    """The things in a list."""
    value = facts.get(name)
    return tuple([v for v in value if isinstance(v, Iri)]) if isinstance(value, tuple) else ()


def texts(facts: Mapping[str, Value], name: str) -> tuple[str, ...]:
    """The members of a list as texts."""
    return tuple([str(v) for v in members(facts, name)])


def number(facts: Mapping[str, Value], name: str, otherwise: int) -> int:
    value = facts.get(name)
    return value if isinstance(value, int) else otherwise


def integer(value: Value | None) -> int | None:
    return value if isinstance(value, int) else None


def key(values: Iterable[object]) -> str | None:
    """One spelling for a set of plain values, so that two sets can be compared as one value."""
    found = set()
    for value in values:
        if isinstance(value, Iri) and not value.startswith(GAME):
            return None
        found.add(str(value).removeprefix(GAME))
    return " | ".join(sorted(found))


def sequence_key(values: Iterable[object]) -> str:
    """One spelling for plain values whose order and number matter."""
    return " | ".join(map(str, values))
