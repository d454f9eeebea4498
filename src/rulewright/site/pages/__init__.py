"""The pages of things: a module for each kind, and one for what has no page of its own."""

from __future__ import annotations

from rulewright.site.addresses import kept_language
from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages import card, edition, keyword, ontology, principle, rule, ruling, scenario, term, thing
from rulewright.site.pages.parts import Page
from rulewright.store.dataset import PREFIXES
from rulewright.vocabulary import AX, CORE, SKOS

__all__ = ["Page", "page"]
_BY_TYPE = {
    CORE + "Keyword": keyword.page,
    CORE + "Statement": ruling.page,
    CORE + "Rule": rule.page,
    CORE + "Card": card.page,
    CORE + "Edition": edition.page,
    SKOS + "Concept": term.page,
    PREFIXES["owl"] + "Ontology": ontology.page,
    "http://www.w3.org/ns/earl#TestCase": scenario.page,
}


def page(site: Site, document: Document, language: str) -> Page:
    """The page of a thing in one language. What is made once is kept."""

    def make() -> Page:
        for kind in document.types:
            if kind in _BY_TYPE:
                return _BY_TYPE[kind](site, document, language)
            if kind.startswith(AX) and document.iri in site.knowledge.axioms:
                return principle.page(site, document, language)
        return thing.page(site, document, language)

    made: Page = site.kept.get(("page", document.iri, language, kept_language.get()), make)
    return made
