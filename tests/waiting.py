"""What comes about in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds after which what a test waits for counts as missing. No machine is so busy that it comes near."""


def eventually(holds: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether that comes to hold."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True
