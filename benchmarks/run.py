"""Measures the program and writes `benchmarks/RESULTS.md`.

    python benchmarks/run.py            # all of it, some ten minutes
    python benchmarks/run.py --quick    # a tenth of the records or fewer; the results say so

Everything in one run, one process at a time. The records are made by `generate.py`, the same for the same seed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import chain, islice
from pathlib import Path
from typing import Any

import generate
from rdflib import Graph as RdfGraph
from rdflib import Literal, URIRef
from rdflib.plugins.sparql import prepareQuery

from rulewright.axioms import Knowledge, lower, packaged_knowledge
from rulewright.axioms.sparql import Program, compile_plan
from rulewright.checks import Checker
from rulewright.checks.engines import Engine, engine
from rulewright.explain import Run
from rulewright.records import Graph, Record, canonical, read
from rulewright.records.quads import nothing, property_iri, triples
from rulewright.vocabulary import NONE

HERE = Path(__file__).parent
SEED = 1
Broken = set[tuple[str, str]]
"""Violations: check and event."""


def written(count: int, file: Path) -> Path:
    with file.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(record) + "\n" for record in generate.records(count, SEED))
    return file


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


# --- records a second, on one core


def by_command_path(file: Path) -> tuple[float, dict[str, int]]:
    """JSON Lines to verdicts with reasons and messages, as `rulewright check` does it; axioms read beforehand."""
    run = Run()
    parameters = run.knowledge.parameters()

    def work() -> dict[str, int]:
        counts = {"records": 0, "violate": 0, "undetermined": 0}
        for outcome in run.outcomes(read([file], parameters)):
            assert outcome.entry is not None, outcome.errors
            counts["records"] += 1
            counts["violate"] += not outcome.entry["conforms"]
            counts["undetermined"] += any(v["verdict"] == "undetermined" for v in outcome.entry["verdicts"])
        return counts

    return seconds(work)


def with_rdflib(program: Program, games: list[Graph]) -> Broken:
    """The steps and checks of `--engine sparql`, the same text, on rdflib: one graph for all the records."""
    data = RdfGraph()
    keywords = {name for game in games for name in game.keywords_named()}
    stated = (triples(game, program.properties) for game in games)
    for subject, predicate, value in chain(nothing(program.properties), *stated):
        data.add((URIRef(subject.value), URIRef(predicate.value), _term(value)))
    for step in program.steps:
        if step.keyword is None or step.keyword in keywords:
            rows = list(data.query(prepareQuery(step.select())))
            for row in rows:
                value = row[1] if step.value is None else _value(step.value)  # type: ignore[index]
                data.add((row[0], URIRef(property_iri(step.fact)), value))  # type: ignore[index]
    found: Broken = set()
    for query in program.queries:
        if query.check.focus.keyword is None or query.check.focus.keyword in keywords:
            rows = list(data.query(prepareQuery(query.select("violates"))))
            found |= {(query.check.id, str(row[0])) for row in rows}  # type: ignore[index]
    return found


def _term(value: Any) -> URIRef | Literal:
    if hasattr(value, "datatype"):
        return Literal(value.value, datatype=URIRef(value.datatype.value))
    return URIRef(value.value)


def _value(value: Any) -> URIRef | Literal:
    return URIRef(value) if value == NONE else Literal(value)


def judged(by: Engine, games: list[Graph]) -> tuple[float, Broken]:
    batches = [games[n : n + by.batch] for n in range(0, len(games), by.batch)]
    elapsed, found = seconds(lambda: [f for b in batches for fs in by.run(b).values() for f in fs])
    return elapsed, {(f.check.id, str(f.focus)) for f in found if f.verdict == "violates"}


# --- what more axioms cost

MECHANICS = ("rebound", "escape", "aftermath", "flashback", "adventure", "fuse", "casting", "zones", "characteristics")
"""Files of axioms: without gift, suspend, copies and turn order, about half of all."""


def part() -> Knowledge:
    known = packaged_knowledge()
    axioms = {iri: a for iri, a in known.axioms.items() if Path(a.file).stem in MECHANICS}
    return Knowledge(axioms, known.conditions, known.keywords)


def cost_of(knowledge: Knowledge, records: list[Record]) -> tuple[int, float, float]:
    """Axioms; seconds to bring them into executable form; records a second from record to verdicts."""
    ready, checker = seconds(lambda: Checker(knowledge))
    spent, _ = seconds(lambda: sum(1 for _ in checker.check(records)))
    return len(knowledge.axioms), ready, len(records) / spent


# --- a process of its own: memory, start


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "rulewright", *arguments]


def largest(file: Path) -> float:
    """The most memory that a check of a file takes (resident, MiB)."""
    with subprocess.Popen(command("check", "--format", "json", str(file)), stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1), process.returncode
    return usage.ru_maxrss / 1024


def started(times: int, folder: Path, *arguments: str) -> float:
    """Seconds of a command from nothing to the end: the median, with modules compiled beforehand as by an installer."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")

    def once() -> float:
        call = command(*arguments)
        return seconds(lambda: subprocess.run(call, stdout=subprocess.DEVNULL, env=environment, check=False))[0]

    once()
    return statistics.median(once() for _ in range(times))


