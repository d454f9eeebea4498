"""The endpoint's one address, `/sparql`, over HTTP: SPARQL 1.1 Protocol §2.1, the service's description, the editor."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import IO, Final, Protocol

import pyoxigraph as ox
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from rulewright.site import rates, safety
from rulewright.site.negotiation import DATA, HTML, TEXT, Chosen, choose
from rulewright.site.said import STRING, Parameter, Said, said
from rulewright.site.sparql import editor
from rulewright.site.sparql.description import DESCRIPTION_PREFIXES, describe
from rulewright.site.sparql.formats import BY_NAME, RDF
from rulewright.site.sparql.pool import Answer, Busy, Limits, Pool, TimedOut
from rulewright.site.sparql.protocol import DIRECT, FORM, METHODS, Asked, Refusal, formats, read, unacceptable
from rulewright.site.sparql.workers import Failed
from rulewright.store import Dataset, StoreError

PATH: Final = "/sparql"
RETRY: Final = 5
"""Seconds after which it is worth asking a busy endpoint again."""
CHUNK: Final = 2**16
MORE: Final = "X-SPARQL-MaxRows"
"""The header with which an answer says that it was cut short, and after how many rows or triples (as Virtuoso does)."""
_WHY: Final = {
    "memory": "it needs more memory than it may have",
    "store": "the store behind the endpoint failed",
}
_CORS: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": f"{MORE}, Retry-After, Content-Length",
}


class Site(Protocol):
    """What the endpoint needs of the site around it."""

    @property
    def dataset(self) -> Dataset: ...

    @property
    def base(self) -> str:
        """The address at which the site is served, with a `/` at its end."""

    @property
    def on_start(self) -> list[Callable[[], Awaitable[None]]]:
        """What is awaited before the first request, if the site cares to."""

    @property
    def on_stop(self) -> list[Callable[[], Awaitable[None]]]:
        """What is awaited when the site stops."""

    def language(self, request: Request) -> str:
        """`en` or `de`."""

    def href(self, iri: str) -> str:
        """Where a page of this site links to for an IRI: its own address of a thing that it has."""

    def page(
        self, request: Request, title: str, body: str, *, status: int = 200,
        styles: Sequence[str] = (), scripts: Sequence[str] = (),
    ) -> Response:  # fmt: skip
        """A page of the site around a body of HTML; `styles`, `scripts`: names of files in `static/`."""


def routes(site: Site, limits: Limits | None = None) -> list[Route]:
    """The endpoint on the site's dataset, wherever that is."""
    made = Endpoint(site, limits or Limits())
    site.on_start.append(made.pool.start)
    site.on_stop.append(made.pool.close)
    return [Route(PATH, made)]


_ANSWERS: Final = {200: tuple(form.media_type for form in BY_NAME.values())}
_ERRORS: Final = (400, 403, 406, 408, 413, 415, 500, 503, 504)
_GRAPHS: Final = {"type": "array", "items": {"type": "string", "format": "iri"}}
_FIELDS: Final = (
    Parameter("query", "A query (SPARQL 1.1); without one, the description of the service.", example="ASK {}"),
    Parameter("default-graph-uri", "Graphs of which the default graph is made.", _GRAPHS),
    Parameter("named-graph-uri", "Graphs that may be named.", _GRAPHS),
    Parameter("format", "Of the answer, whatever `Accept` says.", {"enum": list(BY_NAME)}),
)
_FORM: Final = {"type": "object", "required": ["query"], "properties": {p.name: p.schema for p in _FIELDS}}


