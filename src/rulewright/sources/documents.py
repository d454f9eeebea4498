"""Documents of rulings: cutting them into the passages that each make one statement.

Two kinds are read:

- *dated list*: the first line names the card (or one of its faces); then, for each ruling, a line with its day
  (``14/07/2017``, day first, or ISO 8601) and the ruling's paragraphs below it;
- *wiki dump*: fields ``| name`` with values ``| - text``, then notes ``* text``. A value that quotes a rule (number,
  full stop, heading, then its subrules) is cut at the subrules of the rule that it names first, not at the rules that
  it refers to; what stands before is no statement. A passage that the page repeats counts once, at its first place.

A passage is given without its number, bullet and date, with white space at its ends removed, otherwise as it stands.
``docs/normalisation.md`` says the same for readers of the data.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..terms import digest

_DAY_FIRST: Final = re.compile(r"^(\d{1,2})/(\d{1,2})/(\d{4})$")
_ISO: Final = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")
_RULE: Final = re.compile(r"(?<!\S)(\d{3}\.\d+)\.\s+(?=\S)")


@dataclass(frozen=True)
class Passage:
    """One statement's text in a document: ``heading`` names what the document is about, ``number`` the rule quoted."""

    heading: str
    date: dt.date | None
    text: str
    number: str | None = None


class DocumentError(ValueError):
    """A document that is of no known kind, or broken: ``line`` (from 1), what is wrong, and the mend."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.problem = problem


def read_document(text: str) -> list[Passage]:
    """The passages of a document in its order; the kind is recognised."""
    lines = text.removeprefix("\ufeff").splitlines()
    first = next((line.strip() for line in lines if line.strip()), "")
    passages = list(_wiki(lines) if first.startswith("|") else _dated(lines))
    if not passages:
        raise DocumentError(1, "no statement found: neither a list of dated rulings nor a wiki dump")
    once: dict[str, Passage] = {}
    for passage in passages:
        once.setdefault(digest(passage.text), passage)
    return list(once.values())


def _date(line: str, number: int) -> dt.date | None:
    if match := _DAY_FIRST.match(line):
        day, month, year = map(int, match.groups())
    elif match := _ISO.match(line):
        year, month, day = map(int, match.groups())
    else:
        return None
    try:
        return dt.date(year, month, day)
    except ValueError:
        raise DocumentError(number, f"{line} is no date: write day/month/year, or year-month-day") from None


def _dated(lines: list[str]) -> Iterator[Passage]:
    heading = ""
    day: dt.date | None = None
    body: list[str] = []
    since = 0
    for number, line in enumerate([*(line.strip() for line in lines), None], 1):
        new = None if line is None else _date(line, number)
        if line is None or new is not None:
            if day is not None:
                if not body:
                    raise DocumentError(since, f"no text below the date {day.isoformat()}")
                yield Passage(heading, day, "\n\n".join(body))
            day, body, since = new, [], number
        elif line and day is not None:
            body.append(line)
        elif line and not heading:
            heading = line
        elif line:
            raise DocumentError(number, "text without a date: put the ruling's date on a line of its own above it")


def _wiki(lines: list[str]) -> Iterator[Passage]:
    heading = ""
    for line in (line.strip() for line in lines):
        if line.startswith("* "):
            yield Passage(heading, None, line[2:].strip())
        elif line.startswith("| - ") and (rule := _RULE.search(line)):
            subrules = list(re.finditer(rf"(?<!\S)({re.escape(rule[1])}[a-z])\s+", line))
            heading = heading or line[rule.end() : subrules[0].start() if subrules else None].strip()
            ends = [m.start() for m in subrules[1:]] + [len(line)]
            for match, end in zip(subrules, ends, strict=True):
                yield Passage(heading, None, line[match.end() : end].strip(), match[1])
