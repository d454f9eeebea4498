"""The server's connections: who sends or reads slowly, or opens many, does not keep them from others."""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from rulewright.site.rates import client, is_own
from rulewright.site.safety import PATIENCE

UNREAD: Final = 30.0
"""Seconds in which a client must read on."""
EACH: Final = 100
"""Connections of one client; one on this machine, or a proxy, may have any number."""
_CLOSE: Final = b"Connection: close\r\nContent-Length: 0\r\n\r\n"


class Connection(H11Protocol):
    """uvicorn alone waits for ever for the head of a request, for what is left of a request that has been answered, and
    for a client to read."""

    _sending: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._has_too_many():
            transport.write(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\n" + _CLOSE)
            transport.close()
        else:
            self._sending = self.loop.call_later(PATIENCE, self._sends_too_slowly)

    def _has_too_many(self) -> bool:
        if self.client is None or is_own(self.client[0]) or self.config.proxy_headers:
            return False
        own = client(self.client[0])
        others = (c.client for c in self.connections if isinstance(c, H11Protocol))
        return sum(other is not None and client(other[0]) == own for other in others) > EACH

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering and self._sending is not None:
            self._sending.cancel()
            self._sending = None
        elif not answering and self._sending is None:
            self._sending = self.loop.call_later(PATIENCE, self._sends_too_slowly)

    def _sends_too_slowly(self) -> None:
        if not self.transport.is_closing():
            if self.cycle is None and self.conn.trailing_data[0]:  # a browser may open one that it does not need
                self.transport.write(b"HTTP/1.1 408 Request Timeout\r\n" + _CLOSE)
            self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._reading is None:
            self._reading = self.loop.call_later(UNREAD, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._sending, self._reading):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)
