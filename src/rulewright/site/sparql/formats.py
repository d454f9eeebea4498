"""The formats of answers, and writers of results that stop at a limit and still end well.

Rows are written one by one, as Oxigraph finds them: SPARQL 1.1 Query Results JSON, CSV and TSV formats, and SPARQL
Query Results XML Format (Second Edition). pyoxigraph writes these too, but all rows or none.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import IO, Any, Final

import pyoxigraph as ox

from rulewright.site.negotiation import DATA, HTML, Format
from rulewright.store.dataset import PREFIXES

JSON: Final = Format("json", ("application/sparql-results+json", "application/json"), "JSON")
XML: Final = Format("xml", ("application/sparql-results+xml", "application/xml", "text/xml"), "XML")
CSV: Final = Format("csv", ("text/csv",), "CSV")
TSV: Final = Format("tsv", ("text/tab-separated-values",), "TSV")
ROWS: Final = (JSON, XML, CSV, TSV)
"""What SELECT and ASK are answered in."""
OFFERS: Final[Mapping[str, tuple[Format, ...]]] = {"rows": (*ROWS, HTML), "graph": (*DATA, HTML)}
"""Kind of answer -> its formats. Whether a query makes rows or a graph shows only when it is read."""
BY_NAME: Final = {form.suffix: form for form in (*ROWS, *DATA, HTML)}
RDF: Final[Mapping[str, ox.RdfFormat]] = {
    "ttl": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "nt": ox.RdfFormat.N_TRIPLES,
    "nq": ox.RdfFormat.N_QUADS,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdf": ox.RdfFormat.RDF_XML,
}
"""Suffix -> how pyoxigraph calls the format."""
Results = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_XML_NAME = re.compile(r"[^\W\d][\w.-]*\Z")
_OUTER = re.compile(r"\A[ \t\n]+|[ \t\n]+\Z")
"""White space that readers of XML, pyoxigraph's too, take for indentation."""
_STRING = "http://www.w3.org/2001/XMLSchema#string"


@dataclass(frozen=True)
class Written:
    """`number` of rows or triples; `cut`: there are more."""

    kind: str
    number: int
    cut: bool


def write(results: Results, form: str, out: IO[bytes], rows: int, size: int) -> Written:
    """Writes an answer in the format of that name, at most so many rows or triples, and about so many bytes."""
    if isinstance(results, ox.QueryTriples):
        return _graph(results, RDF[form], out, rows, size)
    if isinstance(results, ox.QueryBoolean):
        out.write(_BOOLEANS[form](bool(results)).encode())
        return Written("boolean", 1, False)
    names = [v.value for v in results.variables]
    start, row, between, end = _WRITERS[form](names)
    written = out.write(start.encode())
    number = 0
    for solution in results:
        if number == rows:
            return _ended(out, end, Written("rows", number, True))
        text = ((between if number else "") + row(tuple(solution))).encode()
        if written + len(text) > size:
            return _ended(out, end, Written("rows", number, True))
        written += out.write(text)
        number += 1
    return _ended(out, end, Written("rows", number, False))


def _ended(out: IO[bytes], end: str, written: Written) -> Written:
    out.write(end.encode())
    return written


def _graph(triples: Iterable[ox.Triple], form: ox.RdfFormat, out: IO[bytes], rows: int, size: int) -> Written:
    found: dict[ox.Triple, None] = {}
    length, cut = 0, False
    for triple in triples:
        if triple in found:
            continue
        length += len(str(triple))
        if len(found) == rows or length > size:
            cut = True
            break
        found[triple] = None
    if form == ox.RdfFormat.RDF_XML:
        check_xml(found)
    ox.serialize(sorted(found, key=in_order), out, format=form, prefixes=used_prefixes(found))
    return Written("graph", len(found), cut)


def check_xml(triples: Iterable[ox.Triple]) -> None:
    """Raises ValueError for what RDF/XML cannot say, and pyoxigraph writes all the same."""
    for triple in triples:
        if not _XML_NAME.search(triple.predicate.value):
            raise ValueError(f"{triple.predicate} ends in no name of XML")
        if isinstance(triple.object, ox.Literal) and _NO_XML.search(triple.object.value):
            raise ValueError("a text holds a character that XML has not")


def in_order(triple: ox.Triple) -> tuple[str, bool, str, str]:
    """Subjects together, what they are first."""
    predicate = triple.predicate.value
    return str(triple.subject), predicate != PREFIXES["rdf"] + "type", predicate, str(triple.object)


