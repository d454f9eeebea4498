"""Where a spell goes from the stack if nothing replaces that (CR 608.2n, 608.3a, 701.6a)."""

from __future__ import annotations

from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import BATTLEFIELD, GRAVEYARD, PERMANENT_TYPES, STACK, texts
from rulewright.vocabulary import NONE, Iri


def due(state: State, at: Moment, card: Iri) -> None:
    """The ordinary destination of a spell that leaves the stack, and whether it leaves by its own end (CR 608.2n)."""
    facts, subject = at.facts, at.subject
    if subject is None or facts.get("from", facts.get("zoneBefore")) != STACK:
        return
    resolved = state.resolved(subject)
    cause = state.node(facts.get("cause"))
    if subject in state.ended:
        facts["byOwnEnd"] = True
    elif cause is not None and (cause.kind not in state.schema.endings or "object" in cause.facts):
        facts["byOwnEnd"] = cause.facts.get("object") == subject
    if facts.get("byOwnEnd") is False and subject not in state.ended:
        resolved = False
        state.facts(subject)["resolved"] = False
    types = state.printed(card, at.faces).types
    permanent = _whichever_face(state, card) if types is None else not PERMANENT_TYPES.isdisjoint(types)
    copy = state.objects[subject].copy
    if copy and (permanent is False or resolved is False):
        facts["defaultDestination"] = NONE
    elif resolved is False or (resolved and permanent is False):
        facts["defaultDestination"] = GRAVEYARD
    elif resolved and permanent:
        facts["defaultDestination"] = BATTLEFIELD


def own_text(state: State, at: Moment, card: Iri) -> None:
    """Whether the record says that the text of a card, keywords aside, bears on nothing that happens to it."""
    node = state.node(card)
    if node is None:
        return
    whole, *cast = state.parts_cast(node, at.faces)
    silent = [part.facts.get("otherText") is False for part in cast or (whole,)]
    if whole.facts.get("otherText") is False or all(silent):
        at.facts["textClosed"] = True


def _whichever_face(state: State, card: Iri) -> bool | None:
    """Whether a spell is a permanent spell where its face is not known: if its faces agree on that."""
    node = state.node(card)
    faces = state.parts(node, "faces") if node is not None else []
    kinds = {not PERMANENT_TYPES.isdisjoint(texts(face.facts, "types")) for face in faces if "types" in face.facts}
    return kinds.pop() if len(kinds) == 1 and all("types" in face.facts for face in faces) else None
