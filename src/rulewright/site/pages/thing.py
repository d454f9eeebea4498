"""What has no page of its own: everything that is said of it, as a table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from rulewright.site.context import Site, words
from rulewright.site.documents import Document
from rulewright.site.pages.parts import Page, chosen
from rulewright.store.dataset import PREFIXES
from rulewright.vocabulary import AX, BASE, CORE, GAME, SKOS, local_name

_NAMES = (SKOS + "prefLabel", PREFIXES["rdfs"] + "label", PREFIXES["dcterms"] + "title", CORE + "number")
_TYPE, _FIRST, _REST = (PREFIXES["rdf"] + name for name in ("type", "first", "rest"))
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
    name = chosen(given[0], language) if given else _short(local_name(document.iri))
    shown = document.pointing[:SHOWN]
    terms = (t for q in (*document.own, *shown) for t in (q.subject, q.predicate, q.object))
    ours = {t.value for t in terms if isinstance(t, ox.NamedNode) and t.value.startswith(BASE)}
    names = site.labels(sorted(ours), language)
    sections = []
    for subject, said in sorted(document.facts.items(), key=lambda item: (item[0] != document.iri, item[0])):
        if subject.startswith("_:"):
            continue
        rows = [(_property(site, predicate, names, language), [_value(site, document, v, names) for v in values])
                for predicate, values in said.items() if predicate != _TYPE or subject != document.iri]  # fmt: skip
        anchor = subject.partition("#")[2]
        sections.append((anchor, "" if subject == document.iri else names.get(subject, anchor), rows))
    pointing: dict[Value, list[Value]] = {}
    for quad in shown:
        pointing.setdefault(_property(site, quad.predicate.value, names, language), []).append(
            _value(site, document, quad.subject, names)
        )
    body = site.render(
        "thing.html", language, iri=document.iri, name=name, sections=sections, pointing=pointing,
        kinds=[_property(site, t, names, language) for t in document.types],
        more=len(document.pointing) > SHOWN or document.cut,
    )  # fmt: skip
    return Page(name, body)


def _property(site: Site, iri: str, names: dict[str, str], language: str = "") -> Value:
    """What a property or class is called; `language`: other people's too, where there is a word for it."""
    if iri.startswith(_OURS):
        return Value(names.get(iri, local_name(iri)), site.href(iri))
    for prefix, space in PREFIXES.items():
        if iri.startswith(space):
            name = f"{prefix}:{iri.removeprefix(space)}"
            return Value(words(language).get(name, name) if language else name, site.href(iri))
    return Value(iri, site.href(iri))


def _short(name: str) -> str:
    """A digest by its beginning."""
    return f"{name[:12]}…" if re.fullmatch("[0-9a-f]{40,}", name) else name


def _value(site: Site, document: Document, term: Any, names: dict[str, str]) -> Value:
    if isinstance(term, ox.NamedNode):
        if term.value.startswith(BASE):
            return Value(_short(names.get(term.value, local_name(term.value))), site.href(term.value))
        return _property(site, term.value, names)
    if isinstance(term, ox.Literal):
        return Value(term.value, "", term.language or "")
    inside = document.facts.get(str(term), {})
    if items := _items(document, term):
        return Value(" · ".join(_value(site, document, item, names).text for item in items))
    parts = [_value(site, document, v, names).text for p, values in inside.items() for v in values
             if not p.startswith(PREFIXES["rdf"])]  # fmt: skip
    return Value(f"[ {' · '.join(parts)} ]" if parts else "[ … ]")


def _items(document: Document, node: Any) -> list[Any]:
    """What a list of RDF has in it; nothing where it is none."""
    items: list[Any] = []
    seen: set[str] = set()
    while (inside := document.facts.get(str(node))) and _FIRST in inside and str(node) not in seen:
        seen.add(str(node))
        items.append(inside[_FIRST][0])
        node = next(iter(inside.get(_REST, ())), None)
    return items
