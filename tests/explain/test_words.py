"""Axioms in words: every part of every axiom reads as a clause."""

from __future__ import annotations

import re

import pytest

from rulewright.axioms import Axiom, Knowledge, ir, packaged_knowledge
from rulewright.explain.words import Words
from rulewright.vocabulary import GAME, Iri, turtle_files

KNOWLEDGE = packaged_knowledge()
AXIOMS = sorted(KNOWLEDGE.axioms.values(), key=lambda a: a.iri)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("axiom", AXIOMS, ids=lambda a: a.iri.removeprefix("https://w3id.org/rulewright/"))
def test_an_axiom_in_words(axiom: Axiom, language: str) -> None:
    lines = Words(KNOWLEDGE, language).axiom(axiom)
    assert any(line.startswith(("then: ", "dann: ", "triggers", "wird ausgelöst")) for line in lines), lines
    for line in lines:
        assert re.match(r"[\w ]+: \S", line), line
        assert not re.search(r"[a-z][A-Z]|  |[{}]|\(\)|https?:|\b(yes|no|ja|nein)$", line), line


@pytest.mark.parametrize("axiom", AXIOMS, ids=lambda a: a.iri.removeprefix("https://w3id.org/rulewright/"))
def test_every_condition_has_words_of_its_own(axiom: Axiom) -> None:
    """None is made from names of properties, save where it only limits the axiom to what is recorded."""
    for condition in (*axiom.scope, *axiom.when, *axiom.unless, *axiom.require):
        assert _worded(condition), condition


def _worded(condition: ir.Condition) -> bool:
    match condition:
        case ir.Named() | ir.Stated():
            return True
        case ir.Not(part=part):
            return _worded(part)
        case ir.All(parts=parts) | ir.AnyOf(parts=parts):
            return all(_worded(p) for p in parts)
        case ir.Some(condition=inside, count="instancesInForceCount"):
            return all(_worded(p) for p in ir.parts(inside) if p.__class__ is not ir.Compare)
        case _:
            return False


def test_one_label_has_one_translation_and_one_negation() -> None:
    """The English words of a condition without a name are its name: it cannot be said in two ways."""
    import pyoxigraph as ox

    found: dict[str, set[tuple[str, ...]]] = {}
    for file in [*turtle_files("data", "principles"), *turtle_files("data", "keywords")]:
        words: dict[object, list[tuple[str, str, str]]] = {}
        for t in ox.parse(path=file, format=ox.RdfFormat.TURTLE):
            if isinstance(t.subject, ox.BlankNode) and isinstance(t.object, ox.Literal) and t.object.language:
                said = (t.predicate.value, t.object.language, t.object.value)
                words.setdefault(t.subject, []).append(said)
        for node in words.values():
            english = [text for kind, lang, text in node if kind.endswith("#label") and lang == "en"]
            others = [text for kind, lang, text in sorted(node) if (kind.endswith("#label"), lang) != (True, "en")]
            found.setdefault(english[0], set()).add(tuple(others))
    assert len(found) > 150
    assert not {label: said for label, said in found.items() if len(said) > 1}


def test_a_subject_is_named_once() -> None:
    english, german = Words(KNOWLEDGE, "en"), Words(KNOWLEDGE, "de")
    assert english.joined(["the spell resolved", "the spell is no copy"]) == "the spell resolved and it is no copy"
    told = english.joined(["the spell resolved", "the spell's cost was paid"])
    assert told == "the spell resolved and the spell's cost was paid"
    told = german.joined(["die Karte ist im Exil", "die Karte hat Aussetzen"])
    assert told == "die Karte ist im Exil und sie hat Aussetzen"
    told = german.joined(["der Stapel ist leer", "die Karte hat Abprall"])
    assert told == "der Stapel ist leer und die Karte hat Abprall"
    told = german.joined(["die Karte, die es ist, geht", "der Zauberspruch verlässt den Stapel"])
    assert told == "die Karte, die es ist, geht; und der Zauberspruch verlässt den Stapel"


def test_a_condition_without_words_is_said_by_its_structure() -> None:
    words = Words(Knowledge(), "en")
    zone = ir.Compare("=", ir.path("from"), Iri(GAME + "hand"))
    assert words.condition(zone) == "from: hand"
    assert words.condition(ir.Not(zone)) == "from: not hand"
    assert words.condition(ir.Compare(">=", ir.path("targetsCount"), 2)) == "targets: at least 2"
    assert words.condition(ir.Compare("=", ir.path("faceDown"), True), False) == "face down: no"
    assert words.condition(ir.Stated(ir.path("during"))) == ""
    assert words.label("someNewThing") == "some new thing"
