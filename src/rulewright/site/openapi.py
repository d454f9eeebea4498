"""The site described for programs (OpenAPI 3.1), of what its routes say of themselves.

A route brings its path and methods, its endpoint a docstring and what `said` has noted on it; nothing is written twice.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from starlette.convertors import CONVERTOR_TYPES
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, compile_path

from rulewright.site.context import Site
from rulewright.site.negotiation import HTML
from rulewright.site.rates import cost
from rulewright.site.said import LANGUAGE, STRING, Parameter, Said, noted, said
from rulewright.site.things import CORS, conditional
from rulewright.version import __version__

JSON: Final = "application/json"
PATH: Final = "openapi.json"
_KINDS: Final = {"str": STRING, "path": STRING, "int": {"type": "integer", "minimum": 0}}
"""Of a part of a path, by the name of its convertor."""


def routes(site: Site, others: Iterable[BaseRoute]) -> list[Route]:
    """Where the description is, of those routes and of its own."""

    @said(Said(answers={200: (JSON,), 304: ()}, schemas={JSON: {"type": "object", "required": ["openapi", "paths"]}}))
    def openapi(request: Request) -> Response:
        """This description."""
        made = site.once.get("openapi", lambda: describe(site.base, [*others, own]))
        return conditional(request, JSONResponse(made, headers=CORS), site)

    own = Route(f"/{PATH}", openapi)
    return [own]


def describe(base: str, routes: Iterable[BaseRoute]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        told = noted(route.endpoint) if isinstance(route, Route) else None
        if told is None or not isinstance(route, Route):
            continue
        _, path, convertors = compile_path(route.path)
        names = {convertor: name for name, convertor in CONVERTOR_TYPES.items()}
        inside = {name: _KINDS[names[convertor]] for name, convertor in convertors.items()}
        summary = told.summary or inspect.getdoc(route.endpoint) or ""
        for method, one in (("GET", told.get), ("POST", told.post)):
            if one is not None:
                paths.setdefault(path, {})[method.lower()] = _operation(method, path, inside, one, summary)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "rulewright", "version": __version__,
            "description": "Magic's rulings as linked data: pages, the same addresses as data, search, SPARQL.",
            "license": {"name": "CC0 1.0", "identifier": "CC0-1.0"},
        },
        "servers": [{"url": base.rstrip("/")}],
        "paths": paths,
    }  # fmt: skip


def _operation(
    method: str, path: str, inside: Mapping[str, Mapping[str, Any]], told: Said, summary: str
) -> dict[str, Any]:
    known = {parameter.name: parameter for parameter in told.parameters}
    for name, schema in inside.items():
        known.setdefault(name, Parameter(name, "", schema))
    answers = told.responses
    if HTML.media_type in answers.get(200, ()):
        known[LANGUAGE.name] = LANGUAGE
    if cost(method, path):
        answers[429] = Said(errors=[429]).responses[429]
    made: dict[str, Any] = {
        "summary": " ".join(summary.partition("\n\n")[0].split()),
        "parameters": [_parameter(parameter, parameter.name in inside) for parameter in known.values()],
        "responses": {
            str(status): _response(status, types, told.schemas) for status, types in sorted(answers.items())
        },
    }
    if told.bodies:
        bodies = {media_type: {"schema": dict(schema)} for media_type, schema in told.bodies.items()}
        made["requestBody"] = {"required": True, "content": bodies}
    return made


def _parameter(parameter: Parameter, inside: bool) -> dict[str, Any]:
    made = {"name": parameter.name, "in": "path" if inside else "query", "required": inside,
            "description": parameter.told, "schema": dict(parameter.schema)}  # fmt: skip
    return made if parameter.example is None else {**made, "example": parameter.example}


def _response(status: int, types: Iterable[str], schemas: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    content = {t: {"schema": dict(schemas[t])} if t in schemas and status == 200 else {} for t in types}
    return {"description": HTTPStatus(status).phrase, **({"content": content} if content else {})}
