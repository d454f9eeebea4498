"""Who may have a worker when."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from rulewright.site.sparql.pool import Busy, Places


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def soon() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_clients_take_turns() -> None:
    async def work() -> None:
        places = Places(1, 100, 100)
        served: list[str] = []

        async def enter(client: str) -> None:
            await places.enter(client, 10)
            served.append(client)

        await enter("much")
        waiting = [asyncio.create_task(enter(c)) for c in ["much"] * 3 + ["little", "other", "little"]]
        await soon()
        for _ in waiting:
            places.leave()
            await soon()
        assert served == ["much", "much", "little", "other", "much", "little", "much"]
        places.leave()
        assert places.free == 1

    run(work())


def test_too_many_wait() -> None:
    async def work() -> None:
        places = Places(1, 3, 2)
        await places.enter("a", 1)
        waiting = [asyncio.create_task(places.enter(c, 10)) for c in "aab"]
        await soon()
        for client in "abc":
            with pytest.raises(Busy):
                await places.enter(client, 10)
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)
        assert places.waiting == 0
        places.leave()
        assert places.free == 1

    run(work())


def test_nobody_waits_for_ever() -> None:
    async def work() -> None:
        places = Places(1, 9, 9)
        await places.enter("a", 1)
        with pytest.raises(Busy):
            await places.enter("a", 0.01)
        assert places.waiting == 0
        places.leave()
        assert places.try_enter()
        assert not places.try_enter()

    run(work())


def test_a_place_given_to_one_who_has_gone_is_not_lost() -> None:
    async def work() -> None:
        places = Places(1, 9, 9)
        await places.enter("a", 1)
        task = asyncio.create_task(places.enter("b", 10))
        await soon()
        places.leave()  # to b, who has not woken up yet
        task.cancel()
        await asyncio.wait([task])
        assert places.free == 1

    run(work())


def test_nobody_overtakes() -> None:
    async def work() -> None:
        places = Places(1, 9, 9)
        await places.enter("a", 1)
        task = asyncio.create_task(places.enter("b", 10))
        await soon()
        assert not places.try_enter()
        places.leave()
        assert not places.try_enter()
        await task

    run(work())
