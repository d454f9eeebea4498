"""The named queries: each is whole, finds something, says which graphs it is about, and takes terms, never text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from rulewright.records import Problem
from rulewright.sources.ingest import KINDS, ingest
from rulewright.store import Dataset
from rulewright.store.dataset import GRAPH, SOURCE
from rulewright.store.queries import (
    TYPES,
    Query,
    QueryError,
    load_queries,
    near,
    read_query,
    refuse,
    serialised,
    short,
    split_value,
    syntax_problem,
)
from rulewright.terms import digest
from rulewright.vocabulary import BASE, CORE

SAMPLES = Path(__file__).parents[1] / "sources" / "samples"
QUERIES = load_queries()
INJECTIONS = [
    '"',
    "'",
    'x" } UNION { ?s ?p ?o } #',
    "x } UNION { ?s ?p ?o } #",
    "\\",
    '\\"',
    "\\u0022 } #",
    '\\\\u0022 } UNION { ?s ?p ?o } #"',
    "a\nb\r\tc\u0000\u2028",
    "UNDEF",
    "<urn:x>",
    "?ruling",
    "\\U00000022",
    "} DROP ALL #",
]


@pytest.fixture(scope="module")
def dataset() -> Iterator[Dataset]:
    with Dataset.open() as made:
        made.load_packaged()
        yield made


@pytest.fixture(scope="module")
def whole() -> Iterator[Dataset]:
    """The package, and sources of our own making beside it."""
    with Dataset.open() as made:
        made.load_packaged()
        made.add_graph(GRAPH + "rules", version_of_a_sample())
        found = list(ingest(samples(), made))
        assert not [f for f in found if isinstance(f, Problem)]
        yield made


def samples() -> list[Path]:
    """Bulk files and documents of our own making."""
    return [f for pattern in ("*cards*", "german*", "rulings*", "*.txt") for f in sorted(SAMPLES.glob(pattern))]


def version_of_a_sample() -> Iterator[ox.Triple]:
    """A rule's version, as the package has it, in an edition of our own making."""
    edition = f"{BASE}edition/2025-11-14"
    version = ox.NamedNode(f"{edition}/702.88a")
    wording = ox.Literal(digest("A ball with rebound comes back to whoever threw it."))
    yield ox.Triple(version, ox.NamedNode(CORE + "versionOf"), ox.NamedNode(f"{BASE}rule/rebound-a"))
    yield ox.Triple(version, ox.NamedNode(CORE + "number"), ox.Literal("702.88a"))
    yield ox.Triple(version, ox.NamedNode(CORE + "digest"), wording)
    yield ox.Triple(version, ox.NamedNode(CORE + "inEdition"), ox.NamedNode(edition))


@pytest.fixture(scope="module")
def home(dataset: Dataset, whole: Dataset) -> Callable[[Query], Dataset]:
    """Where a query finds something: in the package, unless it says that it needs more."""
    return lambda query: whole if query.needs else dataset


def rows(dataset: Dataset, text: str) -> list[tuple[str, ...]]:
    results = dataset.query(text)
    if isinstance(results, ox.QueryBoolean):
        return [(str(bool(results)),)]
    return sorted(tuple(str(term) for term in row) for row in results)


def answers(dataset: Dataset, name: str, **values: str) -> list[dict[str, str]]:
    results = dataset.query(QUERIES[name].bind(values, dataset.query))
    assert isinstance(results, ox.QuerySolutions)
    names = [v.value for v in results.variables]
    return [{n: row[n].value for n in names if row[n] is not None} for row in results]


# --- the heads


def test_there_are_enough() -> None:
    assert len(QUERIES) >= 20
    used = {p.type for q in QUERIES.values() for p in q.parameters}
    assert used == set(TYPES) - {"iri"}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_head(query: Query) -> None:
    assert query.example.split()[:3] == ["rulewright", "query", query.name]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", query.name)
    for said in (query.title, query.description, *(p.description for p in query.parameters)):
        assert said["en"] != said["de"]
        assert all(text == text.strip() and text for text in said.values())
    given = query.example_values()
    names = {p.name for p in query.parameters}
    assert set(given) <= names
    assert {p.name for p in query.parameters if p.required} <= set(given)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_prefixes_are_declared_and_used(query: Query) -> None:
    body = re.sub(r"(?m)^#.*$", "", query.text)
    declared = set(re.findall(r"PREFIX (\w+):", body))
    text = re.sub(r'<[^>\s]*>|"[^"]*"|(?m:^PREFIX.*$)', "", body)
    assert set(re.findall(r"(\w+):\w", text)) == declared


