"""A card: its names, faces and keywords, and the rulings on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages.parts import Link, Page, both, described, links, scenarios, statements, whole
from rulewright.store.dataset import PREFIXES
from rulewright.vocabulary import CORE, RULING, SKOS

_FACES: Final = f"SELECT ?face ?p ?o WHERE {{ ?face <{CORE}faceOf> %s ; ?p ?o }}"
_TEXTS: Final = f"""SELECT ?text ?issued (SAMPLE(?words) AS ?wording) (MIN(?day) AS ?first) (MAX(?day) AS ?last)
    (MIN(?makes) AS ?ruling) WHERE {{
    ?publication <{CORE}onCard> %s ; <{CORE}publishes> ?text . ?text <{CORE}wording> ?words
    OPTIONAL {{ ?publication dcterms:issued ?issued }} OPTIONAL {{ ?publication <{CORE}seen> ?day }}
    OPTIONAL {{ ?text <{CORE}expresses> ?makes }}
}} GROUP BY ?text ?issued ORDER BY DESC(?issued) ?text"""


@dataclass(frozen=True)
class Face:
    name: str
    second: str
    lines: tuple[tuple[str, str], ...]
    """Mana cost, type line and rules text, with their languages, where the store has them."""


@dataclass(frozen=True)
class Wording:
    href: str
    text: str
    language: str
    issued: str
    first: str
    last: str
    ruling: Link | None


def page(site: Site, document: Document, language: str) -> Page:
    iri = document.iri
    name, second = both(document.texts(SKOS + "prefLabel"), language)
    told = described(site, iri)
    own = {p: list(document.facts[iri].get(CORE + p, ())) for p in ("manaCost", "typeLine", "rulesText")}
    body = site.render(
        "card.html", language, iri=iri, name=name, second=second, lines=_lines(own, language),
        faces=_faces(site, iri, language), keywords=links(site, document.values(CORE + "hasKeyword"), language),
        rulings=statements(site, "about", iri, language), wordings=_wordings(site, iri),
        scenarios=scenarios(site, told.get("scenarios")),
        elsewhere=[link for link in document.values(PREFIXES["rdfs"] + "seeAlso") if link.startswith("https://")],
    )  # fmt: skip
    return Page(name, body)


def _faces(site: Site, card: str, language: str) -> list[Face]:
    facts: dict[str, dict[str, list[Any]]] = {}
    for row in site.ask(_FACES, card):
        key = row["p"].value.rpartition("#")[2]
        facts.setdefault(row["face"].value, {}).setdefault(key, []).append(row["o"])
    ordered = sorted(facts.items(), key=lambda f: (whole(f[1]["sequence"][0].value) if "sequence" in f[1] else 0, f[0]))
    found = []
    for _, said in ordered:
        names = {n.language or "": n.value for n in said.get("prefLabel", ())}
        found.append(Face(*both(names, language), _lines(said, language)))
    return found


def _lines(said: dict[str, list[Any]], language: str) -> tuple[tuple[str, str], ...]:
    found = []
    for key in ("manaCost", "typeLine", "rulesText"):
        texts = {t.language or "": t.value for t in said.get(key, ())}
        tag = next((t for t in (language, "en", "", *texts) if t in texts), None)
        if tag is not None:
            found.append((texts[tag], tag))
    return tuple(found)


def _wordings(site: Site, card: str) -> list[Wording]:
    found = []
    for row in site.ask(_TEXTS, card):
        if row["text"] is None or row["wording"] is None:
            continue
        issued, first, last = ("" if row[n] is None else row[n].value for n in ("issued", "first", "last"))
        ruling = row["ruling"]
        link = None if ruling is None else Link(ruling.value.removeprefix(RULING), site.href(ruling.value))
        href, wording = site.href(row["text"].value), row["wording"]
        found.append(Wording(href, wording.value, wording.language or "", issued, first, last, link))
    return found
