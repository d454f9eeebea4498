"""A rule: the concept, its numbers and texts through the editions, and what rests on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages.parts import Page, axioms, both, described, heading, links, statements
from rulewright.vocabulary import CORE, SKOS

_VERSIONS: Final = f"""SELECT DISTINCT ?version ?number ?edition ?digest WHERE {{
    {{ SELECT DISTINCT ?version WHERE {{ ?version <{CORE}versionOf> %s }} }}
    ?version <{CORE}number> ?number ; <{CORE}inEdition> ?edition OPTIONAL {{ ?version <{CORE}digest> ?digest }}
}}"""
_WORDINGS: Final = f"""SELECT DISTINCT ?version ?wording WHERE {{
    {{ SELECT DISTINCT ?version ?text WHERE {{ ?version <{CORE}versionOf> %s ; <{CORE}text> ?text }} }}
    ?text <{CORE}wording> ?wording
}}"""
_DAYS: Final = f"SELECT DISTINCT ?edition ?day WHERE {{ ?edition <{CORE}effective> ?day }}"


@dataclass
class Version:
    """A rule for as long as neither its number nor its text changed."""

    href: str
    number: str
    since: str
    digest: str
    wording: str
    language: str
    renumbered: bool
    reworded: bool


def page(site: Site, document: Document, language: str) -> Page:
    iri = document.iri
    told = described(site, iri)
    name, second = (heading(text) for text in both(document.texts(SKOS + "prefLabel"), language))
    number = site.number(iri) or ""
    body = site.render(
        "rule.html", language, iri=iri, number=number, name=name, second=second, versions=versions(site, iri),
        keywords=[(k["label"].get(language, ""), site.href(k["id"])) for k in told.get("keywords", ())],
        axioms=axioms(site, told.get("axioms", ()), language), rulings=statements(site, "restsOn", iri, language),
        minted=links(site, document.values(CORE + "mintedIn"), language), minted_as=document.value(CORE + "mintedAs"),
    )  # fmt: skip
    return Page(f"{number} {name}".strip(), body)


def versions(site: Site, rule: str) -> list[Version]:
    """Newest first."""
    days = {row["edition"].value: row["day"].value for row in site.ask(_DAYS)}
    texts = sorted(((row["version"].value, row["wording"]) for row in site.ask(_WORDINGS, rule)), key=str)
    wordings = dict(reversed(texts))  # of several, always the same
    rows = [row for row in site.ask(_VERSIONS, rule) if row["edition"].value in days]
    found: list[Version] = []
    for row in sorted(rows, key=lambda row: (days[row["edition"].value], row["version"].value)):
        number, day, text = row["number"].value, days[row["edition"].value], wordings.get(row["version"].value)
        digest = row["digest"].value if row["digest"] is not None else ""
        wording = text.value if text is not None else ""
        if found and found[-1].since == day and found[-1].number == number:
            found[-1].wording = found[-1].wording or wording
            continue
        before = found[-1] if found else None
        renumbered = before is not None and before.number != number
        reworded = before is not None and bool(digest) and before.digest != digest
        if before is not None and not renumbered and not reworded:
            before.wording = before.wording or wording
            continue
        tag = (text.language or "") if text is not None else ""
        found.append(Version(site.href(row["version"].value), number, day, digest, wording, tag, renumbered, reworded))
    return found[::-1]