# --- asked


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_example_finds_something(home: Callable[[Query], Dataset], query: Query) -> None:
    dataset = home(query)
    assert set(query.needs) <= set(KINDS)
    assert rows(dataset, query.bind(query.example_values(), dataset.query))


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_as_it_stands_it_has_the_default_else_the_examples_value(
    home: Callable[[Query], Dataset], query: Query
) -> None:
    """So the file shows what it asks; an optional parameter may stand with its example."""
    dataset = home(query)
    defaults = {p.name: p.default for p in query.parameters if p.default is not None}
    given = {n: v for n, v in query.example_values().items() if n not in defaults}
    required = {n: v for n, v in given.items() if any(p.name == n and p.required for p in query.parameters)}
    as_it_stands = rows(dataset, query.text)
    assert as_it_stands in [rows(dataset, query.bind(v, dataset.query)) for v in (required, given)]


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_it_says_which_graphs_it_is_about(home: Callable[[Query], Dataset], query: Query) -> None:
    """With these graphs alone, it answers the same."""
    dataset = home(query)
    known = {g.removeprefix(GRAPH).split("/")[0] for g in dataset.graphs()} | {"source"}
    assert set(query.graphs) <= known
    assert list(query.graphs) == sorted(query.graphs)
    text = query.bind(query.example_values(), dataset.query)
    every = rows(dataset, text)

    def among(parts: set[str]) -> list[tuple[str, ...]]:
        graphs = [
            g for g in dataset.graphs()
            if g.removeprefix(GRAPH).split("/")[0] in parts or (g.startswith(SOURCE) and "source" in parts)
        ]
        froms = "".join(f"FROM <{g}>\n" for g in graphs)
        first = re.compile(r"^((?:SELECT|CONSTRUCT)(?:.|\n)*?)\bWHERE \{", re.MULTILINE)
        return rows(dataset, first.sub(rf"\1{froms}WHERE {{", text, count=1))

    assert among(set(query.graphs)) == every


@pytest.fixture(scope="module")
def other(home: Callable[[Query], Dataset]) -> Callable[[Query], Any]:
    """The same triples in another processor."""
    rdflib = pytest.importorskip("rdflib")
    made: dict[int, Any] = {}

    def of(query: Query) -> Any:
        dataset = home(query)
        if id(dataset) not in made:
            triples = list(dict.fromkeys(q.triple for q in dataset.quads()))
            text = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES)
            made[id(dataset)] = rdflib.Graph().parse(data=text, format="nt")
        return made[id(dataset)]

    return of


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_another_processor_answers_the_same(
    home: Callable[[Query], Dataset], other: Callable[[Query], Any], query: Query
) -> None:
    dataset = home(query)
    text = query.bind(query.example_values(), dataset.query)

    def plain(results: Any) -> list[tuple[str, ...]]:
        return sorted(tuple("" if t is None else getattr(t, "value", t) for t in row) for row in results)

    theirs = sorted(tuple("" if t is None else str(t) for t in row) for row in other(query).query(text))
    if "CONSTRUCT {" in text:
        assert set(theirs) == set(plain(dataset.query(text)))
    else:
        assert theirs == plain(dataset.query(text))


