"""The rows of a query, for readers that hold a source against the graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyoxigraph as ox

from ..store import Dataset


def rows(dataset: Dataset, query: str) -> Iterator[Any]:
    """The rows of a SELECT query, each asked by the name of a variable."""
    found = dataset.query(query)
    if isinstance(found, ox.QuerySolutions):
        yield from found
