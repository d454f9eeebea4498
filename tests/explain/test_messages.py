"""What verdicts say, over all scenarios: whole sentences in both languages, without names of the program in them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rulewright.explain import Run
from rulewright.records import read_structure
from rulewright.terms.phrases import load_phrases
from rulewright.vocabulary import packaged, turtle_files

LANGUAGES = ("en", "de")
_NOT_RECORDED = {"en": "Not recorded: ", "de": "Nicht vermerkt: "}
_ENGLISH = re.compile(r"\b(the|is|are|of|were|that|and|from|which|does|cannot|its)\b", re.IGNORECASE)
_GERMAN = re.compile(r"\b(der|die|das|ist|wird|wurde|nicht|und|eine|einer|kein|keine)\b", re.IGNORECASE)


class Said(NamedTuple):
    place: str
    verdict: str
    text: dict[str, str]
    plain: dict[str, str]
    """Without names and quotations of the record."""


@cache
def messages() -> tuple[Said, ...]:
    run, found = Run(everything=True), []
    for file in sorted(packaged("data", "scenarios").rglob("*.json")):
        stated = json.loads(file.read_text(encoding="utf-8"))
        names = sorted(_names(stated), key=len, reverse=True)
        for outcome in run.outcomes([read_structure(stated, str(file))]):
            assert outcome.entry is not None
            for verdict in outcome.entry["verdicts"]:
                text = verdict["message"]
                place = f"{file.parent.name}/{file.stem} {verdict['focus'].rpartition('#')[2]} {verdict['axiom']}"
                plain = {lang: _plain(said, names) for lang, said in text.items()}
                found.append(Said(place, verdict["verdict"], text, plain))
    return tuple(found)


def _names(stated: Any) -> set[str]:
    """All names in a record, and what it calls by a text of its own."""
    if isinstance(stated, list):
        return set().union(*(_names(v) for v in stated))
    if not isinstance(stated, dict):
        return set()
    own = {v for k, v in stated.items() if k in ("name", "names", "face") and isinstance(v, str)}
    return own.union(*(_names(v) for v in stated.values()))


def _plain(text: str, names: list[str]) -> str:
    for name in names:
        text = text.replace(name, "N")
    return re.sub(r"“[^“”]*”|„[^„“]*“|#[\w/-]+", "N", text)


def _bad(language: str, wrong: re.Pattern[str], plain: bool = True) -> list[str]:
    found = ((m.place, (m.plain if plain else m.text)[language]) for m in messages())
    return [f"{place}: {text}" for place, text in found if wrong.search(text)]


def test_every_verdict_says_something_in_both_languages() -> None:
    assert len(messages()) > 1000
    assert {m.verdict for m in messages()} == {"violates", "undetermined", "conforms"}
    assert all(set(m.text) == set(LANGUAGES) and m.text["en"] != m.text["de"] for m in messages())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "wrong",
    [
        r"[a-z][A-Z]",
        r"[{}\[\]]",
        r"  | [.,;:]|\( | \)",
        r"\(\)|: \.|, \.|; ;",
        r"https?:|urn:|\b(None|True|False|sh|ax|rw|game|kw|cond):\w",
        r"\b([^\W\d]{2,}) \1\b",
    ],
    ids=["camelCase", "braces", "spaces", "empty", "internal", "twice"],
)
def test_no_message_has(language: str, wrong: str) -> None:
    assert not _bad(language, re.compile(wrong))


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_are_sentences(language: str) -> None:
    """A capital letter or a number at the beginning, and a full stop at the end."""
    assert not [m.text[language] for m in messages() if not re.match(r"[A-ZÄÖÜ0-9#“„]", m.text[language])]
    assert not [m.text[language] for m in messages() if not re.search(r"[^.!?]\.$", m.text[language])]


def test_each_language_keeps_to_itself() -> None:
    assert not _bad("de", _ENGLISH)
    assert not _bad("en", _GERMAN)


def test_no_english_word_of_the_phrases_is_in_a_german_message() -> None:
    words = {language: _words_of_phrases(language) for language in LANGUAGES}
    english = words["en"] - words["de"]
    for said in messages():
        # what German has in common with English stands in the German labels too
        wrong = set(re.findall(r"\w+", said.plain["de"].lower())) & english & _only_english()
        assert not wrong, f"{said.place}: {wrong}: {said.text['de']}"


@cache
def _words_of_phrases(language: str) -> set[str]:
    found = {text for (_, _, lang), text in _phrases().items() if lang == language}
    return {w for text in found for w in re.findall(r"[^\W\d_]+", re.sub(r"\{\w+\}", "", text).lower())}


@cache
def _only_english() -> set[str]:
    """Words that no German label or phrase of the package has."""
    german = " ".join(_literals("de")).lower()
    return _words_of_phrases("en") - set(re.findall(r"[^\W\d_]+", german))


def _literals(language: str) -> list[str]:
    import pyoxigraph as ox

    files = [*turtle_files("data", "principles"), *turtle_files("data", "keywords"),
             packaged("data", "terms", "phrases.ttl"), packaged("ontology", "game.ttl")]  # fmt: skip
    triples = (t for file in files for t in ox.parse(path=file, format=ox.RdfFormat.TURTLE))
    return [t.object.value for t in triples if isinstance(t.object, ox.Literal) and t.object.language == language]


@cache
def _phrases() -> dict[tuple[str, str, str], str]:
    import pyoxigraph as ox

    found = {}
    for t in ox.parse(path=packaged("data", "terms", "phrases.ttl"), format=ox.RdfFormat.TURTLE):
        assert isinstance(t.object, ox.Literal)
        assert isinstance(t.subject, ox.NamedNode)
        found[t.subject.value, t.predicate.value, t.object.language or ""] = t.object.value
    return found


def test_phrases_are_there_in_both_languages_with_the_same_slots() -> None:
    for (iri, kind, language), text in _phrases().items():
        other = _phrases().get((iri, kind, "de" if language == "en" else "en"))
        assert other is not None, (iri, kind)
        assert sorted(set(re.findall(r"\{(\w+)\}", text))) == sorted(set(re.findall(r"\{(\w+)\}", other))), iri


def test_german_phrases_have_no_english_function_words() -> None:
    texts = [re.sub(r"\{\w+\}", "", t) for (_, _, lang), t in _phrases().items() if lang == "de"]
    assert not [t for t in texts if _ENGLISH.search(t)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_recorded_is_said_once(language: str) -> None:
    open_ones = [m for m in messages() if m.verdict == "undetermined"]
    assert open_ones
    for said in open_ones:
        _, found, listed = said.plain[language].partition(_NOT_RECORDED[language])
        assert found, f"{said.place}: {said.text[language]}"
        names = re.sub(r" \([^()]*\)", "", listed.removesuffix(".")).split(", ")
        assert len(names) == len(set(names)), f"{said.place}: {said.text[language]}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_violations_say_what_is_wrong(language: str) -> None:
    """Each says more than what happened: a rule, a keyword or what was due."""
    short = [m.text[language] for m in messages() if m.verdict == "violates" and len(m.plain[language].split()) < 8]
    assert not short


@pytest.mark.parametrize(
    ("scenario", "english", "german"),
    [
        ("rebound/cast-from-hand-goes-to-graveyard",
         "Consuming Vapors goes from the stack into the graveyard, but it should have gone into exile — rebound: "
         "exiled instead of put into the graveyard (the spell resolved, it was cast from its controller's own hand "
         "and it is no copy).",
         "Consuming Vapors geht vom Stapel auf den Friedhof, hätte aber ins Exil gehen müssen – Abprall: ins Exil "
         "statt auf den Friedhof (der Zauberspruch wurde verrechnet, er wurde aus der Hand seines Beherrschers "
         "gewirkt und er ist keine Kopie)."),
        ("aftermath/mana-value-of-one-half-in-hand",
         "(mana value: 2 instead of 6).", "(Manabetrag: 2 statt 6)."),
        ("suspend/suspending-under-silence", "forbidden by: Silence", "verboten durch: Silence"),
        ("gift/token-appears-on-the-casters-side", "(recipient: Ana instead of Ben).", "(Empfänger: Ana statt Ben)."),
        ("gift/aura-believed-still-on-the-battlefield", "in the case of Ethereal Armor", "bei Ethereal Armor"),
        ("aftermath/jhoira-suspends-a-split-card-no-trigger",
         "an ability of Boom // Bust should have triggered", "eine Fähigkeit von Boom // Bust ausgelöst werden müssen"),
    ],
)  # fmt: skip
def test_a_message(scenario: str, english: str, german: str) -> None:
    mine = [m.text for m in messages() if m.place.startswith(f"{scenario} ") and m.verdict == "violates"]
    assert any(english in text["en"] and german in text["de"] for text in mine), mine


def test_every_phrase_that_messages_ask_for_is_there() -> None:
    import rulewright.explain.messages as module

    used = re.findall(r'term\("([\w-]+)"\)', Path(str(module.__file__)).read_text(encoding="utf-8"))
    assert used
    for name in used:
        for language in LANGUAGES:
            assert load_phrases().get(f"https://w3id.org/rulewright/term/{name}", language), name
