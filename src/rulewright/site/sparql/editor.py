"""The editor: a form for a query, queries to start from, and the answer as a page. It works without a script."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment

from rulewright.site.negotiation import DATA
from rulewright.site.sparql.formats import ROWS
from rulewright.site.sparql.pool import Limits
from rulewright.site.sparql.protocol import Asked
from rulewright.site.templating import environment, words_of
from rulewright.store.dataset import PREFIXES
from rulewright.store.queries import LANGUAGES, Query, load_queries, short

STYLE: Final = "sparql.css"
SCRIPT: Final = "sparql.js"
COLUMNS: Final = 50
"""Of a table on a page."""
LINK: Final = 4000
"""Characters of an address beyond which a download is a form: proxies cut longer ones off."""
_NUMBERS = re.compile(r"http://www\.w3\.org/2001/XMLSchema#(integer|decimal|double|float|int|long)")
_AT = re.compile(r"query:(\d+)(?::(\d+))?: ")
_FIRST = "SELECT ?keyword ?name WHERE {\n  ?keyword a rw:Keyword ; skos:prefLabel ?name .\n}\nORDER BY ?name ?keyword\n"


@dataclass(frozen=True)
class Result:
    """`kind`: `rows`, `boolean` (`content` is SPARQL's JSON) or `graph` (Turtle); `number`: of rows or triples;
    `cut`: there are more.
    """

    kind: str
    content: bytes
    number: int
    cut: bool


@dataclass(frozen=True)
class Cell:
    """One term of an answer. `link`: where it leads, if anywhere; `hint`: all of what is shown in short."""

    text: str
    link: str = ""
    hint: str = ""
    language: str = ""
    number: bool = False


def words(language: str) -> Mapping[str, str]:
    return words_of("rulewright.site.sparql", language)


def title(language: str) -> str:
    return words(language)["title"]


def body(
    asked: Asked, language: str, limits: Limits, href: Callable[[str], str],
    result: Result | None = None, problem: str | None = None,
) -> str:  # fmt: skip
    """The page's body in HTML. `href`: where an IRI is linked to."""
    named = _queries()
    chosen = named.get(asked.others.get("name", ""))
    text = asked.query if asked.query is not None else _starting(chosen, language) if chosen else _FIRST
    shown = _shown(result, href) if result else None
    return _environment().get_template("sparql.html").render(
        w=words(language), language=language, limits=limits, asked=asked, text=text, chosen=chosen,
        queries=[(q.name, q.title[language], q.description[language]) for q in named.values()],
        prefixes=PREFIXES, problem=_told(problem, language), place=_place(problem), result=shown,
        downloads=_downloads(asked, result) if result else [], kept=asked.others.get("lang") in LANGUAGES,
        lines=min(max(text.count("\n") + 2, 6), 24),
    )  # fmt: skip


def _starting(query: Query, language: str) -> str:
    """A named query without its head, which the page says in other words."""
    lines = query.text.splitlines(keepends=True)
    first = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), 0)
    return f"# {query.title[language]}\n" + "".join(lines[first:])


@cache
def _queries() -> dict[str, Query]:
    return load_queries()


@cache
def _environment() -> Environment:
    return environment()


def _place(problem: str | None) -> tuple[str, str] | None:
    """Line and column that a message names, for the script to go there."""
    match = _AT.match(problem or "")
    return (match[1], match[2] or "1") if match else None


def _told(problem: str | None, language: str) -> str | None:
    match = _AT.match(problem or "")
    if match is None or problem is None:
        return problem
    line, column = words(language)["line"].format(match[1]), words(language)["column"].format(match[2])
    return f"{line}{column if match[2] else ''}: {problem[match.end() :]}"


def _downloads(asked: Asked, result: Result) -> list[tuple[str, str, str]]:
    """Name, suffix and address of each format; the address is empty where it would be too long."""
    fields = [("query", asked.query or "")]
    fields += [("default-graph-uri", g) for g in asked.default_graphs]
    fields += [("named-graph-uri", g) for g in asked.named_graphs]
    found = []
    for form in DATA if result.kind == "graph" else ROWS:
        address = "?" + urlencode([*fields, ("format", form.suffix)])
        found.append((form.name, form.suffix, address if len(address) <= LINK else ""))
    return found


def _shown(result: Result, href: Callable[[str], str]) -> dict[str, Any]:
    shown = {"kind": result.kind, "number": result.number, "cut": result.cut}
    if result.kind == "graph":
        return {**shown, "text": result.content.decode("utf-8")}
    told = json.loads(result.content)
    if result.kind == "boolean":
        return {**shown, "yes": told["boolean"]}
    every = told["head"]["vars"]
    names = every[:COLUMNS]
    rows = [[_cell(row[name], href) if name in row else None for name in names] for row in told["results"]["bindings"]]
    return {**shown, "names": names, "rows": rows, "wide": len(every)}


def _cell(term: Mapping[str, Any], href: Callable[[str], str]) -> Cell:
    kind, value = term["type"], term["value"]
    if kind == "uri":
        # What stands in data is no reason to run it: only the web is linked to.
        link = href(value) if re.match(r"https?://", value) else ""
        return Cell(short(value), link, value)
    if kind == "literal":
        datatype = term.get("datatype", "")
        return Cell(value, "", short(datatype), term.get("xml:lang", ""), bool(_NUMBERS.fullmatch(datatype)))
    return Cell(f"_:{value}" if kind == "bnode" else json.dumps(value))
