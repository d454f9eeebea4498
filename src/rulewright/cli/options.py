"""What the commands share: exit codes, and options that mean the same everywhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
FINE, FINDINGS, BAD_INPUT = 0, 1, 2


def _language(context: click.Context, parameter: click.Parameter, value: str | None) -> str:
    """`--lang`, else the locale of the environment, else English."""
    if value is not None:
        return value
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "de" if next((n for n in names if n), "").lower().startswith("de") else "en"


def language_option(command: F) -> F:
    """`--lang en|de`."""
    return click.option(
        "--lang", type=click.Choice(["en", "de"]), callback=_language,
        help="Language of messages (default: the locale's).",
    )(command)  # fmt: skip
