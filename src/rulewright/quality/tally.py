"""What became of mutants: which survive, and why that is allowed; how many there are of each axiom or fact."""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tqdm import tqdm


@dataclass
class Count:
    """What became of the mutants of an axiom or fact; the equivalent ones change nothing, and cannot be killed."""

    made: int = 0
    killed: int = 0
    equivalent: int = 0
    survivors: list[str] = field(default_factory=list)


Tried = Sequence[tuple[str, str | None]]
"""Mutants, each as `SUBJECT: WHAT` with its killer: "" where it changes nothing, None where it survives."""


def listed(file: Path) -> dict[str, str]:
    """The mutants that may survive, each with its reason. Raises ValueError where one has none."""
    if not file.exists():
        return {}
    found: dict[str, str] = {}
    for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("survivors", []):
        if not str(entry.get("reason", "")).strip():
            raise ValueError(f"{file}: survivors without a reason: {entry.get('mutants')}")
        found.update(dict.fromkeys(map(str, entry["mutants"]), str(entry["reason"])))
    return found


def counts(tried: Tried) -> dict[str, Count]:
    """For each subject: what became of its mutants."""
    found: dict[str, Count] = {}
    for name, killer in tried:
        subject, _, what = name.partition(": ")
        count = found.setdefault(subject, Count())
        count.made += 1
        if killer is None:
            count.survivors.append(what)
        elif killer:
            count.killed += 1
        else:
            count.equivalent += 1
    return found


def written_counts(found: dict[str, Count]) -> str:
    """The text of the file of counts: a subject a line."""
    lines = [f"  {json.dumps(name)}: {json.dumps(asdict(c), ensure_ascii=False)}" for name, c in found.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_counts(file: Path) -> dict[str, Count]:
    """The counts of a file as `written_counts` makes it; none where there is no such file."""
    if not file.exists():
        return {}
    return {name: Count(**count) for name, count in json.loads(file.read_text(encoding="utf-8")).items()}


# --- the commands


def parser(program: str, description: str | None, survivors: Path, kept: Path) -> argparse.ArgumentParser:
    """What the commands have in common."""
    made = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    made.add_argument("--jobs", type=int, default=2, help="processes")
    made.add_argument("--survivors", type=Path, default=survivors, help="the list of those that may survive")
    made.add_argument("--counts", type=Path, default=kept, help="the numbers to compare with")
    made.add_argument("--json", type=Path, help="write the numbers to this file instead")
    return made


def command(
    options: argparse.Namespace,
    names: Sequence[str],
    attempt: Callable[[int], str | None],
    wanted: Sequence[int],
    each: bool = False,
) -> int:
    """Tries those mutants that are wanted, by their positions, and reports, of `each` subject if that is asked for.

    0 where all is as listed and counted; 1 for findings; 2 where the list of survivors cannot be used.
    """
    try:
        allowed = listed(options.survivors)
    except (ValueError, KeyError) as error:
        print(error, file=sys.stderr)
        return 2
    started = time.monotonic()
    tried = list(zip([names[n] for n in wanted], _tried(attempt, wanted, options.jobs), strict=True))
    findings = _unexpected(tried, allowed, whole := len(wanted) == len(names))
    counted = counts(tried)
    if options.json:
        others = {} if whole else read_counts(options.json)
        options.json.write_text(written_counts(dict(sorted({**others, **counted}.items()))), encoding="utf-8")
    else:
        findings += _stale(options.counts, counted, whole)
    for subject, count in counted.items() if each else ():
        print(f"{count.killed} of {count.made - count.equivalent} noticed: {subject}")
    for name, killer in tried:
        if killer is None and name in allowed:
            print(f"survives (listed): {name}")
    for finding in findings:
        print(finding)
    killed, same = (sum(getattr(c, what) for c in counted.values()) for what in ("killed", "equivalent"))
    left, able = len(tried) - killed - same, max(1, len(tried) - same)
    print(f"{len(tried)} mutants: {killed} killed, {same} equivalent, {left} survive "
          f"({100 * killed / able:.1f} % killed), {time.monotonic() - started:.0f} s")
    return 1 if findings else 0


def _tried(attempt: Callable[[int], str | None], positions: Sequence[int], jobs: int) -> list[str | None]:
    """What came of each mutant, in several processes."""
    with ProcessPoolExecutor(jobs) as pool:
        return list(tqdm(pool.map(attempt, positions, chunksize=4), total=len(positions), unit="mutant", disable=None))


def _unexpected(tried: Tried, allowed: Iterable[str], whole: bool) -> list[str]:
    """Survivors that are not listed; those listed that do not survive; in a whole run also those that are gone."""
    fate = dict(tried)
    found = [f"survives (NOT LISTED): {name}" for name, killer in tried if killer is None and name not in allowed]
    for name in allowed:
        if fate.get(name) is not None:
            found.append(f"listed, but killed: {name}")
        elif whole and name not in fate:
            found.append(f"listed, but no mutant: {name}")
    return found


def _stale(file: Path, found: dict[str, Count], whole: bool) -> list[str]:
    """The subjects whose counts a file does not have as they were found; of a whole run also those that are gone."""
    kept = read_counts(file)
    gone = sorted(set(kept) - set(found)) if whole else []
    stale = [name for name, count in found.items() if kept.get(name) != count] + gone
    return [f"{file}: {name} is not as found: run with --json {file}" for name in stale]
