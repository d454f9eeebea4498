"""Reports in their formats: text for people, JSON, a SHACL validation report with EARL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from rulewright.axioms import Knowledge
from rulewright.explain.report import Json, Outcome, Summary, verdicts_of, where
from rulewright.explain.words import Words
from rulewright.terms.phrases import load_phrases
from rulewright.vocabulary import GAME, Iri, load_schema, local_name

MARKS = {"violates": "✗", "undetermined": "?", "conforms": "✓"}
_MANY = 3
"""Events that are named of one thing."""
_WORDS = {
    "en": {
        "facts": "because", "missing": "not recorded", "holds": "holds", "differs": "DIFFERS", "warning": "note",
        "unchecked": "unchecked", "keyword": "keyword", "label": "label", "kind": "kind", "event type": "event type",
        "event": "unknown event type", "add": "to be added", "assumed": "assumed",
        "effects": "no effects but those listed",
        "text": "no text of the card that bears on it", "keywords": "no keywords where none are listed",
        "records": "nothing happened but what is recorded",
        "summary": "{records} checked: {conform} conform, {violate} violate, "
                   "{undetermined} undetermined in part, {unchecked} unchecked in part, {errors} errors",
    },
    "de": {
        "facts": "denn", "missing": "nicht vermerkt", "holds": "hält", "differs": "WEICHT AB", "warning": "Hinweis",
        "unchecked": "ungeprüft", "keyword": "Schlüsselwort", "label": "Bezeichnung", "kind": "Art",
        "event type": "Ereignisart", "event": "unbekannte Ereignisart", "add": "zu ergänzen",
        "assumed": "angenommen",
        "effects": "keine Effekte außer den aufgeführten", "text": "kein Kartentext, der etwas daran ändert",
        "keywords": "keine Schlüsselwörter, wo keine aufgeführt sind",
        "records": "nichts geschah, was nicht vermerkt ist",
        "summary": "{records} geprüft: {conform} regelgerecht, {violate} regelwidrig, "
                   "{undetermined} teils ungeklärt, {unchecked} teils ungeprüft, {errors} Fehler",
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
            yield from _verdict_text(verdict, names, style, outcome.places)
        if outcome.unchecked:
            yield f"{words['unchecked']}: {entry['source']}: {unchecked_told(outcome, language)}"
    yield words["summary"].format(**summary.counts)


def _verdict_text(verdict: Json, names: Words, style: bool, places: dict[str, str]) -> Iterator[str]:
    mark = MARKS[verdict["verdict"]]
    if style:
        mark = {"✗": "\x1b[31m✗\x1b[0m", "?": "\x1b[33m?\x1b[0m", "✓": "\x1b[32m✓\x1b[0m"}[mark]
    yield f"  {mark} #{str(verdict['focus']).rpartition('#')[2]}  {verdict['message'][names.language]}"
    yield from (f"      {line}" for line in grounds(verdict, names, places))


def grounds(verdict: Json, names: Words, places: dict[str, str]) -> Iterator[str]:
    """On what a verdict rests, a line each: rules and rulings, facts, and what is to be added to settle it."""
    words = _WORDS[names.language]
    if verdict["authority"]:
        yield " · ".join(names.citation(a) for a in verdict["authority"])
    if verdict.get("facts"):
        told = dict.fromkeys(_fact_text(f, names) for f in verdict["facts"])
        yield f"{words['facts']}: " + "; ".join(told)
    if verdict.get("missing"):
        yield f"{words['add']}: " + "; ".join(where(gap, places) for gap in verdict["missing"])
    if assumptions := assumed_told(verdict, names.language):
        yield assumptions


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
    elif value is None or value in ([], {}):
        value = {"en": "none", "de": "nichts"}[language]
    elif isinstance(value, str) and (word := _word(value)) is not None:
        value = load_phrases(labels=True).get(word, language, "label") or value
    elif fact["property"] == "abilityLabel":
        value = names.word(str(value)) or value
    elif isinstance(value, str) and ":" in value:
        value = names.resource(Iri(value)) or ("#" + value.rpartition("#")[2] if "#" in value else local_name(value))
    elif isinstance(value, list):
        value = ", ".join(_local(v, names) if ":" in (v := str(member)) else v for member in value)
    elif isinstance(value, dict):
        value = ", ".join(f"{names.word(kind) or kind}: {n}" for kind, n in value.items())
    return label, str(value)


def _local(iri: str, names: Words) -> str:
    """A keyword or a word of records by its name, anything else by the end of its IRI."""
    return names.resource(Iri(iri)) or local_name(iri)


def _word(value: str) -> str | None:
    """The zone or step that a word of the record means."""
    words = load_schema().words
    return words["Zone"].get(value) or words["TurnStep"].get(value)


def assumed_told(verdict: Json, language: str) -> str | None:
    """What a verdict rests on that the record leaves out."""
    if "assumed" not in verdict:
        return None
    words = _WORDS[language]
    return f"{words['assumed']}: " + "; ".join(words[kind] for kind in verdict["assumed"])


def _untested(gap: Json, record: str) -> str:
    """An EARL assertion on what was not judged, of its events or else of the record."""
    titles = {lang: f"{words[gap['what']]} {gap['word']}" for lang, words in _WORDS.items()}
    told = " , ".join(f"{json.dumps(title, ensure_ascii=False)}@{lang}" for lang, title in titles.items())
    about = " , ".join(f"<{iri}>" for iri in gap["events"] or [record])
    return (f"[] a earl:Assertion ; earl:subject {about} ; earl:test [ a earl:TestRequirement ; dct:title {told} ] ;\n"
            "    earl:result [ a earl:TestResult ; earl:outcome earl:untested ] .")


def unchecked_told(outcome: Outcome, language: str) -> str:
    """What a record names and nothing judged, in one line; of many events the first."""
    told = []
    for one in outcome.unchecked:
        events = [f"#{event.rpartition('#')[2]}" for event in one["events"]]
        shown = [*events[:_MANY], "…"] if len(events) > _MANY else events
        told.append(f"{_WORDS[language][one['what']]} {one['word']}" + (f" ({', '.join(shown)})" if shown else ""))
    return ", ".join(told)


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
    """A SHACL validation report in Turtle (SHACL §3.6): a result for each violation, and EARL for all verdicts.

    What nothing judged is an assertion whose outcome is `earl:untested`.
    """
    yield "@prefix dct: <http://purl.org/dc/terms/> ."
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
        yield from (_untested(gap, outcome.entry["id"]) for gap in outcome.unchecked if outcome.entry is not None)
    yield f"_:report a sh:ValidationReport ; sh:conforms {'false' if results else 'true'} ."
