"""Characteristics of cards and spells: names, colours, types, mana value; by half, or combined (CR 202, 709, 715)."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.records import mana
from rulewright.records.model import Node, Record, Value
from rulewright.vocabulary import GAME, NONE, Iri, load_schema

_COMBINED = frozenset({Iri(GAME + "splitLayout"), Iri(GAME + "aftermathLayout")})


@dataclass(frozen=True)
class Characteristics:
    """None: not known. `mana_cost` is `game:none` where the card has none (CR 202.1b)."""

    names: tuple[str, ...] | None = None
    mana_cost: Value | None = None
    types: tuple[str, ...] | None = None
    supertypes: tuple[str, ...] | None = None
    subtypes: tuple[str, ...] | None = None
    colors: tuple[Iri, ...] | None = None
    halves: tuple[int, ...] | None = None

    def mana_value(self, x: int | None) -> int | None:
        """CR 202.3: of the mana cost whatever was paid; none has 0 (202.3a); {X} needs `x` (202.3e)."""
        if self.mana_cost is None:
            return None
        if self.mana_cost == NONE:
            return 0
        cost = str(self.mana_cost)
        if x is None and "{X}" in cost.upper():
            return None
        return mana.mana_value(cost, x or 0)

    def facts(self, x: int | None) -> dict[str, Value]:
        found: dict[str, Value | None] = {
            "Names": self.names,
            "Types": self.types,
            "Colors": self.colors,
            "ManaCost": self.mana_cost,
        }
        value = self.mana_value(x)
        if value is not None:
            found["ManaValue"] = value
        return {name: value for name, value in found.items() if value is not None}


def characteristics(
    record: Record, card: Node | None, faces: tuple[str, ...] | None, combined: bool = False
) -> Characteristics:
    """Of a card, or of the spell that it is when cast as `faces` (two names: fused, CR 709.4d).

    `combined`: as the card is off the stack. A card of several faces cast as an unknown one: nothing is known.
    """
    if card is None:
        return Characteristics()
    listed = card.facts.get("faces", ())
    all_faces = [record.nodes[Iri(f)] for f in listed] if isinstance(listed, tuple) else []
    if not all_faces:
        return _single(card, card)
    if faces is not None:
        chosen = [f for f in all_faces if f.facts.get("name") in faces]
        if not chosen and card.facts.get("name") in faces:
            chosen = all_faces[:1]
        if not chosen:
            return Characteristics()
        return _single(chosen[0], card) if len(chosen) == 1 else _combine([_single(f, card) for f in chosen])
    if card.facts.get("layout") in _COMBINED:
        return _combine([_single(f, card) for f in all_faces]) if combined else Characteristics()
    if combined or any(name in card.facts for name in ("manaCost", "types")):
        return _single(card if "manaCost" in card.facts else all_faces[0], card)
    return Characteristics()


def _single(node: Node, card: Node) -> Characteristics:
    cost = node.facts.get("manaCost")
    name = node.facts.get("name", card.facts.get("name"))
    indicated = node.facts.get("colorIndicator")
    colors: tuple[Iri, ...] | None = None
    if isinstance(stated := node.facts.get("colors"), tuple):
        colors = tuple(Iri(c) for c in stated)
    elif cost is not None and (cost != NONE or indicated is not None or _is_land(node)):
        words = load_schema().words["Colour"]
        symbols = set() if cost == NONE else mana.colours(str(cost))
        from_indicator = {Iri(c) for c in indicated} if isinstance(indicated, tuple) else set()
        colors = tuple(sorted({words[c] for c in symbols} | from_indicator))
    return Characteristics(
        names=(str(name),) if name is not None else None,
        mana_cost=cost,
        types=_texts(node, "types"),
        supertypes=_texts(node, "supertypes"),
        subtypes=_texts(node, "subtypes"),
        colors=colors,
    )


def _texts(node: Node, name: str) -> tuple[str, ...] | None:
    stated = node.facts.get(name)
    return tuple(map(str, stated)) if isinstance(stated, tuple) else None


def of_token(made: Node) -> Characteristics:
    """Of a token: what the effect that created it says (CR 111.3)."""
    return _single(made, made)


def _is_land(node: Node) -> bool:
    """A card without mana cost may have a colour indicator that is not recorded (CR 202.2e); a land has none."""
    types = node.facts.get("types", ())
    return isinstance(types, tuple) and "Land" in types


def _combine(halves: list[Characteristics]) -> Characteristics:
    """CR 709.4: names of both, costs together, every colour and type of either half."""

    def union(values: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
        known = [v for v in values if v is not None]
        return tuple(sorted({x for v in known for x in v})) if len(known) == len(values) else None

    costs = [h.mana_cost for h in halves]
    colors = union([h.colors for h in halves])
    values = [h.mana_value(0) for h in halves]
    known_costs = [c for c in costs if c is not None]
    return Characteristics(
        names=union([h.names for h in halves]),
        mana_cost="".join(str(c) for c in known_costs if c != NONE) if len(known_costs) == len(costs) else None,
        types=union([h.types for h in halves]),
        supertypes=union([h.supertypes for h in halves]),
        subtypes=union([h.subtypes for h in halves]),
        colors=tuple(Iri(c) for c in colors) if colors is not None else None,
        halves=tuple(v for v in values if v is not None) if None not in values else None,
    )
