"""A store behind a SPARQL 1.1 endpoint (SPARQL 1.1 Protocol §2), in a named graph of its own.

SPARQLWrapper, which imports rdflib, is imported only when a store is made.
"""

from __future__ import annotations

import json
import re
import urllib.error
import uuid
from collections.abc import Iterable, Iterator, Sequence
from http.client import HTTPException
from itertools import islice
from typing import Any
from urllib.parse import urlencode, urlsplit

import pyoxigraph as ox

from rulewright.store.protocol import Row, StoreError

BATCH = 500
"""Triples an INSERT DATA: Virtuoso compiles an update whole, and refuses one that is too long."""
_BOOLEAN = "http://www.w3.org/2001/XMLSchema#boolean"
Answer = dict[str, "ox.NamedNode | ox.BlankNode | ox.Literal | None"]


class Remote:
    """`update`: where updates go, if not to `endpoint` (Virtuoso: `/sparql-auth`, Oxigraph: `/update`).

    `graph`: the named graph; by default a new one, so that runs on one server do not see each other. `timeout`: seconds
    without an answer. With `user` and `password`, updates are authenticated (HTTP digest). Raises StoreError.
    """

    exact = False

    def __init__(
        self, endpoint: str, update: str | None = None, graph: str | None = None,
        user: str | None = None, password: str | None = None, timeout: int = 60,
    ) -> None:  # fmt: skip
        self.endpoint, self.update = endpoint, update or endpoint
        for address in (self.endpoint, self.update):
            if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).netloc:
                raise StoreError(address, "is no web address", "give one such as http://localhost:8890/sparql")
        self.graph = ox.NamedNode(graph or f"urn:rulewright:run:{uuid.uuid4()}")
        self._user, self._password, self._timeout = user, password, timeout

    def add(self, triples: Iterable[ox.Triple]) -> None:
        self.load(f"{triple} .\n" for triple in triples)

    def load(self, lines: Iterable[str]) -> None:
        remaining = iter(lines)
        while batch := "".join(islice(remaining, BATCH)):
            self._update(f"INSERT DATA {{ GRAPH {self.graph} {{\n{batch}}} }}")

    def clear(self) -> None:
        self._update(f"DROP SILENT GRAPH {self.graph}")

    def select(self, query: str) -> Sequence[Row]:
        from SPARQLWrapper import JSON

        wrapper = self._wrapper(self.endpoint)
        wrapper.setReturnFormat(JSON)
        wrapper.addParameter("default-graph-uri", self.graph.value)
        wrapper.setQuery(query)
        body, headers = self._answer(wrapper, self.endpoint)
        if "x-sparql-maxrows" in headers or headers.get("x-sql-state") == "S1TAT":
            raise StoreError(self.endpoint, "the answer was cut short",
                             "raise the server's limits (Virtuoso: ResultSetMaxRows, MaxQueryExecutionTime)")
        try:
            return list(_rows(json.loads(body)))
        except (ValueError, KeyError, TypeError, AttributeError):
            start = body[:60].decode("utf-8", "replace").strip()
            raise StoreError(self.endpoint, f"the answer is not in SPARQL 1.1's JSON format: {start!r}",
                             "is this the address of a SPARQL 1.1 query endpoint?") from None

    def query(
        self, sparql: str, default_graphs: Sequence[str] = (), named_graphs: Sequence[str] = ()
    ) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        """The answer to a query, of all that the server has, and not of this store's graph; rows as they come in.

        Without `default_graphs` and `named_graphs` the server chooses what is asked. The prefixes of PREFIXES need no
        declaration. Raises SyntaxError for what the server takes for no query, StoreError where it fails.
        """
        import urllib.request

        from rulewright.store.queries import PREFIXES, form_of

        rows = form_of(sparql) in ("SELECT", "ASK")
        undeclared = (
            f"PREFIX {name}: <{iri}> " for name, iri in PREFIXES.items()
            if re.search(rf"\b{name}:", sparql) and not re.search(rf"\bPREFIX\s+{name}:", sparql, re.IGNORECASE)
        )  # fmt: skip
        fields = [("query", "".join(undeclared) + sparql)]
        fields += [("default-graph-uri", graph) for graph in default_graphs]
        fields += [("named-graph-uri", graph) for graph in named_graphs]
        request = urllib.request.Request(self.endpoint, urlencode(fields).encode(), {
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/sparql-results+json" if rows else "application/n-triples, text/turtle;q=0.5",
        })  # fmt: skip
        try:
            response = urllib.request.urlopen(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            if error.code == 400:
                raise SyntaxError(_first_line(error.read(2000).decode("utf-8", "replace"))) from None
            raise StoreError(self.endpoint, f"failed with status {error.code}", "see the server's log") from None
        except urllib.error.URLError as error:
            raise self._unreachable(self.endpoint, error.reason) from None
        except (OSError, HTTPException) as error:
            raise self._unreachable(self.endpoint, error) from None
        try:
            if rows:
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

    def _update(self, text: str) -> None:
        from SPARQLWrapper import DIGEST

        wrapper = self._wrapper(self.update)
        if self._user is not None:
            wrapper.setHTTPAuth(DIGEST)
            wrapper.setCredentials(self._user, self._password or "")
        wrapper.setQuery(text)
        self._answer(wrapper, self.update)

    def _wrapper(self, address: str) -> Any:
        from SPARQLWrapper import POST, SPARQLWrapper

        wrapper = SPARQLWrapper(address)
        wrapper.setMethod(POST)
        wrapper.setTimeout(self._timeout)
        return wrapper

    def _answer(self, wrapper: Any, address: str) -> tuple[bytes, dict[str, str]]:
        from SPARQLWrapper import SPARQLExceptions as Failed

        try:
            response = wrapper.query().response
            return response.read(), {k.lower(): v for k, v in response.getheaders()}
        except Failed.Unauthorized:
            raise self._not_allowed(address) from None
        except Failed.EndPointNotFound:
            raise StoreError(address, "there is nothing at this path (404)",
                             "mend the path (Virtuoso: /sparql, /sparql-auth; Oxigraph: /query, /update)") from None
        except Failed.SPARQLWrapperException as error:
            raise StoreError(address, f"refuses what it was asked: {_first_line(error)}",
                             "see the server's log") from None
        except urllib.error.HTTPError as error:
            if error.code in (401, 403):
                raise self._not_allowed(address) from None
            raise StoreError(address, f"failed with status {error.code}", "see the server's log") from None
        except urllib.error.URLError as error:
            raise self._unreachable(address, error.reason) from None
        except (OSError, HTTPException) as error:
            raise self._unreachable(address, error) from None

    @staticmethod
    def _not_allowed(address: str) -> StoreError:
        return StoreError(address, "does not allow that to this user",
                          "give a user and password that may write (Virtuoso: at /sparql-auth)")

    def _unreachable(self, address: str, reason: object) -> StoreError:
        if isinstance(reason, TimeoutError):
            return StoreError(address, f"did not answer within {self._timeout} s",
                              "raise the time-out, or mend the server")
        if isinstance(reason, ConnectionRefusedError):
            return StoreError(address, "refuses the connection", "start the server, or mend the address")
        return StoreError(address, f"cannot be reached: {reason}", "mend the address or the network")


def _first_line(error: Any) -> str:
    """The server's own words, without the wrapper's around them."""
    told = str(error).partition("Response:\n")[2] or str(error)
    if told.startswith(("b'", 'b"')):
        told = told[2:-1].replace("\\n", "\n")
    return next((line.strip() for line in told.splitlines() if line.strip()), "no reason given")[:200]


def _rows(answer: Any) -> Iterator[Answer]:
    variables = answer["head"]["vars"]
    for binding in answer["results"]["bindings"]:
        yield {v: _term(binding[v]) if v in binding else None for v in variables}


def _term(value: dict[str, str]) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    """One term (SPARQL 1.1 Query Results JSON §3.2.2); Virtuoso says `typed-literal`, and 1 for true."""
    kind, text = value["type"], value["value"]
    if kind == "uri":
        return ox.NamedNode(text)
    if kind == "bnode":
        return ox.BlankNode(text.replace("nodeID://", ""))
    if kind not in ("literal", "typed-literal"):
        raise ValueError(kind)
    if "xml:lang" in value:
        return ox.Literal(text, language=value["xml:lang"])
    if value.get("datatype") == _BOOLEAN:
        return ox.Literal(text in ("1", "true"))
    return ox.Literal(text, datatype=ox.NamedNode(value["datatype"])) if "datatype" in value else ox.Literal(text)
