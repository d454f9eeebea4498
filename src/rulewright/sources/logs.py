"""Clients' logs as game records: the kind of log is recognised by its first lines."""

from __future__ import annotations

import gzip
import io
import lzma
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO

from rulewright.records import Problem, Record, RecordError, read, read_structure
from rulewright.sources import arena
from rulewright.sources.arena import SourceError
from rulewright.sources.packed import unpacked

__all__ = ["SourceError", "log_records", "open_log"]

_LOOK_AHEAD = 200
"""Lines to look at: a client's log begins with lines of its own before the first message."""


def open_log(path: Path, names: Path | None = None) -> Iterator[Record | RecordError]:
    """The games of a log as records, or the records of a file that already holds some.

    `names`: a JSON file with the names that the log's card numbers mean. Raises SourceError where the log, or the file
    of names, cannot be read.
    """
    try:
        known = arena.read_names(names.read_bytes()) if names is not None else None
    except OSError as error:
        raise SourceError(str(names), f"cannot be read: {error.strerror}") from None
    if not path.is_file():
        yield from read([path])
        return
    first: list[bytes] = []
    with suppress(OSError, EOFError, zlib.error, lzma.LZMAError), unpacked(path) as stream:
        for line in islice(stream, _LOOK_AHEAD):
            first.append(line[:10_000])
    if not arena.recognise(first):
        yield from read([path])
        return
    with unpacked(path) as stream:
        try:
            yield from _games(stream, str(path), known)
        except EOFError:
            yield RecordError([Problem(str(path), "", "is cut off: the packed data ends too early")])
        except (gzip.BadGzipFile, zlib.error, lzma.LZMAError) as error:
            yield RecordError([Problem(str(path), "", f"is damaged ({error})")])


def log_records(content: bytes, name: str, parameters: frozenset[str] = frozenset()) -> Iterator[Record | RecordError]:
    """As `open_log`, of content that is in memory and not packed; `parameters` as for `records.read`."""
    if not arena.recognise([line[:10_000] for line in islice(io.BytesIO(content), _LOOK_AHEAD)]):
        for item in read(["-"], parameters, io.BytesIO(content)):
            yield _told_of(item, name)
        return
    try:
        yield from _games(io.BytesIO(content), name, None)
    except SourceError as error:
        yield RecordError([Problem(name, error.place, error.problem)])


def _games(stream: IO[bytes], name: str, known: Mapping[int, str] | None) -> Iterator[Record | RecordError]:
    for position, game in enumerate(arena.read(stream, known), 1):
        try:
            yield read_structure(game, name, position)
        except RecordError as error:
            yield error


def _told_of(item: Record | RecordError, name: str) -> Record | RecordError:
    if isinstance(item, RecordError):
        return RecordError([replace(problem, source=name) for problem in item.problems])
    return item
