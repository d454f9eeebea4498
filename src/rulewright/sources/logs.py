"""Clients' logs as game records: the kind of log is recognised by its first lines."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from rulewright.records import Problem, Record, RecordError, read, read_structure, unpacked
from rulewright.sources import arena
from rulewright.sources.arena import SourceError

__all__ = ["SourceError", "open_log"]

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
    with suppress(OSError, EOFError, zlib.error), path.open("rb") as file, unpacked(file) as stream:
        for line in islice(stream, _LOOK_AHEAD):
            first.append(line[:10_000])
    if not arena.recognise(first):
        yield from read([path])
        return
    with path.open("rb") as file, unpacked(file) as stream:
        try:
            for position, game in enumerate(arena.read(stream, known), 1):
                try:
                    yield read_structure(game, str(path), position)
                except RecordError as error:
                    yield error
        except EOFError:
            yield RecordError([Problem(str(path), "", "is cut off: the packed data ends too early")])
        except (gzip.BadGzipFile, zlib.error) as error:
            yield RecordError([Problem(str(path), "", f"is damaged ({error})")])
