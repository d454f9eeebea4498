"""Files as they come: plain, or packed by gzip, xz or Zstandard, read as a stream; archives of them (tar).

What packs a file is told by its first bytes, not by its name. A packed file that is cut short is an error, where the
libraries themselves would sometimes call it the end.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from ..records.reading import Zstandard
from .errors import SourceError

Progress = Callable[[int], object]
"""Is told how many bytes more of a file were read."""
HEAD: Final = 65_536
"""Bytes of a file, unpacked, by which its kind is recognised."""
LARGEST_MEMBER: Final = 50_000_000
"""Bytes of a file in an archive: an edition of the rules has one million."""
SUFFIXES: Final = (".gz", ".xz", ".zst")
_CHUNK: Final = 1 << 20
_UNREADABLE: Final = (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, tarfile.TarError)


@dataclass(frozen=True)
class File:
    """A file, or one in an archive: how messages call it, its own name, SHA-256 of its bytes as given."""

    source: str
    name: str
    sha256: str
    head: bytes
    """The first bytes, unpacked."""
    open: Callable[[], IO[bytes]]
    """A new stream of its bytes, unpacked."""


def files(path: Path, progress: Progress | None = None) -> Iterator[File]:
    """The file at a path, or those in the archive that it is. Raises SourceError, OSError.

    A file is read twice: its digest must be known before what it says is stored. `progress` is told of both; an archive
    is read once, and what is read of it counts double.
    """
    with problems(), unpacked(path) as stream:
        head = _begin(stream)
    if head[257:262] == b"ustar":
        yield from _members(path, (lambda size: progress(2 * size)) if progress else None)
    else:
        yield File(str(path), path.name, _digest(path, progress), head, lambda: unpacked(path, progress))


def of_bytes(content: bytes, source: str, name: str) -> File:
    """A file whose bytes are at hand. Raises SourceError."""

    def open_() -> IO[bytes]:
        return _unpacking(io.BytesIO(content), content[:6])

    with problems(), open_() as stream:
        head = _begin(stream)
    return File(source, name, hashlib.sha256(content).hexdigest(), head, open_)


def plain_name(name: str) -> str:
    """A file's name without what says that it is packed."""
    return name[: -len(Path(name).suffix)] if name.lower().endswith(SUFFIXES) else name


class problems:
    """A context in which the errors of reading and unpacking become a SourceError."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, _UNREADABLE):
            said = "it ends too early" if isinstance(error, EOFError) else " ".join(str(error).split())
            raise SourceError("", f"cannot be unpacked ({said}): get the whole file anew") from None
        if isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
            raise SourceError("", f"cannot be read ({error.strerror or error}): mend that") from None


def unpacked(path: Path, progress: Progress | None = None) -> IO[bytes]:
    """A file's bytes as a stream, unpacked."""
    raw = path.open("rb")
    begin = raw.read(6)
    raw.seek(0)
    return _unpacking(cast(IO[bytes], _Told(raw, progress)) if progress else raw, begin)


def _unpacking(raw: IO[bytes], begin: bytes) -> IO[bytes]:
    if begin.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if begin.startswith(b"\xfd7zXZ\0"):
        return cast(IO[bytes], lzma.LZMAFile(raw))
    if begin.startswith(b"\x28\xb5\x2f\xfd"):
        return io.BufferedReader(Zstandard(raw), _CHUNK)
    return raw


def _begin(stream: IO[bytes]) -> bytes:
    found = b""
    while len(found) < HEAD and (more := stream.read(HEAD - len(found))):
        found += more
    return found


def _digest(path: Path, progress: Progress | None) -> str:
    found = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            found.update(chunk)
            if progress:
                progress(len(chunk))
    return found.hexdigest()


def _members(path: Path, progress: Progress | None) -> Iterator[File]:
    with problems(), unpacked(path, progress) as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            if not member.isfile():
                continue
            source = f"{path}/{member.name.removeprefix('./')}"
            if member.size > LARGEST_MEMBER:
                raise SourceError(member.name, f"has more than {LARGEST_MEMBER} bytes: give the file alone")
            extracted = tar.extractfile(member)
            if extracted is not None:
                yield of_bytes(extracted.read(), source, Path(member.name).name)


class _Told(io.RawIOBase):
    """A stream that tells how far it was read."""

    def __init__(self, raw: IO[bytes], progress: Progress) -> None:
        self._raw, self._progress = raw, progress

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def read(self, size: int = -1, /) -> bytes:
        data = self._raw.read(size)
        self._progress(len(data))
        return data

    def readinto(self, buffer: Any, /) -> int:
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._raw.close()
        super().close()
