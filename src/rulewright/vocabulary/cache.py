"""What is made of the packaged files is kept between runs, by the digest of all that it is made of."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from rulewright.version import __version__

T = TypeVar("T")
_DIGEST = hashlib.sha256().digest_size
"""Bytes of the digest before what is kept: much of a damaged pickle would be read without an error."""


def folder() -> Path:
    """The user's cache folder (XDG base directories); `RULEWRIGHT_CACHE` names another, or none where it is empty."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(os.environ.get("RULEWRIGHT_CACHE", os.path.join(home, "rulewright")))


def mode_of_new() -> int:
    """The permissions that a new file gets from the system, for what is written aside with narrower ones."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def cached(name: str, files: Iterable[Path], make: Callable[[], T]) -> T:
    """What `make` returns, kept under a name that changes with the files, this package's code, its place and Python.

    A cache that cannot be read or written is no error: then the thing is made anew.
    """
    if os.environ.get("RULEWRIGHT_CACHE") == "":
        return make()
    place = Path(__file__).resolve().parent
    digest = hashlib.sha256(f"{__version__} {sys.version_info[:3]} {name} {place}\n".encode())
    for file in [*files, *_code()]:
        digest.update(file.read_bytes())
    path = folder() / f"{name}-{digest.hexdigest()[:32]}.pickle"
    with suppress(OSError, pickle.PickleError, AttributeError, ImportError), path.open("rb") as stream:
        if os.fstat(stream.fileno()).st_uid == os.getuid():
            digest_kept, content = stream.read(_DIGEST), stream.read()
            if hashlib.sha256(content).digest() == digest_kept:
                found: T = pickle.loads(content)
                return found
    made = make()
    with suppress(OSError, pickle.PickleError, AttributeError, TypeError):
        _keep(path, made)
    return made


def _code() -> list[Path]:
    """The modules whose classes are kept: a checkout changes without a new version."""
    package = Path(__file__).resolve().parent.parent
    return [*sorted((package / "vocabulary").glob("*.py")), *sorted((package / "axioms").glob("*.py"))]


def _keep(path: Path, made: object) -> None:
    content = pickle.dumps(made, protocol=pickle.HIGHEST_PROTOCOL)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for old in path.parent.glob(f"{path.name.rsplit('-', 1)[0]}-{'[0-9a-f]' * 32}.pickle"):
        with suppress(OSError):
            old.unlink()
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as stream:
        stream.write(hashlib.sha256(content).digest() + content)
    os.replace(stream.name, path)
