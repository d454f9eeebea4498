"""The description for programs: complete, and true (Schemathesis asks by it)."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from rulewright.site import openapi
from rulewright.site.app import application
from rulewright.site.context import Site
from rulewright.site.said import noted
from waiting import PATIENCE, eventually

schemathesis = pytest.importorskip("schemathesis")
hypothesis = pytest.importorskip("hypothesis")
checks = schemathesis.checks
GenerationMode = schemathesis.GenerationMode


@pytest.fixture(scope="module")
def described(visitor: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = visitor.get("/openapi.json").json()
    return found


def test_every_route_is_described(site: Site, described: dict[str, Any]) -> None:
    inside = application(site).application  # type: ignore[attr-defined]
    for route in inside.routes:
        if isinstance(route, Route) and route.methods != {"OPTIONS"}:
            assert noted(route.endpoint) is not None, route.path
            assert re.sub(r":\w+}", "}", route.path) in described["paths"]
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"], f"{method} {path}"
            assert all(p["description"] or p["in"] == "path" for p in operation["parameters"])
            assert {p["name"] for p in operation["parameters"] if p["in"] == "path"} == set(re.findall("{(.*?)}", path))


def test_what_it_says(described: dict[str, Any], visitor: TestClient) -> None:
    assert described["openapi"].startswith("3.1")
    assert described["servers"] == [{"url": "http://testserver"}]
    paths = described["paths"]
    assert paths.keys() >= {"/", "/search", "/suggest", "/check", "/sparql", "/dump.nq.gz", "/metrics", "/{path}"}
    assert paths["/sparql"].keys() == paths["/check"].keys() == {"get", "post"}
    assert "429" in paths["/search"]["get"]["responses"].keys() & paths["/check"]["post"]["responses"].keys()
    assert "429" not in paths["/check"]["get"]["responses"].keys() | paths["/{path}"]["get"]["responses"].keys()
    assert paths["/sitemap-{number}.xml"]["get"]["parameters"][0]["schema"]["type"] == "integer"
    answer = visitor.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["access-control-allow-origin"] == "*"
    known = {"If-None-Match": answer.headers["etag"]}
    assert visitor.get("/openapi.json", headers=known).status_code == 304


def test_what_says_nothing_is_left_out() -> None:
    assert openapi.describe("http://x/", [Route("/hidden", lambda _: None)])["paths"] == {}


# --- is it true?


@pytest.fixture(scope="module")
def schema(site: Site) -> Iterator[Any]:
    """Of a site that is served: with headers, bodies and status as they go over a wire."""
    uvicorn = pytest.importorskip("uvicorn")
    listening = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    inside = application(site)
    server = uvicorn.Server(uvicorn.Config(inside, log_level="critical", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    assert eventually(lambda: server.started)
    try:
        loaded = schemathesis.openapi.from_url(f"{address}/openapi.json")
        loaded.config.update(base_url=address)
        yield loaded
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


CHECKS = (
    checks.not_a_server_error, checks.status_code_conformance, checks.content_type_conformance,
    checks.response_schema_conformance, checks.response_headers_conformance,
)  # fmt: skip
DEAR = ("/check", "/sparql")
"""Each answer to these takes a process, or a part of a second of one."""


def examples(operation: Any, where: str) -> dict[str, Any]:
    said = operation.definition.raw["parameters"]
    return {p["name"]: p.get("example", 1) for p in said if p["in"] == where and (p["required"] or "example" in p)}


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_answers_are_as_described(schema: Any, mode: GenerationMode) -> None:
    wrong, number = [], 0
    for operation in (result.ok() for result in schema.get_all_operations()):
        if mode.is_negative and not (operation.query or operation.body):
            continue  # nothing in it could be wrong

        def ask(case: Any) -> None:
            nonlocal number
            number += 1
            case.call_and_validate(timeout=PATIENCE, checks=CHECKS)

        most = 4 if operation.path in DEAR else 8
        settings = hypothesis.settings(max_examples=most, derandomize=True, deadline=None, database=None,
                                       suppress_health_check=list(hypothesis.HealthCheck))  # fmt: skip
        try:
            if mode.is_positive and not operation.body:
                ask(operation.Case(path_parameters=examples(operation, "path"), query=examples(operation, "query")))
            settings(hypothesis.given(operation.as_strategy(mode))(ask))()
        except (Exception, BaseExceptionGroup) as error:
            told = error.exceptions if isinstance(error, BaseExceptionGroup) else [error]
            wrong.append(f"{operation.label}: {'; '.join(map(str, told))}")
    assert not wrong, "\n\n".join(wrong)
    assert number > 30
