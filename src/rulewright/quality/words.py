"""The words that records may use, `docs/words.md`, made of the data: `python -m rulewright.quality.words`.

With `--check` nothing is written, and the exit code is 1 where the document is not fresh.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pyoxigraph as ox

from rulewright.axioms import Knowledge, packaged_knowledge
from rulewright.quality import generated
from rulewright.quality.reference import RDFS, Ontology, short
from rulewright.records.words import ABILITY
from rulewright.vocabulary import GAME, KEYWORD, SKOS, Iri, OpenWord, load_schema, packaged, turtle_files

DOCUMENT: Final = Path("docs", "words.md")
INTRODUCTION: Final = (
    "# Words that records may use",
    "",
    "Made by `python -m rulewright.quality.words` from `data/` and `ontology/game.ttl`: what is wrong or missing here",
    "is to be mended there. Each word stands for a resource, in English or in German, in any letter case. A word that",
    "is not here is unknown: nothing is concluded from it, the report lists it as not checked, and where it is nearly",
    "one of these, a warning says so. A file given to `--axioms` adds its own.",
    "",
    "An ellipsis stands for a quality: “…walk” is landwalk with the `quality` that precedes it, as in “swampwalk”.",
    "",
    "Words of zones, steps, colours and layouts are fixed, and stand in [game-record.md](game-record.md).",
)


class _Row(NamedTuple):
    en: str
    de: str
    others: tuple[str, ...]
    iri: str


def document() -> str:
    """The whole text, from the packaged data."""
    return "\n".join(_lines(packaged_knowledge())) + "\n"


def _lines(knowledge: Knowledge) -> Iterator[str]:
    schema, ontology = load_schema(), Ontology.read(packaged("ontology", "game.ttl"))
    yield from INTRODUCTION
    words = [*schema.own_words, *knowledge.words.values()]
    known = knowledge.keywords.values()
    keywords = (_of_keyword(k.iri, k.label.en, k.label.de, (*k.names, *k.compounds)) for k in known)
    yield from _section("keyword", "Schlüsselwort", keywords)
    for kind in (ABILITY, *sorted(schema.word_kinds - {ABILITY})):
        yield from _section(*_titles(ontology, kind), (_of_word(word) for word in words if word.kind == kind))
    described: dict[str, list[_Row]] = {}
    for role, row in _descriptions():
        described.setdefault(role, []).append(row)
    yield from ("", "Kinds of targets are composed of the words of the sections that follow.")
    for role in sorted(described):
        yield from _section(*_titles(ontology, role), described[role])


def _titles(ontology: Ontology, kind: str) -> tuple[str, str]:
    en, de = (ontology.text(GAME + kind, RDFS + "label", lang) for lang in ("en", "de"))
    return en, de


def _section(en: str, de: str, rows: Iterable[_Row]) -> Iterator[str]:
    yield from ("", f"## {en[:1].upper()}{en[1:]} · {de}", "")
    yield from ("| English | German | also | resource |", "| --- | --- | --- | --- |")
    for row in sorted(rows, key=lambda row: (row.en.casefold(), row.iri)):
        yield f"| {row.en} | {row.de} | {', '.join(row.others)} | `{_name(row.iri)}` |"


def _of_keyword(iri: Iri, en: str, de: str, names: tuple[str, ...]) -> _Row:
    return _Row(en, de, _others(en, de, names[1:]), iri)


def _of_word(word: OpenWord) -> _Row:
    return _Row(word.en, word.de, _others(word.en, word.de, word.others), word.iri)


def _others(en: str, de: str, labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(label for label in dict.fromkeys(labels) if label not in (en, de))


def _descriptions() -> Iterator[tuple[str, _Row]]:
    """The words of descriptions, each with the class that says what it does there."""
    for file in turtle_files("data", "words"):
        data = Ontology.read(file)
        for word in data.facts:
            labels = [v for v in data.values(word, SKOS + "altLabel") if isinstance(v, ox.Literal)]
            en, de = (data.text(word, SKOS + "prefLabel", lang) for lang in ("en", "de"))
            for kind in data.types(word):
                yield kind.removeprefix(GAME), _Row(en, de, tuple(v.value for v in labels), word)


def _name(iri: str) -> str:
    return f"kw:{iri.removeprefix(KEYWORD)}" if iri.startswith(KEYWORD) else short(iri)


def main(arguments: list[str] | None = None) -> int:
    """See `rulewright.quality.generated`."""
    return generated.main(arguments, "rulewright.quality.words", __doc__, document, DOCUMENT)


if __name__ == "__main__":
    sys.exit(main())
