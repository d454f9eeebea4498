"""What every answer of the site goes through: headers, a name, a line of the log; and how much may come in,
how fast, and how often what is costly."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs, quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.site.addresses import kept_language
from rulewright.site.context import LANGUAGES
from rulewright.site.metrics import Metrics
from rulewright.site.rates import Rates, cost

ACCESS: Final = logging.getLogger("rulewright.site.access")
_LOG: Final = logging.getLogger(__name__)
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
PATIENCE: Final = 15.0
"""Seconds in which a request must have come in."""
_NAME: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_LONG: Final = 300
"""Characters of a path that the log shows."""


@dataclass(frozen=True)
class Care:
    """How the site meets who comes. `rate`: tokens a minute of each client for what is costly (0: any number); `log`:
    whether each request is a line of the log; `proxied`: whether it is behind a proxy, whose request ids it takes.
    """

    rate: float = 0.0
    log: bool = False
    proxied: bool = False


class Guard:
    """Around the whole application: also what goes wrong in it has these headers, is counted and told of in the log.

    `refused`: makes the answer to who asks too much; `routes`: what an endpoint is called in what is counted.
    """

    def __init__(
        self, application: ASGIApp, metrics: Metrics, care: Care,
        refused: Callable[[Request, HTTPException], Response], routes: Mapping[Any, str],
    ) -> None:  # fmt: skip
        self.application, self._metrics, self._care = application, metrics, care
        self._refused, self._routes = refused, routes
        self._rates = Rates(care.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [""])[0]
        kept_language.set(asked if asked in LANGUAGES else "")
        sent = _Sent(self._name(scope))

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent.status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-ID"] = sent.name
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            else:
                sent.size += len(message.get("body", b""))
                sent.whole = not message.get("more_body", False)
            await send(message)

        self._metrics.open.inc()
        try:
            await self._answer(scope, receive, sending)
        except ClientDisconnect:
            pass  # nobody waits for the answer
        except Exception:
            _LOG.exception("%s failed: %s %s", sent.name, scope["method"], _path(scope))
            if not sent.whole:
                raise
        finally:
            self._metrics.open.dec()
            self._note(scope, sent)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        tokens = cost(scope["method"], scope["path"])
        if wait := self._rates.take(_host(scope), tokens):
            error = HTTPException(429, headers={"Retry-After": str(wait), "Access-Control-Allow-Origin": "*"})
            await self._refused(Request(scope), error)(scope, receive, send)
        else:
            await self.application(scope, receive, send)

    def _name(self, scope: Scope) -> str:
        """What the request is called in the log and in the answer."""
        given = Headers(scope=scope).get("x-request-id", "") if self._care.proxied else ""
        return given if _NAME.fullmatch(given) else secrets.token_hex(8)

    def _note(self, scope: Scope, sent: _Sent) -> None:
        seconds = time.perf_counter() - sent.began
        route = self._routes.get(scope.get("endpoint"), "none")
        self._metrics.ended(route, scope["method"], sent.status, seconds)
        if self._care.log:
            # neither what was asked nor what was sent: that is nobody's business
            ACCESS.info(
                "%s %s %s %s %d %.0fms %s", _host(scope) or "-", scope["method"], _path(scope), sent.status or "-",
                sent.size, 1000 * seconds, sent.name,
            )  # fmt: skip


@dataclass
class _Sent:
    """What of an answer has been sent. `whole`: all of it."""

    name: str
    status: int = 0
    size: int = 0
    whole: bool = False
    began: float = field(default_factory=time.perf_counter)


def _host(scope: Scope) -> str:
    return str(scope["client"][0]) if scope.get("client") else ""


def _path(scope: Scope) -> str:
    """As it may stand in a line."""
    return quote(scope["path"], safe="/:@!$&'()*+,;=~-._")[:_LONG]


async def body(request: Request, most: int) -> bytes:
    """What a request brings. Raises HTTPException for what is too slow (408), too long (413) or packed (415)."""
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise HTTPException(415)
    length = request.headers.get("content-length", "")
    if length.isdecimal() and (len(length) > 18 or int(length) > most):
        raise HTTPException(413)
    found = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for chunk in request.stream():
                found += chunk
                if len(found) > most:
                    raise HTTPException(413)
    except TimeoutError:
        raise HTTPException(408, headers={"Connection": "close"}) from None
    return bytes(found)
