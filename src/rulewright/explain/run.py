"""A run of checks from input to outcomes, in this process or in several."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.axioms import Knowledge, packaged_knowledge, read_files
from rulewright.checks import Checker
from rulewright.explain.report import Outcome, outcome
from rulewright.records import Record, RecordError

if TYPE_CHECKING:
    from rulewright.store import Dataset

CHUNK = 200
"""Records that are handed to another process at a time."""


def knowledge(axioms: Iterable[Path] = ()) -> Knowledge:
    """The packaged axioms, and those of further files on top."""
    return read_files(axioms, packaged_knowledge())


class Run:
    """How records are to be checked.

    `keep`: whether each outcome has its record, which a picture is made of. `assumed`: kinds of what is left out
    that are taken as none (`rulewright.checks.assumptions.KINDS`).
    """

    def __init__(
        self,
        axioms: tuple[Path, ...] = (),
        engine: str = "fast",
        everything: bool = False,
        expect: bool = False,
        keep: bool = False,
        assumed: Collection[str] = (),
    ) -> None:
        self.knowledge = knowledge(axioms)
        self.everything, self.expect, self.keep = everything, expect, keep
        self._arguments = (axioms, engine, everything, expect, keep, tuple(assumed))
        self._checker = Checker(self.knowledge, engine, everything or expect, assumed)

    def outcomes(self, records: Iterable[Record | RecordError], jobs: int = 1) -> Iterator[Outcome]:
        """Outcomes in the order of the input."""
        if jobs == 1:
            for result in self._checker.check(records):
                yield outcome(result, self.knowledge, self.everything, self.expect, self.keep)
            return
        stream = iter(records)
        chunks = iter(lambda: list(islice(stream, CHUNK)), [])
        with ProcessPoolExecutor(jobs, initializer=_start, initargs=self._arguments) as pool:
            waiting = [pool.submit(_work, chunk) for chunk in islice(chunks, 2 * jobs)]
            while waiting:
                yield from waiting.pop(0).result()
                waiting += [pool.submit(_work, chunk) for chunk in islice(chunks, 1)]


    def stored(self, dataset: Dataset) -> Iterator[Outcome]:
        """Outcomes of the game records in a dataset, in the order of their identifiers, judged where they are.

        Nothing is written there. Raises StoreError.
        """
        from rulewright.checks.endpoint import EndpointChecker, StoredGames

        games = StoredGames(dataset)
        checker = EndpointChecker(self.knowledge, games, dataset.name, self.everything)
        for result in checker.check(games.records()):
            yield outcome(result, self.knowledge, self.everything, keep=self.keep)


_STARTED: list[Run] = []
"""In a process of the pool: its run, made once."""


def _start(
    axioms: tuple[Path, ...], engine: str, everything: bool, expect: bool, keep: bool, assumed: tuple[str, ...]
) -> None:
    _STARTED[:] = [Run(axioms, engine, everything, expect, keep, assumed)]


def _work(items: list[Record | RecordError]) -> list[Outcome]:
    return list(_STARTED[0].outcomes(items))
