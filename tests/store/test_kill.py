"""Killed during ingest into a store on disk: every graph is there whole or not at all, and the store opens again.

A process that has loaded everything forks a child for each run, so that a run costs no start; the child is the command
line itself, and is killed at a random moment of it.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.sources.ingest import graph_of
from rulewright.store import Dataset
from rulewright.store.dataset import JOURNAL, PACKAGED
from rulewright.vocabulary import CORE

KILLS = 50
EVERY = 10
"""So many kills a store; then another is begun, so that its making and filling are interrupted too."""
DOCUMENTS, STATEMENTS = 8, 25
"""New documents for each run, all of the same size."""
FORKER = """
import os, signal, sys
import rulewright.sources.ingest, rulewright.store.scenarios, rulewright.terms.language
from rulewright.cli.main import cli
print("ready", flush=True)
for line in sys.stdin:
    delay, *arguments = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        signal.setitimer(signal.ITIMER_PROF, float(delay))
        try:
            cli.main(arguments, standalone_mode=False)
        except SystemExit as end:
            os._exit(end.code or 0)
        os._exit(99)
    _, status, used = os.wait4(child, 0)
    print(status, used.ru_utime + used.ru_stime, flush=True)
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


class Forker:
    """Runs `rulewright` in children."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", FORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._answer() == "ready"

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def run(self, *arguments: str | Path, delay: float = 0) -> tuple[int, float]:
        """The wait status of a run, killed after `delay` seconds of the processor unless that is 0; and how many such
        it took, which are as many on a busy machine.
        """
        assert self._process.stdin is not None
        print(delay, *arguments, sep="\t", file=self._process.stdin, flush=True)
        status, spent = self._answer().split()
        return int(status), float(spent)

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture
def forker() -> Iterator[Forker]:
    made = Forker()
    yield made
    made.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "documents"
    made.mkdir()
    return made


def documents(folder: Path, run: str) -> dict[str, Path]:
    """Documents that no other run has, by the graphs that they become."""
    made = {}
    for number in range(DOCUMENTS):
        path = folder / f"{run}-{number}.txt"
        sentences = (f"01/02/2020\n\nSatz {i} von {path.stem} über die Karte.\n\n" for i in range(STATEMENTS))
        path.write_text(f"Karte {path.stem}\n\n{''.join(sentences)}", encoding="utf-8")
        made[graph_of(sha256(path.read_bytes()).hexdigest())] = path
    return made


def sizes(data: Dataset) -> dict[str, int]:
    """Triples by graph, without the journal, which holds when each was written."""
    rows = data.query(f"SELECT ?g (COUNT(*) AS ?n) {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(?g != <{JOURNAL}>) }} GROUP BY ?g")
    assert isinstance(rows, ox.QuerySolutions)
    return {row["g"].value: int(row["n"].value) for row in rows}


def digests(data: Dataset) -> set[str]:
    """The graphs that the store says it has of the package."""
    of = [t.subject for t in data.triples(PACKAGED) if t.predicate.value == CORE + "digest"]
    return {s.value for s in of if isinstance(s, ox.NamedNode)}


def journal(data: Dataset) -> list[tuple[str, str]]:
    return sorted((t.subject.value, t.predicate.value.removeprefix(CORE)) for t in data.triples(JOURNAL))


def test_fifty_kills(forker: Forker, folder: Path, tmp_path: Path) -> None:
    first, second = documents(folder, "first"), documents(folder, "second")
    unharmed = tmp_path / "unharmed"
    duration = []
    for docs in (first, second):
        status, spent = forker.run("ingest", *docs.values(), "--store", unharmed)
        assert status == 0
        duration.append(spent)
    with Dataset.open(unharmed, read_only=True) as data:
        whole = sizes(data)
    package = whole.keys() - first.keys() - second.keys()
    (size,) = {whole[graph] for graph in (*first, *second)}
    assert size > STATEMENTS * 8

    seed = random.SystemRandom().randrange(2**32)
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    before: dict[str, int] = {}
    for number in range(KILLS):
        told = f"seed {seed}, kill {number}"
        store = tmp_path / f"store-{number // EVERY}"
        fresh = number % EVERY == 0
        if fresh:
            before = {}
        docs = documents(folder, str(number))
        delay = chance.uniform(0.001, duration[0] if fresh else duration[1])
        status, _ = forker.run("ingest", *docs.values(), "--store", store, delay=delay)
        assert status in (signal.SIGPROF, 0), told
        with Dataset.open(store) as data:
            found = sizes(data)
            assert digests(data) == found.keys() & package - {PACKAGED}, told
            assert journal(data) == sorted((g, "committed") for g in found.keys() - package), told
        for graph, count in found.items():
            expected = whole.get(graph, size) if graph != PACKAGED else len(found.keys() & package) - 1
            assert count == expected, f"{told}: {graph} is there in part"
        assert found.items() >= {g: n for g, n in before.items() if g != PACKAGED}.items(), f"{told}: something is gone"
        new = found.keys() - before.keys()
        assert new <= docs.keys() | package, told
        outcomes["killed" if status else "done"] += 1
        outcomes["as before" if not new else "all" if docs.keys() <= found.keys() else "some of the files"] += 1
        before = found
        if number % EVERY == EVERY - 1:
            assert forker.run("ingest", *docs.values(), "--store", store)[0] == 0, told
            with Dataset.open(store, read_only=True) as data:
                after = sizes(data)
            assert after.keys() == found.keys() | package | docs.keys(), f"{told}: the same again completes it"
            assert {g: after[g] for g in package} == {g: whole[g] for g in package}, told
            shutil.rmtree(store)
    print(dict(outcomes), f"seed {seed}")
    assert outcomes["killed"] >= KILLS / 3, outcomes
    assert outcomes["some of the files"], outcomes
