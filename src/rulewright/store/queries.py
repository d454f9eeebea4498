"""The named queries in `queries/`, and how what a user gives becomes terms in them.

A query is a SPARQL 1.1 file whose head says, in comments of the form `# key: value`, what it is for (a value goes on in
lines that begin with `#` and three spaces; `queries/README.md` says the same for authors):

    # title (en): Rulings on a card
    # description (en): What …
    # parameter: card (card)
    # parameter card (en): The card by either name.
    # example: rulewright query rulings-of-a-card --set "card=Restore Balance"
    # graphs: cards, rulings

`title`, `description` and what is said of each parameter stand there in `en` and `de`. A parameter is `name (type)`,
`name (type, optional)` or `name (type, default VALUE)`, and stands in the query exactly once as
`VALUES ?name { … }`, filled with its default, with UNDEF where it is optional, else with what the example gives: so
every file is a query that any SPARQL 1.1 processor runs as it is. To bind a parameter is to put another *term* into
that block; what a user gives is never read as SPARQL.
"""

from __future__ import annotations

import datetime as dt
import difflib
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyoxigraph as ox

from rulewright.store.dataset import PREFIXES as DATASET_PREFIXES
from rulewright.store.sparql import TOKEN, serialised
from rulewright.vocabulary import BASE, CORE, GAME, RULE, SKOS, packaged

LANGUAGES: Final = ("en", "de")
PREFIXES: Final = {**DATASET_PREFIXES, "earl": "http://www.w3.org/ns/earl#"}
"""Prefixes that a value may use, and that results are shown with."""
_ALSO: Final = {"cond": BASE + "condition/"}
"""What the project's own files write."""
Term = ox.NamedNode | ox.Literal
Ask = Callable[[str], Any]
"""Asks a SELECT query of the graph: `Dataset.query`."""

