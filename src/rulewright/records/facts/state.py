"""What is known of a game at one point of its record: the state that all derived facts are taken from.

Functions of this package read it; only those that `changes` calls write to it as events happen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from rulewright.records.characteristics import AS_CARD, AS_SPELL, Characteristics, View, characteristics
from rulewright.records.facts.values import game, iris, members
from rulewright.records.graph import Facts, Graph
from rulewright.records.model import Node, Record, Value
from rulewright.records.turns import Turns
from rulewright.records.words import COST, Words
from rulewright.vocabulary import NEWEST, NONE, EventType, Iri, Schema

FORMS = frozenset({"forbids", "permits", "replaces", "increases", "reduces", "minimum"})
"""What an effect can be said to do; one that says none of it may do anything."""


@dataclass
class GameObject:
    """A spell, ability or token (CR 109.1)."""

    iri: Iri
    kind: str
    card: Iri | None = None
    faces: tuple[str, ...] | None = None
    root: Iri | None = None
    """Of a copy: the spell that it and the copies between are copies of."""
    on_stack: bool = True
    face_down: bool | None = False
    """None: not known."""
    copy: bool = False
    """Whether it is a copy, of a spell or, once cast, of a card."""
    uncertain: bool = False
    """Whether it may have left the stack where the record misses something."""


@dataclass(slots=True)
class Moment:
    """One event as the game stands when it begins: what it is about, and the facts known of it so far."""

    event: Node
    facts: Facts
    kind: EventType | None
    subject: Iri | None
    """The spell or ability."""
    card: Iri | None
    faces: tuple[str, ...] | None
    type: str = field(init=False)

    def __post_init__(self) -> None:
        self.type = self.event.kind


@dataclass(slots=True)
class Lasting:
    """A change of control, of colours or of a keyword, as long as it lasts."""

    event: Node
    over: bool | None = False
    """None: it may be over."""


@dataclass
class State:
    record: Record
    names: Words
    schema: Schema
    graph: Graph
    turns: Turns

    # what the record says once and for all
    events: list[Node]
    effects: list[Node]
    order: dict[Iri, int]
    """Event -> its position, from 1."""
    complete: frozenset[str]
    """Event types of which the record has every event, and says of each what it is about."""
    gaps: tuple[int, ...] = ()
    """Where the record says that it misses something."""
    within: dict[Iri, list[Node]] = field(default_factory=dict)
    """Event -> the events that are stated to happen during it."""
    instances: dict[Iri, Iri] = field(default_factory=dict)
    """Instance of a keyword -> the keyword."""
    card_keywords: dict[str, Iri] = field(default_factory=dict)
    """Name as a card of the record has it -> the keyword."""
    sources: frozenset[Value | None] = frozenset()
    """What the triggered abilities of the record come from."""

    # spells, abilities and tokens
    objects: dict[Iri, GameObject] = field(default_factory=dict)
    spell_of: dict[Iri, Iri] = field(default_factory=dict)
    """Card -> the spell that it is, until it has moved."""
    created: dict[Iri, Iri] = field(default_factory=dict)
    ended: dict[Iri, str] = field(default_factory=dict)
    """Object -> the type of the event that ended it."""
    ends: dict[Iri, int] = field(default_factory=dict)
    """Object -> the position of the first event that is recorded to end it."""
    ends_again: set[Iri] = field(default_factory=set)
    """What further events are recorded to end."""
    endings_recorded: bool = False
    """Whether the record has every event that ends an object on the stack."""
    last_resolution: int = 0
    """The position of the last event that resolved something."""
    resolution_of: dict[Iri, Iri] = field(default_factory=dict)
    controller: dict[Iri, Value] = field(default_factory=dict)
    control_unknown: set[Iri] = field(default_factory=set)
    """What another player has gained control of, it is not said who."""
    became: dict[Iri, Iri] = field(default_factory=dict)
    """Permanent -> the spell that became it, or none."""

    card_copies: dict[Iri, Iri] = field(default_factory=dict)
    """Copy of a card -> that card."""

    # cards and permanents
    zone: dict[Iri, Value] = field(default_factory=dict)
    permanents: dict[Iri, View] = field(default_factory=dict)
    """What is on the battlefield -> which of its faces is up, or that it is face down."""
    arrival: dict[Iri, Iri] = field(default_factory=dict)
    """What has changed zones -> the event by which it came to where it is."""
    untraced: set[Iri] = field(default_factory=set)
    """What may have changed zones without its being told."""
    counters: dict[Iri, dict[str, int] | None] = field(default_factory=dict)
    """None: it is not known which counters there are."""
    unsure: set[Iri] = field(default_factory=set)
    """What may have changed where the record misses something, and has not changed zones since."""
    counters_stated: set[Iri] = field(default_factory=set)
    counters_unsure: set[str] = field(default_factory=set)
    """Kinds of counters that something unnamed got or lost: a player, or a card that the record leaves out."""
    colour: dict[Iri, Value | None] = field(default_factory=dict)
    """What has changed colour -> its colours as one value; None: unknown ones."""
    changes: dict[Iri, list[Lasting]] = field(default_factory=dict)
    """Thing -> what has changed it and is not over, in order."""
    control_before: dict[Iri, Value | None] = field(default_factory=dict)
    colour_before: dict[Iri, tuple[Value | None, ...]] = field(default_factory=dict)
    """As `colour`, before the first of these changes; (): nothing had changed it."""
    attached: dict[Iri, tuple[Iri, Iri]] = field(default_factory=dict)
    """Card -> what it is attached to, and the event since which it is."""
    lost_host: dict[Iri, Iri] = field(default_factory=dict)
    """Card -> the event by which what it was attached to left."""
    attachments: int = 0
    namesakes: list[list[Iri]] = field(default_factory=list)
    """Legendary cards that share a name."""
    legends: dict[tuple[Iri, Iri], Iri] = field(default_factory=dict)
    """Two of them under one controller -> the node that says so."""
    parted: dict[Iri, Node] = field(default_factory=dict)
    """Such a node -> the event by which they came apart."""

    # what later events look back to
    casts: list[Node] = field(default_factory=list)
    last_trigger: dict[tuple[Value | None, Value], Iri] = field(default_factory=dict)
    named_effects: dict[Iri, list[Node]] = field(default_factory=dict)
    """Event -> the effects that its permission or replacement names."""
    choosable: dict[Iri, frozenset[Iri]] = field(default_factory=dict)
    """Choice of what to keep -> what there was of that kind, as far as is recorded."""
    positions: Counter[Iri] = field(default_factory=Counter)
    """Resolution -> how many of its effects have been counted."""

    received: dict[Iri, Node | None] = field(default_factory=dict)
    """Event -> the first after it that shows that players have had priority since."""

    # worked out once for each way of looking at a card
    shown: dict[tuple[str, Iri, View, int | None], Facts] = field(default_factory=dict)
    _seen: dict[tuple[Iri | None, View], Characteristics] = field(default_factory=dict)

    def facts(self, node: Iri) -> Facts:
        return self.graph.facts[node]

    def value(self, node: Value | None, name: str) -> Value | None:
        return self.graph.value(node, name)

    def before(self, event: Node) -> Iterator[Node]:
        """The events before one, the latest first."""
        return (self.events[index] for index in range(self.order[event.iri] - 2, -1, -1))

    @property
    def effects_stated(self) -> bool:
        """Whether the record lists all effects: then there are no others."""
        return "effects" in self.record.root.facts

    @cached_property
    def effects_closed(self) -> bool:
        """Whether the record lists all effects and says what each of them does; others may have begun in a gap."""
        told = all(not FORMS.isdisjoint(effect.facts) for effect in self.effects)
        return self.effects_stated and told and not self.gaps

    @cached_property
    def has_every_move(self) -> bool:
        """Whether the record has every move, where no gap says that something is missing."""
        return game("Move") in members(self.record.root.facts, "records")

    @cached_property
    def tells_of_moves(self) -> bool:
        """Whether the record has moves, or every one of them, of which there may be none."""
        return self.has_every_move or any(event.kind == "Move" for event in self.events)

    @cached_property
    def has_beginning(self) -> bool:
        """Whether the record tells of a state to begin with; else it may begin in the middle of anything."""
        return any("zone" in card.facts for card in self.record.children("cards"))

    @property
    def day(self) -> int:
        """The day whose rules apply, as yyyymmdd."""
        date = self.record.root.facts.get("date")
        return date if isinstance(date, int) else NEWEST

    def node(self, thing: Value | None) -> Node | None:
        """What the record states of a thing; of a copy of a card, what it states of that card (CR 707.2)."""
        if not isinstance(thing, Iri):
            return None
        return self.record.nodes.get(thing) or self.record.nodes.get(self.card_copies.get(thing, NONE))

    def parts(self, node: Node | None, name: str) -> list[Node]:
        """What the record states of each thing in a list."""
        return [self.record.nodes[i] for i in iris(node.facts, name)] if node is not None else []

    def meaning(self, kind: str, text: str) -> Iri | None:
        """What an open word means; a kind of cost may be the keyword whose cost it is."""
        found = self.names.resolve(kind, text)
        if found is None and kind == COST:
            return self.names.keyword(text, self.card_keywords)
        return found

    def owner(self, card: Iri | None) -> Value | None:
        node = self.node(card) if card not in self.card_copies else None
        return node.facts.get("owner") if node is not None else None

    def original(self, subject: Iri | None) -> GameObject | None:
        """Of a copy of a recorded spell: that spell."""
        found = self.objects.get(subject) if subject is not None else None
        return self.objects.get(found.root) if found is not None and found.root is not None else None

    def resolved(self, subject: Iri) -> bool | None:
        """Whether a spell or ability resolved (CR 608.1), as far as the record has come."""
        end = self.ended.get(subject)
        if end is not None:
            return end == "Resolve"
        return False if "Resolve" in self.complete else None

    def parts_cast(self, card: Node, faces: tuple[str, ...] | None) -> list[Node]:
        """A card, and those of its faces that are cast."""
        if faces is None:
            return [card]
        return [card, *(f for f in self.parts(card, "faces") if f.facts.get("name") in faces)]

    def printed(
        self, card: Iri | None, faces: tuple[str, ...] | None, combined: bool = False
    ) -> Characteristics:
        """The characteristics that a card states, of faces or as a whole, whatever became of it (CR 109.3)."""
        return self.seen(card, AS_CARD if combined else AS_SPELL if faces is None else View("spell", faces))

    def seen(self, card: Iri | None, view: View) -> Characteristics:
        """The characteristics of a card as it is looked at (CR 109.3, 708, 709, 712, 715)."""
        at = card, view
        if at not in self._seen:
            self._seen[at] = characteristics(self.record, self.node(card), view, self.names, self.day)
        return self._seen[at]
