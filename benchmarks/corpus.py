"""The whole graph measured: its size, how fast it opens, and each named query, beside rdflib.

    python benchmarks/corpus.py [STORE] [--rdflib] [--runs N] [--limit SECONDS]

STORE is what `make corpus` built (default: build/corpus). Writes benchmarks/CORPUS.md. rdflib holds its graph in
memory; to let it, it is given all but the editions of the rules. A store in memory of just these triples is what it is
compared with. Each of its queries runs in a process of its own, which ends with its time.
"""

from __future__ import annotations

import argparse
import datetime as dt
import multiprocessing
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from rulewright.store import Dataset
from rulewright.store.queries import Query, load_queries

SLOW = 1.0
"""Seconds of rdflib from which a query counts as slow."""
OPEN = "import sys, pathlib, rulewright.store as s; s.Dataset.open(pathlib.Path(sys.argv[1]), read_only=True)"

clock = time.process_time


def timed(ask: Callable[[], Any], runs: int) -> tuple[list[float], int]:
    """The seconds of each run, and how many rows there were."""
    times, rows = [], 0
    for _ in range(runs):
        begin = clock()
        rows = sum(1 for _ in ask())
        times.append(clock() - begin)
        if sum(times) > 60:
            break
    return times, rows


def ask(dataset: Dataset, query: Query, text: str) -> Any:
    found = dataset.query(text, graphs=query.graphs)
    return [found] if isinstance(found, ox.QueryBoolean) else found


def in_memory(corpus: Dataset, without: Collection[str] = ()) -> Dataset:
    made = Dataset.open()
    for graph in corpus.graphs():
        if graph not in without:
            made.fill(graph, (f"{triple} .\n" for triple in corpus.triples(graph)))
    return made


def in_rdflib(corpus: Dataset, without: set[str]) -> Any:
    import rdflib

    graph = rdflib.Graph()
    for name in corpus.graphs():
        if name not in without:
            graph.parse(data="".join(f"{t} .\n" for t in corpus.triples(name)), format="nt")
    return graph


def limited(seconds: int, run: Callable[[], Any]) -> float | str:
    """The seconds that it takes in a process of its own, which has so many; or how it ended."""

    def child(answer: Connection) -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        begin = clock()
        try:
            sum(1 for _ in run())
            answer.send(clock() - begin)
        except Exception as error:
            answer.send(type(error).__name__)

    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=child, args=(theirs,))
    process.start()
    theirs.close()
    try:
        found: float | str = ours.recv()
    except EOFError:
        found = f"> {seconds}"
    process.join()
    return found


def opening(store: Path, runs: int) -> list[float]:
    """Seconds from the start of a process until it has the store open, its end with it."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", OPEN, str(store)], check=True)
        times.append(time.perf_counter() - begin)
    return times


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store", nargs="?", type=Path, default=Path("build/corpus"))
    parser.add_argument("--rdflib", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=int, default=120)
    options = parser.parse_args()

    load = os.getloadavg()[0]
    started = opening(options.store, options.runs)
    corpus = Dataset.open(options.store, read_only=True)
    editions = {
        row["s"].value for row in corpus.query('SELECT ?s { ?s rw:kind "comprehensive-rules" }')  # type: ignore[union-attr]
    }
    begin = clock()
    memory = in_memory(corpus)
    loaded = clock() - begin
    graph, alike = None, memory
    begin = clock()
    if options.rdflib:
        graph = in_rdflib(corpus, editions)
    loaded_there = clock() - begin
    if graph is not None:
        alike = in_memory(corpus, editions)

    table = []
    slower: list[float] = []
    unended = 0
    for name, query in load_queries().items():
        text = query.bind(query.example_values(), memory.query)
        here, rows = timed(lambda q=query, t=text: ask(memory, q, t), options.runs)  # type: ignore[misc]
        there, _ = timed(lambda q=query, t=text: ask(corpus, q, t), options.runs)  # type: ignore[misc]
        same, theirs, times = "", "", ""
        if graph is not None and "comprehensive-rules" not in query.needs:
            taken = limited(options.limit, lambda t=text: graph.query(t))  # type: ignore[misc]
            fast, _ = timed(lambda q=query, t=text: ask(alike, q, t), options.runs)  # type: ignore[misc]
            same = f"{statistics.median(fast):.4f}"
            theirs = f"{taken:.3f}" if isinstance(taken, float) else taken
            at_least = options.limit if theirs.startswith(">") else taken
            unended += theirs.startswith(">")
            if isinstance(at_least, float | int):
                factor = at_least / statistics.median(fast)
                times = f"{'> ' if theirs.startswith('>') else ''}{factor:,.0f}"
                if at_least >= SLOW:
                    slower.append(factor)
        table.append(
            f"| {name} | {rows} | {statistics.median(here):.4f} | {max(here):.4f} | {statistics.median(there):.4f} "
            f"| {max(there):.4f} | {same} | {theirs} | {times} |"
        )
        print(table[-1], file=sys.stderr, flush=True)
    lines = [
        "# The whole graph",
        "",
        f"{dt.date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}, pyoxigraph {ox.__version__}. "
        f"Made by `python benchmarks/corpus.py{' --rdflib' if options.rdflib else ''} --runs {options.runs} --limit "
        f"{options.limit}`, one run. Seconds of queries and loading are those of the processor, in the one thread that "
        f"answers: the machine had other work too (load average {load:.1f} at the start, {os.getloadavg()[0]:.1f} at "
        "the end).",
        "",
        f"{len(memory):,} triples in {len(corpus.graphs())} named graphs. From the start of Python until the store on "
        f"disk is open: {statistics.median(started):.2f} s, at worst {max(started):.2f} s, on the clock. Copied into "
        f"memory in {loaded:.0f} s.",
        "",
    ]
    if graph is not None:
        lines += [
            f"rdflib: {len(graph):,} triples, without the editions of the rules, read in {loaded_there:.0f} s; each "
            f"query once, in a process that may take {options.limit} s. {unended} did not end in that time. Of the "
            f"{len(slower)} that took it {SLOW:.0f} s or more, memory is {min(slower, default=0):,.0f} times as fast "
            f"at the least, {statistics.median(slower or [0]):,.0f} times in the middle.",
            "",
            "`>`: it did not end, and the factor is a lower bound. “Alike” is memory with the triples of rdflib.",
            "",
        ]
    lines.append("| query | rows | memory, median s | worst | disk, median s | worst | alike | rdflib | times |")
    lines.append("|---|---|---|---|---|---|---|---|---|")
    Path(__file__).with_name("CORPUS.md").write_text("\n".join([*lines, *table]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
