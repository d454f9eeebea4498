"""Characteristics of cards, spells and permanents: names, colours, types, mana value (CR 109.3, 202, 708 to 715).

A card has its printed characteristics, of one face, of a half or combined; face down it has none of them. Keywords that
define characteristics change them in every zone (CR 604.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from rulewright.records import mana
from rulewright.records.model import Node, Record, Value
from rulewright.records.words import Words
from rulewright.vocabulary import GAME, NEWEST, NONE, Iri, load_schema

_SPLIT = frozenset({Iri(GAME + "splitLayout"), Iri(GAME + "aftermathLayout")})
_NORMAL, _ADVENTURE, _TRANSFORM = (Iri(GAME + name) for name in ("normalLayout", "adventureLayout", "transformLayout"))
_ONE_SELF = frozenset({*_SPLIT, _ADVENTURE})
"""Layouts of cards that are the same on the battlefield as elsewhere off the stack."""
_STATED = frozenset({"manaCost", "types", "supertypes", "subtypes", "colors", "colorIndicator", "keywords"})
_BACK_COUNTS_AS_FRONT = 20160408
"""Since that day, the mana value of a back face comes from its front face; before, it was 0 (CR 202.3b)."""


class View(NamedTuple):
    """How a card is looked at: as a card outside of the stack and the battlefield, as a spell or as a permanent."""

    kind: str
    faces: tuple[str, ...] | None = None
    """The faces cast, or the one that is up; None: not known, or it has no faces."""
    face_down: bool | None = False
    copied: bool = False


AS_CARD, AS_SPELL = View("card"), View("spell")


@dataclass(frozen=True)
class Characteristics:
    """None: not known. `mana_cost` is `game:none` where the card has none (CR 202.1b)."""

    names: tuple[str, ...] | None = None
    mana_cost: Value | None = None
    types: tuple[str, ...] | None = None
    supertypes: tuple[str, ...] | None = None
    subtypes: tuple[str, ...] | None = None
    every_subtype_of: frozenset[Iri] | None = None
    """Card types (words) of which it has every subtype."""
    colors: tuple[Iri, ...] | None = None
    halves: tuple[int, ...] | None = None
    valued_by: Value | None = None
    """The mana cost that its mana value comes from, its own or another (CR 202.3b)."""

    def mana_value(self, x: int | None) -> int | None:
        """CR 202.3: of the mana cost whatever was paid; none has 0 (202.3a); {X} needs `x` (202.3e)."""
        if self.valued_by is None:
            return None
        if self.valued_by == NONE:
            return 0
        cost = str(self.valued_by)
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
            found["ManaValue"], found["ManaValueKey"] = value, f"[{value}]"
        return {name: value for name, value in found.items() if value is not None}


FACE_DOWN = Characteristics(
    names=(), mana_cost=NONE, types=("Creature",), supertypes=(), subtypes=(), every_subtype_of=frozenset(), colors=(),
    valued_by=NONE,
)  # fmt: skip
"""CR 708.2a: a creature without name, subtypes and mana cost, and hence without colour (202.2b)."""


def characteristics(
    record: Record, card: Node | None, view: View, names: Words | None = None, day: int = NEWEST
) -> Characteristics:
    """Of a card as it is looked at. What differs between the faces that it may show is not known."""
    if card is None:
        return Characteristics()
    if view.face_down:
        return FACE_DOWN
    if view.face_down is None:
        return _common([FACE_DOWN, characteristics(record, card, view._replace(face_down=False), names, day)])
    looked = _Card(record, card, names or Words({}), day, view.copied)
    if not looked.faces:
        return looked.without_faces(view)
    if looked.layout is None and view.kind != "spell":
        return _common([looked.as_card(), looked.combined(), looked.whichever()])
    if view.kind == "card" or (view.kind == "permanent" and looked.layout in _ONE_SELF):
        return looked.as_card()
    if view.faces is None:
        return looked.whichever()
    return looked.with_faces(view.faces)


def of_token(made: Node, record: Record, names: Words) -> Characteristics:
    """Of a token: what the effect that created it says (CR 111.3)."""
    return _Card(record, made, names).part(made)


class _Card:
    """A card with its faces."""

    def __init__(
        self, record: Record, card: Node, names: Words, day: int = NEWEST, copied: bool = False
    ) -> None:
        self.record, self.card, self.names, self.day, self.copied = record, card, names, day, copied
        listed = card.facts.get("faces", ())
        self.faces = [record.nodes[Iri(f)] for f in listed] if isinstance(listed, tuple) else []
        self.layout = card.facts.get("layout")

    def part(self, node: Node) -> Characteristics:
        """Of the card, or of one face alone; of a back face, the mana value is the front's (CR 202.3b)."""
        found = self._of(node.facts, [self.card, node])
        if self.layout is None and node in self.faces[1:]:
            return replace(found, valued_by=None)
        if self.layout == _TRANSFORM and node in self.faces[1:]:
            front = self._front().mana_cost if self.day >= _BACK_COUNTS_AS_FRONT else NONE
            return replace(found, valued_by=NONE if self.copied else front)
        return found

    def without_faces(self, view: View) -> Characteristics:
        """Of a card none of whose faces are listed: if it has some, what it states may be of the front only."""
        found = self.part(self.card)
        if self.layout in (None, _NORMAL):
            return found
        return replace(found, names=None, valued_by=None) if view.kind == "card" else Characteristics()

    def as_card(self) -> Characteristics:
        """Off the stack: both halves (CR 709.4), the normal characteristics (715.4), the front face (712.8a)."""
        return self.combined() if self.layout in _SPLIT else self._front()

    def _front(self) -> Characteristics:
        stated = {name: value for name, value in self.card.facts.items() if name in _STATED}
        return self._of({**stated, **self.faces[0].facts}, [self.card, self.faces[0]])

    def with_faces(self, faces: tuple[str, ...]) -> Characteristics:
        """The faces of these names; the first, where the card as a whole is named."""
        chosen = [face for face in self.faces if face.facts.get("name") in faces]
        if not chosen and self.card.facts.get("name") in faces:
            chosen = self.faces[:1]
        if chosen == self.faces[:1] and self.layout not in _SPLIT:
            return self._front()
        return self.combined(chosen) if len(chosen) > 1 else self.part(chosen[0]) if chosen else Characteristics()

    def whichever(self) -> Characteristics:
        """What all of its faces have in common."""
        first = self.part(self.faces[0]) if self.layout in _SPLIT else self._front()
        return _common([first, *map(self.part, self.faces[1:])])

    def combined(self, halves: Iterable[Node] | None = None) -> Characteristics:
        return _combine([self.part(half) for half in (self.faces if halves is None else halves)])

    def _of(self, facts: Mapping[str, Value], parts: list[Node]) -> Characteristics:
        cost = facts.get("manaCost")
        name = facts.get("name") if self.faces else self.card.facts.get("name")
        colourless, every = self._defined(parts)
        return Characteristics(
            names=(str(name),) if name is not None else None,
            mana_cost=cost,
            types=_texts(facts, "types"),
            supertypes=_texts(facts, "supertypes"),
            subtypes=_texts(facts, "subtypes"),
            every_subtype_of=every,
            colors=_colours(facts, colourless),
            valued_by=cost,
        )


    def _defined(self, parts: list[Node]) -> tuple[bool | None, frozenset[Iri] | None]:
        """Whether keywords make it colourless, and of which card types they give it every subtype (CR 604.3).

        None: not known, as its keywords are not all listed and known, and the rules of the day have one that does so.
        """
        instances = [i for part in parts if isinstance(listed := part.facts.get("keywords"), tuple) for i in listed]
        keywords = {self.names.iri(str(self.record.nodes[Iri(i)].facts.get("keyword"))) for i in instances}
        listed = any("keywords" in part.facts for part in (self.card, *self.faces))
        known = listed and self.names.define(keywords)
        traits = [self.names.traits(keyword) for keyword in keywords]
        every = frozenset(Iri(str(t["everySubtypeOf"])) for t in traits if "everySubtypeOf" in t)
        colourless = any("colourless" in t for t in traits)
        return (
            colourless if colourless or known or self.day < self.names.since("colourless") else None,
            every if every or known or self.day < self.names.since("everySubtypeOf") else None,
        )


