"""Game records from files, folders and standard input: each form recognised, each problem one clear line.

JSON Lines are streamed: one line is held at a time, so that a file of any length needs no more memory than a short one.
The other forms are documents, read whole up to a limit.
"""

from __future__ import annotations

import gzip
import io
import itertools
import json
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, BinaryIO

from rulewright.records import jsonld, rdf
from rulewright.records.model import Problem, Record, RecordError
from rulewright.records.structure import read_structure

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LINE_LIMIT = 16 * 2**20
"""Bytes of a line of JSON Lines. A long game is below 1 MiB: a longer line is no record, and would fill the memory."""
DOCUMENT_LIMIT = 256 * 2**20
"""Bytes of a document, unpacked. In memory it takes several times as much: beyond, records belong into JSON Lines."""

FORMS = {".json": "json", ".jsonld": "json", ".jsonl": "lines", ".ndjson": "lines",
         ".ttl": "ttl", ".trig": "trig", ".nq": "nq"}
PACKED = (".gz", ".zst")

_HEAD = 2**16
_BOM = b"\xef\xbb\xbf"
_MAGIC = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst"}
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_STRING_OR_OTHER = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN|\d{1000,}', re.DOTALL)

Result = Record | RecordError


class _Bad(Exception):
    """What is wrong with a file, or with one record in it."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(problem)
        self.place, self.problem = place, problem


def read(
    paths: Iterable[Path | str], parameters: frozenset[str] = frozenset(), stdin: BinaryIO | None = None
) -> Iterator[Result]:
    """The records of files and folders (`-`: standard input) in order; a RecordError in place of each malformed one.

    `parameters`: names of keyword parameters that axioms ask for. A record without id gets one from its position in all
    that is read. Nothing is fetched, and no other exception is raised for what a file holds.
    """
    reader = _Reader(parameters)
    for path in [paths] if isinstance(paths, str | Path) else paths:
        if str(path) == "-":
            yield from reader.source("standard input", stdin or sys.stdin.buffer, None, None)
        elif os.path.isdir(path):
            yield from reader.folder(str(path))
        else:
            yield from reader.file(str(path))


def _form(path: str) -> tuple[str | None, str | None]:
    """The form of a file by its suffix, and how it is packed."""
    stem, suffix = os.path.splitext(path.lower())
    packed = suffix if suffix in PACKED else None
    if packed:
        suffix = os.path.splitext(stem)[1]
    return FORMS.get(suffix), packed


class _Reader:
    def __init__(self, parameters: frozenset[str]) -> None:
        self.parameters = parameters
        self.positions = itertools.count(1)

    def folder(self, path: str) -> Iterator[Result]:
        problems: list[Problem] = []

        def unreadable(error: OSError) -> None:
            problems.append(Problem(str(error.filename), "", f"cannot be read: {error.strerror}"))

        found = []
        for folder, _, names in os.walk(path, onerror=unreadable):
            found += [os.path.join(folder, name) for name in names if _form(name)[0]]
        if problems:
            yield RecordError(problems)
        elif not found:
            yield RecordError([Problem(path, "", f"this folder holds no game records ({' '.join(FORMS)})")])
        for name in sorted(found):
            yield from self.file(name)

    def file(self, path: str) -> Iterator[Result]:
        form, packed = _form(path)
        try:
            stream = open(path, "rb")  # noqa: SIM115 (closed below, whatever happens while it is consumed)
        except FileNotFoundError:
            yield RecordError([Problem(path, "", "there is no such file")])
            return
        except (OSError, ValueError) as error:
            yield RecordError([Problem(path, "", f"cannot be read: {_why(error)}")])
            return
        with stream:
            yield from self.source(path, stream, form, packed)

    def source(self, name: str, stream: BinaryIO, form: str | None, packed: str | None) -> Iterator[Result]:
        try:
            head = _read(stream, _HEAD)
            if packed is None and form is None:
                packed = next((suffix for magic, suffix in _MAGIC.items() if head.startswith(magic)), None)
            text: BinaryIO = io.BufferedReader(_Joined(head, stream))
            if packed:
                text = _unpacked(text, packed)
                head = _read(text, _HEAD)
                text = io.BufferedReader(_Joined(head, text))
            _check(head)
            if head.startswith(_BOM):
                head = head.removeprefix(_BOM)
                text.read(len(_BOM))
            guessed = form is None
            form = form or _sniffed(head)
            if form == "lines":
                yield from self._lines(text, name)
            else:
                yield from self._document(_document(text), form, name, guessed)
        except _Bad as bad:
            yield RecordError([Problem(name, bad.place, bad.problem)])
        except RecordError as error:
            yield error

    def _document(self, data: bytes, form: str, name: str, guessed: bool) -> Iterator[Result]:
        text = _decoded(data, "")
        if form == "json":
            yield from self._json(_parsed(text, 0), name)
        else:
            try:
                quads = rdf.parse(text, rdf.FORMATS[form], name)
            except RecordError as error:
                (found,) = error.problems
                reason = " (read as RDF, since it does not begin as JSON does)" if guessed else ""
                raise _Bad(found.place, found.problem + reason) from None
            yield from rdf.records(quads, name, self.positions, self.parameters)

    def _json(self, value: object, name: str, line: str = "") -> Iterator[Result]:
        """One JSON document or line: a record, an array of records, or JSON-LD."""
        listed = jsonld.plain_records(value)
        if listed is None:
            try:
                yield from rdf.records(jsonld.quads(value, name), name, self.positions, self.parameters)
            except RecursionError:
                raise _Bad(line, "is nested too deeply to be a record") from None
        elif not listed:
            raise _Bad(line, "is an empty list: it holds no record")
        elif line and isinstance(value, list):
            raise _Bad(line, "is a list: JSON Lines has one record a line")
        else:
            several = isinstance(value, list)
            for number, data in enumerate(listed, 1):
                yield self._record(data, name, f"record {number}" if several else line)

    def _record(self, data: object, name: str, place: str) -> Result:
        position = next(self.positions)
        start = f"{place}, " if place else ""
        if not isinstance(data, dict):
            return RecordError([Problem(name, place or "line 1", f"a record is a JSON object, not {_kind(data)}")])
        try:
            record = read_structure(data, name, position, self.parameters)
        except RecordError as error:
            return RecordError([Problem(p.source, start + p.place if p.place else place, p.problem)
                                for p in error.problems])
        except RecursionError:
            return RecordError([Problem(name, place, "is nested too deeply to be a record")])
        record.warnings = [start + warning for warning in record.warnings]
        return record

    def _lines(self, stream: BinaryIO, name: str) -> Iterator[Result]:
        none = True
        for number in itertools.count(1):
            line = _line(stream, number)
            if not line:
                break
            place = f"line {number}"
            try:
                if len(line) > LINE_LIMIT:
                    none = False
                    while not line.endswith(b"\n") and (line := _line(stream, number)):
                        pass
                    raise _Bad(place, f"is longer than {LINE_LIMIT // 2**20} MiB: JSON Lines has one record a line")
                if line.isspace():
                    continue
                if none and line.strip() in (b"{", b"["):
                    yield RecordError([Problem(name, place, "begins a JSON document of several lines, and JSON Lines "
                                                            "has one record a line: name the file .json")])
                    return
                none = False
                yield from self._json(_parsed(_decoded(line, place), number), name, place)
            except _Bad as bad:
                yield RecordError([Problem(name, bad.place, bad.problem)])
            except RecordError as error:
                yield RecordError([Problem(p.source, f"{place}, {p.place}" if p.place else place, p.problem)
                                   for p in error.problems])
        if none:
            raise _Bad("", "is empty: it holds no record")


class _Joined(io.RawIOBase):
    """What was read ahead, and then the rest of the stream."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        data = self._head[: len(view)] or self._rest.read(len(view))
        self._head = self._head[len(view) :]
        view[: len(data)] = data
        return len(data)


