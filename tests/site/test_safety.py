"""What every answer goes through: names, the log, counts, and how much a client may have."""

from __future__ import annotations

import logging
import re

import pytest
from starlette.testclient import TestClient

from rulewright.site import search
from rulewright.site.app import application
from rulewright.site.context import Site
from rulewright.site.rates import COSTS
from rulewright.site.safety import HEADERS, Care

HTML = {"Accept": "text/html"}


def visiting(site: Site, care: Care, host: str = "203.0.113.5") -> TestClient:
    inside = application(site, care=care)
    return TestClient(inside, follow_redirects=False, raise_server_exceptions=False, client=(host, 50000))


def counted(client: TestClient) -> dict[str, float]:
    lines = client.get("/metrics").text.splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


# --- how much


@pytest.mark.parametrize("path", ["/search?q=Abprall", "/sparql"])
def test_who_asks_too_much_is_told_when_to_come_again(site: Site, path: str) -> None:
    visitor = visiting(site, Care(rate=2))
    visitor.get(path)
    visitor.get(path)
    refused = visitor.get(path, headers={**HTML, "Accept-Language": "de"})
    assert refused.status_code == 429
    assert 0 < int(refused.headers["retry-after"]) <= 30
    assert refused.headers["access-control-allow-origin"] == "*"
    assert "viel auf einmal" in refused.text
    assert refused.headers.items() >= {k.lower(): v for k, v in HEADERS.items()}.items()
    plain = visitor.get(path, headers={"Accept": "text/plain"})
    assert plain.status_code == 429
    assert "<" not in plain.text
    assert visitor.get("/keyword/rebound.html").status_code == 200, "pages are free"
    assert visiting(site, Care(rate=2)).get("/search?q=a").status_code == 200


def test_a_game_that_is_refused_is_not_judged(site: Site) -> None:
    visitor = visiting(site, Care(rate=COSTS["check"]))
    sent = {"content": b"{}", "headers": {"Content-Type": "application/json"}}
    assert visitor.post("/check", **sent).status_code != 429
    assert visitor.post("/check", **sent).status_code == 429
    assert visitor.get("/check", headers=HTML).status_code == 200


def test_others_are_not_refused(site: Site) -> None:
    inside = application(site, care=Care(rate=1))
    mine, other, own = (TestClient(inside, client=(host, 1)) for host in ("203.0.113.5", "203.0.113.6", "127.0.0.1"))
    assert [mine.get("/search?q=a").status_code for _ in range(2)] == [200, 429]
    assert other.get("/search?q=a").status_code == 200
    assert [own.get("/search?q=a").status_code for _ in range(3)] == [200] * 3


def test_a_header_makes_nobody_another_client(site: Site) -> None:
    visitor = visiting(site, Care(rate=1))
    for n in range(2):
        named = {"X-Forwarded-For": f"198.51.100.{n}", "Forwarded": f"for=198.51.100.{n}", "X-Real-IP": "127.0.0.1"}
        assert visitor.get("/search?q=a", headers=named).status_code == (429 if n else 200)


# --- names and the log


def test_each_request_has_a_name(site: Site) -> None:
    visitor = visiting(site, Care())
    names = [visitor.get(path).headers["x-request-id"] for path in ("/", "/", "/nope", "/static/site.css", "/health")]
    assert len(set(names)) == 5
    assert all(re.fullmatch("[0-9a-f]{16}", name) for name in names)
    given = visitor.get("/health", headers={"X-Request-ID": "mine"}).headers.get_list("x-request-id")
    assert given != ["mine"]
    assert len(given) == 1


@pytest.mark.parametrize(
    ("name", "taken"), [("b7d0-4.a:1_Z", True), ("x" * 64, True), ("x" * 65, False), ("a b", False), ("<i>", False)]
)
def test_behind_a_proxy_it_has_the_proxy_s(site: Site, name: str, taken: bool) -> None:
    answer = visiting(site, Care(proxied=True)).get("/health", headers={"X-Request-ID": name})
    assert (answer.headers["x-request-id"] == name) is taken


def test_a_line_a_request(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "rulewright.site.access")
    visitor = visiting(site, Care(log=True))
    answer = visitor.get("/search?q=secret%20words")
    visitor.post("/check", content=b"secret game", headers={"Content-Type": "text/plain"})
    visitor.get("/a%0ab%20%1b%5b31m%E2%80%AE%22")
    visitor.get("/" + "x" * 5000)
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 4
    assert "secret" not in "".join(lines)
    pattern = rf"203\.0\.113\.5 GET /search 200 {len(answer.content)} \d+ms {answer.headers['x-request-id']}"
    assert re.fullmatch(pattern, lines[0])
    assert " POST /check 200 " in lines[1]
    assert "GET /a%0Ab%20%1B%5B31m%E2%80%AE%22 " in lines[2]
    assert len(lines[3]) < 400


def test_no_line_unless_it_is_wanted(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "rulewright.site.access")
    visiting(site, Care()).get("/")
    assert not caplog.records


def test_what_goes_wrong_is_in_the_log_by_its_name(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("internal matter")

    monkeypatch.setattr(search, "words", fail)
    answer = visiting(site, Care()).get("/search?q=a", headers=HTML)
    assert answer.status_code == 500
    assert "internal" not in answer.text
    (record,) = (r for r in caplog.records if r.name == "rulewright.site.safety")
    assert answer.headers["x-request-id"] in record.getMessage()
    assert record.exc_info


# --- counts


def test_requests_are_counted_by_route_and_status(site: Site) -> None:
    visitor = visiting(site, Care(rate=1))
    for path in ("search?q=a", "search?q=b", "keyword/rebound", "keyword/rebound.html", "nope", "static/site.css"):
        visitor.get(f"/{path}")
    visitor.head("/")
    visitor.request("BREW", "/")
    found = counted(visitor)

    def number(route: str, status: int, method: str = "GET") -> float:
        return found[f'rulewright_requests_total{{method="{method}",route="{route}",status="{status}"}}']

    assert number("/search", 200) == 1
    assert number("none", 429) == 1, "it came to no route"
    assert number("/{path:path}", 303) == number("/{path:path}", 200) == number("/{path:path}", 404) == 1
    assert number("/static", 200) == number("/", 200, "HEAD") == number("/", 405, "other") == 1
    assert found['rulewright_request_seconds_count{route="/search"}'] == 1
    assert found["rulewright_requests_open"] == 1, "that which asks"
    assert found['rulewright_sparql_places{kind="short"}'] > found['rulewright_sparql_busy{kind="short"}'] == 0
    assert found['rulewright_sparql_waiting{kind="long"}'] == found["rulewright_sparql_killed_total"] == 0
    assert {"rulewright_sparql_workers", "rulewright_sparql_unsent", "process_resident_memory_bytes"} <= found.keys()


def test_counts_are_those_of_prometheus(site: Site) -> None:
    visitor = visiting(site, Care())
    assert visitor.get("/metrics").headers["content-type"].startswith("text/plain; version=")
    wanted = {"Accept": "application/openmetrics-text; version=1.0.0"}
    answer = visitor.get("/metrics", headers=wanted)
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.text.endswith("# EOF\n")
    assert answer.headers["cache-control"] == "no-store"
