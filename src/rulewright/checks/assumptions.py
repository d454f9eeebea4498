"""What a user takes as none although a record leaves it out, and which verdicts rest on that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations

from rulewright.checks.verdicts import Verdict
from rulewright.records import Node, Record, Value
from rulewright.vocabulary import GAME, Iri, load_schema

KINDS = ("effects", "text", "keywords", "records")
"""Effects that last; what a card's own text says; keywords; events."""
Judged = Mapping[tuple[Iri, Iri], str]
"""Axiom and event -> the verdict."""


def assumed(record: Record, kinds: Collection[str]) -> Record:
    """The record, with what it leaves out of these kinds stated to be none."""
    nodes = dict(record.nodes)
    for node in record.nodes.values():
        added = _added(record, node, kinds)
        if added:
            nodes[node.iri] = replace(node, facts={**node.facts, **added})
    return replace(record, nodes=nodes)


def _added(record: Record, node: Node, kinds: Collection[str]) -> dict[str, Value]:
    known = {prop.name for prop in load_schema().structures.get(node.kind, {}).values()}
    found: dict[str, Value] = {}
    if node.kind == "Record":
        if "effects" in kinds and "effects" not in node.facts:
            found["effects"] = ()
        if "records" in kinds:
            found["records"] = tuple(Iri(GAME + name) for name in load_schema().event_types)
    if "text" in kinds and "otherText" in known - node.facts.keys():
        found["otherText"] = False
    if "keywords" in kinds and node.kind == "Card" and not _lists_keywords(record, node):
        found["keywords"] = ()
    return found


def _lists_keywords(record: Record, card: Node) -> bool:
    """Whether the card does, or a face of it."""
    faces = card.facts.get("faces", ())
    parts = [record.nodes[Iri(str(face))] for face in faces] if isinstance(faces, tuple) else []
    return any("keywords" in part.facts for part in (card, *parts))


def resting(
    verdicts: Collection[Verdict], kinds: Collection[str], judge: Callable[[Collection[str]], Judged]
) -> list[Verdict]:
    """The verdicts found with all of these kinds assumed, each with the fewest without which it is not found.

    `judge`: what is found where only some are assumed.
    """
    judged = cache(judge)
    ordered = [kind for kind in KINDS if kind in kinds]
    some = [chosen for n in range(len(ordered)) for chosen in combinations(ordered, n)]

    def needed(verdict: Verdict) -> tuple[str, ...]:
        key = verdict.axiom, verdict.focus
        return next((chosen for chosen in some if judged(chosen).get(key) == verdict.verdict), tuple(ordered))

    return [replace(verdict, assumed=needed(verdict)) for verdict in verdicts]
