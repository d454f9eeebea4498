"""What goes into an index, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args

from rulewright.vocabulary import BASE

Kind: TypeAlias = Literal["keyword", "term", "rule", "ruling", "card"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""In the order in which documents are given to an index."""
OWN, OTHER, DEPRECATED = 0, 1, 2
"""How a name belongs to a thing: it is its name; another word, a part or a former number; a word that should go."""
Match: TypeAlias = Literal["exact", "beginning", "words", "similar", "text"]


@dataclass(frozen=True, slots=True)
class Name:
    text: str
    language: str = ""
    """`en`, `de`, or nothing where it is that of neither: a number, an identifier."""
    rank: int = OWN


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Document:
    """One thing that can be found. `heading`: what texts without a name of their own are shown under."""

    iri: str
    kind: Kind
    names: tuple[Name, ...]
    texts: tuple[Text, ...] = ()
    heading: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing found: its names by language, the name that matched and how, and the part of a text that did."""

    iri: str
    kind: Kind
    label: dict[str, str] = field(compare=False)
    match: Match
    matched: str
    excerpt: str = ""

    @property
    def local(self) -> str:
        """The identifier below the base IRI."""
        return self.iri.removeprefix(BASE)

    def title(self, language: str) -> str:
        """Number or identifier, if it has one, and its name in this language, else in another."""
        named = [self.label.get(language) or next((t for tag, t in sorted(self.label.items()) if tag), "")]
        return " ".join(part for part in (self.label.get(""), *named) if part) or self.local

    def others(self, language: str) -> list[str]:
        """What else it is called, besides its title: its name in the other language, and the name that matched."""
        shown = (self.title(language), self.label.get(""), self.label.get(language))
        names = dict.fromkeys((self.label.get("en" if language == "de" else "de", ""), self.matched))
        return [name for name in names if name and name not in shown]

    def as_json(self) -> dict[str, Any]:
        """`notation` is the number or identifier of a rule or ruling."""
        return {
            "id": self.iri,
            "kind": self.kind,
            **({"notation": self.label[""]} if "" in self.label else {}),
            "label": {language: text for language, text in sorted(self.label.items()) if language},
            "match": self.match,
            **({"matched": self.matched} if self.matched else {}),
            **({"excerpt": self.excerpt} if self.excerpt else {}),
        }
