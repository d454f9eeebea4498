"""`rulewright check`: every format, exit codes, and one clear line for everything that is wrong with the input."""

from __future__ import annotations

import copy
import gzip
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from rdflib import RDF, Graph, Literal, Namespace, URIRef

if TYPE_CHECKING:
    from commands import Command, Json

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "data" / "scenarios"
SHACL = Namespace("http://www.w3.org/ns/shacl#")
EARL = Namespace("http://www.w3.org/ns/earl#")
COUNTS = {"records": 3, "conform": 2, "violate": 1, "undetermined": 1, "unchecked": 0, "errors": 0}
FOCUS = "urn:example:game:1#e3"
EXILE = "https://w3id.org/rulewright/keyword/rebound#exile"


def changed(game: Json, name: str, **top: Any) -> Json:
    return {**copy.deepcopy(game), "id": f"urn:example:{name}", **top}


@pytest.fixture
def file(game: Json, tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    return path


@pytest.fixture
def lines(game: Json, tmp_path: Path) -> Path:
    """A violation, a record that conforms, one that cannot be told (the zone of origin is not recorded)."""
    good, unknown = changed(game, "good"), changed(game, "unknown")
    good["events"][2]["to"] = "exile"
    del unknown["events"][0]["from"]
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(g) + "\n" for g in (game, good, unknown)), encoding="utf-8")
    return path


# --- formats


