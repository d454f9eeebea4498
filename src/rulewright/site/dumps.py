"""The whole dataset as a file: made when it is first asked for, sent while it is made, and kept while it is true."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

import pyoxigraph as ox
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from rulewright.index import state_of
from rulewright.site.context import Site
from rulewright.site.dumping import FORMS, TYPE, path, write
from rulewright.site.processes import running
from rulewright.site.said import Said, said
from rulewright.site.things import CORS, has
from rulewright.store import Dataset
from rulewright.store.dataset import PREFIXES
from rulewright.store.local import Local
from rulewright.vocabulary.cache import folder as cache_folder

_LOG: Final = logging.getLogger(__name__)
CHUNK: Final = 2**18
PAUSE: Final = 0.2
"""Seconds after which a reader who has come to the end of what is written looks again."""
LEFT: Final = 86_400.0
"""Seconds after which a part of a dump has no writer any more."""
_MEDIA: Final = "https://www.iana.org/assignments/media-types/"


class Failed(Exception):
    """A dump could not be written: who is reading it must not take it for whole."""


def routes(site: Site) -> list[Route]:
    made = Dumps(site)
    site.on_stop.append(made.close)

    def route(form: str) -> Route:
        @said(Said(answers={200: (TYPE,), 304: ()}, errors=[503]))
        async def dump(request: Request) -> Response:
            return await made.answer(request, form)

        dump.__doc__ = f"All triples and the graphs in which they stand ({FORMS[form].name}), packed by gzip."
        return Route(f"/{path(form)}", dump)

    return [route(form) for form in FORMS]


def described(site: Site, dataset: ox.NamedNode, graph: ox.NamedNode) -> list[ox.Quad]:
    """Where the dumps are, for the description of a dataset (VoID §3.2, DCAT 3 §6.8)."""
    found = []

    def say(subject: ox.NamedNode, predicate: str, value: ox.NamedNode | ox.Literal) -> None:
        prefix, _, name = predicate.partition(":")
        found.append(ox.Quad(subject, ox.NamedNode(PREFIXES[prefix] + name), value, graph))

    for form, kind in FORMS.items():
        address, part = ox.NamedNode(site.base + path(form)), ox.NamedNode(f"{dataset.value}#dump-{form}")
        say(dataset, "void:dataDump", address)
        say(dataset, "dcat:distribution", part)
        say(part, "rdf:type", ox.NamedNode(PREFIXES["dcat"] + "Distribution"))
        say(part, "dcat:downloadURL", address)
        say(part, "dcterms:format", ox.Literal(kind.name))
        say(part, "dcat:mediaType", ox.NamedNode(_MEDIA + kind.media_type.partition(";")[0]))
        say(part, "dcat:compressFormat", ox.NamedNode(_MEDIA + TYPE))
    return found


class Dumps:
    """`making`: form -> who writes it, and into which file."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._making: dict[str, tuple[asyncio.Task[bool], Path]] = {}
        self._one = asyncio.Lock()
        self._state = ""
        self._own: Path | None = None

    async def answer(self, request: Request, form: str) -> Response:
        self._state = self._state or await asyncio.to_thread(_state, self._site.dataset)
        tag = f'"{self._state}-{form}"'
        headers = {"ETag": tag, "Cache-Control": "public, max-age=60",
                   "Content-Disposition": f'attachment; filename="rulewright.{form}.gz"', **CORS}  # fmt: skip
        if has(request, tag):
            return Response(status_code=304, headers=headers)
        whole = self._file(form)
        if not whole.is_file():
            if request.method == "HEAD":
                unknown = Response(media_type=TYPE, headers=headers)
                del unknown.headers["Content-Length"]
                return unknown
            try:
                begun = await self._begun(form, whole)
            except OSError:
                raise HTTPException(503, headers={"Retry-After": "600"}) from None
            if begun is not None:
                return StreamingResponse(_followed(*begun), media_type=TYPE, headers=headers)
        return FileResponse(whole, media_type=TYPE, headers=headers)

    async def close(self) -> None:
        for task, _ in self._making.values():
            task.cancel()
        await asyncio.gather(*(task for task, _ in self._making.values()), return_exceptions=True)
        if self._own is not None:
            await asyncio.to_thread(shutil.rmtree, self._own, True)

    def _file(self, form: str) -> Path:
        """Where a dump is kept: in the user's cache, named by what it is of; without a cache, while the site runs."""
        if os.environ.get("RULEWRIGHT_CACHE") == "":
            if self._own is None:
                self._own = Path(tempfile.mkdtemp(prefix="rulewright-dumps-"))
            return self._own / f"dump-{self._state}.{form}.gz"
        return cache_folder() / f"dump-{_digest(self._site.dataset.name)}-{self._state}.{form}.gz"

    async def _begun(self, form: str, whole: Path) -> tuple[IO[bytes], asyncio.Task[bool]] | None:
        """The file that is being written, from its beginning, and who writes it; None where it is whole now.

        Raises OSError.
        """
        async with self._one:
            if form not in self._making:
                if whole.is_file():
                    return None
                whole.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                handle, name = tempfile.mkstemp(".part", f"{whole.name}.", whole.parent)
                part = Path(name)
                task = asyncio.ensure_future(self._make(form, os.fdopen(handle, "wb"), part, whole))
                self._making[form] = task, part
            task, part = self._making[form]
            return part.open("rb"), task

    async def _make(self, form: str, out: IO[bytes], part: Path, whole: Path) -> bool:
        """Whether that went well."""
        try:
            with out:
                await _write(self._site.dataset, form, out)
            for old in _old(whole):
                old.unlink(missing_ok=True)
            os.replace(part, whole)
        except Exception:
            _LOG.exception("the dump as %s could not be written", form)
            return False
        finally:
            part.unlink(missing_ok=True)
            del self._making[form]
        return True


def _old(whole: Path) -> Iterator[Path]:
    """Dumps of other states of the dataset, and what a process left that was killed long ago."""
    of, _, state = whole.name.rpartition("-")
    _, _, suffix = state.partition(".")
    yield from whole.parent.glob(f"{of}-*.{suffix}")
    for part in whole.parent.glob(f"{of}-*.{suffix}.*.part"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > LEFT:
                yield part


async def _followed(content: IO[bytes], task: asyncio.Task[bool]) -> AsyncIterator[bytes]:
    """What is in the file and is still being written to it. Raises Failed."""
    with content:
        while True:
            ended = task.done()
            while chunk := await asyncio.to_thread(content.read, CHUNK):
                yield chunk
            if ended:
                break
            await asyncio.sleep(PAUSE)
    if task.cancelled() or not task.result():
        raise Failed


async def _write(dataset: Dataset, form: str, out: IO[bytes]) -> None:
    """Raises Failed, OSError."""
    if not isinstance(dataset, Local) or dataset.folder is None:
        await asyncio.to_thread(write, dataset, form, out)
        return
    command = (sys.executable, "-P", "-m", "rulewright.site.dumping", str(dataset.folder), form)
    async with running(*command, stdout=out.fileno()) as process:
        if await process.wait() != 0:
            raise Failed(f"its process ended with {process.returncode}")


def _state(dataset: Dataset) -> str:
    return _digest(state_of(dataset))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
