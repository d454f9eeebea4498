"""A keyword: what it means in plain words, what it is called, its rules, rulings and scenarios."""

from __future__ import annotations

from typing import Final

from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages import term
from rulewright.site.pages.parts import Page, axioms, both, described, links, scenarios, statements
from rulewright.vocabulary import CORE, SKOS

CARDS: Final = 60
_TERM: Final = f"SELECT ?term WHERE {{ ?term <{SKOS}exactMatch> %s ; a <{SKOS}Concept> }}"
_CARDS: Final = f"SELECT DISTINCT ?card WHERE {{ ?card <{CORE}hasKeyword> %s ; a <{CORE}Card> }}"


def page(site: Site, document: Document, language: str) -> Page:
    iri = document.iri
    told = described(site, iri)
    name, second = both(document.texts(SKOS + "prefLabel"), language)
    concepts = [row["term"].value for row in site.ask(_TERM, iri)]
    cards = sorted(row["card"].value for row in site.ask(_CARDS, iri))  # much faster than ORDER BY
    body = site.render(
        "keyword.html", language, iri=iri, name=name, second=second,
        axioms=axioms(site, told.get("axioms", ()), language, name),
        rules=[(rule["label"], site.href(rule["id"]), rule["numbers"]) for rule in told.get("rules", ())],
        terms=[word for concept in concepts for word in term.words_of(site, concept)],
        concepts=links(site, concepts, language),
        rulings=statements(site, "about", iri, language), scenarios=scenarios(site, told.get("scenarios")),
        cards=sorted(links(site, cards[:CARDS], language), key=lambda c: c.text), number_of_cards=len(cards),
    )  # fmt: skip
    return Page(name, body)
