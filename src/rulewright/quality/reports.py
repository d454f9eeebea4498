"""Reports of a validation: text that a person can work through, JSON, a SHACL validation report, JUnit XML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.etree import ElementTree

import rdflib

from rulewright.quality.mentions import NIF
from rulewright.quality.validation import Finding, Report, short
from rulewright.store.dataset import PREFIXES

_MARKS = {"violation": "✗", "warning": "!", "info": "·"}
_COLOURS = {"violation": "31", "warning": "33", "info": "36"}
_WORDS = {
    "en": {
        "document": "Document", "statement": "Statement {}", "line": "line {}", "times": "{} times",
        "checked": "Checked: {}.", "of texts": "documents: {documents}, statements: {statements}",
        "of data": "nodes: {nodes}", "blank": "a node without name",
        "fine": "{} – nothing to mend.", "none": "Nothing was validated.",
        "found": "{} – violations: {violation}, warnings: {warning}, hints: {info}.",
    },
    "de": {
        "document": "Dokument", "statement": "Aussage {}", "line": "Zeile {}", "times": "{} Mal",
        "checked": "Geprüft: {}.", "of texts": "Dokumente: {documents}, Aussagen: {statements}",
        "of data": "Knoten: {nodes}", "blank": "ein Knoten ohne Namen",
        "fine": "{} – nichts zu beheben.", "none": "Nichts wurde geprüft.",
        "found": "{} – Verstöße: {violation}, Warnungen: {warning}, Hinweise: {info}.",
    },
}  # fmt: skip
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold (§2.2)."""


def text(report: Report, language: str, style: bool = False) -> Iterator[str]:
    """Lines for a person, by file and then by statement or node. `style`: whether the terminal shows colours."""
    words = _WORDS[language]
    for file, in_file in groupby(report.findings, key=lambda f: f.file):
        yield f"\x1b[1m{file}\x1b[0m" if style else file
        for head, found in groupby(in_file, key=lambda f: _head(f, words)):
            yield f"  {head}"
            for finding in found:
                yield from _told(finding, words, language, style)
        yield ""
    if report.checked:
        told = ", ".join(f"{c.nodes} × {c.label[language]}" for c in report.checked)
        yield words["checked"].format(told)
    yield _summary(report, words)


def _head(finding: Finding, words: dict[str, str]) -> str:
    if finding.statement is not None:
        parts = [words["statement"].format(finding.statement)]
        parts += [finding.id] if finding.id else []
        parts += [words["line"].format(finding.line)] if finding.line else []
        return " · ".join(parts)
    return words["document"] if finding.words else _named(finding.node, words["blank"])


def _named(node: str, blank: str) -> str:
    """A node as a person reads it."""
    return short(node) if ":" in node else blank


def _told(finding: Finding, words: dict[str, str], language: str, style: bool) -> Iterator[str]:
    mark = _MARKS[finding.severity]
    if style:
        mark = f"\x1b[{_COLOURS[finding.severity]}m{mark}\x1b[0m"
    more = f" ({words['times'].format(len(finding.words))})" if len(finding.words) > 1 else ""
    yield f"    {mark} {finding.message[language]}{more}"
    if finding.words and finding.words[0].text not in finding.message[language]:
        yield f"      “{finding.words[0].text}”" if language == "en" else f"      „{finding.words[0].text}“"
    if finding.path and finding.value is not None:
        yield f"      {finding.path} {finding.value}"
    if finding.mend:
        yield f"      → {finding.mend[language]}"


def _summary(report: Report, words: dict[str, str]) -> str:
    counts = report.summary
    parts = [words["of texts"].format(**counts)] if counts["documents"] else []
    parts += [words["of data"].format(**counts)] if counts["nodes"] else []
    what = ", ".join(parts)
    if not what:
        return words["none"]
    return words["found" if report.findings else "fine"].format(what, **counts)


def as_json(report: Report) -> str:
    """The report as JSON; keys are always there, `null` where they say nothing."""
    told = {
        "conforms": report.conforms,
        "findings": [f.as_json() for f in report.findings],
        "checked": [c.as_json() for c in report.checked],
        "documents": [
            {"source": d.node, "file": d.file, "statements": len(d.statements),
             "findings": sum(f.file == d.file for f in report.findings)}
            for d in report.documents
        ],
        "errors": [{"source": e.source, "place": e.place, "problem": e.problem} for e in report.errors],
        "summary": report.summary,
    }  # fmt: skip
    return json.dumps(told, ensure_ascii=False, indent=2)


def shacl(report: Report) -> str:
    """A SHACL validation report in Turtle; by SHACL it conforms only if it has no result, not even a hint."""
    graph = rdflib.Graph()
    for prefix, space in {**PREFIXES, "nif": NIF}.items():
        graph.bind(prefix, space)
    graph += report.shacl
    node = rdflib.BNode()
    graph.add((node, rdflib.RDF.type, rdflib.SH.ValidationReport))
    results = list(report.shacl.subjects(rdflib.RDF.type, rdflib.SH.ValidationResult))
    graph.add((node, rdflib.SH.conforms, rdflib.Literal(not results)))
    for result in results:
        graph.add((node, rdflib.SH.result, result))
    return graph.serialize(format="turtle")


def junit(report: Report, language: str) -> str:
    """JUnit XML: a test case for each statement and file of data; a hint is no failure."""
    suite = ElementTree.Element("testsuite", name="rulewright validate")
    words = _WORDS[language]
    cases: dict[tuple[str, str], list[Finding]] = {(file, file): [] for file in report.files}
    for document in report.documents:
        cases[document.file, words["document"]] = []
        for statement in document.statements:
            name = words["statement"].format(statement.number) + (f" ({statement.id})" if statement.id else "")
            cases[document.file, name] = []
    for finding in report.findings:
        if finding.statement is not None:
            name = words["statement"].format(finding.statement) + (f" ({finding.id})" if finding.id else "")
        else:
            name = words["document"] if (finding.file, words["document"]) in cases else finding.file
        cases.setdefault((finding.file, name), []).append(finding)
    if not cases and not report.errors:
        cases["rulewright", "rulewright"] = []
    failures = 0
    for (file, name), findings in cases.items():
        case = ElementTree.SubElement(suite, "testcase", name=_xml(name), classname=_xml(file))
        told = [f for f in findings if f.severity != "info"]
        failures += bool(told)
        for finding in told:
            of_data = finding.statement is None and not finding.words
            line = f"{_named(finding.node, words['blank'])}: " if of_data else ""
            failure = ElementTree.SubElement(case, "failure", type=finding.shape)
            failure.set("message", _xml(line + finding.message[language]))
            failure.text = _xml("\n".join(_told(finding, words, language, style=False)))
        if hints := [f.message[language] for f in findings if f.severity == "info"]:
            ElementTree.SubElement(case, "system-out").text = _xml("\n".join(hints))
    for problem in report.errors:
        case = ElementTree.SubElement(suite, "testcase", name=_xml(problem.source), classname="rulewright")
        ElementTree.SubElement(case, "error", message=_xml(str(problem))).text = _xml(problem.problem)
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(failures))
    suite.set("errors", str(len(report.errors)))
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suite, encoding="unicode")


def _xml(told: str) -> str:
    return _NO_XML.sub("\ufffd", told)


def written(report: Report, form: str, language: str, style: bool = False) -> Iterable[str]:
    """The report in a format: `text`, `json`, `shacl` or `junit`."""
    if form == "text":
        return text(report, language, style)
    return [as_json(report) if form == "json" else shacl(report) if form == "shacl" else junit(report, language)]