def machine() -> str:
    model = next((line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())  # fmt: skip
    packages = ", ".join(f"{name} {_version(name)}" for name in ("pyoxigraph", "rdflib", "pyshacl"))
    load = os.getloadavg()[0]
    python = f"Linux, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores ({model}; load {load:.1f} at the end), {python}, {packages}"


def _version(name: str) -> str:
    from importlib.metadata import version

    return version(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    many, sample = (1_000, 20) if quick else (10_000, 100)
    small, large = (200, 2_000) if quick else (1_000, 50_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        said = measured(folder, many, sample, small, large)
    said = said.replace("# Measured\n", "# Measured (a quick run, not the full one)\n") if quick else said
    print(said)
    (HERE / "RESULTS.md").write_text(said, encoding="utf-8")


def measured(folder: Path, many: int, sample: int, small: int, large: int) -> str:
    file = written(many, folder / "many.jsonl")
    records = [r for r in islice(read([file]), 1_000) if not isinstance(r, Exception)]
    stated = statistics.mean(sum(len(n.facts) for n in r.nodes.values()) for r in records)

    elapsed, counts = by_command_path(file)
    fast = many / elapsed

    knowledge = packaged_knowledge()
    plan = lower(knowledge)
    program = compile_plan(plan)
    names = knowledge.record_words()

    def games() -> list[Graph]:
        """Made anew for each engine: some add the facts of their stages."""
        return [canonical(r, names, plan.steps) for r in records[:sample]]

    facts = statistics.mean(sum(len(f) for f in g.facts.values()) for g in games())
    spent: dict[str, float] = {}
    broken: dict[str, Broken] = {}
    for name in ("fast", "reference", "sparql", "pyshacl"):
        spent[name], broken[name] = judged(engine(name, plan), games())
    prepared = games()
    spent["rdflib"], broken["rdflib"] = seconds(lambda: with_rdflib(program, prepared))
    for name, found in broken.items():
        assert found == broken["reference"], f"{name} finds other violations"

    costs = [cost_of(k, records) for k in (part(), knowledge, part(), knowledge)]
    few, all_of_them = costs[2:]

    first, second = (largest(written(n, folder / f"{n}.jsonl")) for n in (small, large))
    one = written(1, folder / "one.jsonl")
    cold, version = started(10, folder, "check", str(one)), started(10, folder, "--version")

    def row(told: str, name: str, verdicts: str) -> str:
        rate, beside = sample / spent[name], spent["fast"] / spent[name]
        return f"| {told} | {rate:,.1f} | {beside:.4f} | {verdicts} |"

    return f"""# Measured

`make benchmark`, {datetime.date.today()}: {machine()}.
A load above 1 at the end means that other work shared the cores.

{many:,} records (seed {SEED}), on average {stated:.0f} stated facts each, {facts:.0f} in the canonical graph;
{counts["violate"]:,} with a violation, {counts["undetermined"]:,} with something undetermined.

## From JSON Lines to verdicts with reasons, one core

**{fast:,.0f} records a second** ({elapsed:.1f} s for {many:,}), axioms read beforehand.

## The checks alone, by engine

The same {sample} records as canonical graphs, the same violations found by each.

| engine | records a second | of the fast engine | verdicts |
| --- | ---: | ---: | --- |
{row("Python functions (`fast`), a record at a time", "fast", "all")}
{row("reference evaluator (`reference`), a record at a time", "reference", "all")}
{row("SPARQL on Oxigraph (`sparql`), in batches", "sparql", "all")}
{row("the same SPARQL on rdflib, in one batch", "rdflib", "violates")}
{row("exported SHACL on pyshacl (`pyshacl`), a record at a time", "pyshacl", "violates")}

The fast engine is {spent["rdflib"] / spent["fast"]:,.0f} times as fast as rdflib and
{spent["pyshacl"] / spent["fast"]:,.0f} times as fast as pyshacl; SPARQL on Oxigraph is
{spent["rdflib"] / spent["sparql"]:.0f} times as fast as on rdflib.

## What more axioms cost

From record to verdicts, {len(records):,} records, one after the other in this run; each was measured twice, the
second time is told.

| axioms | ready after | records a second |
| --- | ---: | ---: |
| {few[0]} (without gift, suspend, copies, turn order) | {few[1] * 1000:.0f} ms | {few[2]:,.0f} |
| {all_of_them[0]} (all) | {all_of_them[1] * 1000:.0f} ms | {all_of_them[2]:,.0f} |

## Memory and start

| what | measured |
| --- | ---: |
| largest memory, {small:,} records | {first:.0f} MiB |
| largest memory, {large:,} records | {second:.0f} MiB |
| one record, from nothing to the end (median of 10) | {cold * 1000:.0f} ms |
| `rulewright --version` (median of 10) | {version * 1000:.0f} ms |
"""


if __name__ == "__main__":
    main()
