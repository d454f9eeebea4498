"""A process that judges the games that someone sent, and writes the page's part to standard output.

It has little memory and can be killed: a long or a wicked record costs the site nothing else.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
from contextlib import suppress
from itertools import islice
from typing import Final

LARGEST: Final = 2 * 2**20
"""Bytes that are taken."""
GAMES: Final = 25
"""Games of what is given that are judged."""
TIME: Final = 20.0
"""Seconds that it may take."""
MEMORY: Final = 1536 * 2**20
PAGE: Final = 16 * 2**20
"""Bytes of what is written."""
AT_ONCE: Final = 2
WAITING: Final = 8


class TooMuch(Exception):
    """The games are more than can be judged in the time and memory there is."""


class Busy(Exception):
    """Too many games are being judged."""


class Judge:
    """Starts such processes, a few at once."""

    def __init__(self) -> None:
        self._free, self._waiting = asyncio.Semaphore(AT_ONCE), 0

    async def judge(self, data: bytes, name: str, language: str, root: str, kept: str) -> str:
        """The games as HTML. Raises TooMuch, Busy."""
        if self._waiting >= WAITING:
            raise Busy
        self._waiting += 1
        try:
            async with self._free:
                return await self._judged(data, json.dumps([name, language, root, kept]))
        finally:
            self._waiting -= 1

    async def _judged(self, data: bytes, setting: str) -> str:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", __name__, setting,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(TIME):
                told, _ = await process.communicate(data)
        except TimeoutError:
            raise TooMuch from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode != 0 or len(told) > PAGE:
            raise TooMuch
        return told.decode("utf-8")


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (round(TIME) + 5,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(10)
    from rulewright.explain import Run
    from rulewright.site import game
    from rulewright.site.addresses import Addresses, kept_language
    from rulewright.sources import log_records

    name, language, root, kept = json.loads(sys.argv[1])
    kept_language.set(kept)
    run = Run(everything=True, keep=True)
    records = log_records(sys.stdin.buffer.read(), name, run.knowledge.parameters())
    outcomes = list(islice(run.outcomes(records), GAMES))
    for outcome in outcomes:
        if outcome.entry is not None:
            outcome.entry["source"] = name
            outcome.entry["verdicts"].sort(key=lambda verdict: verdict["verdict"] == "conforms")
    told = game.body(outcomes, language, knowledge=run.knowledge, link=Addresses(root).href)
    sys.stdout.buffer.write(told.encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
