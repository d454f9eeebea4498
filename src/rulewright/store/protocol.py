"""What every store can do, and the one way in which it fails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import pyoxigraph as ox


class Row(Protocol):
    """One answer to a query: variable (without `?`) -> term, or None where it is unbound."""

    def __getitem__(self, variable: str, /) -> Any: ...


class Store(Protocol):
    """Triples without blank nodes, in one graph that is the default graph of every query."""

    exact: bool
    """Whether expressions keep to SPARQL 1.1 §17.3 (an error is a third value) wherever they stand."""

    def add(self, triples: Iterable[ox.Triple]) -> None:
        """Adds triples; what is there already stays once."""

    def load(self, lines: Iterable[str]) -> None:
        """Adds triples given as lines of N-Triples."""

    def select(self, query: str) -> Sequence[Row]:
        """The answers to a SELECT query of SPARQL 1.1."""

    def clear(self) -> None:
        """Removes every triple of this store's graph."""


class StoreError(Exception):
    """A store that cannot be used: which, what happened, and how to mend it."""

    def __init__(self, endpoint: str, what: str, mend: str) -> None:
        super().__init__(f"{endpoint}: {what}; {mend}")
        self.endpoint, self.what, self.mend = endpoint, what, mend
