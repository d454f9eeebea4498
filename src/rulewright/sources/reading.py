"""What the readers of bulk files share: what a file is read for, and the lines that say the same in every format.

A reader yields lines of N-Triples and counts what it reads. What a file does not say is not stated.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import IO, Final, Protocol

from ..terms import NORMALISATION, digest
from ..vocabulary import slug
from .errors import SourceError
from .triples import ISSUED, LABEL, LANGUAGE, A, date, integer, literal, node, rw

_ORACLE_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NORMALISATION: Final = literal(NORMALISATION)
_ENGLISH: Final = literal("en")
_CARD, _FACE, _KEYWORD, _TEXT, _PUBLICATION = (rw(n) for n in ("Card", "Face", "Keyword", "Text", "Publication"))
_WORDING, _DIGEST, _NORMALISED = rw("wording"), rw("digest"), rw("normalisation")
_PUBLISHES, _ON_CARD, _IN_SOURCE, _HEADING, _SEEN = (
    rw(n) for n in ("publishes", "onCard", "inSource", "heading", "seen")
)
_FACE_OF, _SEQUENCE, _HAS_KEYWORD = rw("faceOf"), rw("sequence"), rw("hasKeyword")


_digest = lru_cache(maxsize=16_384)(digest)
"""From one edition of the rules to the next, most texts stay."""


class Format(Protocol):
    """A kind of bulk file: how it is recognised, and read."""

    @property
    def kind(self) -> str: ...

    @property
    def title(self) -> Mapping[str, str]:
        """What such a source is called in each language."""

    def recognise(self, head: bytes, name: str) -> bool:
        """Whether a file that begins so (unpacked), of this name, is of this kind."""

    def read(self, stream: IO[bytes], reading: Reading) -> Iterator[str]:
        """What it says, as lines of N-Triples. Raises SourceError."""


@dataclass
class Reading:
    """One file being read: its node, its day, and what of the graph it is held against."""

    source: str
    """The node, as a term of N-Triples."""
    name: str
    """The file's name."""
    day: dt.date | None = None
    """The day of which the file tells; a reader whose file states one puts it here."""
    card_of: Callable[[str], str | None] = lambda name: None
    """The oracle id of the one card of a name, where there is one."""
    concepts: Callable[[dt.date], Mapping[tuple[str, str], str]] = lambda day: {}
    """For a day, the rules known as concepts: by number and digest of the wording in force then."""
    curated: Collection[str] = frozenset()
    """Digests of texts that express a curated statement."""
    counts: Counter[str] = field(default_factory=Counter)
    unknown: set[str] = field(default_factory=set)
    """Names of which no card, or more than one, is known."""
    cut: bool = False
    """Whether the file ends too early, and yet what was read of it is whole."""
    _seen: set[str] = field(default_factory=set)
    _texts: set[bytes] = field(default_factory=set)

    @property
    def size(self) -> int:
        """How many entries were read."""
        return sum(self.counts[key] for key in ("rulings", "cards", "german", "rules", "glossary", "records"))

    def first(self, key: str) -> bool:
        """Whether this is asked for the first time: then it is stated."""
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def text(self, wording: str, brief: bool = False) -> tuple[str, list[str]]:
        """The digest of an English text, and the lines that say what it is where this file has not said it yet.

        `brief`: only what its identifier does not say already.
        """
        key = _digest(wording)
        raw = bytes.fromhex(key)
        if raw in self._texts:
            return key, []
        self._texts.add(raw)
        it = node(f"text/{key}")
        lines = [f"{it} {A} {_TEXT} .", f"{it} {_WORDING} {literal(wording, 'en')} ."]
        if not brief:
            lines.append(f'{it} {_DIGEST} "{key}" .')
            lines.append(f"{it} {_NORMALISED} {_NORMALISATION} .")
            lines.append(f"{it} {LANGUAGE} {_ENGLISH} .")
        return key, lines

    def ruling(self, oracle: str | None, name: str | None, issued: str, wording: str) -> Iterator[str]:
        """A ruling on a card, known by its oracle id, else by its name."""
        if oracle is None and name is not None:
            oracle = self.card_of(name)
            if oracle is None:
                self.unknown.add(name)
        key, lines = self.text(wording)
        it = node(f"publication/{key[:16]}-{oracle or 'name-' + (slug(name or '') or digest(name or '')[:16])}")
        if not self.first(it):
            return
        self.counts["rulings"] += 1
        if lines:
            self.counts["texts"] += 1
            yield from lines
        self.counts["matched"] += key in self.curated
        yield f"{it} {A} {_PUBLICATION} ."
        yield f"{it} {_PUBLISHES} {node(f'text/{key}')} ."
        yield f"{it} {_IN_SOURCE} {self.source} ."
        yield f"{it} {ISSUED} {date(issued)} ."
        yield f"{it} {_SEEN} {date(self.day)} ."
        if oracle is None:
            yield f"{it} {_HEADING} {literal(name or '')} ."
            return
        card = node(f"card/{oracle}")
        yield f"{it} {_ON_CARD} {card} ."
        if self.first(f"rulings on {oracle}"):
            yield f"{card} {A} {_CARD} ."
            yield f"{card} {_SEEN} {date(self.day)} ."

    def card(self, oracle: str, name: str, sides: Sequence[Side], keywords: Iterable[str] = ()) -> Iterator[str]:
        """A card and its faces; what a card of one face has, it has itself."""
        card = node(f"card/{oracle}")
        if self.first(oracle):
            self.counts["cards"] += 1
            yield f"{card} {A} {_CARD} ."
            yield f"{card} {LABEL} {literal(name, 'en')} ."
        for keyword in keywords:
            if part := slug(keyword):
                it = node(f"keyword/{part}")
                yield f"{card} {_HAS_KEYWORD} {it} ."
                if self.first(it):
                    yield f"{it} {A} {_KEYWORD} ."
                    yield f"{it} {LABEL} {literal(keyword.lower(), 'en')} ."
        for side in sides:
            it = card if side.alone else node(f"card/{oracle}/{side.path}")
            if not side.alone:
                yield f"{it} {A} {_FACE} ."
                yield f"{it} {LABEL} {literal(side.name, 'en')} ."
                yield f"{it} {_FACE_OF} {card} ."
                yield f"{it} {_SEQUENCE} {integer(side.sequence)} ."
            yield from side.facts(it, "en")

    def german(self, oracle: str, name: str, side: Side, of: str) -> Iterator[str]:
        """The German name of a card; and the name, types and text of its face that has the English name `of`."""
        card = node(f"card/{oracle}")
        it = card if side.alone else node(f"card/{oracle}/{slug(of)}")
        if not self.first(f"de {it}"):
            return
        self.counts["german"] += 1
        yield f"{card} {A} {_CARD} ."
        yield f"{card} {LABEL} {literal(name, 'de')} ."
        if not side.alone:
            yield f"{it} {A} {_FACE} ."
            yield f"{it} {_FACE_OF} {card} ."
            yield f"{it} {LABEL} {literal(side.name, 'de')} ."
        yield from side.facts(it, "de")


