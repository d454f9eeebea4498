"""What shapes judge in a text: forms of terms, rule numbers, remarks, words run together."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from rulewright.quality.mentions import (
    DCTERMS,
    ITSRDF,
    NIF,
    ONTOLEX,
    SKOSXL,
    Document,
    Statement,
    Terms,
    marked,
)
from rulewright.vocabulary import CORE, RDF, RULE, SKOS, Iri, load_rule_numbers

REBOUND = Iri(RULE + "rebound-a")
NODE = "urn:s:1"


def triple(subject: str, predicate: str, value: str | ox.Literal) -> ox.Triple:
    of = ox.NamedNode(value) if isinstance(value, str) else value
    return ox.Triple(ox.NamedNode(subject), ox.NamedNode(predicate), of)


def label(iri: str, kind: str, text: str, language: str, *forms: str) -> list[ox.Triple]:
    """A label of the one concept, with its inflected forms."""
    found = [
        triple("urn:concept", SKOSXL + kind, iri),
        triple(iri, SKOSXL + "literalForm", ox.Literal(text, language=language)),
    ]
    for number, form in enumerate(forms):
        found.append(triple(iri, ONTOLEX + "otherForm", f"{iri}/{number}"))
        found.append(triple(f"{iri}/{number}", ONTOLEX + "writtenRep", ox.Literal(form, language=language)))
    return found


def card(name: str) -> list[ox.Triple]:
    iri = f"urn:card:{name.replace(' ', '-')}"
    return [triple(iri, RDF + "type", CORE + "Card"), triple(iri, SKOS + "prefLabel", ox.Literal(name, language="en"))]


TERMS = Terms([
    *label("urn:right", "prefLabel", "Manabetrag", "de"),
    *label("urn:wrong", "hiddenLabel", "umgewandelte Manakosten", "de", "umgewandelten Manakosten"),
    *card("Last Thoughts"), *card("Umgewandelte Manakosten der Welt"),
    triple(REBOUND, SKOS + "prefLabel", ox.Literal("Rebound, 702.88a", language="en")),
])  # fmt: skip
GERMAN = "Der Spieler darf die Karte aus seinem Friedhof wirken, und danach wird sie ins Exil geschickt. "
ENGLISH = "The player may cast the card from his or her graveyard, and then it is put into exile instead. "


def phrases(text: str, kind: str = "Phrase", **more: object) -> list[tuple[str, int | None]]:
    """The words marked in a statement, and where."""
    document = Document("urn:d", "d.txt", [Statement(NODE, 1, text, **more)])  # type: ignore[arg-type]
    facts = marked([document], TERMS)
    nodes = {t.subject for t in facts if t.predicate.value == RDF + "type" and t.object == ox.NamedNode(NIF + kind)}
    of = {(t.subject, t.predicate.value): t.object for t in facts}
    found = []
    for node in nodes:
        begin = of.get((node, NIF + "beginIndex"))
        words = of[node, NIF + "anchorOf"]
        assert isinstance(words, ox.Literal)
        if isinstance(begin, ox.Literal):
            end = of[node, NIF + "endIndex"]
            assert isinstance(end, ox.Literal)
            # Of 702.88a-c, the second number is where its letter is.
            assert words.value.endswith(text[int(begin.value) : int(end.value)])
        found.append((words.value, int(begin.value) if isinstance(begin, ox.Literal) else None))
    return sorted(found, key=lambda f: (f[1] or 0, f[0]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("umgewandelte Manakosten", ["umgewandelte Manakosten"]),
        ("Umgewandelte Manakosten", ["Umgewandelte Manakosten"]),
        ("mit umgewandelten  Manakosten von 3", ["umgewandelten  Manakosten"]),
        ("umgewandelte\nManakosten", ["umgewandelte\nManakosten"]),
        ("die umgewandelte Manakosten-Regel", ["umgewandelte Manakosten"]),
        ("nichtumgewandelte Manakosten", []),
        ("umgewandelte Manakostens", []),
        ("Vor-umgewandelte Manakosten", []),
        ("Manabetrag", ["Manabetrag"]),
    ],
)
def test_forms_of_labels_as_whole_words(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end, _ in TERMS.mentions(text, "de")] == words


def test_terms_of_another_language_are_none() -> None:
    assert list(TERMS.mentions("umgewandelte Manakosten", "en")) == []
    assert TERMS.is_term("umgewandelten Manakosten")
    assert not TERMS.is_term("Manakosten")


def test_only_labels_that_shapes_judge_are_marked() -> None:
    text = GERMAN + "Der Manabetrag heißt nicht mehr umgewandelte Manakosten."
    assert phrases(text) == [("umgewandelte Manakosten", text.index("umgewandelte"))]


def test_a_name_of_a_card_is_no_mention() -> None:
    assert phrases(GERMAN + "Das tut Umgewandelte Manakosten der Welt.") == []


def test_a_text_in_english_has_no_german_terms() -> None:
    assert phrases(ENGLISH + "This was called umgewandelte Manakosten.") == []


def number_on(day: int) -> str:
    found = load_rule_numbers().number(REBOUND, day)
    assert found is not None
    return found


@pytest.mark.parametrize("day", [20120101, 20250101])
def test_a_rule_number_means_the_rule_that_had_it_on_the_day(day: int) -> None:
    text = f"{ENGLISH}See rule {number_on(day)}."
    document = Document("urn:d", "d.txt", [Statement(NODE, 1, text, day=day)])
    facts = marked([document], TERMS)
    assert [t.object for t in facts if t.predicate.value == ITSRDF + "taIdentRef"] == [ox.NamedNode(REBOUND)]
    today = {(t.subject, t.object) for t in facts if t.predicate.value == DCTERMS + "identifier"}
    assert (ox.NamedNode(REBOUND), ox.Literal(number_on(99991231))) in today


@pytest.mark.parametrize("written", ["x{}", "1{}", "{}x9", "{}ab1", "3.{}", "1/{}"])
def test_digits_that_only_look_like_a_number_are_none(written: str) -> None:
    assert phrases(ENGLISH + written.format(number_on(20250101)), day=20250101) == []


def test_a_text_without_a_day_has_no_numbers_that_can_be_told() -> None:
    assert phrases(ENGLISH + f"See rule {number_on(20250101)}.") == []


def test_several_parts_of_a_rule() -> None:
    number = number_on(20250101)
    text = f"{ENGLISH}See rules {number}-c."
    found = phrases(text, day=20250101)
    assert found == [(number, text.index(number)), (f"{number[:-1]}c", text.index("-c") + 1)]


@pytest.mark.parametrize(
    ("words", "joined"),
    [
        ("Das ist derFriedhof.", ["derFriedhof"]),
        ("Das ist ein McDonald.", []),
        ("Die KarteFriedhof ist die Karte im Friedhof.", ["KarteFriedhof"]),
        ("Die KarteXyzabc liegt da.", []),
        ("Das iPhone liegt da.", []),
    ],
)
def test_words_run_together(words: str, joined: list[str]) -> None:
    assert [w for w, _ in phrases(GERMAN + words, "Word")] == joined


def languages(*texts: str) -> dict[str, str]:
    """Of the document, and of its statements."""
    statements = [Statement(f"urn:s:{n}", n, text) for n, text in enumerate(texts, 1)]
    facts = marked([Document("urn:d", "d.txt", statements)], TERMS)
    return {str(t.subject): t.object.value for t in facts
            if t.predicate.value == DCTERMS + "language" and isinstance(t.object, ox.Literal)}  # fmt: skip


def test_a_document_has_the_language_of_most_of_its_statements() -> None:
    assert languages(GERMAN, GERMAN, ENGLISH) == {
        "<urn:d>": "de", "<urn:s:1>": "de", "<urn:s:2>": "de", "<urn:s:3>": "en",
    }  # fmt: skip


def test_a_document_of_two_languages_has_none() -> None:
    assert languages(GERMAN, ENGLISH) == {"<urn:s:1>": "de", "<urn:s:2>": "en"}


def test_an_empty_document() -> None:
    assert languages() == {}
