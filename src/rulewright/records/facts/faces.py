"""Which face of a card is up, and whether it is face down: how a spell, a permanent or a card is seen (CR 708, 712)."""

from __future__ import annotations

from rulewright.records.characteristics import AS_CARD, View
from rulewright.records.facts.state import GameObject, Moment, State
from rulewright.records.facts.values import ADVENTURE, BATTLEFIELD, FREE, MODAL, PERMANENT_TYPES, iri, iris, texts
from rulewright.records.model import Node
from rulewright.vocabulary import Iri

_CAST_FACE_DOWN = "castFaceDown"


# --- how something is seen


def spell(state: State, at: Moment) -> View:
    """The spell that an event is about, or that is cast."""
    found = state.objects.get(at.subject) if at.subject is not None else None
    if at.type == "Cast" or found is None:
        down = at.facts.get("faceDown") if at.type == "Cast" else False
        return View("spell", at.faces, down if isinstance(down, bool) else None)
    return of_spell(found)


def of_spell(found: GameObject) -> View:
    return View("spell", found.faces, found.face_down, found.root is not None)


def elsewhere(state: State, thing: Iri) -> View:
    """A card that is no spell: as a permanent, or by its front or both halves; where it is unknown, as either."""
    zone = state.zone.get(thing)
    if zone is None:
        moved = state.node(state.arrival.get(thing))
        hidden = thing in state.permanents or (moved is not None and moved.kind == "Move")
        hidden = hidden or (not state.has_beginning and _has_trait(state, thing))
        return View("permanent", None, None if hidden else False)
    return state.permanents.get(thing, View("permanent")) if zone == BATTLEFIELD else AS_CARD


def face_down(state: State, event: Node, subject: Iri | None, card: Iri) -> bool | None:
    """Whether a spell or permanent is face down as an event happens; None: not known."""
    found = state.objects.get(subject) if subject is not None else None
    if found is not None and found.on_stack:
        return found.face_down
    return elsewhere(state, card).face_down if event.kind != "Cast" else False


# --- casting


def cast(state: State, at: Moment) -> None:
    """Whether a spell is cast face down: as is said, or as the keyword of its cost says (CR 702.37c, 708.4).

    A keyword that nobody knows may say so, as may an effect, except of a spell whose face is named.
    """
    if "faceDown" not in at.facts and (down := _by_cost(state, at)) is not None:
        at.facts["faceDown"] = down


def _by_cost(state: State, at: Moment) -> bool | None:
    types = state.printed(at.card, at.faces).types
    if types is not None and PERMANENT_TYPES.isdisjoint(types):
        return False
    if "cost" not in at.event.facts:
        return None if at.faces is None and _may_be(state, at.card) else False
    labels = [str(node.facts.get("alternative")) for b in iris(at.event.facts, "cost")
              if (node := state.node(b)) is not None]  # fmt: skip
    keywords = [state.names.in_label(label, state.card_keywords) for label in labels]
    if any(_CAST_FACE_DOWN in state.names.traits(keyword) for keyword in keywords):
        return True if len(labels) == 1 else None
    allowed = iri(at.facts.get("permissionKeyword"))
    by_effect = FREE in iris(at.event.facts, "cost") and (allowed is None or not state.names.define([allowed]))
    return False if at.faces is not None or (state.names.define(keywords) and not by_effect) else None


def _may_be(state: State, card: Iri | None) -> bool:
    """Whether a card may have a keyword by which it is cast face down: it has one, or its keywords are not known."""
    parts = _parts(state, card)
    unlisted = not any("keywords" in part.facts for part in parts)
    return unlisted or not state.names.define(_keywords(state, parts)) or _has_trait(state, card)


def _has_trait(state: State, card: Iri | None) -> bool:
    """Whether a card states a keyword by which it is cast face down."""
    return any(_CAST_FACE_DOWN in state.names.traits(keyword) for keyword in _keywords(state, _parts(state, card)))


def _parts(state: State, card: Iri | None) -> list[Node]:
    node = state.node(card)
    return [node, *state.parts(node, "faces")] if node is not None else []


def _keywords(state: State, parts: list[Node]) -> list[Iri]:
    return [state.instances[i] for part in parts for i in iris(part.facts, "keywords")]


# --- permanents


def at_first(state: State, card: Node) -> None:
    """A permanent as the record begins: face up unless it says otherwise (CR 110.5b); the face as far as it is said."""
    down = card.facts.get("faceDown") is True
    if card.facts.get("zone") == BATTLEFIELD or (down and "zone" not in card.facts):
        state.permanents[card.iri] = View("permanent", texts(card.facts, "face") or None, down)


def enters(state: State, event: Node, thing: Iri, was: GameObject | None) -> None:
    """A permanent enters as what it was as a spell (CR 708.4, 712.13), a land that is played face up.

    How others enter is not known unless it is said.
    """
    stated, played = event.facts.get("faceDown"), False if event.kind == "Play" else None
    down = stated if isinstance(stated, bool) else was.face_down if was is not None else played
    faces = texts(event.facts, "face") or None
    layout = state.value(event.facts.get("card"), "layout")
    if faces is None and was is not None and layout in (MODAL, ADVENTURE):
        faces = was.faces
    state.permanents[thing] = View("permanent", faces, down, was is not None and was.root is not None)


def turns(state: State, event: Node) -> None:
    """A permanent is turned face up or face down (CR 708.2a, 708.8), or transforms (701.27a)."""
    thing = iri(event.facts.get("card"))
    if thing is None or state.zone.get(thing) != BATTLEFIELD:
        return
    before = elsewhere(state, thing)
    faces = texts(event.facts, "face") or None
    if event.kind == "Transform":
        other = _other_face(state, thing, before.faces)
        state.permanents[thing] = before._replace(faces=faces or other)
    else:
        state.permanents[thing] = before._replace(face_down=event.kind == "TurnFaceDown", faces=faces or before.faces)


def _other_face(state: State, thing: Iri, up: tuple[str, ...] | None) -> tuple[str, ...] | None:
    names = [str(face.facts.get("name")) for face in state.parts(state.node(thing), "faces")]
    return tuple(name for name in names if name not in up) if up is not None and len(names) == 2 else None
