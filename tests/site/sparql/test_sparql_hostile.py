"""Queries that would stop a server stop neither it nor the others: real processes behind a real server."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest
import uvicorn
from around import LIMITS, application

from rulewright.site.sparql.endpoint import Endpoint
from rulewright.site.sparql.pool import SPARE, Pool
from rulewright.store import Dataset
from waiting import PATIENCE, eventually

GOOD = "SELECT ?k WHERE { ?k a rw:Keyword } ORDER BY ?k LIMIT 3"
CROSS = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
HOSTILE = {
    "cross product": CROSS,
    "cross product of nothing": "ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i "
    "FILTER (STRLEN(STR(?a)) + STRLEN(STR(?f)) + STRLEN(STR(?i)) < 0) }",
    "deep path": "SELECT (COUNT(*) AS ?n) WHERE { ?a (rw:none|!rw:none)*/(rw:none|!rw:none)* ?b . "
    "?b (rw:none|!rw:none|^rw:none|^!rw:none)* ?c }",
    "regular expression": 'ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER REGEX(CONCAT(STR(?a), STR(?i)), "(a+)+b$x") }',
}
GREEDY = {
    "sorted": "SELECT * WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i",
    "distinct": "SELECT DISTINCT ?a ?d ?g ?i WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } OFFSET 100000000",
    "long text": 'SELECT ?z { BIND("0123456789abcdef" AS ?a) '
    + " ".join(
        f"BIND(CONCAT({', '.join([f'?{chr(97 + n)}'] * 16)}) AS ?{chr(98 + n)})" for n in range(7)
    ).replace("?h)", "?z)")
    + " }",
}


TIME = 2.0
WORKERS = LIMITS.short_places + LIMITS.long_places + SPARE


class Served:
    """The endpoint behind uvicorn, in a thread."""

    def __init__(self, dataset: Dataset, **limits: float) -> None:
        app = application(dataset, replace(LIMITS, **limits))  # type: ignore[arg-type]
        endpoint = app.routes[0].endpoint  # type: ignore[attr-defined]
        assert isinstance(endpoint, Endpoint)
        self.pool: Pool = endpoint.pool
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)

    def __enter__(self) -> Served:
        self.thread.start()
        assert eventually(lambda: self.server.started)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()

    def connection(self, client: int = 1, patience: float = PATIENCE) -> HTTPConnection:
        """All of 127.0.0.0/8 is this machine: so there are other clients."""
        return HTTPConnection("127.0.0.1", self.port, timeout=patience, source_address=(f"127.0.0.{client}", 0))

    def get(
        self, query: str, client: int = 1, accept: str = "text/csv", patience: float = PATIENCE
    ) -> tuple[int, bytes, dict[str, str]]:
        with contextlib.closing(self.connection(client, patience)) as connection:
            connection.request("GET", f"/sparql?query={quote(query)}", headers={"Accept": accept})
            response = connection.getresponse()
            return response.status, response.read(), {k.lower(): v for k, v in response.getheaders()}

    def post(self, query: bytes, client: int = 1) -> tuple[int, bytes]:
        with contextlib.closing(self.connection(client)) as connection:
            connection.request("POST", "/sparql", query, {"Content-Type": "application/sparql-query", "Accept": "*/*"})
            response = connection.getresponse()
            return response.status, response.read()

    def workers(self) -> set[int]:
        return {worker.process for worker in self.pool._all if worker.alive}

    @property
    def busy(self) -> int:
        """Queries that are being answered."""
        return sum(taken for _, taken, _ in self.pool.places.values())

    @property
    def well(self) -> bool:
        """Whether it answers others still: at once, or when a worker has been replaced."""
        return eventually(lambda: self.get(GOOD)[0] == 200)


@pytest.fixture(scope="module")
def served(packaged: Dataset) -> Iterator[Served]:
    with Served(packaged) as made:
        yield made


@pytest.fixture(scope="module")
def strict(packaged: Dataset) -> Iterator[Served]:
    """Ends what takes long, and lets it have memory until then."""
    with Served(packaged, time=TIME, short=0.4, memory=8 * 2**30) as made:
        yield made


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.parametrize("name", HOSTILE)
def test_a_query_without_end_is_ended(strict: Served, name: str) -> None:
    began = time.monotonic()
    status, body, _ = strict.get(HOSTILE[name])
    assert (status, body) == (504, b"the query took longer than 2 s: ask for less\n")
    assert time.monotonic() - began >= TIME
    assert strict.well


@pytest.mark.parametrize("name", GREEDY)
def test_a_query_that_eats_memory_is_ended(served: Served, name: str) -> None:
    before = served.pool.counts["memory"]
    status, body, _ = served.get(GREEDY[name])
    assert (status, body) == (500, b"the query could not be answered: it needs more memory than it may have\n")
    assert served.pool.counts["memory"] == before + 1
    assert served.well


def test_a_huge_result_is_cut_and_says_so(served: Served) -> None:
    status, body, headers = served.get("SELECT * WHERE { ?a ?b ?c . ?d ?e ?f }", accept="text/tab-separated-values")
    assert status == 200
    assert headers["x-sparql-maxrows"] == str(LIMITS.rows)
    assert len(body.splitlines()) == LIMITS.rows + 1
    status, body, headers = served.get("CONSTRUCT { ?a ?b ?f } WHERE { ?a ?b ?c . ?d ?e ?f }", accept="*/*")
    assert status == 200
    assert "x-sparql-maxrows" in headers
    assert "x-sparql-maxrows" not in served.get(GOOD)[2]


def test_ten_hostile_clients_do_not_stop_an_eleventh(packaged: Dataset) -> None:
    """Nobody ends their queries but they themselves: half of them do, and ask again."""
    stop = threading.Event()
    statuses: list[int] = []

    def hostile(served: Served, client: int) -> None:
        queries = [*HOSTILE.values(), *GREEDY.values()]
        while not stop.is_set():
            with contextlib.suppress(OSError, HTTPException):
                patience = PATIENCE if client % 2 else 0.7
                statuses.append(served.get(queries[client % len(queries)], client, patience=patience)[0])

    def answered(served: Served, client: int) -> bool:
        """What took the busy machine longer than a short place is had for waits for the hostile: it is asked again."""
        with contextlib.suppress(TimeoutError):
            status, body, _ = served.get(GOOD, client, patience=10.0)
            assert (status, body.count(b"\n")) == (200, 4)
            return True
        return False

    with ThreadPoolExecutor(10) as others:
        with Served(packaged, short=1.0) as served:
            running = [others.submit(hostile, served, client) for client in range(2, 12)]
            assert eventually(lambda: served.pool.places["long"][1] == LIMITS.long_places)
            others_still = count(12)
            for _ in range(10):
                assert eventually(lambda: answered(served, next(others_still)))
            assert eventually(lambda: served.pool.counts["gone"] > 0), "some have asked again"
            assert not any(each.done() for each in running)
            assert set(statuses) <= {500}
            stop.set()
        for each in running:
            each.result()


def test_the_workers_are_replaced(served: Served) -> None:
    assert eventually(lambda: len(served.workers()) == WORKERS)
    assert served.pool._short.free == LIMITS.short_places
    assert served.pool._long.free == LIMITS.long_places
    assert [f.name for f in (served.pool._folder or Path()).iterdir()] == ["store"]


def test_a_query_that_is_not_waited_for_is_ended(served: Served) -> None:
    gone = served.pool.counts["gone"]
    before = served.workers()
    connection = served.connection()
    connection.request("GET", f"/sparql?query={quote(CROSS)}")
    assert eventually(lambda: served.busy == 1)
    connection.sock.close()
    assert eventually(lambda: served.pool.counts["gone"] == gone + 1)
    assert eventually(lambda: len(before & served.workers()) < len(before))
    assert served.well


def test_who_reads_slowly_holds_no_worker(served: Served) -> None:
    connections = [served.connection(client) for client in range(201, 209)]
    for connection in connections:
        connection.request("GET", f"/sparql?query={quote('SELECT * WHERE { ?a ?b ?c . ?d ?e ?f }')}")
    assert eventually(lambda: served.pool.unsent == len(connections))
    assert eventually(lambda: served.busy == 0)
    assert served.get(GOOD, 200)[0] == 200
    assert served.pool.unsent >= len(connections), "they have not read on"
    for connection in connections:
        connection.close()
    assert eventually(lambda: served.pool.unsent == 0)


DEEP = 20_000


@pytest.mark.parametrize("query", [
    "ASK " + "{" * DEEP + "}" * DEEP,
    "ASK { FILTER (" + "(" * DEEP + "1" + ")" * DEEP + ") }",
    "ASK { FILTER (" + "!" * DEEP + "1) }",
    "ASK { ?a " + "^" * 1500 + "rw:none ?b }",
    "ASK { ?a " + "/".join(["rw:none"] * 5000) + " ?b }",
    "ASK { FILTER (" + "-" * DEEP + "1) }",
    "ASK { {} " + "UNION {} " * 5000 + "}",
    'ASK { FILTER REGEX("a", "' + "(" * DEEP + ")" * DEEP + '") }',
    "SELECT (" + "+".join(["1"] * 9000) + " AS ?x) {}",
    "\x00",
    "ASK {} \ufffe",
    "ASK { FILTER (STRLANG('a', '') = 1) }",
    "SELECT * { VALUES ?x { " + "1 " * 100_000 + "} }",
    "ASK { ?s ?p '" + "\\" * 9999 + " }",
])  # fmt: skip
def test_odd_texts_are_answered(served: Served, query: str) -> None:
    status, body = served.post(query.encode())
    assert status in (200, 400), (status, body[:200])
    assert b"Traceback" not in body
    assert served.get(GOOD)[0] == 200


def test_a_text_that_takes_long_to_read_is_ended(strict: Served) -> None:
    status, _ = strict.post(b"ASK { " + b"a." * 400_000)
    assert status in (400, 504)
    assert strict.well


def test_who_sends_slowly_is_not_waited_for(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.site.safety.PATIENCE", 0.5)
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
        head = ("POST /sparql HTTP/1.1", "Host: x", "Content-Type: application/sparql-query", "Content-Length: 99")
        connection.sendall("\r\n".join([*head, "", "ASK"]).encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 408 ")


def test_a_page_of_a_great_many_columns(served: Served) -> None:
    query = f"SELECT {' '.join(f'?v{n}' for n in range(2000))} {{ ?s ?p ?o }}"
    with contextlib.closing(served.connection(77)) as connection:
        kind = "application/sparql-query"
        connection.request("POST", "/sparql", query, {"Content-Type": kind, "Accept": "text/html"})
        response = connection.getresponse()
        assert response.status == 200
        body = response.read().decode()
    assert "The first 50 of 2\u202f000 columns are shown" in body
    assert body.count("<td>") == 50 * LIMITS.page_rows


# --- nothing is fetched, nothing is changed


@pytest.mark.parametrize("text", [
    "SELECT * {{ SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "SELECT * {{ service <{0}> {{ ?s ?p ?o }} }}",
    "SELECT * {{ SeRvIcE SILENT <{0}> {{ ?s ?p ?o }} }}",
    "SELECT * {{ SERVICE\n#\n<{0}>{{ ?s ?p ?o }} }}",
    "SELECT * {{ SERVICE/**/<{0}> {{ }} }}",
    "SELECT * {{ ?s ?p ?o .SERVICE<{0}>{{?s ?p ?o}} }}",
    "SELECT * {{ VALUES ?g {{ <{0}> }} SERVICE ?g {{ ?s ?p ?o }} }}",
    "SELECT * {{ {{ SELECT * {{ SERVICE <{0}> {{ ?s ?p ?o }} }} }} }}",
    "SELECT * {{ FILTER EXISTS {{ SERVICE <{0}> {{ ?s ?p ?o }} }} }}",
    "ASK {{ \\u0053ERVICE <{0}> {{ ?s ?p ?o }} }}",
    "ASK {{ S\\U00000045RVICE <{0}> {{ ?s ?p ?o }} }}",
    "# \\u000ASELECT * {{ SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "PREFIX s: <{0}> SELECT * {{ SERVICE s: {{ ?s ?p ?o }} }}",
    "PREFIX SERVICE: <{0}> SELECT * {{ SERVICE SERVICE: {{ ?s ?p ?o }} }}",
    "SELECT * {{ ?s ?p 'a\\'b' . SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "SELECT * {{ ?s ?p '''a'b''' . SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "SELECT * {{ ?s ?p \"# \" . SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "SELECT * {{ ?s <{0}#> ?o . SERVICE <{0}> {{ ?s ?p ?o }} }}",
    "LOAD <{0}>",
    "load silent <{0}> into graph <{0}>",
    "PREFIX a: <{0}> LOAD a:",
    "BASE <{0}> LOAD <>",
    "# SELECT\nLOAD <{0}>",
    "\ufeffLOAD <{0}>",
    "\\u004COAD <{0}>",
    "SELECT * {{}} ; LOAD <{0}>",
    "INSERT DATA {{ <{0}> <{0}> <{0}> }}",
    "DELETE WHERE {{ ?s ?p ?o }}",
    "dElEtE {{ ?s ?p ?o }} INSERT {{ }} WHERE {{ ?s ?p ?o }}",
    "WITH <{0}> DELETE {{ ?s ?p ?o }} WHERE {{ ?s ?p ?o }}",
    "CLEAR ALL", "DROP ALL", "CREATE GRAPH <{0}>", "ADD <{0}> TO DEFAULT", "MOVE <{0}> TO DEFAULT",
    "COPY DEFAULT TO <{0}>",
    "SELECT * FROM <file:///etc/passwd> {{ ?s ?p ?o }} SERVICE <{0}> {{ }}",
])  # fmt: skip
@pytest.mark.parametrize("way", ["get", "post"])
def test_nothing_is_fetched_or_changed(served: Served, text: str, way: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        query = text.format(f"http://127.0.0.1:{listening.getsockname()[1]}/")
        status, body = served.post(query.encode()) if way == "post" else served.get(query)[:2]
        assert status == 400, body
        with pytest.raises(BlockingIOError):
            listening.accept()


@pytest.mark.parametrize("graph", ["file:///etc/passwd", "http://127.0.0.1:9/"])
def test_a_graph_that_is_not_there_is_not_fetched(served: Served, graph: str) -> None:
    status, body, _ = served.get(f"SELECT ?s FROM <{graph}> {{ ?s ?p ?o }}")
    assert (status, body) == (200, b"s\r\n")


# --- when there are too many, and when all is over


def test_too_many_are_sent_away(packaged: Dataset) -> None:
    """One has the long place and two wait for it, for as long as they are waited for."""
    strict = Served(packaged, short_places=1, long_places=1, short=0.4, waiting=2)
    with ThreadPoolExecutor(8) as many, strict as served:
        answers = [many.submit(served.get, CROSS, client) for client in range(1, 9)]
        assert eventually(lambda: sum(each.done() for each in answers) == 5)
        for status, body, headers in (each.result() for each in answers if each.done()):
            assert status == 503
            assert headers["retry-after"] == "5"
            assert body == b"too many queries at once: ask again in a few seconds\n"
        assert served.pool.counts["busy"] == 5
        assert served.well
        assert sum(each.done() for each in answers) == 5


def test_a_long_query_that_finds_no_place_starts_anew(packaged: Dataset) -> None:
    slow = "SELECT (COUNT(*) AS ?n) WHERE { ?a a ?b . ?c a rw:Statement }"
    with Served(packaged, short_places=1, long_places=1, short=0.05) as served:
        with ThreadPoolExecutor(3) as many:
            answers = list(many.map(lambda client: served.get(slow, client)[:2], range(1, 4)))
        assert [status for status, _ in answers] == [200] * 3
        assert len({body for _, body in answers}) == 1


def test_when_it_stops_nothing_is_left(packaged: Dataset) -> None:
    with Served(packaged) as served:
        folder = served.pool._folder
        workers = served.workers()
        connection = served.connection()
        connection.request("GET", f"/sparql?query={quote(CROSS)}")
        assert eventually(lambda: served.busy == 1)
        assert folder is not None
        assert folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()
    assert eventually(lambda: not any(map(alive, workers)))


def test_a_worker_whose_parent_was_killed_ends_itself(tmp_path: Path) -> None:
    """The idle ones at once, the busy one when its time is over."""
    with Dataset.open(tmp_path / "store") as dataset:
        dataset.load_packaged()
    program = f"""
import asyncio, sys
from pathlib import Path
from rulewright.site.sparql.pool import Limits, Pool
from rulewright.site.sparql.protocol import Asked
from rulewright.store import Dataset

async def main():
    pool = Pool(Dataset.open(Path({str(tmp_path / "store")!r}), read_only=True), Limits(time=2.0, short=0.1))
    await pool.start()
    while len(pool._all) < pool._number:
        await asyncio.sleep(0.05)
    running = asyncio.ensure_future(pool.run(Asked({CROSS!r}), {{"rows": "csv"}}, "me"))
    while pool.places["long"][1] == 0:
        await asyncio.sleep(0.05)
    print(*(worker.process for worker in pool._all), flush=True)
    await running

asyncio.run(main())
"""
    here = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=here) as parent:
        assert parent.stdout is not None
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(workers) >= 4
        parent.send_signal(signal.SIGKILL)
    assert eventually(lambda: not any(map(alive, workers)))


def test_the_workers_step_back(served: Served) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert eventually(lambda: len(served.workers()) == WORKERS)
    assert eventually(lambda: all(os.getpriority(os.PRIO_PROCESS, pid) > own for pid in served.workers()))
