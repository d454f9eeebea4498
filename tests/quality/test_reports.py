"""Reports of a validation, read back by a library."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

import pytest
from rdflib import RDF, SH, BNode, Graph, Literal, URIRef

from rulewright.quality.mentions import Document, Statement
from rulewright.quality.reports import written
from rulewright.quality.validation import Checked, Finding, Report, Words
from rulewright.records import Problem
from rulewright.vocabulary import CORE

AWKWARD = 'says "no" \\ <&> „ja“\x01\x0b\uffff'


def finding(severity: str = "violation", **more: Any) -> Finding:
    of: dict[str, Any] = {
        "kind": "Shape-x", "shape": "urn:shape", "severity": severity, "file": "a.ttl", "node": CORE + "Thing",
        "message": {"en": "it is wrong", "de": "es ist falsch"}, "mend": {"en": "mend it", "de": "behebe es"}, **more,
    }  # fmt: skip
    return Finding(**of)


DOCUMENT = Document("urn:d", "b.txt", [Statement("urn:s:1", 1, "One."), Statement("urn:s:2", 2, "Two.", "RB-1")])
OF_TEXT: dict[str, Any] = {"file": "b.txt", "statement": 2, "id": "RB-1", "line": 7, "node": "urn:s:2"}


def report(*findings: Finding) -> Report:
    graph = Graph()
    for found in findings:
        result = BNode()
        graph.add((result, RDF.type, SH.ValidationResult))
        graph.add((result, SH.focusNode, URIRef(found.node)))
    return Report(list(findings), [Checked("rule", {"en": "rule", "de": "Regel"}, 3)], [DOCUMENT],
                  [Problem("c.ttl", "line 1", AWKWARD)], ["a.ttl"], graph)  # fmt: skip


FOUND = report(
    finding(), finding("warning", message={"en": AWKWARD, "de": AWKWARD}),
    finding("info", **OF_TEXT, words=[Words("Two", 0, 3)]),
    finding(**OF_TEXT, words=[Words("Two", 0, 3), Words("Two", 0, 3)]),
)  # fmt: skip


def told(of: Report, form: str, language: str = "en") -> str:
    return "\n".join(written(of, form, language))


def test_a_hint_alone_is_no_fault() -> None:
    assert report(finding("info")).conforms
    assert not report(finding("warning")).conforms
    assert not FOUND.conforms


def test_json() -> None:
    found = json.loads(told(FOUND, "json"))
    assert [f["severity"] for f in found["findings"]] == ["violation", "warning", "info", "violation"]
    assert found["findings"][1]["message"]["en"] == AWKWARD
    assert found["errors"] == [{"source": "c.ttl", "place": "line 1", "problem": AWKWARD}]
    assert found["documents"] == [{"source": "urn:d", "file": "b.txt", "statements": 2, "findings": 2}]
    counts = {"files": 1, "documents": 1, "statements": 2, "nodes": 3, "findings": 4, "violation": 2, "warning": 1}
    assert found["summary"] == {**counts, "info": 1, "errors": 1}


@pytest.mark.parametrize(("of", "conforms"), [(FOUND, False), (report(finding("info")), False), (report(), True)])
def test_a_shacl_report_conforms_without_any_result(of: Report, conforms: bool) -> None:
    """SHACL §3.6.1.1."""
    graph = Graph().parse(data=told(of, "shacl"), format="turtle")
    (whole,) = graph.subjects(RDF.type, SH.ValidationReport)
    assert graph.value(whole, SH.conforms) == Literal(conforms)
    assert len(list(graph.objects(whole, SH.result))) == len(of.findings)


def test_junit_has_a_case_for_each_statement_and_file() -> None:
    suite = ElementTree.fromstring(told(FOUND, "junit").encode())
    cases = {(c.get("classname"), c.get("name")): c for c in suite}
    assert set(cases) == {
        ("a.ttl", "a.ttl"), ("b.txt", "Document"), ("b.txt", "Statement 1"), ("b.txt", "Statement 2 (RB-1)"),
        ("rulewright", "c.ttl"),
    }  # fmt: skip
    failures = {name: len(case.findall("failure")) for name, case in cases.items()}
    assert {name: n for name, n in failures.items() if n} == {("a.ttl", "a.ttl"): 2, ("b.txt", "Statement 2 (RB-1)"): 1}
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "2", "1")
    assert len(list(suite.iter("system-out"))) == 1, "a hint is no failure"


def test_junit_of_nothing_has_a_case() -> None:
    suite = ElementTree.fromstring(told(Report(), "junit").encode())
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ["a.ttl", "  rw:Thing", "    ✗ it is wrong", "      → mend it", "  Statement 2 · RB-1 · line 7",
                "    · it is wrong", "      “Two”", "    ✗ it is wrong (2 times)", "Checked: 3 × rule."]),
        ("de", ["  Aussage 2 · RB-1 · Zeile 7", "    ✗ es ist falsch (2 Mal)", "      „Two“", "      → behebe es",
                "Geprüft: 3 × Regel."]),
    ],
)  # fmt: skip
def test_text(language: str, lines: list[str]) -> None:
    found = told(FOUND, "text", language).splitlines()
    assert set(lines) <= set(found)
    assert not any("\x1b" in line for line in found)


def test_text_says_how_much_there_is_to_mend() -> None:
    assert told(FOUND, "text").endswith("violations: 2, warnings: 1, hints: 1.")
    assert told(report(), "text").endswith("documents: 1, statements: 2, nodes: 3 – nothing to mend.")
    assert told(Report(), "text", "de") == "Nichts wurde geprüft."
