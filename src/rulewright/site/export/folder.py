"""A folder that is made anew: written beside, and put in its place when it is whole. One that is not ours stays."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rulewright.store import StoreError

MARK: Final = "rulewright-site.json"
"""The file that says that a folder is ours, and what we wrote to it."""


@contextmanager
def replacing(place: Path) -> Iterator[Path]:
    """A new folder to write to, which takes the place of the one there, if all goes well.

    Raises StoreError where there is something that an export did not write, or where nothing can be written.
    """
    folder = place.resolve()
    _must_be_ours(folder, place)
    try:
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise _unwritable(place, error) from None
    try:
        new = beside / "new"
        new.mkdir()
        yield new
        entries = sorted({MARK, *(entry.name for entry in new.iterdir())})
        (new / MARK).write_text(json.dumps({"written": "rulewright site", "entries": entries}) + "\n", "utf-8")
        _must_be_ours(folder, place)
        _put(new, folder, beside / "old")
    except OSError as error:
        raise _unwritable(place, error) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _put(new: Path, folder: Path, old: Path) -> None:
    if not folder.exists():
        os.rename(new, folder)
        return
    os.rename(folder, old)
    try:
        os.rename(new, folder)
    except OSError:
        os.rename(old, folder)
        raise


def _must_be_ours(folder: Path, place: Path) -> None:
    if not folder.name:
        raise StoreError(str(place), "is the root of all files", "name a folder for the site alone")
    if not folder.exists():
        return
    if not folder.is_dir():
        raise StoreError(str(place), "is a file", "name a folder")
    try:
        there = {entry.name for entry in folder.iterdir()}
    except OSError as error:
        raise StoreError(str(place), f"cannot be read: {error.strerror or error}", "mend the path") from None
    if not there:
        return
    if MARK not in there:
        raise StoreError(str(place), "has files that are no export of the site", "name another folder, or a new one")
    try:
        ours = set(json.loads((folder / MARK).read_text("utf-8"))["entries"])
    except (OSError, ValueError, LookupError, TypeError):
        raise StoreError(str(place), f"its {MARK} cannot be read", "name another folder, or remove this one") from None
    if foreign := sorted(there - ours):
        mend = "move that elsewhere first, since the folder is replaced as a whole"
        raise StoreError(str(place), f"has what no export wrote there: {', '.join(foreign[:3])}", mend)


def _unwritable(place: Path, error: OSError) -> StoreError:
    return StoreError(str(place), f"cannot be written: {error.strerror or error}", "mend the path")
