"""The Comprehensive Rules as published: an edition's rules by number, and the entries of its glossary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Final

from ..terms import digest
from ..vocabulary import slug
from .errors import SourceError
from .reading import Reading
from .triples import ISSUED, LABEL, A, date, literal, node, rw

if TYPE_CHECKING:
    from .editions import Edition

LIMIT: Final = 20_000_000
"""Bytes of an edition: the newest has one million."""


@dataclass(frozen=True)
class Rules:
    kind: str = "comprehensive-rules"
    title: Mapping[str, str] = field(
        default_factory=lambda: {"en": "Comprehensive Rules", "de": "Comprehensive Rules (ausführliche Regeln)"}
    )

    def recognise(self, head: bytes, name: str) -> bool:
        from . import editions

        text = editions.decode(head[: len(head) // 2 * 2])[:4000]
        return "Comprehensive Rules" in text and editions.effective(text) is not None

    def read(self, stream: IO[bytes], reading: Reading) -> Iterator[str]:
        from . import editions

        raw = stream.read(LIMIT + 1)
        if len(raw) > LIMIT:
            raise SourceError("", f"has more than {LIMIT} bytes: give the file of one edition")
        try:
            edition = editions.edition(raw, reading.name)
        except ValueError as error:
            raise SourceError("", f"{error}: give the file as published, whole") from None
        if edition.reaches == "rules":
            last = edition.rules[-1][0]
            raise SourceError(f"rule {last}", "the file ends here, before the glossary: get the whole file")
        reading.cut = edition.reaches == "glossary"
        reading.day = edition.effective
        yield from _lines(edition, reading)


_EDITION, _VERSION, _ENTRY, _NUMBER, _IN_EDITION, _VERSION_OF, _TEXT, _EFFECTIVE = (
    rw(n) for n in ["Edition", "RuleVersion", "GlossaryEntry", "number", "inEdition", "versionOf", "text", "effective"]
)


def _lines(edition: Edition, reading: Reading) -> Iterator[str]:
    of = node(f"edition/{edition.name}")
    yield f"{of} {A} {_EDITION} ."
    yield f"{of} {ISSUED} {date(edition.name)} ."
    yield f"{of} {_EFFECTIVE} {date(edition.effective)} ."
    concepts = reading.concepts(edition.effective)
    printed: Counter[str] = Counter()
    for number, wording in edition.rules:
        printed[number] += 1
        twice = f"-{printed[number]}" if printed[number] > 1 else ""
        it = node(f"edition/{edition.name}/{number}{twice}")
        key, lines = reading.text(wording, brief=True)
        reading.counts["rules"] += 1
        yield from lines
        yield f"{it} {A} {_VERSION} ."
        yield f'{it} {_NUMBER} "{number}" .'
        yield f"{it} {_IN_EDITION} {of} ."
        yield f"{it} {_TEXT} {node(f'text/{key}')} ."
        if concept := concepts.get((number, key)):
            yield f"{it} {_VERSION_OF} <{concept}> ."
    entries: Counter[str] = Counter()
    for term, wording in edition.glossary:
        part = slug(term) or digest(term)[:16]
        entries[part] += 1
        twice = f"-{entries[part]}" if entries[part] > 1 else ""
        it = node(f"edition/{edition.name}/glossary/{part}{twice}")
        key, lines = reading.text(wording, brief=True)
        reading.counts["glossary"] += 1
        yield from lines
        yield f"{it} {A} {_ENTRY} ."
        yield f"{it} {LABEL} {literal(term, 'en')} ."
        yield f"{it} {_IN_EDITION} {of} ."
        yield f"{it} {_TEXT} {node(f'text/{key}')} ."
