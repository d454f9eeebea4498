"""A store in this process's memory (Oxigraph)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyoxigraph as ox

from rulewright.store.protocol import Row, StoreError


class Embedded:
    exact = True

    def __init__(self) -> None:
        self._store = ox.Store()

    def add(self, triples: Iterable[ox.Triple]) -> None:
        self._store.extend([ox.Quad(*triple) for triple in triples])

    def load(self, lines: Iterable[str]) -> None:
        self._store.load("".join(lines).encode(), format=ox.RdfFormat.N_TRIPLES)

    def select(self, query: str) -> Sequence[Row]:
        solutions = self._store.query(query)
        if not isinstance(solutions, ox.QuerySolutions):
            raise StoreError("the embedded store", "this is no SELECT query", "ask with SELECT")
        return list(solutions)

    def clear(self) -> None:
        # A new store costs microseconds; clearing one costs as much as was in it.
        self._store = ox.Store()
