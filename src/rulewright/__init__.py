"""Magic's rulings as an executable knowledge graph.

The functions of `rulewright.api` are attributes of the package too; what they need is imported when they are used.
"""

from typing import TYPE_CHECKING

from rulewright.version import __version__

if TYPE_CHECKING:
    from rulewright.api import check, ingest, open, query, search, validate

__all__ = ["__version__", "check", "ingest", "open", "query", "search", "validate"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rulewright import api

    return getattr(api, name)
