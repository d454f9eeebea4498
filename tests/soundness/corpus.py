"""The records that the properties are tried on: the scenarios, and games converted from logs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from rulewright.records import Record, plain
from rulewright.sources.logs import open_log
from rulewright.vocabulary import packaged
from soundness.judging import Plain
from soundness.records import prepared

LOGS = "RULEWRIGHT_LOGS"
"""An environment variable: further logs or records, separated as in PATH."""


@cache
def scenarios() -> dict[str, Plain]:
    root = packaged("data", "scenarios")
    files = sorted(root.rglob("*.json"))
    return {
        str(file.relative_to(root).with_suffix("")): prepared(json.loads(file.read_text(encoding="utf-8")))
        for file in files
    }


@cache
def logs(more: tuple[str, ...] = ()) -> dict[str, Plain]:
    """The games of the example's log, and of `more` files."""
    examples = packaged("data", "examples")
    found = _games(examples / "arena-sample.jsonl", examples / "arena-names.json")
    for file in more or _listed(os.environ.get(LOGS, "")):
        found |= _games(Path(file), None)
    return found


def _listed(paths: str) -> Iterable[str]:
    return [path for path in paths.split(os.pathsep) if path]


def _games(log: Path, names: Path | None) -> dict[str, Plain]:
    records = [item for item in open_log(log, names) if isinstance(item, Record)]
    return {f"{log.name} {number}": prepared(plain(record)) for number, record in enumerate(records, 1)}
