"""The canonical game graph of a record: what it states, and what follows from that by the rules of the game.

Every derived fact is declared in `ontology/game.ttl` as `game:DerivedProperty` with its rule. What is unknown has no
fact; `game:none` is a known nothing. No keyword is named here: what event types imply stands in the ontology.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from rulewright.records import mana
from rulewright.records.characteristics import Characteristics, characteristics
from rulewright.records.model import Node, Record, Value
from rulewright.records.turns import Beginning, Turns
from rulewright.vocabulary import GAME, KEYWORD, NONE, EventType, Iri, Schema, load_schema, slug

Facts = dict[str, Value]
NEWEST = 99991231
"""The day of a record without a date: the rules of the newest edition apply."""
_SURELY_OUTSIDE = frozenset({"Resolve", "NotResolved", "Step", "Trigger", "Activate", "Suspend"})
_PERMANENT_TYPES = frozenset({"Creature", "Artifact", "Enchantment", "Land", "Planeswalker", "Battle"})


def _game(name: str) -> Iri:
    return Iri(GAME + name)


_DECISIONS = {
    "x": "chosenX", "modesKey": "chosenModesKey", "divisionKey": "chosenDivisionKey",
    "paymentKindsKey": "chosenPaymentsKey", "chosenOpponent": "chosenOpponent",
}  # fmt: skip
"""What an event states of the choices for a spell -> how the spell keeps it (CR 601.2b-d)."""
_ONE_FACE_SHOWN = frozenset({_game("adventureLayout"), _game("modalLayout"), _game("transformLayout")})
"""Off the stack, such a card has only the characteristics of its first face (CR 715.4, 712.8a)."""
_PLAIN = frozenset({"String", "Integer", "Colour", "EventType", "Any", "Mana"})
_PRIORITY = frozenset({"Cast", "Activate", "Play", "Suspend", "Resolve", "Step"})
STACK, BATTLEFIELD, GRAVEYARD, EXILE = map(_game, ("stack", "battlefield", "graveyard", "exile"))
FREE, MANA_COST = _game("withoutPayingManaCost"), _game("payingManaCost")


@dataclass
class Graph:
    """The canonical graph as data: node -> property (local name) -> value; a tuple for the members of a list."""

    record: Record
    facts: dict[Iri, Facts] = field(default_factory=dict)
    kinds: dict[Iri, str] = field(default_factory=dict)

    def value(self, node: Value | None, name: str) -> Value | None:
        """What is known of a node; of `game:none` nothing holds, which is known."""
        if node == NONE:
            return NONE
        return self.facts.get(node, {}).get(name) if isinstance(node, Iri) else None

    def of_kind(self, kind: str) -> list[Iri]:
        return [iri for iri, k in self.kinds.items() if k == kind]


@dataclass
class _Object:
    """A spell, ability or token, while the record is read."""

    iri: Iri
    kind: str
    card: Iri | None = None
    faces: tuple[str, ...] | None = None
    root: Iri | None = None
    on_stack: bool = True


class KeywordNames:
    """Which words name a keyword: names and labels of the known ones, and whatever the record's cards have."""

    def __init__(self, known: Mapping[str, Iri]) -> None:
        self._known = {name.casefold(): iri for name, iri in known.items()}

    def iri(self, name: str) -> Iri:
        return self._known.get(name.casefold()) or Iri(KEYWORD + slug(name))

    def in_label(self, label: str, also: Mapping[str, Iri]) -> Iri:
        """The keyword that a label (`rebound`, `suspend: cast`) names, or `game:none`."""
        name = label.split(":", 1)[0].strip().casefold()
        return self._known.get(name) or also.get(name) or NONE


def canonical(record: Record, keywords: KeywordNames, steps: Iterable[Iri] = ()) -> Graph:
    """The canonical graph of a record.

    `steps`: for which steps the state of each card with keywords is wanted as a node of its own
    (`game:Standing`), so that abilities that trigger at the beginning of a step can be checked.
    """
    return _Normaliser(record, keywords).run(tuple(steps))


