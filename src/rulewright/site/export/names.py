"""Under which names of files things are exported.

A thing's files are named by its identifier below the base, as its addresses are. Where that is no name for a file on
every system, or another thing's already but for capitals, a digest makes one of it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final

from rulewright.site.context import LANGUAGES
from rulewright.vocabulary import BASE

LONGEST: Final = 120
"""Characters of a part of a name."""
STATIC: Final = "static"
_PART: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._~-]*[A-Za-z0-9_~-])?")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)
_OWN: Final = re.compile(r"index|search|404|(?:[^/]+/)*(?:index|page-\d+)", re.IGNORECASE)
"""Pages that are no things."""


class Names:
    """Thing -> the path of its files, without their suffix."""

    def __init__(self, things: Iterable[str]) -> None:
        self._stems: dict[str, str] = {}
        taken: set[str] = set()
        wanted = sorted(things, key=lambda thing: (not _is_plain(thing.removeprefix(BASE)), thing))
        for thing in wanted:
            stem = next(stem for stem in _candidates(thing) if stem.casefold() not in taken)
            taken.add(stem.casefold())
            self._stems[thing] = stem

    def __contains__(self, thing: object) -> bool:
        return thing in self._stems

    def __iter__(self) -> Iterator[str]:
        return iter(self._stems)

    def __len__(self) -> int:
        return len(self._stems)

    def get(self, thing: str) -> str | None:
        return self._stems.get(thing)

    def __getitem__(self, thing: str) -> str:
        return self._stems[thing]


def _candidates(thing: str) -> Iterator[str]:
    path = thing.removeprefix(BASE)
    if _is_plain(path):
        yield path
    first, _, rest = path.rpartition("/")
    folder = first if _is_plain(f"{first}/x") else "other"
    readable = re.sub("[^A-Za-z0-9]+", "-", rest)[:40].strip("-") or "thing"
    digest = hashlib.sha256(thing.encode()).hexdigest()
    for length in (12, 64):
        yield f"{folder}/{readable}-{digest[:length]}"


def _is_plain(path: str) -> bool:
    """Whether a path can be that of a file, on every system and beside all others."""
    parts = path.split("/")
    if parts[0].casefold() in (STATIC, *LANGUAGES) and len(parts) > 1:
        return False
    # A folder with a dot could be what another thing's file is called.
    return not _OWN.fullmatch(path) and not any("." in part for part in parts[:-1]) and all(
        _PART.fullmatch(part) and not _DEVICE.fullmatch(part) and len(part) <= LONGEST for part in parts
    )  # fmt: skip
