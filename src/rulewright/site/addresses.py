"""Where things are on this site."""

from __future__ import annotations

from contextvars import ContextVar
from urllib.parse import quote, urlencode

from rulewright.vocabulary import BASE

kept_language: ContextVar[str] = ContextVar("kept_language", default="")
"""The language that the address asks for: links keep it."""


class Addresses:
    """`root`: the path at which the site begins, with a `/` at its end."""

    def __init__(self, root: str) -> None:
        self.root = root

    def url(self, path: str, /, **parameters: str) -> str:
        """An address of this site, with the language that was asked for."""
        if kept_language.get():
            parameters.setdefault("lang", kept_language.get())
        path, sharp, fragment = path.partition("#")
        asked = {name: value for name, value in parameters.items() if value}
        return self.root + path + (f"?{urlencode(asked)}" if asked else "") + sharp + fragment

    def href(self, iri: str) -> str:
        """Where a page links to for an IRI: this site's address of what is ours; nothing for what is no web address."""
        if iri.startswith(BASE):
            return self.url(below_base(iri))
        return iri if iri.startswith(("https://", "http://")) else ""


def below_base(iri: str) -> str:
    """What stands in an address of an IRI of ours after the base."""
    path, sharp, fragment = iri.removeprefix(BASE).partition("#")
    return quote(path, safe="/:@!$&'()*+,;=-._~") + sharp + quote(fragment, safe="-._~/:")
