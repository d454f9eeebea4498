"""Reports in every format: read back by a library, they hold what they should."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rdflib import DCTERMS, RDF, Graph, Literal, Namespace, URIRef

from rulewright.explain import Outcome, Summary
from rulewright.explain.formats import as_json, shacl, text
from rulewright.vocabulary import CORE

SH, EARL = Namespace("http://www.w3.org/ns/shacl#"), Namespace("http://www.w3.org/ns/earl#")
AWKWARD = 'says "no" \\ <&> „ja“ – 雷\nand\ttabs \x01 \x7f \uffff {x} ]]>'
"""What a name in a record may have in it."""


def verdict(kind: str, focus: str = "urn:g#e1", said: str = "it is so", **more: Any) -> dict[str, Any]:
    return {
        "axiom": "urn:x#a", "verdict": kind, "focus": focus, "message": {"en": said, "de": f"de: {said}"},
        "authority": [{"id": "urn:rule", "label": "CR 1.1"}], "facts": [], **more,
    }  # fmt: skip


def entry(name: str, *verdicts: dict[str, Any], **more: Any) -> dict[str, Any]:
    conforms = not any(v["verdict"] == "violates" for v in verdicts)
    return {"id": f"urn:{name}", "source": f"{name}.json", "conforms": conforms, "verdicts": list(verdicts),
            "unchecked": [], "warnings": [], **more}  # fmt: skip


ERROR = {"source": "b.json", "place": "events[1].to", "problem": AWKWARD}
GAPS = [
    {"what": "keyword", "word": "storm", "events": []},
    {"what": "event", "word": AWKWARD, "events": [f"urn:g#e{n}" for n in range(1, 6)]},
]
OUTCOMES = [
    Outcome(entry("a", verdict("violates", said=AWKWARD), verdict("undetermined", "urn:g#e2"))),
    Outcome(errors=[ERROR]),
    Outcome(entry("c", verdict("conforms"), unchecked=GAPS)),
    Outcome(entry("d", verdict("violates"), verdict("violates", "urn:g#e3"))),
]
COUNTS = {"records": 3, "conform": 1, "violate": 2, "undetermined": 1, "unchecked": 1, "errors": 1}


def test_json() -> None:
    summary = Summary()
    told = json.loads("\n".join(as_json(OUTCOMES, summary)))
    assert list(told) == ["records", "errors", "summary"]
    assert told["records"] == [o.entry for o in OUTCOMES if o.entry is not None]
    assert (told["errors"], told["summary"]) == ([ERROR], COUNTS)
    assert summary.counts == COUNTS


def test_json_of_scenarios_says_how_they_differ() -> None:
    told = json.loads("".join(as_json([Outcome(entry("a"), differences=["x"]), Outcome(entry("b"))], Summary())))
    assert [r.get("differences") for r in told["records"]] == [["x"], None]


def test_json_of_nothing() -> None:
    assert json.loads("".join(as_json([], Summary())))["records"] == []


def test_json_is_written_a_record_at_a_time() -> None:
    taken = []

    def stream() -> Any:
        for n, item in enumerate(OUTCOMES):
            taken.append(n)
            yield item

    lines = as_json(stream(), Summary())
    next(lines)
    next(lines)
    assert taken == [0]


def report(outcomes: list[Outcome]) -> Graph:
    return Graph().parse(data="\n".join(shacl(outcomes, Summary())), format="turtle")


def test_a_shacl_report_has_a_result_for_each_violation() -> None:
    graph = report(OUTCOMES)
    (whole,) = graph.subjects(RDF.type, SH.ValidationReport)
    assert graph.value(whole, SH.conforms) == Literal(False)
    results = list(graph.objects(whole, SH.result))
    assert {graph.value(r, SH.focusNode) for r in results} == {URIRef("urn:g#e1"), URIRef("urn:g#e3")}
    assert len(results) == 3
    for result in results:
        assert graph.value(result, RDF.type) == SH.ValidationResult
        assert graph.value(result, SH.resultSeverity) == SH.Violation
        assert graph.value(result, SH.sourceShape) == URIRef("urn:x#a")
        assert graph.value(result, SH.sourceConstraintComponent) is not None
    messages = set(graph.objects(None, SH.resultMessage))
    assert {Literal(AWKWARD, "en"), Literal(f"de: {AWKWARD}", "de")} <= messages


def test_every_verdict_is_an_earl_assertion() -> None:
    graph = report(OUTCOMES)
    found = []
    for assertion in graph.subjects(RDF.type, EARL.Assertion):
        result = graph.value(assertion, EARL.result)
        if graph.value(result, EARL.outcome) == EARL.untested:
            continue
        found.append((str(graph.value(assertion, EARL.subject)), graph.value(result, EARL.outcome)))
        assert graph.value(assertion, EARL.test) == URIRef("urn:x#a")
        assert list(graph.objects(assertion, URIRef(CORE + "authority"))) == [URIRef("urn:rule")]
    assert sorted(found) == [
        ("urn:g#e1", EARL.failed), ("urn:g#e1", EARL.failed), ("urn:g#e1", EARL.passed),
        ("urn:g#e2", EARL.cantTell), ("urn:g#e3", EARL.failed),
    ]  # fmt: skip


def test_what_nothing_judged_is_untested() -> None:
    """Of its events, or of the record where it has none."""
    graph = report(OUTCOMES)
    found = set()
    for assertion in graph.subjects(RDF.type, EARL.Assertion):
        if graph.value(graph.value(assertion, EARL.result), EARL.outcome) == EARL.untested:
            titles = graph.objects(graph.value(assertion, EARL.test), DCTERMS.title)
            subjects = {str(subject) for subject in graph.objects(assertion, EARL.subject)}
            found.add((frozenset(titles), frozenset(subjects)))
    storm = {Literal("keyword storm", "en"), Literal("Schlüsselwort storm", "de")}
    dropped = {Literal(f"unknown event type {AWKWARD}", "en"), Literal(f"unbekannte Ereignisart {AWKWARD}", "de")}
    assert found == {
        (frozenset(storm), frozenset({"urn:c"})),
        (frozenset(dropped), frozenset(f"urn:g#e{n}" for n in range(1, 6))),
    }


@pytest.mark.parametrize("outcomes", [[], [OUTCOMES[2]], [OUTCOMES[1]]], ids=["none", "conforms", "error"])
def test_a_shacl_report_without_result_conforms(outcomes: list[Outcome]) -> None:
    graph = report(outcomes)
    (whole,) = graph.subjects(RDF.type, SH.ValidationReport)
    assert graph.value(whole, SH.conforms) == Literal(True)
    assert list(graph.objects(whole, SH.result)) == []


@pytest.mark.parametrize(
    ("language", "last"),
    [
        ("en", "3 checked: 1 conform, 2 violate, 1 undetermined in part, 1 unchecked in part, 1 errors"),
        ("de", "3 geprüft: 1 regelgerecht, 2 regelwidrig, 1 teils ungeklärt, 1 teils ungeprüft, 1 Fehler"),
    ],
)
def test_text_is_in_one_language(language: str, last: str) -> None:
    lines = list(text(OUTCOMES, Summary(), language, style=False))
    assert lines[-1] == last
    assert lines[0] == "urn:a  (a.json)"
    told = ("unchecked: c.json: keyword storm, unknown", "ungeprüft: c.json: Schlüsselwort storm, unbekannte")
    (line,) = [line for line in lines if line.startswith(told)]
    assert line.endswith("(#e1, #e2, #e3, …)")
    assert [line.split()[0] for line in lines[1:-1] if line.startswith("  ") and line[2] != " "] == list("✗?✓✗✗")
    assert any("de: it is so" in line for line in lines) is (language == "de")


def test_what_is_to_be_added_is_told_with_its_place() -> None:
    missing = [
        {"node": "urn:a#c", "property": "keywords"}, {"node": "urn:a", "property": "records", "value": "Trigger"},
        {"node": "urn:a", "property": "effects"}, {"node": "urn:a#x", "property": "from"},
    ]  # fmt: skip
    places = {"urn:a#c": "cards[2]", "urn:a": ""}
    outcomes = [Outcome(entry("a", verdict("undetermined", missing=missing)), places=places)]
    wanted = 'cards[2].keywords; "records": ["Trigger"]; effects; #x.from'
    assert f"      to be added: {wanted}" in list(text(outcomes, Summary(), "en", style=False))
    assert f"      zu ergänzen: {wanted}" in list(text(outcomes, Summary(), "de", style=False))


def test_what_is_assumed_is_told() -> None:
    outcomes = [Outcome(entry("a", verdict("violates", assumed=["effects", "records"])))]
    assert list(text(outcomes, Summary(), "en", style=False))[-2] == (
        "      assumed: no effects but those listed; nothing happened but what is recorded"
    )
    assert "      angenommen: keine Effekte" in "\n".join(text(outcomes, Summary(), "de", style=False))


def test_text_of_scenarios() -> None:
    outcomes = [Outcome(entry("a"), differences=[]), Outcome(entry("b"), differences=["one", "two"])]
    assert list(text(outcomes, Summary(), "en", style=False))[:-1] == [
        "holds  a.json", "DIFFERS  b.json", "    one", "    two",
    ]  # fmt: skip


def test_warnings_are_told_and_colours_only_on_a_terminal() -> None:
    outcomes = [Outcome(entry("a", verdict("violates"), warnings=["x: unknown"]))]
    told = "\n".join(text(outcomes, Summary(), "en", style=False))
    assert told.startswith("note: a.json: x: unknown\n")
    assert "\x1b" not in told
    assert "\x1b[31m✗" in "\n".join(text(outcomes, Summary(), "en", style=True))


@pytest.mark.parametrize(
    ("name", "value", "english", "german"),
    [
        ("resolved", True, "resolved = yes", "verrechnet = ja"),
        ("to", "graveyard", "to = graveyard", "nach = Friedhof"),
        ("to", None, "to = none", "nach = nichts"),
        ("targets", [], "targets = none", "Ziele = nichts"),
        ("player", "urn:g#ana", " = #ana", " = #ana"),
        ("targets", ["urn:g#ana", "urn:g#ben"], "targets = ana, ben", "Ziele = ana, ben"),
        ("x", 0, " = 0", " = 0"),
    ],
)
def test_a_fact_in_words(name: str, value: object, english: str, german: str) -> None:
    of = verdict("violates", facts=[{"event": "urn:g#e1", "property": name, "value": value}])
    for language, wanted in (("en", english), ("de", german)):
        (line,) = [t for t in text([Outcome(entry("a", of))], Summary(), language, False) if t.startswith("      ")][1:]
        assert f"{wanted} (#e1)" in line
