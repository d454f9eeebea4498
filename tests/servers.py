"""Real SPARQL servers on this machine, for tests: `pytest_plugins = ["servers"]`. Each module has its own."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from waiting import eventually

INI = """[Database]
DatabaseFile = {at}/virtuoso.db
ErrorLogFile = {at}/virtuoso.log
LockFile = {at}/virtuoso.lck
TransactionFile = {at}/virtuoso.trx
xa_persistent_file = {at}/virtuoso.pxa
FileExtend = 200
[TempDatabase]
DatabaseFile = {at}/temp.db
TransactionFile = {at}/temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
ServerThreads = 10
CheckpointInterval = 0
NumberOfBuffers = 10000
MaxDirtyBuffers = 6000
DirsAllowed = {at}
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {at}
ServerThreads = 4
[SPARQL]
ResultSetMaxRows = 100000
"""


def free_ports(n: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [int(s.getsockname()[1]) for s in sockets]
    for s in sockets:
        s.close()
    return ports


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def running(command: list[str], port: int, at: Path) -> Iterator[str]:
    """The address of a server, once it listens; it is ended afterwards."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=at, stdout=quiet, stderr=quiet) as server:
        try:
            assert eventually(lambda: listens(port))
            yield f"http://127.0.0.1:{port}"
        finally:
            stopped(server)


def stopped(server: subprocess.Popen[bytes]) -> None:
    """Asks a server to end; one that is busy with a query does not hear it."""
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()


@contextmanager
def plain(folder: Path) -> Iterator[str]:
    """The address of a folder on a server of files, which has also what is beside it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder.parent)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{folder.name}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Files(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def virtuoso(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Virtuoso of our own, whose user dba has the password `secret`."""
    program = shutil.which("virtuoso-t")
    if program is None:
        pytest.skip("virtuoso-t is not installed (Debian: virtuoso-opensource-7-bin)")
    at = tmp_path_factory.mktemp("virtuoso")
    sql, http = free_ports(2)
    ini = at / "virtuoso.ini"
    ini.write_text(INI.format(at=at, sql=sql, http=http), encoding="utf-8")
    command = [program, "+configfile", str(ini)]
    subprocess.run([*command, "+wait", "+pwdold", "dba", "+pwddba", "secret"], cwd=at, capture_output=True, check=False)
    with running([*command, "+foreground"], http, at) as address:
        yield address


@pytest.fixture(scope="module")
def oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an Oxigraph server of our own, that keeps nothing."""
    beside = shutil.which("oxigraph", path=str(Path(sys.executable).parent))
    program = beside or shutil.which("oxigraph")
    if program is None:
        pytest.skip("oxigraph is not installed (PyPI: oxigraph)")
    (port,) = free_ports(1)
    with running([program, "serve", "-b", f"127.0.0.1:{port}"], port, tmp_path_factory.mktemp("oxigraph")) as address:
        yield address
