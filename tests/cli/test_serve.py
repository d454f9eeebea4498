"""`rulewright serve` as a process: it answers at once, and says in one line what is wrong."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


def started(*options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "rulewright", "serve", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    process = started("--port", "0")
    assert process.stderr is not None
    yield process.stderr.readline().strip()
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=20)
    assert "Traceback" not in said


def got(address: str, accept: str = "text/html") -> tuple[int, str, str]:
    request = urllib.request.Request(address, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=30) as answer:
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
            _, said = process.communicate(timeout=30)
            assert process.returncode == 2
            assert len(said.splitlines()) == 1, said
    process = started("--base", "nonsense")
    process.communicate(timeout=30)
    assert process.returncode == 2