def _texts(facts: Mapping[str, Value], name: str) -> tuple[str, ...] | None:
    stated = facts.get(name)
    return tuple(map(str, stated)) if isinstance(stated, tuple) else None


def _colours(facts: Mapping[str, Value], colourless: bool | None) -> tuple[Iri, ...] | None:
    """Colours as they are stated, else none by a keyword, else those of mana cost and colour indicator (CR 105.2)."""
    if isinstance(stated := facts.get("colors"), tuple):
        return tuple(Iri(c) for c in stated)
    if colourless is not False:
        return () if colourless else None
    cost, indicated = facts.get("manaCost"), facts.get("colorIndicator")
    if cost is None or (cost == NONE and indicated is None and not _is_land(facts)):
        return None
    words = load_schema().words["Colour"]
    symbols = set() if cost == NONE else mana.colours(str(cost))
    from_indicator = {Iri(c) for c in indicated} if isinstance(indicated, tuple) else set()
    return tuple(sorted({words[c] for c in symbols} | from_indicator))


def _is_land(facts: Mapping[str, Value]) -> bool:
    """A card without mana cost may have a colour indicator that is not recorded (CR 202.2e); a land has none."""
    types = facts.get("types", ())
    return isinstance(types, tuple) and "Land" in types


def _common(ways: list[Characteristics]) -> Characteristics:
    """What holds in whichever of these ways an object is seen."""
    first, *others = map(vars, ways)
    same = (value if all(other[name] == value for other in others) else None for name, value in first.items())
    return Characteristics(*same)


def _combine(halves: list[Characteristics]) -> Characteristics:
    """CR 709.4: names of both, costs together, every colour and type of either half."""

    def union(values: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
        known = [v for v in values if v is not None]
        return tuple(sorted({x for v in known for x in v})) if len(known) == len(values) else None

    costs = [h.mana_cost for h in halves]
    colors = union([h.colors for h in halves])
    values = [h.mana_value(0) for h in halves]
    known_costs = [c for c in costs if c is not None]
    cost = "".join(str(c) for c in known_costs if c != NONE) if len(known_costs) == len(costs) else None
    every = [h.every_subtype_of for h in halves if h.every_subtype_of is not None]
    return Characteristics(
        names=union([h.names for h in halves]),
        mana_cost=cost,
        types=union([h.types for h in halves]),
        supertypes=union([h.supertypes for h in halves]),
        subtypes=union([h.subtypes for h in halves]),
        every_subtype_of=frozenset().union(*every) if len(every) == len(halves) else None,
        colors=tuple(Iri(c) for c in colors) if colors is not None else None,
        halves=tuple(v for v in values if v is not None) if None not in values else None,
        valued_by=cost,
    )
