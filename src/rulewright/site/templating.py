"""What every page is made with: templates, and the words that each part of the site has in its `words.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def words_of(package: str, language: str) -> Mapping[str, str]:
    """The words of a part of the site, in one language."""
    text = files(package).joinpath("words.toml").read_text(encoding="utf-8")
    found: Mapping[str, str] = tomllib.loads(text)[language]
    return found


def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("rulewright.site", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters["count"] = _count
    return made


def _count(number: int) -> str:
    """Digits in groups of three, as both languages may write them."""
    return f"{number:,}".replace(",", "\u202f")
