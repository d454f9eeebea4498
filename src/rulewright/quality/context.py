"""The JSON-LD context of game records, `ontology/context.jsonld`: `python -m rulewright.quality.context`.

It is made of the schema. With `--check` nothing is written, and the exit code is 1 where the file is not fresh.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from rulewright.quality import generated
from rulewright.records.context import context

DOCUMENT: Final = Path("ontology", "context.jsonld")


def document() -> str:
    """The whole text, from the packaged ontology."""
    return json.dumps({"@context": context()}, indent=2, ensure_ascii=False) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """See `rulewright.quality.generated`."""
    return generated.main(arguments, "rulewright.quality.context", __doc__, document, DOCUMENT)


if __name__ == "__main__":
    sys.exit(main())
