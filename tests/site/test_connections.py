"""Who sends or reads slowly, or opens many connections, keeps nobody else from being answered."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn

from rulewright.site import connections
from rulewright.site.connections import Connection
from waiting import PATIENCE, eventually

LARGE = 64 * 2**20
BUFFERED = 16 * 2**20
"""More than what stands between the server and who reads."""
HOUR = 3600.0


async def application(scope: dict[str, object], receive: object, send: object) -> None:
    """Answers at once, whatever of the request is still to come; /large: with much."""
    assert scope["type"] == "http"
    size = LARGE if scope["path"] == "/large" else 2
    head = [(b"content-length", str(size).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": head})  # type: ignore[operator]
    for _ in range(size // 2**20):
        await send({"type": "http.response.body", "body": b"x" * 2**20, "more_body": True})  # type: ignore[operator]
    await send({"type": "http.response.body", "body": b"ok" if size == 2 else b""})  # type: ignore[operator]


class Loop(asyncio.SelectorEventLoop):
    """Its clock goes on as the tests will, in hours that take no time; a busy machine has as many as any other."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


class Server(uvicorn.Server):
    port: int
    loop: Loop

    @property
    def count(self) -> int:
        return len(self.server_state.connections)

    def later(self, seconds: float) -> None:
        """So many seconds go by for the server, and what is then due is done."""
        done = threading.Event()
        self.loop.ahead += seconds
        self.loop.call_soon_threadsafe(self.loop.call_later, 0, done.set)
        assert done.wait(PATIENCE)

    def serve_in_a_loop_of_its_own(self, listening: socket.socket) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self.serve([listening]))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(connections, "PATIENCE", HOUR)
    monkeypatch.setattr(connections, "UNREAD", HOUR)
    config = uvicorn.Config(application, http=Connection, log_level="critical", lifespan="off", limit_concurrency=60,
                            proxy_headers=False, timeout_keep_alive=10 * HOUR, timeout_graceful_shutdown=1)  # fmt: skip
    made = Server(config)
    made.loop = Loop()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made.port = listening.getsockname()[1]
        thread = threading.Thread(target=made.serve_in_a_loop_of_its_own, args=[listening], daemon=True)
        thread.start()
        assert eventually(lambda: made.started)
        yield made
        made.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


def opened(server: Server, address: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE, source_address=(address, 0))


def answer(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65536):
            found += part
    return found


def alone(server: Server) -> bool:
    return eventually(lambda: server.count == 0)


def known(server: Server, number: int) -> bool:
    return eventually(lambda: server.count == number)


@pytest.mark.parametrize(("sent", "told"), [
    (b"", b""),
    (b"G", b"HTTP/1.1 408 Request Timeout\r\n"),
    (b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ", b"HTTP/1.1 408 Request Timeout\r\n"),
])  # fmt: skip
def test_a_head_that_does_not_come(server: Server, sent: bytes, told: bytes) -> None:
    with opened(server) as connection:
        connection.sendall(sent)
        assert known(server, 1)
        server.later(HOUR)
        assert answer(connection).startswith(told)
    assert alone(server)


@pytest.mark.parametrize("head", [
    b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
])  # fmt: skip
def test_who_sends_byte_by_byte(server: Server, head: bytes) -> None:
    """Also of what nobody wants any more, as the answer has been given."""
    with opened(server) as connection:
        connection.sendall(head)
        assert known(server, 1)
        for _ in range(20):
            with contextlib.suppress(ConnectionError):
                connection.sendall(b"x")
            server.later(HOUR / 10)
    assert alone(server)


def test_who_does_not_read(server: Server) -> None:
    with opened(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(10)
        assert eventually(lambda: server.later(HOUR) or server.count == 0), "it waits once its buffers are full"


def test_who_reads_slowly_but_reads_has_all(server: Server) -> None:
    with opened(server) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2**18)
        connection.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        found, passed = 0, 0
        while part := connection.recv(2**20):
            found += len(part)
            if found // BUFFERED > passed:  # it must have written on
                passed += 1
                server.later(HOUR * 0.6)
    assert passed > 2
    assert found > LARGE


def test_slow_ones_do_not_fill_the_server(server: Server) -> None:
    with contextlib.ExitStack() as many:
        for _ in range(55):
            many.enter_context(opened(server)).sendall(b"GET / HTTP/1.1\r\nX: ")
        with opened(server) as another:
            another.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert answer(another).endswith(b"\r\n\r\nok")
        assert known(server, 55)
        server.later(HOUR)
        assert alone(server)


def test_a_client_has_so_many_and_no_more(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "EACH", 5)
    monkeypatch.setattr(connections, "is_own", lambda host: host == "127.0.0.1")
    asked = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    with contextlib.ExitStack() as many:
        for address in ("127.0.0.1", "127.0.0.2"):
            for _ in range(5):
                many.enter_context(opened(server, address)).sendall(b"GET")
        assert known(server, 10)
        for address, status in (("127.0.0.1", b"200"), ("127.0.0.2", b"503"), ("127.0.0.3", b"200")):
            with opened(server, address) as another:
                with contextlib.suppress(ConnectionError):
                    another.sendall(asked)
                assert answer(another).startswith(b"HTTP/1.1 " + status), address
            assert known(server, 10)
        server.later(HOUR)
        assert alone(server)


def test_connections_are_kept_for_more(server: Server) -> None:
    with opened(server) as connection:
        for _ in range(20):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            found = b""
            while not found.endswith(b"\r\n\r\nok"):
                part = connection.recv(4096)
                assert part
                found += part
            assert found.startswith(b"HTTP/1.1 200")
            server.later(HOUR * 0.4)
