"""An axiom with an address of its own: a principle of the game."""

from __future__ import annotations

from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages.parts import Page, axioms, described


def page(site: Site, document: Document, language: str) -> Page:
    told = axioms(site, [described(site, document.iri)], language)[0]
    return Page(told.label, site.render("principle.html", language, iri=document.iri, axiom=told))
