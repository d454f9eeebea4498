"""Documents that are made of something else in the repository: written, or only held against what is there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path


def main(arguments: list[str] | None, module: str, about: str | None, document: Callable[[], str], file: Path) -> int:
    """Runs `python -m MODULE [--check] [--to FILE]`; the exit code is 1 where `--check` finds the file not fresh."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=about)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the document is not fresh")
    parser.add_argument("--to", type=Path, default=file, help="the document (default: %(default)s)")
    options = parser.parse_args(arguments)
    to: Path = options.to
    text = document()
    if not options.check:
        to.write_text(text, encoding="utf-8")
        return 0
    if to.exists() and to.read_text(encoding="utf-8") == text:
        return 0
    print(f"{to}: is not fresh: run {parser.prog}", file=sys.stderr)
    return 1
