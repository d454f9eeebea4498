"""Lines of N-Triples, made fast: readers of big files write millions of them.

A term here is its text in N-Triples (RDF 1.1 N-Triples §2), a line is without its line end.
"""

from __future__ import annotations

import re
from typing import Final

from ..vocabulary import BASE, CORE, RDF, SKOS

A: Final = f"<{RDF}type>"
LABEL: Final = f"<{SKOS}prefLabel>"
ISSUED: Final = "<http://purl.org/dc/terms/issued>"
LANGUAGE: Final = "<http://purl.org/dc/terms/language>"
DERIVED: Final = "<http://www.w3.org/ns/prov#wasDerivedFrom>"
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
TRUE: Final = f'"true"^^<{_XSD}boolean>'
_MUST: Final = re.compile(r'["\\\n\r]')
_ESCAPED: Final = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"})
# What JSON can say and UTF-8 cannot: halves of surrogate pairs.
_HALF: Final = re.compile("[\ud800-\udfff]")


def node(path: str) -> str:
    """A node of ours, by its path below the base. The path must hold nothing that an IRI may not."""
    return f"<{BASE}{path}>"


def rw(name: str) -> str:
    """A term of the core vocabulary."""
    return f"<{CORE}{name}>"


def literal(text: str, language: str = "") -> str:
    """A string, or with a language tag a text of that language."""
    if _MUST.search(text):
        text = text.translate(_ESCAPED)
    if not text.isascii():
        text = _HALF.sub("\ufffd", text)
    return f'"{text}"@{language}' if language else f'"{text}"'


def date(day: object) -> str:
    """A day, given as a date or in ISO 8601."""
    return f'"{day}"^^<{_XSD}date>'


def integer(value: int) -> str:
    return f'"{value}"^^<{_XSD}integer>'


def decimal(value: float) -> str:
    return f'"{value:.3f}"^^<{_XSD}decimal>'
