"""A SPARQL 1.1 server over HTTP: queries, updates (SPARQL 1.1 Protocol §2) and whole graphs (Graph Store Protocol §5).

SPARQLWrapper, which imports rdflib and is imported only when something is asked, makes the requests of queries and
updates. They are sent by an opener of our own: SPARQLWrapper's authentication would change that of the whole process.

What may be asked twice without harm is asked again where the server is busy or the connection broke, after a pause that
grows. A time-out is not: the same would take as long again.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final, Literal
from urllib.parse import urlencode, urlsplit

from rulewright.store.protocol import StoreError

PAUSES: Final = (0.5, 2.0)
"""Seconds before asking again: as many times as there are."""
USUAL: Final = {
    "query": ("store", "data"),
    "sparql": ("sparql-graph-crud-auth", "data"),
}
"""Last part of the address of queries -> those of the Graph Store Protocol (Oxigraph, Fuseki; Virtuoso, Fuseki)."""
UPDATED: Final = 500
"""Triples an update: Virtuoso compiles it whole, and refuses one that is too long."""
BUSY: Final = frozenset((429, 502, 503, 504))
HEADERS: Final = 10_000
"""Headers of an answer, at most. Virtuoso tells each graph of the dataset in one of its own, and there may be many."""
# The limit of the standard library, 100, is a constant of its module; more is read than before, nothing else changes.
http.client._MAXHEADERS = HEADERS  # type: ignore[attr-defined]
N_TRIPLES: Final = "application/n-triples"
Form = Literal["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"]


@dataclass(frozen=True)
class Reply:
    """What a server answered. Names of headers are in small letters."""

    body: bytes
    headers: Mapping[str, str]

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def start(self) -> str:
        return self.body[:60].decode("utf-8", "replace").strip()


class Endpoint:
    """`update`: where updates go, if not to `query` (Virtuoso: `/sparql-auth`), or to `/update` beside `/query`
    (Oxigraph, Fuseki); `graph_store`: the address of the Graph Store Protocol, if it is known. `timeout`: seconds
    without an answer.

    With `user` and `password`, a server that asks for them gets them, by HTTP's basic or digest, as it wishes. All
    methods raise StoreError.
    """

    def __init__(
        self, query: str, update: str | None = None, graph_store: str | None = None,
        user: str | None = None, password: str | None = None, timeout: int = 60,
    ) -> None:  # fmt: skip
        beside = f"{query.removesuffix('/query')}/update" if query.endswith("/query") else query
        self.query_address, self.update_address, self.graph_store = query, update or beside, graph_store
        for address in (query, self.update_address, graph_store or query):
            if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).netloc:
                raise StoreError(address, "is no web address", "give one such as http://localhost:8890/sparql")
        self._user, self._password, self._timeout = user, password, timeout

    def query(self, text: str, form: Form, parameters: Iterable[tuple[str, str]] = ()) -> Reply:
        """The answer to a query: JSON for SELECT and ASK, Turtle (if the server pleases) for the others."""
        from SPARQLWrapper import JSON, TURTLE

        def ask() -> Reply:
            wrapper = self._wrapper(self.query_address, text, form)
            wrapper.setReturnFormat(JSON if form in ("SELECT", "ASK") else TURTLE)
            for name, value in parameters:
                wrapper.addParameter(name, value)
            return self._request(wrapper._createRequest(), self.query_address)

        reply = self._patiently(ask)
        # Virtuoso says so in headers; it answers 206 for a query that it cut off in the middle.
        if "x-sparql-maxrows" in reply.headers or reply.headers.get("x-sql-state") == "S1TAT":
            raise cut_short(self.query_address)
        return reply

    def update(self, text: str, again: bool = False) -> None:
        """`again`: whether doing it twice does no harm."""

        def do() -> Reply:
            return self._request(
                self._wrapper(self.update_address, text, "INSERT")._createRequest(), self.update_address
            )

        if again:
            self._patiently(do)
        else:
            do()

    def usual_graph_stores(self) -> list[str]:
        """Where servers that are known have their Graph Store Protocol, by the address of their queries."""
        start, _, last = self.query_address.rpartition("/")
        return [f"{start}/{name}" for name in USUAL.get(last, ())]

    def graph(self, name: str) -> Reply:
        """A graph as the Graph Store Protocol gives it, in N-Triples (if the server pleases)."""
        return self._patiently(lambda: self._graph_store("GET", name))

    def post(self, name: str, content: bytes) -> None:
        """Adds N-Triples to a graph by the Graph Store Protocol. Without blank nodes that does no harm twice."""
        if b"_:" in content:
            self._graph_store("POST", name, content)
        else:
            self._patiently(lambda: self._graph_store("POST", name, content))

    # --- one request

    def _wrapper(self, address: str, text: str, form: str) -> Any:
        from SPARQLWrapper import POST, SPARQLWrapper

        wrapper = SPARQLWrapper(address)
        wrapper.setMethod(POST)
        wrapper.setOnlyConneg(True)
        # SPARQLWrapper looks for the form in the text, and may find a word of a comment.
        wrapper.queryString, wrapper.queryType = text, form
        return wrapper

    def _graph_store(self, method: str, graph: str, content: bytes | None = None) -> Reply:
        address = self.graph_store
        assert address is not None
        place = f"{address}{'&' if urlsplit(address).query else '?'}{urlencode({'graph': graph})}"
        # What is said of an upload is of no interest; Virtuoso says it in HTML, and insists.
        headers = {"Accept": N_TRIPLES} if content is None else {"Accept": "*/*", "Content-Type": N_TRIPLES}
        request = urllib.request.Request(place, data=content, method=method, headers=headers)

        return self._request(request, address)

    def _request(self, request: urllib.request.Request, address: str) -> Reply:
        """Asks; where the server wants to know who asks, once more with that."""
        handlers: list[urllib.request.BaseHandler] = []
        if self._user is not None:
            passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
            passwords.add_password(None, address, self._user, self._password or "")
            handlers.append(_Basic(passwords))
            handlers.append(_Digest(passwords))
        try:
            with urllib.request.build_opener(*handlers).open(request, timeout=self._timeout) as response:
                return Reply(response.read(), {name.lower(): value for name, value in response.getheaders()})
        except urllib.error.HTTPError as error:
            with error:
                raise self._failed(address, error) from None
        except urllib.error.URLError as error:
            raise self._unreachable(address, error.reason) from None
        except (OSError, HTTPException) as error:
            raise self._unreachable(address, error) from None

    def _patiently(self, ask: Callable[[], Reply]) -> Reply:
        for pause in PAUSES:
            try:
                return ask()
            except _Passing:
                time.sleep(pause)
        return ask()

    # --- what can go wrong

    def _failed(self, address: str, error: urllib.error.HTTPError) -> StoreError:
        if error.code in (401, 403):
            return _not_allowed(address)
        if error.code == 404:
            return StoreError(address, "there is nothing at this path (404)",
                              "mend the path (Virtuoso: /sparql, /sparql-auth; Oxigraph: /query, /update)")
        if error.code in BUSY:
            return _Passing(address, f"failed with status {error.code}", "try again later, or see the server's log")
        try:
            told = error.read().decode("utf-8", "replace").strip().partition("\n")[0].strip()[:200]
        except (OSError, HTTPException):
            told = ""
        if "no permission" in told.lower():  # Virtuoso's status is 500
            return _not_allowed(address)
        what = f"refuses what it was asked: {told}" if told else f"failed with status {error.code}"
        return StoreError(address, what, "see the server's log")

    def _unreachable(self, address: str, reason: object) -> StoreError:
        if isinstance(reason, TimeoutError):
            return StoreError(address, f"did not answer within {self._timeout} s",
                              "raise the time-out, or mend the server")
        if isinstance(reason, ConnectionRefusedError):
            return StoreError(address, "refuses the connection", "start the server, or mend the address")
        kind = _Passing if isinstance(reason, (ConnectionError, HTTPException)) else StoreError
        return kind(address, f"cannot be reached: {reason}", "mend the address or the network")


def cut_short(address: str) -> StoreError:
    return StoreError(address, "the answer was cut short",
                      "raise the server's limits (Virtuoso: ResultSetMaxRows, MaxQueryExecutionTime)")  # fmt: skip


def _not_allowed(address: str) -> StoreError:
    return StoreError(address, "does not allow that to this user",
                      "give a user and password that may write (Virtuoso: at /sparql-auth)")  # fmt: skip


class _Passing(StoreError):
    """What may be over in a moment."""


class _Basic(urllib.request.HTTPBasicAuthHandler):
    """Each of the two handlers raises an error where the other one is asked for."""

    def http_error_auth_reqed(self, authreq: str, host: str, req: Any, headers: Any) -> Any:
        asked = headers.get(authreq, "").lower()
        return super().http_error_auth_reqed(authreq, host, req, headers) if "basic" in asked else None


class _Digest(urllib.request.HTTPDigestAuthHandler):
    def http_error_auth_reqed(self, auth_header: str, host: str, req: Any, headers: Any) -> Any:
        asked = headers.get(auth_header, "").lower()
        return super().http_error_auth_reqed(auth_header, host, req, headers) if "digest" in asked else None
