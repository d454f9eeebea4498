"""What has no page of its own: everything that is said of it, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from rulewright.site.context import Site
from rulewright.site.documents import Document
from rulewright.site.pages.parts import Page, chosen
from rulewright.store.dataset import PREFIXES
from rulewright.vocabulary import AX, BASE, CORE, GAME, SKOS, local_name

_NAMES = (SKOS + "prefLabel", PREFIXES["rdfs"] + "label", PREFIXES["dcterms"] + "title", CORE + "number")
_OURS = (CORE, GAME, AX)
SHOWN = 200
"""Things that point here, that the page lists."""


@dataclass(frozen=True)
class Value:
    text: str
    href: str = ""
    language: str = ""


def page(site: Site, document: Document, language: str) -> Page:
    given = [texts for name in _NAMES if (texts := document.texts(name))]
    name = chosen(given[0], language) if given else local_name(document.iri)
    terms = (t for q in (*document.own, *document.pointing) for t in (q.subject, q.predicate, q.object))
    ours = {t.value for t in terms if isinstance(t, ox.NamedNode) and t.value.startswith(BASE)}
    names = site.labels(sorted(ours), language)
    sections = []
    for subject, said in sorted(document.facts.items(), key=lambda item: (item[0] != document.iri, item[0])):
        if subject.startswith("_:"):
            continue
        rows = [(_property(site, predicate, names), [_value(site, document, v, names) for v in values])
                for predicate, values in said.items()]  # fmt: skip
        anchor = subject.partition("#")[2]
        sections.append((anchor, "" if subject == document.iri else names.get(subject, anchor), rows))
    pointing = []
    for quad in document.pointing[:SHOWN]:
        pointing.append((_value(site, document, quad.subject, names), _property(site, quad.predicate.value, names)))
    body = site.render(
        "thing.html", language, iri=document.iri, name=name, sections=sections, pointing=pointing,
        kinds=[_property(site, t, names) for t in document.types],
        more=len(document.pointing) > SHOWN or document.cut,
    )  # fmt: skip
    return Page(name, body)


def _property(site: Site, iri: str, names: dict[str, str]) -> Value:
    if iri.startswith(_OURS):
        return Value(names.get(iri, local_name(iri)), site.href(iri))
    for prefix, space in PREFIXES.items():
        if iri.startswith(space):
            return Value(f"{prefix}:{iri.removeprefix(space)}", site.href(iri))
    return Value(iri, site.href(iri))


def _value(site: Site, document: Document, term: Any, names: dict[str, str]) -> Value:
    if isinstance(term, ox.NamedNode):
        if term.value.startswith(BASE):
            return Value(names.get(term.value, local_name(term.value)), site.href(term.value))
        return _property(site, term.value, names)
    if isinstance(term, ox.Literal):
        return Value(term.value, "", term.language or "")
    inside = document.facts.get(str(term), {})
    parts = [_value(site, document, v, names).text for p, values in inside.items() for v in values
             if not p.startswith(PREFIXES["rdf"])]  # fmt: skip
    return Value(f"[ {' · '.join(parts)} ]" if parts else "[ … ]")
