"""What is asked for by name or number instead of its identifier: /rule/702.88a, /keyword/Abprall, /card/Cancel."""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

import pyoxigraph as ox

from rulewright.site.context import LANGUAGES, Site
from rulewright.site.pages.parts import whole
from rulewright.vocabulary import BASE, CORE, NEWEST, RULING

_NUMBER: Final = re.compile(r"\d{1,3}(?:\.\d{1,3}[a-z]{0,2})?\.?")
_VERSIONS: Final = f"""SELECT DISTINCT ?rule ?number ?day WHERE {{
    ?known <{CORE}number> %s ; <{CORE}versionOf> ?rule .
    ?version <{CORE}versionOf> ?rule ; <{CORE}number> ?number ; <{CORE}inEdition>/<{CORE}effective> ?day
}}"""
_WITHOUT_CONCEPT: Final = f"""SELECT ?version WHERE {{
    ?version <{CORE}number> %s ; <{CORE}inEdition>/<{CORE}effective> ?day FILTER(STR(?day) <= %s)
    FILTER NOT EXISTS {{ ?version <{CORE}versionOf> ?rule }}
}} ORDER BY DESC(?day) LIMIT 1"""


def find(site: Site, path: str, date: str = "") -> str | None:
    """The IRI of the thing that a path names, if there is exactly one such."""
    kind, _, name = path.partition("/")
    if not name or len(name) > 200:
        return None
    if kind == "rule":
        return rule(site, name, date)
    if kind == "keyword":
        folded = name.casefold().replace("_", " ")
        return next((iri for known, iri in site.knowledge.keyword_names.items() if known.casefold() == folded), None)
    if kind in ("ruling", "term"):
        base = RULING if kind == "ruling" else BASE + "term/"
        return _there(site, [base + name.upper(), base + name.lower()])
    if kind == "card":
        return _named(site, name.replace("_", " "), CORE + "Card")
    return None


def rule(site: Site, number: str, date: str = "") -> str | None:
    """The rule that has a number on a day (the newest edition's, or else the last that had it)."""
    if not _NUMBER.fullmatch(number):
        return None
    number, day = number.rstrip("."), NEWEST
    if date:
        try:
            day = int(dt.date.fromisoformat(date).strftime("%Y%m%d"))
        except ValueError:
            return None
    history: dict[str, list[tuple[int, str]]] = {}
    for row in site.ask(_VERSIONS, ox.Literal(number)):
        since = whole(row["day"].value.replace("-", ""))
        history.setdefault(row["rule"].value, []).append((since, row["number"].value))
    had: list[tuple[int, str]] = []
    for of, versions in history.items():
        until = [version for version in sorted(versions) if version[0] <= day]
        if until and until[-1][1] == number:
            return of
        had += [(since, of) for since, known in until if known == number]
    if had and not date:
        return max(had)[1]
    rows = site.ask(_WITHOUT_CONCEPT, ox.Literal(number), ox.Literal(date or "9999-12-31"))
    return rows[0]["version"].value if rows else None


def _named(site: Site, name: str, kind: str) -> str | None:
    literals = " ".join(str(ox.Literal(name, language=tag)) for tag in LANGUAGES)
    query = f"SELECT DISTINCT ?x WHERE {{ VALUES ?name {{ {literals} }} ?x skos:prefLabel ?name ; a <{kind}> }} LIMIT 2"
    found = [row["x"].value for row in site.ask(query)]
    return found[0] if len(found) == 1 else None


def _there(site: Site, iris: list[str]) -> str | None:
    for iri in iris:
        try:
            if site.ask("SELECT ?p WHERE { %s ?p ?o } LIMIT 1", iri):
                return iri
        except ValueError:
            continue
    return None