class _Normaliser:
    def __init__(self, record: Record, keywords: KeywordNames) -> None:
        self.schema: Schema = load_schema()
        self.record = record
        self.names = keywords
        self.graph = Graph(record)
        self.events = record.children("events")
        self.complete = {str(t).removeprefix(GAME) for t in self._tuple(record.root, "records")}
        self.effects_stated = "effects" in record.root.facts
        self.objects: dict[Iri, _Object] = {}
        self.zone: dict[Iri, Value] = {}
        self.arrival: dict[Iri, Iri] = {}
        self.counters: dict[Iri, dict[str, int] | None] = {}
        self.spell_of: dict[Iri, Iri] = {}
        self.gained: dict[Iri, list[tuple[bool, Node]]] = {}
        self.ended: dict[Iri, str] = {}
        self.controller: dict[Iri, Value] = {}
        self.became: dict[Iri, Iri] = {}
        self.counters_stated: set[Iri] = set()
        self.attached: dict[Iri, tuple[Iri, Iri]] = {}
        self.attachments: list[Iri] = []
        self.lost_host: dict[Iri, Iri] = {}
        self.colour: dict[Iri, Value | None] = {}
        self.created: dict[Iri, Iri] = {}
        self.resolution_of: dict[Iri, Iri] = {}
        self.last_trigger: dict[tuple[Value | None, Value], Iri] = {}
        self.order = {e.iri: i for i, e in enumerate(self.events, 1)}
        self.casts: list[Node] = []
        self.instances: dict[Iri, Iri] = {}
        self.card_keywords: dict[str, Iri] = {}
        self.named_effects: dict[Iri, list[Iri]] = {}
        self.printed: dict[tuple[Iri | None, tuple[str, ...] | None, bool], Characteristics] = {}

    @staticmethod
    def _tuple(node: Node, name: str) -> tuple[Iri, ...]:
        value = node.facts.get(name, ())
        return value if isinstance(value, tuple) else ()  # type: ignore[return-value]

    def facts(self, iri: Iri) -> Facts:
        return self.graph.facts[iri]

    def run(self, steps: tuple[Iri, ...]) -> Graph:
        self._state_stated()
        self.turns = Turns(self.events, [p.iri for p in sorted(self.record.children("players"), key=_seat)],
                           self.schema, self.facts)
        self._windows()
        self._turn_nodes()
        beginnings: dict[Iri, list[Beginning]] = {}
        for beginning in (b for step in steps for b in self.turns.beginnings(step)):
            beginnings.setdefault(beginning.event, []).append(beginning)
        for event, following in zip_longest(self.events, self.events[1:]):
            for beginning in beginnings.get(event.iri, ()):
                self._standing(beginning, event)
            self._before(event)
            self._after(event)
            if event.kind == "Observe" and following is not None:
                self.facts(event.iri)["next"] = following.iri
        self._finish_objects()
        self._resolutions()
        self._kept()
        return self.graph

    # --- what the record states

    def _state_stated(self) -> None:
        root = self.record.id
        for node in self.record.nodes.values():
            facts: Facts = {"inRecord": root} if node.iri != root else {}
            for name, value in node.facts.items():
                facts[name] = value
                if isinstance(value, tuple):
                    facts[f"{name}Count"] = len(value)
                    prop = self.schema.properties.get(name)
                    key = _key(value) if prop is not None and prop.kind in _PLAIN else None
                    if key is not None:
                        facts[f"{name}Key"] = key
            self.graph.facts[node.iri] = facts
            self.graph.kinds[node.iri] = node.kind
            if node.kind in self.schema.event_types:
                facts["eventType"] = _game(node.kind)
            if node.kind == "KeywordInstance":
                name = str(node.facts.get("keyword", ""))
                self.instances[node.iri] = self.names.iri(name)
                facts["keywordNamed"] = self.instances[node.iri]
                cost = node.facts.get("keywordCost")
                if cost is not None:
                    facts["keywordCostText"] = NONE if cost == NONE else mana.text(str(cost))
                    facts["hasX"] = "{X}" in str(cost).upper()
                self.card_keywords[name.casefold()] = self.instances[node.iri]
        top = self.facts(root)
        top["effectsStated"] = self.effects_stated
        if self.effects_stated:
            top["effectsComplete"] = True
        top["recordsCount"] = len(self.complete)
        top["rulesDate"] = root_date if isinstance(root_date := self.record.root.facts.get("date"), int) else NEWEST
        for position, event in enumerate(self.events, 1):
            self.facts(event.iri)["order"] = position
        for card in self.record.children("cards"):
            if "zone" in card.facts:
                self.zone[card.iri] = card.facts["zone"]
                self.facts(card.iri)["initialZone"] = card.facts["zone"]
            self.counters[card.iri] = None
            if "counters" in card.facts:
                self.counters_stated.add(card.iri)
                self.counters[card.iri] = {
                    str(c.facts["counter"]): int(str(c.facts.get("n", 1)))
                    for c in (self.record.nodes[i] for i in self._tuple(card, "counters")) if "counter" in c.facts
                }

    # --- inside and outside of resolutions (CR 608.2)

    def _windows(self) -> None:
        events = self.events
        resolve: dict[Iri, int] = {e.iri: i for i, e in enumerate(events) if e.kind == "Resolve"}
        last = dict.fromkeys(resolve, -1)
        ends_with_move: set[Iri] = set()
        spell_card = {e.facts["object"]: e.facts.get("card") for e in events if e.kind == "Cast" and "object" in e.facts}

        def enclosing(event: Node) -> Iri | None:
            link = event.facts.get("during")
            if link is None and event.kind != "Trigger":
                link = event.facts.get("cause")
            while isinstance(link, Iri) and link not in resolve:
                link = self.record.nodes[link].facts.get("during") if link in self.record.nodes else None
            return link if isinstance(link, Iri) else None

        for i, event in enumerate(events):
            inside = enclosing(event)
            if inside is not None and resolve[inside] < i and inside not in ends_with_move:
                if self.turns.same_step(event.iri, inside):
                    last[inside] = i
                card = spell_card.get(events[resolve[inside]].facts.get("object", NONE))
                if event.kind == "Move" and event.facts.get("card") == card and event.facts.get("from") == STACK:
                    ends_with_move.add(inside)
        current: int | None = None
        outside = True
        for i, event in enumerate(events):
            facts = self.facts(event.iri)
            if "during" not in facts:
                if current is not None and i <= last[events[current].iri]:
                    facts["during"] = events[current].iri
                else:
                    if current is not None and not outside:
                        outside = (
                            event.kind in _SURELY_OUTSIDE
                            or events[current].iri in ends_with_move
                            or not self.turns.same_step(event.iri, events[current].iri)
                        )
                    if outside:
                        facts["during"] = NONE
            if event.kind == "Resolve":
                current, outside = i, False

    # --- one event: facts at it, then what it changes

    def _before(self, event: Node) -> None:
        facts = self.facts(event.iri)
        kind = self.schema.event_types.get(event.kind)
        subject, card, faces = self._subject(event)
        thing_stated = event.facts.get("source", event.facts.get("card", event.facts.get("object")))
        if "stackEmpty" not in facts:
            empty = self._stack_empty(event)
            if empty is not None:
                facts["stackEmpty"] = empty
        token = _iri(event.facts.get("newObject")) or _iri(thing_stated)
        if token in self.objects and self.objects[token].kind == "Token" or "newObject" in event.facts:
            facts["subjectCard"] = token or NONE
        elif card is not None:
            facts["subjectCard"] = card
            if card in self.arrival:
                facts["arrivedBy"] = self.arrival[card]
        elif subject is not None:
            facts["subjectCard"] = NONE
        thing = event.facts.get("card", event.facts.get("object", event.facts.get("source")))
        if isinstance(thing, Iri) and (zone := self._zone_of(thing)) is not None:
            facts["zoneBefore"] = zone
        if subject is not None:
            facts["spell"] = subject
            if subject in self.controller:
                facts["spellController"] = self.controller[subject]
        named = self._labels(event, facts)
        if event.kind in ("Cast", "Copy"):
            self._payments(event, facts)
            self._targets(event, facts, subject, card, faces)
        if event.kind == "Copy" and subject is not None:
            origin = self.graph.value(subject, "createdBy")
            if isinstance(origin, Iri):
                facts["originalEvent"] = origin
        if event.kind == "Cast":
            self._cast(event, facts, card, faces)
        self._keywords(event, facts, subject, card, faces, named)
        if event.kind == "Cast":
            self._cost(event, facts, card, faces)
            self._required(event, facts, card, faces)
        if event.kind == "Observe":
            self._priority(event, facts)
        if isinstance(event.facts.get("paid"), str) and event.facts["paid"] != NONE:
            facts["paidText"] = mana.text(str(event.facts["paid"]))
        self._state_of_card(event, facts, card, thing)
        if event.kind == "Move" and card is not None and card in self.lost_host:
            facts["hostLeft"] = facts.get("cause") == self.lost_host[card]
        if event.kind == "Resolve" and subject is not None:
            self._targets_gone(event, facts, subject)
        original = self.objects[subject].root if subject in self.objects else None
        shown = self.objects[original].card if original in self.objects else card
        if shown is not None and event.kind in ("Cast", "Suspend", "Move", "Observe", "Play", "Copy"):
            self._characteristics(event, facts, subject, shown, faces)
        if kind is not None and event.kind in ("Cast", "Suspend", "Play", "Move"):
            self._effects(event, facts, card, faces)

    def _state_of_card(self, event: Node, facts: Facts, card: Iri | None, thing: Value | None) -> None:
        """Counters on the card at this point (CR 122), and what the record says of whether a cast was possible."""
        at = card if card is not None else thing
        counters = self.counters.get(at) if isinstance(at, Iri) else None
        if counters is not None and event.kind in ("Observe", "RemoveCounters", "AddCounters"):
            names = tuple(sorted(name for name, n in counters.items() if n > 0))
            facts["countersOn"], facts["countersOnCount"] = names, len(names)
            if at in self.counters_stated or "AddCounters" in self.complete:
                facts["countersOnKey"] = " | ".join(f"{name}: {counters[name]}" for name in names)
        if event.kind == "Observe" and "counters" in event.facts:
            stated = {str(self.record.nodes[c].facts["counter"]): self.record.nodes[c].facts.get("n", 1)
                      for c in self._tuple(event, "counters") if "counter" in self.record.nodes[c].facts}
            facts["countersKey"] = " | ".join(f"{name}: {stated[name]}" for name in sorted(stated) if stated[name])
        if event.kind == "Declined" and "able" not in facts:
            offered = self.graph.value(event.facts.get("object"), "source")
            for earlier in reversed(self.events[: self.order[event.iri] - 1]):
                if earlier.kind == "Resolve":
                    break
                if earlier.kind == "Observe" and "canCast" in earlier.facts and earlier.facts.get("card") == offered:
                    facts["able"] = earlier.facts["canCast"]
                    break

    def _subject(self, event: Node) -> tuple[Iri | None, Iri | None, tuple[str, ...] | None]:
        """The spell or ability that an event is about, its card, and the faces that it has as a spell."""
        if event.kind == "Cast":
            face = self._tuple(event, "face")
            return _iri(event.facts.get("object")), _iri(event.facts.get("card")), face or None
        about = ("card", "source", "of") if self._makes_object(event) else ("object", "card", "source", "of")
        thing = _iri(next((event.facts[name] for name in about if name in event.facts), None))
        if thing is None:
            return None, None, None
        if thing in self.objects:
            found = self.objects[thing]
            return thing, found.card, found.faces
        spell = self.spell_of.get(thing)
        if spell is not None and self.zone.get(thing) == STACK:
            return spell, thing, self.objects[spell].faces
        return None, thing, None

    def _makes_object(self, event: Node) -> bool:
        kind = self.schema.event_types.get(event.kind)
        return kind is not None and kind.creates is not None

    def _zone_of(self, thing: Iri) -> Value | None:
        if thing in self.objects and self.objects[thing].kind != "Token":
            found = self.objects[thing]
            if found.on_stack:
                return STACK
            return self.zone.get(found.card) if found.card else NONE
        return self.zone.get(thing)

    def _stack_empty(self, event: Node) -> bool | None:
        if event.kind not in ("Cast", "Suspend", "Play", "Observe", "Activate"):
            return None
        there = {self._still_there(o, event) for o in self.objects.values()}
        if True in there or None in there:
            return False if True in there else None
        known = {"Cast", "Copy", "Activate", "Trigger"} <= self.complete
        return True if known and self.turns.step_began(event.iri) else None

    def _still_there(self, found: _Object, event: Node) -> bool | None:
        """Whether an object is on the stack, though its leaving need not be recorded (CR 500.2, 608.2n)."""
        if found.kind == "Token" or not found.on_stack:
            return False
        if not self.turns.same_step(self.created[found.iri], event.iri):
            return False
        resolution = self.resolution_of.get(found.iri)
        if resolution is None:
            return True
        inside = self.facts(event.iri).get("during")
        return None if inside is None else inside == resolution

    def _labels(self, event: Node, facts: Facts) -> set[Iri]:
        """Keywords that the event names in its labels (CR 702.1)."""
        named: set[Iri] = set()
        for name in ("permission", "replacement", "ability"):
            label = event.facts.get(name)
            if label is None:
                if event.kind in ("Cast", "Move"):
                    facts[f"{name}Keyword"], facts[f"{name}Named"], facts[f"{name}Effect"] = NONE, False, NONE
                continue
            keyword = self.names.in_label(str(label), self.card_keywords)
            facts[f"{name}Keyword"], facts[f"{name}Named"] = keyword, True
            named.add(keyword)
            effects = self._effects_named(str(label))
            facts[f"{name}Effect"] = effects[0] if effects else NONE
            if effects and name == "permission":
                self.named_effects[event.iri] = effects
        kind = self.schema.event_types.get(event.kind)
        if kind is not None and kind.names_keyword:
            named.add(self.names.iri(kind.names_keyword))
        because = self.record.nodes.get(Iri(str(facts.get("cause", ""))))
        causing = self.schema.event_types.get(because.kind) if because is not None else None
        if causing is not None and causing.names_keyword:
            named.add(self.names.iri(causing.names_keyword))
        for link in (event.facts.get("object"), self._object_of(facts.get("during")), self._object_of(facts.get("cause"))):
            ability = self.graph.value(link, "abilityKeyword")
            if isinstance(ability, Iri):
                named.add(ability)
        cast = self.graph.value(facts.get("spell"), "castEvent")
        alternative = self.graph.value(cast, "alternativeKeyword") if event.kind != "Cast" else None
        if isinstance(alternative, Iri):
            named.add(alternative)
        layout = self.graph.value(facts.get("subjectCard"), "layout")
        if layout in self.schema.word_of:
            named.add(self.names.in_label(self.schema.word_of[str(layout)], self.card_keywords))
        if event.kind == "Trigger" and "ability" in event.facts:
            facts["abilityLabel"] = " ".join(str(event.facts["ability"]).casefold().split())
            same = (event.facts.get("source"), facts["abilityLabel"])
            facts["previousSame"] = self.last_trigger.get(same, NONE)
            self.last_trigger[same] = event.iri
        return named - {NONE}

    def _object_of(self, event: Value | None) -> Value | None:
        return self.graph.value(event, "object") if event is not None else None

    def _effects_named(self, label: str) -> list[Iri]:
        found = []
        for effect in self.record.children("effects"):
            source = effect.facts.get("source")
            names = {str(effect.iri), "#" + effect.iri.rpartition("#")[2]}
            if isinstance(source, Iri):
                names |= {str(source), "#" + source.rpartition("#")[2],
                          str(self.record.nodes[source].facts.get("name", "")) if source in self.record.nodes else ""}
            if label in names:
                found.append(effect.iri)
        return found

    def _cast(self, event: Node, facts: Facts, card: Iri | None, faces: tuple[str, ...] | None) -> None:
        if "fromPlayer" not in facts:
            owner = self.record.nodes[card].facts.get("owner") if card in self.record.nodes else None
            hidden = facts.get("from") in (_game("hand"), _game("library"), GRAVEYARD)
            if hidden and owner is not None:
                facts["fromPlayer"] = owner
            elif "player" in facts:
                facts["fromPlayer"] = facts["player"]
        bases = self._tuple(event, "cost")
        if "cost" in event.facts:
            facts["free"] = FREE in bases
            facts["alternativeBases"] = sum(1 for b in bases if b != MANA_COST)
            labels = [self.record.nodes[b].facts.get("alternative") for b in bases if b in self.record.nodes]
            keywords = [self.names.in_label(str(x), self.card_keywords) for x in labels]
            facts["alternativeKeyword"] = keywords[0] if len(keywords) == 1 else NONE
            if len(keywords) > 1:
                del facts["alternativeKeyword"]

    def _targets(
        self, event: Node, facts: Facts, subject: Iri | None, card: Iri | None, faces: tuple[str, ...] | None
    ) -> None:
        """Each target with the requirement that it is for (CR 115.1a), and how an effect is divided among them."""
        targets = self._tuple(event, "targets")
        shares = {self.record.nodes[i].facts.get("target"): self.record.nodes[i].facts.get("amount")
                  for i in self._tuple(event, "division")}
        if shares and all(t in shares for t in targets):
            facts["divisionKey"] = " | ".join(str(shares[t]) for t in targets)
        root = self.objects[subject].root or subject if subject in self.objects else None
        at = self.objects[root].card if root in self.objects else card
        node = self.record.nodes.get(at) if at is not None else None
        if "targets" not in event.facts or node is None:
            return
        chosen = [self.record.nodes[f] for f in self._tuple(node, "faces")
                  if faces is not None and self.record.nodes[f].facts.get("name") in faces]
        wanted = [self.record.nodes[t] for part in (node, *chosen) for t in self._tuple(part, "targetRequirements")]
        kinds = [str(t.facts.get("kind")) for t in wanted for _ in range(min(int(str(t.facts.get("n", 1))), len(targets)))]
        origin = _iri(self.graph.value(subject, "createdBy"))
        before = self._tuple(self.record.nodes[origin], "targets") if origin in self.record.nodes else ()
        entries: list[Iri] = []
        for position, target in enumerate(targets):
            entry = Iri(f"{event.iri}/target/{position + 1}")
            entry_facts: Facts = {"inRecord": self.record.id, "target": target,
                                  "kept": position < len(before) and before[position] == target}
            if position < len(kinds):
                fits = self._fits(target, kinds[position])
                if fits is not None:
                    entry_facts["fits"] = fits
            else:
                entry_facts["unasked"] = bool(kinds) or "targetRequirements" in node.facts
            self.graph.facts[entry], self.graph.kinds[entry] = entry_facts, "TargetEntry"
            entries.append(entry)
        facts["targetEntries"], facts["targetEntriesCount"] = tuple(entries), len(entries)

    def _targets_gone(self, event: Node, facts: Facts, subject: Iri) -> None:
        """Whether every target has changed zones since it was chosen, and so is illegal (CR 608.2b, 400.7)."""
        origin = self.created.get(subject)
        node = self.record.nodes.get(origin) if origin is not None else None
        targets = self._tuple(node, "targets") if node is not None else ()
        if not targets or origin is None:
            return
        since = self.order[origin]
        gone = []
        for target in targets:
            moved = self.order.get(self.arrival.get(target, origin), since) > since
            found = self.objects.get(target)
            left = found is not None and found.kind != "Token" and not found.on_stack
            gone.append(moved or left)
        facts["allTargetsGone"] = all(gone)

    def _fits(self, target: Iri, kind: str) -> bool | None:
        """Whether a target is of the kind required (CR 115.4); None where its types are not known."""
        node = self.record.nodes.get(target)
        if (node is not None and node.kind == "Player") or kind == "player":
            return node is not None and node.kind == "Player" and kind in ("player", "any")
        found = self.objects.get(target) or self.objects.get(self.spell_of.get(target, Iri("")))
        spell = found is not None and found.kind == "Spell" and found.on_stack
        if kind == "spell":
            return spell
        if kind == "instant or sorcery spell":
            if not spell or found is None:
                return False
            at = self.objects[found.root].card if found.root in self.objects else found.card
            types = self._printed(at, found.faces).types
            return None if types is None else bool({"Instant", "Sorcery"} & set(types))
        if found is not None and found.kind != "Token":
            return False
        zone = self.zone.get(target)
        if zone is not None and zone != BATTLEFIELD:
            return False
        if kind == "permanent":
            return zone == BATTLEFIELD if zone is not None else None
        own = node.facts.get("types") if node is not None else self.graph.value(self.created.get(target), "types")
        words = {"creature": {"Creature"}, "land": {"Land"}, "any": {"Creature", "Planeswalker", "Battle"}}.get(kind)
        if words is None or not isinstance(own, tuple):
            return None
        fits = bool(words & {str(t) for t in own})
        return None if fits and zone is None else fits

    def _payments(self, event: Node, facts: Facts) -> None:
        """Additional costs: their kinds, repetitions, and the opponent chosen as part of one (CR 601.2b)."""
        if "additionalCosts" not in event.facts:
            return
        payments = [self.record.nodes[p] for p in self._tuple(event, "additionalCosts")]
        kinds = [str(p.facts.get("kind")) for p in payments]
        facts["paymentKinds"], facts["paymentKindsCount"] = tuple(sorted(set(kinds))), len(set(kinds))
        facts["paymentKindsKey"] = " | ".join(sorted(set(kinds)))
        for position, payment in enumerate(payments):
            self.facts(payment.iri)["repeated"] = kinds[position] in kinds[:position]
        opponents = {p.facts["opponent"] for p in payments if "opponent" in p.facts}
        if not opponents:
            facts["chosenOpponent"] = NONE
        elif len(opponents) == 1:
            facts["chosenOpponent"] = opponents.pop()

    # --- keywords in force (CR 113.6, 702)

    def _keywords(
        self, event: Node, facts: Facts, subject: Iri | None, card: Iri | None, faces: tuple[str, ...] | None,
        named: set[Iri],
    ) -> None:
        root = self.objects[subject].root if subject in self.objects else None
        owner_card = card if card is not None else (self.objects[root].card if root in self.objects else None)
        if root is not None and root in self.objects:
            faces = self.objects[root].faces
        surely, maybe, stated = self._in_force(subject, owner_card, faces, event)
        alternative = facts.get("alternativeKeyword")
        if isinstance(alternative, Iri) and alternative != NONE:
            named.add(alternative)
        for kind in self._tuple_of(facts, "paymentKinds"):
            if kind.casefold() in self.card_keywords:
                named.add(self.card_keywords[kind.casefold()])
        surely_named = {self.instances[i] for i in surely}
        maybe_named = {self.instances[i] for i in maybe} - surely_named
        if surely:
            facts["keywordsInForce"] = tuple(sorted(surely_named))
            facts["instancesInForce"] = tuple(surely)
        else:
            facts["keywordsInForce"], facts["instancesInForce"] = (), ()
        if not maybe_named and (stated or not named - surely_named):
            facts["keywordsInForceCount"] = len(surely_named)
            facts["instancesInForceCount"] = len(surely)
        all_named = tuple(sorted(named | surely_named | maybe_named))
        facts["keywordsNamed"], facts["keywordsNamedCount"] = all_named, len(all_named)

    @staticmethod
    def _tuple_of(facts: Facts, name: str) -> tuple[str, ...]:
        value = facts.get(name, ())
        return tuple(str(v) for v in value) if isinstance(value, tuple) else ()

    def _in_force(
        self, subject: Iri | None, card: Iri | None, faces: tuple[str, ...] | None, event: Node
    ) -> tuple[list[Iri], list[Iri], bool]:
        node = self.record.nodes.get(card) if card is not None else None
        if node is None or node.kind != "Card":
            return [], [], card is None
        stated = "keywords" in node.facts
        everywhere = [(i, False) for i in self._tuple(node, "keywords")]
        spell = subject is not None and subject in self.objects or event.kind == "Cast"
        doubtful = False
        face_nodes = [self.record.nodes[f] for f in self._tuple(node, "faces")]
        if not spell and node.facts.get("layout") in _ONE_FACE_SHOWN:
            face_nodes = face_nodes[:1]
        for face in face_nodes:
            stated = stated or "keywords" in face.facts
            if faces is not None and face.facts.get("name") not in faces:
                continue
            if faces is None and spell and len(face_nodes) > 1:
                doubtful = True
            everywhere += [(i, doubtful) for i in self._tuple(face, "keywords")]
        surely: list[Iri] = []
        maybe: list[Iri] = []
        for instance, unsure in everywhere:
            grantor = self.record.nodes[instance].facts.get("grantedBy")
            if isinstance(grantor, Iri):
                zone = self.zone.get(grantor)
                if zone is not None and zone != BATTLEFIELD:
                    continue
                unsure = unsure or zone is None
            (maybe if unsure else surely).append(instance)
        for key in (card, subject):
            for gains, change in self.gained.get(key, []) if key is not None else []:
                keyword = self.instances[change.iri]
                if gains:
                    surely.append(change.iri)
                else:
                    surely = [i for i in surely if self.instances[i] != keyword]
                    maybe = [i for i in maybe if self.instances[i] != keyword]
                stated = stated or gains
        return surely, maybe, stated

    # --- costs (CR 118, 601.2f)

    def _cost(self, event: Node, facts: Facts, card: Iri | None, faces: tuple[str, ...] | None) -> None:
        self._exiled_for_cost(event, facts)
        for payment in self._tuple(event, "additionalCosts"):
            keyword = self.card_keywords.get(str(self.facts(payment).get("kind")).casefold())
            asked = {self.facts(Iri(i)).get("keywordCost") for i in self._tuple_of(facts, "instancesInForce")
                     if self.instances[Iri(i)] == keyword}
            if len(asked) == 1 and (amount := asked.pop()) is not None:
                self.facts(payment)["keywordCost"] = amount
        bases = self._tuple(event, "cost")
        if len(bases) != 1:
            return
        basis = bases[0]
        if basis == FREE:
            amount = "{0}"
        elif basis == MANA_COST:
            amount = self._printed(card, faces).mana_cost
        else:
            instances = [i for i in self._tuple_of(facts, "instancesInForce")
                         if self.instances[Iri(i)] == facts.get("alternativeKeyword")]
            costs = {self.facts(Iri(i)).get("keywordCost") for i in instances}
            amount = self.facts(basis).get("mana", costs.pop() if len(costs) == 1 else None)
        if amount is None:
            return
        facts["basisMana"] = amount
        facts["basisManaText"] = NONE if amount == NONE else mana.text(str(amount))
        if amount == NONE:
            return
        x = facts.get("x")
        base = mana.count(str(amount), x if isinstance(x, int) else None)
        if base is None:
            return
        facts["basisManaKey"] = mana.key(base)
        if "totalCost" in event.facts and isinstance(event.facts["totalCost"], str):
            stated = mana.count(str(event.facts["totalCost"]), x if isinstance(x, int) else None)
            if stated is not None and event.facts["totalCost"] != NONE:
                facts["totalCostKey"] = mana.key(stated)
        extra = [self.facts(p).get("mana") for p in self._tuple(event, "additionalCosts")]
        increases = [mana.count(str(m), 0) for m in (*self._tuple(event, "costIncreases"), *extra) if m and m != NONE]
        reductions = [mana.count(str(m), 0) for m in self._tuple(event, "costReductions")]
        facts["costTotal"] = mana.key(mana.total(base, [i or Counter() for i in increases],
                                                 [r or Counter() for r in reductions]))
        if self.effects_stated or {"costIncreases", "costReductions"} & set(event.facts):
            facts["costModifiersKnown"] = True

    def _required(self, event: Node, facts: Facts, card: Iri | None, faces: tuple[str, ...] | None) -> None:
        """Mandatory additional costs and targets of the spell as it is cast (CR 601.2b, 601.2c)."""
        node = self.record.nodes.get(card) if card is not None else None
        if node is None:
            return
        cost = self.graph.value(card, "layout") if card is not None else None
        listed = [self.record.nodes[f] for f in self._tuple(node, "faces")]
        chosen = [f for f in listed if faces is not None and f.facts.get("name") in faces] or [node]
        facts["castAsAdventure"] = cost == _game("adventureLayout") and any(
            "Adventure" in self._tuple(f, "subtypes") or listed.index(f) == 1 for f in chosen if f in listed
        )
        if cost == _game("adventureLayout") and faces is None:
            del facts["castAsAdventure"]
        mandatory = [m for part in {id(n): n for n in (node, *chosen)}.values() for m in self._tuple(part, "mandatoryCosts")]
        entries = [Iri(f"{event.iri}/required/{n}") for n in range(1, len(mandatory) + 1)]
        facts["requiredCosts"], facts["requiredCostsCount"] = tuple(entries), len(entries)
        payments = [self.record.nodes[p] for p in self._tuple(event, "additionalCosts")]
        for entry, requirement in zip(entries, (self.record.nodes[m] for m in mandatory), strict=True):
            self.graph.facts[entry] = {"inRecord": self.record.id, **requirement.facts}
            self.graph.kinds[entry] = "RequiredCost"
            if "additionalCosts" not in event.facts:
                continue
            paid = [p for p in payments if p.facts.get("kind") == requirement.facts.get("kind")]
            cards = len({c for p in paid for c in self._tuple(p, "paymentCards")})
            wanted = requirement.facts.get("n", 1)
            listed_cards = any("paymentCards" in p.facts for p in paid)
            enough = bool(paid) and (not listed_cards or cards >= int(str(wanted)))
            self.graph.facts[entry]["isPaid"] = enough
        needed = [self.record.nodes[t] for part in {id(n): n for n in (node, *chosen)}.values()
                  for t in self._tuple(part, "targetRequirements")]
        facts["asksForTargets"] = bool(needed)
        if any("targetRequirements" in part.facts for part in (node, *chosen)):
            if all("ifPaid" not in t.facts for t in needed) or "additionalCosts" in event.facts:
                kinds = {p.facts.get("kind") for p in payments}
                facts["targetsNeeded"] = sum(int(str(t.facts.get("n", 1))) for t in needed
                                             if t.facts.get("ifPaid") is None or t.facts["ifPaid"] in kinds)

    def _priority(self, event: Node, facts: Facts) -> None:
        """Who receives priority at this point (CR 117.3): who just acted, else the active player."""
        before = [e for e in self.events[: self.order[event.iri] - 1] if e.kind not in ("Observe", "Trigger")
                  and not (e.kind in ("Move", "Detach") and not {"cause", "during"} & set(e.facts))]
        last = before[-1] if before else None
        acted = last is not None and last.kind in ("Cast", "Activate", "Suspend", "Play")
        holder = last.facts.get("player") if acted and last is not None else facts.get("activePlayer")
        if holder is not None:
            facts["priorityPlayer"] = holder

    def _exiled_for_cost(self, event: Node, facts: Facts) -> None:
        """The cards exiled to pay, each with the zone it is in as costs are paid (CR 601.2h)."""
        listed: list[Iri] = []
        closed = "additionalCosts" in event.facts
        for basis in self._tuple(event, "cost"):
            if basis in self.record.nodes and "exiledForCost" in self.record.nodes[basis].facts:
                listed += self._tuple(self.record.nodes[basis], "exiledForCost")
                closed = True
        turned_in: set[Iri] = set()
        discarded: set[Iri] = set()
        for payment in (self.record.nodes[p] for p in self._tuple(event, "additionalCosts")):
            cards = self._tuple(payment, "paymentCards")
            to = self.schema.cost_kinds.get(str(payment.facts.get("kind")))
            if to == EXILE:
                listed += cards
                closed = closed and "paymentCards" in payment.facts
            elif to == GRAVEYARD:
                turned_in.update(cards)
                if payment.facts.get("kind") == "discard":
                    discarded.update(cards)
        for other in self.events:
            if other.facts.get("during") == event.iri and other.kind in ("Discard", "Sacrifice"):
                turned_in.update(self._tuple(other, "movedCards"))
                if other.kind == "Discard":
                    discarded.update(self._tuple(other, "movedCards"))
        moved = {o.facts.get("card"): o.facts.get("to") for o in self.events
                 if o.kind == "Move" and o.facts.get("during") == event.iri}
        entries: list[Iri] = []
        for number, card in enumerate(dict.fromkeys(listed), 1):
            entry = Iri(f"{event.iri}/exiled/{number}")
            zone: Value | None = self.zone.get(card)
            if card == event.facts.get("card"):
                zone = STACK
            elif card in moved:
                zone = moved[card]
            elif card in turned_in:
                token = card in self.objects
                zone = NONE if token else self._replaced_destination(card, zone, GRAVEYARD, event)
            entry_facts: Facts = {"inRecord": self.record.id, "card": card}
            if card in discarded:
                entry_facts["discardedForCost"] = True
            elif "additionalCosts" in event.facts:
                entry_facts["discardedForCost"] = False
            if zone is not None:
                entry_facts["zone"] = zone
            owner = self.record.nodes[card].facts.get("owner") if card in self.record.nodes else None
            if owner is not None:
                entry_facts["owner"] = owner
            self.graph.facts[entry], self.graph.kinds[entry] = entry_facts, "ExiledEntry"
            entries.append(entry)
        facts["exiledEntries"] = tuple(entries)
        if closed:
            facts["exiledEntriesCount"] = len(entries)

    # --- characteristics (CR 109.3, 202, 709, 715)

    def _printed(
        self, card: Iri | None, faces: tuple[str, ...] | None, combined: bool = False
    ) -> Characteristics:
        """What a card states does not change: it is worked out once for each way of looking at it."""
        key = card, faces, combined
        if key not in self.printed:
            node = self.record.nodes.get(card) if card is not None else None
            self.printed[key] = characteristics(self.record, node, faces, combined)
        return self.printed[key]

    def _characteristics(
        self, event: Node, facts: Facts, subject: Iri | None, card: Iri, faces: tuple[str, ...] | None
    ) -> None:
        whole = self._printed(card, None, combined=True)
        root = self.objects[subject].root if subject in self.objects else None
        on_stack = event.kind in ("Cast", "Suspend") or (subject is not None and subject in self.objects)
        half = self._printed(card, faces) if on_stack else whole
        x = self.graph.value(event.iri, "x") if event.kind == "Cast" else None
        if event.kind != "Cast" and on_stack and subject is not None:
            origin = self.graph.value(root or subject, "createdBy")
            x = self.graph.value(origin, "x")
        for prefix, found, ex in (("card", whole, 0), ("spell", half, x)):
            if prefix == "spell" and not on_stack:
                continue
            for name, value in found.facts(ex if isinstance(ex, int) else None).items():
                facts[prefix + name] = value
                if isinstance(value, tuple):
                    facts[f"{prefix}{name}Count"] = len(value)
                    facts[f"{prefix}{name}Key"] = _key(value) or ""
        changed = next((t for t in (subject, card) if t in self.colour), None)
        if changed is not None and event.kind == "Observe":
            for name in ("cardColorsKey", "spellColorsKey"):
                key = self.colour[changed]
                facts.pop(name, None)
                if key is not None:
                    facts[name] = key
        layout = self.record.nodes[card].facts.get("layout") if card in self.record.nodes else None
        facts["subjectSplit"] = layout in (_game("splitLayout"), _game("aftermathLayout"))
        if "halvesManaValue" not in facts and whole.halves is not None:
            facts["halvesManaValueKey"] = _key(tuple(whole.halves)) or ""
        if event.kind == "Cast" and half.mana_cost is not None:
            facts["hasX"] = "{X}" in str(half.mana_cost).upper()
        if event.kind == "Move" and facts.get("from", facts.get("zoneBefore")) == STACK and subject is not None:
            self._default_destination(facts, subject, half)

    def _default_destination(self, facts: Facts, subject: Iri, spell: Characteristics) -> None:
        """Where a spell goes if nothing replaces it (CR 608.2n, 608.3a, 701.6a)."""
        resolved = self._resolved(subject)
        cause = facts.get("cause")
        if cause is not None:
            facts["byOwnEnd"] = self.graph.value(cause, "object") == subject
        elif subject in self.ended:
            facts["byOwnEnd"] = True
        if facts.get("byOwnEnd") is False and subject not in self.ended:
            resolved = False
            self.graph.facts[subject]["resolved"] = False
        permanent = None if spell.types is None else bool(_PERMANENT_TYPES & set(spell.types))
        if self.objects[subject].root is not None and (permanent is False or resolved is False):
            facts["defaultDestination"] = NONE
        elif resolved is False or (resolved is True and permanent is False):
            facts["defaultDestination"] = GRAVEYARD
        elif resolved is True and permanent is True:
            facts["defaultDestination"] = BATTLEFIELD

    def _resolved(self, subject: Iri) -> bool | None:
        end = self.ended.get(subject)
        if end is not None:
            return end == "Resolve"
        return False if "Resolve" in self.complete else None

    # --- the record's effects (CR 611, 614, 601.3)

    def _effects(self, event: Node, facts: Facts, card: Iri | None, faces: tuple[str, ...] | None) -> None:
        forbidden: list[Iri] = []
        permitted: list[Iri] = []
        instead: list[Iri] = []
        unsure: set[str] = set()
        kind = "Cast" if event.kind == "Suspend" else event.kind
        for effect in self.record.children("effects"):
            for verb, found in (("forbids", forbidden), ("permits", permitted)):
                if effect.facts.get(verb) == GAME + kind:
                    holds = self._bears(effect, event, facts, card, faces)
                    if holds:
                        found.append(effect.iri)
                    elif holds is None:
                        unsure.add(verb)
            if event.kind == "Move" and effect.facts.get("replaces") == GAME + "Move":
                would = facts.get("defaultDestination") if facts.get("from") == STACK else facts.get("to")
                if would is None or effect.facts.get("to") == would:
                    holds = self._bears(effect, event, facts, card, faces)
                    if holds and would is not None:
                        instead.append(_iri(effect.facts.get("instead")) or NONE)
                    elif holds is None or would is None:
                        unsure.add("replaces")
        for verb, name, values in (
            ("forbids", "forbiddenBy", forbidden), ("permits", "permittedBy", permitted), ("replaces", "insteadZones", instead)
        ):
            facts[name] = tuple(values)
            if values or (verb not in unsure and (self.effects_stated or verb == "replaces")):
                facts[f"{name}Count"] = len(values)

        named = self.named_effects.get(event.iri, [])
        if named:
            if any(e in permitted for e in named):
                facts["namedEffectPermits"] = True
            elif "permits" not in unsure:
                facts["namedEffectPermits"] = False

    def _replaced_destination(self, card: Iri, start: Value | None, to: Iri, event: Node) -> Value:
        for effect in self.record.children("effects"):
            if effect.facts.get("replaces") == GAME + "Move" and effect.facts.get("to") == to:
                facts: Facts = {"from": start or NONE}
                if self._bears(effect, event, facts, card, None, moving=True):
                    return effect.facts.get("instead", NONE)
        return to

    def _bears(
        self, effect: Node, event: Node, facts: Facts, card: Iri | None, faces: tuple[str, ...] | None,
        moving: bool = False,
    ) -> bool | None:
        """Whether an effect of the record bears on an event: None where the record does not say."""
        at = self.order[event.iri]
        since, until = effect.facts.get("since"), effect.facts.get("until")
        if (isinstance(since, Iri) and at <= self.order.get(since, 0)) or (
            isinstance(until, Iri) and at > self.order.get(until, at)
        ):
            return False
        source = effect.facts.get("source")
        if isinstance(source, Iri) and since is None and until is None and source in self.arrival:
            if self.zone.get(source) != BATTLEFIELD and self.graph.value(source, "initialZone") == BATTLEFIELD:
                return False
        node = self.record.nodes.get(card) if card is not None else None
        owner = node.facts.get("owner") if node is not None else None
        answers: list[bool | None] = []
        if "player" in effect.facts:
            whom = owner if moving or event.kind == "Move" else facts.get("player")
            answers.append(None if whom is None else whom == effect.facts["player"])
        if "from" in effect.facts:
            start = facts.get("from", facts.get("zoneBefore"))
            answers.append(None if start is None else start == effect.facts["from"])
        condition = effect.facts.get("condition")
        if isinstance(condition, Iri):
            answers += self._condition(self.record.nodes[condition], event, facts, card, faces)
        if False in answers:
            return False
        return None if None in answers else True

    def _condition(
        self, condition: Node, event: Node, facts: Facts, card: Iri | None, faces: tuple[str, ...] | None
    ) -> list[bool | None]:
        node = self.record.nodes.get(card) if card is not None else None
        looks_at_card = condition.facts.get("considers", "spell") == "card"
        if looks_at_card or event.kind not in ("Cast", "Move"):
            found = self._printed(card, None, combined=True)
        else:
            found = self._printed(card, faces)
        x = facts.get("x")
        value = found.mana_value(0 if looks_at_card else (x if isinstance(x, int) else None))
        values = {value} if value is not None else set()
        if looks_at_card and found.halves is not None and self._day() < self.schema.valid_until["halvesManaValueKey"]:
            values = set(found.halves)
        answers: list[bool | None] = []
        for name, have in (("colors", found.colors), ("names", found.names), ("types", found.types)):
            if name in condition.facts:
                wanted = set(self._tuple(condition, name))
                answers.append(None if have is None else bool(wanted & set(have)))
        if "manaValue" in condition.facts:
            answers.append(bool(values & set(self._tuple(condition, "manaValue"))) if values else None)
        if "manaValueAtMost" in condition.facts:
            answers.append(min(values) <= int(str(condition.facts["manaValueAtMost"])) if values else None)
        if "from" in condition.facts:
            start = facts.get("from")
            answers.append(None if start is None else start == condition.facts["from"])
        if "perTurn" in condition.facts:
            mine = (facts.get("player"), facts.get("turnNode"))
            before = sum(1 for c in self.casts if (c.facts.get("player"), self.facts(c.iri).get("turnNode")) == mine)
            enough = before >= int(str(condition.facts["perTurn"]))
            known = None not in mine
            answers.append((True if enough else (False if "Cast" in self.complete else None)) if known else None)
        return answers

    def _day(self) -> int:
        return int(str(self.facts(self.record.id)["rulesDate"]))

    # --- what the event changes

    def _after(self, event: Node) -> None:
        kind = self.schema.event_types.get(event.kind) or EventType("Event")
        facts = self.facts(event.iri)
        created = _iri(event.facts.get("object"))
        if kind.creates and created is not None:
            self._create(event, kind, created)
        if kind.ends_object and created in self.objects and created not in self.ended:
            self.ended[created] = event.kind
            spell = self.objects[created]
            if event.kind == "Resolve":
                self.resolution_of[created] = event.iri
            vanishes = spell.root is not None and self.graph.value(created, "permanentSpell") is not True
            if spell.kind == "Ability" or vanishes or event.kind != "Resolve":
                self._leave_stack(spell, event)
        if kind.moves:
            moved = event.facts.get(kind.moves)
            for thing in moved if isinstance(moved, tuple) else (moved,):
                if isinstance(thing, Iri):
                    self._move(event, kind, thing)
        if kind.puts_counter and isinstance(event.facts.get("card"), Iri):
            amount = event.facts.get(kind.counter_amount or "")
            if isinstance(amount, int):
                self.counters[Iri(str(event.facts["card"]))] = {kind.puts_counter: amount}
        if event.kind == "ChangeControl" and "recipient" in event.facts:
            changed = _iri(event.facts.get("object", event.facts.get("card")))
            if changed is not None:
                self.controller[self.spell_of.get(changed, changed)] = event.facts["recipient"]
        if event.kind in ("AddCounters", "RemoveCounters"):
            self._count(event)
        if event.kind == "Attach" and isinstance(event.facts.get("attachedTo"), Iri) and "card" in event.facts:
            self.attached[Iri(str(event.facts["card"]))] = (Iri(str(event.facts["attachedTo"])), event.iri)
        if event.kind == "Detach" and "card" in event.facts:
            self.attached.pop(Iri(str(event.facts["card"])), None)
        if event.kind == "Change" and event.facts.get("changed") == "colors":
            changed_thing = _iri(event.facts.get("object", event.facts.get("card")))
            if changed_thing is not None:
                self.colour[changed_thing] = facts.get("colorsKey")
        if event.kind in ("GainKeyword", "LoseKeyword"):
            change = event.facts.get("keywordGained")
            key = _iri(event.facts.get("object", event.facts.get("card")))
            if isinstance(change, Iri) and key is not None:
                self.gained.setdefault(key, []).append((event.kind == "GainKeyword", self.record.nodes[change]))
        if event.kind == "Cast":
            self._pay(event)
            self.casts.append(event)
            if created is not None:
                facts["createdObject"] = created

    def _leave_stack(self, spell: _Object, event: Node) -> None:
        if spell.on_stack:
            spell.on_stack = False
            self.graph.facts[spell.iri]["leftStackAt"] = self.order[event.iri]

    def _pay(self, event: Node) -> None:
        """Cards that pay a cost change zones by that alone (CR 601.2h)."""
        exiled = [c for b in self._tuple(event, "cost") if b in self.record.nodes
                  for c in self._tuple(self.record.nodes[b], "exiledForCost")]
        moves = [(c, EXILE) for c in exiled]
        for payment in (self.record.nodes[p] for p in self._tuple(event, "additionalCosts")):
            to = self.schema.cost_kinds.get(str(payment.facts.get("kind")))
            moves += [(c, to) for c in self._tuple(payment, "paymentCards") if to is not None]
        for card, to in moves:
            if self._zone_of(card) != STACK:
                self._arrive(event, card, self._replaced_destination(card, self.zone.get(card), to, event))

    def _arrive(self, event: Node, thing: Iri, zone: Value | None) -> None:
        if zone is None:
            self.zone.pop(thing, None)
        else:
            self.zone[thing] = zone
        self.arrival[thing] = event.iri
        self.counters[thing] = {}
        self.counters_stated.discard(thing)
        self.colour.pop(thing, None)
        self._unattach(event, thing)

    def _unattach(self, event: Node, host: Iri) -> None:
        """What was attached to an object that changes zones is attached to nothing (CR 704.5m, 704.5n)."""
        self.attached.pop(host, None)
        for card, (to, since) in list(self.attached.items()):
            if to == host:
                del self.attached[card]
                iri = Iri(f"{event.iri}/attachment/{len(self.attachments) + 1}")
                self.attachments.append(iri)
                facts: Facts = {"inRecord": self.record.id, "card": card, "host": host, "focusEvent": event.iri,
                                "order": self.order[event.iri], "attachedSince": since}
                subtypes = self.record.nodes[card].facts.get("subtypes") if card in self.record.nodes else None
                if isinstance(subtypes, tuple):
                    facts["subtypes"], facts["subtypesCount"] = subtypes, len(subtypes)
                self.graph.facts[iri], self.graph.kinds[iri] = facts, "Attachment"
                self.lost_host[card] = event.iri

    def _create(self, event: Node, kind: EventType, iri: Iri) -> None:
        facts: Facts = {"inRecord": self.record.id, "createdBy": event.iri}
        found = _Object(iri, str(kind.creates))
        if "player" in event.facts:
            facts["controller"] = self.controller[iri] = event.facts["player"]
        if event.kind == "Cast":
            found.card = _iri(event.facts.get("card"))
            found.faces = tuple(str(f) for f in self._tuple(event, "face")) or None
            facts.update({"isCopy": False, "castEvent": event.iri, "originSpell": iri})
            if found.card is not None:
                facts["card"] = found.card
                self.spell_of[found.card] = iri
        elif event.kind == "Copy":
            original = _iri(event.facts.get("of"))
            if original in self.spell_of:
                original = self.spell_of[original]
            source = self.objects.get(original) if original is not None else None
            found.root = (source.root or source.iri) if source is not None else original
            found.faces = source.faces if source is not None else None
            facts.update({"isCopy": True, "castEvent": NONE, "card": NONE})
            if found.root is not None:
                facts["originSpell"] = found.root
            if event.facts.get("to") == BATTLEFIELD:
                found.kind, found.on_stack = "Token", False
        elif kind.creates == "Ability":
            facts.update({"isCopy": False, "castEvent": NONE})
            became = self.became.get(Iri(str(event.facts.get("source"))))
            if became is not None:
                facts["originSpell"] = became
            for name in ("abilityKeyword", "abilityLabel", "source"):
                if name in self.facts(event.iri):
                    facts[name] = self.facts(event.iri)[name]
        else:
            found.on_stack = False
            self.zone[iri] = BATTLEFIELD
        if found.kind == "Spell":
            self._decisions(event, facts, found)
        self.objects[iri] = found
        self.created[iri] = event.iri
        if found.kind == "Token":
            self.became[iri] = NONE
        self.graph.facts.setdefault(iri, {}).update(facts)
        self.graph.kinds[iri] = found.kind

    def _decisions(self, event: Node, facts: Facts, found: _Object) -> None:
        """What was chosen for a spell; a copy takes it over from the original (CR 707.10)."""
        own = self.facts(event.iri)
        original = self.graph.facts.get(found.root, {}) if found.root is not None else {}
        for name, chosen in _DECISIONS.items():
            value = original.get(chosen) if found.root is not None else own.get(name)
            if value is not None:
                facts[chosen] = value
        card = self.objects[found.root].card if found.root in self.objects else found.card
        types = self._printed(card, found.faces).types
        if types is not None:
            facts["permanentSpell"] = bool(_PERMANENT_TYPES & set(types))

    def _move(self, event: Node, kind: EventType, thing: Iri) -> None:
        to: Value | None = event.facts.get(kind.arrives or "") if kind.arrives in ("to",) else _game(str(kind.arrives))
        if event.kind in ("Sacrifice", "Discard"):
            to = self._replaced_destination(thing, self.zone.get(thing), GRAVEYARD, event)
        spell = self.spell_of.get(thing) if thing not in self.objects else thing
        if event.kind != "Cast" and spell in self.objects:
            self._leave_stack(self.objects[spell], event)
        self._arrive(event, thing, to)
        if event.kind != "Cast":
            origin = self.graph.value(spell, "originSpell") if to == BATTLEFIELD else None
            permanent = _iri(event.facts.get("newObject")) or thing
            self.became[permanent] = origin if isinstance(origin, Iri) else NONE
            if permanent != thing:
                self.objects[permanent] = _Object(permanent, "Token", on_stack=False)
                self.graph.facts.setdefault(permanent, {"inRecord": self.record.id})["createdBy"] = event.iri
                self.graph.kinds[permanent] = "Token"
                self._arrive(event, permanent, to)
            self.gained.pop(thing, None)
            self.spell_of.pop(thing, None)

    def _count(self, event: Node) -> None:
        card, name, n = event.facts.get("card"), str(event.facts.get("counter")), event.facts.get("n", 1)
        if not isinstance(card, Iri):
            return
        have = self.counters.get(card)
        facts = self.facts(event.iri)
        if "left" in event.facts:
            self.counters_stated.add(card)
        left = event.facts.get("left")
        if have is not None:
            change = int(str(n)) if event.kind == "AddCounters" else -int(str(n))
            facts["countersBefore"] = have.get(name, 0)
            have[name] = left if isinstance(left, int) else max(0, have.get(name, 0) + change)
            facts.setdefault("left", have[name])
        elif isinstance(left, int):
            self.counters[card] = {name: left}

    # --- after the last event

    def _finish_objects(self) -> None:
        for iri, found in self.objects.items():
            facts = self.facts(iri)
            end = self.ended.get(iri)
            if found.kind != "Token":
                facts.setdefault("leftStackAt", NEWEST)
            if end is not None:
                facts["resolved"] = end == "Resolve"
                facts["outcome"] = _game(end)
            elif "Resolve" in self.complete and not found.on_stack:
                facts.setdefault("resolved", False)

    def _resolutions(self) -> None:
        """The effects of each resolution in their order, and after which events abilities would have been put on the stack."""
        positions: Counter[Iri] = Counter()
        for at, event in enumerate(self.events):
            facts = self.facts(event.iri)
            inside = facts.get("during")
            if "during" not in event.facts and "cause" in event.facts and event.kind not in ("Trigger", "Cast"):
                inside = facts["cause"]
            kind = self.schema.event_types.get(event.kind)
            if isinstance(inside, Iri) and kind is not None and kind.action and event.kind not in ("Choose", "Cast"):
                positions[inside] += 1
                facts["positionInResolution"] = positions[inside]
                if inside in self.graph.facts:
                    self.facts(inside).setdefault("firstEffect", event.iri)
            if event.kind in ("Move", "RemoveCounters", "Resolve"):
                facts["settled"] = any(self._after_priority(event, later) for later in self.events[at + 1 :])
            if event.kind == "Trigger":
                previous = next((e for e in reversed(self.events[:at]) if e.kind != "Observe"), None)
                together = previous is not None and previous.kind == "Trigger" and event.facts.get("cause") != previous.iri
                if together and previous is not None and self.turns.same_step(event.iri, previous.iri):
                    facts["previousInBatch"] = previous.iri
            if event.kind in ("Choose", "Trigger") and "player" in facts and "activePlayer" in facts:
                seats = self.turns.seats
                if facts["player"] in seats and facts["activePlayer"] in seats:
                    first = seats.index(Iri(str(facts["activePlayer"])))
                    facts["playerRank"] = (seats.index(Iri(str(facts["player"]))) - first) % len(seats)

    def _kept(self) -> None:
        """Choices of what is kept while something resolves, and what is given up after them (CR 608.2e)."""
        groups: dict[tuple[Iri, str], list[Node]] = {}
        current: dict[Iri, str] = {}
        given: dict[tuple[Iri, str], list[Node]] = {}
        for event in self.events:
            inside = self.facts(event.iri).get("during")
            if not isinstance(inside, Iri) or inside == NONE:
                continue
            if event.kind == "Choose" and "chosen" in event.facts and event.facts.get("choice") == "name":
                names = {str(n) for n in self._tuple(event, "chosen")}
                for card in self.record.nodes.values():
                    if card.facts.get("layout") == _game("splitLayout"):
                        halves = {str(self.record.nodes[f].facts.get("name")) for f in self._tuple(card, "faces")}
                        if halves & names:
                            self.facts(event.iri)["halvesNamed"] = len(halves & names)
            if event.kind == "Choose" and "chosen" in event.facts:
                current[inside] = str(event.facts.get("choice"))
                groups.setdefault((inside, current[inside]), []).append(event)
            elif event.kind in ("Sacrifice", "Discard", "Reveal") and inside in current:
                group = (inside, current[inside])
                facts = self.facts(event.iri)
                kept = {c for e in groups[group] for c in self._tuple(e, "chosen")}
                overlap = tuple(c for c in self._tuple(event, "movedCards") if c in kept)
                facts["keptCards"], facts["keptCardsCount"] = overlap, len(overlap)
                if event.kind != "Reveal":
                    facts["apart"] = any(e.kind == event.kind for e in given.get(group, ()))
                    given.setdefault(group, []).append(event)
        for group, choices in groups.items():
            if not given.get(group) and not {"Sacrifice", "Discard"} <= self.complete:
                continue
            up = {c for e in given.get(group, ()) for c in self._tuple(e, "movedCards")}
            counts = []
            for event in choices:
                owned = {c for c in up if self.graph.value(c, "owner") == event.facts.get("player")}
                counts.append(len(owned | set(self._tuple(event, "chosen"))))
            for event in choices:
                self.facts(event.iri)["fewest"] = min(counts)

    def _after_priority(self, event: Node, later: Node) -> bool:
        """Whether players have had priority between two events (CR 117.5, 603.3)."""
        here, there = self.facts(event.iri), self.facts(later.iri)
        if not self.turns.same_step(event.iri, later.iri):
            return True
        inside = event.iri if event.kind == "Resolve" else here.get("during", here.get("cause"))
        return later.kind in _PRIORITY and there.get("during") not in (None, inside, here.get("cause"))

    def _turn_nodes(self) -> None:
        for iri, facts in self.turns.nodes(self.record.id).items():
            self.graph.facts[iri], self.graph.kinds[iri] = facts, "Turn"

    def _standing(self, beginning: Beginning, event: Node) -> None:
        """Cards with keywords as they are when a step begins, before its first event."""
        turn, step = beginning.turn, beginning.step
        for card in self.record.children("cards"):
            surely, maybe, _ = self._in_force(None, card.iri, None, event)
            zone = self.zone.get(card.iri)
            if not surely and not maybe:
                continue
            iri = Iri(f"{turn}/{slug(self.schema.word_of[step])}/{card.iri.rpartition('#')[2]}")
            have = {self.instances[i] for i in surely}
            facts: Facts = {
                "inRecord": self.record.id, "card": card.iri, "turnNode": turn, "step": step, "focusEvent": event.iri,
                "past": beginning.past, "order": self.order[event.iri], "instancesInForce": tuple(surely),
                "keywordsInForce": tuple(sorted(have)), "keywordsNamed": tuple(sorted(have | {self.instances[i] for i in maybe})),
            }
            if not maybe:
                facts["keywordsInForceCount"], facts["instancesInForceCount"] = len(have), len(surely)
            facts["keywordsNamedCount"] = len(facts["keywordsNamed"]) if isinstance(facts["keywordsNamed"], tuple) else 0
            if zone is not None:
                facts["zone"] = zone
            if "owner" in card.facts:
                facts["owner"] = card.facts["owner"]
            active = self.graph.value(turn, "activePlayer")
            if active is not None:
                facts["activePlayer"] = active
            counters = self.counters.get(card.iri)
            if counters is not None:
                names = tuple(sorted(name for name, n in counters.items() if n > 0))
                facts["countersOn"], facts["countersOnCount"] = names, len(names)
            self.graph.facts[iri], self.graph.kinds[iri] = facts, "Standing"


def _iri(value: Value | None) -> Iri | None:
    return value if isinstance(value, Iri) and value != NONE else None


def _seat(player: Node) -> int:
    order = player.facts.get("turnOrder", 0)
    return order if isinstance(order, int) else 0


def _key(values: tuple[object, ...]) -> str | None:
    """One spelling for a set of plain values, so that two sets can be compared as one value."""
    if any(isinstance(v, Iri) and not v.startswith(GAME) for v in values):
        return None
    return " | ".join(sorted({str(v).removeprefix(GAME) for v in values}))
