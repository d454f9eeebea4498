"""The addresses of things: 303 to a document (Cool URIs §4.3), and the document in the format that is asked for.

A document's address is its thing's with a suffix. What is looked up by name or number redirects to the thing.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rulewright.site import lookups, pages
from rulewright.site.addresses import kept_language
from rulewright.site.context import Site
from rulewright.site.documents import Document, find, written
from rulewright.site.negotiation import DATA, DOCUMENTS, HTML, SUFFIXES, Format, choose
from rulewright.site.pages import schema
from rulewright.site.said import Parameter, Said, said
from rulewright.store.dataset import PREFIXES
from rulewright.vocabulary import BASE

CORS = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Last-Modified, Link, Location"}
_DEPRECATED = PREFIXES["owl"] + "deprecated"
_REPLACED = PREFIXES["dcterms"] + "isReplacedBy"
_UNREADABLE = frozenset(chr(n) for n in (*range(0x20), 0x7F, *b'<>"{}|^`\\ '))


def routes(site: Site) -> list[Route]:
    """Every path that nothing else has."""
    addresses = _Addresses(site)
    return [Route("/{path:path}", addresses.answer, methods=["GET"]),
            Route("/{path:path}", preflight, methods=["OPTIONS"])]  # fmt: skip


async def preflight(_: Request) -> Response:
    allowed = {"Access-Control-Allow-Methods": "GET, HEAD", "Access-Control-Allow-Headers": "*",
               "Access-Control-Max-Age": "86400", "Allow": "GET, HEAD, OPTIONS"}  # fmt: skip
    return Response(status_code=204, headers={**CORS, **allowed})


class _NotThere(Exception):
    pass


class _Moved(Exception):
    """What an identifier meant has another one now, at this address."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class _Addresses:
    def __init__(self, site: Site) -> None:
        self.site = site

    @said(Said(
        [Parameter("path", "A thing, one of its documents, or a name or number to look it up by.",
                   example="keyword/rebound.ttl"),
         Parameter("date", "The day of which a rule's number is.", {"type": "string", "format": "date"})],
        {200: tuple(form.media_type for form in DOCUMENTS), 301: (), 303: (), 304: ()}, [404, 406, 410],
    ))  # fmt: skip
    async def answer(self, request: Request) -> Response:
        """A thing: where its document is; a document: the thing's page, or its data."""
        # what is kept waits for no thread, of which others may make what takes long
        kept = self.site.documents.there(self._key(request))
        if kept is not None:
            return conditional(request, Response(kept[0], headers=kept[1]), self.site)
        return await run_sync(self._answer, request)

    def _key(self, request: Request) -> tuple[str, ...] | None:
        """By what a document is kept; None for a page whose links repeat what else is asked."""
        stem, _, suffix = request.path_params["path"].rpartition(".")
        if suffix != HTML.suffix:
            return stem, suffix
        if any(name != "lang" for name in request.query_params):
            return None
        return stem, suffix, self.site.language(request), kept_language.get()

    def _answer(self, request: Request) -> Response:
        path = request.path_params["path"]
        stem, dot, suffix = path.rpartition(".")
        try:
            if dot and suffix in SUFFIXES:
                with suppress(_NotThere):
                    return conditional(request, self._document(request, stem, SUFFIXES[suffix]), self.site)
            if document := self._find(path):
                self._not_given_up(document)
                return self._thing(request, document)
        except _Moved as moved:
            return RedirectResponse(moved.address, 301, CORS)
        if found := lookups.find(self.site, path, request.query_params.get("date", "")):
            return RedirectResponse(self.site.href(found), 303, CORS)
        raise HTTPException(404, headers=CORS)

    def _find(self, path: str) -> Document | None:
        if not path or _UNREADABLE.intersection(path):
            return None
        return find(self.site, BASE + path)

    def _not_given_up(self, document: Document, form: Format | None = None) -> None:
        """Raises, for an identifier that means nothing any more, _Moved or HTTPException (410)."""
        if not {"true", "1"}.intersection(document.values(_DEPRECATED)):
            return
        now = [iri for iri in document.values(_REPLACED) if self.site.href(iri)]
        if len(now) != 1:
            raise HTTPException(410, headers=CORS)
        address = self.site.href(now[0])
        raise _Moved(_suffixed(address, form) if form and now[0].startswith(BASE) else address)

    def _thing(self, request: Request, document: Document) -> Response:
        chosen = choose(request.headers.get("accept"), DOCUMENTS)
        if chosen is None:
            raise HTTPException(406, headers={"Vary": "Accept", **CORS})
        address = self._address(document, chosen.format)
        links = ", ".join(self._alternates(document))
        return RedirectResponse(address, 303, {"Vary": "Accept", "Link": links, **CORS})

    def _address(self, document: Document, form: Format) -> str:
        return _suffixed(self.site.href(document.iri), form)

    def _alternates(self, document: Document) -> list[str]:
        return [f'<{self._address(document, f)}>; rel="alternate"; type="{f.media_type}"' for f in DOCUMENTS]

    def _document(self, request: Request, path: str, form: Format) -> Response:
        def make() -> tuple[bytes, dict[str, str]]:
            document = self._find(path)
            if document is None:
                raise _NotThere
            self._not_given_up(document, form)
            response = self._made(request, document, form)
            return bytes(response.body), dict(response.headers)

        key = self._key(request)
        content, headers = make() if key is None else self.site.documents.get(key, make)
        return Response(content, headers=headers)

    def _made(self, request: Request, document: Document, form: Format) -> Response:
        if form is HTML:
            response = self._page(request, document)
        else:
            try:
                content = written((*document.own, *document.pointing), form.suffix)
            except ValueError:  # RDF/XML cannot say it all
                raise HTTPException(406, headers=CORS) from None
            response = Response(content, media_type=form.media_type)
        links = [*self._alternates(document), f'<{document.iri}>; rel="describes"']
        links += [f'<{kind}>; rel="type"' for kind in document.types]
        response.headers["Link"] = ", ".join(links)
        response.headers.update(CORS)
        return response

    def _page(self, request: Request, document: Document) -> Response:
        language = self.site.language(request)
        page = pages.page(self.site, document, language)
        alternates = [(f.name, f.media_type, self._address(document, f)) for f in DATA]
        data = schema.written(schema.of_thing(self.site, document, page.title))
        return self.site.page(request, page.title, page.body, styles=page.styles, alternates=alternates, data=data)


