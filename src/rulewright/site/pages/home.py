"""The first page, and the lists of things of a kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulewright.site import dumping
from rulewright.site.context import Site, words
from rulewright.site.negotiation import HTML
from rulewright.site.pages import schema
from rulewright.site.pages.parts import chosen, natural, other, whole
from rulewright.site.said import Parameter, Said, said
from rulewright.site.things import conditional
from rulewright.vocabulary import AX, BASE, CORE, GAME, RULING, SKOS

PER_PAGE: Final = 300
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
        language = site.language(request)
        counts = {kind: len(entries(site, kind, language)) for kind in LISTS}
        keywords = [(e.name, e.note, site.href(e.iri)) for e in entries(site, "keyword", language)
                    if e.iri in site.knowledge.keywords]  # fmt: skip
        triples = site.once.get("triples", lambda: len(site.dataset))
        body = site.render("home.html", language, counts=counts, keywords=keywords, triples=triples,
                           dumps=[(kind.name, site.root + dumping.path(form)) for form, kind in dumping.FORMS.items()],
                           vocabularies=[(v.removeprefix(BASE), site.href(v)) for v in VOCABULARIES])  # fmt: skip
        w = words(language)
        data = schema.written(schema.of_dataset(site, f"rulewright: {w['home_title']}", w["home_intro"]))
        return conditional(request, site.page(request, w["home_title"], body, data=data), site)

    @said(Said([Parameter("kind", "Of what.", {"enum": list(LISTS)}), Parameter("page", "Which page of it.", _NUMBER)],
               _PAGE, [404]))  # fmt: skip
    def listing(request: Request) -> Response:
        """A register: all things of a kind."""
        kind = request.path_params["kind"]
        if kind not in LISTS:
            raise HTTPException(404)
        language = site.language(request)
        found = entries(site, kind, language)
        asked = request.query_params.get("page", "1")
        number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 6 else 0
        pages = max(1, -(-len(found) // PER_PAGE))
        if not 1 <= number <= pages:
            raise HTTPException(404)
        shown = [(e.name, e.note, site.href(e.iri)) for e in found[(number - 1) * PER_PAGE : number * PER_PAGE]]
        title = words(language)[f"kinds_{kind}"]
        body = site.render("list.html", language, kind=kind, title=title, entries=shown, number=number, pages=pages,
                           total=len(found))  # fmt: skip
        return conditional(request, site.page(request, title, body), site)

    return [Route("/", home), Route("/{kind}/", listing)]


def entries(site: Site, kind: str, language: str) -> list[Entry]:
    """All things of a kind, in the order of a register."""
    made: list[Entry] = site.once.get(("entries", kind, language), lambda: _entries(site, kind, language))
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
    for row in site.dataset.query(_NAMED % (KINDS[kind], _LABEL.get(kind, "skos:prefLabel"))):  # type: ignore[union-attr]
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