_HEAD = re.compile(r"#(?:\s(?P<key>[a-z]+(?: [A-Za-z]\w*)?(?: \((?:en|de)\))?): ?(?P<value>.*)|\s{3,}(?P<more>\S.*))?$")
_PARAMETER = re.compile(r"([A-Za-z]\w*) \(([a-z]+)(?:, (optional)|, default (\S.*))?\)")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_NUMBER = re.compile(r"(?:CR\s*)?(\d{1,3}(?:\.\w+)?)\.?", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class QueryError(ValueError):
    """A query, or a value for it, that cannot be used: one line, with the mend."""


@dataclass(frozen=True)
class Parameter:
    """`type`: one of `TYPES`. A parameter that is neither optional nor has a default must be given."""

    name: str
    type: str
    description: Mapping[str, str]
    optional: bool = False
    default: str | None = None

    @property
    def required(self) -> bool:
        return not self.optional and self.default is None


@dataclass(frozen=True)
class Query:
    """A named query. `example` is a call as a user types it; `graphs` are the parts of the dataset that it is about;
    `needs` are the kinds of sources that must have been ingested for it to find anything."""

    name: str
    text: str
    title: Mapping[str, str]
    description: Mapping[str, str]
    parameters: tuple[Parameter, ...] = ()
    example: str = ""
    graphs: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def example_values(self) -> dict[str, str]:
        """What the example gives to the parameters."""
        words = shlex.split(self.example)
        return dict(split_value(words[n + 1]) for n, word in enumerate(words[:-1]) if word == "--set")

    def bind(self, values: Mapping[str, str], ask: Ask) -> str:
        """The SPARQL text with these values as terms. Raises QueryError for a value that its type does not allow."""
        known = {p.name: p for p in self.parameters}
        for name in values:
            if name not in known:
                there = f"it has {_listed(known)}" if known else "it has none"
                raise QueryError(f"{self.name}: no parameter {name!r}; {there}")
        text = self.text
        for parameter in self.parameters:
            given = values.get(parameter.name, parameter.default)
            if given is None and not parameter.optional:
                example = f"; for example: {self.example}" if self.example else ""
                said = parameter.description["en"].rstrip(".")
                raise QueryError(f"{self.name}: needs --set {parameter.name}=… ({said}){example}")
            try:
                term = "UNDEF" if given is None else serialised(TYPES[parameter.type](given, ask))
            except QueryError as error:
                raise QueryError(f"{self.name}: {parameter.name}: {error}") from None
            text = _block(parameter.name).sub(lambda m, t=term: f"{m.group(1)}{{ {t} }}", text)  # type: ignore[misc]
        return text


def split_value(given: str) -> tuple[str, str]:
    """`name=value` as a pair. Raises QueryError."""
    name, equals, value = given.partition("=")
    if not equals or not name:
        raise QueryError(f"--set {given}: write --set NAME=VALUE")
    return name, value


def load_queries(folder: Path | None = None) -> dict[str, Query]:
    """All named queries of a folder (the packaged ones), by name. Raises QueryError for a broken head."""
    files = sorted((folder or packaged("queries")).glob("*.rq"))
    return {file.stem: read_query(file.read_text(encoding="utf-8"), file.stem, strict=True) for file in files}


def read_query(text: str, name: str, strict: bool = False) -> Query:
    """A query from its text. Without a head it has no parameters; `strict` refuses one whose head is incomplete."""
    head = _read_head(text)
    parameters = []
    for key in (k for k in head if k == "parameter" or k.startswith("parameter#")):
        match = _PARAMETER.fullmatch(head[key])
        if match is None or match[2] not in TYPES:
            raise QueryError(
                f"{name}: parameter: {head[key]!r} is not NAME (TYPE), NAME (TYPE, optional) or "
                f"NAME (TYPE, default VALUE) with a type of {_listed(TYPES)}"
            )
        said = {lang: head.get(f"parameter {match[1]} ({lang})", "" if strict else match[1]) for lang in LANGUAGES}
        parameters.append(Parameter(match[1], match[2], said, bool(match[3]), match[4]))
        if len(_block(match[1]).findall(text)) != 1:
            place = f"VALUES ?{match[1]} {{ … }}"
            raise QueryError(f"{name}: parameter {match[1]}: must stand in the query exactly once, as {place}")
    title, description = (
        {lang: head.get(f"{key} ({lang})", "") for lang in LANGUAGES} for key in ("title", "description")
    )
    query = Query(
        name, text, title, description, tuple(parameters), head.get("example", ""),
        *(tuple(part.strip() for part in head.get(k, "").split(",") if part.strip()) for k in ("graphs", "needs")),
    )  # fmt: skip
    if strict:
        _complete(query)
    return query


def _read_head(text: str) -> dict[str, str]:
    """Keys and values of the comments before the query; a second `parameter` is `parameter#2`, and so on."""
    head: dict[str, str] = {}
    last = ""
    for line in text.splitlines():
        match = _HEAD.match(line.rstrip())
        if match is None:
            if line.strip() and not line.startswith("#"):
                break
            last = ""
        elif match["key"]:
            last = match["key"]
            if last == "parameter" and last in head:
                last = f"parameter#{len(head)}"
            head[last] = match["value"].strip()
        elif match["more"] and last:
            head[last] += " " + match["more"].strip()
        else:
            last = ""
    return head


def _complete(query: Query) -> None:
    texts = [("title", query.title), ("description", query.description)]
    texts += [(f"parameter {p.name}", p.description) for p in query.parameters]
    missing = [f"{key} ({lang})" for key, said in texts for lang in LANGUAGES if not said[lang]]
    missing += [key for key, said in (("example", query.example), ("graphs", query.graphs)) if not said]
    if missing:
        raise QueryError(f"{query.name}: its head lacks {_listed(missing)}")


def _block(name: str) -> re.Pattern[str]:
    return re.compile(rf"(\bVALUES\s+\?{name}\s*)\{{[^{{}}]*\}}")


# --- types of parameters


def _iri(given: str, ask: Ask) -> Term:
    text = given.strip()
    if text.startswith("<") and text.endswith(">"):
        text = text[1:-1]
    prefix, colon, _ = text.partition(":")
    if colon and prefix in {**PREFIXES, **_ALSO}:
        text = _expanded(text)
    elif not _SCHEME.match(text) and re.match(r"[a-z]+/\S", text):
        text = BASE + text
    try:
        return ox.NamedNode(text)
    except ValueError:
        raise QueryError(f"{given!r} is no IRI: write it in full, or with a prefix such as ruling:RB-1") from None


def _string(given: str, ask: Ask) -> Term:
    return ox.Literal(given)


def _integer(given: str, ask: Ask) -> Term:
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", given.strip()):
        raise QueryError(f"{given!r} is no whole number: write digits, such as 3")
    return ox.Literal(int(given))


def _date(given: str, ask: Ask) -> Term:
    text = given.strip()
    try:
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            raise ValueError
        dt.date.fromisoformat(text)
    except ValueError:
        raise QueryError(f"{given!r} is no day: write YYYY-MM-DD, such as 2024-02-02") from None
    return ox.Literal(text, datatype=ox.NamedNode(PREFIXES["xsd"] + "date"))


def _language(given: str, ask: Ask) -> Term:
    if not _LANGUAGE.fullmatch(given.strip()):
        raise QueryError(f"{given!r} is no language tag: write one such as de or en")
    return ox.Literal(given.strip().lower())


_HEADS = f"PREFIX rw: <{CORE}> PREFIX game: <{GAME}> PREFIX skos: <{SKOS}> PREFIX rdfs: <{PREFIXES['rdfs']}>\n"
_NAMES = {
    "keyword": "?node a rw:Keyword . OPTIONAL { ?node skos:prefLabel|skos:altLabel|skos:hiddenLabel ?name }",
    "card": "?node a rw:Card . OPTIONAL { ?node (^rw:faceOf)?/skos:prefLabel ?name }",
    "statement": "?node a rw:Statement .",
    "zone": "?node a game:Zone . OPTIONAL { ?node game:word|rdfs:label ?name }",
}
"""How things of each kind are named in the graph, besides by the last part of their IRI."""
_EXACTLY = {
    "card": "{ ?node skos:prefLabel ?name ; a rw:Card } UNION { ?face skos:prefLabel ?name ; rw:faceOf ?node }",
}
"""The same for what there are very many of, where a name is given as it stands in the graph."""


def _named(kind: str) -> Callable[[str, Ask], Term]:
    def find(given: str, ask: Ask) -> Term:
        wanted = given.strip()
        if kind in _EXACTLY and (exact := _exactly(kind, wanted, ask)) is not None:
            return exact
        names: dict[str, set[str]] = {}
        nodes: set[str] = set()
        for row in ask(f"{_HEADS}SELECT DISTINCT ?node ?name {{ {_NAMES[kind]} }}"):
            node = row["node"].value
            nodes.add(node)
            for name in (row["name"].value if row["name"] is not None else "", _last(node)):
                names.setdefault(name.casefold(), set()).add(node)
        with_iri = [n for n in (wanted, wanted.strip("<>"), BASE + wanted, _expanded(wanted)) if n in nodes]
        found = sorted(names.get(wanted.casefold(), ())) if wanted else []
        if with_iri or len(found) == 1:
            return ox.NamedNode((with_iri or found)[0])
        if found:
            raise QueryError(f"{given!r} names {len(found)} of them: write the IRI, one of {', '.join(found)}")
        hint = near(wanted.casefold(), [n for n in names if n])
        raise QueryError(f"no {kind} of this name or id: {given!r}{hint}")

    return find


def _exactly(kind: str, wanted: str, ask: Ask) -> Term | None:
    """The one thing that has exactly this name or identifier."""
    named = " ".join(serialised(ox.Literal(wanted, language=tag)) for tag in LANGUAGES)
    rows = ask(f"{_HEADS}SELECT ?node {{ VALUES ?name {{ {named} }} {_EXACTLY[kind]} }}")
    found = {row["node"].value for row in rows}
    return ox.NamedNode(found.pop()) if len(found) == 1 else None


def _rule(given: str, ask: Ask) -> Term:
    """A rule by its number (today's, else one that it once had), the last part of its IRI, or its IRI.

    Only versions of the package have a digest: those of ingested editions add no number.
    """
    wanted = given.strip()
    number = _NUMBER.fullmatch(wanted)
    if number is None:
        rules = {row["rule"].value for row in ask(f"{_HEADS}SELECT ?rule {{ ?rule a rw:Rule }}")}
        candidates = (wanted.strip("<>"), BASE + wanted, RULE + wanted.lower(), _expanded(wanted))
        there = [n for n in candidates if n in rules]
        if not there:
            raise QueryError(f"no rule of this number or id: {given!r}{near(wanted.lower(), map(_last, rules))}")
        return ox.NamedNode(there[0])
    literal = serialised(ox.Literal(number[1]))
    rows = list(
        ask(f"""{_HEADS}SELECT ?rule ?since ?last {{
            ?version rw:number {literal} ; rw:versionOf ?rule ; rw:digest ?digest ; rw:inEdition/rw:effective ?since .
            {{
                SELECT ?rule (MAX(?day) AS ?last) {{
                    ?v rw:versionOf ?rule ; rw:digest ?d ; rw:inEdition/rw:effective ?day
                }}
                GROUP BY ?rule
            }}
        }}""")
    )
    now = sorted({row["rule"].value for row in rows if row["since"].value == row["last"].value})
    once = sorted({row["rule"].value for row in rows})
    if len(now) == 1 or len(once) == 1:
        return ox.NamedNode((now or once)[0])
    if once:
        listed = _listed(map(_last, once))
        raise QueryError(f"{given!r} has been the number of {len(once)} rules: write one of {listed}")
    raise QueryError(f"no rule has or had the number {number[1]}; write it as 702.88a, or the id, as rebound-a")


def _expanded(text: str) -> str:
    prefix, colon, local = text.partition(":")
    return {**PREFIXES, **_ALSO}.get(prefix, prefix + ":") + local if colon else text


def _last(iri: str) -> str:
    return iri.rsplit("/", 1)[-1].rsplit("#", 1)[-1]


TYPES: Final[Mapping[str, Callable[[str, Ask], Term]]] = {
    "iri": _iri,
    "string": _string,
    "integer": _integer,
    "date": _date,
    "language": _language,
    "rule": _rule,
    **{kind: _named(kind) for kind in _NAMES},
}
"""Type of a parameter -> what makes a term of a given text, asking the graph for names. Raises QueryError."""


# --- what may be asked

_UPDATES = frozenset(("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"))


DEEP, MANY = 100, 1000
"""Brackets in one another, and groups and operators in all, beyond which Oxigraph's parser could run out of stack."""


def refuse(text: str, source: str = "query") -> None:
    """Raises QueryError for what would fetch something (`SERVICE`), change the graph (an update) or break the store."""
    line, last = 1, 0
    first = True
    depth = parts = 0
    data: int | None = None
    for token in TOKEN.finditer(text):
        line += text.count("\n", last, token.start())
        last = token.start()
        word, sign = (token["word"] or "").upper(), token["other"] or ""
        if sign:
            depth += (sign in "{([") - (sign in "})]")
        if word == "VALUES":
            data = depth
        elif data is not None:  # terms only, as many as there are
            data = None if sign == "}" and depth == data else data
        else:
            parts += sign in "{!|&+-*/^=" if sign else word in ("BIND", "FILTER")
        if depth > DEEP or parts > MANY:
            raise QueryError(f"{source}:{line}: the query is too deep or too long: ask it in several")
        if word == "SERVICE":
            raise QueryError(f"{source}:{line}: SERVICE is refused: nothing is fetched, queries see this dataset only")
        if word in ("", "PREFIX", "BASE"):
            continue
        if first and word in _UPDATES:
            kinds = "SELECT, ASK, CONSTRUCT or DESCRIBE"
            raise QueryError(f"{source}:{line}: {word} is an update, and queries only read: begin with {kinds}")
        first = False


def form_of(text: str) -> str:
    """The word with which a query begins after its prologue, such as SELECT, in capitals; "" where there is none."""
    words = (match["word"].upper() for match in TOKEN.finditer(text) if match["word"])
    return next((word for word in words if word not in ("PREFIX", "BASE")), "")


_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)


