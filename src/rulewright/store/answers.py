"""What a server answers, as the embedded store would have answered it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pyoxigraph as ox

from rulewright.store.endpoint import Reply
from rulewright.store.protocol import Row, StoreError

_BOOLEAN = ox.NamedNode("http://www.w3.org/2001/XMLSchema#boolean")
_JSON = "in SPARQL 1.1's JSON format"
_FORMATS = {
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/turtle": ox.RdfFormat.TURTLE,
    "application/x-turtle": ox.RdfFormat.TURTLE,
    "text/n3": ox.RdfFormat.TURTLE,
    "text/rdf+n3": ox.RdfFormat.TURTLE,
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "text/ntriples": ox.RdfFormat.N_TRIPLES,
    "text/plain": ox.RdfFormat.N_TRIPLES,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
    "application/ld+json": ox.RdfFormat.JSON_LD,
}
"""What CONSTRUCT may be answered in. Virtuoso's N3 is Turtle."""


def solutions(reply: Reply, address: str) -> ox.QuerySolutions | ox.QueryBoolean:
    """The answer to SELECT or ASK (SPARQL 1.1 Query Results JSON). Raises StoreError for what is none."""
    with _well_formed(reply, address):
        text = _mended(reply)
        answer = ox.parse_query_results(text, format=ox.QueryResultsFormat.JSON)
        if isinstance(answer, ox.QueryBoolean):
            return answer
        for _ in answer:  # what is wrong in a row would come up only where it is read
            pass
        again = ox.parse_query_results(text, format=ox.QueryResultsFormat.JSON)
        assert isinstance(again, ox.QuerySolutions)
        return again


def rows(reply: Reply, address: str) -> Sequence[Row]:
    """The answer to SELECT."""
    with _well_formed(reply, address):
        answer = ox.parse_query_results(_mended(reply), format=ox.QueryResultsFormat.JSON)
        if isinstance(answer, ox.QuerySolutions):
            return list(answer)
    raise _malformed(address, _JSON, reply)


def triples(reply: Reply, address: str) -> ox.QueryTriples:
    """The answer to CONSTRUCT or DESCRIBE. Raises StoreError for what is none."""
    form = _FORMATS.get(reply.media_type)
    if form is None:
        raise _malformed(address, "a graph", reply)
    store = ox.Store()
    try:
        store.extend(ox.Quad(*(_whole(t) for t in quad.triple)) for quad in ox.parse(reply.body, format=form))
    except (SyntaxError, ValueError):
        raise _malformed(address, form.name, reply) from None
    found = store.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
    assert isinstance(found, ox.QueryTriples)
    return found


def _mended(reply: Reply) -> str:
    """The answer to SELECT or ASK, as the standard has it. Raises what `_well_formed` takes for one that is none."""
    found = json.loads(reply.body)
    for binding in found.get("results", {}).get("bindings", ()):
        for term in binding.values():
            _mend(term)
    if found["head"].get("vars") == ["__ASK_RETVAL"]:  # Virtuoso's yes, or no row for no
        values = [row["__ASK_RETVAL"]["value"] for row in found["results"]["bindings"]]
        found = {"boolean": values not in ([], ["0"], ["false"])}
    if "boolean" in found:
        found = {"head": {}, "boolean": found["boolean"]}
    return json.dumps(found)


@contextmanager
def _well_formed(reply: Reply, address: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, SyntaxError, RecursionError):
        raise _malformed(address, _JSON, reply) from None


def _mend(term: dict[str, Any]) -> None:
    """Virtuoso says `typed-literal`, 1 for true, and `nodeID://b1` for a blank node (§3.2.2)."""
    if term["type"] == "typed-literal":
        term["type"] = "literal"
    elif term["type"] == "bnode":
        term["value"] = term["value"].replace("nodeID://", "")
    if term.get("datatype") == _BOOLEAN.value:
        term["value"] = _truth(term["value"])


def _whole(term: Any) -> Any:
    if isinstance(term, ox.Literal) and term.datatype == _BOOLEAN:
        return ox.Literal(_truth(term.value), datatype=_BOOLEAN)
    return term


def _truth(value: str) -> str:
    return {"1": "true", "0": "false"}.get(value, value)


def _malformed(address: str, what: str, reply: Reply) -> StoreError:
    return StoreError(address, f"the answer is not {what}: {reply.start!r}",
                      "is this the address of a SPARQL 1.1 query endpoint?")  # fmt: skip
