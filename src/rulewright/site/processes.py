"""Processes of their own, for what takes a processor for a while."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any


@asynccontextmanager
async def running(*command: str, **pipes: Any) -> AsyncIterator[Process]:
    """A process with nothing to read, which does not outlive who waits for it. `pipes`: as asyncio has them."""
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.DEVNULL, **pipes)
    try:
        yield process
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
