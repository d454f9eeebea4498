"""Workers that answer queries, and who may have one when.

Every query begins in one of a few short places. One that is not soon done moves to one of the long places, if one is
free, steps back behind all others in what it gets of the processor, and is killed when its time is over; where none is
free it is stopped, and starts anew when one is. A client whose queries were long of late begins in a long place. So
long queries wait for each other, and short ones hardly for them. Clients take turns: who asks much waits for itself.

An answer is written to a file, not to the client: then its status is known before it is sent, and a client that reads
slowly holds no worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import tempfile
import time
import weakref
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rulewright.site.sparql.protocol import Asked
from rulewright.site.sparql.worker import GRACE, Job, Setting
from rulewright.site.sparql.workers import Failed, Maker, Worker
from rulewright.store import Dataset
from rulewright.store.local import Local

log = logging.getLogger(__name__)
SPARE = 2
"""Workers beyond those that can be busy: a new one takes a while to start."""
FORGIVEN = 30.0
"""Seconds in which half of what a client has used is forgotten."""
RECYCLED = 1000
"""Jobs after which a worker is replaced: whatever it has kept goes with it."""


@dataclass(frozen=True)
class Limits:
    """`time`: seconds a query may run, of which `short` in a short place. `rows`, `size`: rows or triples, and bytes,
    of an answer; `page_rows`, `page_size`: those of one shown as a page. `memory`: bytes a query may take. `body`:
    bytes of a request. `waiting`, `waiting_each`: how many may wait for a place, in all and of one client; `patience`:
    seconds they do. `unsent`: answers that are still being sent, in all.
    """

    time: float = 10.0
    short: float = 0.5
    rows: int = 10_000
    size: int = 16 * 2**20
    page_rows: int = 500
    page_size: int = 2**20
    memory: int = 512 * 2**20
    body: int = 2**20
    short_places: int = 3
    long_places: int = 2
    waiting: int = 64
    waiting_each: int = 16
    patience: float = 10.0
    unsent: int = 64


class Busy(Exception):
    """There was no place in time, or too many wait already."""


class TimedOut(Exception):
    """The query did not come to an end in its time."""


class _Later(Exception):
    """There is no long place: the query has to start anew."""


@dataclass(frozen=True)
class Answer:
    """How it went (see `worker`), and what was written, from its beginning. Close the file."""

    report: dict[str, Any]
    content: IO[bytes]


class Places:
    """So many at once; who waits is served by client in turn."""

    def __init__(self, number: int, waiting: int, each: int) -> None:
        self.free = number
        self._limit, self._each = waiting, each
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        return sum(map(len, self._queues.values()))

    def try_enter(self) -> bool:
        """Takes a place if one is free."""
        if not self.free or self._queues:
            return False
        self.free -= 1
        return True

    async def enter(self, client: str, patience: float) -> None:
        """Takes a place, or waits for one. Raises Busy."""
        if self.try_enter():
            return
        queue = self._queues.get(client, deque())
        if self.waiting >= self._limit or len(queue) >= self._each:
            raise Busy
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, queue).append(turn)
        try:
            await asyncio.wait([turn], timeout=patience)
        except asyncio.CancelledError:
            if turn.done():
                self.leave()
            raise
        finally:
            self._forget(client, turn)
        if not turn.done():
            raise Busy

    def leave(self) -> None:
        """Gives the place to the next who waits."""
        while self._queues:
            client, queue = self._queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._queues[client] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1

    def _forget(self, client: str, turn: asyncio.Future[None]) -> None:
        queue = self._queues.get(client)
        if queue is not None and turn in queue:
            queue.remove(turn)
            if not queue:
                del self._queues[client]


class Pool:
    """Workers on a dataset. It starts at the first query, and belongs to that event loop."""

    def __init__(self, dataset: Dataset, limits: Limits | None = None) -> None:
        self.limits = limits = limits or Limits()
        self.counts: Counter[str] = Counter()
        """How queries ended: `ok`, `bad`, `unacceptable`, `failed`, `memory`, `timeout`, `busy`, `gone` (cancelled)."""
        self._dataset = dataset
        self._short = Places(limits.short_places, limits.waiting, limits.waiting_each)
        self._long = Places(limits.long_places, limits.waiting, limits.waiting_each)
        self._number = limits.short_places + limits.long_places + SPARE
        self._used: dict[str, tuple[float, float]] = {}
        self._all: set[Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._started: asyncio.Future[None] | None = None
        self._closed = False
        self._problem = ""
        self._maker: Maker | None = None
        self._folder: Path | None = None
        self.unsent = 0
        self.killed = 0
        """Workers that were killed while they answered."""

    @property
    def places(self) -> dict[str, tuple[int, int, int]]:
        """By kind: how many there are, how many of them are taken, and how many queries wait for one."""
        kinds = (("short", self._short, self.limits.short_places), ("long", self._long, self.limits.long_places))
        return {kind: (number, number - places.free, places.waiting) for kind, places, number in kinds}

    @property
    def workers(self) -> int:
        return sum(worker.alive for worker in self._all)

    async def start(self) -> None:
        """Starts the workers; again, and at once, it does nothing. Raises Failed."""
        if self._closed:
            raise Failed("the endpoint is closed")
        if self._started is None:
            self._started = asyncio.ensure_future(self._start())
        try:
            await asyncio.shield(self._started)
        except Failed:
            self._started = None
            raise

    async def _start(self) -> None:
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="rulewright-sparql-"))
            weakref.finalize(self, shutil.rmtree, self._folder, True)
        try:
            store = await asyncio.to_thread(self._store, self._folder)
        except Exception as error:
            raise Failed(f"the store cannot be copied for the workers: {error}") from None
        limits = self.limits
        server = self._dataset.name if store is None else None
        setting = Setting(str(store) if store else None, server, limits.memory, limits.time, limits.size)
        self._maker = Maker(setting)
        first = await self._new()
        self._all.add(first)
        self._idle.put_nowait(first)
        for _ in range(self._number - 1):
            self._soon(self._replace())

    def _store(self, folder: Path) -> Path | None:
        """The folder of a store for the workers to read, to which a dataset in memory is written; None for a server."""
        if not isinstance(self._dataset, Local):
            return None
        if self._dataset.folder is not None:
            return self._dataset.folder
        import pyoxigraph as ox

        copy = folder / "store"
        if not copy.exists():
            part = folder / "part"
            shutil.rmtree(part, ignore_errors=True)
            store = ox.Store(part)
            store.bulk_extend(self._dataset.quads())
            store.flush()
            del store
            part.rename(copy)
        return copy

    async def close(self) -> None:
        """Ends all workers, and what they are doing."""
        self._closed = True
        if self._started is not None and not self._started.done():
            self._started.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in list(self._all)), return_exceptions=True)
        self._all.clear()
        if self._maker is not None:
            await self._maker.close()
        if self._folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._folder, True)

    async def run(self, asked: Asked, formats: dict[str, str], client: str) -> Answer:
        """The answer to a query, in the formats of these names. Raises Busy, TimedOut, Failed.

        Cancelled, it kills the worker.
        """
        try:
            answer = await self._run(asked, formats, client)
        except asyncio.CancelledError:
            self.counts["gone"] += 1
            raise
        except Busy:
            self.counts["busy"] += 1
            raise
        except TimedOut:
            self.counts["timeout"] += 1
            raise
        except Failed as error:
            self.counts["memory" if error.of == "memory" else "failed"] += 1
            log.warning("a query failed (%s): %s", error.of, error)
            raise
        self.counts[answer.report["status"]] += 1
        return answer

    async def _run(self, asked: Asked, formats: dict[str, str], client: str) -> Answer:
        await self.start()
        limits = self.limits
        if self.unsent >= limits.unsent:
            raise Busy
        number, path = tempfile.mkstemp(dir=self._folder, prefix="answer-")
        content = os.fdopen(number, "rb")
        job = Job(
            asked.query or "", asked.default_graphs, asked.named_graphs, formats, path,
            limits.rows, limits.size, limits.page_rows, limits.page_size,
        )  # fmt: skip
        try:
            try:
                report = await self._attempt(job, client, self._long if self._heavy(client) else self._short)
            except _Later:
                report = await self._attempt(job, client, self._long)
            if report["status"] == "failed":
                raise Failed(report["message"], report["of"])
        except BaseException:
            content.close()
            raise
        finally:
            os.unlink(path)
        return Answer(report, content)

    async def _attempt(self, job: Job, client: str, places: Places) -> dict[str, Any]:
        limits = self.limits
        await places.enter(client, limits.patience)
        used = 0.0
        try:
            async with self._worker() as worker:
                began = time.monotonic()
                asking = asyncio.ensure_future(worker.ask(job))
                try:
                    first = min(limits.short, limits.time)
                    left = limits.time - first
                    await asyncio.wait([asking], timeout=first)
                    if not asking.done() and left and places is self._short:
                        if not self._long.try_enter():
                            raise _Later
                        places.leave()
                        places = self._long
                    if not asking.done():
                        worker.step_back()
                        await asyncio.wait([asking], timeout=left)
                    # one that was not looked at in time has ended itself
                    overdue = time.monotonic() - began > limits.time + GRACE
                    if not asking.done() or (overdue and asking.exception() is not None):
                        raise TimedOut
                    return asking.result()
                finally:
                    if not asking.done():
                        self.killed += 1
                        worker.end()
                        asking.cancel()
                        await asyncio.wait([asking])
                    used = time.monotonic() - began
        finally:
            places.leave()
            if used > limits.short:
                self._charge(client, used)

    def _charge(self, client: str, seconds: float) -> None:
        now = time.monotonic()
        if len(self._used) > 1000:
            self._used = {name: used for name, used in self._used.items() if now - used[1] < 4 * FORGIVEN}
        self._used[client] = self._still_used(client) + seconds, now

    def _still_used(self, client: str) -> float:
        seconds, then = self._used.get(client, (0.0, 0.0))
        return float(seconds * 0.5 ** ((time.monotonic() - then) / FORGIVEN))

    def _heavy(self, client: str) -> bool:
        return self._still_used(client) > 2 * self.limits.short

    @contextlib.asynccontextmanager
    async def _worker(self) -> AsyncIterator[Worker]:
        """There are as many workers as places: one is there, or on its way. Raises Failed."""
        while True:
            try:
                worker = await asyncio.wait_for(self._idle.get(), self.limits.patience)
            except TimeoutError:
                raise Failed(self._problem or "no worker is ready") from None
            if worker.alive:
                break
            self._soon(self._replace(worker))
        try:
            yield worker
        finally:
            if worker.usable and worker.jobs < RECYCLED and not self._closed:
                self._idle.put_nowait(worker)
            else:
                worker.end()
                self._soon(self._replace(worker))

    async def _replace(self, old: Worker | None = None) -> None:
        """Puts a new worker in the place of one that has ended, however often that takes."""
        if old is not None:
            await old.kill()
            self._all.discard(old)
        while not self._closed:
            try:
                worker = await self._new()
            except (Failed, OSError) as error:
                self._problem = str(error)
                log.error("%s", error)
                await asyncio.sleep(1.0)
                continue
            self._problem = ""
            self._all.add(worker)
            self._idle.put_nowait(worker)
            return

    async def _new(self) -> Worker:
        assert self._maker is not None
        return await self._maker.worker()

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
