"""What is attached to what (CR 301.5, 303.4)."""

from __future__ import annotations

from rulewright.records.facts.state import Moment, State
from rulewright.records.facts.values import iri, members
from rulewright.records.graph import Facts
from rulewright.records.model import Node
from rulewright.vocabulary import Iri


def attach(state: State, event: Node) -> None:
    card, host = iri(event.facts.get("card")), iri(event.facts.get("attachedTo"))
    if card is not None:
        state.attached.pop(card, None)
        if host is not None:
            state.attached[card] = (host, event.iri)


def detach(state: State, event: Node) -> None:
    if (card := iri(event.facts.get("card"))) is not None:
        state.attached.pop(card, None)


def host_left(state: State, at: Moment) -> None:
    """Whether a card moves because what it was attached to left (CR 704.5m, 704.5n)."""
    if at.card is not None and at.card in state.lost_host:
        at.facts["hostLeft"] = at.facts.get("cause") == state.lost_host[at.card]


def left(state: State, event: Node, host: Iri) -> None:
    """What was attached to an object that changes zones is attached to nothing (CR 704.5m, 704.5n)."""
    state.attached.pop(host, None)
    for card, (to, since) in list(state.attached.items()):
        if to == host:
            del state.attached[card]
            _ended(state, event, card, host, since)
            state.lost_host[card] = event.iri


def _ended(state: State, event: Node, card: Iri, host: Iri, since: Iri) -> None:
    """An attachment that has come to its end, as a node of its own (CR 704.5n)."""
    state.attachments += 1
    facts: Facts = {"inRecord": state.record.id, "card": card, "host": host, "focusEvent": event.iri,
                    "order": state.order[event.iri], "attachedSince": since}
    node = state.node(card)
    if node is not None and "subtypes" in node.facts:
        subtypes = members(node.facts, "subtypes")
        facts["subtypes"], facts["subtypesCount"] = subtypes, len(subtypes)
    state.graph.add(Iri(f"{event.iri}/attachment/{state.attachments}"), "Attachment", facts)
