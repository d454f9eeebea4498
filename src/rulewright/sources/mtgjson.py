"""MTGJSON, version 5: a set's file (`data.cards`), and AtomicCards (`data`, by name).

Both have cards with their rulings, keywords, and names and texts in other languages, of which the German ones are read.
Each face is an entry of its own that repeats its card's name, rulings and identity.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Any, Final

from .errors import SourceError
from .jsonstream import Json, Reader
from .reading import Reading, Side, day, optional, oracle_id, string, texts

_OBJECT: Final = re.compile(r'\ufeff?\s*\{\s*"(?:meta|data)"\s*:')
_DATA: Final = re.compile(r'"data"\s*:\s*\{\s*"((?:[^"\\]|\\.)*)"\s*:\s*(.)')
_SIDES: Final = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}


@dataclass(frozen=True)
class Set:
    kind: str = "mtgjson-set"
    title: Mapping[str, str] = field(
        default_factory=lambda: {
            "en": "Cards and rulings of a set (MTGJSON)", "de": "Karten und Regelerläuterungen eines Sets (MTGJSON)",
        }
    )  # fmt: skip

    def recognise(self, head: bytes, name: str) -> bool:
        return _shape(head) == self.kind

    def read(self, stream: IO[bytes], reading: Reading) -> Iterator[str]:
        reader = Reader(stream)
        found = False
        for key in reader.members():
            if key == "data" and reader.peek() == "{":
                for part in reader.members():
                    if part == "cards":
                        found = True
                        yield from _cards(reader.array(), reader, reading)
                    else:
                        reader.value()
            else:
                _meta(key, reader.value(), reading)
        reader.end()
        if not found:
            raise reader.problem("no data.cards in it: give the file of one set, or AtomicCards")


@dataclass(frozen=True)
class Atomic:
    kind: str = "mtgjson-cards"
    title: Mapping[str, str] = field(
        default_factory=lambda: {
            "en": "Cards and rulings (MTGJSON)", "de": "Karten und Regelerläuterungen (MTGJSON)",
        }
    )  # fmt: skip

    def recognise(self, head: bytes, name: str) -> bool:
        return _shape(head) == self.kind

    def read(self, stream: IO[bytes], reading: Reading) -> Iterator[str]:
        reader = Reader(stream)
        for key in reader.members():
            if key == "data" and reader.peek() == "{":
                for _ in reader.members():
                    faces = reader.value()
                    if not isinstance(faces, list):
                        raise reader.problem("a card's faces were expected: the file is broken, or of another kind")
                    yield from _cards(faces, reader, reading)
            else:
                _meta(key, reader.value(), reading)
        reader.end()


def _shape(head: bytes) -> str:
    text = head.decode("utf-8", errors="ignore")
    if not _OBJECT.match(text):
        return ""
    match = _DATA.search(text)
    return "mtgjson-cards" if match and match[2] == "[" and match[1] != "cards" else "mtgjson-set" if match else ""


def _meta(key: str, value: Any, reading: Reading) -> None:
    if key == "meta" and isinstance(value, dict):
        with suppress(ValueError):
            reading.day = dt.date.fromisoformat(str(value.get("date")))


def _cards(entries: Iterable[Any], reader: Reader, reading: Reading) -> Iterator[str]:
    for entry in entries:
        if not isinstance(entry, dict):
            raise reader.problem("a card was expected here: the file is broken, or of another kind")
        yield from _card(entry, reader, reading)


def _card(entry: Json, reader: Reader, reading: Reading) -> Iterator[str]:
    if reading.day is None:
        raise _undated(reader)
    identifiers = entry.get("identifiers")
    given = identifiers.get("scryfallOracleId") if isinstance(identifiers, dict) else None
    if given is None:
        return  # no card of the game: MTGJSON knows no such identity of it
    oracle = oracle_id(given, reader.problem)
    name = string(entry, "name", reader.problem)
    face = optional(entry, "faceName")
    side = Side(
        face or name, optional(entry, "manaCost"), optional(entry, "type"), optional(entry, "text"),
        _SIDES.get(str(entry.get("side")), 1), alone=face is None,
    )  # fmt: skip
    if reading.first(f"entry {oracle} {side.name}"):  # printed twice in a set, or two pieces of one card
        yield from reading.card(oracle, name, [side], texts(entry.get("keywords")))
    for told in entry.get("foreignData") or ():
        if isinstance(told, dict) and told.get("language") == "German" and (german := optional(told, "name")):
            its = optional(told, "faceName")
            if face is None or its:
                text = Side(its or german, None, optional(told, "type"), optional(told, "text"), alone=face is None)
                yield from reading.german(oracle, german, text, side.name)
    for ruling in entry.get("rulings") or ():
        if not isinstance(ruling, dict):
            raise reader.problem("a ruling was expected here: the file is broken, or of another kind")
        issued = day(ruling.get("date"), reader.problem)
        yield from reading.ruling(oracle, None, issued, string(ruling, "text", reader.problem))


def _undated(reader: Reader) -> SourceError:
    return reader.problem("the file does not say before its cards of which day it is (meta.date): give --date")
