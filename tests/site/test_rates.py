"""What each client may have of what is costly."""

from __future__ import annotations

import pytest

from rulewright.site import rates
from rulewright.site.rates import COSTS, Rates, client, cost, is_own


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("203.0.113.5", "203.0.113.5", True),
        ("203.0.113.5", "203.0.113.6", False),
        ("::ffff:203.0.113.5", "203.0.113.5", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("unknown", "unknown", True),
        ("unknown", "_hidden", False),
    ],
)
def test_who_is_one_client(one: str, other: str, same: bool) -> None:
    assert (client(one) == client(other)) is same


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1"])
def test_this_machine_is_not_limited(host: str) -> None:
    assert is_own(host)
    limited = Rates(1, Clock())
    assert [limited.take(host, 1) for _ in range(9)] == [0] * 9


@pytest.mark.parametrize("host", ["", "10.0.0.1", "203.0.113.5", "2001:db8::1", "localhost", "127.0.0.1.example.org"])
def test_whoever_else_is(host: str) -> None:
    assert not is_own(host)
    limited = Rates(1, Clock())
    assert [bool(limited.take(host, 1)) for _ in range(3)] == [False, True, True]


@pytest.mark.parametrize(
    ("method", "path", "tokens"),
    [
        ("GET", "/search", COSTS["search"]),
        ("HEAD", "/search", COSTS["search"]),
        ("GET", "/suggest", COSTS["suggest"]),
        ("GET", "/sparql", COSTS["sparql"]),
        ("POST", "/sparql", COSTS["sparql"]),
        ("OPTIONS", "/sparql", 0),
        ("GET", "/check", 0),
        ("POST", "/check", COSTS["check"]),
        ("GET", "/dump.nq.gz", COSTS["dump"]),
        ("GET", "/dump.trig.gz", COSTS["dump"]),
        ("GET", "/", 0),
        ("GET", "/keyword/rebound.html", 0),
        ("GET", "/static/site.css", 0),
    ],
)
def test_what_costs(method: str, path: str, tokens: float) -> None:
    assert cost(method, path) == tokens


def test_the_bucket_fills_again() -> None:
    clock = Clock()
    limited = Rates(60, clock)
    assert [limited.take("a", 20) for _ in range(3)] == [0, 0, 0]
    assert limited.take("a", 20) == 20
    assert limited.take("b", 20) == 0, "others have their own"
    clock.now += 19
    assert limited.take("a", 20) == 1
    clock.now += 1
    assert limited.take("a", 20) == 0
    assert limited.take("a", 1) == 1
    clock.now += 3600
    assert [limited.take("a", 20) for _ in range(4)] == [0, 0, 0, 20], "no more is saved up than for a minute"


def test_being_refused_costs_nothing() -> None:
    clock = Clock()
    limited = Rates(60, clock)
    limited.take("a", 60)
    for _ in range(50):
        limited.take("a", 60)
        clock.now += 1
    clock.now += 10
    assert limited.take("a", 60) == 0


def test_what_is_dear_is_rare_where_little_is_allowed() -> None:
    clock = Clock()
    limited = Rates(2, clock)
    assert limited.take("a", 20) == 0
    assert limited.take("a", 20) == 60
    clock.now += 60
    assert limited.take("a", 20) == 0


def test_no_limit() -> None:
    limited = Rates(0)
    assert not any(limited.take("a", 1000) for _ in range(100))


def test_not_all_clients_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "CLIENTS", 3)
    limited = Rates(1, Clock())
    for name in "abca":
        limited.take(name, 1)
    limited.take("d", 1)
    assert len(limited._left) == 3
    assert limited.take("a", 1), "who asks is not forgotten"
    assert not limited.take("b", 1)
