"""Kill -9 during ingest into a store on disk: every graph is there whole or not at all, and the store opens again.

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
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pyoxigraph as ox
import pytest

import rulewright
from rulewright.sources.ingest import graph_of
from rulewright.store import Dataset
from rulewright.store.dataset import PACKAGED
from rulewright.vocabulary import CORE

KILLS = 50
EVERY = 5
"""So many kills a store; then another is begun, so that its making and filling are interrupted too."""
DOCUMENTS, STATEMENTS = 12, 40
FORKER = """
import os, signal, sys, time
import rulewright.sources.ingest, rulewright.store.scenarios, rulewright.terms.language
from rulewright.cli.main import cli
print("ready", flush=True)
for line in sys.stdin:
    delay, *arguments = line.rstrip("\\n").split("\\t")
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            cli.main(arguments, standalone_mode=False)
        except SystemExit as end:
            os._exit(end.code or 0)
        os._exit(99)
    if float(delay) >= 0:
        time.sleep(float(delay))
        os.kill(child, signal.SIGKILL)  # it is waited for below: its number is still its own
    print(os.waitpid(child, 0)[1], flush=True)
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

    def run(self, *arguments: str | Path, delay: float = -1) -> int:
        """The wait status of a run, killed after `delay` seconds unless that is negative."""
        assert self._process.stdin is not None
        print(delay, *arguments, sep="\t", file=self._process.stdin, flush=True)
        return int(self._answer())

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture
def forker() -> Iterator[Forker]:
    made = Forker()
    yield made
    made.close()


@pytest.fixture
def documents(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "documents"
    folder.mkdir()
    paths = [folder / f"{n:02}.txt" for n in range(DOCUMENTS)]
    for path in paths:
        text = "".join(f"01/02/2020\n\nSatz {i} von {path.stem} über die Karte.\n\n" for i in range(STATEMENTS))
        path.write_text(f"Karte {path.stem}\n\n{text}", encoding="utf-8")
    return paths


def sizes(data: Dataset) -> Counter[str]:
    return Counter(q.graph_name.value for q in data.quads() if isinstance(q.graph_name, ox.NamedNode))


def test_fifty_kills(forker: Forker, documents: list[Path], tmp_path: Path) -> None:
    whole = sizes(rulewright.ingest(documents).dataset)
    ours = [graph_of(sha256(path.read_bytes()).hexdigest()) for path in documents]
    assert all(whole[graph] > STATEMENTS * 8 for graph in ours)

    began = time.monotonic()
    assert forker.run("ingest", *documents, "--store", tmp_path / "unharmed") == 0
    duration = time.monotonic() - began
    with Dataset.open(tmp_path / "unharmed", read_only=True) as data:
        assert sizes(data) == whole

    seed = random.SystemRandom().randrange(2**32)
    chance = random.Random(seed)
    outcomes: Counter[str] = Counter()
    before: set[str] = set()
    for number in range(KILLS):
        store = tmp_path / f"store-{number // EVERY}"
        if number % EVERY == 0:
            before = set()
        status = forker.run("ingest", *documents, "--store", store, delay=chance.uniform(0, duration))
        told = f"seed {seed}, kill {number}"
        assert status in (signal.SIGKILL, 0), told
        with Dataset.open(store) as data:
            found = sizes(data)
            digests = {
                t.subject.value
                for t in data.triples(PACKAGED)
                if t.predicate.value == CORE + "digest" and isinstance(t.subject, ox.NamedNode)
            }
        packaged = whole.keys() - set(ours) - {PACKAGED}
        for graph in found.keys() - {PACKAGED}:
            assert found[graph] == whole[graph], f"{told}: {graph}"
        assert digests == found.keys() & packaged, told
        assert before <= found.keys(), f"{told}: what was there is gone"
        new = found.keys() - before
        outcomes["killed" if status else "done"] += 1
        outcomes["as before" if not new else "complete" if found == whole else "some files more"] += 1
        before = set(found)
        if number % EVERY == EVERY - 1:
            assert forker.run("ingest", *documents, "--store", store) == 0, told
            with Dataset.open(store, read_only=True) as data:
                assert sizes(data) == whole, f"{told}: the same again completes it"
            shutil.rmtree(store)
    print(dict(outcomes), f"seed {seed}")
    assert outcomes["killed"] >= KILLS / 2, outcomes
    assert outcomes["some files more"], outcomes
