"""Reports in their formats: text for people, JSON, a SHACL validation report, EARL, JUnit XML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree import ElementTree

from rulewright.axioms import Knowledge
from rulewright.explain.report import Json, Outcome, Summary, verdicts_of
from rulewright.explain.words import Words
from rulewright.terms.phrases import load_phrases
from rulewright.vocabulary import GAME, Iri, load_schema, local_name

MARKS = {"violates": "✗", "undetermined": "?", "conforms": "✓"}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold (§2.2)."""
_WORDS = {
    "en": {
        "facts": "because", "missing": "not recorded", "holds": "holds", "differs": "DIFFERS", "warning": "note",
        "summary": "{records} checked: {conform} conform, {violate} violate, "
                   "{undetermined} undetermined in part, {errors} errors",
    },
    "de": {
        "facts": "denn", "missing": "nicht vermerkt", "holds": "hält", "differs": "WEICHT AB", "warning": "Hinweis",
        "summary": "{records} geprüft: {conform} regelgerecht, {violate} regelwidrig, "
                   "{undetermined} teils ungeklärt, {errors} Fehler",
    },
}  # fmt: skip


def text(
    outcomes: Iterable[Outcome], summary: Summary, language: str, style: bool, knowledge: Knowledge | None = None
) -> Iterator[str]:
    """Lines for a person. `style`: whether the terminal shows colours; `knowledge`: what things are called."""
    words, names = _WORDS[language], Words(knowledge or Knowledge(), language)
    for outcome in outcomes:
        summary.add(outcome)
        if outcome.entry is None:
            continue
        entry = outcome.entry
        if outcome.differences is not None:
            yield f"{words['differs'] if outcome.differences else words['holds']}  {entry['source']}"
            yield from (f"    {d}" for d in outcome.differences)
            continue
        shown = verdicts_of(entry)
        for warning in entry["warnings"]:
            yield f"{words['warning']}: {entry['source']}: {warning}"
        if shown:
            yield _bold(f"{entry['id']}  ({entry['source']})", style)
        for verdict in shown:
            yield from _verdict_text(verdict, words, names, style)
    yield words["summary"].format(**summary.counts)


def _verdict_text(verdict: Json, words: dict[str, str], names: Words, style: bool) -> Iterator[str]:
    mark = MARKS[verdict["verdict"]]
    if style:
        mark = {"✗": "\x1b[31m✗\x1b[0m", "?": "\x1b[33m?\x1b[0m", "✓": "\x1b[32m✓\x1b[0m"}[mark]
    cited = " · ".join(names.citation(a) for a in verdict["authority"])
    yield f"  {mark} #{str(verdict['focus']).rpartition('#')[2]}  {verdict['message'][names.language]}"
    if cited:
        yield f"      {cited}"
    if verdict.get("facts"):
        told = dict.fromkeys(_fact_text(f, names) for f in verdict["facts"])
        yield f"      {words['facts']}: " + "; ".join(told)


def _fact_text(fact: Json, names: Words) -> str:
    label, value = fact_told(fact, names)
    return f"{label} = {value} (#{str(fact['event']).rpartition('#')[2]})"


def fact_told(fact: Json, names: Words) -> tuple[str, str]:
    """What a fact is called, and its value, in words."""
    language = names.language
    label = load_phrases(labels=True).get(GAME + fact["property"], language, "label") or fact["property"]
    value = fact["value"]
    if isinstance(value, bool):
        value = {"en": ("no", "yes"), "de": ("nein", "ja")}[language][value]
    elif value is None or value == []:
        value = {"en": "none", "de": "nichts"}[language]
    elif isinstance(value, str) and (word := _word(value)) is not None:
        value = load_phrases(labels=True).get(word, language, "label") or value
    elif fact["property"] == "abilityLabel":
        value = names.word(str(value)) or value
    elif isinstance(value, str) and ":" in value:
        value = "#" + value.rpartition("#")[2] if "#" in value else _local(value, names)
    elif isinstance(value, list):
        value = ", ".join(_local(str(v), names) for v in value)
    return label, str(value)


def _local(iri: str, names: Words) -> str:
    """A keyword by its name, anything else by the end of its IRI."""
    keyword = names.knowledge.keywords.get(Iri(iri))
    return keyword.label.in_language(names.language) if keyword else local_name(iri)


