"""`rulewright query`: the named queries, or any SPARQL, asked of the packaged graph or of a store."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright.cli.options import Home, fail, home_options, language_option

if TYPE_CHECKING:
    from rulewright.store.queries import Query

WIDTH = 120
"""Of a table that goes to no terminal."""
NARROW = 8
"""Below this no column is made narrower."""
LIMIT = 1_000_000
"""Bytes of a query."""
_RESULTS = ("table", "json", "csv", "xml")


@click.command()
@click.argument("name", required=False)
@click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="A value for a parameter; repeatable.")
@home_options
@click.option(
    "--format", "form", type=click.Choice([*_RESULTS, "turtle"]),
    help="Default: table, or turtle where the query makes a graph.",
)  # fmt: skip
@click.option("--list", "listing", is_flag=True, help="List the named queries and their parameters.")
@click.option("--show", is_flag=True, help="Print the SPARQL with the values in it, and ask nothing.")
@language_option
def query(
    name: str | None, given: tuple[str, ...], home: Home, form: str | None, listing: bool, show: bool, lang: str
) -> None:
    """Ask the graph: a named query (see --list), a file of SPARQL, or - for standard input."""
    from rulewright.store import StoreError
    from rulewright.store.queries import QueryError, load_queries

    try:
        if listing:
            queries = load_queries()
            if name is not None and name not in queries:
                raise QueryError(_unknown(name, queries))
            shown = [queries[name]] if name is not None else list(queries.values())
            click.echo(_as_json(shown) if form == "json" else "\n\n".join("\n".join(_told(q, lang)) for q in shown))
            return
        if name is None:
            raise QueryError("which query? Give a name (rulewright query --list), a file, or - for standard input")
        _ask(name, given, home, form, show, lang)
    except (QueryError, StoreError) as error:
        fail(str(error))


def _ask(name: str, given: tuple[str, ...], home: Home, form: str | None, show: bool, lang: str) -> None:
    from rulewright.store import StoreError
    from rulewright.store.dataset import SOURCE
    from rulewright.store.queries import QueryError, refuse, split_value, syntax_problem

    query, source = _find(name)
    values: dict[str, str] = {}
    for text in given:
        key, value = split_value(text)
        if key in values:
            raise QueryError(f"--set {key}: is given twice")
        values[key] = value
    if any(p.name == "lang" and p.type == "language" for p in query.parameters):
        values.setdefault("lang", lang)
    refuse(query.text, source)
    with home.open(read_only=True) as dataset:
        text = query.bind(values, dataset.query)
        if show:
            click.echo(text, nl=not text.endswith("\n"))
            return
        try:
            number = _print(dataset.query(text, graphs=query.graphs), form, source, lang)
            if number == 0 and query.needs and not any(graph.startswith(SOURCE) for graph in dataset.graphs()):
                click.echo(_needed(query.needs, lang), err=True)
        except SyntaxError as error:
            raise QueryError(syntax_problem(error, text, source)) from None
        except (OSError, RuntimeError) as error:
            if isinstance(error, BrokenPipeError):
                raise
            raise StoreError(dataset.name, f"cannot answer: {error}", "make the query simpler") from None


def _find(name: str) -> tuple[Query, str]:
    """The query, and how messages call it."""
    from rulewright.store.queries import QueryError, load_queries, read_query

    if name == "-":
        name = "standard input"
        return read_query(_decoded(sys.stdin.buffer.read(LIMIT + 1), name), name), name
    path = Path(name)
    if "{" in name and not os.path.exists(path):
        shown = textwrap.shorten(name, 60, placeholder=" …")
        raise QueryError(f"{shown}: SPARQL is read from a file, or with - from standard input, not from an argument")
    if path.suffix != ".rq" and "/" not in name:
        queries = load_queries()
        if name in queries:
            return queries[name], name
        if not path.exists():
            raise QueryError(_unknown(name, queries))
    try:
        with path.open("rb") as stream:
            return read_query(_decoded(stream.read(LIMIT + 1), name), name), name
    except OSError as error:
        raise QueryError(f"{name}: cannot be read: {error.strerror or error}") from None


def _unknown(name: str, queries: Iterable[str]) -> str:
    from rulewright.store.queries import near

    return f"{name}: no query of this name, and no file{near(name, queries)}; see rulewright query --list"


def _decoded(content: bytes, source: str) -> str:
    from rulewright.store.queries import QueryError

    if len(content) > LIMIT:
        raise QueryError(f"{source}: is longer than 1 MB: that is no query")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QueryError(f"{source}: byte {error.start}: is not UTF-8: save the query as UTF-8") from None


# --- the list


def _told(query: Query, lang: str) -> Iterator[str]:
    def wrapped(text: str, indent: str) -> str:
        return textwrap.fill(text, _width(), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)

    yield f"{query.name}: {query.title[lang]}"
    yield wrapped(query.description[lang], "  ")
    for parameter in query.parameters:
        how = (
            ("wahlfrei" if lang == "de" else "optional") if parameter.optional
            else ("nötig" if lang == "de" else "needed") if parameter.default is None
            else f"{'sonst' if lang == 'de' else 'else'} {parameter.default}"
        )  # fmt: skip
        yield wrapped(f"{parameter.name} ({parameter.type}, {how}): {parameter.description[lang]}", "    ")
    if query.needs:
        yield wrapped(_needed(query.needs, lang), "  ")
    yield f"  $ {query.example}"


def _needed(kinds: Sequence[str], lang: str) -> str:
    said = "Braucht eingelesene Quellen" if lang == "de" else "Needs ingested sources"
    return f"{said}: {', '.join(kinds)} (rulewright ingest)"


def _as_json(queries: Iterable[Query]) -> str:
    told = [
        {
            "name": q.name,
            "title": q.title,
            "description": q.description,
            "parameters": [
                {
                    "name": p.name,
                    "type": p.type,
                    "required": p.required,
                    "default": p.default,
                    "description": p.description,
                }
                for p in q.parameters
            ],
            "example": q.example,
            "graphs": q.graphs,
            "needs": q.needs,
        }
        for q in queries
    ]
    return json.dumps(told, ensure_ascii=False, indent=2)


# --- results


def _print(results: Any, form: str | None, source: str, lang: str) -> int | None:
    """The number of rows of a table."""
    import pyoxigraph as ox

    from rulewright.store.queries import PREFIXES, QueryError

    if isinstance(results, ox.QueryTriples):
        if form not in (None, "turtle"):
            raise QueryError(f"{source}: makes a graph, which is no {form}: leave --format out, or say turtle")
        triples = sorted(dict.fromkeys(results), key=_in_order)
        iris = {t.value for triple in triples for t in triple if isinstance(t, ox.NamedNode)}
        iris.discard(PREFIXES["rdf"] + "type")  # is written `a`
        used = {p: iri for p, iri in PREFIXES.items() if any(i.startswith(iri) for i in iris)}
        turtle = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=used)
        click.echo((turtle or b"").decode("utf-8"), nl=False)
        return None
    if form == "turtle":
        raise QueryError(f"{source}: makes rows, and no graph: say table, json, csv or xml")
    if form in (None, "table"):
        if isinstance(results, ox.QueryBoolean):
            click.echo(("ja" if lang == "de" else "yes") if bool(results) else ("nein" if lang == "de" else "no"))
            return None
        names = [v.value for v in results.variables]
        rows = [[_shown(row[name]) for name in names] for row in results]
        for line in table(names, rows, _width()):
            click.echo(line)
        said = ("Zeile" if len(rows) == 1 else "Zeilen") if lang == "de" else ("row" if len(rows) == 1 else "rows")
        click.echo(f"{len(rows)} {said}", err=True)
        return len(rows)
    if form == "csv" and isinstance(results, ox.QueryBoolean):
        raise QueryError(f"{source}: answers yes or no, which is no csv: say table, json or xml")
    formats = {"json": ox.QueryResultsFormat.JSON, "csv": ox.QueryResultsFormat.CSV, "xml": ox.QueryResultsFormat.XML}
    content = results.serialize(format=formats[form or ""])
    click.echo(content.decode("utf-8"), nl=not content.endswith(b"\n"))
    return None


def _in_order(triple: Any) -> tuple[str, bool, str, str]:
    """Subjects together, what they are first."""
    predicate = triple.predicate.value
    return str(triple.subject), not predicate.endswith("#type"), predicate, str(triple.object)


def _shown(term: Any) -> str:
    """A term for a person: our IRIs short, texts without quotation marks and language."""
    from rulewright.store.queries import short

    if term is None:
        return ""
    value = getattr(term, "value", None)
    if not isinstance(value, str):
        return str(term)
    kind = type(term).__name__
    return short(value) if kind == "NamedNode" else f"_:{value}" if kind == "BlankNode" else _printable(value)


def _printable(text: str) -> str:
    """Without what would steer a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" if c not in "\t\r" else " " for c in text)


