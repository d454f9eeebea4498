"""The site under load: pages of the whole graph, SPARQL beside rdflib-endpoint, and pages while hostile queries run.

    python benchmarks/site.py [STORE]

STORE is what `make corpus` built (default: build/corpus); it is only read. Writes benchmarks/SITE.md, in less than four
minutes. Everything in one run: a server in a process of its own, and who asks it in others, on the same cores.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import itertools
import json
import os
import platform
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from rulewright.store import Dataset
from rulewright.store.queries import form_of, load_queries

HERE = Path(__file__).parent
SEED = 1
BEGAN = time.perf_counter()
CLIENTS = 32
SHARES = {"card": 900, "keyword": 150, "rule": 200, "scenario": 150, "ruling": 68, "edition": 12, "term": 20}
"""Pages of each kind, of which each is asked for."""
SEARCHES = ("rebound", "Abprall", "cascade twice", "exile instead", "Blitzschlag", "copy of a spell", "falshback")
DATA = ("ttl", "jsonld", "nt", "rdf")
ROWS = "application/sparql-results+json"
CROSS = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i"
HOSTILE = {
    "cross product, counted": f"SELECT (COUNT(*) AS ?n) WHERE {{ {CROSS} }}",
    "cross product of nothing": f"ASK {{ {CROSS} FILTER (STRLEN(STR(?a)) + STRLEN(STR(?f)) + STRLEN(STR(?i)) < 0) }}",
    "cross product, sorted": f"SELECT * WHERE {{ {CROSS} }} ORDER BY ?c ?f ?i",
    "cross product, distinct": f"SELECT DISTINCT ?a ?d ?g ?i WHERE {{ {CROSS} }} OFFSET 100000000",
    "cross product, grouped": f"SELECT ?b ?e (SAMPLE(?i) AS ?x) WHERE {{ {CROSS} }} GROUP BY ?b ?e ?g",
    "deep path": "SELECT (COUNT(*) AS ?n) WHERE { ?a (rw:none|!rw:none)*/(rw:none|!rw:none)* ?b }",
    "path both ways": "SELECT (COUNT(*) AS ?n) WHERE { ?a (rw:none|!rw:none|^rw:none|^!rw:none)* ?b }",
    "regular expression": f'ASK {{ {CROSS} FILTER REGEX(CONCAT(STR(?a), STR(?i)), "(a+)+b$x") }}',
    "huge result": "SELECT * WHERE { ?a ?b ?c . ?d ?e ?f }",
    "huge graph": "CONSTRUCT { ?a ?b ?f } WHERE { ?a ?b ?c . ?d ?e ?f }",
}


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("store", nargs="?", type=Path, default=Path("build/corpus"))
    arguments.add_argument("--out", type=Path, default=HERE / "SITE.md")
    arguments.add_argument("--ask", action="store_true", help="(a client: what to ask comes by standard input)")
    arguments.add_argument("--rdflib", nargs=2, metavar=("FILE", "PORT"), help="(serves a file by rdflib-endpoint)")
    given = arguments.parse_args()
    if given.ask:
        print(json.dumps(asyncio.run(asked(json.load(sys.stdin)))))
    elif given.rdflib:
        serve_by_rdflib(Path(given.rdflib[0]), int(given.rdflib[1]))
    else:
        text = measured(given.store)
        given.out.write_text(text, encoding="utf-8")
        print(text)


# --- who asks


async def asked(load: dict[str, Any]) -> dict[str, Any]:
    """Asks `requests` (path and headers) at `base` by so many `clients` at once, each with an address of its own: each
    request once, or with `seconds` over and over, until they are over. With `apart` each client asks one of them."""
    import httpx2

    requests, left = load["requests"], iter(load["requests"])
    if load["seconds"]:
        left = itertools.cycle(requests)
    until = time.perf_counter() + (load["seconds"] or load["most"])
    times: list[float] = []
    statuses: Counter[str] = Counter()

    async def client(number: int) -> None:
        own = itertools.repeat(requests[number % len(requests)]) if load["apart"] else left
        transport = httpx2.AsyncHTTPTransport(local_address=f"127.0.{load['net']}.{number + 1}")
        async with httpx2.AsyncClient(transport=transport, base_url=load["base"], timeout=60) as http:
            for path, headers in own:
                begun = time.perf_counter()
                if begun > until:
                    break
                try:
                    status = str((await http.get(path, headers=headers)).status_code)
                except httpx2.TransportError as error:
                    status = type(error).__name__
                times.append(time.perf_counter() - begun)
                statuses[status] += 1

    began = time.perf_counter()
    await asyncio.gather(*(client(n) for n in range(load["clients"])))
    return {"times": times, "statuses": statuses, "seconds": time.perf_counter() - began}


class Asking:
    """Clients in a process of their own, that have begun."""

    def __init__(
        self, base: str, requests: list[Any], clients: int, seconds: float = 0, most: float = 0, apart: bool = False
    ) -> None:
        load = {"base": base, "requests": requests, "clients": clients, "seconds": seconds, "most": most,
                "apart": apart, "net": 1 if apart else 0}  # fmt: skip
        self._process = subprocess.Popen([sys.executable, __file__, "--ask"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)  # fmt: skip
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(load))
        self._process.stdin.close()
        self._process.stdin = None

    def answered(self) -> dict[str, Any]:
        text, _ = self._process.communicate(timeout=200)
        found: dict[str, Any] = json.loads(text)
        return found


# --- who answers


@contextmanager
def served(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield server
        finally:
            server.terminate()
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


@contextmanager
def site(*options: str) -> Iterator[tuple[str, float]]:
    """The address of a site, and after how many seconds it answered a page."""
    began = time.perf_counter()
    with served([sys.executable, "-m", "rulewright", "serve", "--port", "0", *options]) as server:
        assert server.stderr is not None
        base = server.stderr.readline().strip()
        reached(base + "keyword/rebound.html")
        yield base, time.perf_counter() - began


def reached(address: str, patience: float = 120) -> bytes:
    until = time.perf_counter() + patience
    while True:
        try:
            with urlopen(Request(address, headers={"Accept": "text/html"}), timeout=patience) as answer:
                content: bytes = answer.read()
                return content
        except OSError:
            if time.perf_counter() > until:
                raise
            time.sleep(0.05)


def serve_by_rdflib(file: Path, port: int) -> None:
    import uvicorn
    from rdflib import Dataset as RdfDataset
    from rdflib_endpoint import SparqlEndpoint

    graph = RdfDataset(default_union=True)
    graph.parse(file, format="nquads")
    uvicorn.run(SparqlEndpoint(graph=graph), port=port, log_level="error")


@contextmanager
def rdflib_endpoint(folder: Path) -> Iterator[str]:
    file = folder / "packaged.nq"
    with Dataset.open() as dataset:
        dataset.load_packaged()
        dataset.dump(file)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with served([sys.executable, __file__, "--rdflib", str(file), str(port)]):
        base = f"http://127.0.0.1:{port}/"
        reached(base + "?query=" + quote("ASK {}"))
        yield base


# --- what is asked


def pages(base: str) -> list[Any]:
    """Addresses of pages of every kind, each once, in an order of chance: most in one language or the other, some as
    data, some searches."""
    chance = random.Random(SEED)
    by_kind: dict[str, list[str]] = {}
    for part in re.findall("<loc>(.*?)</loc>", reached(base + "sitemap.xml").decode()):
        for address in re.findall("<loc>(.*?)</loc>", reached(part).decode()):
            path = urlsplit(address).path
            by_kind.setdefault(path.split("/")[1], []).append(path)
    found: list[Any] = [["/", {}], *([f"/{kind}/", {}] for kind in SHARES)]
    for kind, share in SHARES.items():
        for path in chance.sample(by_kind[kind], min(share, len(by_kind[kind]))):
            if chance.random() < 0.1:
                found.append([path.removesuffix("html") + chance.choice(DATA), {}])
            else:
                found.append([path, {"Accept-Language": chance.choice(("en", "de"))}])
    found += [[f"/search?q={quote(text)}", {}] for text in SEARCHES]
    chance.shuffle(found)
    return found


def select_queries() -> dict[str, str]:
    """The named queries that find something in what the package carries."""
    known = {name: query.text for name, query in load_queries().items() if not query.needs}
    return {name: text for name, text in known.items() if form_of(text) == "SELECT"}


def by_query(base: str, path: str, queries: dict[str, str], runs: int, most: float) -> dict[str, tuple[float, int]]:
    """Query -> median of its seconds, and rows; none of those that there was no time for."""
    until, found = time.perf_counter() + most, {}
    for name, text in queries.items():
        times, rows = [], 0
        for _ in range(runs):
            if time.perf_counter() > until:
                break
            request = Request(f"{base}{path}?query={quote(text)}", headers={"Accept": ROWS})
            begun = time.perf_counter()
            with urlopen(request, timeout=60) as answer:
                rows = len(json.load(answer)["results"]["bindings"])
            times.append(time.perf_counter() - begun)
        if times:
            found[name] = statistics.median(times), rows
    return found


# --- what comes of it


def percentile(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]


def row(name: str, found: dict[str, Any]) -> str:
    times = found["times"]
    wrong = sum(number for status, number in found["statuses"].items() if status != "200")
    return (
        f"| {name} | {len(times):,} | {len(times) / found['seconds']:,.0f} | {statistics.median(times) * 1000:,.0f} ms "
        f"| {percentile(times, 0.99) * 1000:,.0f} ms | {max(times) * 1000:,.0f} ms | {wrong} |"
    )


def say(step: str) -> None:
    print(f"{time.perf_counter() - BEGAN:5.0f} s: {step}", file=sys.stderr, flush=True)


def machine() -> str:
    model = next((line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())  # fmt: skip
    named = ("pyoxigraph", "uvicorn", "starlette", "rdflib", "rdflib-endpoint")
    packages = ", ".join(f"{name} {version(name)}" for name in named)
    return f"{os.cpu_count()} cores ({model}), Linux, Python {platform.python_version()}, {packages}"


def measured(store: Path) -> str:
    before = os.getloadavg()[0]
    with site("--store", str(store)) as (base, first_page):
        started = time.perf_counter()
        reached(base + "ready")
        ready = first_page + time.perf_counter() - started
        triples = re.search(r"([\d\u202f]+) ?(?:triples|Tripel)", reached(base).decode())
        requests = pages(base)
        say(f"{len(requests)} pages, ready after {ready:.0f} s")
        first = Asking(base, requests, CLIENTS, most=25).answered()
        again = Asking(base, requests, CLIENTS, seconds=12).answered()
        say("pages while hostile queries run")
        queries = [[f"/sparql?query={quote(text)}", {"Accept": "*/*"}] for text in HOSTILE.values()]
        hostile = Asking(base, queries, len(queries), seconds=20, apart=True)
        time.sleep(2)
        beside = Asking(base, requests, CLIENTS, seconds=16).answered()
        ended = hostile.answered()
    with tempfile.TemporaryDirectory() as folder, site() as (own, _), rdflib_endpoint(Path(folder)) as other:
        say("SPARQL beside rdflib-endpoint")
        texts = select_queries()
        ours, theirs = by_query(own, "sparql", texts, 5, 15), by_query(other, "", texts, 2, 40)
        common = [name for name in texts if name in ours and name in theirs]
        quick = [name for name in common if theirs[name][0] < 0.1]
        lookups = {
            where: Asking(where, [[f"{path}?query={quote(texts[n])}", {"Accept": ROWS}] for n in quick], 8, seconds=6)
            .answered() for where, path in ((own, "sparql"), (other, ""))
        }  # fmt: skip
    differing = [name for name in common if ours[name][1] != theirs[name][1]]
    slowest = sorted(common, key=lambda name: -theirs[name][0])
    queries_told = "\n".join(
        f"| `{name}` | {ours[name][1]:,} | {ours[name][0] * 1000:,.1f} ms | {theirs[name][0] * 1000:,.1f} ms |"
        for name in slowest
    )
    told = f"The numbers of rows differ: {', '.join(differing)}." if differing else "All find as many rows on both."
    sums = [f"{sum(found[name][0] for name in common) * 1000:,.0f} ms" for found in (ours, theirs)]
    statuses = ", ".join(f"{number} × {status}" for status, number in sorted(ended["statuses"].items()))
    return f"""# The site under load

