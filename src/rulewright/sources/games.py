"""Game records, in any form that `check` reads: their canonical graphs, those of a file in one graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, BinaryIO, Final, cast

from ..records import RecordError, Words, read
from ..records.quads import nothing
from ..records.writing import quads
from ..vocabulary import Iri
from .errors import SourceError
from .reading import Reading

NAMELESS: Final = "urn:rulewright:record:"
"""How the id begins that a record without one is given, by its place in its file."""


@dataclass(frozen=True)
class Records:
    """`keywords`, `parameters`, `steps`: what the axioms name (`rulewright.axioms`), by which they will be checked."""

    keywords: Words
    parameters: frozenset[str] = frozenset()
    steps: tuple[Iri, ...] = ()
    kind: str = "records"
    title: Mapping[str, str] = field(default_factory=lambda: {"en": "Game records", "de": "Spielaufzeichnungen"})

    def recognise(self, head: bytes, name: str) -> bool:
        """Only what is said to be records is taken for some: `check` is for them, and keeps nothing."""
        return False

    def read(self, stream: IO[bytes], reading: Reading) -> Iterator[str]:
        for triple in nothing():
            yield f"{triple} ."
        for record in read(["-"], self.parameters, cast(BinaryIO, stream)):
            if isinstance(record, RecordError):
                problem = record.problems[0]
                raise SourceError(problem.place, problem.problem)
            reading.counts["records"] += 1
            if record.id.startswith(NAMELESS):
                number = reading.counts["records"]
                raise SourceError(f"record {number}", "has no id, and other files may have such too: give it one")
            for quad in quads(record, self.keywords, self.steps):
                yield f"{quad.triple} ."
