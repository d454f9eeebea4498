"""A store behind a SPARQL 1.1 endpoint, in a named graph of its own."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Sequence
from http.client import HTTPException
from itertools import islice

import pyoxigraph as ox

from rulewright.store.answers import rows
from rulewright.store.endpoint import Endpoint
from rulewright.store.protocol import Row, StoreError

BATCH = 500
"""Triples an INSERT DATA: Virtuoso compiles an update whole, and refuses one that is too long."""


class Remote:
    """`update`: where updates go, if not to `endpoint` (Virtuoso: `/sparql-auth`, Oxigraph: `/update`).

    `graph`: the named graph; by default a new one, so that runs on one server do not see each other. `timeout`: seconds
    without an answer. With `user` and `password`, a server that asks for them gets them. Raises StoreError.
    """

    exact = False

    def __init__(
        self, endpoint: str, update: str | None = None, graph: str | None = None,
        user: str | None = None, password: str | None = None, timeout: int = 60,
    ) -> None:  # fmt: skip
        self._server = Endpoint(endpoint, update, None, user, password, timeout)
        self.endpoint = endpoint
        self.graph = ox.NamedNode(graph or f"urn:rulewright:run:{uuid.uuid4()}")

    def add(self, triples: Iterable[ox.Triple]) -> None:
        self.load(f"{triple} .\n" for triple in triples)

    def load(self, lines: Iterable[str]) -> None:
        remaining = iter(lines)
        while batch := "".join(islice(remaining, BATCH)):
            self._server.update(f"INSERT DATA {{ GRAPH {self.graph} {{\n{batch}}} }}", again=True)

    def clear(self) -> None:
        self._server.update(f"DROP SILENT GRAPH {self.graph}", again=True)

    def select(self, query: str) -> Sequence[Row]:
        reply = self._server.query(query, "SELECT", [("default-graph-uri", self.graph.value)])
        return rows(reply, self.endpoint)

    def query(
        self, sparql: str, default_graphs: Sequence[str] = (), named_graphs: Sequence[str] = ()
    ) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """The answer to a query, of all that the server has, and not of this store's graph; rows as they come in.

        Without `default_graphs` and `named_graphs` the server chooses what is asked. The prefixes of PREFIXES need no
        declaration. Raises SyntaxError for what the server takes for no query, StoreError where it fails.
        """
        from rulewright.store.queries import PREFIXES, form_of

        by_rows = form_of(sparql) in ("SELECT", "ASK")
        undeclared = (
            f"PREFIX {name}: <{iri}> " for name, iri in PREFIXES.items()
            if re.search(rf"\b{name}:", sparql) and not re.search(rf"\bPREFIX\s+{name}:", sparql, re.IGNORECASE)
        )  # fmt: skip
        fields = [("query", "".join(undeclared) + sparql)]
        fields += [("default-graph-uri", graph) for graph in default_graphs]
        fields += [("named-graph-uri", graph) for graph in named_graphs]
        accept = "application/sparql-results+json" if by_rows else "application/n-triples, text/turtle;q=0.5"
        response = self._server.stream(fields, accept)
        try:
            if by_rows:
                return ox.parse_query_results(response, format=ox.QueryResultsFormat.JSON)
            form = ox.RdfFormat.from_media_type(response.headers.get_content_type()) or ox.RdfFormat.N_TRIPLES
            # pyoxigraph makes results of a graph only by a query
            graph = ox.Store()
            graph.extend(ox.Quad(q.subject, q.predicate, q.object) for q in ox.parse(response, format=form))
            made = graph.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
        except (SyntaxError, ValueError, OSError, HTTPException) as error:
            raise StoreError(self.endpoint, f"the answer cannot be read: {' '.join(str(error).split())[:200]}",
                             "is this the address of a SPARQL 1.1 query endpoint?") from None
        assert isinstance(made, ox.QueryTriples)
        return made
