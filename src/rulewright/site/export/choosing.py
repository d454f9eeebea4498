"""Which things of a store are exported: those that are asked for, and what their pages link to."""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyoxigraph as ox

from rulewright.site import lookups, pages
from rulewright.site.context import LANGUAGES, Site
from rulewright.site.documents import find
from rulewright.vocabulary import BASE, CORE

KINDS: Final = ("keyword", "ruling", "rule", "card", "term")
"""As which kinds a name is looked up, in this order."""
_ALL: Final = f"SELECT DISTINCT ?x WHERE {{ ?x ?p ?o FILTER(ISIRI(?x) && STRSTARTS(STR(?x), '{BASE}')) }}"
_GIVEN_UP: Final = "SELECT DISTINCT ?x WHERE { ?x owl:deprecated ?is FILTER(?is) }"
_VERSIONS: Final = f"SELECT DISTINCT ?version WHERE {{ ?version <{CORE}inEdition> %s }}"
_FACE: Final = f"""SELECT DISTINCT ?card WHERE {{
    VALUES ?name {{ %s }} ?face skos:prefLabel ?name ; <{CORE}faceOf> ?card
}}"""
_COUNT: Final = re.compile(r"\d{1,3}x?\s+(?=\S)")
_PRINTING: Final = re.compile(r"\s+\([A-Za-z0-9]{2,6}\)(?:\s+\S+)?(?:\s+\*F\*)?$")
_HEADINGS: Final = frozenset(("deck", "sideboard", "commander", "companion", "maybeboard", "about"))
"""Lines between the cards of a list."""


@dataclass
class Chosen:
    """`things`: documents to export; `missing`: what was asked for and is not there, each a line."""

    things: list[str]
    missing: list[str] = field(default_factory=list)


class _Reader(Site):
    """Notes what its pages link to."""

    def href(self, iri: str) -> str:
        if iri.startswith(BASE):
            self.linked[iri.partition("#")[0]] = None
        return super().href(iri)

    linked: dict[str, None]


def everything(site: Site) -> list[str]:
    """All documents, but those of identifiers that are given up: a server says what became of them."""
    there, gone = ({row["x"].value.partition("#")[0] for row in site.ask(query)} for query in (_ALL, _GIVEN_UP))
    return sorted(there - gone - {BASE})


def named(site: Site, asked: Sequence[str]) -> Chosen:
    """What is named, and what the pages of that link to.

    Each is a keyword, ruling, rule, card or term, by name, number or id, an edition by its day, a path of the site, or
    a file with the name of a card on each line.
    """
    chosen = Chosen([])
    found: dict[str, None] = {}
    for text in asked:
        if os.path.isfile(text):
            for number, card in _cards(Path(text), chosen):
                if of_name := _card(site, card):
                    found.update(dict.fromkeys(of_name))
                elif card.casefold() not in _HEADINGS:
                    chosen.missing.append(f"{text}, line {number}: there is no card “{card}”")
        elif things := list(_things(site, text)):
            found.update(dict.fromkeys(things))
        else:
            kinds = "keyword, ruling, rule, card, term, edition or file"
            chosen.missing.append(f"{text}: there is no {kinds} of that name")
    reader = _Reader(site.dataset, site.base, site.knowledge)
    reader.linked = {}
    for thing in found:
        if document := find(reader, thing):
            pages.page(reader, document, LANGUAGES[0])
    found.update((thing, None) for thing in reader.linked if thing not in found and find(reader, thing))
    chosen.things = sorted(found)
    return chosen


def _things(site: Site, text: str) -> Iterator[str]:
    text = text.strip()
    path = text.removeprefix(BASE)
    day = path.removeprefix("edition/")
    try:
        dt.date.fromisoformat(day)
    except ValueError:
        pass
    else:
        edition = f"{BASE}edition/{day}"
        if find(site, edition):
            yield edition
            yield from (row["version"].value for row in site.ask(_VERSIONS, edition))
        return
    for kind in KINDS:
        if iri := lookups.find(site, f"{kind}/{path}") or _there(site, f"{kind}/{path}"):
            yield iri
            return
    if iri := _there(site, path) or lookups.find(site, path):
        yield iri


def _there(site: Site, path: str) -> str | None:
    return BASE + path if path and find(site, BASE + path) else None


def _cards(file: Path, chosen: Chosen) -> Iterator[tuple[int, str]]:
    """Names of cards, with their lines: also from a list of a deck, with numbers before and printings after them."""
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
        chosen.missing.append(f"{file}: cannot be read: {reason}")
        return
    for number, line in enumerate(lines, 1):
        name = _PRINTING.sub("", _COUNT.sub("", line.strip(), count=1))
        if name and not name.startswith(("#", "//")):
            yield number, name


def _card(site: Site, name: str) -> Iterable[str]:
    if iri := lookups.find(site, f"card/{name}"):
        return [iri]
    names = " ".join(str(ox.Literal(name, language=tag)) for tag in LANGUAGES)
    return [row["card"].value for row in site.ask(_FACE.replace("%s", names))]
