"""A vocabulary of the project: its classes, properties and values with what they mean."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages.parts import Link, Page, chosen
from rulewright.store.dataset import PREFIXES
from rulewright.vocabulary import BASE, local_name

_RDFS, _OWL, _SCHEMA = PREFIXES["rdfs"], PREFIXES["owl"], PREFIXES["schema"]
_RELATIONS = {
    "sub": (_RDFS + "subClassOf", _RDFS + "subPropertyOf"),
    "used_on": (_SCHEMA + "domainIncludes", _RDFS + "domain"),
    "values": (_SCHEMA + "rangeIncludes", _RDFS + "range"),
}


@dataclass(frozen=True)
class Term:
    anchor: str
    label: str
    comment: str
    kinds: tuple[Link, ...]
    relations: tuple[tuple[str, tuple[Link, ...]], ...]


def page(site: Site, document: Document, language: str) -> Page:
    groups: dict[str, list[Term]] = {"classes": [], "properties": [], "values": []}
    for iri, said in document.facts.items():
        if not iri.startswith(document.iri + "#"):
            continue
        types = document.values(PREFIXES["rdf"] + "type", iri)
        group = "classes" if _OWL + "Class" in types else "values"
        if any(t.endswith("Property") for t in types):
            group = "properties"
        label, comment = (_in(document, _RDFS + p, iri, language) for p in ("label", "comment"))
        relations = tuple((name, tuple(_link(site, document, v.value) for p in predicates for v in said.get(p, ())
                                       if hasattr(v, "value") and not str(v).startswith("_:")))
                          for name, predicates in _RELATIONS.items())  # fmt: skip
        own = tuple(_link(site, document, t) for t in types if t.startswith(BASE))
        groups[group].append(Term(iri.partition("#")[2], label, comment, own, tuple(r for r in relations if r[1])))
    for terms in groups.values():
        terms.sort(key=lambda t: t.anchor.casefold())
    title = _in(document, PREFIXES["dcterms"] + "title", document.iri, language) or _in(
        document, _RDFS + "label", document.iri, language) or local_name(document.iri)  # fmt: skip
    about = _in(document, PREFIXES["dcterms"] + "description", document.iri, language) or _in(
        document, _RDFS + "comment", document.iri, language)  # fmt: skip
    body = site.render("ontology.html", language, iri=document.iri, title=title, about=about, groups=groups)
    return Page(title, body)


def _in(document: Document, predicate: str, subject: str, language: str) -> str:
    return chosen(document.texts(predicate, subject), language)


def _link(site: Site, document: Document, iri: str) -> Link:
    if iri.startswith(document.iri + "#"):
        return Link(local_name(iri), "#" + iri.partition("#")[2])
    for prefix, space in PREFIXES.items():
        if iri.startswith(space) and prefix not in ("rw",):
            return Link(f"{prefix}:{iri.removeprefix(space)}", site.href(iri))
    return Link(local_name(iri), site.href(iri))
