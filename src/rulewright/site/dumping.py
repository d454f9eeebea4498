"""A process that writes what a store on disk holds to standard output: `python -m rulewright.site.dumping FOLDER FORM`.

Going through millions of quads takes a processor for a while: here it is nobody else's.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, Final

import pyoxigraph as ox

from rulewright.store.dataset import PREFIXES, Dataset, packing

FORMS: Final = {"nq": ox.RdfFormat.N_QUADS, "trig": ox.RdfFormat.TRIG}

TYPE: Final = "application/gzip"


def path(form: str) -> str:
    """Of the dump, below the root of the site."""
    return f"dump.{form}.gz"


def write(dataset: Dataset, form: str, out: IO[bytes]) -> None:
    """All quads, packed by gzip."""
    with packing(out, ".gz") as sink:
        ox.serialize(dataset.quads(), sink, format=FORMS[form], prefixes=dict(PREFIXES))


def main() -> None:
    os.nice(10)
    folder, form = sys.argv[1:]
    with Dataset.open(Path(folder), read_only=True) as dataset:
        write(dataset, form, sys.stdout.buffer)


if __name__ == "__main__":
    main()
