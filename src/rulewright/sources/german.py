"""German names, types and texts of cards: an object a line, for each face one, with the oracle id of its card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from .jsonstream import Reader, first_object
from .reading import Reading, Side, optional, oracle_id, string


@dataclass(frozen=True)
class German:
    kind: str = "german-cards"
    title: Mapping[str, str] = field(
        default_factory=lambda: {"en": "German names and texts of cards", "de": "Deutsche Namen und Texte von Karten"}
    )

    def recognise(self, head: bytes, name: str) -> bool:
        first = first_object(head)
        return first is not None and first.get("lang") == "de" and {"oracle_id", "face", "name"} <= first.keys()

    def read(self, stream: IO[bytes], reading: Reading) -> Iterator[str]:
        reader = Reader(stream)
        for item in reader.objects():
            if item.get("lang") != "de":
                continue
            oracle = oracle_id(item.get("oracle_id"), reader.problem)
            name = string(item, "name", reader.problem)
            face = optional(item, "faceName")
            side = Side(face or name, None, optional(item, "type"), optional(item, "text"), alone=face is None)
            yield from reading.german(oracle, name, side, string(item, "face", reader.problem))
