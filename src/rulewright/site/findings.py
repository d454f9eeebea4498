"""What the validation finds to mend in a ruling and in the texts that express it.

The validation takes a while and much memory: a process of its own does it, once, after the site has started. What the
package carries has nothing to mend (its own tests see to that); of a server's data nothing is known.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from rulewright.site.processes import running
from rulewright.store import Dataset
from rulewright.store.local import Local
from rulewright.vocabulary import RULING

TIME: Final = 1800.0
"""Seconds that it may take."""
_COMMAND: Final = "import os, runpy; os.nice(19); runpy.run_module('rulewright', run_name='__main__')"
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class Finding:
    """`severity`: `violation`, `warning` or `info`; `place`: the document and the number of the statement in it."""

    severity: str
    message: dict[str, str]
    mend: dict[str, str]
    words: str
    place: tuple[str, int | None]


async def validated(dataset: Dataset) -> dict[str, list[Finding]] | None:
    """The IRI of a ruling -> what is found in it; None where that is not known."""
    if not isinstance(dataset, Local):
        return None
    if dataset.folder is None:
        return {}
    try:
        async with running(
            sys.executable, "-P", "-c", _COMMAND, "validate", "--store", str(dataset.folder), "--format", "json",
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        ) as process, asyncio.timeout(TIME):  # fmt: skip
            told, _ = await process.communicate()
        return by_ruling(json.loads(told)["findings"])
    except (TimeoutError, ValueError, KeyError):
        _LOG.error("the validation did not come to an end")
        return None


def by_ruling(told: Iterable[dict[str, Any]]) -> dict[str, list[Finding]]:
    """Findings of a report in JSON, by the ruling that they are about."""
    found: dict[str, list[Finding]] = {}
    for one in told:
        iri = RULING + one["id"] if one["id"] else one["node"]
        if iri.startswith(RULING):
            words = next((w["text"] for w in one["words"]), "")
            found.setdefault(iri, []).append(
                Finding(one["severity"], one["message"], one["mend"] or {}, words, (one["file"], one["statement"]))
            )
    return found
