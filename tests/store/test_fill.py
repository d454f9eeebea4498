"""Large graphs are written whole or not at all, and nobody sees a part of one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest

from rulewright.store import Dataset, StoreError
from rulewright.store.dataset import JOURNAL
from rulewright.store.local import BATCH
from rulewright.vocabulary import CORE
from waiting import PATIENCE

ONE, TWO = "urn:example:graph:1", "urn:example:graph:2"
MANY = 2 * BATCH + 1


@pytest.fixture(params=["memory", "disk"])
def data(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Dataset]:
    with Dataset.open(tmp_path / "store" if request.param == "disk" else None) as made:
        yield made


def lines(number: int, first: int = 0) -> Iterator[str]:
    for n in range(first, number):
        yield f'<urn:example:{n}> <urn:example:is> "{n}" .\n'


def size(data: Dataset, graph: str) -> int:
    return sum(1 for _ in data.triples(graph))


def counted(data: Dataset, pattern: str = "?s <urn:example:is> ?o") -> int:
    rows = data.query(f"SELECT (COUNT(*) AS ?n) {{ {pattern} }}")
    assert isinstance(rows, ox.QuerySolutions)
    return int(next(rows)["n"].value)


def marks(data: Dataset) -> list[tuple[str, str]]:
    return sorted((t.subject.value, t.predicate.value.removeprefix(CORE)) for t in data.triples(JOURNAL))


@pytest.mark.parametrize("number", [0, 3, BATCH, MANY])
def test_all_lines_are_there(data: Dataset, number: int) -> None:
    assert data.fill(ONE, lines(number)) == number
    assert size(data, ONE) == counted(data) == number
    assert marks(data) == [(ONE, "committed")]


@pytest.mark.parametrize("number", [3, MANY])
def test_the_same_again_changes_nothing(data: Dataset, number: int) -> None:
    data.fill(ONE, lines(number))
    before = set(data.quads())
    data.fill(ONE, lines(number))
    data.fill(ONE, lines(number), replace=True)
    assert set(data.quads()) == before


@pytest.mark.parametrize("number", [3, MANY])
def test_more_is_added_and_replaced(data: Dataset, number: int) -> None:
    data.fill(ONE, lines(number))
    data.fill(TWO, lines(1))
    data.fill(ONE, lines(number + 2, number))
    assert size(data, ONE) == number + 2
    data.fill(ONE, lines(number + 5, 1), replace=True)
    assert {t.object.value for t in data.triples(ONE)} == {str(n) for n in range(1, number + 5)}
    assert size(data, TWO) == 1
    assert marks(data) == [(ONE, "committed"), (TWO, "committed")]


def test_in_order_all_is_as_it_was(data: Dataset) -> None:
    for graph in (ONE, TWO):
        data.fill(graph, lines(MANY))
    before = set(data.quads())
    for _ in range(2):
        data.settle()
        assert set(data.quads()) == before
    data.fill(ONE, lines(MANY + 1, MANY))
    data.settle()
    assert size(data, ONE) == MANY + 1


def test_blank_nodes_keep_together(data: Dataset) -> None:
    for replace in (False, True):
        pairs = [f'_:b{n} <urn:example:a> "{n}" .\n_:b{n} <urn:example:b> "{n}" .\n' for n in range(3)]
        data.fill(ONE, "".join(pairs).splitlines(keepends=True), replace)
        assert counted(data, "?s <urn:example:a> ?n ; <urn:example:b> ?n") == 3
        assert size(data, ONE) == 6


@pytest.mark.parametrize("number", [3, MANY])
@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("problem", [RuntimeError, KeyboardInterrupt, SyntaxError])
def test_what_breaks_off_leaves_all_as_it_was(
    data: Dataset, number: int, there: bool, problem: type[BaseException]
) -> None:
    def broken() -> Iterator[str]:
        yield from lines(number + 3, 1)
        if problem is SyntaxError:
            yield "<urn:example:1> <urn:example:is> nonsense .\n"
        else:
            raise problem("broke off")

    data.fill(TWO, lines(1))
    if there:
        data.fill(ONE, lines(number))
    before = set(data.quads())
    for replace in (False, True):
        with pytest.raises(problem):
            data.fill(ONE, broken(), replace)
        assert set(data.quads()) == before


@pytest.mark.parametrize("number", [3, MANY])
def test_nobody_sees_a_part(data: Dataset, number: int) -> None:
    seen = []

    def watched() -> Iterator[str]:
        for n, line in enumerate(lines(number)):
            yield line
            if n in (1, number - 1):
                seen.append((counted(data), counted(data, "GRAPH ?g { ?s <urn:example:is> ?o }"), size(data, ONE)))
                assert ONE not in data
                assert data.graphs() == [TWO, JOURNAL] or data.graphs() == [JOURNAL, TWO]
                assert len(data) == len(set(data.quads()))

    data.fill(TWO, lines(1))
    data.fill(ONE, watched())
    assert seen == [(1, 1, 0)] * 2
    assert counted(data) == number + 1


def test_dropped(data: Dataset) -> None:
    data.fill(ONE, lines(MANY))
    data.fill(TWO, lines(2))
    for _ in range(2):
        data.drop(ONE)
        assert data.graphs() == sorted([TWO, JOURNAL])
        assert marks(data) == [(TWO, "committed")]
        assert len(data) == 3


def killed(folder: Path, code: str) -> None:
    start = f"import os, signal; from pathlib import Path; from rulewright.store import Dataset, local\n{code}"
    done = subprocess.run([sys.executable, "-c", start, str(folder)], check=False, timeout=PATIENCE)
    assert done.returncode == -signal.SIGKILL


PART = f"""
def lines():
    for n in range({3 * BATCH}):
        yield f'<urn:example:{{n}}> <urn:example:is> "{{n}}" .\\n'
    os.kill(os.getpid(), signal.SIGKILL)
