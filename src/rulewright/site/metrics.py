"""What the site counts of itself, for Prometheus to collect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from rulewright.site.said import Said, said
from rulewright.site.sparql.pool import Pool

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_PLACES: Final = (
    ("places", "Places for queries, by kind."),
    ("busy", "Places that are taken, by kind."),
    ("waiting", "Queries that wait for a place, by kind."),
)
_METHODS: Final = ("GET", "HEAD", "POST", "OPTIONS")


class Metrics:
    """Of one application: two in a process do not add up."""

    def __init__(self, pool: Pool) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.registry.register(_Queries(pool))
        self._answers = Counter(
            "rulewright_requests", "Requests that have ended, by route and status; none: the client went away.",
            ("route", "method", "status"), registry=self.registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "rulewright_request_seconds", "Seconds until an answer was sent.", ("route",), buckets=SECONDS,
            registry=self.registry,
        )  # fmt: skip
        self.open = Gauge("rulewright_requests_open", "Requests that are being answered.", registry=self.registry)

    def ended(self, route: str, method: str, status: int, seconds: float) -> None:
        """`route`: a pattern, of which there are few; `status`: 0 where there was no answer."""
        method = method if method in _METHODS else "other"
        self._answers.labels(route, method, str(status or "none")).inc()
        self._seconds.labels(route).observe(seconds)

    @said(Said(answers={200: ("text/plain", "application/openmetrics-text")}))
    def answer(self, request: Request) -> Response:
        """What is counted, for Prometheus."""
        encode, media_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(self.registry), headers={"Content-Type": media_type, "Cache-Control": "no-store"})


class _Queries(Collector):
    """The endpoint's workers, asked when somebody asks for this."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        pool = self._pool
        ended = CounterMetricFamily("rulewright_sparql_queries", "Queries, by how they ended.", labels=["end"])
        for end, number in sorted(pool.counts.items()):
            ended.add_metric([end], number)
        yield ended
        for number, (name, told) in enumerate(_PLACES):
            gauge = GaugeMetricFamily(f"rulewright_sparql_{name}", told, labels=["kind"])
            for kind, numbers in pool.places.items():
                gauge.add_metric([kind], numbers[number])
            yield gauge
        yield GaugeMetricFamily("rulewright_sparql_workers", "Worker processes that run.", pool.workers)
        yield CounterMetricFamily("rulewright_sparql_killed", "Workers that were killed at work.", pool.killed)
        yield GaugeMetricFamily("rulewright_sparql_unsent", "Answers that are being sent.", pool.unsent)
