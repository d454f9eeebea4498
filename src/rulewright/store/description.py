"""A dataset described: how much of what is in it, and under what terms (VoID, DCAT 3).

The description is a graph of its own, `https://w3id.org/rulewright/graph/description`, and counts all but itself. The
same data get the same description: it says nothing of the time at which it was made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from rulewright.store.dataset import DESCRIPTION, GRAPH, PREFIXES, SOURCE, Dataset, format_of
from rulewright.version import __version__
from rulewright.vocabulary import BASE, RDF

DATASET = BASE + "dataset"
LICENCE = "https://creativecommons.org/publicdomain/zero/1.0/"
_MEDIA = "https://www.iana.org/assignments/media-types/"
_PACKED = {".gz": _MEDIA + "application/gzip", ".zst": _MEDIA + "application/zstd"}
_TYPE = RDF + "type"
_WORDS = {
    "title": ("rulewright: Magic's rulings as linked data", "rulewright: Magic-Regelerläuterungen als Linked Data"),
    "description": (
        "Rulings, what they mean, the rules of the Comprehensive Rules on which they rest, whatever their numbers were "
        "in which edition, keywords, and what all these demand of a game.",
        "Regelerläuterungen, was sie bedeuten, die Regeln der Comprehensive Rules, auf denen sie beruhen, unter "
        "welchen Nummern in welcher Ausgabe auch immer, Schlüsselwörter und was all dies von einem Spiel verlangt.",
    ),
    "ours": (
        "Dedicated to the public domain under CC0 1.0. Names of cards, keywords and the game belong to Wizards of the "
        "Coast; this is unofficial Fan Content.",
        "Unter CC0 1.0 gemeinfrei gestellt. Die Namen von Karten, Schlüsselwörtern und dem Spiel gehören Wizards of "
        "the Coast; dies ist inoffizieller Fan-Inhalt.",
    ),
    "theirs": (
        "From a user's own file, not part of the project. The wordings belong to those who wrote them; no licence is "
        "given.",
        "Aus einer Datei des Benutzers, kein Teil des Projekts. Die Wortlaute gehören denen, die sie verfasst haben; "
        "eine Lizenz wird nicht erteilt.",
    ),
    "mixed": (
        "Graphs of the project are in the public domain (CC0 1.0); graphs of ingested sources are not: each graph says "
        "which holds.",
        "Graphen des Projekts sind gemeinfrei (CC0 1.0), Graphen eingelesener Quellen nicht: Jeder Graph sagt, was "
        "gilt.",
    ),
}


@dataclass
class _Counts:
    """Of distinct triples, except by graph."""

    subjects: int
    objects: int
    properties: dict[str, int]
    classes: dict[str, int]
    graphs: dict[str, int]

    @property
    def triples(self) -> int:
        return sum(self.properties.values())


def described(dataset: Dataset, file: Path | None = None) -> Iterator[ox.Quad]:
    """All quads of a dataset, and those of its description in the place of an older one."""
    yield from (q for q in dataset.quads() if not _is_description(q))
    yield from describe(dataset, file)


def describe(dataset: Dataset, file: Path | None = None) -> list[ox.Quad]:
    """The quads of the description; `file`: the one that it will stand in."""
    # an older description must not be counted, and no query can leave out one graph of all
    older = DESCRIPTION in dataset
    counts = _counted(q for q in dataset.quads() if not _is_description(q)) if older else _asked(dataset)
    graph = ox.NamedNode(DESCRIPTION)
    return [ox.Quad(t.subject, t.predicate, t.object, graph) for t in _triples(counts, file)]


def _counted(quads: Iterable[ox.Quad]) -> _Counts:
    graphs: Counter[str] = Counter()
    distinct = set()
    for quad in quads:
        if isinstance(quad.graph_name, ox.NamedNode):
            graphs[quad.graph_name.value] += 1
        distinct.add((quad.subject, quad.predicate.value, quad.object))
    classes = Counter(o.value for _, p, o in distinct if p == _TYPE and isinstance(o, ox.NamedNode))
    return _Counts(
        len({s for s, _, _ in distinct}), len({o for _, _, o in distinct}),
        Counter(p for _, p, _ in distinct), classes, graphs,
    )  # fmt: skip


def _asked(dataset: Dataset) -> _Counts:
    """The same by queries: a large dataset is not held in memory, and other threads may run meanwhile."""

    def number(query: str) -> int:
        return _numbers(dataset, f"SELECT (1 AS ?of) (COUNT(*) AS ?n) WHERE {{ {query} }}")["1"]

    used = [row["p"].value for row in dataset.rows("SELECT DISTINCT ?p WHERE { ?s ?p ?o }")]
    # one property after the other: all the triples need not be told apart at once
    properties = {p: number(f"SELECT DISTINCT ?s ?o WHERE {{ ?s {ox.NamedNode(p)} ?o }}") for p in used}
    classes = "SELECT ?of (COUNT(DISTINCT ?s) AS ?n) WHERE { ?s a ?of FILTER(ISIRI(?of)) } GROUP BY ?of"
    graphs = "SELECT ?of (COUNT(*) AS ?n) WHERE { GRAPH ?of { ?s ?p ?o } } GROUP BY ?of"
    return _Counts(
        number("SELECT DISTINCT ?s WHERE { ?s ?p ?o }"), number("SELECT DISTINCT ?o WHERE { ?s ?p ?o }"),
        properties, _numbers(dataset, classes), _numbers(dataset, graphs),
    )  # fmt: skip


def _numbers(dataset: Dataset, query: str) -> dict[str, int]:
    return {row["of"].value: int(row["n"].value) for row in dataset.rows(query)}


def _is_description(quad: ox.Quad) -> bool:
    return isinstance(quad.graph_name, ox.NamedNode) and quad.graph_name.value == DESCRIPTION


def _triples(counts: _Counts, file: Path | None) -> Iterator[ox.Triple]:
    node = ox.NamedNode(DATASET)
    theirs = any(g.startswith(SOURCE) for g in counts.graphs)
    yield ox.Triple(node, ox.NamedNode(_TYPE), _term("void:Dataset"))
    yield ox.Triple(node, ox.NamedNode(_TYPE), _term("dcat:Dataset"))
    yield from _said(node, "dcterms:title", "title")
    yield from _said(node, "dcterms:description", "description")
    yield from _said(node, "dcterms:rights", "mixed" if theirs else "ours")
    if not theirs:
        yield ox.Triple(node, _term("dcterms:license"), ox.NamedNode(LICENCE))
    yield ox.Triple(node, _term("dcat:version"), ox.Literal(__version__))
    for language in ("en", "de"):
        yield ox.Triple(node, _term("dcterms:language"), ox.Literal(language))
    yield ox.Triple(node, _term("void:uriSpace"), ox.Literal(BASE))
    for name, number in (
        ("triples", counts.triples), ("distinctSubjects", counts.subjects),
        ("distinctObjects", counts.objects), ("properties", len(counts.properties)),
        ("classes", len(counts.classes)),
    ):  # fmt: skip
        yield ox.Triple(node, _term(f"void:{name}"), _number(number))
    spaces = {_namespace(iri) for iri in (*counts.properties, *counts.classes)}
    for space in sorted(spaces - {""}):
        yield ox.Triple(node, _term("void:vocabulary"), ox.NamedNode(space))
    yield from _parts(node, "class", "entities", counts.classes)
    yield from _parts(node, "property", "triples", counts.properties)
    for name in sorted(counts.graphs):
        yield from _graph(node, name, counts.graphs[name])
    if file is not None:
        yield from _distribution(node, file)


def _parts(node: ox.NamedNode, kind: str, counted: str, counts: Mapping[str, int]) -> Iterator[ox.Triple]:
    """One part of the dataset for each class or property (VoID §4.5)."""
    for iri in sorted(counts):
        part = ox.NamedNode(f"{DATASET}#{kind}-{_short(iri)}")
        yield ox.Triple(node, _term(f"void:{kind}Partition"), part)
        yield ox.Triple(part, _term(f"void:{kind}"), ox.NamedNode(iri))
        yield ox.Triple(part, _term(f"void:{counted}"), _number(counts[iri]))


def _graph(node: ox.NamedNode, name: str, triples: int) -> Iterator[ox.Triple]:
    # A graph of the project is named after a file; the graph of a source is also its node, and has its own type there.
    graph = ox.NamedNode(name)
    yield ox.Triple(node, _term("void:subset"), graph)
    yield ox.Triple(graph, ox.NamedNode(_TYPE), _term("void:Dataset"))
    yield ox.Triple(graph, _term("void:triples"), _number(triples))
    if name.startswith(GRAPH):
        yield ox.Triple(graph, _term("dcterms:license"), ox.NamedNode(LICENCE))
    elif name.startswith(SOURCE):
        yield from _said(graph, "dcterms:rights", "theirs")


def _distribution(node: ox.NamedNode, file: Path) -> Iterator[ox.Triple]:
    form, packed = format_of(file)
    part = ox.NamedNode(f"{DATASET}#distribution-{form.file_extension}{packed.replace('.', '-')}")
    yield ox.Triple(node, _term("dcat:distribution"), part)
    yield ox.Triple(part, ox.NamedNode(_TYPE), _term("dcat:Distribution"))
    yield ox.Triple(part, _term("dcterms:format"), ox.Literal(form.name))
    yield ox.Triple(part, _term("dcat:mediaType"), ox.NamedNode(_MEDIA + form.media_type.split(";", maxsplit=1)[0]))
    if packed:
        yield ox.Triple(part, _term("dcat:compressFormat"), ox.NamedNode(_PACKED[packed]))


def _said(node: ox.NamedNode, predicate: str, words: str) -> Iterator[ox.Triple]:
    for language, text in zip(("en", "de"), _WORDS[words], strict=True):
        yield ox.Triple(node, _term(predicate), ox.Literal(text, language=language))


def _namespace(iri: str) -> str:
    """The vocabulary of a term: its IRI up to the last `#` or `/`, our own without the `#`; nothing for a URN."""
    space = iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
    return space.removesuffix("#") if space.startswith(BASE) else space


def _short(iri: str) -> str:
    """A term as a part of an IRI: with its prefix, or all of it with what may not stand there replaced."""
    for prefix, space in PREFIXES.items():
        if iri.startswith(space) and iri != space:
            return f"{prefix}-{re.sub(r'[^A-Za-z0-9]+', '-', iri[len(space) :])}"
    return re.sub(r"[^A-Za-z0-9]+", "-", iri.split("://", 1)[-1])


def _term(name: str) -> ox.NamedNode:
    prefix, _, local = name.partition(":")
    return ox.NamedNode(PREFIXES[prefix] + local)


def _number(value: int) -> ox.Literal:
    return ox.Literal(str(value), datatype=ox.NamedNode(PREFIXES["xsd"] + "integer"))