class Zstandard(io.RawIOBase):
    """Frames unpacked one after another. The library's own stream does not notice that the last one is cut off."""

    def __init__(self, packed: IO[bytes]) -> None:
        import zstandard

        self._new = zstandard.ZstdDecompressor(max_window_size=2**27).decompressobj
        self._error = zstandard.ZstdError
        self._packed, self._frame, self._rest, self._ready = packed, self._new(), b"", b""
        self._inside = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        while not self._ready:
            # A little at a time: a few bytes can unpack to very many.
            data = self._rest or self._packed.read(2**10)
            self._rest = b""
            if not data:
                if self._inside:
                    raise EOFError
                return 0
            try:
                self._ready = self._frame.decompress(data)
            except self._error as error:
                raise zlib.error(str(error)) from None
            self._inside = not self._frame.eof
            if self._frame.eof:
                self._rest, self._frame = self._frame.unused_data, self._new()
        data, self._ready = self._ready[: len(view)], self._ready[len(view) :]
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._packed.close()
        super().close()


def _unpacked(stream: BinaryIO, packed: str) -> BinaryIO:
    if packed == ".gz":
        return gzip.GzipFile(fileobj=stream)  # type: ignore[return-value]
    return io.BufferedReader(Zstandard(stream))


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _guarded(stream: BinaryIO, place: str, limit: int, line: bool = False) -> bytes:
    try:
        return stream.readline(limit) if line else stream.read(limit)
    except (gzip.BadGzipFile, zlib.error) as error:
        raise _Bad(place, f"is damaged, or not packed as its name says ({error})") from None
    except EOFError:
        raise _Bad(place, "is cut off: the packed data ends too early") from None
    except (OSError, ValueError) as error:
        raise _Bad(place, f"cannot be read: {_why(error)}") from None


