"""How much of what is costly a client may have: a bucket of tokens for each, which fills again with time."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

COSTS: Final = {"suggest": 0.25, "search": 1.0, "sparql": 1.0, "check": 4.0, "dump": 20.0}
"""First part of a path -> what an answer there costs, by what it takes to make. Pages are free: they are kept."""
CLIENTS: Final = 10_000
"""Clients that are remembered; the one that has been quiet the longest is forgotten first."""
_WHOLE: Final = 64
"""Bits of an IPv6 address that are one client's: the others it may choose as it likes (RFC 6177)."""


def client(host: str) -> str:
    """Who asks, as far as an address can tell."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((address, _WHOLE), strict=False))
        address = address.ipv4_mapped
    return str(address)


def is_own(host: str) -> bool:
    """Whether it asks from this machine: its operator, or a proxy of which nobody has told."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def cost(method: str, path: str) -> float:
    """`path`: below the root of the site."""
    name = path.lstrip("/").partition(".")[0]
    if method == "OPTIONS" or (name == "check" and method != "POST"):  # the form alone
        return 0.0
    return COSTS.get(name, 0.0)


class Rates:
    """`minute`: the tokens that each client gets a minute, and may have saved up; 0: there is no limit."""

    def __init__(self, minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.minute, self._clock = minute, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, host: str, tokens: float) -> int:
        """Takes them if they are there, and returns 0; else the whole seconds until they will be."""
        if not self.minute or not tokens or is_own(host):
            return 0
        name, now = client(host), self._clock()
        tokens = min(tokens, self.minute)  # a small allowance makes what is dear rare, and not impossible
        left, then = self._left.get(name, (self.minute, now))
        left = min(self.minute, left + (now - then) * self.minute / 60)
        wait = 0 if left >= tokens else math.ceil((tokens - left) * 60 / self.minute)
        self._left[name] = left if wait else left - tokens, now
        self._left.move_to_end(name)
        while len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        return wait
