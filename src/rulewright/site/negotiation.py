"""Which of the forms that a thing is offered in a client gets (RFC 9110 §12: `Accept`, `Accept-Language`).

Headers come from anyone: what cannot be read in one is as if it were not there, and one of which nothing can be read is
as if it were missing. Nothing here raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

MANY: Final = 100
"""Ranges of a header that are looked at."""
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_RANGE = re.compile(rf"({_TOKEN})/({_TOKEN})")
_LANGUAGE = re.compile(r"\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_QUALITY = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9}")
_PARAMETER = re.compile(rf'({_TOKEN})\s*=\s*(?:({_TOKEN})|"((?:[^"\\]|\\.)*)")')
# Outside quoted strings. A quotation mark that is never closed is a character like any other.
_PARTS = {sign: re.compile(rf'(?:[^{sign}"]|"(?:[^"\\]|\\.)*+"|")++') for sign in ",;"}
_IGNORED = frozenset(("charset", "profile", "version"))
"""Parameters of a range that exclude nothing: all is UTF-8, and of each format one form is offered."""


@dataclass(frozen=True)
class Format:
    """A form in which something is offered. `types`: its media type, and others by which clients ask for it.

    `suffix` names it: the last part of an address that asks for it, without the dot.
    """

    suffix: str
    types: tuple[str, ...]
    name: str

    @property
    def media_type(self) -> str:
        return self.types[0]


HTML: Final = Format("html", ("text/html", "application/xhtml+xml"), "HTML")
TURTLE: Final = Format("ttl", ("text/turtle", "application/x-turtle"), "Turtle")
TRIG: Final = Format("trig", ("application/trig",), "TriG")
N_TRIPLES: Final = Format("nt", ("application/n-triples",), "N-Triples")
N_QUADS: Final = Format("nq", ("application/n-quads",), "N-Quads")
JSON_LD: Final = Format("jsonld", ("application/ld+json", "application/json"), "JSON-LD")
RDF_XML: Final = Format("rdf", ("application/rdf+xml", "application/xml", "text/xml"), "RDF/XML")
TEXT: Final = Format("txt", ("text/plain",), "text")
"""In which it is said what went wrong."""

DATA: Final = (TURTLE, TRIG, N_TRIPLES, N_QUADS, JSON_LD, RDF_XML)
"""The formats of RDF, in the order in which they are given to who does not mind."""
DOCUMENTS: Final = (HTML, *DATA)
"""The formats of a thing's document."""
SUFFIXES: Final = {form.suffix: form for form in DOCUMENTS}


@dataclass(frozen=True)
class Chosen:
    """A format, and the media type to call it by: of several that it has, the one that was asked for."""

    format: Format
    media_type: str


@dataclass(frozen=True)
class _Range:
    type: str
    subtype: str
    parameters: frozenset[tuple[str, str]]
    quality: float

    def specificity(self, media_type: str) -> int:
        """How narrowly it says what this media type is; -1 where it does not fit (RFC 9110 §12.5.1)."""
        kind, _, rest = media_type.partition("/")
        subtype, *parameters = rest.split(";")
        if self.type not in ("*", kind) or self.subtype not in ("*", subtype):
            return -1
        has = {(name.strip(), value.strip()) for name, _, value in (p.partition("=") for p in parameters)}
        if not self.parameters <= has:
            return -1
        return (self.type != "*") + (self.subtype != "*") + len(self.parameters)


def choose(accept: str | None, offers: Sequence[Format]) -> Chosen | None:
    """The offer that suits a client best; None where none does. Of those that suit alike, the first."""
    ranges = _ranges(accept)
    best, chosen = 0.0, None
    for offer in offers:
        for media_type in offer.types:
            quality = _quality(ranges, media_type, by_name=media_type != offer.media_type)
            if quality > best:
                best, chosen = quality, Chosen(offer, media_type)
    return chosen


def language(accept: str | None, offers: Sequence[str], default: str) -> str:
    """The language of `offers` that suits best (RFC 4647 §3.4, lookup); `default` where none does."""
    best, chosen = 0.0, default
    wanted = [(_main(item), quality) for item, quality, _ in _items(accept, _LANGUAGE)]
    for offer in (default, *(o for o in offers if o != default)):
        fitting = [q for tag, q in wanted if tag == _main(offer)] or [q for tag, q in wanted if tag == "*"]
        quality = max(fitting, default=0.0)
        if quality > best:
            best, chosen = quality, offer
    return chosen


def _main(tag: str) -> str:
    return tag.partition("-")[0].lower()


def _quality(ranges: Iterable[_Range], media_type: str, by_name: bool) -> float:
    fitting = [(s, r.quality) for r in ranges if (s := r.specificity(media_type)) >= (2 if by_name else 0)]
    return max(fitting, default=(0, 0.0))[1]


_ANY = [_Range("*", "*", frozenset(), 1.0)]


def _ranges(accept: str | None) -> list[_Range]:
    ranges = []
    for item, quality, parameters in _items(accept, _RANGE):
        kind, _, subtype = item.lower().partition("/")
        if kind == "*" and subtype != "*":
            continue
        ranges.append(_Range(kind, subtype, parameters, quality))
    return ranges or _ANY


def _items(header: str | None, shape: re.Pattern[str]) -> list[tuple[str, float, frozenset[tuple[str, str]]]]:
    """What the header lists: each item, its quality, and the parameters before that."""
    found = []
    for part in _PARTS[","].findall(header or "")[:MANY]:
        item, *given = (piece.strip() for piece in _PARTS[";"].findall(part) or [""])
        if not shape.fullmatch(item):
            continue
        quality, parameters = 1.0, set()
        for piece in given:
            match = _PARAMETER.fullmatch(piece)
            name = match[1].lower() if match else ""
            if match is None:
                quality = -1.0 if re.match(r"q\s*(=|$)", piece, re.IGNORECASE) else quality
            elif name == "q":
                quality = min(float(match[2]), 1.0) if match[2] and _QUALITY.fullmatch(match[2]) else -1.0
                break  # what follows is none of the range
            elif name not in _IGNORED:
                parameters.add((name, (match[2] or match[3] or "").lower()))
        if quality >= 0:
            found.append((item, quality, frozenset(parameters)))
    return found
