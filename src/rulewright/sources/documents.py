"""Documents of rulings: cutting them into the passages that each make one statement.

Two kinds are read:

- *dated list* (`dated`): a line names a card (or one of its faces); then, for each ruling, a line with its day
  (``14/07/2017``, ``14.07.2017``, day first, or ISO 8601) and the ruling's paragraphs below it. Blank lines may be
  missing. Several cards may follow each other: what stands last before a date, with a ruling's text above it, and looks
  like a name (short, a capital or a digit at its beginning, at its end no mark that closes a sentence) or is
  a name that the reader was told, begins the list of another card.
- *wiki dump* (`wiki`): fields ``| name`` with values ``| - text``, then notes ``* text``. A value that quotes a rule
  (number, full stop, heading, then its subrules) is cut where the subrules of the rule that it names first begin (in
  their order, each after the end of a sentence), not where a rule is only referred to; what stands before is no
  statement. A passage that the page repeats counts once, at its first place.

A passage is given without its number, bullet and date, with white space at its ends removed, otherwise as it stands.
``docs/normalisation.md`` says the same for readers of the data.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from ..terms import digest

Kind = Literal["dated", "wiki"]
KINDS: Final[tuple[Kind, ...]] = ("dated", "wiki")

_DAY_FIRST: Final = re.compile(r"^(\d{1,2})([/.])(\d{1,2})\2(\d{4})$")
_ISO: Final = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")
_RULE: Final = re.compile(r"(?<!\S)(\d{3}\.\d+)\.\s+(?=\S)")
_VALUE: Final = re.compile(r"^\|\s*-\s+(?=\S)")
_NOTE: Final = re.compile(r"^\*+\s*(?=[^\s*])")
_CLOSED: Final = tuple('.!?:;,…“”"»«)]')
_LONGEST_NAME: Final = 80
_NEITHER: Final = (
    "this is neither a list of dated rulings (a card's name, then for each ruling a line with its day, such as "
    "14/07/2017, and the text below it) nor a wiki page's dump (lines that begin with |, and notes that begin with *)"
)


@dataclass(frozen=True)
class Passage:
    """One statement's text in a document.

    ``heading`` names what it is about, ``number`` is that of the rule quoted, ``line`` (from 1) where it begins.
    """

    heading: str
    date: dt.date | None
    text: str
    number: str | None = None
    line: int = 0


class DocumentError(ValueError):
    """A document that is of no known kind, or broken: ``line`` (from 1), what is wrong, and the mend."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


def kind_of(text: str) -> Kind:
    """The kind of document that a text would be, by its first line; whether it is one, reading it shows."""
    first = next((line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()), "")
    return "wiki" if first.startswith("|") else "dated"


def read_document(text: str, kind: Kind | None = None, names: Collection[str] = frozenset()) -> list[Passage]:
    """The passages of a document in its order.

    The kind is recognised where it is not given. ``names`` are names of cards: each begins a new list, whatever it
    looks like. Raises DocumentError.
    """
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines()]
    wiki = (kind or kind_of(text)) == "wiki"
    passages = list(_wiki(lines) if wiki else _dated(lines, names))
    if not passages:
        raise DocumentError(1, f"no statement found: {_NEITHER}")
    once: dict[tuple[str, dt.date | None, str], Passage] = {}
    for passage in passages:
        once.setdefault((passage.heading, passage.date, digest(passage.text)), passage)
    return list(once.values())


def _date(line: str, number: int) -> dt.date | None:
    if match := _DAY_FIRST.match(line):
        day, month, year = (int(match[i]) for i in (1, 3, 4))
    elif match := _ISO.match(line):
        year, month, day = map(int, match.groups())
    else:
        return None
    try:
        return dt.date(year, month, day)
    except ValueError:
        raise DocumentError(number, f"{line} is no date: write day/month/year, or year-month-day") from None


def _dated(lines: list[str], names: Collection[str]) -> Iterator[Passage]:
    heading = ""
    day: dt.date | None = None
    since = 0
    body: list[tuple[int, str]] = []
    """The lines of text since the last date, or since the beginning."""
    for number, line in enumerate(lines, 1):
        new = _date(line, number)
        if new is None:
            if line:
                body.append((number, line))
            continue
        if day is None:
            heading = _first_heading(body, number)
        else:
            following = body.pop()[1] if len(body) > 1 and _is_name(body[-1][1], names) else heading
            yield _ruling(heading, day, body, since)
            heading = following
        day, since, body = new, number, []
    if day is None:
        if len(body) > 1:
            raise DocumentError(body[1][0], f"text without a date above it: {_NEITHER}")
        return
    if len(body) > 1 and body[-1][1] in names:
        raise DocumentError(body[-1][0], "a card's name with no ruling below it: give its rulings, or remove the line")
    yield _ruling(heading, day, body, since)


def _first_heading(body: list[tuple[int, str]], number: int) -> str:
    if not body:
        raise DocumentError(number, "a date before any card's name: put the name on a line of its own above it")
    if len(body) > 1:
        raise DocumentError(body[1][0], "text without a date: put the ruling's date on a line of its own above it")
    return body[0][1]


def _ruling(heading: str, day: dt.date, body: list[tuple[int, str]], since: int) -> Passage:
    if not body:
        raise DocumentError(since, f"no text below the date {day.isoformat()}")
    return Passage(heading, day, "\n\n".join(text for _, text in body), line=body[0][0])


def _is_name(line: str, names: Collection[str]) -> bool:
    if line in names:
        return True
    begins = line.lstrip("„“\"'")[:1]
    return len(line) <= _LONGEST_NAME and not line.endswith(_CLOSED) and (begins.isupper() or begins.isdigit())


def _wiki(lines: list[str]) -> Iterator[Passage]:
    heading = ""
    for number, line in enumerate(lines, 1):
        if note := _NOTE.match(line):
            yield Passage(heading, None, line[note.end() :].strip(), line=number)
        elif _VALUE.match(line) and (rule := _RULE.search(line)):
            subrules = list(_subrules(line, rule[1]))
            if subrules or not heading:
                heading = line[rule.end() : subrules[0].start() if subrules else None].strip()
            ends = [m.start() for m in subrules[1:]] + [len(line)]
            for match, end in zip(subrules, ends, strict=True):
                yield Passage(heading, None, line[match.end() : end].strip(), match[1], number)


def _subrules(line: str, rule: str) -> Iterator[re.Match[str]]:
    """Where the subrules of a rule begin: in order, each after the end of a sentence. The others are cited."""
    last = ""
    for match in re.finditer(rf"(?<!\S)({re.escape(rule)}([a-z]))\s+", line):
        if not last or (match[2] > last and line[: match.start()].rstrip().endswith(_CLOSED)):
            last = match[2]
            yield match
