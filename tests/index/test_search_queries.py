"""What people type, and what comes first: see queries.toml. At least 95 of a hundred have to be right, each at once."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import corpus
import pytest

from rulewright.index import Document, Index, Kind
from rulewright.index.building import build
from rulewright.index.documents import documents
from rulewright.store import Dataset

QUERIES = tomllib.loads((Path(__file__).parent / "queries.toml").read_text(encoding="utf-8"))
RIGHT = 0.95
SECONDS = 0.05
HARD = [
    "a", "s", "7", "of the", "der die das", "target creature", "you may cast this card", "xyzzy plugh foobarius",
    "a b c d e f g h i j k", "e" * 500, "entrs teh battlefeild tapped",
    "does a copy of a spell with rebound get exiled",
    "when this creature comes into play you may draw as many cards as you have creatures, then throw one away",
    "wenn diese kreatur ins spiel kommt ziehe eine karte für jede kreatur die du kontrollierst",
]  # fmt: skip


@pytest.fixture(scope="module")
def packaged() -> list[Document]:
    with Dataset.open() as dataset:
        dataset.load_packaged()
        return list(documents(dataset))


@pytest.fixture(scope="module")
def small(packaged: list[Document]) -> Iterator[Index]:
    with Index(build(None, packaged, "")) as index:
        yield index


@pytest.fixture(scope="module")
def whole(packaged: list[Document], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    if not corpus.there():
        pytest.skip(corpus.MISSING)
    file = tmp_path_factory.mktemp("index") / "whole.sqlite"
    with Index(build(file, corpus.documents(packaged), "")) as index:
        yield index


def first(index: Index, text: str) -> str | None:
    hits = index.search(text)
    if not hits:
        return None
    return f"card:{hits[0].label['en']}" if hits[0].kind == "card" else hits[0].local


def wrong(index: Index, part: str) -> list[str]:
    found = {text: first(index, text) for text in QUERIES[part]}
    return [f"{text!r}: {found[text]}, not {wanted}" for text, wanted in QUERIES[part].items() if found[text] != wanted]


def slow(index: Index, texts: list[str], kinds: tuple[Kind, ...] = ()) -> list[str]:
    """Those that take too long three times."""
    told = []
    for text in texts:
        taken = []
        for _ in range(3):
            start = time.process_time()
            index.search(text, kinds)
            taken.append(time.process_time() - start)
        if min(taken) > SECONDS:
            told.append(f"{text[:40]!r}: {min(taken) * 1000:.0f} ms")
    return told


def test_there_are_two_hundred() -> None:
    assert sum(map(len, QUERIES.values())) >= 200


def test_on_what_the_package_carries(small: Index) -> None:
    told = wrong(small, "packaged")
    assert len(told) <= (1 - RIGHT) * len(QUERIES["packaged"]), "\n".join(told)


def test_on_everything(whole: Index) -> None:
    told = wrong(whole, "whole")
    assert len(told) <= (1 - RIGHT) * len(QUERIES["whole"]), "\n".join(told)


def test_at_once(whole: Index) -> None:
    assert len(whole) > 45_000
    assert slow(whole, [*QUERIES["whole"], *QUERIES["packaged"], *HARD]) == []
    assert slow(whole, HARD, ("ruling",)) == slow(whole, HARD, ("card",)) == slow(whole, HARD, ("rule", "term")) == []
