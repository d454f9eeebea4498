"""A ruling: both languages side by side, what it rests on, the axioms that run it, where and when it was published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from rulewright.site.context import LANGUAGES, Site
from rulewright.site.documents import Document
from rulewright.site.pages.parts import DCTERMS, Link, Page, axioms, described, heading, links, natural, scenarios
from rulewright.vocabulary import CORE, RULING, local_name

PUBLISHED: Final = 200
"""Publications that a page lists."""
_TEXTS: Final = f"""SELECT ?text ?code ?wording WHERE {{
    ?text <{CORE}expresses> %s
    OPTIONAL {{ ?text dcterms:language ?code }} OPTIONAL {{ ?text <{CORE}wording> ?wording }}
}} ORDER BY ?code ?text"""
_PUBLISHED: Final = f"""SELECT ?text ?on ?issued (MIN(?day) AS ?first) (MAX(?day) AS ?last) (MIN(?named) AS ?source)
WHERE {{
    ?text <{CORE}expresses> %s . ?publication <{CORE}publishes> ?text
    OPTIONAL {{ ?publication <{CORE}onCard> ?on }} OPTIONAL {{ ?publication dcterms:issued ?issued }}
    OPTIONAL {{ ?publication <{CORE}seen> ?day }} OPTIONAL {{ ?publication <{CORE}inSource> ?named }}
}} GROUP BY ?text ?on ?issued ORDER BY DESC(?issued) ?on LIMIT {PUBLISHED}"""


@dataclass(frozen=True)
class Publication:
    on: Link | None
    issued: str
    first: str
    last: str
    source: Link | None
    language: str


def page(site: Site, document: Document, language: str) -> Page:
    iri = document.iri
    told = described(site, iri)
    numbers = site.labels(document.values(CORE + "restsOn"), language)
    rests = sorted(numbers, key=lambda rule: natural(numbers[rule]))
    headings = {rule: heading(described(site, rule).get("heading", {}).get(language, "")) for rule in rests}
    body = site.render(
        "ruling.html", language, iri=iri, name=iri.removeprefix(RULING), texts=document.texts(CORE + "statement"),
        sides=(language, next(tag for tag in LANGUAGES if tag != language)),
        about=links(site, document.values(CORE + "about"), language),
        issued=document.value(DCTERMS + "issued"), status=local_name(document.value(CORE + "status")),
        rests_on=[(link, headings[rule], rule == document.value(CORE + "mainRule"))
                  for rule, link in zip(rests, links(site, rests, language), strict=True)],
        axioms=axioms(site, told.get("axioms", ()), language), scenarios=scenarios(site, told.get("scenarios")),
        findings=None if site.findings is None else site.findings.get(iri, []),
        wordings=_wordings(site, iri), published=_published(site, iri, language),
    )  # fmt: skip
    return Page(iri.removeprefix(RULING), body)


def _wordings(site: Site, iri: str) -> list[tuple[str, str]]:
    found = {(row["wording"].language or "", row["wording"].value)
             for row in site.ask(_TEXTS, iri) if row["wording"] is not None}  # fmt: skip
    return sorted(found)


def _published(site: Site, iri: str, language: str) -> list[Publication]:
    codes = {row["text"].value: row["code"].value for row in site.ask(_TEXTS, iri) if row["code"] is not None}
    rows = [row for row in site.ask(_PUBLISHED, iri) if row.get("text") is not None]
    named = [row[key].value for row in rows for key in ("on", "source") if row[key] is not None]
    names = site.labels(named, language)

    def link(term: Any) -> Link | None:
        return None if term is None else Link(names[term.value], site.href(term.value))

    def value(term: Any) -> str:
        return "" if term is None else term.value

    return [
        Publication(link(row["on"]), value(row["issued"]), value(row["first"]), value(row["last"]),
                    link(row["source"]), codes.get(row["text"].value, ""))
        for row in rows
    ]  # fmt: skip
