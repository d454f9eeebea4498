"""Namespaces of the project and of the standards that it reuses."""

from __future__ import annotations

import re
import unicodedata

BASE = "https://w3id.org/rulewright/"
CORE = BASE + "core#"
GAME = BASE + "game#"
AX = BASE + "axiom#"
KEYWORD = BASE + "keyword/"
RULE = BASE + "rule/"
RULING = BASE + "ruling/"
SCENARIO = BASE + "scenario/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
SH = "http://www.w3.org/ns/shacl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"


class Iri(str):
    """An IRI, as opposed to a string that a record states."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{self!s}>"


Scalar = Iri | str | int | bool

class KeywordIris(dict[str, Iri]):
    """The keywords by each of their names; `traits`: what some of them define about the objects that have them.

    `compounds`: names that say a quality too, at the ellipsis (“…walk”).
    """

    def __init__(
        self, names: dict[str, Iri], traits: dict[Iri, dict[str, Scalar]], compounds: dict[str, Iri] | None = None
    ) -> None:
        super().__init__(names)
        self.traits, self.compounds = traits, compounds or {}


NEWEST = 99991231
"""The day (yyyymmdd) to ask for what holds now, and that of a record without a date: the newest edition's rules."""

NONE = Iri(GAME + "none")


def local_name(iri: str) -> str:
    """The last part of an IRI: what follows `#`, else the last `/`."""
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def slug(text: str) -> str:
    """A name as it stands in an IRI: ASCII, lower case, words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