@dataclass(frozen=True)
class Side:
    """A card of one face, or one face of a card of several, in one language."""

    name: str
    mana_cost: str | None = None
    type_line: str | None = None
    text: str | None = None
    sequence: int = 1
    alone: bool = True

    @property
    def path(self) -> str:
        return slug(self.name) or str(self.sequence)

    def facts(self, it: str, language: str) -> Iterator[str]:
        if self.mana_cost:
            yield f"{it} {_MANA_COST} {literal(self.mana_cost)} ."
        if self.type_line:
            yield f"{it} {_TYPE_LINE} {literal(self.type_line, language)} ."
        if self.text:
            yield f"{it} {_RULES_TEXT} {literal(self.text, language)} ."


_MANA_COST, _TYPE_LINE, _RULES_TEXT = rw("manaCost"), rw("typeLine"), rw("rulesText")


def oracle_id(given: object, where: Callable[[str], SourceError]) -> str:
    if isinstance(given, str) and _ORACLE_ID.fullmatch(given):
        return given
    raise where(f"{given!r} is no oracle id: the file is broken, or of another kind")


def day(given: object, where: Callable[[str], SourceError]) -> str:
    if isinstance(given, str):
        with suppress(ValueError):
            return dt.date.fromisoformat(given).isoformat()
    raise where(f"{given!r} is no day: a day is written as 2022-04-25")


def string(item: Mapping[str, object], key: str, where: Callable[[str], SourceError]) -> str:
    value = item.get(key)
    if isinstance(value, str) and value:
        return value
    raise where(f"{key} must be a text: the file is broken, or of another kind")


def optional(item: Mapping[str, object], key: str) -> str | None:
    value = item.get(key)
    return value if isinstance(value, str) and value else None


def texts(value: object) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []
