"""Scryfall's bulk files of rulings and of cards, an array of objects or an object a line; and forms derived from them:
rulings that name their card (`card_name`), cards with all their `faces`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Final

from .jsonstream import Reader, first_object
from .reading import Reading, Side, day, optional, oracle_id, string, texts

NO_CARDS: Final = frozenset(("token", "double_faced_token", "emblem", "art_series"))
"""Layouts of what is printed like a card and is none (CR 111, 114)."""


@dataclass(frozen=True)
class Rulings:
    kind: str = "scryfall-rulings"
    title: Mapping[str, str] = field(
        default_factory=lambda: {"en": "Rulings (Scryfall)", "de": "Regelerläuterungen (Scryfall)"}
    )

    def recognise(self, head: bytes, name: str) -> bool:
        first = first_object(head)
        if first is None or not {"comment", "published_at"} <= first.keys():
            return False
        return "oracle_id" in first or "card_name" in first

    def read(self, stream: IO[bytes], reading: Reading) -> Iterator[str]:
        reader = Reader(stream)
        if reading.day is None:
            raise reader.problem(
                "the file does not say of which day it is: name it so (rulings-2022-04-25.json), or give --date"
            )
        for item in reader.objects():
            oracle = oracle_id(item["oracle_id"], reader.problem) if item.get("oracle_id") else None
            name = None if oracle else string(item, "card_name", reader.problem)
            issued = day(item.get("published_at"), reader.problem)
            if item.get("comment") == "":  # there are some
                reading.counts["empty"] += 1
                continue
            yield from reading.ruling(oracle, name, issued, string(item, "comment", reader.problem))


@dataclass(frozen=True)
class Cards:
    kind: str = "scryfall-cards"
    title: Mapping[str, str] = field(default_factory=lambda: {"en": "Cards (Scryfall)", "de": "Karten (Scryfall)"})

    def recognise(self, head: bytes, name: str) -> bool:
        first = first_object(head)
        return first is not None and (
            first.get("object") == "card" or ("oracle_id" in first and isinstance(first.get("faces"), list))
        )

    def read(self, stream: IO[bytes], reading: Reading) -> Iterator[str]:
        reader = Reader(stream)
        for item in reader.objects():
            if item.get("layout") not in NO_CARDS:
                yield from _derived(item, reader, reading) if "faces" in item else _printed(item, reader, reading)


def _printed(item: dict[str, Any], reader: Reader, reading: Reading) -> Iterator[str]:
    """An object as Scryfall has it: English ones give a card, German ones (in the file of all cards) its names."""
    faces = [f for f in item.get("card_faces") or () if isinstance(f, dict)]
    # Two cards on one piece of card board have their identity on each side.
    given = item.get("oracle_id") or (faces[0].get("oracle_id") if faces else None)
    oracle = oracle_id(given, reader.problem)
    sides = [
        Side(
            string(f, "name", reader.problem), optional(f, "mana_cost"), optional(f, "type_line"),
            optional(f, "oracle_text"), number, alone=len(faces) < 2,
        )
        for number, f in enumerate(faces or [item], 1)
    ]  # fmt: skip
    language = item.get("lang", "en")
    if language == "en":
        if reading.first(f"printing of {oracle}"):
            yield from reading.card(oracle, string(item, "name", reader.problem), sides, texts(item.get("keywords")))
    elif language == "de":
        whole = optional(item, "printed_name") or " // ".join(optional(f, "printed_name") or "" for f in faces)
        for side, face in zip(sides, faces or [item], strict=True):
            if name := optional(face, "printed_name"):
                told = Side(
                    name, None, optional(face, "printed_type_line"), optional(face, "printed_text"), alone=side.alone
                )
                yield from reading.german(oracle, whole, told, side.name)


def _derived(item: dict[str, Any], reader: Reader, reading: Reading) -> Iterator[str]:
    oracle = oracle_id(item.get("oracle_id"), reader.problem)
    faces = [f for f in item["faces"] if isinstance(f, dict)]
    if not faces:
        raise reader.problem("a card without a face: the file is broken, or of another kind")
    faces.sort(key=lambda f: str(f.get("side") or ""))
    alone = len(faces) < 2 and "faceName" not in faces[0]  # one half of two cards that meld has a name of its own
    sides = [
        Side(
            optional(f, "faceName") or string(f, "name", reader.problem), optional(f, "manaCost"), optional(f, "type"),
            optional(f, "text"), number, alone,
        )
        for number, f in enumerate(faces, 1)
    ]  # fmt: skip
    keywords = dict.fromkeys(k for f in faces for k in texts(f.get("keywords")))
    yield from reading.card(oracle, string(faces[0], "name", reader.problem), sides, keywords)
