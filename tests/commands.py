"""The command line as a user has it: its exit code, and what it prints. `conftest.py` of `cli` runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass
class Done:
    code: int
    out: str
    err: str

    @property
    def problems(self) -> list[str]:
        return self.err.splitlines()


Command = Callable[..., Done]
