"""No sentence of Wizards of the Coast stands in the repository, where the sources are at hand to look for it.

Looked for is any run of `LENGTH` words that a published ruling or the newest Comprehensive Rules have too, whatever
stands between the words: numbers, dates, names and digests carry over, sentences do not.
"""

from __future__ import annotations

import re
import subprocess
import tarfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.sources.editions import decode
from rulewright.vocabulary import load_schema

LENGTH = 8
ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
RULINGS = SHARED / "seeds"
ARCHIVE = SHARED / "data" / "comprehensive-rules.tar.xz"
_WORD = re.compile(r"[^\W_]+")
Run = tuple[str, ...]


def runs(texts: Iterable[str], length: int = LENGTH) -> set[Run]:
    """Every run of words in each of the texts."""
    found: set[Run] = set()
    for text in texts:
        words = [w.casefold() for w in _WORD.findall(text)]
        found.update(zip(*(words[n:] for n in range(length)), strict=False))
    return found


def repeated(text: str, known: set[Run]) -> Iterator[tuple[int, str]]:
    """Where a text begins to repeat what is known: the line, and the words."""
    words = list(_WORD.finditer(text))
    folded = [w.group().casefold() for w in words]
    free_from = 0
    for at, run in enumerate(zip(*(folded[n:] for n in range(LENGTH)), strict=False)):
        if run in known:
            if at >= free_from:
                yield text.count("\n", 0, words[at].start()) + 1, " ".join(run)
            free_from = at + LENGTH


@cache
def tracked() -> dict[str, str]:
    """The text files that git tracks, or would."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout")
    found = {}
    for name in filter(None, listed.stdout.split("\0")):
        try:
            found[name] = (ROOT / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
    return found


def paragraphs(text: str) -> list[str]:
    return re.split(r"[\r\n]+", text)


def rulings() -> set[Run]:
    files = sorted(RULINGS.glob("*.txt"))
    if not files:
        pytest.skip("the published rulings are not there: ../shared/seeds")
    return runs(p for file in files for p in paragraphs(file.read_text(encoding="utf-8")))


def rules() -> set[Run]:
    if not ARCHIVE.exists():
        pytest.skip("the Comprehensive Rules are not there: ../shared/data/comprehensive-rules.tar.xz")
    with tarfile.open(ARCHIVE) as archive:
        newest = max(archive.getnames(), key=lambda name: Path(name).name)
        stream = archive.extractfile(newest)
        assert stream is not None
        return runs(paragraphs(decode(stream.read())))


def names_in_a_row() -> set[Run]:
    """Steps in their order are names, and no sentence."""
    words = load_schema().words["TurnStep"]
    return runs([" ".join(sorted(words, key=lambda word: load_schema().step_position[words[word]]))])


def test_what_is_found() -> None:
    known = runs(["One two three four five six seven, eight nine."])
    assert {" ".join(run) for run in known} == {
        "one two three four five six seven eight", "two three four five six seven eight nine"
    }  # fmt: skip
    assert list(repeated("\n# ONE two – three four\n# five (six) seven: eight nine", known)) == [
        (2, "one two three four five six seven eight")
    ]
    assert list(repeated("One two three four five six seven. Nine eight", known)) == []


@pytest.mark.parametrize("source", [rulings, rules])
def test_nothing_stands_word_for_word(source: Callable[[], set[Run]]) -> None:
    known = source() - names_in_a_row()
    assert len(known) > 2000
    found = [f"{name}:{line}: {words}" for name, text in tracked().items() for line, words in repeated(text, known)]
    assert not found, "say it in words of our own:\n" + "\n".join(found)
