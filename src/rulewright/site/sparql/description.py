"""What the endpoint says of itself: SPARQL 1.1 Service Description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from rulewright.site.negotiation import DATA
from rulewright.site.sparql.formats import ROWS
from rulewright.site.sparql.pool import Limits
from rulewright.store.dataset import PREFIXES

SD = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS = "http://www.w3.org/ns/formats/"
_IRIS = {
    "json": "SPARQL_Results_JSON", "xml": "SPARQL_Results_XML", "csv": "SPARQL_Results_CSV",
    "tsv": "SPARQL_Results_TSV", "ttl": "Turtle", "trig": "TriG", "nt": "N-Triples", "nq": "N-Quads",
    "jsonld": "JSON-LD", "rdf": "RDF_XML",
}  # fmt: skip
"""Suffix of a format -> its name in the W3C's list of unique URIs for file formats."""
DESCRIPTION_PREFIXES = {"rdfs": PREFIXES["rdfs"], "sd": SD}
_LIMITS = {
    "en": "Queries only read: SERVICE and updates are refused. A query may run {time:g} s; an answer has at most "
    "{rows} rows or triples, and says in the header X-SPARQL-MaxRows that there are more.",
    "de": "Abfragen lesen nur: SERVICE und Änderungen werden abgewiesen. Eine Abfrage darf {time:g} s laufen; eine "
    "Antwort hat höchstens {rows} Zeilen oder Tripel und sagt in der Kopfzeile X-SPARQL-MaxRows, dass es mehr gibt.",
}


def describe(endpoint: str, graphs: Iterable[str], limits: Limits) -> Iterator[ox.Triple]:
    """The triples of the description of an endpoint; `graphs`: the named graphs."""
    service, a = ox.NamedNode(endpoint), ox.NamedNode(PREFIXES["rdf"] + "type")
    yield ox.Triple(service, a, _sd("Service"))
    yield ox.Triple(service, _sd("endpoint"), service)
    yield ox.Triple(service, _sd("supportedLanguage"), _sd("SPARQL11Query"))
    for form in (*ROWS, *DATA):
        yield ox.Triple(service, _sd("resultFormat"), ox.NamedNode(_FORMATS + _IRIS[form.suffix]))
    for language, text in _LIMITS.items():
        said = ox.Literal(text.format(time=limits.time, rows=limits.rows), language=language)
        yield ox.Triple(service, ox.NamedNode(PREFIXES["rdfs"] + "comment"), said)
    yield ox.Triple(service, _sd("feature"), _sd("UnionDefaultGraph"))
    dataset, default = (ox.NamedNode(f"{endpoint}#{name}") for name in ("dataset", "default-graph"))
    yield ox.Triple(service, _sd("defaultDataset"), dataset)
    yield ox.Triple(dataset, a, _sd("Dataset"))
    yield ox.Triple(dataset, _sd("defaultGraph"), default)
    yield ox.Triple(default, a, _sd("Graph"))
    for name in graphs:
        node = ox.BlankNode()
        yield ox.Triple(dataset, _sd("namedGraph"), node)
        yield ox.Triple(node, a, _sd("NamedGraph"))
        yield ox.Triple(node, _sd("name"), ox.NamedNode(name))


def _sd(name: str) -> ox.NamedNode:
    return ox.NamedNode(SD + name)
