"""Workers as the server sees them: made, asked and killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
from dataclasses import asdict
from typing import Any

from rulewright.site.sparql.worker import Job, Setting, command, line

START = 120.0
"""Seconds in which a worker must have started, however busy the machine is."""
STEPPED_BACK = 15
"""Niceness of a query that takes long."""
MESSAGE = 2**16
"""Bytes of a line of a worker."""


class Failed(Exception):
    """A query could not be answered. `of`: what failed: the `memory`, the `format`, the `store`, or the `worker`. Only
    where it was the format is the message for who asked: another may name folders and hosts.
    """

    def __init__(self, message: str, of: str = "worker") -> None:
        super().__init__(message)
        self.of = of


class Maker:
    """The process that makes workers, made anew if it should end."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None
        self._one = asyncio.Lock()

    async def worker(self) -> Worker:
        """A new worker, ready. Raises Failed."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                await self._made()
                assert self._control is not None
                socket.send_fds(self._control, [b"w"], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise Failed(f"no worker starts: {error.strerror}") from None
            except BaseException:
                ours.close()
                raise
        worker = Worker(*await asyncio.open_unix_connection(sock=ours, limit=MESSAGE))
        try:
            said = await asyncio.wait_for(worker.heard(), START)
        except TimeoutError:
            worker.leave()
            raise Failed("no worker starts: it takes too long") from None
        except BaseException:
            worker.leave()
            raise
        if said is None or said["status"] != "ready":
            worker.leave()
            raise Failed(f"no worker starts: {said['message'] if said else 'it ended at once'}")
        worker.begin(said["process"])
        return worker

    async def _made(self) -> None:
        async with self._one:
            if self._process is not None and self._process.returncode is None:
                return
            if self._control is not None:
                self._control.close()
            self._control, theirs = socket.socketpair()
            with theirs:
                # In a group of its own no Ctrl+C reaches it; in the same session, niceness still counts (autogroup).
                # Few arenas of memory, so that what is asked for is what is used.
                self._process = await asyncio.create_subprocess_exec(
                    *command(self._setting), stdin=theirs.fileno(), process_group=0,
                    env={**os.environ, "MALLOC_ARENA_MAX": "2", "RUST_BACKTRACE": "0"},
                )  # fmt: skip

    async def close(self) -> None:
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


class Worker:
    """`usable`: whether it may do another job."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._handle = -1
        self.process, self.jobs, self.usable = 0, 0, True

    def begin(self, process: int) -> None:
        self.process = process
        # The number of a process may soon be another's; a descriptor of it stays its own (Linux).
        with contextlib.suppress(OSError, AttributeError):
            self._handle = os.pidfd_open(process)

    @property
    def alive(self) -> bool:
        return not self._reader.at_eof()

    async def ask(self, job: Job) -> dict[str, Any]:
        """Raises Failed."""
        self.jobs += 1
        with contextlib.suppress(ConnectionError):  # is heard of at once
            self._writer.write(line(asdict(job)))
            await self._writer.drain()
        said = await self.heard()
        if said is None:
            # Oxigraph aborts where it gets no memory or no stack; Python's own running out is reported.
            raise Failed("the worker aborted", "memory")
        return said

    async def heard(self) -> dict[str, Any] | None:
        """The next line that it says; None where it has ended."""
        with contextlib.suppress(ConnectionError):
            text = await self._reader.readline()
            if text.endswith(b"\n"):
                said: dict[str, Any] = json.loads(text)
                self.usable = self.usable and not said.pop("spent", False)
                return said
        self.usable = False
        return None

    def step_back(self) -> None:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self.process, STEPPED_BACK)
        self.usable = False  # nothing can step forward again

    def end(self) -> None:
        self.usable = False
        with contextlib.suppress(OSError):
            if self._handle >= 0:
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
                os.close(self._handle)
                self._handle = -1
            elif self.process:
                os.kill(self.process, signal.SIGKILL)
                self.process = 0

    def leave(self) -> None:
        """Lets go of one that is not known by its number yet: it ends when it sees that."""
        self.usable = False
        self._writer.close()

    async def kill(self) -> None:
        """Ends it, and waits until it has ended."""
        self.end()
        with contextlib.suppress(ConnectionError, TimeoutError):
            await asyncio.wait_for(self._reader.read(), START)
        self._writer.close()
