"""The words of descriptions of things, read from `data/words`: by each label, what the word asks for.

A word that stands there needs no code: classes of words (`game:CardType`, `game:Clause`, …) say what is done with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from rulewright.vocabulary.cache import cached
from rulewright.vocabulary.names import GAME, RDF, SKOS, Iri, Scalar, local_name
from rulewright.vocabulary.resources import turtle_files

Tokens = tuple[str, ...]
_TOKEN = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*|[,/]")
_LABELS = frozenset({SKOS + "prefLabel", SKOS + "altLabel"})


@dataclass(frozen=True)
class Word:
    """A word: the class that says what it does, and what it asks for by that (property by local name -> value)."""

    iri: Iri
    role: str
    asks: tuple[tuple[str, Scalar], ...] = ()


@dataclass
class Lexicon:
    words: dict[Tokens, Word] = field(default_factory=dict)
    """A label, in its parts and without capitals -> its word."""
    named: dict[Iri, Word] = field(default_factory=dict)
    longest: int = 1

    def at(self, tokens: Tokens, start: int) -> tuple[Word, int] | None:
        """The word with the longest label that begins there, and where what follows it begins."""
        for end in range(min(len(tokens), start + self.longest), start, -1):
            if (word := self.words.get(tokens[start:end])) is not None:
                return word, end
        return None

    def parts(self, token: str) -> tuple[Word, ...]:
        """The words of a compound (“noncreature”, “Kreaturenkarte”); none where a part of it is not known."""
        if (found := self.words.get((token,))) is not None:
            return (found,)
        for split in range(len(token) - 2, 1, -1):
            left = self.words.get((token[:split],))
            if left is not None and (rest := next(filter(None, map(self.parts, _linked(token[split:]))), ())):
                return (left, *rest)
        return ()


def _linked(rest: str) -> Iterator[str]:
    """The rest of a compound, without the hyphen or the letter that links its parts."""
    yield rest
    if rest[0] in "-s":
        yield rest[1:]


def tokens(text: str) -> Tokens:
    return tuple(_TOKEN.findall(text.replace("’", "'").casefold()))


@cache
def load_lexicon() -> Lexicon:
    """The words that the package carries."""
    files = turtle_files("data", "words")
    return cached("lexicon", files, _read)


def _read() -> Lexicon:
    import pyoxigraph as ox

    found = Lexicon()
    labels: dict[str, list[Tokens]] = {}
    roles: dict[str, str] = {}
    asks: dict[str, list[tuple[str, Scalar]]] = {}
    for file in turtle_files("data", "words"):
        for triple in ox.parse(path=file, format=ox.RdfFormat.TURTLE):
            subject, predicate, value = triple.subject, triple.predicate.value, triple.object
            if not isinstance(subject, ox.NamedNode) or isinstance(value, ox.BlankNode | ox.Triple):
                continue
            if predicate == RDF + "type":
                roles[subject.value] = local_name(value.value)
            elif predicate in _LABELS:
                labels.setdefault(subject.value, []).append(tokens(value.value))
            elif predicate.startswith(GAME):
                asks.setdefault(subject.value, []).append((local_name(predicate), _plain(value)))
    for name, role in roles.items():
        word = Word(Iri(name), role, tuple(sorted(asks.get(name, []))))
        found.named[word.iri] = word
        found.words |= dict.fromkeys(labels[name], word)
    found.longest = max(map(len, found.words))
    return found


def _plain(value: object) -> Scalar:
    import pyoxigraph as ox

    if isinstance(value, ox.Literal):
        return int(value.value) if value.datatype.value.endswith("#integer") else value.value
    assert isinstance(value, ox.NamedNode)
    return Iri(value.value)
