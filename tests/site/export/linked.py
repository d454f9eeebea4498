"""What is exported in tests, and the links of pages that are files: where each leads, and whether that is there."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rulewright.cli.options import Home

packaged = partial(Home().open, read_only=True)

_TAG = re.compile(r"<[a-z][^>]*>")
_LINK = re.compile(r'\s(?:href|src|action|data-suggest)="([^"]*)"')
_ID = re.compile(r'\sid="([^"]*)"')


@dataclass
class Pages:
    """`missing`: dead links, each with a page that has it; `outside`: addresses that are none of the export."""

    files: set[str]
    outside: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def links(html: str) -> Iterator[str]:
    for tag in _TAG.findall(html):
        for link in _LINK.findall(tag):
            yield unescape(link)


def ids(html: str) -> set[str]:
    return {unescape(found) for tag in _TAG.findall(html) for found in _ID.findall(tag)}


def crawled(folder: Path) -> Pages:
    """Every link of every page, followed on the disk."""
    pages = Pages({file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()})
    there: dict[str, set[str]] = {}
    wanted: dict[tuple[str, str], str] = {}
    for name in sorted(pages.files):
        if not name.endswith(".html"):
            continue
        html = (folder / name).read_text(encoding="utf-8")
        there[name] = ids(html)
        for link in set(links(html)):
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                pages.outside.setdefault(link, name)
                continue
            path = posixpath.join(posixpath.dirname(name), unquote(parts.path)) if parts.path else name
            path = posixpath.normpath(path)
            wanted.setdefault((path, unquote(parts.fragment)), name)
    for (path, fragment), name in wanted.items():
        if path not in pages.files or (fragment and fragment not in there[path]):
            pages.missing[f"{path}#{fragment}"] = name
    return pages