@said(
    Said(_FIELDS, _ANSWERS, _ERRORS),
    Said(answers=_ANSWERS, errors=_ERRORS, bodies={DIRECT: STRING, FORM: _FORM}),
    "SPARQL 1.1 Protocol: a query answered",
)
class Endpoint:
    """An ASGI application: it also answers what is none of its methods, and sees a client go."""

    def __init__(self, site: Site, limits: Limits) -> None:
        self.site, self.limits = site, limits
        self.pool = Pool(site.dataset, limits)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        asked = None
        try:
            if request.method == "OPTIONS":
                response = _preflight()
            else:
                if request.method not in METHODS:
                    raise Refusal(405, f"{request.method[:20]}: ask by GET or POST", {"Allow": ", ".join(METHODS)})
                body = await self._body(request) if request.method == "POST" else b""
                address, kind = scope.get("query_string", b""), request.headers.get("content-type")
                asked = read(request.method, address, kind, body)
                response = await self._answered(request, asked)
        except ClientDisconnect:
            return
        except Refusal as refusal:
            response = await self._refused(request, asked, refusal)
        response.headers.update(_CORS)
        response.headers.add_vary_header("Accept")
        with suppress(ClientDisconnect):
            await response(scope, receive, send)

    async def _body(self, request: Request) -> bytes:
        """Raises Refusal."""
        try:
            return await safety.body(request, self.limits.body)
        except HTTPException as error:
            message, headers = {
                408: (f"the request did not come in within {safety.PATIENCE:g} s", {"Connection": "close"}),
                413: (f"the request is longer than {self.limits.body} bytes", {}),
                415: ("packed requests are not read", {"Accept-Encoding": "identity"}),
            }[error.status_code]
            raise Refusal(error.status_code, message, headers) from None

    async def _answered(self, request: Request, asked: Asked) -> Response:
        """Raises Refusal."""
        if asked.query is None:
            return await self._described(request, asked)
        if len(asked.query.encode()) > self.limits.body:
            raise Refusal(413, f"the query is longer than {self.limits.body} bytes")
        chosen = formats(asked, request.headers.get("accept"))
        answer = await self._run(request, asked, chosen)
        report = answer.report
        if report["status"] != "ok":
            answer.content.close()
            raise Refusal(400, report["message"]) if report["status"] == "bad" else unacceptable(report["kind"])
        kind = "graph" if report["kind"] == "graph" else "rows"
        if report["format"] == HTML.suffix:
            with answer.content as file:
                shown = file.read()
            result = editor.Result(report["kind"], shown, report["number"], report["cut"])
            response = await self._page(request, asked, result)
        else:
            response = self._sent(answer, chosen[kind])
        if report["cut"]:
            response.headers[MORE] = str(report["number"])
        return response

    async def _run(self, request: Request, asked: Asked, chosen: dict[str, Chosen]) -> Answer:
        """Raises Refusal for what the pool cannot do, ClientDisconnect where nobody waits any more."""
        client = rates.client(request.client.host) if request.client else ""
        names = {kind: choice.format.suffix for kind, choice in chosen.items()}
        running = asyncio.ensure_future(self.pool.run(asked, names, client))
        leaving = asyncio.ensure_future(_left(request))
        try:
            await asyncio.wait([running, leaving], return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                raise ClientDisconnect
            return running.result()
        except Busy:
            retry = {"Retry-After": str(RETRY)}
            raise Refusal(503, "too many queries at once: ask again in a few seconds", retry) from None
        except TimedOut:
            raise Refusal(504, f"the query took longer than {self.limits.time:g} s: ask for less") from None
        except Failed as error:
            if error.of == "format":
                raise Refusal(406, f"the answer cannot be had in this format: {error}") from None
            why = _WHY.get(error.of, "the endpoint failed")
            raise Refusal(500, f"the query could not be answered: {why}") from None
        finally:
            for task in (running, leaving):
                task.cancel()
            await asyncio.wait([running, leaving])

    def _sent(self, answer: Answer, chosen: Chosen) -> Response:
        media_type = chosen.media_type
        if media_type == "text/csv":
            media_type += "; header=present"
        length = os.fstat(answer.content.fileno()).st_size
        response = StreamingResponse(self._chunks(answer.content), media_type=media_type)
        response.headers["Content-Length"] = str(length)
        return response

    async def _chunks(self, content: IO[bytes]) -> AsyncIterator[bytes]:
        self.pool.unsent += 1
        try:
            while chunk := content.read(CHUNK):
                yield chunk
        finally:
            self.pool.unsent -= 1
            content.close()

    # --- without a query

    async def _described(self, request: Request, asked: Asked) -> Response:
        """The description, or the editor where a page is wanted."""
        offers = (*DATA, HTML)
        chosen = choose(request.headers.get("accept"), offers)
        if asked.format is not None:
            wanted = next((form for form in offers if form.suffix == asked.format), None)
            chosen = Chosen(wanted, wanted.media_type) if wanted else None
        if chosen is None:
            raise unacceptable("graph")
        if chosen.format is HTML:
            return await self._page(request, asked)
        address = self.site.base + PATH.lstrip("/")
        try:
            graphs = await asyncio.to_thread(self.site.dataset.graphs)
        except StoreError:
            raise Refusal(500, f"this cannot be answered: {_WHY['store']}") from None
        form = RDF[chosen.format.suffix]
        content = ox.serialize(describe(address, graphs, self.limits), format=form, prefixes=DESCRIPTION_PREFIXES)
        return Response(content, media_type=chosen.media_type)

    async def _page(
        self, request: Request, asked: Asked, result: editor.Result | None = None, refusal: Refusal | None = None
    ) -> Response:
        language = self.site.language(request)
        problem = refusal.message if refusal else None
        href = self.site.href
        body = await asyncio.to_thread(editor.body, asked, language, self.limits, href, result, problem)
        response = self.site.page(
            request, editor.title(language), body, status=refusal.status if refusal else 200,
            styles=(editor.STYLE,), scripts=(editor.SCRIPT,),
        )  # fmt: skip
        response.headers.add_vary_header("Accept-Language")
        return response

    async def _refused(self, request: Request, asked: Asked | None, refusal: Refusal) -> Response:
        chosen = choose(request.headers.get("accept"), (TEXT, HTML))
        as_page = chosen is not None and chosen.format is HTML
        if asked is not None and asked.format is not None:
            as_page = asked.format == HTML.suffix
        if as_page:
            response = await self._page(request, asked or Asked(None), refusal=refusal)
        else:
            response = PlainTextResponse(refusal.message + "\n", refusal.status)
        response.headers.update(refusal.headers)
        response.headers["Cache-Control"] = "no-store"
        return response


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _preflight() -> Response:
    return Response(status_code=204, headers={
        "Allow": ", ".join(METHODS),
        "Access-Control-Allow-Methods": ", ".join(METHODS),
        "Access-Control-Allow-Headers": "Accept, Accept-Language, Content-Type",
        "Access-Control-Max-Age": "86400",
    })  # fmt: skip