def test_html_is_one_page_with_every_record_and_every_error(rulewright: Command, lines: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    done = rulewright("check", "games.jsonl", "bad.json", "--format", "html", "--lang", "de")
    assert done.code == 2
    assert len(done.problems) == 1
    assert done.out.startswith("<!DOCTYPE html>\n<html lang=\"de\">")
    assert done.out.count("<svg ") >= 3
    for words in ("urn:example:game:1", "urn:example:unknown", "bad.json", "3 geprüft", "702.88a", "1 Fehler"):
        assert words in done.out
    assert "<script" not in done.out


def test_html_is_the_same_of_several_processes(rulewright: Command, lines: Path) -> None:
    one = rulewright("check", "games.jsonl", "--format", "html")
    assert one.code == 1
    assert rulewright("check", "games.jsonl", "--format", "html", "--jobs", "2").out == one.out


def test_text_names_event_reason_authority_and_facts(rulewright: Command, file: Path) -> None:
    done = rulewright("check", "game.json")
    assert (done.code, done.err) == (1, "")
    head, verdict, cited, facts, summary = done.out.splitlines()
    assert head == "urn:example:game:1  (game.json)"
    assert "#e3" in verdict
    assert "Staggershock goes from the stack into the graveyard" in verdict
    assert "CR 702.88a" in cited
    assert "RB-1" in cited
    assert "(#e1)" in facts
    assert summary == "1 checked: 0 conform, 1 violate, 0 undetermined in part, 0 unchecked in part, 0 errors"
    assert "\x1b" not in done.out


def test_text_of_a_record_that_conforms_is_its_count(rulewright: Command, good: Json) -> None:
    done = rulewright("check", "-", stdin=json.dumps(good).encode())
    assert (done.code, done.err) == (0, "")
    assert done.out == "1 checked: 1 conform, 0 violate, 0 undetermined in part, 0 unchecked in part, 0 errors\n"


def test_json_has_the_documented_shape(rulewright: Command, lines: Path) -> None:
    done = rulewright("check", "games.jsonl", "--format", "json")
    assert (done.code, done.err) == (1, "")
    report = json.loads(done.out)
    assert set(report) == {"records", "errors", "summary"}
    assert report["errors"] == []
    assert report["summary"] == COUNTS
    assert [r["id"] for r in report["records"]] == ["urn:example:game:1", "urn:example:good", "urn:example:unknown"]
    for record in report["records"]:
        assert set(record) == {"id", "source", "conforms", "verdicts", "unchecked", "warnings"}
        assert record["source"] == "games.jsonl"
        for verdict in record["verdicts"]:
            assert verdict["verdict"] in ("violates", "undetermined")
            told = "missing" if verdict["verdict"] == "undetermined" else "facts"
            assert set(verdict) == {"axiom", "verdict", "focus", "message", "authority", told}
            assert set(verdict["message"]) == {"en", "de"}
            assert all(set(a) == {"id", "label"} for a in verdict["authority"])
            keys = {"node", "property"} if told == "missing" else {"event", "property", "value"}
            assert all(set(f) == keys for f in verdict[told])
    (broken,) = report["records"][0]["verdicts"]
    assert (broken["axiom"], broken["focus"]) == (EXILE, FOCUS)
    assert {"id": "https://w3id.org/rulewright/rule/rebound-a", "label": "CR 702.88a"} in broken["authority"]
    assert {"event": "urn:example:game:1#e1", "property": "from", "value": "hand"} in broken["facts"]
    unknown = [v for v in report["records"][2]["verdicts"] if v["axiom"] == EXILE]
    assert [v["verdict"] for v in unknown] == ["undetermined"]
    assert {"node": "urn:example:unknown#e1", "property": "from"} in unknown[0]["missing"]


def test_all_lists_conforming_verdicts_too(rulewright: Command, lines: Path) -> None:
    report = json.loads(rulewright("check", "games.jsonl", "--format", "json", "--all").out)
    conforming = [v for v in report["records"][1]["verdicts"] if v["verdict"] == "conforms"]
    assert EXILE in {v["axiom"] for v in conforming}
    assert report["summary"] == COUNTS


def test_shacl_is_a_validation_report_with_earl_assertions(rulewright: Command, lines: Path) -> None:
    done = rulewright("check", "games.jsonl", "--format", "shacl")
    assert (done.code, done.err) == (1, "")
    report = Graph().parse(data=done.out, format="turtle")
    (node,) = report.subjects(RDF.type, SHACL.ValidationReport)
    assert report.value(node, SHACL.conforms) == Literal(False)
    (result,) = report.objects(node, SHACL.result)
    assert report.value(result, SHACL.focusNode) == URIRef(FOCUS)
    assert report.value(result, SHACL.sourceShape) == URIRef(EXILE)
    assert report.value(result, SHACL.resultSeverity) == SHACL.Violation
    messages = list(report.objects(result, SHACL.resultMessage))
    assert {m.language for m in messages if isinstance(m, Literal)} == {"en", "de"}
    outcomes = {
        report.value(report.value(a, EARL.result), EARL.outcome) for a in report.subjects(RDF.type, EARL.Assertion)
    }
    assert outcomes == {EARL.failed, EARL.cantTell}


@pytest.mark.parametrize("to", ["exile", None], ids=["conforms", "undetermined"])
def test_shacl_conforms_where_nothing_violates(rulewright: Command, good: Json, to: str | None) -> None:
    if to is None:
        del good["events"][2]["to"]
    done = rulewright("check", "-", "--format", "shacl", stdin=json.dumps(good).encode())
    report = Graph().parse(data=done.out, format="turtle")
    (node,) = report.subjects(RDF.type, SHACL.ValidationReport)
    assert (done.code, report.value(node, SHACL.conforms)) == (0, Literal(True))
    assert not list(report.objects(node, SHACL.result))


def test_junit_has_a_case_for_each_record(rulewright: Command, lines: Path) -> None:
    with lines.open("a", encoding="utf-8") as stream:
        stream.write("{\n")
    done = rulewright("check", "games.jsonl", "--format", "junit")
    assert done.code == 2
    suite = ElementTree.fromstring(done.out)
    assert (suite.tag, suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("testsuite", "4", "1", "1")
    cases = suite.findall("testcase")
    assert [len(c.findall("failure")) for c in cases] == [1, 0, 0, 0]
    assert [len(c.findall("error")) for c in cases] == [0, 0, 0, 1]
    failure = cases[0].find("failure")
    assert failure is not None
    assert (failure.get("type"), (failure.get("message") or "").startswith("#e3: ")) == (EXILE, True)


# --- what is a finding, and what is assumed


def test_what_is_not_checked_is_told_in_a_line(rulewright: Command, good: Json) -> None:
    good["cards"][0]["keywords"].append("gloaming")
    good["events"] += [{"id": "#e4", "type": "Applause"}]
    done = rulewright("check", "-", stdin=json.dumps(good).encode())
    told = done.out.splitlines()
    assert done.code == 0
    assert told[-2].startswith("unchecked: standard input: unknown event type Applause (#e4), keyword gloaming (#e1, ")
    assert told[-1] == "1 checked: 1 conform, 0 violate, 0 undetermined in part, 1 unchecked in part, 0 errors"
    german = rulewright("check", "-", "--lang", "de", stdin=json.dumps(good).encode())
    assert "ungeprüft: standard input: unbekannte Ereignisart Applause (#e4), Schlüsselwort gloaming" in german.out
    (record,) = json.loads(rulewright("check", "-", "--format", "json", stdin=json.dumps(good).encode()).out)["records"]
    assert record["unchecked"][0] == {"what": "event", "word": "Applause", "events": [good["id"] + "#e4"]}
    page = rulewright("check", "-", "--format", "html", stdin=json.dumps(good).encode()).out
    assert "conforms, in part unchecked" in page


def test_what_counts_as_a_finding_is_chosen(rulewright: Command, good: Json) -> None:
    """A level includes those before it; `--strict` is all of them, and notes."""
    broken, unknown, named, noted = (copy.deepcopy(good) for _ in range(4))
    broken["events"][2]["to"] = "graveyard"
    del unknown["events"][0]["from"]
    named["cards"][0]["keywords"].append("gloaming")
    noted["weather"] = "fine"

    def codes(game: Json) -> list[int]:
        options = ([], ["--fail-on", "undetermined"], ["--fail-on", "unchecked"], ["--strict"])
        return [rulewright("check", "-", *option, stdin=json.dumps(game).encode()).code for option in options]

    assert [codes(g) for g in (broken, unknown, named, noted, good)] == [
        [1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0],
    ]  # fmt: skip
    assert rulewright("check", "-", "--strict", stdin=b"{").code == 2


def test_what_is_left_out_can_be_assumed_to_be_none(rulewright: Command, good: Json) -> None:
    good["events"][2]["to"] = "hand"
    good["cards"][0] |= {"keywords": [], "zone": "hand"}
    good.pop("effects", None)
    text = json.dumps(good).encode()
    assert rulewright("check", "-", stdin=text).code == 0
    done = rulewright("check", "-", "--assume", "effects", "--assume", "text", "--format", "json", stdin=text)
    (record,) = json.loads(done.out)["records"]
    assert done.code == 1
    assert all("effects" in v["assumed"] for v in record["verdicts"] if v["verdict"] == "violates")
    told = rulewright("check", "-", "--assume", "effects", "--assume", "text", stdin=text, language="de_DE.UTF-8").out
    assert "angenommen: keine Effekte außer den aufgeführten" in told


# --- languages


def test_language(rulewright: Command, file: Path) -> None:
    english, german = rulewright("check", "game.json"), rulewright("check", "game.json", "--lang", "de")
    assert "1 geprüft" in german.out
    assert "Staggershock geht vom Stapel auf den Friedhof" in german.out
    assert rulewright("check", "game.json", language="de_AT.UTF-8").out == german.out
    assert rulewright("check", "game.json", "--lang", "en", language="de_AT.UTF-8").out == english.out
    assert rulewright("check", "game.json", language="C").out == english.out


def test_help_and_version(rulewright: Command) -> None:
    done = rulewright("--version")
    assert re.fullmatch(r"rulewright, version \d+\.\d+\.\d+\n", done.out)
    assert {"check", "compile", "convert"} <= set(rulewright("--help").out.split())


# --- the same, whatever the way


def test_jobs_change_nothing(rulewright: Command, game: Json, tmp_path: Path) -> None:
    games = [changed(game, f"many:{n}") for n in range(450)]
    for number, one in enumerate(games):
        one["events"][2]["to"] = ("exile", "graveyard", "hand")[number % 3]
    text = [json.dumps(g) for g in games]
    text.insert(200, "{")
    (tmp_path / "many.jsonl").write_text("\n".join(text), encoding="utf-8")
    one, two = (rulewright("check", "many.jsonl", "--format", "json", "--jobs", n) for n in "12")
    assert one == two
    report = json.loads(one.out)
    assert (one.code, len(report["records"]), len(report["errors"])) == (2, 450, 1)
    assert [r["id"] for r in report["records"]] == [g["id"] for g in games]


@pytest.mark.parametrize("engine", ["reference", "pyshacl"])
def test_engines_find_the_same_violations(rulewright: Command, lines: Path, engine: str) -> None:
    def violations(*more: str) -> list[list[Json]]:
        report = json.loads(rulewright("check", "games.jsonl", "--format", "json", *more).out)
        return [[v for v in r["verdicts"] if v["verdict"] == "violates"] for r in report["records"]]

    assert violations("--engine", engine) == violations()


def test_records_of_one_id_do_not_mix(rulewright: Command, game: Json, tmp_path: Path) -> None:
    good = copy.deepcopy(game)
    good["events"][2]["to"] = "exile"
    (tmp_path / "twice.jsonl").write_text(f"{json.dumps(game)}\n{json.dumps(good)}\n", encoding="utf-8")
    report = json.loads(rulewright("check", "twice.jsonl", "--format", "json").out)
    assert [r["conforms"] for r in report["records"]] == [False, True]


def test_files_folders_and_standard_input(rulewright: Command, game: Json, tmp_path: Path) -> None:
    folder = tmp_path / "games" / "inside"
    folder.mkdir(parents=True)
    (folder / "b.json").write_text(json.dumps(changed(game, "b")), encoding="utf-8")
    (tmp_path / "games" / "a.jsonl.gz").write_bytes(gzip.compress(json.dumps(changed(game, "a")).encode()))
    (tmp_path / "games" / "notes.txt").write_text("no record", encoding="utf-8")
    done = rulewright("check", "games", "-", "--format", "json", stdin=json.dumps(changed(game, "c")).encode())
    report = json.loads(done.out)
    assert [r["id"].rpartition(":")[2] for r in report["records"]] == ["a", "b", "c"]
    assert done.err == ""


# --- scenarios


def test_expect_says_which_scenarios_differ(rulewright: Command, game: Json, tmp_path: Path) -> None:
    expected = {"verdict": "violates", "focus": "#e3", "authority": "702.88a"}
    other = {**expected, "authority": "702.88c"}
    for name, expect in (
        ("holds", [expected]),
        ("misses", []),
        ("cites", [other]),
        ("claims", [expected, {**expected, "focus": "#e1"}]),
    ):
        (tmp_path / f"{name}.json").write_text(
            json.dumps(changed(game, name, comment="", expect=expect)), encoding="utf-8"
        )
    done = rulewright("check", "--expect", *(f"{n}.json" for n in ("holds", "misses", "cites", "claims")))
    assert (done.code, done.err) == (1, "")
    said = [line.split()[0] for line in done.out.splitlines() if not line.startswith(" ")][:-1]
    assert said == ["holds", "DIFFERS", "DIFFERS", "DIFFERS"]
    assert "found, but not expected: violates at #e3" in done.out
    assert "found, but on another authority" in done.out
    assert "expected, but not found: violates at #e1" in done.out
    assert rulewright("check", "--expect", "holds.json").code == 0


def test_an_exhaustive_scenario_names_every_undetermined_verdict(
    rulewright: Command, game: Json, tmp_path: Path
) -> None:
    del game["effects"]
    game["events"][2]["to"] = "hand"
    unclear = [{"verdict": "undetermined", "focus": "#e3"}, {"verdict": "conforms", "focus": "#e1"}]
    cases = {
        "open": changed(game, "open", comment="", expect=[]),
        "silent": changed(game, "silent", comment="", expect=[], exhaustive=True),
        "named": changed(game, "named", comment="", expect=unclear, exhaustive=True),
        "wrong": changed(game, "wrong", comment="", expect=[], exhaustive="yes"),
    }
    for name, record in cases.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")
    assert rulewright("check", "--expect", "open.json").code == 0
    assert rulewright("check", "--expect", "named.json").code == 0
    done = rulewright("check", "--expect", "silent.json")
    assert (done.code, "found, but not expected: undetermined at #e3 by" in done.out) == (1, True)
    assert rulewright("check", "--expect", "wrong.json").problems == ["wrong.json: exhaustive: is true or false"]


def test_expect_without_expectations_is_bad_input(rulewright: Command, file: Path) -> None:
    done = rulewright("check", "--expect", "game.json")
    assert done.code == 2
    assert done.problems == ["game.json: expect: missing: a scenario lists the verdicts that it expects, [] for none"]


# --- bad input: one clear line each, the rest is still judged


def _deep(game: Json) -> bytes:
    return b'{"events": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def _edited(change: Callable[[Json], Any]) -> Callable[[Json], bytes]:
    def made(game: Json) -> bytes:
        copied = copy.deepcopy(game)
        change(copied)
        return json.dumps(copied).encode()

    return made


def _cycle(game: Json) -> None:
    game["events"][1]["cause"] = "#e3"


BAD: dict[str, tuple[Callable[[Json], bytes], str]] = {
    "truncated": (lambda g: json.dumps(g).encode()[:200], r"line 1, column \d+: the JSON ends too early"),
    "no-json": (lambda g: b"{'id': 1}", r"line 1, column 2: no JSON"),
    "deep": (_deep, r"nested too deeply"),
    "empty": (lambda g: b"", r"empty"),
    "white": (lambda g: b" \n\n", r"empty"),
    "binary": (lambda g: bytes(range(256)) * 4, r"binary|UTF-8"),
    "utf-16": (lambda g: json.dumps(g).encode("utf-16"), r"is UTF-16: save it as UTF-8"),
    "latin-1": (
        lambda g: json.dumps(g, ensure_ascii=False).replace("Ana", "Änne").encode("latin-1"),
        r"line 1, column \d+: .*UTF-8",
    ),
    "not-a-record": (lambda g: b'"game"', r"a record is a JSON object|no record"),
    "empty-list": (lambda g: b"[]", r"no record"),
    "nan": (lambda g: json.dumps(g).replace('"turn": 3', '"turn": NaN').encode(), r"NaN"),
    "key-twice": (lambda g: json.dumps(g).replace('"turn": 3', '"turn": 3, "turn": 4').encode(), r"'turn' twice"),
    "wrong-type": (
        _edited(lambda g: g["events"][0].update(turn="three")),
        r"events\[0\]\.turn: .*'three' is not an integer",
    ),
    "float": (_edited(lambda g: g["events"][0].update(turn=1.5)), r"events\[0\]\.turn: .*1\.5 is not an integer"),
    "events-no-list": (_edited(lambda g: g.update(events={})), r"events: .*is not a list"),
    "no-events": (_edited(lambda g: g.pop("events")), r"events: .*missing"),
    "wrong-zone": (
        _edited(lambda g: g["events"][2].update(to="limbo")),
        r"events\[2\]\.to: .*'limbo' is no zone: use one of library",
    ),
    "wrong-step": (_edited(lambda g: g["events"][0].update(step="noon")), r"events\[0\]\.step: .*'noon' is no step"),
    "wrong-mana": (_edited(lambda g: g["cards"][0].update(manaCost="2R")), r"cards\[0\]\.manaCost: .*is not mana"),
    "dangling": (
        _edited(lambda g: g["events"][2].update(card="#nothing")),
        r"events\[2\]\.card: .*#nothing is not declared",
    ),
    "id-twice": (_edited(lambda g: g["players"].append({"id": "#ben", "turnOrder": 3})), r"declared twice"),
    "cycle": (_edited(_cycle), r"events\[\d\]\.cause: .*its own cause"),
    "null": (_edited(lambda g: g["events"][0].update(step=None)), r"events\[0\]\.step: .*null says nothing"),
    "no-iri": (_edited(lambda g: g.update(id="game one")), r"id: 'game one' is not an IRI"),
    "remote-context": (
        _edited(lambda g: g.update({"@context": "https://example.org/c.jsonld"})),
        r"example\.org/c\.jsonld.*not fetched",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_file(rulewright: Command, game: Json, good: Json, tmp_path: Path, name: str) -> None:
    make, said = BAD[name]
    (tmp_path / "bad.json").write_bytes(make(game))
    (tmp_path / "good.json").write_text(json.dumps(changed(good, "good")), encoding="utf-8")
    done = rulewright("check", "bad.json", "good.json", "--format", "json")
    assert done.code == 2
    (problem,) = done.problems
    assert problem.startswith("bad.json: ")
    assert re.search(said, problem), problem
    assert len(problem) < 400
    report = json.loads(done.out)
    assert [r["id"] for r in report["records"]] == ["urn:example:good"]
    (error,) = report["errors"]
    assert set(error) == {"source", "place", "problem"}
    assert error["source"] == "bad.json"


@pytest.mark.parametrize("name", ["truncated", "deep", "wrong-zone", "remote-context", "key-twice"])
def test_bad_line_names_its_number(rulewright: Command, game: Json, tmp_path: Path, name: str) -> None:
    texts = [json.dumps(changed(game, "a")).encode(), BAD[name][0](game), json.dumps(changed(game, "b")).encode()]
    (tmp_path / "bad.jsonl").write_bytes(b"\n".join(texts))
    done = rulewright("check", "bad.jsonl", "--format", "json")
    (problem,) = done.problems
    assert done.code == 2
    assert problem.startswith("bad.jsonl: line 2")
    assert [r["id"][-1] for r in json.loads(done.out)["records"]] == ["a", "b"]


def test_a_line_of_200_megabytes_is_refused_and_not_held(rulewright: Command, game: Json, tmp_path: Path) -> None:
    with (tmp_path / "long.jsonl").open("wb") as stream:
        stream.write(b'{"id": "')
        for _ in range(200):
            stream.write(b"x" * 2**20)
        stream.write(b'"}\n' + json.dumps(game).encode() + b"\n")
    done = rulewright("check", "long.jsonl", "--format", "json")
    assert done.code == 2
    assert re.fullmatch(r"long\.jsonl: line 1: is longer than \d+ MiB.*", done.problems[0])
    assert [r["id"] for r in json.loads(done.out)["records"]] == [game["id"]]


def test_missing_and_empty(rulewright: Command, file: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    done = rulewright("check", "nowhere.json", "folder", "game.json")
    assert done.code == 2
    assert done.problems[0] == "nowhere.json: there is no such file"
    assert done.problems[1].startswith("folder: ")
    assert len(done.problems) == 2
    assert "1 checked: 0 conform, 1 violate, 0 undetermined in part, 0 unchecked in part, 2 errors" in done.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read every file")
def test_without_permission(rulewright: Command, file: Path) -> None:
    file.chmod(0)
    done = rulewright("check", "game.json")
    assert (done.code, done.problems) == (2, ["game.json: cannot be read: Permission denied"])


def test_unreadable(rulewright: Command, file: Path, tmp_path: Path) -> None:
    """Links that lead nowhere or in a circle, and a name too long: nobody can read these."""
    (tmp_path / "dangling.json").symlink_to("nowhere.json")
    (tmp_path / "circle.json").symlink_to("circle.json")
    done = rulewright("check", "dangling.json", "circle.json", f"{'x' * 300}.json", "game.json")
    assert done.code == 2
    assert done.problems == [
        "dangling.json: there is no such file",
        "circle.json: cannot be read: Too many levels of symbolic links",
        f"{'x' * 300}.json: cannot be read: File name too long",
    ]
    assert "1 checked: 0 conform, 1 violate, 0 undetermined in part, 0 unchecked in part, 3 errors" in done.out


def test_several_problems_of_one_record_are_all_told(rulewright: Command, game: Json, file: Path) -> None:
    game["events"][0]["turn"] = "three"
    game["events"][2]["to"] = "limbo"
    file.write_text(json.dumps(game), encoding="utf-8")
    assert [re.findall(r"events\[\d\]\.\w+", p)[0] for p in rulewright("check", "game.json").problems] == [
        "events[0].turn",
        "events[2].to",
    ]


def test_unknown_properties_and_event_types_are_warnings(rulewright: Command, good: Json) -> None:
    good["weather"] = "fine"
    good["events"].insert(2, {"type": "Applause", "player": "#ben"})
    done = rulewright("check", "-", "--format", "json", stdin=json.dumps(good).encode())
    warnings = json.loads(done.out)["records"][0]["warnings"]
    assert done.code == 0
    assert any("weather" in w for w in warnings)
    assert any("Applause" in w for w in warnings)


# --- bad usage


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["game.json", "--format", "pdf"],
        ["game.json", "--engine", "steam"],
        ["game.json", "--jobs", "0"],
        ["game.json", "--lang", "fr"],
        ["game.json", "--axiom", "x.ttl"],
        ["game.json", "--fail-on", "conforms"],
        ["game.json", "--assume", "nothing"],
        ["game.json", "--expect", "--strict"],
        ["--store", "x", "--assume", "effects"],
    ],
    ids=lambda a: " ".join(a) or "none",
)
def test_bad_usage(rulewright: Command, file: Path, arguments: list[str]) -> None:
    done = rulewright("check", *arguments)
    assert (done.code, done.out) == (2, "")
    assert "Error: " in done.err


# --- axioms that cannot be used


HEAD = """@prefix : <https://w3id.org/rulewright/keyword/new#> .
@prefix ax: <https://w3id.org/rulewright/axiom#> .
@prefix cond: <https://w3id.org/rulewright/condition/> .
@prefix game: <https://w3id.org/rulewright/game#> .
@prefix kw: <https://w3id.org/rulewright/keyword/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rule: <https://w3id.org/rulewright/rule/> .
@prefix rw: <https://w3id.org/rulewright/core#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
kw:new a rw:Keyword ; skos:prefLabel "new"@en , "neu"@de .
"""
AXIOM = ':a a ax:Prohibition ; rdfs:label "a"@en , "b"@de ; ax:of kw:new ; ax:focus game:Cast ; rw:authority rule:x ; '
NESTED = "ax:when [ ax:someNode game:Cast ; ax:that [ ax:someNode game:Move ; ax:that cond:free ] ] ."
WRONG: dict[str, tuple[str, str]] = {
    "no-turtle": ("this is no Turtle", r"is not Turtle"),
    "property": (
        AXIOM + "ax:when [ sh:path game:form ; sh:hasValue game:hand ] .",
        r"game:form is not declared.*is game:\w+ meant",
    ),
    "comparison": (AXIOM + "ax:when [ sh:path game:from ; ax:same game:hand ] .", r"compares game:from with nothing"),
    "condition": (AXIOM + "ax:when cond:from-own-hnd .", r"is not defined; is .*from-own-hand meant\?"),
    "archetype": (
        AXIOM.replace("Prohibition", "Prohibtion") + "ax:when cond:free .",
        r"is no archetype; is ax:Prohibition meant\?",
    ),
    "axiom-property": (AXIOM + "ax:whenever cond:free .", r"ax:whenever is no property of an axiom"),
    "needs": (AXIOM.replace("ax:focus game:Cast ; ", "") + "ax:when cond:free .", r"needs ax:focus"),
    "event-type": (AXIOM.replace("game:Cast", "game:Kast") + "ax:when cond:free .", r"game:Kast is no event type"),
    "authority": (AXIOM.replace("rw:authority rule:x ; ", "") + "ax:when cond:free .", r"no rw:authority"),
    "label": (AXIOM.replace(' , "b"@de', "") + "ax:when cond:free .", r"label is needed in English and German"),
    "keyword": (
        AXIOM.replace("ax:of kw:new", "ax:of kw:other") + "ax:when cond:free .",
        r"not declared as a rw:Keyword",
    ),
    "list": (AXIOM + "ax:when [ ax:some game:from ; ax:that cond:free ] .", r"game:from is no list"),
    "nested": (AXIOM + NESTED, r"quantifier"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_axioms(rulewright: Command, file: Path, tmp_path: Path, name: str) -> None:
    text, said = WRONG[name]
    (tmp_path / "new.ttl").write_text(HEAD + text, encoding="utf-8")
    done = rulewright("check", "game.json", "--axioms", "new.ttl")
    assert (done.code, done.out) == (2, "")
    (problem,) = done.problems
    assert problem.startswith("new.ttl: ") or name == "nested"
    assert re.search(said, problem), problem


def test_missing_axioms(rulewright: Command, file: Path) -> None:
    done = rulewright("check", "game.json", "--axioms", "nowhere.ttl")
    assert (done.code, done.problems) == (2, ["nowhere.ttl: cannot be read: No such file or directory"])


# --- the documents show what the program prints


@pytest.mark.parametrize(
    ("document", "files"), [("README.md", {}), ("docs/add-a-keyword.md", {"emberwake.ttl": "turtle"})]
)
def test_documents(rulewright: Command, tmp_path: Path, document: str, files: dict[str, str]) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL)
    (tmp_path / "game.json").write_text(next(b for kind, b in blocks if kind == "json"), encoding="utf-8")
    for name, kind in files.items():
        (tmp_path / name).write_text(next(b for k, b in blocks if k == kind), encoding="utf-8")
    shown = next(b for kind, b in blocks if kind == "console" and "game.json" in b)
    for command, output in re.findall(r"^\$ rulewright ([^\n]*)\n((?:(?!\$ ).*\n)*)", shown, re.MULTILINE):
        assert rulewright(*command.split()).out == output
