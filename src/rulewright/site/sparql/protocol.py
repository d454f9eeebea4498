"""What a request asks: SPARQL 1.1 Protocol §2.1, without HTTP around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl

from rulewright.site.negotiation import Chosen, choose
from rulewright.site.sparql.formats import BY_NAME, OFFERS

METHODS: Final = ("GET", "HEAD", "POST", "OPTIONS")
FORM: Final = "application/x-www-form-urlencoded"
DIRECT: Final = "application/sparql-query"
FIELDS: Final = 1000
"""Parameters of a request."""


class Refusal(Exception):
    """A request that is not answered: the status of HTTP, one line that says why, and headers."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, dict(headers or {})


@dataclass(frozen=True)
class Asked:
    """`query`: None where the request asks none. `format`: the name of the format that an answer should have, whatever
    `Accept` says. `others`: the parameters that are not the protocol's.
    """

    query: str | None
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    format: str | None = None
    others: Mapping[str, str] = field(default_factory=dict)


def read(method: str, address: bytes, content_type: str | None, body: bytes) -> Asked:
    """What a request asks; `address`: what follows the `?` in it. Raises Refusal."""
    if method not in METHODS:
        raise Refusal(405, f"{method[:20]} is no way to ask: GET or POST", {"Allow": ", ".join(METHODS)})
    if method != "POST":
        return _asked(_fields(address), None)
    media_type, charset = _content_type(content_type)
    if media_type not in (FORM, DIRECT):
        said = "updates are refused: " if media_type == "application/sparql-update" else ""
        raise Refusal(415, f"{said}send a query as {FORM} or {DIRECT}", {"Accept-Post": f"{FORM}, {DIRECT}"})
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise Refusal(415, f"{charset[:40]} is not read: send UTF-8")
    if media_type == DIRECT:
        return _asked(_fields(address), _decoded(body))
    # §2.1.2: all parameters are in the body; the page's own ones may stand in the address too
    beside = [(name, value) for name, value in _fields(address) if name not in _PROTOCOL]
    return _asked([*_fields(body), *beside], None, needed=True)


_PROTOCOL = ("query", "update", "default-graph-uri", "named-graph-uri", "using-graph-uri", "using-named-graph-uri")


def _asked(fields: list[tuple[str, str]], direct: str | None, needed: bool = False) -> Asked:
    given: dict[str, list[str]] = {}
    for name, value in fields:
        given.setdefault(name, []).append(value)
    for name in ("update", "using-graph-uri", "using-named-graph-uri"):
        if name in given:
            raise Refusal(403, f"{name}: updates are refused: this endpoint only reads")
    queries = given.get("query", [])
    if direct is not None:
        queries = [*queries, direct]
    if len(queries) > 1:
        raise Refusal(400, "more than one query: ask them one by one")
    default, named = (tuple(given.get(name, ())) for name in ("default-graph-uri", "named-graph-uri"))
    # The editor's form sends empty fields.
    default, named = tuple(g for g in default if g), tuple(g for g in named if g)
    if not queries and (needed or default or named):
        raise Refusal(400, "no query: send it as the parameter query")
    form = given.get("format", [""])[-1] or None
    if form is not None:
        form = next((f.suffix for f in BY_NAME.values() if form.lower() in (f.suffix, *f.types)), None)
        if form is None:
            raise Refusal(400, f"format: is none of {', '.join(BY_NAME)}")
    others = {name: values[-1] for name, values in given.items() if name not in (*_PROTOCOL, "format")}
    return Asked(queries[0] if queries else None, default, named, form, others)


def formats(asked: Asked, accept: str | None) -> dict[str, Chosen]:
    """Kind of answer -> its format, for the kinds that can be had in one that will do. Raises Refusal for none."""
    if asked.format is not None:
        form = BY_NAME[asked.format]
        return {kind: Chosen(form, form.media_type) for kind, offers in OFFERS.items() if form in offers}
    found = {kind: choose(accept, offers) for kind, offers in OFFERS.items()}
    chosen = {kind: choice for kind, choice in found.items() if choice is not None}
    if not chosen:
        raise unacceptable("rows", "graph")
    return chosen


def unacceptable(*kinds: str) -> Refusal:
    """No format that was asked for can hold an answer of such a kind."""
    offered = dict.fromkeys(form.media_type for kind in kinds for form in OFFERS[kind])
    what = {"rows": "the query makes rows, ", "graph": "the query makes a graph, "}[kinds[0]] if len(kinds) == 1 else ""
    return Refusal(406, f"{what}which can be had as {', '.join(offered)}" if what else f"there is {', '.join(offered)}")


def _fields(encoded: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(encoded.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=FIELDS)
    except UnicodeDecodeError:
        raise Refusal(400, "the parameters are not UTF-8") from None
    except ValueError:
        raise Refusal(400, f"more than {FIELDS} parameters") from None


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal(400, f"byte {error.start} of the query is not UTF-8") from None


def _content_type(header: str | None) -> tuple[str, str]:
    """The media type and the charset, both in small letters (RFC 9110 §8.3)."""
    media_type, _, rest = (header or "").partition(";")
    charset = "utf-8"
    for parameter in rest.split(";"):
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset":
            charset = value.strip().strip('"').lower()
    return media_type.strip().lower(), charset
