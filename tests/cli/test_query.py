"""`rulewright query`: formats, errors of one line, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pyoxigraph as ox
import pytest

from commands import Command
from rulewright.cli.query import table

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"
NUMBERS = ["query", "numbers-of-a-rule", "--set", "rule=702.88a"]


def test_table(rulewright: Command) -> None:
    done = rulewright(*NUMBERS)
    assert (done.code, done.problems) == (0, ["4 rows"])
    assert done.out.splitlines() == [
        "rule            number   since       wordings",
        "──────────────  ───────  ──────────  ────────",
        "rule:rebound-a  702.85a  2010-04-23         1",
        "rule:rebound-a  702.86a  2011-06-17         1",
        "rule:rebound-a  702.87a  2013-07-13         1",
        "rule:rebound-a  702.88a  2021-04-22         1",
    ]


def test_json(rulewright: Command) -> None:
    done = rulewright(*NUMBERS, "--format", "json")
    answer = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert answer["head"]["vars"] == ["rule", "number", "since", "wordings"]
    assert [b["number"]["value"] for b in answer["results"]["bindings"]] == ["702.85a", "702.86a", "702.87a", "702.88a"]
    assert answer["results"]["bindings"][0]["rule"]["value"] == "https://w3id.org/rulewright/rule/rebound-a"


def test_csv(rulewright: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(rulewright(*NUMBERS, "--format", "csv").out)))
    assert [r["since"] for r in rows] == ["2010-04-23", "2011-06-17", "2013-07-13", "2021-04-22"]


def test_xml(rulewright: Command) -> None:
    root = ElementTree.fromstring(rulewright(*NUMBERS, "--format", "xml").out)
    space = "{http://www.w3.org/2005/sparql-results#}"
    assert len(root.findall(f"{space}results/{space}result")) == 4


def test_turtle(rulewright: Command) -> None:
    done = rulewright("query", "describe-a-ruling", "--set", "ruling=RB-1")
    again = rulewright("query", "describe-a-ruling", "--set", "ruling=RB-1", "--format", "turtle")
    assert (done.code, done.err, done.out) == (0, "", again.out)
    triples = list(ox.parse(done.out, format=ox.RdfFormat.TURTLE))
    assert ox.NamedNode("https://w3id.org/rulewright/ruling/RB-1") in {t.subject for t in triples}
    assert len(triples) == len(set(triples)) > 20
    body = "".join(line for line in done.out.splitlines() if not line.startswith("@prefix"))
    assert all(line.split()[1] in body for line in done.out.splitlines() if line.startswith("@prefix"))


def test_ask(rulewright: Command) -> None:
    assert rulewright("query", "-", stdin=b"ASK { ?s a rw:Statement }").out == "yes\n"
    assert rulewright("query", "-", "--lang", "de", stdin=b"ASK { ?s a rw:Nothing }").out == "nein\n"
    assert json.loads(rulewright("query", "-", "--format", "json", stdin=b"ASK {}").out)["boolean"] is True


def test_language(rulewright: Command) -> None:
    """`lang` follows `--lang` and the locale, unless it is set."""
    zone = ["query", "keywords-casting-from-a-zone", "--set", "zone=exile", "--format", "csv"]
    english, german = rulewright(*zone), rulewright(*zone, language="de_DE.UTF-8")
    assert "suspend" in english.out
    assert "Aussetzen" not in english.out
    assert "Aussetzen" in german.out
    assert rulewright(*zone, "--lang", "de").out == german.out
    assert rulewright(*zone, "--set", "lang=de").out == german.out


def test_file_with_a_head(rulewright: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.rq"
    file.write_text(
        "# parameter: ruling (statement)\nSELECT ?r WHERE { VALUES ?ruling { UNDEF } ?ruling rw:mainRule ?r }\n",
        encoding="utf-8",
    )
    assert rulewright("query", file, "--set", "ruling=RB-1").out.splitlines()[2:] == ["rule:rebound-a"]
    assert rulewright("query", file).problems == [
        f"{file}: needs --set ruling=… (ruling)"
    ]


def test_show(rulewright: Command, tmp_path: Path) -> None:
    shown = rulewright(*NUMBERS, "--show").out
    assert "VALUES ?rule { <https://w3id.org/rulewright/rule/rebound-a> }" in shown
    (tmp_path / "shown.rq").write_text(shown, encoding="utf-8")
    assert rulewright("query", "shown.rq", "--set", "rule=702.88a").out == rulewright(*NUMBERS).out


def test_list(rulewright: Command) -> None:
    english, german = rulewright("query", "--list"), rulewright("query", "--list", "--lang", "de")
    assert (english.code, german.code) == (0, 0)
    assert "numbers-of-a-rule: Numbers that a rule has had" in english.out
    assert "numbers-of-a-rule: Nummern, die eine Regel hatte" in german.out
    listed = json.loads(rulewright("query", "--list", "--format", "json").out)
    assert len(listed) >= 20
    assert set(listed[0]) == {"name", "title", "description", "parameters", "example", "graphs", "needs"}
    one = rulewright("query", "sources", "--list").out
    assert one.startswith("sources: ")
    assert "\n\n" not in one


def test_nothing_found(rulewright: Command) -> None:
    done = rulewright("query", "rule-by-number", "--set", 'number=1" } UNION { ?rule ?heading ?version } #')
    assert (done.code, done.problems) == (0, ["0 rows"])
    assert len(done.out.splitlines()) == 2


def test_nothing_found_for_want_of_sources(rulewright: Command) -> None:
    done = rulewright("query", "cards-with-a-keyword", "--set", "keyword=Abprall")
    assert (done.code, done.problems) == (0, ["0 rows", "Needs ingested sources: scryfall-cards (rulewright ingest)"])
    rulewright("ingest", EXAMPLES, "--store", "store")
    done = rulewright("query", "cards-with-a-keyword", "--set", "keyword=Abprall", "--store", "store")
    assert (done.code, done.problems) == (0, ["0 rows"])


PROBLEMS = [
    ([], b"", "which query? Give a name (rulewright query --list), a file, or - for standard input"),
    (["sorces"], b"", "sorces: no query of this name, and no file; is sources meant?; see rulewright query --list"),
    (
        ["SELECT * { ?s rw:a/rw:b ?o }"], b"",
        "SELECT * { ?s rw:a/rw:b ?o }: SPARQL is read from a file, or with - from standard input, not from an argument",
    ),
    (
        ["ASK { ?s ?p " + "1 , " * 100 + "2 }"], b"",
        "ASK { ?s ?p 1 , 1 , 1 , 1 , 1 , 1 , 1 , 1 , 1 , 1 , 1 , 1 …: SPARQL is read from a file, or with - from "
        "standard input, not from an argument",
    ),
    (["missing.rq"], b"", "missing.rq: cannot be read: No such file or directory"),
    (["sources", "--set", "x=1"], b"", "sources: no parameter 'x'; it has lang"),
    (["sources", "--set", "x"], b"", "--set x: write --set NAME=VALUE"),
    (["card-names", "--set", "missing=de", "--set", "missing=en"], b"", "--set missing: is given twice"),
    (
        ["card-names", "--set", "missing=!"],
        b"",
        "card-names: missing: '!' is no language tag: write one such as de or en",
    ),
    (
        ["rulings-of-a-card", "--set", "card=Restor Balance"],
        b"",
        "rulings-of-a-card: card: no card of this name or id: 'Restor Balance'; is restore balance meant?",
    ),
    (
        ["numbers-of-a-rule"],
        b"",
        "numbers-of-a-rule: needs --set rule=… (The rule, by its number today, by one that only it has had, or by its "
        "identifier); for example: rulewright query numbers-of-a-rule --set rule=702.88a",
    ),
    (["sources", "--format", "turtle"], b"", "sources: makes rows, and no graph: say table, json, csv or xml"),
    (
        ["describe-a-ruling", "--set", "ruling=RB-1", "--format", "csv"],
        b"",
        "describe-a-ruling: makes a graph, which is no csv: leave --format out, or say turtle",
    ),
    (["-", "--format", "csv"], b"ASK {}", "standard input: answers yes or no, which is no csv: say table, json or xml"),
    (
        ["-"],
        b"SELECT * {\n SERVICE <http://example.org/> { ?s ?p ?o } }",
        "standard input:2: SERVICE is refused: nothing is fetched, queries see this dataset only",
    ),
    (
        ["-"],
        b"DELETE WHERE { ?s ?p ?o }",
        "standard input:1: DELETE is an update, and queries only read: begin with SELECT, ASK, CONSTRUCT or DESCRIBE",
    ),
    (
        ["-"],
        b"SELECT * {\n ?s ?p ",
        "standard input:2:8: the query is not whole: is there a } too few, or too many?",
    ),
    (
        ["-"],
        b"SELECT * {\n ?s foo:p ?o }",
        "standard input:2:10: a prefix is not declared: begin the query with PREFIX name: <\u2026>",
    ),
    (["-"], b"\xff\xfe", "standard input: byte 0: is not UTF-8: save the query as UTF-8"),
    (["-"], b"a" * 1_000_001, "standard input: is longer than 1 MB: that is no query"),
    (
        ["sources", "--store", "nowhere"],
        b"",
        "nowhere: there is no such store; make it with: rulewright ingest --store",
    ),
]


@pytest.mark.parametrize(("arguments", "stdin", "problem"), PROBLEMS, ids=[p[2][:40] for p in PROBLEMS])
def test_one_line_and_exit_code_2(rulewright: Command, arguments: list[str], stdin: bytes, problem: str) -> None:
    done = rulewright("query", *arguments, stdin=stdin)
    assert (done.code, done.out, done.problems) == (2, "", [problem])


def test_folder(rulewright: Command, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert rulewright("query", "./folder").problems == ["./folder: cannot be read: Is a directory"]


DEEP, LONG = b"ASK { FILTER(" + b"(" * 30_000, b"ASK { FILTER(" + b"1||" * 30_000 + b"1) }"


@pytest.mark.parametrize("text", [b"", b"\x00", b"SELECT", b"{" * 50_000, b"SELECT * {" * 3000, b"'" * 999, DEEP, LONG])
def test_garbage(rulewright: Command, text: bytes) -> None:
    done = rulewright("query", "-", stdin=text)
    assert (done.code, done.out, len(done.problems)) == (2, "", 1)
    assert len(done.problems[0]) < 300


def test_on_disk(rulewright: Command, tmp_path: Path) -> None:
    from rulewright.store import Dataset

    with Dataset.open(tmp_path / "store") as dataset:
        dataset.load_packaged()
    assert rulewright(*NUMBERS, "--store", "store").out == rulewright(*NUMBERS).out


# --- tables


def test_wide_texts_are_wrapped_and_identifiers_are_not() -> None:
    rows = [["ruling:RB-1", "word " * 40, "3"], ["ruling:RB-10", "", "12"]]
    lines = list(table(["ruling", "text", "n"], rows, 60))
    assert max(map(len, lines)) == 60
    assert lines[0].split() == ["ruling", "text", "n"]
    assert lines[2].startswith("ruling:RB-1   word word")
    assert lines[2].endswith("  3")
    assert lines[-1].startswith("ruling:RB-10 ")
    assert lines[-1].endswith(" 12")


def test_long_identifiers_give_way_when_there_is_no_other_place() -> None:
    lines = list(table(["a", "b"], [["x" * 100, "y" * 100]], 40))
    assert max(map(len, lines)) <= 40
    assert "".join(lines).count("x") == 100


@pytest.mark.parametrize("names", [[], ["a"]])
def test_empty_tables(names: list[str]) -> None:
    assert list(table(names, [], 80)) == ([] if not names else ["a", "─"])


def test_what_would_steer_a_terminal_is_not_printed(rulewright: Command) -> None:
    out = rulewright("query", "-", stdin=b'SELECT ?x { VALUES ?x { "a\\u001B[2Jb\\tc" } }').out
    assert out.splitlines()[2] == "a\ufffd[2Jb c"
