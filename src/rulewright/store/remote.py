"""A store behind a SPARQL 1.1 endpoint, in a named graph of its own."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from itertools import islice

import pyoxigraph as ox

from rulewright.store.answers import rows
from rulewright.store.endpoint import UPDATED, Endpoint
from rulewright.store.protocol import Row


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
        while batch := "".join(islice(remaining, UPDATED)):
            self._server.update(f"INSERT DATA {{ GRAPH {self.graph} {{\n{batch}}} }}", again=True)

    def clear(self) -> None:
        self._server.update(f"DROP SILENT GRAPH {self.graph}", again=True)

    def select(self, query: str) -> Sequence[Row]:
        reply = self._server.query(query, "SELECT", [("default-graph-uri", self.graph.value)])
        return rows(reply, self.endpoint)