def used_prefixes(triples: Iterable[ox.Triple]) -> dict[str, str]:
    """Those that shorten something in these triples."""
    iris = {term.value for triple in triples for term in triple if isinstance(term, ox.NamedNode)}
    iris.discard(PREFIXES["rdf"] + "type")  # is written `a`
    iris |= {t.object.datatype.value for t in triples if isinstance(t.object, ox.Literal)}
    # every prefix ends so
    spaces = {iri[: max(iri.rfind("#"), iri.rfind("/")) + 1] for iri in iris}
    return {name: space for name, space in PREFIXES.items() if any(found.startswith(space) for found in spaces)}


# --- a format of rows: what comes first, how a row is written, what stands between two, what comes last

_Row = Callable[[Sequence[Any]], str]
_Writer = Callable[[Sequence[str]], tuple[str, _Row, str, str]]


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _json(names: Sequence[str]) -> tuple[str, _Row, str, str]:
    def row(terms: Sequence[Any]) -> str:
        return _compact({name: _as_json(term) for name, term in zip(names, terms, strict=True) if term is not None})

    return f'{{"head":{{"vars":{_compact(list(names))}}},"results":{{"bindings":[\n', row, ",\n", "\n]}}\n"


def _as_json(term: Any) -> dict[str, Any]:
    if isinstance(term, ox.NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, ox.BlankNode):
        return {"type": "bnode", "value": term.value}
    if isinstance(term, ox.Triple):  # RDF 1.2, which a query can make
        parts = {"subject": term.subject, "predicate": term.predicate, "object": term.object}
        return {"type": "triple", "value": {name: _as_json(part) for name, part in parts.items()}}
    said = {"type": "literal", "value": term.value}
    if term.language:
        said["xml:lang"] = term.language
    elif term.datatype.value != _STRING:
        said["datatype"] = term.datatype.value
    return said


def _xml(names: Sequence[str]) -> tuple[str, _Row, str, str]:
    def row(terms: Sequence[Any]) -> str:
        bound = [(name, term) for name, term in zip(names, terms, strict=True) if term is not None]
        cells = "".join(f"<binding name={_quoted(name)}>{_as_xml(term)}</binding>" for name, term in bound)
        return f"<result>{cells}</result>\n"

    variables = "".join(f"<variable name={_quoted(name)}/>" for name in names)
    return f"{_XML_START}<head>{variables}</head>\n<results>\n", row, "", "</results>\n</sparql>\n"


_XML_START = '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">'


def _quoted(value: str) -> str:
    return f'"{escape(value)}"'


def _as_xml(term: Any) -> str:
    if isinstance(term, ox.NamedNode):
        return f"<uri>{escape(term.value)}</uri>"
    if isinstance(term, ox.BlankNode):
        return f"<bnode>{escape(term.value)}</bnode>"
    if isinstance(term, ox.Triple):
        parts = (("subject", term.subject), ("predicate", term.predicate), ("object", term.object))
        return "<triple>" + "".join(f"<{name}>{_as_xml(part)}</{name}>" for name, part in parts) + "</triple>"
    if term.language:
        said = f" xml:lang={_quoted(term.language)}"
    else:
        said = "" if term.datatype.value == _STRING else f" datatype={_quoted(term.datatype.value)}"
    text = escape(_NO_XML.sub("\ufffd", term.value), quote=False).replace("\r", "&#13;")
    text = _OUTER.sub(lambda m: "".join(f"&#{ord(c)};" for c in m[0]), text)
    return f"<literal{said}>{text}</literal>"


def _csv(names: Sequence[str]) -> tuple[str, _Row, str, str]:
    def line(cells: Sequence[str]) -> str:
        text = io.StringIO()
        csv.writer(text).writerow(cells)
        return text.getvalue()

    def row(terms: Sequence[Any]) -> str:
        return line([_plain(term) for term in terms])

    return line(names), row, "", ""


def _plain(term: Any) -> str:
    if term is None:
        return ""
    return term.value if isinstance(term, (ox.NamedNode, ox.Literal)) else str(term)


def _tsv(names: Sequence[str]) -> tuple[str, _Row, str, str]:
    def row(terms: Sequence[Any]) -> str:
        return "\t".join("" if t is None else str(t).replace("\t", "\\t") for t in terms) + "\n"

    return "\t".join(f"?{name}" for name in names) + "\n", row, "", ""


_WRITERS: Mapping[str, _Writer] = {"json": _json, "xml": _xml, "csv": _csv, "tsv": _tsv}


def _word(value: bool) -> str:
    return "true" if value else "false"


_BOOLEANS: Mapping[str, Callable[[bool], str]] = {
    "json": lambda value: _compact({"head": {}, "boolean": value}) + "\n",
    "xml": lambda value: f"{_XML_START}<head/><boolean>{_word(value)}</boolean></sparql>\n",
    "csv": _word,
    "tsv": _word,
}
