"""What the endpoint of a route says of itself, besides its docstring: what it takes, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from rulewright.site.context import LANGUAGES
from rulewright.site.negotiation import HTML, TEXT

E = TypeVar("E")
Schema = Mapping[str, Any]
STRING: Final[Schema] = {"type": "string"}
_MARK: Final = "rulewright_said"


@dataclass(frozen=True)
class Parameter:
    """Of the address's query, or of its path, if that has one of this name."""

    name: str
    told: str
    schema: Schema = field(default_factory=lambda: STRING)
    example: Any = None


LANGUAGE: Final = Parameter("lang", "The language of the page; without it, `Accept-Language` decides.",
                            {"enum": list(LANGUAGES)})  # fmt: skip
"""A parameter of every page."""


@dataclass(frozen=True)
class Said:
    """Of one way to ask. `answers`: media types by status; `errors`: statuses of what is a page or a line of text;
    `bodies`: what may be sent, by media type; `schemas`: what is in an answer, by media type.
    """

    parameters: Sequence[Parameter] = ()
    answers: Mapping[int, Sequence[str]] = field(default_factory=lambda: {200: (HTML.media_type,)})
    errors: Sequence[int] = ()
    bodies: Mapping[str, Schema] = field(default_factory=dict)
    schemas: Mapping[str, Schema] = field(default_factory=dict)

    @property
    def responses(self) -> dict[int, Sequence[str]]:
        """Media types by status, of errors too."""
        return {**dict.fromkeys(self.errors, (HTML.media_type, TEXT.media_type)), **self.answers}


@dataclass(frozen=True)
class Noted:
    """`summary`: instead of the docstring of the endpoint."""

    get: Said
    post: Said | None = None
    summary: str = ""


def said(get: Said | None = None, post: Said | None = None, summary: str = "") -> Callable[[E], E]:
    """Notes on an endpoint what it answers to `GET`, and to `POST` if it does."""

    def mark(endpoint: E) -> E:
        setattr(endpoint, _MARK, Noted(get or Said(), post, summary))
        return endpoint

    return mark


def noted(endpoint: object) -> Noted | None:
    found: Noted | None = getattr(endpoint, _MARK, None)
    return found
