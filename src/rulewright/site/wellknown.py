"""What machines look for at known places: the dataset's description (VoID), the list of pages, the robots' rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

import pyoxigraph as ox
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from rulewright.site import dumps
from rulewright.site.context import LANGUAGES, Site
from rulewright.site.documents import Document, written
from rulewright.site.negotiation import DATA, HTML, choose
from rulewright.site.pages import thing
from rulewright.site.pages.home import LISTS, VOCABULARIES, entries
from rulewright.site.said import Said, said
from rulewright.site.things import CORS, conditional
from rulewright.store.dataset import DESCRIPTION, PREFIXES
from rulewright.store.description import DATASET, describe
from rulewright.vocabulary import BASE

PAGES: Final = 40_000
"""Addresses of one list of pages; more than 50,000 are not allowed."""


def routes(site: Site) -> list[Route]:
    described = tuple(form.media_type for form in (*DATA, HTML))

    @said(Said(answers={200: described, 304: ()}, errors=[406]))
    def void(request: Request) -> Response:
        """VoID §6.2, in the format that is asked for."""
        chosen = choose(request.headers.get("accept"), (*DATA, HTML))
        if chosen is None:
            raise HTTPException(406, headers={"Vary": "Accept", **CORS})
        suffix = chosen.format.suffix
        if chosen.format is HTML:
            page = thing.page(site, Document(DATASET, tuple(description(site)), (), False), site.language(request))
            shown = site.page(request, page.title, page.body)
            shown.headers.add_vary_header("Accept")
            shown.headers.update(CORS)
            return conditional(request, shown, site)
        content = site.once.get(("void", suffix), lambda: written(description(site), suffix))
        response = Response(content, media_type=chosen.media_type, headers={"Vary": "Accept", **CORS})
        return conditional(request, response, site)

    def listed(request: Request, number: int) -> Response:
        day = site.modified.date().isoformat()
        made = site.once.get("sitemaps", lambda: sitemaps(site.base, _paths(site), day))
        if number >= len(made):
            raise HTTPException(404)
        return conditional(request, Response(made[number], media_type="application/xml"), site)

    @said(Said(answers={200: ("application/xml",), 304: ()}))
    def sitemap(request: Request) -> Response:
        """The list of the lists of pages (sitemaps.org)."""
        return listed(request, 0)

    @said(Said(answers={200: ("application/xml",), 304: ()}, errors=[404]))
    def part(request: Request) -> Response:
        """One of the lists of pages."""
        number = request.path_params["number"]
        if number == 0:
            raise HTTPException(404)
        return listed(request, number)

    @said(Said(answers={200: ("text/plain",)}))
    def robots(_: Request) -> Response:
        """What robots are asked to leave alone."""
        closed = "".join(f"Disallow: {site.root}{path}\n" for path in ("sparql", "check", "search", "suggest", "dump"))
        return PlainTextResponse(f"User-agent: *\n{closed}Sitemap: {site.base}sitemap.xml\n")

    @said(Said(answers={303: ()}))
    def dataset(_: Request) -> Response:
        """The dataset itself: its description is elsewhere."""
        return RedirectResponse(f"{site.root}.well-known/void", 303, CORS)

    return [
        Route("/.well-known/void", void),
        Route(f"/{DATASET.removeprefix(BASE)}", dataset),
        Route("/sitemap.xml", sitemap),
        Route("/sitemap-{number:int}.xml", part),
        Route("/robots.txt", robots),
    ]


def description(site: Site) -> list[ox.Quad]:
    """What the dataset says of itself, or what can be counted in it."""
    graph = ox.NamedNode(DESCRIPTION)

    def make() -> list[ox.Quad]:
        if DESCRIPTION in site.dataset:
            return [ox.Quad(t.subject, t.predicate, t.object, graph) for t in site.dataset.triples(DESCRIPTION)]
        return describe(site.dataset)

    found: list[ox.Quad] = site.once.get("description", make)
    dataset = ox.NamedNode(DATASET)
    endpoint = ox.NamedNode(PREFIXES["void"] + "sparqlEndpoint")
    here = ox.Quad(dataset, endpoint, ox.NamedNode(site.base + "sparql"), graph)
    return [*found, here, *dumps.described(site, dataset, graph)]


def _paths(site: Site) -> list[str]:
    return [
        "", *(f"{kind}/" for kind in LISTS), *(v.removeprefix(BASE) + ".html" for v in VOCABULARIES),
        *(e.iri.removeprefix(BASE) + ".html" for kind in LISTS for e in entries(site, kind, LANGUAGES[0])),
    ]  # fmt: skip


def sitemaps(base: str, paths: Sequence[str], modified: str = "") -> list[str]:
    """The list of the lists of pages at paths below a base, and after it each of them, `sitemap-1.xml` and so on."""
    parts = [paths[start : start + PAGES] for start in range(0, len(paths), PAGES)]
    day = modified and f"<lastmod>{modified}</lastmod>"
    index = "".join(f"<sitemap><loc>{escape(base)}sitemap-{n}.xml</loc>{day}</sitemap>\n"
                    for n in range(1, len(parts) + 1))  # fmt: skip
    told = ["".join(f"<url><loc>{escape(base + path)}</loc></url>\n" for path in part) for part in parts]
    return [f'{_START}<sitemapindex xmlns="{_SITEMAP}">\n{index}</sitemapindex>\n',
            *(f'{_START}<urlset xmlns="{_SITEMAP}">\n{urls}</urlset>\n' for urls in told)]  # fmt: skip


_START: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAP: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