def test_answers(dataset: Dataset) -> None:
    assert len(answers(dataset, "rulings-of-a-card", card="Restore Balance")) == 19
    assert [a["ruling"] for a in answers(dataset, "rulings-of-a-keyword", keyword="Abprall")][:2] == [
        f"{BASE}ruling/RB-a",
        f"{BASE}ruling/RB-b",
    ]
    assert [a["number"] for a in answers(dataset, "numbers-of-a-rule", rule="702.88a")] == [
        "702.85a",
        "702.86a",
        "702.87a",
        "702.88a",
    ]
    then, now = (answers(dataset, "rule-by-number", number="702.85a", **d) for d in ({"date": "2010-06-01"}, {}))
    assert [a["rule"] for a in then + now] == [f"{BASE}rule/rebound-a", f"{BASE}rule/cascade-a"]
    assert (then[0]["numberNow"], then[0]["since"]) == ("702.88a", "2010-04-23")
    english = {a["ruling"] for a in answers(dataset, "rulings-by-language", language="en")}
    assert {i.rsplit("/", 1)[-1] for i in english} == {
        *("CO-4", "CO-7", "ES-8", "SU-15", "SU-17"),
        *("CO-2", "ES-10", "GI-4", "SU-19"),
    }
    assert {a["ruling"] for a in answers(dataset, "rulings-without-a-language", language="de")} == english
    assert len(answers(dataset, "rulings-without-a-language", language="en")) == 63
    assert {a["name"] for a in answers(dataset, "keywords-casting-from-a-zone", zone="Friedhof")} == {
        *("aftermath", "escape", "flashback")
    }
    assert {a["name"] for a in answers(dataset, "keywords-casting-from-a-zone", zone="exile", lang="de")} >= {
        *("Abprall", "Aussetzen")
    }
    assert sum(int(a["texts"]) for a in answers(dataset, "sources")) == 68
    assert not [a for a in answers(dataset, "sources") if a["uncurated"] != "0"]
    assert sum(int(a["rulings"]) for a in answers(dataset, "publications-by-date")) == 57
    assert {a["instead"] for a in answers(dataset, "deprecated-terms", word="nachwirkung")} == {"Nachhall"}
    assert len(answers(dataset, "event-types")) == 36


def test_scenarios_are_counted_once(dataset: Dataset) -> None:
    counted = answers(dataset, "scenarios-of-rulings")
    assert len(counted) == 68
    for row in counted:
        parts = [int(row[k]) for k in ("conforming", "violating", "undetermined")]
        assert sum(parts) == int(row["scenarios"])
    assert [r["ruling"].rsplit("/", 1)[-1] for r in counted if r["scenarios"] == "0"] == ["CO-13"]
    some = next(r for r in counted if r["ruling"].endswith("/RB-8"))
    assert len(answers(dataset, "scenarios-of-a-ruling", ruling="RB-8")) == int(some["scenarios"])


def test_axioms_agree_with_what_the_program_reads(dataset: Dataset) -> None:
    """SPARQL over the conditions finds the same axioms as the reader of axioms."""
    from rulewright.quality.statements import statements

    for statement in (s for found in statements().values() for s in found):
        asked = answers(dataset, "axioms-of-a-ruling", ruling=statement.name)
        direct = {a["axiom"] for a in asked if f"ruling/{statement.name}" in a["through"].split(", ")}
        assert direct == set(statement.axioms), statement.name


def test_words_in_ingested_texts_are_found() -> None:
    """A wording of our own with two deprecated words, one inflected, and one inside another word that is none."""
    document = ox.NamedNode("https://w3id.org/rulewright/source/0123456789abcdef")
    text, publication = ox.NamedNode(BASE + "text/x"), ox.NamedNode(BASE + "publication/x")
    core = BASE + "core#"
    wording = ox.Literal("Die Nachwirkung zählt; Nachwirkungszeiten nicht. Der Zauber ist entflohen.", language="de")
    with Dataset.open() as dataset:
        dataset.load_packaged()
        dataset.add_graph(
            document.value,
            [
                ox.Triple(text, ox.NamedNode(core + "wording"), wording),
                ox.Triple(text, ox.NamedNode("http://purl.org/dc/terms/language"), ox.Literal("de")),
                ox.Triple(publication, ox.NamedNode(core + "publishes"), text),
                ox.Triple(publication, ox.NamedNode(core + "inSource"), document),
                ox.Triple(publication, ox.NamedNode(core + "line"), ox.Literal(3)),
                ox.Triple(document, ox.NamedNode(core + "place"), ox.Literal("page.txt")),
                ox.Triple(document, ox.NamedNode(core + "digest"), ox.Literal("0" * 64)),
            ],
        )
        found = [a for a in answers(dataset, "deprecated-terms") if "line" in a]
        sources = {a.get("place"): a for a in answers(dataset, "sources")}
    assert [(a["deprecated"], a["document"], a["line"]) for a in found] == [
        ("entfliehen", "page.txt", "3"),
        ("Nachwirkung", "page.txt", "3"),
    ]
    assert (sources["page.txt"]["texts"], sources["page.txt"]["uncurated"]) == ("1", "1")


