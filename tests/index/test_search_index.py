"""What comes before what, in an index of a few things."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.index import Document, Index, Name, Text
from rulewright.index.building import build
from rulewright.index.model import DEPRECATED, OTHER

DOCUMENTS = [
    Document("k:glow", "keyword", (Name("glow", "en"), Name("Glühen", "de"), Name("Glimmen", "de", DEPRECATED))),
    Document("r:glow-a", "rule", (
        Name("Glow, a", "en"), Name("Glühen, a", "de"), Name("702.1a"), Name("702.9a", "", OTHER),
    )),
    Document("s:GL-1", "ruling", (Name("GL-1"),), (
        Text("A glowing spell is never put into the graveyard.", "en"),
        Text("Ein glühender Zauberspruch kommt nie auf den Friedhof.", "de"),
    ), (Name("glow", "en"), Name("Glühen", "de"))),
    Document("c:glow", "card", (Name("Glow", "en"), Name("Glut", "de"))),
    Document("c:moor", "card", (Name("Glow of the Moor", "en"), Name("Glut des Moores", "de"))),
    Document("c:moorlight", "card", (Name("Moorlight", "en"), Name("Moorlicht", "de"))),
    Document("c:two", "card", (Name("Dusk // Dawn", "en"), Name("Dusk", "en", OTHER), Name("Dawn", "en", OTHER)),
             (Text("Put target creature into the graveyard. It never glows. " + "Filler words stand. " * 25, "en"),)),
    Document("c:witch", "card", (Name("Hexe von Straßburg", "de"), Name("Witch of Strassburg", "en"))),
]  # fmt: skip


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with Index(build(None, DOCUMENTS, "")) as made:
        yield made


def found(index: Index, text: str, language: str = "en", **more: object) -> list[tuple[str, str]]:
    return [(h.iri, h.match) for h in index.search(text, language=language, **more)]  # type: ignore[arg-type]


def test_the_exact_name_then_beginnings_then_words(index: Index) -> None:
    assert found(index, "Glow")[:4] == [
        ("k:glow", "exact"), ("c:glow", "exact"), ("c:moor", "beginning"), ("r:glow-a", "beginning"),
    ]  # fmt: skip
    assert found(index, "moor")[:2] == [("c:moorlight", "beginning"), ("c:moor", "words")]


def test_a_word_that_should_go_finds_what_is_meant(index: Index) -> None:
    assert found(index, "Glimmen")[0] == ("k:glow", "exact")


def test_numbers(index: Index) -> None:
    assert found(index, "702.1a") == [("r:glow-a", "exact")]
    assert found(index, "CR 702.9a") == [("r:glow-a", "exact")]
    assert found(index, "Regel 702.1a") == [("r:glow-a", "exact")]
    assert found(index, "gl1")[0] == ("s:GL-1", "exact")


def test_halves_and_slips(index: Index) -> None:
    assert found(index, "Dawn")[0] == ("c:two", "exact")
    assert found(index, "dusk/dawn")[0] == ("c:two", "exact")
    assert found(index, "moorlihgt")[0] == ("c:moorlight", "similar")
    assert found(index, "Glow of teh More")[0] == ("c:moor", "similar")
    assert found(index, "moor light")[0] == ("c:moorlight", "exact")
    assert found(index, "strasburg")[0] == ("c:witch", "similar")
    assert found(index, "orligh")[0] == ("c:moorlight", "words")


def test_texts(index: Index) -> None:
    hit = index.search("nie auf den Friedhof", language="de")[0]
    assert (hit.iri, hit.match, hit.excerpt) == (
        "s:GL-1", "text", "Ein glühender Zauberspruch kommt nie auf den Friedhof.",
    )  # fmt: skip
    assert hit.title("de") == "GL-1 Glühen"
    assert [h.iri for h in index.search("never put into the graveyard")] == ["s:GL-1", "c:two"]
    assert [h.iri for h in index.search("grvaeyard")] == ["s:GL-1", "c:two"]
    long = index.search("target creature graveyard")[0]
    assert long.iri == "c:two"
    assert len(long.excerpt) < 200
    assert long.excerpt.endswith(" …")


def test_only_some_kinds_and_only_some(index: Index) -> None:
    assert {h.kind for h in index.search("glow", ["card", "rule"])} == {"card", "rule"}
    assert [h.iri for h in index.search("graveyard", ["card"])] == ["c:two"]
    assert index.search("graveyard", ["term"]) == []
    assert len(index.search("glow", limit=2)) == 2


def test_nothing(index: Index) -> None:
    assert index.search("") == index.search(" » ") == index.search("xyzzy") == []
    assert index.search("moorabcd") == []
    assert index.near("moorabgh") == ["Moorlight"]


def test_as_json(index: Index) -> None:
    assert index.search("702.9a")[0].as_json() == {
        "id": "r:glow-a", "kind": "rule", "notation": "702.1a", "label": {"de": "Glühen, a", "en": "Glow, a"},
        "match": "exact", "matched": "702.9a",
    }  # fmt: skip


def test_kinds_come_in_order() -> None:
    with pytest.raises(ValueError, match="a ruling after a card"):
        build(None, reversed(DOCUMENTS[:5]), "")


def test_an_index_of_nothing() -> None:
    with Index(build(None, (), "")) as index:
        assert index.search("anything at all, and nothing") == []
        assert index.near("anything") == []


def test_the_file_is_the_same_for_the_same_documents(tmp_path: Path) -> None:
    for name in ("one", "two"):
        build(tmp_path / name, DOCUMENTS, "state").close()
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with sqlite3.connect(tmp_path / "one") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40) | st.text("glowm*\"'():^-~+ ANDORNOT{}[]", max_size=40))
def test_whatever_is_typed_is_sought_and_no_query(index: Index, text: str) -> None:
    hits = index.search(text)
    assert len({h.iri for h in hits}) == len(hits) <= 10
