"""Values of facts by their type and in one spelling, and the individuals of the ontology that the rules speak of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache

from rulewright.records.model import Value
from rulewright.vocabulary import GAME, NONE, Iri, Scalar


def game(name: str) -> Iri:
    """A term of the game ontology by its local name."""
    return Iri(GAME + name)


STACK, BATTLEFIELD, GRAVEYARD, EXILE, HAND, LIBRARY, COMMAND = map(
    game, ("stack", "battlefield", "graveyard", "exile", "hand", "library", "command")
)
DISCARDING, REMOVING_COUNTERS = map(game, ("discarding", "removingCounters"))
CHANGING_COLOURS, CHOOSING_TARGETS = map(game, ("changingColours", "choosingTargets"))
ACTIVATED_ABILITY, UNTIL_END_OF_TURN = game("activatedAbility"), game("untilEndOfTurn")
FREE, MANA_COST = game("withoutPayingManaCost"), game("payingManaCost")
NORMAL, SPLIT, AFTERMATH, ADVENTURE, MODAL, TRANSFORM = map(
    game, ("normalLayout", "splitLayout", "aftermathLayout", "adventureLayout", "modalLayout", "transformLayout")
)
PERMANENT_TYPES = frozenset({"Creature", "Artifact", "Enchantment", "Land", "Planeswalker", "Battle"})
"""CR 110.4."""


def same(known: Value | None, wanted: Value | None) -> bool | None:
    """Whether two values are the same, if both are known."""
    return None if known is None or wanted is None else known == wanted


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


def as_one(values: Iterable[Scalar], compared: str) -> str:
    """A list as one value, a JSON array: the same for lists that are the same as a `set`, `bag` or `sequence`."""
    found: Iterable[str] = map(_member, values)
    if compared == "set":
        found = set(found)
    return f"[{', '.join(found if compared == 'sequence' else sorted(found))}]"


def from_one(array: str) -> tuple[Scalar, ...]:
    """The list that a value of `as_one` is."""
    return tuple([Iri(member["@id"]) if isinstance(member, dict) else member for member in json.loads(array)])


def numbers_as_one(numbers: Mapping[str, int]) -> str:
    """How many there are of which kind, as one value, a JSON object: what there is none of does not count."""
    return json.dumps({kind: n for kind, n in sorted(numbers.items()) if n}, ensure_ascii=False)


@lru_cache(maxsize=2**14, typed=True)
def _member(value: Scalar) -> str:
    return json.dumps({"@id": value} if isinstance(value, Iri) else value, ensure_ascii=False)
