"""What a record states, as facts of the graph, and the state before its first event."""

from __future__ import annotations

import re

from rulewright.records import mana
from rulewright.records.descriptions import quality
from rulewright.records.facts import counters, faces, identity
from rulewright.records.facts.state import State
from rulewright.records.facts.values import as_one, game, iri, members, number, texts
from rulewright.records.graph import Facts, Graph, Unchecked
from rulewright.records.model import Node, Record
from rulewright.records.turns import Turns
from rulewright.records.words import ABILITY, Words, normal
from rulewright.vocabulary import GAME, NONE, Iri, Scalar, Schema, load_schema

_EVENT = re.compile(r"events\[(\d+)\]")
"""The place of an event in its record, and of what belongs to it."""


def begin(record: Record, names: Words) -> State:
    """The state before the first event, with what is stated in the graph, and turns and steps carried forward."""
    schema = load_schema()
    graph = Graph(record, words=names)
    for node in record.nodes.values():
        graph.add(node.iri, node.kind, _stated(record, node, schema))
    stated, record = record, identity.by_cards(record, schema)
    for new, (origin, card_of_it) in identity.new_objects(stated, record).items():
        graph.add(new, "NewObject", {"inRecord": record.id, "createdBy": origin, "card": card_of_it})
    events = record.children("events")
    order = {event.iri: position for position, event in enumerate(events, 1)}
    for event in events:
        graph.facts[event.iri]["order"] = order[event.iri]
    seats = _seats(record.children("players"))
    complete = frozenset(str(t).removeprefix(GAME) for t in members(record.root.facts, "records"))
    complete -= {event.kind for event in events if not _tells(schema, event)}
    turns = Turns(events, seats, schema, graph.facts.__getitem__)
    state = State(record, names, schema, graph, turns, events, record.children("effects"), order, complete)
    state.gaps = tuple(order[event.iri] for event in events if event.kind in schema.interruptions)
    state.sources = frozenset(event.facts.get("source") for event in events if event.kind == "Trigger")
    state.endings_recorded = schema.endings <= complete and not state.gaps
    for event in events:
        ended = iri(event.facts.get("object")) if event.kind in schema.endings else None
        if ended is not None:
            if ended in state.ends:
                state.ends_again.add(ended)
            state.ends.setdefault(ended, order[event.iri])
        if (outer := iri(event.facts.get("during"))) is not None:
            state.within.setdefault(outer, []).append(event)
    for node in record.nodes.values():
        if node.kind == "KeywordInstance":
            _keyword(state, node)
    for node in record.nodes.values():
        _words(state, node)
    _whole(state)
    for card in record.children("cards"):
        _card(state, card)
    for bearer in (*record.children("cards"), *record.children("players")):
        _counters(state, bearer)
    return state


def _seats(players: list[Node]) -> list[Iri]:
    """The players in turn order (CR 101.4, 103.1), of two from either on; none where the order is not recorded."""
    if len(players) > 2 and not all("turnOrder" in player.facts for player in players):
        return []
    return [player.iri for player in sorted(players, key=lambda player: number(player.facts, "turnOrder", 0))]


def _tells(schema: Schema, event: Node) -> bool:
    kind = schema.event_types.get(event.kind)
    return kind is None or kind.tells_of(event.facts)


def _stated(record: Record, node: Node, schema: Schema) -> Facts:
    """The facts of a node as they are stated, lists with their number and, where they are compared, as one value."""
    facts: Facts = {"inRecord": record.id, **node.facts} if node.iri != record.id else {**node.facts}
    for name, value in node.facts.items():
        if isinstance(value, tuple):
            if (compared := schema.compared.get(name)) is not None:
                facts[f"{name}Key"] = as_one(value, compared)
            facts[f"{name}Count"] = len(set(value) if compared == "set" else value)
    if node.kind in schema.event_types:
        facts["eventType"] = game(node.kind)
    elif node.iri in record.dropped:
        facts["typeWord"] = record.dropped[node.iri]
    return facts


def _keyword(state: State, instance: Node) -> None:
    """Which keyword an instance is of (CR 702.1), and what it costs (CR 118.1, 107.3a)."""
    facts = state.facts(instance.iri)
    name = str(instance.facts.get("keyword", ""))
    keyword = state.names.iri(name)
    facts["keywordNamed"] = state.instances[instance.iri] = state.card_keywords[normal(name)] = keyword
    compound = state.names.compound(name)
    said = texts(instance.facts, "quality") if "quality" in instance.facts else compound[1:] if compound else None
    if said is not None:
        facts["quality"], facts["qualityCount"] = said, len(set(said))
        facts["qualityKey"] = as_one({_one_spelling(word) for word in said}, "set")
    cost = instance.facts.get("keywordCost")
    if cost is not None:
        facts["keywordCostText"] = NONE if cost == NONE else mana.text(str(cost))
        facts["hasX"] = "{X}" in str(cost).upper()


def _one_spelling(word: str) -> Scalar:
    """A quality by what the word means, where that is known."""
    meant = quality(word)
    return normal(word) if meant is None else meant.value


def _words(state: State, node: Node) -> None:
    """What the open words of a node mean; a word that is unknown means nothing that is known."""
    uses = state.schema.word_uses
    for name in node.facts:
        if name not in uses:
            continue
        use, facts = uses[name], state.facts(node.iri)
        if use.kind == ABILITY or not use.applies(node.kind):
            continue
        text = node.facts[name]
        if isinstance(text, Iri):
            continue
        text = str(text)
        meant = state.meaning(use.kind, text)
        if meant is not None:
            facts[use.meaning] = meant
        else:
            state.graph.unchecked.append(Unchecked("kind", text, _event_of(state, node)))
        if use.spelling is not None:
            facts[use.spelling] = state.names.spelled(use.kind, text)


def _event_of(state: State, node: Node) -> Iri | None:
    """The event that a node is, or is a part of."""
    place = _EVENT.match(node.place)
    return state.events[int(place[1])].iri if place is not None else None


def _whole(state: State) -> None:
    """What the record as a whole says: which lists are complete, and the day whose rules apply (CR 100.1)."""
    facts = state.facts(state.record.id)
    facts["effectsStated"] = state.effects_stated
    if state.effects_closed:
        facts["effectsComplete"] = True
    recorded = {str(name) for name in members(state.record.root.facts, "records")}
    facts["recordsCount"] = len(recorded)
    facts["closedTypes"] = ()
    if not state.gaps:
        closed = tuple(Iri(name) for name in sorted(recorded))
        facts["closedTypes"], facts["closedTypesCount"] = closed, len(closed)
    facts["rulesDate"] = state.day


def _card(state: State, card: Node) -> None:
    """Where a card is to begin with (CR 400.1)."""
    if "zone" in card.facts:
        state.zone[card.iri] = state.facts(card.iri)["initialZone"] = card.facts["zone"]
    faces.at_first(state, card)


def _counters(state: State, bearer: Node) -> None:
    """The counters that a card or player has to begin with (CR 122.1)."""
    state.counters[bearer.iri] = None
    if "counters" in bearer.facts:
        state.counters_stated.add(bearer.iri)
        state.counters[bearer.iri] = counters.listed(state, bearer)