`python benchmarks/site.py`, {datetime.date.today()}: {machine()};
load {before:.1f} before and {os.getloadavg()[0]:.1f} after a run of {time.perf_counter() - BEGAN:.0f} s, in which
server and clients share the cores. A load above 1 before it means that other work shared them too.

## Pages of the whole graph

{triples[1] if triples else "?"} triples on disk. The first page is answered {first_page:.1f} s after the start, and
{ready:.1f} s after it the registers and the search are ready. {CLIENTS} clients, each of which asks for the next page
when it has the last; {len(requests):,} addresses of every kind, most of cards, a tenth of them as data.
Times are the clients'.

| what | answers | a second | median | 99th percentile | longest | not 200 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
{row("each page for the first time", first)}
{row("the same pages over and over", again)}
{row("the same while ten clients send hostile queries", beside)}

The hostile queries, each by a client of its own, over and over: {", ".join(HOSTILE)}.
They were answered: {statuses} (200: cut short; 500: no more memory; 503: no place; 504: no more time).

## SPARQL beside rdflib-endpoint

The named queries that find something in what the package carries, over HTTP, one after the other; the median of
several times. {told}

| query | rows | rulewright | rdflib-endpoint |
| --- | ---: | ---: | ---: |
{queries_told}
| all {len(common)} | | {" | ".join(sums)} |

Eight clients at once, for 6 s, with the {len(quick)} queries that rdflib-endpoint answers within 0.1 s:

| what | answers | a second | median | 99th percentile | longest | not 200 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
{row("rulewright", lookups[own])}
{row("rdflib-endpoint", lookups[other])}
"""


if __name__ == "__main__":
    main()