def _word(value: str) -> str | None:
    """The zone or step that a word of the record means."""
    words = load_schema().words
    return words["Zone"].get(value) or words["TurnStep"].get(value)


def _bold(line: str, style: bool) -> str:
    return f"\x1b[1m{line}\x1b[0m" if style else line


def as_json(outcomes: Iterable[Outcome], summary: Summary) -> Iterator[str]:
    """The JSON report, a record at a time, so that memory stays flat."""
    errors: list[Json] = []
    yield '{"records": ['
    first = True
    for outcome in outcomes:
        summary.add(outcome)
        errors += outcome.errors
        if outcome.entry is not None:
            entry = dict(outcome.entry)
            if outcome.differences is not None:
                entry["differences"] = outcome.differences
            yield ("" if first else ",") + json.dumps(entry, ensure_ascii=False)
            first = False
    yield f'], "errors": {json.dumps(errors, ensure_ascii=False)},'
    yield f' "summary": {json.dumps(summary.counts)}}}'


def shacl(outcomes: Iterable[Outcome], summary: Summary) -> Iterator[str]:
    """A SHACL validation report in Turtle (SHACL §3.6): a result for each violation, and EARL for all verdicts."""
    yield "@prefix sh: <http://www.w3.org/ns/shacl#> ."
    yield "@prefix earl: <http://www.w3.org/ns/earl#> ."
    yield "@prefix rw: <https://w3id.org/rulewright/core#> ."
    yield "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
    results = 0
    for outcome in outcomes:
        summary.add(outcome)
        for verdict in verdicts_of(outcome.entry) if outcome.entry is not None else []:
            earl = {"violates": "failed", "undetermined": "cantTell", "conforms": "passed"}[verdict["verdict"]]
            cites = "".join(f" ;\n    rw:authority <{a['id']}>" for a in verdict["authority"])
            told = " , ".join(f"{json.dumps(m, ensure_ascii=False)}@{lang}" for lang, m in verdict["message"].items())
            yield (f"[] a earl:Assertion ; earl:subject <{verdict['focus']}> ; earl:test <{verdict['axiom']}> ;\n"
                   f"    earl:result [ a earl:TestResult ; earl:outcome earl:{earl} ]{cites} .")
            if verdict["verdict"] == "violates":
                results += 1
                yield (f"_:report sh:result [ a sh:ValidationResult ; sh:focusNode <{verdict['focus']}> ;\n"
                       "    sh:resultSeverity sh:Violation ;\n"
                       "    sh:sourceConstraintComponent sh:SPARQLConstraintComponent ;\n"
                       f"    sh:sourceShape <{verdict['axiom']}> ; sh:resultMessage {told} ] .")
    yield f"_:report a sh:ValidationReport ; sh:conforms {'false' if results else 'true'} ."


def junit(outcomes: Iterable[Outcome], summary: Summary, language: str) -> Iterator[str]:
    """JUnit XML: a test case for each record, a failure for each violation, an error for each that cannot be read."""
    suite = ElementTree.Element("testsuite", name="rulewright")
    failures = 0
    for outcome in outcomes:
        summary.add(outcome)
        for problem in outcome.errors:
            case = ElementTree.SubElement(suite, "testcase", name=_xml(problem["source"]), classname="rulewright")
            error = ElementTree.SubElement(case, "error", message=_xml(f"{problem['place']}: {problem['problem']}"))
            error.text = _xml(problem["problem"])
        if outcome.entry is None:
            continue
        entry = outcome.entry
        case = ElementTree.SubElement(suite, "testcase", name=_xml(entry["id"]), classname=_xml(entry["source"]))
        if outcome.differences is not None:
            told = [(d, "differs") for d in outcome.differences]
        else:
            told = [(f"#{v['focus'].rpartition('#')[2]}: {v['message'][language]}", v["axiom"])
                    for v in verdicts_of(outcome.entry) if v["verdict"] == "violates"]  # fmt: skip
        failures += bool(told)
        for line, kind in told:
            ElementTree.SubElement(case, "failure", message=_xml(line), type=kind).text = _xml(line)
    suite.set("tests", str(summary.counts["records"] + summary.counts["errors"]))
    suite.set("failures", str(failures))
    suite.set("errors", str(summary.counts["errors"]))
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield ElementTree.tostring(suite, encoding="unicode")


def _xml(value: Any) -> str:
    return _NO_XML.sub("", str(value))