def _suffixed(address: str, form: Format) -> str:
    path, mark, asked = address.partition("?")
    return f"{path}.{form.suffix}" + (mark + asked if form is HTML else "")


def conditional(request: Request, response: Response, site: Site) -> Response:
    """The response with what a cache needs, or 304 where the client has it already (RFC 9110 §13)."""
    tag = f'"{hashlib.sha256(bytes(response.body)).hexdigest()[:20]}"'
    response.headers["ETag"] = tag
    response.headers["Last-Modified"] = format_datetime(site.modified, usegmt=True)
    response.headers["Cache-Control"] = "public, max-age=60"
    if _is_known(request, tag, site):
        kept = ("etag", "last-modified", "cache-control", "vary", "link", "content-language",
                "access-control-allow-origin", "access-control-expose-headers")  # fmt: skip
        headers: dict[str, Any] = {name: value for name, value in response.headers.items() if name in kept}
        return Response(status_code=304, headers=headers)
    return response


def has(request: Request, tag: str) -> bool:
    """Whether the client says that it has what bears this tag."""
    known = request.headers.get("if-none-match", "")
    return known.strip() == "*" or tag in (part.strip().removeprefix("W/") for part in known.split(","))


def _is_known(request: Request, tag: str, site: Site) -> bool:
    if "if-none-match" in request.headers:
        return has(request, tag)
    since = request.headers.get("if-modified-since")
    if since is None:
        return False
    try:
        return parsedate_to_datetime(since) >= site.modified
    except (ValueError, TypeError):
        return False

