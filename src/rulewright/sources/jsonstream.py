"""JSON read as a stream: an array, a value a line, or the members of an object, one value at a time in memory."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import IO, Any, Final

from .errors import SourceError

Json = dict[str, Any]
LARGEST: Final = 64 << 20
"""Characters of one value: a card, or a set's statistics. More than that is not what the readers know."""
_CHUNK: Final = 1 << 20
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_AFTER: Final = tuple(" \t\n\r,]}")
_DECODER: Final = json.JSONDecoder()


class Reader:
    """A stream of JSON in UTF-8, with or without a byte order mark. Each method raises SourceError."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._ended = False
        self._line, self._column = 1, 0

    # --- what there is

    def items(self) -> Iterator[Any]:
        """The values of an array, or values one after another (JSON Lines), and then the end."""
        if self._peek() == "[":
            yield from self.array()
            if self._peek():
                raise self.problem("something follows the array: the file must hold one array, or one object a line")
        else:
            while self._peek():
                yield self.value()

    def objects(self) -> Iterator[Json]:
        """As `items`, where each must be an object."""
        for item in self.items():
            if not isinstance(item, dict):
                raise self.problem("an object was expected here: the file must hold an array of them, or one a line")
            yield item

    def array(self) -> Iterator[Any]:
        self._take("[")
        if self._peek() == "]":
            self._take("]")
            return
        while True:
            yield self.value()
            if self._peek() == "]":
                self._take("]")
                return
            self._take(",")

    def members(self) -> Iterator[str]:
        """The names of an object's members. Whoever asks reads each member's value before asking for the next."""
        self._take("{")
        if self._peek() == "}":
            self._take("}")
            return
        while True:
            name = self.value()
            if not isinstance(name, str):
                raise self.problem("a member's name was expected here: the file is broken, get it anew")
            self._take(":")
            yield name
            if self._peek() == "}":
                self._take("}")
                return
            self._take(",")

    def value(self) -> Any:
        """The next value, whole."""
        self._peek()
        wanted = _CHUNK
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except ValueError as error:
                if self._ended or self._more_cannot_help(error):
                    raise self._broken(error) from None
            except RecursionError:
                raise self.problem("is nested too deep: that is no file of this kind") from None
            else:
                # A number might go on in what was not read yet: "1." is read as 1, and 1e as well.
                if self._ended or not isinstance(value, (int, float)) or self._text[end : end + 1] in _AFTER:
                    self._at = end
                    return value
            if len(self._text) - self._at > LARGEST:
                raise self.problem(f"one value has more than {LARGEST} characters: that is no file of this kind")
            self._fill(wanted)
            wanted *= 2

    def end(self) -> None:
        if self._peek():
            raise self.problem("something follows the object: the file must hold one object")

    def peek(self) -> str:
        """The character with which the next value begins; "" at the end."""
        return self._peek()

    def problem(self, said: str) -> SourceError:
        """A problem with this place in it."""
        return self._problem(self._at, said)

    # --- the text

    def _peek(self) -> str:
        while True:
            match = _SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._fill(_CHUNK)

    def _take(self, wanted: str) -> None:
        found = self._peek()
        if found != wanted:
            if not found:
                raise self.problem("the file ends here, in the middle: get the whole file")
            raise self.problem(f"{wanted} was expected here, and {found!r} found: the file is broken, get it anew")
        self._at += 1

    def _fill(self, size: int) -> None:
        """Reads on, and forgets what lies behind."""
        passed = self._text[: self._at]
        if lines := passed.count("\n"):
            self._line += lines
            self._column = len(passed) - passed.rindex("\n") - 1
        else:
            self._column += len(passed)
        self._text, self._at = self._text[self._at :], 0
        chunk = self._stream.read(size)
        self._ended = not chunk
        try:
            self._text += self._decoder.decode(chunk, final=self._ended)
        except UnicodeDecodeError:
            raise self._problem(len(self._text), "not UTF-8 hereafter: the file is broken, get it anew") from None

    def _more_cannot_help(self, error: ValueError) -> bool:
        """Whether the error stands before the end of what was read; near it, it may be that the rest is missing."""
        return isinstance(error, json.JSONDecodeError) and error.pos < len(self._text) - 32 and not (
            error.msg.startswith("Unterminated string")
        )

    def _broken(self, error: ValueError) -> SourceError:
        if not isinstance(error, json.JSONDecodeError):
            return self.problem(f"is not JSON ({error}): get the file anew")
        if error.pos >= len(self._text) or error.msg.startswith("Unterminated string"):
            return self._problem(len(self._text), "the file ends here, in the middle: get the whole file")
        return self._problem(error.pos, f"is not JSON ({error.msg}): the file is broken, get it anew")

    def _problem(self, at: int, said: str) -> SourceError:
        passed = self._text[:at]
        lines = passed.count("\n")
        column = len(passed) - passed.rindex("\n") - 1 if lines else self._column + len(passed)
        return SourceError(f"line {self._line + lines}, character {column + 1}", said)


def first_object(head: bytes) -> Json | None:
    """The first object of an array or of JSON Lines, where the first bytes of the file hold it whole."""
    text = head.decode("utf-8-sig", errors="ignore").lstrip()
    begin = text.removeprefix("[").lstrip()
    try:
        value, _ = _DECODER.raw_decode(begin)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
