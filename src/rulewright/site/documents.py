"""The document of a thing: what is said of it and of the hash IRIs in it, and, in short, what points at it.

The triples are the same in every format. Formats that know named graphs also say in which graph each stands.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import pyoxigraph as ox

from rulewright.site.context import Site
from rulewright.site.sparql.formats import RDF, check_xml, in_order, used_prefixes
from rulewright.store.dataset import GRAPH, PREFIXES
from rulewright.vocabulary import BASE

POINTING: Final = 1000
"""Triples in which a thing is the object, that its document has at most."""
_A: Final = PREFIXES["rdf"] + "type"
_OWN: Final = "SELECT ?g ?s ?p ?o WHERE { VALUES ?s { %s } GRAPH ?g { ?s ?p ?o } }"
_POINTING: Final = f"SELECT ?g ?s ?p WHERE {{ GRAPH ?g {{ ?s ?p %s }} FILTER(ISIRI(?s)) }} LIMIT {POINTING + 1}"
_HASHES: Final = f"""SELECT DISTINCT ?s WHERE {{
    ?s ?p ?o FILTER(ISIRI(?s) && STRSTARTS(STR(?s), "{BASE}") && CONTAINS(STR(?s), "#"))
}}"""


@dataclass(frozen=True)
class Document:
    """`own`: what is said of the thing and of what is in its document; `pointing`: what points at it; `cut`: not all
    of that."""

    iri: str
    own: tuple[ox.Quad, ...]
    pointing: tuple[ox.Quad, ...]
    cut: bool

    @property
    def path(self) -> str:
        """Below the base."""
        return self.iri.removeprefix(BASE)

    @cached_property
    def facts(self) -> dict[str, dict[str, list[Any]]]:
        """Subject -> predicate -> values."""
        found: dict[str, dict[str, list[Any]]] = {}
        for quad in dict.fromkeys(q.triple for q in self.own):
            subject = quad.subject.value if isinstance(quad.subject, ox.NamedNode) else str(quad.subject)
            found.setdefault(subject, {}).setdefault(quad.predicate.value, []).append(quad.object)
        return found

    def values(self, predicate: str, subject: str | None = None) -> list[str]:
        """IRIs and texts that it says, whatever their language."""
        found = self.facts.get(subject or self.iri, {}).get(predicate, ())
        return [v.value for v in found if isinstance(v, (ox.NamedNode, ox.Literal))]

    def value(self, predicate: str) -> str:
        return next(iter(self.values(predicate)), "")

    def texts(self, predicate: str, subject: str | None = None) -> dict[str, str]:
        """By language."""
        found = self.facts.get(subject or self.iri, {}).get(predicate, ())
        return {v.language or "": v.value for v in found if isinstance(v, ox.Literal)}

    @property
    def types(self) -> list[str]:
        return self.values(_A)


def find(site: Site, iri: str) -> Document | None:
    """The document of a thing; None where nothing is said of it."""
    made: Document | None = site.kept.get(("document", iri), lambda: _find(site, iri))
    return made


def _find(site: Site, iri: str) -> Document | None:
    try:
        node = ox.NamedNode(iri)
    except ValueError:
        return None
    if "#" in iri:
        return None
    subjects = [node, *(ox.NamedNode(h) for h in _hashes(site).get(iri, ()))]
    own: dict[ox.Quad, None] = {}
    for start in range(0, len(subjects), 200):
        asked = " ".join(map(str, subjects[start : start + 200]))
        own.update(dict.fromkeys(_quads(site.dataset.rows(_OWN.replace("%s", asked)))))
    if not own:
        return None
    blank = {q.graph_name for q in own if isinstance(q.object, ox.BlankNode)}
    for graph in blank:
        if isinstance(graph, ox.NamedNode):
            own = {q: None for q in own if q.graph_name != graph}
            own.update(dict.fromkeys(_described(site, graph, subjects)))
    rows = site.dataset.rows(_POINTING.replace("%s", str(node)))
    pointing = [ox.Quad(row["s"], row["p"], node, row["g"]) for row in rows]
    inside = set(subjects)
    shown = [q for q in pointing[:POINTING] if q.subject not in inside]
    if all(graph.value.startswith(GRAPH) for graph in blank if isinstance(graph, ox.NamedNode)):
        own = dict.fromkeys(steady(own))  # not what anyone else made: finding names can take long
    return Document(iri, tuple(sorted(own, key=_order)), tuple(sorted(shown, key=_order)), len(pointing) > POINTING)


def steady(quads: Iterable[ox.Quad]) -> list[ox.Quad]:
    """In order, with names of blank nodes that are the same whenever it is read (RDF Dataset Canonicalization)."""
    found = list(dict.fromkeys(quads))
    renamed = ox.Dataset(q for q in found if isinstance(q.subject, ox.BlankNode) or isinstance(q.object, ox.BlankNode))
    rest = [q for q in found if q not in renamed]
    renamed.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return sorted((*rest, *renamed), key=_order)


def _quads(rows: Iterable[Any]) -> Iterator[ox.Quad]:
    for row in rows:
        yield ox.Quad(row["s"], row["p"], row["o"], row["g"])


def _described(site: Site, graph: ox.NamedNode, subjects: Iterable[ox.NamedNode]) -> Iterator[ox.Quad]:
    """What a graph says of these, and of the blank nodes in that: no query can name those."""
    by_subject: dict[Any, list[ox.Triple]] = {}
    for triple in site.dataset.triples(graph.value):
        by_subject.setdefault(triple.subject, []).append(triple)
    waiting: list[Any] = list(subjects)
    seen = set(waiting)
    while waiting:
        for triple in by_subject.get(waiting.pop(), ()):
            yield ox.Quad(triple.subject, triple.predicate, triple.object, graph)
            if isinstance(triple.object, ox.BlankNode) and triple.object not in seen:
                seen.add(triple.object)
                waiting.append(triple.object)


def _hashes(site: Site) -> dict[str, list[str]]:
    """Document -> the hash IRIs in it. Only the project's own graphs have any."""

    def make() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        if graphs := site.project_graphs:
            for row in site.dataset.rows(_HASHES, default_graphs=graphs):
                hashed = row["s"].value
                found.setdefault(hashed.partition("#")[0], []).append(hashed)
        return {document: sorted(hashes) for document, hashes in found.items()}

    made: dict[str, list[str]] = site.once.get("hashes", make)
    return made


def _order(quad: ox.Quad) -> tuple[Any, ...]:
    return (*in_order(quad.triple), str(quad.graph_name))


def written(quads: Iterable[ox.Quad], suffix: str) -> bytes:
    """Quads in the format of that suffix. Raises ValueError for what the format cannot say."""
    form = RDF[suffix]
    out = io.BytesIO()
    items: list[ox.Quad] | list[ox.Triple] = list(quads)
    triples = list(dict.fromkeys(q.triple for q in items if isinstance(q, ox.Quad)))
    prefixes = used_prefixes(triples)
    # JSON-LD could, but who reads it as one graph would not find what stands in others
    if not form.supports_datasets or form == ox.RdfFormat.JSON_LD:
        items = sorted(triples, key=in_order)
    if form == ox.RdfFormat.RDF_XML:
        check_xml(triples)
    ox.serialize(items, out, format=form, prefixes=prefixes)
    return out.getvalue()
