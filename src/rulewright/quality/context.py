"""The JSON-LD context of game records, `ontology/context.jsonld`: `python -m rulewright.quality.context`.

It is made of the schema. With `--check` nothing is written, and the exit code is 1 where the file is not fresh.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from rulewright.quality.reference import written
from rulewright.records.context import context

DOCUMENT: Final = Path("ontology", "context.jsonld")


def document() -> str:
    """The whole text, from the packaged ontology."""
    return json.dumps({"@context": context()}, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """The exit code: 0, or with `--check` 1 where the file is not fresh."""
    parser = argparse.ArgumentParser(prog="python -m rulewright.quality.context", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the file is not fresh")
    parser.add_argument("--to", type=Path, default=DOCUMENT, help="the file (default: %(default)s)")
    options = parser.parse_args(arguments)
    return written(options.to, document(), options.check, parser.prog)


if __name__ == "__main__":
    sys.exit(main())