# --- values


@pytest.mark.parametrize("given", INJECTIONS)
def test_a_value_is_data(dataset: Dataset, given: str) -> None:
    """A string comes out as it went in, whatever is in it."""
    echo = read_query("# parameter: it (string)\nSELECT ?it WHERE { VALUES ?it { UNDEF } }", "echo")
    results: Any = dataset.query(echo.bind({"it": given}, dataset.query))
    assert [row["it"] for row in results] == [ox.Literal(given)]


@pytest.mark.parametrize("given", INJECTIONS)
@pytest.mark.parametrize("kind", sorted(set(TYPES) - {"string"}))
def test_other_types_refuse_what_is_no_value(dataset: Dataset, kind: str, given: str) -> None:
    query = read_query(f"# parameter: it ({kind})\nSELECT ?it WHERE {{ VALUES ?it {{ UNDEF }} }}", "q")
    if (kind, given) in {("iri", "<urn:x>"), ("language", "UNDEF")}:
        assert query.bind({"it": given}, dataset.query).endswith(('{ <urn:x> } }', '{ "undef" } }'))
        return
    with pytest.raises(QueryError, match=r"^q: it: [^\n]*$"):
        query.bind({"it": given}, dataset.query)


def test_a_string_finds_nothing_else(dataset: Dataset) -> None:
    for given in INJECTIONS:
        assert answers(dataset, "rule-by-number", number=given) == []
        assert answers(dataset, "event-types", type=given) == []


def test_serialised_for_processors_that_decode_codepoints_first() -> None:
    """SPARQL 1.1 §19.2: `\\u0022` would be a quotation mark before anything is parsed."""

    def decoded_first(text: str) -> str:
        return re.sub(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})", lambda m: chr(int(m[1] or m[2], 16)), text)

    literal = ox.Literal('\\u0022 } \\U00000022 #" \\')
    text = serialised(literal)
    for form in (text, decoded_first(text)):
        results: Any = ox.Store().query(f"SELECT ?x WHERE {{ VALUES ?x {{ {form} }} }}")
        assert next(iter(results))["x"] == literal