def syntax_problem(error: Exception, text: str, source: str) -> str:
    """A parser's complaint about a query as one line with its place."""
    match = _PLACE.match(" ".join(str(error).split()))
    if match is None:
        return f"{source}: {' '.join(str(error).split())}"
    line, column, said = match.groups()
    rest = "".join(text.splitlines(keepends=True)[int(line) - 1 :])[int(column) - 1 :]
    if "Prefix not found" in said:
        said = "a prefix is not declared: begin the query with PREFIX name: <…>"
    elif not rest.strip():
        said = "the query is not whole: is there a } too few, or too many?"
    elif len(said) > 160:
        said = f"this is not SPARQL 1.1: {rest.split()[0][:40]}"
    return f"{source}:{line}:{column}: {said}"


def near(name: str, names: Iterable[str]) -> str:
    """Near misses as a hint for an error message; "" where nothing is near."""
    found = difflib.get_close_matches(name, list(names), 3)
    return f"; is {' or '.join(found)} meant?" if found else ""


def short(iri: str) -> str:
    """An IRI as results show it: ours and the standards' with a prefix, hash IRIs of ours below the base."""
    fitting = [(len(n), p) for p, n in PREFIXES.items() if iri.startswith(n) and "#" not in iri[len(n) :]]
    if fitting:
        length, prefix = max(fitting)
        return f"{prefix}:{iri[length:]}"
    return iri.removeprefix(BASE)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
