"""The first page, and the lists of things of a kind."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulewright.site import dumping
from rulewright.site.context import Site, words
from rulewright.site.negotiation import HTML
from rulewright.site.pages import schema
from rulewright.site.pages.parts import Page, chosen, heading, natural, other, whole
from rulewright.site.said import Parameter, Said, said
from rulewright.site.things import conditional
from rulewright.vocabulary import AX, BASE, CORE, GAME, RULING, SKOS

PER_PAGE: Final = 300
DENSE: Final = {"rule": 1200, "scenario": 1200}
"""Of the kinds of which many stand in a line, or a group, more are on a page."""
KINDS: Final = {
    "keyword": CORE + "Keyword",
    "ruling": CORE + "Statement",
    "rule": CORE + "Rule",
    "card": CORE + "Card",
    "term": SKOS + "Concept",
    "scenario": "http://www.w3.org/ns/earl#TestCase",
    "edition": CORE + "Edition",
}
LISTS: Final = (*KINDS, "principle")
_NAMED: Final = "SELECT ?x ?label WHERE { { SELECT DISTINCT ?x WHERE { ?x a <%s> } } OPTIONAL { ?x %s ?label } }"
_LABEL: Final = {
    "ruling": f"<{CORE}statement>",
    "term": "skosxl:prefLabel/skosxl:literalForm",
    "edition": "dcterms:issued",
    "scenario": "dcterms:type",
}
_PAGE: Final = {200: (HTML.media_type,), 304: ()}
_NUMBER: Final = {"type": "integer", "minimum": 1, "maximum": 99_999}
VOCABULARIES: Final = tuple(space.removesuffix("#") for space in (CORE, GAME, AX))


@dataclass(frozen=True)
class Entry:
    """`note`: what stands beside the name: the other language's, a number, a verdict."""

    iri: str
    name: str
    note: str
    order: tuple[Any, ...]


def routes(site: Site) -> list[Route]:
    @said(Said(answers=_PAGE))
    def home(request: Request) -> Response:
        """The first page."""
        page = first(site, site.language(request))
        return conditional(request, site.page(request, page.title, page.body, data=page.data), site)

    @said(Said([Parameter("kind", "Of what.", {"enum": list(LISTS)}), Parameter("page", "Which page of it.", _NUMBER)],
               _PAGE, [404]))  # fmt: skip
    def listing(request: Request) -> Response:
        """A register: all things of a kind."""
        kind = request.path_params["kind"]
        if kind not in LISTS:
            raise HTTPException(404)
        asked = request.query_params.get("page", "1")
        number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 0
        language = site.language(request)
        if not 1 <= number <= pages(site, kind, language):
            raise HTTPException(404)
        page = register(site, kind, number, language)
        return conditional(request, site.page(request, page.title, page.body), site)

    return [Route("/", home), Route("/{kind}/", listing)]


def first(site: Site, language: str) -> Page:
    """The first page."""
    counts = {kind: len(entries(site, kind, language)) for kind in LISTS}
    defined = {axiom.partition("#")[0] for axiom in site.knowledge.axioms}
    keywords = [(e.name, e.note, site.href(e.iri)) for e in entries(site, "keyword", language) if e.iri in defined]
    dumps = [(kind.name, f"{site.root}{dumping.path(form)}") for form, kind in dumping.FORMS.items()]
    body = site.render("home.html", language, counts=counts, keywords=keywords, triples=site.size, dumps=dumps,
                       vocabularies=[(v.removeprefix(BASE), site.href(v)) for v in VOCABULARIES])  # fmt: skip
    w = words(language)
    data = schema.written(schema.of_dataset(site, f"rulewright: {w['home_title']}", w["home_intro"]))
    return Page(w["home_title"], body, data=data)


def pages(site: Site, kind: str, language: str) -> int:
    """How many pages the register of a kind has."""
    return max(1, -(-len(entries(site, kind, language)) // DENSE.get(kind, PER_PAGE)))


def register(site: Site, kind: str, number: int, language: str) -> Page:
    """A page of the register of a kind, from 1."""
    found, most = entries(site, kind, language), DENSE.get(kind, PER_PAGE)
    shown = [(e.name, e.note, site.href(e.iri)) for e in found[(number - 1) * most : number * most]]
    title = words(language)[f"kinds_{kind}"]
    body = site.render("list.html", language, kind=kind, title=title, entries=_grouped(kind, shown), number=number,
                       pages=pages(site, kind, language), total=len(found))  # fmt: skip
    return Page(title, body)


def _grouped(kind: str, shown: list[tuple[str, str, str]]) -> list[Any]:
    """Rules under their headings, scenarios by their folders; others as they are."""
    if kind == "rule":
        return [(name, list(rules)) for name, rules in groupby(shown, lambda e: heading(e[1]))]
    if kind == "scenario":
        return [(name, list(games)) for name, games in groupby(shown, lambda e: e[0].partition("/")[0])]
    return shown


def entries(site: Site, kind: str, language: str) -> list[Entry]:
    """All things of a kind, in the order of a register."""
    made: list[Entry] = site.once.get(
        ("entries", kind, language), lambda: [e for e in _entries(site, kind, language) if site.has(e.iri)]
    )
    return made


def _entries(site: Site, kind: str, language: str) -> list[Entry]:
    if kind == "principle":
        found = [(a.iri, a.label.in_language(language)) for a in site.knowledge.axioms.values()
                 if a.iri.startswith(BASE + "principle/")]  # fmt: skip
        return sorted((Entry(iri, name, "", (name.casefold(),)) for iri, name in found), key=lambda e: e.order)
    names, numbers = site.once.get(("named", kind), lambda: _named(site, kind))
    found_entries = [_entry(kind, iri, said, numbers.get(iri, ""), language) for iri, said in names.items()]
    return sorted(found_entries, key=lambda e: (e.order, e.iri))


def _named(site: Site, kind: str) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """All things of a kind with their names by language, and the numbers of those that have one."""
    names: dict[str, dict[str, str]] = {}
    for row in site.dataset.rows(_NAMED % (KINDS[kind], _LABEL.get(kind, "skos:prefLabel"))):
        said = names.setdefault(row["x"].value, {})
        if row["label"] is not None:
            said.setdefault(getattr(row["label"], "language", None) or "", row["label"].value)
    return names, {iri: site.number(iri) or "" for iri in names} if kind == "rule" else {}


def _entry(kind: str, iri: str, said: dict[str, str], number: str, language: str) -> Entry:
    name = chosen(said, language)
    if kind == "ruling":
        local = iri.removeprefix(RULING)
        return Entry(iri, local, name, (*natural(local),))
    if kind == "edition":
        return Entry(iri, name or iri.removeprefix(BASE + "edition/"), "", (_reversed(name),))
    if kind == "scenario":
        local = iri.removeprefix(BASE + "scenario/")
        return Entry(iri, local, name, (local,))
    if kind == "rule":
        return Entry(iri, number or name, name, (not number, *natural(number)))
    second = said.get(other(language), "")
    name = name or iri.removeprefix(BASE)
    return Entry(iri, name, second if second != name else "", (_folded(name),))


def _folded(name: str) -> str:
    from rulewright.index.folding import fold

    return fold(name)


def _reversed(day: str) -> int:
    """Newest first."""
    return -whole(day.replace("-", ""))


