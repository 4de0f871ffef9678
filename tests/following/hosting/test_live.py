"""Feeds polled, kept and followed: one call, gone on with and replayed without the network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.sources.polling.servers import Asked, Reply, Served, feed, serving
from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.following.hosting.live import LiveSettings, host_live
from tidings.following.hosting.settings import RunSettings
from tidings.following.hosting.sources import query_events
from tidings.live.hosting.service import ServiceSettings, hosted_service
from tidings.sources.polling.filling import CLOCK_VARIABLE

START = 1_700_000_000
HOUR = 3600


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "clock"
    path.write_text(str(START))
    monkeypatch.setenv(CLOCK_VARIABLE, str(path))
    return path


@contextmanager
def growing_feed(clock: Path) -> Iterator[Served]:
    """A feed with a new item every hour, that knows whether it has changed."""

    def answer(asked: Asked) -> Reply:
        count = (asked.time - START) // HOUR + 2
        tag = f'"{count}"'
        if asked.headers.get("if-none-match") == tag:
            return Reply(304, headers={"etag": tag})
        items = [(f"g{n}", f"Storm {n}", f"The storm took {n + 3} roofs in town {n}.") for n in range(count)]
        return Reply(body=feed(items[-20:][::-1]), headers={"etag": tag})

    with serving(answer, clock) as served:
        yield served


def settings(url: str, out: Path) -> RunSettings:
    return RunSettings(
        streams=(url,), events=tuple(query_events(["storm"])), system="first:min_words=0", out=str(out)
    )


LIVE = LiveSettings(allow_private=True, least_s=600, most_s=HOUR, for_s=5 * HOUR)


def followed(given: RunSettings, live: LiveSettings) -> int:
    with host_live(given, live) as hosted:
        for _ in hosted.run:
            pass
        return hosted.run.tally.documents


def test_polled_followed_and_gone_on_with(clock: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with growing_feed(clock) as served:
        given = settings(served.url("/feed"), out)
        first = followed(given, LIVE)
        assert 6 <= first <= 7
        asked = len(served.log)
        assert any(reply.status == 304 for _, reply in served.log)
        lines = out.read_text().count("\n")
        assert followed(given, LIVE) == 5
        assert len(served.log) > asked
        assert out.read_text().count("\n") > lines
        times = [asked.time for asked in served.asked()]
    assert all(later - earlier >= LIVE.least_s for earlier, later in pairwise(times))
    again = tmp_path / "again.jsonl"
    replay = replace(given, out=str(again), store=f"{out}.db")
    assert followed(replay, replace(LIVE, offline=True)) == first + 5
    assert again.read_bytes() == out.read_bytes()


def test_the_time_that_counts_is_the_first_seen(clock: Path, tmp_path: Path) -> None:
    with growing_feed(clock) as served:
        given = settings(served.url("/feed"), tmp_path / "out.jsonl")
        with host_live(given, LIVE) as hosted:
            times = [now for now, _ in hosted.run]
    assert times[0] == START
    assert times == sorted(times)
    assert START + 4 * HOUR < times[-1] <= START + 5 * HOUR


def test_a_store_is_needed(tmp_path: Path) -> None:
    given = RunSettings(streams=("https://a.example/f",), events=tuple(query_events(["storm"])), out="-")
    with pytest.raises(UsageError, match="--out - without --store"), host_live(given, LIVE):
        pass


@every("stream", ["nothing.opml", "ftp://a.example/feed", "-"])
def test_only_feeds_and_lists_are_polled(tmp_path: Path, stream: str) -> None:
    given = settings(stream, tmp_path / "out.jsonl")
    with pytest.raises(UsageError, match="expected the address of a feed"), host_live(given, LIVE):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_service_says_when_it_last_looked_at_what_is_due(clock: Path, tmp_path: Path) -> None:
    with growing_feed(clock) as served:
        given = ServiceSettings(store=str(tmp_path / "a.db"), streams=(served.url("/feed"),), live=LIVE)
        with hosted_service(given) as service:
            service.filling.wait(60)
            assert service.turn_time == service.time > START + 4 * HOUR
