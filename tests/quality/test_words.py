"""The list of words is fresh, and has each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.axioms import packaged_knowledge
from rulewright.quality import words
from rulewright.vocabulary import load_schema

DOCUMENT = Path(__file__).parents[2] / words.DOCUMENT


def test_it_is_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert words.main(["--check", "--to", str(DOCUMENT)]) == 0, capsys.readouterr().err


def test_every_word_is_there_in_both_languages_with_its_resource() -> None:
    lines = words.document().splitlines()
    for word in (*load_schema().own_words, *packaged_knowledge().words.values()):
        (line,) = [line for line in lines if line.endswith(f"`{words._name(word.iri)}` |")]
        assert all(label in line for label in word.labels)
    for keyword in packaged_knowledge().keywords.values():
        (line,) = [line for line in lines if line.endswith(f"`{words._name(keyword.iri)}` |")]
        assert keyword.label.en in line
        assert keyword.label.de in line


def test_the_words_of_descriptions_are_there() -> None:
    assert any("Kreatur" in line and "`word/creature`" in line for line in words.document().splitlines())