def pour(self, graph, lines):
    self._store.load("".join(__import__("itertools").islice(lines, 2000)).encode(),
                     format=local.ox.RdfFormat.N_TRIPLES, to_graph=graph)
    os.kill(os.getpid(), signal.SIGKILL)
local.Local._pour = pour
Dataset.open(Path(os.sys.argv[1])).fill("{ONE}", lines())
"""


def test_a_reader_sees_no_part_and_a_writer_removes_it(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with Dataset.open(folder) as made:
        made.fill(TWO, lines(2))
    killed(folder, PART)
    with Dataset.open(folder, read_only=True) as data:
        assert len(data._store) == 2 + 2000 + 2
        assert (counted(data), counted(data, "GRAPH ?g { ?s <urn:example:is> ?o }")) == (2, 2)
        assert counted(data, f"GRAPH <{ONE}> {{ ?s <urn:example:is> ?o }}") == 0
        assert (ONE in data, size(data, ONE)) == (False, 0)
        with pytest.raises(StoreError, match="for reading only"):
            data.fill(ONE, lines(1))
    with Dataset.open(folder) as data:
        assert len(data._store) == 3
        assert marks(data) == [(TWO, "committed")]
        data.fill(ONE, lines(MANY))
        assert counted(data) == 2 + MANY


KILLS = 20
BIG = 150_000
WRITER = f"""
import signal, sys, time
from pathlib import Path
from rulewright.store import Dataset
def lines():
    for n in range({BIG}):
        yield f'<urn:example:{{n}}> <urn:example:is> "{{n}}" .\\n'
with Dataset.open(Path(sys.argv[1])) as data:
    print("open", flush=True)
    signal.setitimer(signal.ITIMER_PROF, float(sys.argv[2]))
    began = time.process_time()
    data.fill("{ONE}", lines())
    spent = time.process_time() - began
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(spent, flush=True)
    signal.pause()
"""
"""It is killed after so many seconds of the processor, which are as many on a busy machine; or, when it is done, from
outside."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no kill -9")
def test_kill_at_random_moments_of_a_big_fill(tmp_path: Path) -> None:
    """After each kill the graph is there whole or not at all, for a reader and for the next writer."""
    seed = random.SystemRandom().randrange(2**32)
    chance = random.Random(seed)
    whole = 0.0
    outcomes = {"as before": 0, "whole": 0}
    folder = tmp_path / "store"
    with Dataset.open(folder) as made:
        made.fill(TWO, lines(2))
    for number in range(KILLS + 1):
        told = f"seed {seed}, kill {number}"
        spent = str(chance.uniform(0.001, whole * 1.2)) if number else "0"
        with subprocess.Popen([sys.executable, "-c", WRITER, folder, spent], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"open\n", told
            done = process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -(signal.SIGKILL if done else signal.SIGPROF), told
        whole = whole or float(done)
        for read_only in (True, False):
            with Dataset.open(folder, read_only) as data:
                there = counted(data) - 2
                assert there in (0, BIG), told
                assert (ONE in data) == bool(there), told
                assert size(data, TWO) == 2, told
                if not read_only:
                    assert not [m for m in marks(data) if m[1] == "started"], told
                    assert len(data._store) == len(data), told
        outcomes["whole" if there else "as before"] += 1
        if there:
            with Dataset.open(folder) as data:
                data.drop(ONE)
    print(outcomes, f"seed {seed}")
    assert outcomes["as before"] > KILLS / 4, outcomes
