"""`rulewright serve` as a process: it answers at once, and says in one line what is wrong."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest

from unhurried import command
from waiting import PATIENCE, eventually

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


def started(*options: str, query: float = PATIENCE) -> subprocess.Popen[str]:
    line = command("serve", *options, query=query)
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    process = started("--port", "0")
    assert process.stderr is not None
    yield process.stderr.readline().strip()
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in said


def got(address: str, accept: str = "text/html") -> tuple[int, str, str]:
    request = urllib.request.Request(address, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return answer.status, answer.url, answer.read().decode()


def test_pages_data_and_queries(address: str) -> None:
    assert address.startswith("http://127.0.0.1:")
    assert got(address + "health")[2] == "ok\n"
    status, url, text = got(address + "keyword/rebound")
    assert (status, url) == (200, address + "keyword/rebound.html")
    assert "Abprall" in text
    assert got(address + "keyword/Abprall", "text/turtle")[1] == address + "keyword/rebound.ttl"
    assert '"boolean":true' in got(address + "sparql?query=ASK%7B%3Fs%20%3Fp%20%3Fo%7D", "application/json")[2]
    with pytest.raises(urllib.error.HTTPError) as missing:
        got(address + "keyword/no-such-thing")
    assert missing.value.code == 404


def test_what_is_wrong_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for options in (["--port", port], ["--store", str(tmp_path / "none")]):
            process = started("--port", "0", *options)
            _, said = process.communicate(timeout=PATIENCE)
            assert process.returncode == 2
            assert len(said.splitlines()) == 1, said
    process = started("--base", "nonsense")
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 2


def test_addresses_of_proxies_are_checked() -> None:
    for given in ("nonsense", "10.0.0.1/8", "*"):
        process = started("--proxy", given)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 2
        assert "--proxy" in said


# --- behind a proxy, and stopped


def asked(
    address: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, http.client.HTTPMessage, bytes]:
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST" if body else "GET", f"/{path}", body, named)
    answer = connection.getresponse()
    try:
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(("options", "trusted"), [((), False), (("--proxy", "127.0.0.0/8"), True)])
def test_a_proxy_names_clients_only_where_it_is_known(options: tuple[str, ...], trusted: bool) -> None:
    process = started("--port", "0", "--rate", "2", "--access-log", *options)
    try:
        assert process.stderr is not None
        address = process.stderr.readline().strip()
        for host in ("203.0.113.1", "203.0.113.2"):
            told = {"X_Forwarded_For": f"198.51.100.9, {host}", "X_Request_ID": f"id-of-{host}"}
            found = [asked(address, "search?q=secret", **told)[0] for _ in range(3)]
            assert found == ([200, 200, 429] if trusted else [200] * 3)
    finally:
        process.terminate()
        _, said = process.communicate(timeout=PATIENCE)
    lines = said.splitlines()
    shape = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (\S+) GET /search (?:200|429) \d+ \d+ms (\S+)"
    found = [match.groups() for line in lines if (match := re.fullmatch(shape, line))]
    assert len(found) == len(lines) == 6, said
    assert "secret" not in said
    hosts = {host for host, _ in found}
    assert hosts == ({"203.0.113.1", "203.0.113.2"} if trusted else {"127.0.0.1"})
    assert all((name == f"id-of-{host}") is trusted for host, name in found)


def below(process: int) -> set[int]:
    """Processes that it has started, and that those have."""
    parents: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(file.parent.name)] = int(file.read_text().rpartition(") ")[2].split()[1])
        except OSError:
            continue
    found: set[int] = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")
def test_what_is_being_answered_ends_and_all_processes_with_it() -> None:
    process = started("--port", "0", query=10.0)
    answers: dict[str, tuple[int, bytes]] = {}

    def ask(name: str, path: str, body: bytes | None = None) -> None:
        status, _, content = asked(address, path, body, Content_Type="application/json", Accept="text/csv, */*")
        answers[name] = status, content

    try:
        assert process.stderr is not None
        address = process.stderr.readline().strip()
        assert eventually(lambda: asked(address, "ready")[0] == 200)
        game = json.dumps({"id": "urn:x:game", "players": [{"id": "a"}], "events": []}).encode()
        endless = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
        asking = [threading.Thread(target=ask, args=given) for given in (
            ("game", "check", game), ("query", f"sparql?query={quote(endless)}"),
        )]  # fmt: skip
        for thread in asking:
            thread.start()
        assert eventually(lambda: re.search(rb'busy\{kind="\w+"\} 1', asked(address, "metrics")[2]) is not None)
        children = below(process.pid)
        assert len(children) > 5, "workers, their maker, and who judges"
        process.terminate()
        assert eventually(lambda: not reached(address)), "nobody else is let in"
        process.communicate(timeout=PATIENCE)
        for thread in asking:
            thread.join(PATIENCE)
    finally:
        process.kill()
        process.communicate()
    assert answers["game"][0] == 200
    assert b"</html>" in answers["game"][1]
    assert answers["query"][0] == 504
    assert eventually(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def reached(address: str) -> bool:
    place = urlsplit(address)
    try:
        socket.create_connection((place.hostname or "", place.port or 0), timeout=PATIENCE).close()
    except OSError:
        return False
    return True
