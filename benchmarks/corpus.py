"""The whole graph measured: its size, how fast it opens, and each named query, beside rdflib on the slow ones.

    python benchmarks/corpus.py [STORE] [--rdflib] [--runs N] [--limit SECONDS]

STORE is what `make corpus` built (default: build/corpus). Writes benchmarks/CORPUS.md. rdflib holds its graph in
memory; to let it, it is given all but the editions of the rules, so that it has less to look through than the others.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import signal
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pyoxigraph as ox

from rulewright.store import Dataset
from rulewright.store.queries import Query, load_queries

SLOW = 0.2
"""Seconds from which a query counts as slow, and is asked of rdflib."""


class TooSlow(Exception):
    pass


def timed(ask: Callable[[], Any], runs: int) -> tuple[list[float], int]:
    """The seconds of each run, and how many rows there were."""
    times, rows = [], 0
    for _ in range(runs):
        begin = time.perf_counter()
        rows = sum(1 for _ in ask())
        times.append(time.perf_counter() - begin)
        if sum(times) > 60:
            break
    return times, rows


def ask(dataset: Dataset, query: Query, text: str) -> Any:
    found = dataset.query(text, graphs=query.graphs)
    return [found] if isinstance(found, ox.QueryBoolean) else found


def in_memory(corpus: Dataset) -> Dataset:
    made = Dataset.open()
    for graph in corpus.graphs():
        made.fill(graph, (f"{triple} .\n" for triple in corpus.triples(graph)))
    return made


def in_rdflib(corpus: Dataset, without: set[str]) -> tuple[Any, float]:
    import rdflib

    begin = time.perf_counter()
    graph = rdflib.Graph()
    for name in corpus.graphs():
        if name not in without:
            text = "".join(f"{t} .\n" for t in corpus.triples(name))
            graph.parse(data=text, format="nt")
    return graph, time.perf_counter() - begin


def limited(seconds: int, run: Callable[[], int]) -> tuple[float | None, int]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    begin = time.perf_counter()
    try:
        rows = run()
        return time.perf_counter() - begin, rows
    except TooSlow:
        return None, 0
    finally:
        signal.alarm(0)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store", nargs="?", type=Path, default=Path("build/corpus"))
    parser.add_argument("--rdflib", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=int, default=120)
    options = parser.parse_args()

    begin = time.perf_counter()
    corpus = Dataset.open(options.store, read_only=True)
    opened = time.perf_counter() - begin
    editions = {
        row["s"].value for row in corpus.query('SELECT ?s { ?s rw:kind "comprehensive-rules" }')  # type: ignore[union-attr]
    }
    begin = time.perf_counter()
    memory = in_memory(corpus)
    loaded = time.perf_counter() - begin
    lines = [
        "# The whole graph",
        "",
        f"{dt.date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}, pyoxigraph {ox.__version__}. "
        "Made by `python benchmarks/corpus.py`, one run.",
        "",
        f"{len(memory):,} triples in {len(corpus.graphs())} named graphs. The store on disk opens in {opened:.3f} s; "
        f"copied into memory in {loaded:.0f} s.",
        "",
    ]
    graph = None
    if options.rdflib:
        graph, seconds = in_rdflib(corpus, editions)
        lines += [f"rdflib: {len(graph):,} triples, without the editions of the rules, loaded in {seconds:.0f} s.", ""]
    lines.append("| query | rows | memory, median s | worst | disk, median s | worst | rdflib s |")
    lines.append("|---|---|---|---|---|---|---|")
    for name, query in load_queries().items():
        text = query.bind(query.example_values(), memory.query)
        here, rows = timed(lambda q=query, t=text: ask(memory, q, t), options.runs)  # type: ignore[misc]
        there, _ = timed(lambda q=query, t=text: ask(corpus, q, t), options.runs)  # type: ignore[misc]
        theirs = ""
        if graph is not None and statistics.median(here) >= SLOW and "comprehensive-rules" not in query.needs:
            taken, _ = limited(options.limit, lambda t=text: sum(1 for _ in graph.query(t)))  # type: ignore[misc]
            theirs = f"{taken:.1f}" if taken is not None else f"> {options.limit}"
        lines.append(
            f"| {name} | {rows} | {statistics.median(here):.4f} | {max(here):.4f} | {statistics.median(there):.4f} "
            f"| {max(there):.4f} | {theirs} |"
        )
        print(lines[-1], file=sys.stderr, flush=True)
    Path(__file__).with_name("CORPUS.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