def _read(stream: BinaryIO, limit: int) -> bytes:
    parts = []
    while limit > 0 and (part := _guarded(stream, "", limit)):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _line(stream: BinaryIO, number: int) -> bytes:
    return _guarded(stream, f"line {number}", LINE_LIMIT + 1, line=True)


def _document(stream: BinaryIO) -> bytes:
    data = _read(stream, DOCUMENT_LIMIT + 1)
    if len(data) > DOCUMENT_LIMIT:
        raise _Bad("", f"is longer than {DOCUMENT_LIMIT // 2**20} MiB: split it, or write JSON Lines")
    if data.isspace() or not data:
        raise _Bad("", "is empty: it holds no record")
    return data


def _check(head: bytes) -> None:
    if not head:
        raise _Bad("", "is empty: it holds no record")
    if wide := _wide(head):
        raise _Bad("", f"is {wide}: save it as UTF-8")
    for magic, suffix in _MAGIC.items():
        if head.startswith(magic):
            raise _Bad("", f"is packed: give its name the suffix {suffix}")
    if b"\0" in head:
        raise _Bad("", "is binary, and no text")


def _wide(head: bytes) -> str | None:
    """UTF-16 or UTF-32: by the byte order mark, or since every other byte of plain text is null there."""
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "UTF-32"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    sample = head[:64]
    nulls = sample.count(b"\0")
    if nulls * 2 < len(sample) - 1 or nulls == len(sample) or any(byte > 0x7F for byte in sample):
        return None
    return "UTF-32" if nulls * 3 > len(sample) * 2 else "UTF-16"


def _sniffed(head: bytes) -> str:
    """The form of a text without a known suffix: JSON Lines, a JSON document, N-Quads, else TriG (and so Turtle)."""
    start = head.lstrip()
    if re.match(rb'\{\s*["}]|\[\s*[\[{\]"\d]', start):
        return "lines" if _one_a_line(start) else "json"
    for line in start.splitlines():
        statement = line.strip()
        if statement and not statement.startswith(b"#"):
            try:
                rdf.parse(statement.decode(errors="replace"), rdf.FORMATS["nq"], "")
            except RecordError:
                return "trig"
            return "nq"
    return "trig"


