"""HTML and SVG that is escaped by construction: only `Markup` goes in as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from html import escape

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""What XML 1.0 cannot hold, and controls that nothing shows."""
_DIRECTION = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Controls of the direction of writing: a name with one could turn around what stands after it."""
_EMPTY = frozenset({"meta", "link", "br", "img", "input"})


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Attribute = str | int | float | bool | None


def clean(text: object) -> str:
    """Text of a record as it can be shown."""
    told = str(text)
    if told.isprintable():  # nearly always, and quickly told
        return told
    return _DIRECTION.sub("", _FORBIDDEN.sub("\ufffd", told))


def text(value: object) -> Markup:
    """Text, escaped unless it is markup."""
    return value if isinstance(value, Markup) else Markup(escape(clean(value)))


def el(name: str, /, *children: object, **attributes: Attribute) -> Markup:
    """An element. `class_` is `class`, `_` in an attribute is `-`; None and False leave an attribute or child out."""
    told = "".join([_attribute(key, value) for key, value in attributes.items() if value is not None])
    inner = "".join([child if type(child) is Markup else text(child) for child in children if child is not None])
    return Markup(f"<{name}{told}>" if name in _EMPTY else f"<{name}{told}>{inner}</{name}>")


@lru_cache(1 << 14, typed=True)
def _attribute(key: str, value: Attribute) -> str:
    if value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if isinstance(value, float):
        value = f"{value + 0.0:.1f}".removesuffix(".0")  # no -0: it is kept as the same as 0
    return f' {name}="{name if value is True else escape(clean(value))}"'


def join(parts: Iterable[object], between: str = "") -> Markup:
    """Several parts as one."""
    return Markup(escape(between).join(text(p) for p in parts if p is not None))
