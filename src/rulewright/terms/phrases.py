"""The words that messages are made of, read from `data/terms` and from the labels of the ontology."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from rulewright.vocabulary import CORE, local_name, packaged, turtle_files

LANGUAGES = ("en", "de")
RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")


class Phrases:
    """Phrases and labels by IRI, predicate and language."""

    def __init__(self, found: dict[tuple[str, str, str], str]) -> None:
        self._found = found

    def get(self, iri: str, language: str, kind: str = "phrase") -> str | None:
        """A phrase (`phrase`, `fromPhrase`, `toPhrase`) or the label (`label`) of a term."""
        return self._found.get((iri, kind, language))

    def term(self, name: str, language: str) -> str:
        return self._found[f"https://w3id.org/rulewright/term/{name}", "phrase", language]


@cache
def load_phrases(labels: bool = False) -> Phrases:
    """The phrases of the package; with `labels`, also those of the game ontology's terms (slower to load)."""
    import pyoxigraph as ox

    files = turtle_files("data", "terms") + ([packaged("ontology", "game.ttl")] if labels else [])
    found: dict[tuple[str, str, str], str] = {}
    for file in files:
        for triple in ox.parse(path=file, format=ox.RdfFormat.TURTLE):
            predicate = triple.predicate.value
            if not (isinstance(triple.object, ox.Literal) and isinstance(triple.subject, ox.NamedNode)):
                continue
            kind = "label" if predicate == RDFS_LABEL else local_name(predicate)
            if triple.object.language and (kind == "label" or predicate.startswith(CORE)):
                found[triple.subject.value, kind, triple.object.language] = triple.object.value
    return Phrases(found)


def fill(template: str, slot: Callable[[str], str | None], otherwise: Callable[[str], str]) -> str:
    """A template with its slots filled: `[...]` is left out where a slot in it is None, elsewhere `otherwise` says."""
    told: list[str] = []
    for part in _parts(template):
        if isinstance(part, _Slot):
            told.append(slot(part) or otherwise(part))
        elif isinstance(part, str):
            told.append(part)
        else:
            filled = [slot(inner) if isinstance(inner, _Slot) else inner for inner in part]
            told += [text for text in filled if text is not None] if None not in filled else []
    return "".join(told)


class _Slot(str):
    """The name of a slot, as opposed to words of a template."""

    __slots__ = ()


@cache
def _parts(template: str) -> tuple[str | tuple[str, ...], ...]:
    """Words, slots, and in tuples what is left out where a slot is None.

    Once split, so that braces and brackets in what is filled in ({2}{R}) stay as they are.
    """
    parts: list[str | tuple[str, ...]] = []
    for position, piece in enumerate(_OPTIONAL.split(template)):
        words = _words(piece)
        parts += [tuple(words)] if position % 2 else words
    return tuple(parts)


def _words(text: str) -> list[str]:
    """Words and slots."""
    parts = _SLOT.split(text)
    return [_Slot(part) if position % 2 else part for position, part in enumerate(parts) if part]


def sentence(text: str) -> str:
    """With a capital letter at its beginning."""
    return text[:1].upper() + text[1:]