def _width() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH


def table(names: list[str], rows: list[list[str]], width: int) -> Iterator[str]:
    """Aligned columns; the widest ones are wrapped until the whole is not wider than `width`, if that can be."""
    if not names:
        return
    cells = [names, *rows]
    widths = [max(len(line) for row in cells for line in [*row[c].split("\n"), ""]) for c in range(len(names))]
    numeric = [any(row[c] for row in rows) and all(not row[c] or _is_number(row[c]) for row in rows)
               for c in range(len(names))]  # fmt: skip
    # No word of an identifier or a date is broken while a text can be wrapped instead.
    unbroken = [max((len(word) for row in cells for word in row[c].split()), default=0) for c in range(len(names))]
    for floors in ([min(u, 40) for u in unbroken], [NARROW] * len(names)):
        while sum(widths) + 2 * (len(names) - 1) > width:
            wide = [c for c in range(len(names)) if widths[c] > max(floors[c], NARROW)]
            if not wide:
                break
            widest = max(wide, key=lambda c: widths[c])
            widths[widest] -= 1

    def lines(row: list[str]) -> Iterator[str]:
        wrapped = [
            [part for line in text.split("\n")
             for part in (textwrap.wrap(line, w) if len(line) > w else [line])]
            for text, w in zip(row, widths, strict=True)
        ]  # fmt: skip
        for position in range(max(map(len, wrapped), default=0)):
            parts = [column[position] if position < len(column) else "" for column in wrapped]
            yield "  ".join(
                p.rjust(w) if right else p.ljust(w) for p, w, right in zip(parts, widths, numeric, strict=True)
            ).rstrip()

    yield from lines(names)
    yield "  ".join("─" * w for w in widths)
    for row in rows:
        yield from lines(row)


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()

