"""What is known of a card, object or player at a moment: what it is, where, whose, and what it is like (CR 109)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulewright.records.characteristics import Characteristics, of_token
from rulewright.records.facts import faces, subjects
from rulewright.records.facts.state import GameObject, Moment, State
from rulewright.records.facts.values import BATTLEFIELD, STACK, from_one, iri
from rulewright.records.model import Node, Value
from rulewright.vocabulary import NONE, Iri

PLAYER, SPELL, ABILITY, PERMANENT, CARD, NOTHING = "player", "spell", "ability", "permanent", "card", "nothing"


@dataclass(frozen=True)
class Thing:
    """None: not known."""

    iri: Iri
    kind: str | None
    """What it is: of a card outside of the stack and the battlefield, a card; of what ceased to exist, nothing."""
    zone: Value | None = None
    token: bool | None = None
    owner: Value | None = None
    controller: Value | None = None
    made_by: Iri | None = None
    """Of a spell or ability: the type of the event by which it came to be."""
    shown: Characteristics = field(default_factory=Characteristics)


def thing(state: State, at: Moment, named: Iri) -> Thing:
    """What a name in a record stands for as an event happens."""
    node = state.node(named)
    if node is not None and node.kind == "Player":
        return Thing(named, PLAYER)
    found = state.objects.get(named)
    if found is None and state.zone.get(named) == STACK:
        found = state.objects.get(state.spell_of.get(named, NONE))
    if found is not None and found.kind != "Token":
        return _recoloured(state, _of_stack(state, at, found), found.card)
    return _recoloured(state, _elsewhere(state, named, node))


def _recoloured(state: State, found: Thing, card: Iri | None = None) -> Thing:
    """With the colours that an effect has given it (CR 613.1e)."""
    changed = next((thing for thing in (found.iri, card) if thing in state.colour), None)
    if changed is None:
        return found
    colours = state.colour[changed]
    told = None if colours is None else tuple(Iri(str(c)) for c in from_one(str(colours)))
    return replace(found, shown=replace(found.shown, colors=told))


def _of_stack(state: State, at: Moment, found: GameObject) -> Thing:
    """A spell or ability; what is no longer one may be a permanent, where the record calls that by the same name."""
    if not subjects.still_there(state, found, at.event):
        return Thing(found.iri, NOTHING if not found.uncertain and _is_gone(state, at, found) else None)
    original = state.objects.get(found.root, found) if found.root is not None else found
    made = state.record.nodes[state.created[found.iri]]
    return Thing(
        found.iri, SPELL if found.kind == "Spell" else ABILITY, STACK, False, state.owner(found.card),
        state.controller.get(found.iri), state.schema.words["EventType"].get(made.kind),
        state.seen(original.card, faces.of_spell(found)),
    )  # fmt: skip


def _is_gone(state: State, at: Moment, found: GameObject) -> bool:
    """Whether what has left the stack is surely nothing else now (CR 608.2n, 608.3)."""
    if at.facts.get("during") == state.resolution_of.get(found.iri, at.event.iri):
        return False
    never_permanent = found.kind == "Ability" or state.value(found.iri, "permanentSpell") is False
    elsewhere = not found.on_stack and found.card is not None and state.zone.get(found.card) != BATTLEFIELD
    return never_permanent or elsewhere or state.ended.get(found.iri, "Resolve") != "Resolve"


def _elsewhere(state: State, named: Iri, node: Node | None) -> Thing:
    """A card that is no spell, or a token; of a spell that has no name, its leaving the stack is not told."""
    zone = state.zone.get(named)
    spell = None if named in state.arrival else SPELL
    places: dict[Value | None, str | None] = {None: None, BATTLEFIELD: PERMANENT, NONE: NOTHING, STACK: spell}
    made = state.node(state.created.get(named))
    card = node.iri if node is not None else _card_that_moved(made)
    controller = _controller(state, named, made)
    return Thing(
        named, places.get(zone, CARD), zone, card is None, state.owner(card), controller, None,
        _shown(state, named, card, made),
    )  # fmt: skip


def _card_that_moved(made: Node | None) -> Iri | None:
    """The card that a permanent with a name of its own is."""
    return iri(made.facts.get("card")) if made is not None and made.kind == "Move" else None


def _shown(state: State, named: Iri, card: Iri | None, made: Node | None) -> Characteristics:
    original = state.original(named)
    if original is not None:
        return state.seen(original.card, faces.elsewhere(state, named))
    if card is None and made is not None and made.kind == "CreateToken":
        return of_token(made, state.record, state.names)
    return state.seen(card, faces.elsewhere(state, named))


def _controller(state: State, named: Iri, made: Node | None) -> Value | None:
    """Who controls a permanent: to begin with its owner, later who put it onto the battlefield (CR 110.2)."""
    if named in state.controller:
        return state.controller[named]
    if named in state.unsure or named in state.control_unknown:
        return None
    if made is not None:
        return made.facts.get("recipient")
    node = state.node(named)
    if node is None or named in state.arrival:
        return None
    return node.facts.get("controller", node.facts.get("owner"))
