"""Documents and editions: what the sources say, cut into passages and numbered rules."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .documents import DocumentError, Passage, read_document
    from .editions import Edition, Version, edition, likeness, read_archive, trace
    from .logs import SourceError, log_records, open_log

__all__ = [
    "DocumentError",
    "Edition",
    "Passage",
    "SourceError",
    "Version",
    "edition",
    "likeness",
    "log_records",
    "open_log",
    "read_archive",
    "read_document",
    "trace",
]

# Loaded at first use: a command that reads no document pays nothing for it.
_HOME = {
    **dict.fromkeys(("DocumentError", "Passage", "read_document"), "documents"),
    **dict.fromkeys(("SourceError", "log_records", "open_log"), "logs"),
    **dict.fromkeys(("Edition", "Version", "edition", "likeness", "read_archive", "trace"), "editions"),
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
