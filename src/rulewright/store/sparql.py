"""SPARQL as text: what of a query can be told without a parser, and terms put into one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, cast

import pyoxigraph as ox

from rulewright.store.endpoint import Form

TOKEN: Final = re.compile(
    r"""(?P<comment>\#[^\n\r]*)|(?P<iri><[^<>"{}|^`\x00-\x20]*>)"""
    r'''|(?P<text>"""(?:"{0,2}(?:[^"\\]|\\.))*"""|\'\'\'(?:\'{0,2}(?:[^'\\]|\\.))*\'\'\'|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')'''
    r"""|(?P<variable>[?$]\w+)|(?P<tag>@[A-Za-z-]+)|(?P<name>[\w.-]*:[\w.:%\\-]*)|(?P<word>\w+)|(?P<other>.)""",
    re.DOTALL,
)
_FORMS: Final = frozenset(("SELECT", "ASK", "CONSTRUCT", "DESCRIBE"))
_QUIET = re.compile(r"""<[^<>"{}|^`\\\s]*>|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\#[^\n]*""")
_FROM = re.compile(r"(?<![\w?$:.-])FROM(?:\s+NAMED)?(?:\s*<|\s+[\w.-]*:)", re.IGNORECASE)


def has_from(query: str) -> bool:
    """Whether a query says which graphs it asks."""
    return _FROM.search(_QUIET.sub(_hush, query)) is not None


def _hush(match: re.Match[str]) -> str:
    """IRIs, strings and comments hide no FROM; an IRI must still be seen to stand there."""
    return "<>" if match[0].startswith("<") else " "


def whole(query: str, prefixes: Mapping[str, str]) -> tuple[str, Form]:
    """A query as it can be sent anywhere, line for line: without comments, with the prefixes that it does not declare;
    and its form."""
    kept: list[str] = []
    used: set[str] = set()
    declared: set[str] = set()
    form, declaring = "", False
    for token in TOKEN.finditer(query):
        kept.append("" if token["comment"] is not None else token[0])
        word = (token["word"] or "").upper()
        if token["name"] is not None:
            (declared if declaring else used).add(token["name"].partition(":")[0])
        if word or token["name"] is not None:
            declaring = word == "PREFIX"
        if not form and word in _FORMS:
            form = word
    head = "".join(f"PREFIX {p}: <{prefixes[p]}> " for p in sorted(used - declared) if p in prefixes)
    return head + "".join(kept), cast(Form, form or "SELECT")


def serialised(term: ox.NamedNode | ox.BlankNode | ox.Literal) -> str:
    """A term as SPARQL text (SPARQL 1.1 §19.8 rules 135, 139 to 160)."""
    return without_escapes(str(term))


def without_escapes(text: str) -> str:
    """Terms without a backslash before a `u` in a string, which is no codepoint escape (§19.2): a processor that
    decodes those before it parses is kept from seeing one."""
    return re.sub(r"\\\\([uU])", lambda m: f"\\\\\\u{ord(m[1]):04X}", text)
