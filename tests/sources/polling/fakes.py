"""A clock, an inbox and a client without machine, store and network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Any

import pytest

from tidings.core.files.reading import ReadingOptions
from tidings.core.network.client import Response
from tidings.core.records import Document, Item
from tidings.core.records.documents import Arrival, InboxChange, InboxContents, KeptFeed
from tidings.sources.polling.readers import read_body

__all__ = ["FakeClient", "FakeClock", "MemoryInbox", "ReadHere"]


class FakeClock:
    """Stands while anything is asked, else jumps."""

    def __init__(self, now: int = 1_700_000_000) -> None:
        self.time = now

    def now(self) -> int:
        return self.time

    async def wait(self, tasks: Collection[asyncio.Task[Any]], until: int | None) -> None:
        if tasks:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        elif until is not None:
            self.time = max(self.time, until)
            await asyncio.sleep(0)


class MemoryInbox:
    """Keeps all in memory."""

    def __init__(self) -> None:
        self.arrivals: list[Arrival] = []
        self.feeds: dict[str, KeptFeed] = {}
        self.hosts: dict[str, bytes] = {}
        self.waiting: dict[int, Arrival] = {}
        self.fresh: list[bytes] = []
        self.memory = b""
        self.last_time = 0
        self.changes: list[InboxChange] = []
        self.pruned: list[tuple[int, int]] = []

    def load(self) -> InboxContents:
        return InboxContents(
            feeds=dict(self.feeds),
            hosts=dict(self.hosts),
            waiting=dict(self.waiting),
            fresh=tuple(self.fresh),
            memory=self.memory,
            last_time=self.last_time,
        )

    def commit(self, change: InboxChange) -> int:
        self.changes.append(change)
        self.arrivals += change.arrivals
        self.feeds.update({feed.url: feed for feed in change.feeds})
        self.hosts.update(change.hosts)
        self.waiting.update(change.waiting)
        for number in change.ready:
            self.waiting.pop(number, None)
        if change.memory is not None:
            self.memory, self.fresh = change.memory, []
        self.fresh += change.fresh
        self.last_time = max(self.last_time, change.now)
        return len(self.arrivals)

    def documents(self, after: int, most: int) -> list[tuple[int, Document]]:
        page = self.arrivals[after : after + most]
        return [(seq, arrival.document) for seq, arrival in enumerate(page, after + 1)]

    def prune(self, before_time: int, most_bytes: int) -> int:
        self.pruned.append((before_time, most_bytes))
        return 0


class FakeClient:
    """Answers as a function says, and writes down what was asked when."""

    def __init__(
        self, clock: FakeClock, answer: Callable[[str, Mapping[str, str], int], Response], takes_s: int = 0
    ) -> None:
        self.clock, self.answer, self.takes_s = clock, answer, takes_s
        self.log: list[tuple[int, str, dict[str, str], Response]] = []
        self.busy: list[str] = []

    async def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> Response:
        from tidings.sources.polling.requests import host_of

        host = host_of(url)
        if host in self.busy:  # no exception that the poller could take for the feed's
            pytest.fail(f"two at once for {host}")
        self.busy.append(host)
        await asyncio.sleep(0)
        response = self.answer(url, headers or {}, self.clock.now())
        self.log.append((self.clock.now(), url, dict(headers or {}), response))
        self.clock.time += self.takes_s
        self.busy.remove(host)
        return response

    def asked(self, part: str = "") -> list[int]:
        return [time for time, url, _, _ in self.log if part in url]


class ReadHere:
    """Reads what comes in this process, at once, so that all happens in one order."""

    async def read(
        self, url: str, body: bytes, content_type: str, kind: str, options: ReadingOptions
    ) -> list[Item]:
        return read_body(url, body, content_type, kind, options)

    def close(self) -> None:
        pass
