"""JSON-LD documents: which are our plain form, which go to the RDF parser, and what that parser would drop.

The parser says nothing of a value that it drops: a key without a term, `null`, an empty set, a word that is no IRI.
So values are counted, in the document and in what comes out of it. Where the numbers differ each entry is tried: the
document is cut down to the entry and the nodes around it, and parsed with and without.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice

import pyoxigraph as ox

from rulewright.records.context import CONTEXT, context
from rulewright.records.model import Problem, RecordError
from rulewright.records.quads import FIRST, NIL, REST
from rulewright.records.rdf import BASE_IRI

_KEYWORDS = frozenset({"@context", "@id", "@type", "@value", "@language", "@direction", "@index", "@base", "@vocab"})
"""Entries that say what an object is, and stay when it is cut down."""
_WITNESS = {"urn:x-witness": "1"}
_MANY = 20
_MEMORY = 10_000

Step = Callable[[object], object]
Outcome = tuple[object, ...]
Size = tuple[int, int]


def is_jsonld(value: object) -> bool:
    """Whether a JSON document has JSON-LD keywords on top."""
    members = value if isinstance(value, list) else [value]
    return any(key.startswith("@") for member in members if isinstance(member, dict) for key in member)


def plain_records(value: object) -> list[object] | None:
    """The records of a document whose only context is ours, which is the plain form; None for any other JSON-LD."""
    found: list[object] = []
    for member in value if isinstance(value, list) else [value]:
        if not isinstance(member, dict) or not is_jsonld(member):
            found.append(member)
            continue
        if member.get("@context") not in (CONTEXT, [CONTEXT]):
            return None
        rest = {key: entry for key, entry in member.items() if key != "@context"}
        if is_jsonld(rest):
            graph = rest.get("@graph")
            if list(rest) != ["@graph"] or not isinstance(graph, list) or is_jsonld(graph):
                return None
            found += graph
        else:
            found.append(rest)
    return found


def quads(document: object, source: str) -> list[ox.Quad]:
    """All quads of a JSON-LD document; a RecordError names what would be fetched, and each value that is dropped."""
    document, remote = _local(document, "")
    if remote:
        raise RecordError([Problem(source, place, problem) for place, problem in remote[:_MANY]])
    try:
        found = list(_parse(document))
    except SyntaxError as error:
        raise RecordError([Problem(source, "", f"no JSON-LD: {error.msg}")]) from None
    probe = _Probe(document)
    if probe.count(document) != _values(found):
        lost = list(islice(probe.lost(), _MANY + 1))
        problems = [Problem(source, place, problem) for place, problem in lost[:_MANY]]
        if len(lost) > _MANY:
            problems.append(Problem(source, "", "and more values would be dropped"))
        if problems:
            raise RecordError(problems)
    return found


def _parse(document: object) -> Iterator[ox.Quad]:
    return iter(ox.parse(json.dumps(document), format=ox.RdfFormat.JSON_LD, base_iri=BASE_IRI))


def _local(value: object, place: str) -> tuple[object, list[tuple[str, str]]]:
    """The document with our context in place of its IRI, and the contexts that would have to be fetched."""
    remote: list[tuple[str, str]] = []
    if isinstance(value, list):
        pairs = [_local(item, f"{place}[{n}]") for n, item in enumerate(value)]
        return [item for item, _ in pairs], [r for _, rs in pairs for r in rs]
    if not isinstance(value, dict):
        return value, []
    found: dict[str, object] = {}
    for key, entry in value.items():
        where = f"{place}.{key}" if place else key
        if key == "@context":
            parts = []
            for part in entry if isinstance(entry, list) else [entry]:
                if isinstance(part, str) and part != CONTEXT:
                    remote.append((where, f"the context {part} is not fetched: write it into the document"))
                parts.append(context() if part == CONTEXT else part)
            if any(isinstance(part, dict) and "@import" in part for part in parts):
                remote.append((where, "@import is not fetched: write the context into the document"))
            found[key] = parts if isinstance(entry, list) else parts[0]
        else:
            found[key], more = _local(entry, where)
            remote += more
    return found, remote


def _values(found: list[ox.Quad]) -> Size:
    """How many values came out, and how many empty lists. Links to lists and from cell to cell are not counted."""
    cells = {q.subject for q in found if isinstance(q.subject, ox.BlankNode) and q.predicate in (FIRST, REST)}
    stated = [q.object for q in found if q.object not in cells and not (q.predicate == REST and q.subject in cells)]
    empty = stated.count(NIL)
    return len(stated) - empty, empty


class _Probe:
    def __init__(self, document: object) -> None:
        self.document = document
        aliases = list(_aliases(document))
        self.kept = _KEYWORDS | {term for term, _ in aliases}
        self.types = {"@type"} | {term for term, target in aliases if target == "@type"}
        self.ids = {"@id"} | {term for term, target in aliases if target == "@id"}
        self.outcomes: dict[str, tuple[Size, Outcome]] = {}

    def count(self, document: object) -> Size:
        """How many values and empty lists a document has: at least as many as can come out of it."""
        empty = 0

        def of_node(node: object) -> int:
            if not isinstance(node, dict):
                return 1
            total = 0
            for key, entry in node.items():
                if key in ("@graph", "@included"):
                    total += sum(of_node(member) for member in _listed(entry))
                elif key in self.types:
                    total += len(_listed(entry))
                elif key in ("@index", "@direction"):
                    total += 1
                elif key not in self.kept:
                    total += of_members(entry)
            return total

        def of_members(entry: object) -> int:
            nonlocal empty
            total = 0
            empty += entry == []
            for value in _listed(entry):
                if not isinstance(value, dict) or "@value" in value:
                    total += 1
                elif "@list" in value:
                    total += of_members(value["@list"])
                else:
                    total += 1 + of_node(value)
            return total

        return sum(of_node(member) for member in _listed(document)), empty

    def lost(self) -> Iterator[tuple[str, str]]:
        """Place and problem of each entry that leaves no trace."""
        if isinstance(self.document, list):
            for number, item in enumerate(self.document):
                if isinstance(item, dict):
                    yield from self._object(item, lambda inner: [inner], f"[{number}]")
                else:
                    yield f"[{number}]", _said(item)
        elif isinstance(self.document, dict):
            yield from self._object(self.document, lambda inner: inner, "")

    def _parsed(self, document: object) -> tuple[Size, Outcome]:
        text = json.dumps(document)
        if len(self.outcomes) > _MEMORY:
            self.outcomes.clear()
        if text not in self.outcomes:
            try:
                found = list(_parse(document))
                terms = ((q.subject, q.predicate, q.object, q.graph_name) for q in found)
                outcome = sorted(tuple("_" if isinstance(t, ox.BlankNode) else str(t) for t in quad) for quad in terms)
                self.outcomes[text] = _values(found), tuple(outcome)
            except SyntaxError as error:
                self.outcomes[text] = (-1, 0), (str(error.msg),)
        return self.outcomes[text]

    def _outcome(self, document: object) -> Outcome:
        return self._parsed(document)[1]

    def _whole(self, document: object) -> bool:
        return self._parsed(document)[0] == self.count(document)

    def _head(self, value: dict[str, object]) -> dict[str, object]:
        return {key: entry for key, entry in value.items() if key in self.kept}

    def _object(self, value: dict[str, object], wrap: Step, place: str) -> Iterator[tuple[str, str]]:
        head = self._head(value)
        for key in head.keys() & self.ids:
            # An id that is no IRI takes its whole node along.
            bare = {k: e for k, e in head.items() if k in ("@context", key)}
            if not any(_WITNESS.keys() & {part.strip("<>") for part in quad if isinstance(part, str)}
                       for quad in self._outcome(wrap({**bare, **_WITNESS})) if isinstance(quad, tuple)):
                yield f"{place}.{key}" if place else key, _said(head[key])
                return
        for key, entry in value.items():
            where = f"{place}.{key}" if place else key
            if key in ("@context", "@base", "@vocab"):
                continue
            if key in head and str(entry).startswith("_:"):
                continue
            if key in head:
                without = {k: e for k, e in head.items() if k != key}
                if all(self._outcome(wrap({**head, **more})) == self._outcome(wrap({**without, **more}))
                       for more in ({}, _WITNESS)):
                    yield where, _said(entry)
                continue

            def inside(inner: object, key: str = key) -> object:
                return wrap({**head, key: inner})

            if isinstance(entry, list) and entry:
                for number, item in enumerate(entry):
                    yield from self._entry(item, lambda inner: inside([inner]), inside([]), None, f"{where}[{number}]")
            else:
                yield from self._entry(entry, inside, inside([]), wrap(head), where)

    def _entry(
        self, value: object, wrap: Step, empty: object, absent: object | None, place: str
    ) -> Iterator[tuple[str, str]]:
        if self._whole(wrap(value)):
            return
        outcome = self._outcome(wrap(value))
        others = [absent] if absent is not None else []
        if value != [] and not (isinstance(value, dict) and "@list" in value):
            others.append(empty)
        if any(outcome == self._outcome(other) for other in others):
            yield place, _said(value)
        elif isinstance(value, dict):
            yield from self._object(value, wrap, place)
        elif isinstance(value, list):
            for number, item in enumerate(value):
                yield from self._entry(item, lambda inner: wrap([inner]), wrap([]), None, f"{place}[{number}]")


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _aliases(value: object) -> Iterator[tuple[str, str]]:
    """Terms that any context of the document makes names of keywords (`"id": "@id"`)."""
    if isinstance(value, list):
        for item in value:
            yield from _aliases(item)
    elif isinstance(value, dict):
        for key, entry in value.items():
            target = entry.get("@id") if isinstance(entry, dict) else entry
            if isinstance(target, str) and target in _KEYWORDS:
                yield key, target
            yield from _aliases(entry)


def _said(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    text = text if len(text) <= 60 else text[:57] + "…"
    mend = {
        "null": 'null says nothing in JSON-LD: for no mana cost, permission or replacement write {"@id": "https://w3id.org/rulewright/game#none"}',
        "[]": 'an empty set says nothing in JSON-LD: write {"@list": []}',
    }.get(text, "its context has no term for it, or the value is no IRI there")
    return f"{text} would be dropped: {mend}"