@pytest.mark.parametrize(
    ("kind", "given", "term"),
    [
        ("iri", "ruling:RB-1", f"<{BASE}ruling/RB-1>"),
        ("iri", "ruling/RB-1", f"<{BASE}ruling/RB-1>"),
        ("iri", "<https://example.org/a>", "<https://example.org/a>"),
        ("iri", "cond:free", f"<{BASE}condition/free>"),
        ("string", " a ", '" a "'),
        ("integer", "-3", '"-3"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        ("date", "2024-02-29", '"2024-02-29"^^<http://www.w3.org/2001/XMLSchema#date>'),
        ("language", "DE", '"de"'),
        ("keyword", "Rebound", f"<{BASE}keyword/rebound>"),
        ("keyword", "abprall", f"<{BASE}keyword/rebound>"),
        ("keyword", "kw:rebound", f"<{BASE}keyword/rebound>"),
        ("card", "verweigern", f"<{BASE}card/7db22241-fe43-4071-9af9-de1cf394f7f5>"),
        ("card", "Refuse // Cooperate", f"<{BASE}card/7db22241-fe43-4071-9af9-de1cf394f7f5>"),
        ("card", "7db22241-fe43-4071-9af9-de1cf394f7f5", f"<{BASE}card/7db22241-fe43-4071-9af9-de1cf394f7f5>"),
        ("statement", "rb-1", f"<{BASE}ruling/RB-1>"),
        ("statement", f"{BASE}ruling/RB-1", f"<{BASE}ruling/RB-1>"),
        ("zone", "Friedhof", f"<{BASE}game#graveyard>"),
        ("zone", "game:exile", f"<{BASE}game#exile>"),
        ("rule", "702.88a", f"<{BASE}rule/rebound-a>"),
        ("rule", "CR 702.88a.", f"<{BASE}rule/rebound-a>"),
        ("rule", "rebound-a", f"<{BASE}rule/rebound-a>"),
        ("rule", "702.85a", f"<{BASE}rule/cascade-a>"),  # today's number goes first
        ("rule", "502.85a", f"<{BASE}rule/cascade-a>"),  # only it has had that
    ],
)
def test_types(dataset: Dataset, kind: str, given: str, term: str) -> None:
    assert str(TYPES[kind](given, dataset.query)) == term


@pytest.mark.parametrize(
    ("kind", "given", "problem"),
    [
        ("iri", "RB 1", "'RB 1' is no IRI: write it in full, or with a prefix such as ruling:RB-1"),
        ("integer", "three", "'three' is no whole number: write digits, such as 3"),
        ("integer", "1e3", "'1e3' is no whole number: write digits, such as 3"),
        ("integer", "9" * 30, f"'{'9' * 30}' is no whole number: write digits, such as 3"),
        ("date", "2024-02-30", "'2024-02-30' is no day: write YYYY-MM-DD, such as 2024-02-02"),
        ("date", "20240202", "'20240202' is no day: write YYYY-MM-DD, such as 2024-02-02"),
        ("language", "d", "'d' is no language tag: write one such as de or en"),
        ("keyword", "rebond", "no keyword of this name or id: 'rebond'; is rebound meant?"),
        ("keyword", "", "no keyword of this name or id: ''"),
        ("rule", "999.9", "no rule has or had the number 999.9; write it as 702.88a, or the id, as rebound-a"),
        ("rule", "rebound-q", "no rule of this number or id: 'rebound-q'; is "),
    ],
)
def test_values_that_are_none(dataset: Dataset, kind: str, given: str, problem: str) -> None:
    with pytest.raises(QueryError) as raised:
        TYPES[kind](given, dataset.query)
    assert str(raised.value).startswith(problem)


def test_missing_unknown_and_malformed(dataset: Dataset) -> None:
    query = QUERIES["rulings-of-a-card"]
    with pytest.raises(QueryError, match=r"^rulings-of-a-card: needs --set card=… \(The card.*; for example: rulew"):
        query.bind({}, dataset.query)
    with pytest.raises(QueryError, match=r"^rulings-of-a-card: no parameter 'cart'; it has card, lang$"):
        query.bind({"cart": "x"}, dataset.query)
    with pytest.raises(QueryError, match=r"^mine: no parameter 'x'; it has none$"):
        read_query("ASK {}", "mine").bind({"x": "y"}, dataset.query)
    assert split_value("a=b=c") == ("a", "b=c")
    for given in ("a", "=a", ""):
        with pytest.raises(QueryError):
            split_value(given)


# --- files


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# parameter: it string\nSELECT * {}", "'it string' is not NAME (TYPE)"),
        ("# parameter: it (text)\nSELECT * {}", "is not NAME (TYPE)"),
        ("# parameter: it (string)\nSELECT * {}", "must stand in the query exactly once, as VALUES ?it { … }"),
        (
            "# parameter: it (string)\nSELECT * { VALUES ?it { 1 } { VALUES ?it { 1 } } }",
            "must stand in the query exactly once",
        ),
    ],
)
def test_broken_heads(text: str, problem: str) -> None:
    with pytest.raises(QueryError) as raised:
        read_query(text, "mine")
    assert str(raised.value).startswith("mine: parameter")
    assert problem in str(raised.value)


def test_packaged_heads_must_be_whole(tmp_path: Path) -> None:
    (tmp_path / "mine.rq").write_text("# title (en): Mine\nASK {}\n", encoding="utf-8")
    with pytest.raises(QueryError, match=r"^mine: its head lacks title \(de\), description \(en\), desc"):
        load_queries(tmp_path)


