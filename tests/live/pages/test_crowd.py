"""A crowd of readers: with the server killed and started again nothing is lost for any of them, or comes twice."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from bench.live import measure

pytestmark = pytest.mark.long


@pytest.mark.parametrize("kills", [0, 3])
def test_nothing_is_lost_or_doubled(any_store: str, kills: int) -> None:
    # In a thread of its own, for this one's may have a loop that goes on: that of the browser.
    with ThreadPoolExecutor(1) as beside:
        crowd = measure(any_store, streams=60, per_s=40, seconds=12, kills=kills)
        trial = beside.submit(asyncio.run, crowd).result()
    clients, total = trial["clients"], len(trial["done"])
    assert total == 480
    assert [fault for client in clients for fault in client.faults] == []
    assert sum(client.lacks(total) for client in clients) == 0
    assert sum(client.opened - 1 for client in clients) >= 60 * bool(kills)
