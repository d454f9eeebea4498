"""The site as an ASGI application."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from anyio.to_thread import run_sync
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rulewright.site import check, dumps, openapi, search, things, wellknown
from rulewright.site.context import LANGUAGES, Site, words
from rulewright.site.documents import find
from rulewright.site.findings import validated
from rulewright.site.metrics import Metrics
from rulewright.site.negotiation import HTML, TEXT, choose
from rulewright.site.pages import home
from rulewright.site.safety import Care, Guard
from rulewright.site.said import Said, said
from rulewright.site.sparql.endpoint import routes as sparql_routes
from rulewright.site.sparql.pool import Limits

_LOG = logging.getLogger(__name__)


def application(site: Site, limits: Limits | None = None, care: Care | None = None) -> ASGIApp:
    """The site; `limits`: those of its SPARQL endpoint."""

    ready = Readiness(site)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        for begin in site.on_start:
            await begin()
        warming = asyncio.create_task(begun(site, ready))
        try:
            yield
        finally:
            warming.cancel()
            await asyncio.wait([warming], timeout=2)
            for end in site.on_stop:
                await end()

    sparql = sparql_routes(site, limits)
    endpoint: Any = sparql[0].endpoint
    metrics = Metrics(endpoint.pool)
    routes: list[Route | Mount] = [
        Route("/health", health),
        Route("/ready", ready.answer),
        Route("/metrics", metrics.answer),
        Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
        *home.routes(site),
        *search.routes(site),
        *check.routes(site),
        *sparql,
        *dumps.routes(site),
        *wellknown.routes(site),
    ]
    others = things.routes(site)  # every other path
    routes += [*openapi.routes(site, [*routes, *others]), *others]
    told = _told(site)
    handlers: Any = {HTTPException: told, Exception: told}
    inside = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    inside.router.redirect_slashes = False  # what matches no route, such as a line break, is not found
    names = {route.app if isinstance(route, Mount) else route.endpoint: route.path for route in routes}
    return Guard(inside, metrics, care or Care(), told, names)


async def begun(site: Site, ready: Readiness) -> None:
    """What is done when the site has started; until it is validated, pages say nothing of that."""
    await ready.warm()
    site.learn(await validated(site.dataset))


@said(Said(answers={200: ("text/plain",)}))
async def health(_: Request) -> Response:
    """Whether the process answers."""
    return PlainTextResponse("ok\n")


class Readiness:
    """Whether the store answers too, and what is slow only the first time is done: registers and the index."""

    def __init__(self, site: Site) -> None:
        self.site, self.warming = site, False

    async def warm(self) -> None:
        self.warming = True
        try:
            await run_sync(self._warm)
            self.warming = False
            await run_sync(wellknown.description, self.site)  # the slowest by far, and asked for by few
        except Exception:
            _LOG.exception("warming up failed")
        finally:
            self.warming = False

    def _warm(self) -> None:
        self.site.search("a", (), 1, LANGUAGES[0])
        for language in LANGUAGES:
            for kind in home.LISTS:
                home.entries(self.site, kind, language)
        find(self.site, home.VOCABULARIES[0])

    @said(Said(answers={200: ("text/plain",), 503: ("text/plain",)}))
    def answer(self, _: Request) -> Response:
        """Whether all is there that pages are made of."""
        if self.warming:
            return PlainTextResponse("starting\n", 503, {"Retry-After": "5"})
        try:
            self.site.dataset.query("ASK { ?s ?p ?o }")
        except Exception:
            return PlainTextResponse("the store does not answer\n", 503, {"Retry-After": "5"})
        return PlainTextResponse("ready\n")


def _name(request: Request) -> str:
    """What an address seems to name: the last part of its path, as words."""
    last = request.url.path.rstrip("/").rpartition("/")[2].removesuffix(".html")
    return re.sub("[-_]+", " ", last)[: search.LONGEST]


def _told(site: Site) -> Any:
    def told(request: Request, error: Exception) -> Response:
        """What went wrong, and nothing of how."""
        status = error.status_code if isinstance(error, HTTPException) else 500
        language = site.language(request)
        w = words(language)
        name = f"error_{status}" if f"error_{status}" in w else "error_other"
        chosen = choose(request.headers.get("accept"), (HTML, TEXT))
        response: Response
        if chosen is None or chosen.format is not HTML:
            response = PlainTextResponse(f"{words('en')[name]}\n", status)
        else:
            body = site.render("error.html", language, title=w[name], hint=w.get(f"{name}_hint", ""),
                               sought=_name(request) if status == 404 else "")  # fmt: skip
            response = site.page(request, w[name], body, status=status)
        response.headers.add_vary_header("Accept")
        if isinstance(error, HTTPException) and error.headers:
            response.headers.update(error.headers)
        return response

    return told