def _one_a_line(head: bytes) -> bool:
    first, newline, rest = head.partition(b"\n")
    if not rest.strip():
        # The first line alone, or the beginning of a very long one, which can only be a record to be streamed.
        return bool(newline) and _is_object(first)
    second = rest.lstrip().partition(b"\n")[0]
    return _is_object(first) or (_is_object(second) and b'"events"' in second) or (
        first.rstrip().endswith(b"}") and second.startswith(b"{")
    )


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _decoded(data: bytes, place: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        at = f"column {len(before) + 1}" if place else _at(before, len(before))
        raise _Bad(f"{place}, {at}" if place else at,
                   f"byte 0x{data[error.start]:02X} is not UTF-8: save the file as UTF-8") from None


def _at(text: str, position: int, number: int = 0) -> str:
    """Line and column of a position; `number`: the line of the file that the whole text is."""
    before = text[:position]
    return f"line {number or before.count(chr(10)) + 1}, column {len(before) - before.rfind(chr(10))}"


class _Doubled(dict[str, object]):
    """An object that has a key twice: `key`, until it is reported."""

    key = ""


def _parsed(text: str, number: int) -> object:
    doubled: list[_Doubled] = []

    def pairs(found: list[tuple[str, object]]) -> dict[str, object]:
        plain = dict(found)
        if len(plain) == len(found):
            return plain
        marked = _Doubled(plain)
        keys = [key for key, _ in found]
        marked.key = next(key for key in keys if keys.count(key) > 1)
        doubled.append(marked)
        return marked

    def constant(name: str) -> object:
        raise _Constant(name)

    line = f"line {number}" if number else ""
    try:
        value: object = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
        if doubled:
            place = next((at for at, found in _walk(value, "") if isinstance(found, _Doubled)), "")
            where = ", ".join(part for part in (line, place) if part)
            raise _Bad(where, f"has the key {doubled[0].key!r} twice: a reader would keep only one of them")
        if _SURROGATE.search(text):
            for at, found in _walk(value, ""):
                if isinstance(found, str) and any("\ud800" <= letter <= "\udfff" for letter in found):
                    where = ", ".join(part for part in (line, at) if part)
                    raise _Bad(where, f"{found!r} holds half a character: \\u escapes of this kind come in pairs")
        return value
    except json.JSONDecodeError as error:
        rest = text[error.pos :].strip()
        at = _at(text, min(error.pos, len(text.rstrip())), number)
        if error.msg.startswith("Extra data"):
            mend = " (one record a line? name the file .jsonl)" if not number else ""
            raise _Bad(at, f"the JSON has ended, and here is more: {rest[:20]!r}{mend}") from None
        if not rest or error.msg.startswith("Unterminated string"):
            raise _Bad(at, "the JSON ends too early here: is the file whole?") from None
        raise _Bad(at, f"no JSON: {error.msg[:1].lower()}{error.msg[1:]} at {rest[:20]!r}") from None
    except _Constant as error:
        raise _Bad(_find(text, number, str(error)), f"{error} is no JSON: leave the property out if unknown") from None
    except RecursionError:
        raise _Bad(line, "is nested too deeply to be a record") from None
    except ValueError:
        raise _Bad(_find(text, number, ""), "a number has too many digits") from None


class _Constant(Exception):
    """NaN or Infinity."""


def _find(text: str, number: int, wanted: str) -> str:
    """Where a word or an endless number stands outside of strings."""
    for match in _STRING_OR_OTHER.finditer(text):
        found = match.group()
        if found == wanted or (not wanted and found[0].isdigit()):
            return _at(text, match.start(), number)
    return f"line {number}" if number else ""


def _walk(value: object, place: str) -> Iterator[tuple[str, object]]:
    """Every value with its place, outermost first; keys count as strings of their object."""
    yield place, value
    if isinstance(value, dict):
        for key, entry in value.items():
            where = f"{place}.{key}" if place else key
            yield place, key
            yield from _walk(entry, where)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _walk(item, f"{place}[{number}]")


def _kind(value: object) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")
