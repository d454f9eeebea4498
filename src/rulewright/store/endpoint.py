"""A SPARQL 1.1 server over HTTP: queries, updates (SPARQL 1.1 Protocol §2) and whole graphs (Graph Store Protocol §5).

Queries and updates go through SPARQLWrapper, which imports rdflib and is imported only when something is asked. It has
no Graph Store Protocol: that is a plain request.

What may be asked twice without harm is asked again where the server is busy or the connection broke, after a pause that
grows. A time-out is not: the same would take as long again.
"""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final, Literal, TypeVar
from urllib.parse import urlencode, urlsplit

from rulewright.store.protocol import StoreError

PAUSES: Final = (0.5, 2.0)
"""Seconds before asking again: as many times as there are."""
USUAL: Final = {
    "query": ("store", "data"),
    "sparql": ("sparql-graph-crud-auth", "data"),
}
"""Last part of the address of queries -> those of the Graph Store Protocol (Oxigraph, Fuseki; Virtuoso, Fuseki)."""
BUSY: Final = frozenset((429, 502, 503, 504))
N_TRIPLES: Final = "application/n-triples"
Form = Literal["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"]
T = TypeVar("T")

_CHALLENGE = re.compile(r'(basic|digest)\b(?:[^,]*?\brealm="([^"]*)")?', re.IGNORECASE)


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
    """`update`: where updates go, if not to `query` (Virtuoso: `/sparql-auth`, Oxigraph: `/update`); `graph_store`: the
    address of the Graph Store Protocol, if it is known. `timeout`: seconds without an answer.

    With `user` and `password`, a server that asks for them gets them, by HTTP's basic or digest, as it wishes. All
    methods raise StoreError.
    """

    def __init__(
        self, query: str, update: str | None = None, graph_store: str | None = None,
        user: str | None = None, password: str | None = None, timeout: int = 60,
    ) -> None:  # fmt: skip
        self.query_address, self.update_address, self.graph_store = query, update or query, graph_store
        for address in (query, self.update_address, graph_store or query):
            if urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).netloc:
                raise StoreError(address, "is no web address", "give one such as http://localhost:8890/sparql")
        self._user, self._password, self._timeout = user, password, timeout
        self._asked: dict[str, tuple[str, str]] = {}
        """Address -> how it wants to be told who asks, and its realm."""

    def query(self, text: str, form: Form, parameters: Iterable[tuple[str, str]] = ()) -> Reply:
        """The answer to a query: JSON for SELECT and ASK, Turtle (if the server pleases) for the others."""
        from SPARQLWrapper import JSON, TURTLE

        def ask() -> Reply:
            wrapper = self._wrapper(self.query_address, text, form)
            wrapper.setReturnFormat(JSON if form in ("SELECT", "ASK") else TURTLE)
            for name, value in parameters:
                wrapper.addParameter(name, value)
            return self._answer(wrapper, self.query_address)

        reply = self._patiently(ask)
        # Virtuoso says so in headers; it answers 206 for a query that it cut off in the middle.
        if "x-sparql-maxrows" in reply.headers or reply.headers.get("x-sql-state") == "S1TAT":
            raise StoreError(self.query_address, "the answer was cut short",
                             "raise the server's limits (Virtuoso: ResultSetMaxRows, MaxQueryExecutionTime)")
        return reply

    def update(self, text: str, again: bool = False) -> None:
        """`again`: whether doing it twice does no harm."""

        def do() -> Reply:
            return self._answer(self._wrapper(self.update_address, text, "INSERT"), self.update_address)

        (self._patiently if again else _once)(do)

    def usual_graph_stores(self) -> list[str]:
        """Where servers that are known have their Graph Store Protocol, by the address of their queries."""
        start, _, last = self.query_address.rpartition("/")
        return [f"{start}/{name}" for name in USUAL.get(last, ())]

    def graph(self, name: str) -> Reply:
        """A graph as the Graph Store Protocol gives it, in N-Triples (if the server pleases)."""
        return self._patiently(lambda: self._graph_store("GET", name))

    def post(self, name: str, content: bytes) -> None:
        """Adds N-Triples to a graph by the Graph Store Protocol. Without blank nodes that does no harm twice."""
        (_once if b"_:" in content else self._patiently)(lambda: self._graph_store("POST", name, content))

    # --- one request

    def _wrapper(self, address: str, text: str, form: str) -> Any:
        from SPARQLWrapper import POST, SPARQLWrapper

        wrapper = SPARQLWrapper(address)
        wrapper.setMethod(POST)
        wrapper.setTimeout(self._timeout)
        wrapper.setOnlyConneg(True)
        # SPARQLWrapper looks for the form in the text, and may find a word of a comment.
        wrapper.queryString, wrapper.queryType = text, form
        return wrapper

    def _answer(self, wrapper: Any, address: str) -> Reply:
        from SPARQLWrapper import BASIC, DIGEST
        from SPARQLWrapper import SPARQLExceptions as Failed

        def ask() -> Reply:
            if address in self._asked:
                how, realm = self._asked[address]
                wrapper.setHTTPAuth(DIGEST if how == "digest" else BASIC)
                wrapper.setCredentials(self._user, self._password or "", realm=realm)
            try:
                return _reply(wrapper.query().response)
            except Failed.SPARQLWrapperException as error:
                cause = error.__context__
                if isinstance(error, Failed.Unauthorized) and isinstance(cause, urllib.error.HTTPError):
                    raise cause from None
                if isinstance(error, Failed.EndPointNotFound):
                    raise self._nothing_there(address) from None
                raise StoreError(address, f"refuses what it was asked: {_first_line(error)}",
                                 "see the server's log") from None

        return self._request(ask, address)

    def _graph_store(self, method: str, graph: str, content: bytes | None = None) -> Reply:
        address = self.graph_store
        assert address is not None
        place = f"{address}{'&' if urlsplit(address).query else '?'}{urlencode({'graph': graph})}"
        request = urllib.request.Request(place, data=content, method=method, headers={"Accept": N_TRIPLES})
        if content is not None:
            request.add_header("Content-Type", N_TRIPLES)

        def ask() -> Reply:
            passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
            if address in self._asked:
                passwords.add_password(None, place, self._user or "", self._password or "")
            handlers = urllib.request.HTTPBasicAuthHandler, urllib.request.HTTPDigestAuthHandler
            opener = urllib.request.build_opener(*(handler(passwords) for handler in handlers))
            with opener.open(request, timeout=self._timeout) as response:
                return _reply(response)

        return self._request(ask, address)

    def _request(self, ask: Callable[[], Reply], address: str) -> Reply:
        """Asks; where the server wants to know who asks, once more with that."""
        try:
            try:
                return ask()
            except urllib.error.HTTPError as error:
                challenge = _CHALLENGE.search(error.headers.get("WWW-Authenticate", ""))
                if error.code != 401 or self._user is None or address in self._asked or challenge is None:
                    raise
                self._asked[address] = challenge[1].lower(), challenge[2] or "SPARQL"
                return ask()
        except urllib.error.HTTPError as error:
            raise self._failed(address, error) from None
        except urllib.error.URLError as error:
            raise self._unreachable(address, error.reason) from None
        except (OSError, HTTPException, ValueError) as error:
            raise self._unreachable(address, error) from None

    def _patiently(self, ask: Callable[[], T]) -> T:
        for pause in PAUSES:
            try:
                return ask()
            except _Passing:
                time.sleep(pause)
        return ask()

    # --- what can go wrong

    def _failed(self, address: str, error: urllib.error.HTTPError) -> StoreError:
        if error.code in (401, 403):
            return StoreError(address, "does not allow that to this user",
                              "give a user and password that may write (Virtuoso: at /sparql-auth)")
        if error.code == 404:
            return self._nothing_there(address)
        if error.code in BUSY:
            return _Passing(address, f"failed with status {error.code}", "try again later, or see the server's log")
        try:
            told = error.read().decode("utf-8", "replace").strip().partition("\n")[0][:200]
        except (OSError, HTTPException):
            told = ""
        what = f"failed with status {error.code}" + (f": {told.strip()}" if told else "")
        return StoreError(address, what, "see the server's log")

    @staticmethod
    def _nothing_there(address: str) -> StoreError:
        return StoreError(address, "there is nothing at this path (404)",
                          "mend the path (Virtuoso: /sparql, /sparql-auth; Oxigraph: /query, /update)")

    def _unreachable(self, address: str, reason: object) -> StoreError:
        if isinstance(reason, TimeoutError):
            return StoreError(address, f"did not answer within {self._timeout} s",
                              "raise the time-out, or mend the server")
        if isinstance(reason, ConnectionRefusedError):
            return StoreError(address, "refuses the connection", "start the server, or mend the address")
        kind = _Passing if isinstance(reason, (ConnectionError, HTTPException)) else StoreError
        return kind(address, f"cannot be reached: {reason}", "mend the address or the network")


class _Passing(StoreError):
    """What may be over in a moment."""


def _once(ask: Callable[[], T]) -> T:
    return ask()


def _reply(response: Any) -> Reply:
    return Reply(response.read(), {name.lower(): value for name, value in response.getheaders()})


def _first_line(error: Any) -> str:
    """The server's own words, without the wrapper's around them."""
    told = str(error).partition("Response:\n")[2] or str(error)
    if told.startswith(("b'", 'b"')):
        told = told[2:-1].replace("\\n", "\n")
    return next((line.strip() for line in told.splitlines() if line.strip()), "no reason given")[:200]
