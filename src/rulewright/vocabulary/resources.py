"""Where the ontology, the data and the queries are: in the wheel, or beside `src` in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def _root() -> Path:
    installed = Path(__file__).resolve().parent.parent / "_packaged"
    return installed if installed.is_dir() else Path(__file__).resolve().parents[3]


def packaged(*parts: str) -> Path:
    """The path of a packaged file or folder, such as `packaged("data", "keywords")`."""
    return _root().joinpath(*parts)


def turtle_files(*parts: str) -> list[Path]:
    """All Turtle files below a packaged folder, sorted, so that results do not depend on the file system."""
    return sorted(packaged(*parts).rglob("*.ttl"))