def test_a_query_without_a_head() -> None:
    query = read_query("#!/usr/bin/env rulewright\n\n# just a comment\nASK {}", "mine")
    assert query.parameters == ()
    assert query.bind({}, lambda _: []) == query.text


def test_a_value_goes_on_in_further_lines() -> None:
    query = read_query("# title (en): One\n#   two\n#   three\n#\n#   not this\nASK {}", "mine")
    assert query.title["en"] == "One two three"


# --- refused


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }",
        "SELECT * { service SILENT <http://example.org/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p ?o }\n# comment '\nASK { SERVICE ?x {} }",
        "SELECT * { ?s ?p 'a\\'b' . SERVICE <x:y> {} }",
        "SELECT * { <http://x/\\u0041'> ?p ?o . SERVICE <http://example.org/> {} #'\n }",
        'SELECT * { ?s ?p """a"b""" . SERVICE<x:y>{} }',
        "PREFIX x: <http://example.org/'> SELECT * { SERVICE x:y {} } #'",
    ],
)
def test_service_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match=r"^query:\d+: SERVICE is refused: nothing is fetched"):
        refuse(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?service { ?service ?p ?o }",
        "PREFIX service: <x:> SELECT * { ?s service:SERVICE 'SERVICE' ; a <x:SERVICE> } # SERVICE",
        "SELECT * { ?s ?p '''a ' SERVICE''' , \"\"\"SERVICE\"\"\" , 'it\\'s SERVICE'@service }",
        "SELECT * { ?a ?b ?c FILTER (?a < ?b && ?c > 'SERVICE') }",
    ],
)
def test_what_only_looks_like_service(text: str) -> None:
    refuse(text)


@pytest.mark.parametrize(
    "text", ["ASK { FILTER" + "(" * 101, "ASK {" + "{} UNION " * 1001, "ASK { VALUES ?x { 1 } FILTER (" + "!" * 1001]
)
def test_what_would_break_the_store_is_refused(text: str) -> None:
    with pytest.raises(QueryError, match=r"^query:1: the query is too deep or too long"):
        refuse(text)


def test_a_long_list_of_values_is_none_of_that(dataset: Dataset) -> None:
    text = f"SELECT * {{ VALUES (?a ?b) {{ {' '.join(f'(<x:{n}> -{n})' for n in range(5000))} }} }}"
    refuse(text)
    assert len(rows(dataset, text)) == 5000


@pytest.mark.parametrize("word", ["insert", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH"])
def test_updates_are_refused(word: str) -> None:
    with pytest.raises(QueryError, match=rf"^mine\.rq:3: {word.upper()} is an update, and queries only read"):
        refuse(f"# SELECT\nPREFIX x: <y:>\n{word} DATA {{ <a:b> <a:b> <a:b> }}", "mine.rq")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("SELECT * { ?s ?p ", "q:1:18: the query is not whole: is there a } too few, or too many?"),
        ("SELECT *\n{ ?s foo:p ?o }", "q:2:"),
        ("", "q:1:1: "),
        ("SELECT * { ?s ?p ?o } }", "q:1:24: the query is not whole"),
    ],
)
def test_syntax_errors_have_a_place(dataset: Dataset, text: str, problem: str) -> None:
    with pytest.raises(SyntaxError) as raised:
        dataset.query(text)
    told = syntax_problem(raised.value, text, "q")
    assert told.startswith(problem)
    assert "\n" not in told
    assert len(told) < 250


def test_words_for_people() -> None:
    assert short(f"{BASE}ruling/RB-1") == "ruling:RB-1"
    assert short(f"{BASE}keyword/rebound") == "kw:rebound"
    assert short(f"{BASE}keyword/rebound#exile") == "keyword/rebound#exile"
    assert short(f"{BASE}game#from") == "game:from"
    assert short("https://example.org/x") == "https://example.org/x"
    assert near("sorces", QUERIES) == "; is sources meant?"
    assert near("qqqqqqq", QUERIES) == ""
