"""A site around the endpoint: no more than the endpoint needs."""

from __future__ import annotations

import html
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rulewright.site.negotiation import language
from rulewright.site.sparql.endpoint import routes
from rulewright.site.sparql.pool import Limits
from rulewright.store import Dataset
from rulewright.vocabulary import BASE
from waiting import PATIENCE

LIMITS = Limits(time=PATIENCE, short=PATIENCE, patience=PATIENCE, memory=128 * 2**20)
"""None of time that a busy machine reaches: a test of that has its own."""


class Around:
    base = "http://testserver/"

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.on_start: list[Callable[[], Awaitable[None]]] = []
        self.on_stop: list[Callable[[], Awaitable[None]]] = []

    def language(self, request: Request) -> str:
        asked = request.query_params.get("lang")
        return asked if asked in ("en", "de") else language(request.headers.get("accept-language"), ("en", "de"), "en")

    def href(self, iri: str) -> str:
        return "/" + iri.removeprefix(BASE) if iri.startswith(BASE) else iri

    def page(
        self, request: Request, title: str, body: str, *, status: int = 200,
        styles: Sequence[str] = (), scripts: Sequence[str] = (),
    ) -> Response:  # fmt: skip
        head = "".join(f'<link rel="stylesheet" href="/static/{s}">' for s in styles)
        head += "".join(f'<script defer src="/static/{s}"></script>' for s in scripts)
        return HTMLResponse(
            f'<!doctype html><html lang="{self.language(request)}"><head><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width"><title>{html.escape(title)}</title>{head}</head>'
            f"<body><main>{body}</main></body></html>",
            status,
        )


def application(dataset: Dataset, limits: Limits = LIMITS) -> Starlette:
    around = Around(dataset)
    made = routes(around, limits)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        for begin in around.on_start:
            await begin()
        yield
        for end in around.on_stop:
            await end()

    return Starlette(routes=made, lifespan=lifespan)
