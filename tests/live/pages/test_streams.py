"""Streams: what was told after a cursor, in order, once, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from msgspec.structs import replace

from tests.live.pages.streaming import EVENTS, QUICK, Sent, Stream, Telling, opened, telling_in, update
from tests.sweeps import every
from tidings.core.records import Event
from tidings.core.records.standing import StandingEvent
from tidings.live.pages import tail as tail_module

Trial = Callable[[Telling], Coroutine[Any, Any, None]]


def run(store: str, trial: Trial) -> None:
    """In a thread of its own: Chromium's driver has a loop in this one."""
    from concurrent.futures import ThreadPoolExecutor

    with telling_in(store) as telling, ThreadPoolExecutor(1) as beside:
        beside.submit(lambda: asyncio.run(trial(telling))).result()


@pytest.fixture
def small_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tail keeps little, so that most is read from the store, a little at a time."""
    monkeypatch.setattr(tail_module, "_KEPT", 5)
    monkeypatch.setattr(tail_module, "_AT_ONCE", 3)
    monkeypatch.setattr(tail_module, "_CHUNK_BYTES", 300)


def test_a_message_is_the_line_of_a_run_file(sqlite_store: str) -> None:
    from tidings.following.outputs.outputs import output_line

    async def trial(telling: Telling) -> None:
        telling.tell(update(1))
        async with opened(telling) as app:
            stream = Stream(app, "/api/stream?after=0")
            first, second = await stream.read(), await stream.read()
            assert first is not None and first.kind == "run" and first.id == 0
            assert first.data == {"run": "live", "begun": telling.run.created_time, "cursor": 0}
            assert second == Sent(1, "update", output_line(update(1)))
            assert stream.headers["content-type"].startswith("text/event-stream")
            assert stream.headers["cache-control"] == "no-cache"
            await stream.leave()

    run(sqlite_store, trial)


@every("after, at_once", [(None, 3), (0, 3), (1, 3), (7, 3), (12, 3), (0, 500), (7, 500)])
@pytest.mark.usefixtures("small_memory")
def test_what_was_told_before_and_what_is_told_now_meet(
    after: int | None, at_once: int, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tail_module, "_AT_ONCE", at_once)

    async def trial(telling: Telling) -> None:
        telling.tell_many(12, ("ferry", "storm"))
        async with opened(telling) as app:
            query = "" if after is None else f"?after={after}"
            both, ferry = Stream(app, f"/api/stream{query}"), Stream(app, f"/api/events/ferry/stream{query}")
            await both.begun()
            await ferry.begun()
            await asyncio.sleep(0.02)
            telling.tell_many(8, ("ferry", "storm"))
            expected = range((12 if after is None else after) + 1, 21)
            assert await both.numbers(20) == list(expected)
            assert await ferry.numbers(20) == [n for n in expected if n % 2 == 0]
            await both.leave()
            await ferry.leave()

    run(str(tmp_path / f"{after}-{at_once}.db"), trial)


@pytest.mark.usefixtures("small_memory")
def test_readers_that_come_and_go_miss_nothing_and_see_nothing_twice(any_store: str) -> None:
    """Each goes on after its last id; the run goes on meanwhile, in pieces of any size, and two servers serve it."""

    async def trial(telling: Telling) -> None:
        chance = random.Random(3)
        total = 120 if "postgresql" in str(telling.store) else 36
        async with opened(telling) as app, opened(telling) as other:

            async def reader(number: int) -> list[int]:
                event = (None, "ferry", "storm")[number % 3]
                path = f"/api/events/{event}/stream" if event else "/api/stream"
                last = total - {None: 0, "ferry": 0, "storm": 1}[event]
                found: list[int] = []
                cursor = 0
                while cursor < last:
                    stream = Stream(chance.choice((app, other)), path, last_event_id=str(cursor))
                    for _ in range(chance.randint(1, 20)):
                        message = await stream.read()
                        assert message is not None
                        if message.kind == "update":
                            assert message.id is not None
                            found.append(message.id)
                        cursor = cursor if message.id is None else message.id
                        if cursor >= last:
                            break
                    await stream.leave()
                return found

            async def teller() -> None:
                while telling.count < total:
                    count = min(chance.randint(1, 12), total - telling.count)
                    await asyncio.to_thread(telling.tell_many, count, ("ferry", "storm"))
                    await asyncio.sleep(chance.random() * 0.03)

            *found, _ = await asyncio.gather(*(reader(number) for number in range(9)), teller())
            for number, numbers in enumerate(found):
                step = (range(1, total + 1), range(2, total + 1, 2), range(1, total + 1, 2))[number % 3]
                assert numbers == list(step)

    run(any_store, trial)


@pytest.mark.usefixtures("small_memory")
def test_what_many_ask_for_at_once_is_read_once(sqlite_store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a restart of the server, when all come again from the same places."""
    from tidings.live.store import LiveOutputs

    asked: list[int] = []
    after = LiveOutputs.after

    def counted(self: LiveOutputs, seq: int, **more: Any) -> Any:
        asked.append(seq)
        return after(self, seq, **more)

    monkeypatch.setattr(LiveOutputs, "after", counted)

    async def trial(telling: Telling) -> None:
        telling.tell_many(30)
        async with opened(telling) as app:
            streams = [Stream(app, f"/api/stream?after={number % 4}") for number in range(20)]
            for number, stream in enumerate(streams):
                assert await stream.numbers(30) == list(range(number % 4 + 1, 31))
                await stream.leave()
        assert set(asked) == {0, 1, 2, *range(3, 25, 3)} and len(asked) < 20

    run(sqlite_store, trial)


def test_a_store_that_fails_ends_the_stream_and_serves_who_comes_again(
    sqlite_store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tidings.core.errors import StoreError
    from tidings.live.store import LiveOutputs

    monkeypatch.setattr(tail_module, "_KEPT", 2)
    after, fails = LiveOutputs.after, [True]

    def failing(self: LiveOutputs, seq: int, **more: Any) -> Any:
        if fails.pop() if fails else False:
            raise StoreError("it is locked")
        return after(self, seq, **more)

    monkeypatch.setattr(LiveOutputs, "after", failing)

    async def trial(telling: Telling) -> None:
        telling.tell_many(9)
        async with opened(telling) as app:
            first = Stream(app, "/api/stream?after=0")
            assert [one and one.kind for one in (await first.read(), await first.read())] == ["run", None]
            again = Stream(app, "/api/stream?after=0")
            assert await again.numbers(9) == list(range(1, 10))
            await again.leave()

    run(sqlite_store, trial)


def test_a_body_that_is_announced_and_refused_leaves_no_stream_open(sqlite_store: str) -> None:
    async def trial(telling: Telling) -> None:
        async with opened(telling) as app:
            stream = Stream(app, "/api/stream", content_length=str(2**40))
            assert [one and one.kind for one in (await stream.read(), await stream.read())] == ["run", None]
            assert app.state.tail.readers == 0

    run(sqlite_store, trial)


def test_who_is_cut_off_before_the_first_update_goes_on_from_there(sqlite_store: str) -> None:
    async def trial(telling: Telling) -> None:
        telling.tell_many(3)
        async with opened(telling) as app:
            stream = Stream(app, "/api/stream")
            first = await stream.read()
            await stream.leave()
            telling.tell_many(2)
            await asyncio.sleep(0.05)
            assert first is not None and first.id == 3
            again = Stream(app, "/api/stream", last_event_id=str(first.id))
            assert await again.numbers(5) == [4, 5]
            await again.leave()

    run(sqlite_store, trial)


@every("header", ["", "x", "-1", "1.5", "9" * 400, "²"])
def test_an_id_that_is_none(header: str, tmp_path: Any) -> None:
    async def trial(telling: Telling) -> None:
        telling.tell_many(2)
        async with opened(telling) as app:
            stream = await Stream(app, "/api/stream?after=1", last_event_id=header).begun()
            assert stream.status == 200
            # One beyond the end is of another run: all of this one comes.
            assert await stream.numbers(2) == ([1, 2] if header.isdigit() and header.isascii() else [2])
            await stream.leave()

    run(str(tmp_path / f"{abs(hash(header))}.db"), trial)


class TestBegunAnew:
    """A run that is begun anew has lower numbers."""

    def test_while_streams_are_open(self, any_store: str) -> None:
        async def trial(telling: Telling) -> None:
            telling.tell_many(6, ("ferry", "storm"))
            async with opened(telling) as app:
                both, ferry = Stream(app, "/api/stream"), Stream(app, "/api/events/ferry/stream")
                assert [(await one.read()).id for one in (both, ferry)] == [6, 6]  # type: ignore[union-attr]
                await asyncio.sleep(0.03)
                telling.begin_anew()
                telling.tell_many(2, ("ferry", "storm"))
                for stream, expected in ((both, [1, 2]), (ferry, [2])):
                    again = await stream.read()
                    assert again is not None and (again.kind, again.id) == ("run", 0)
                    assert await stream.numbers(2) == expected
                    await stream.leave()

        run(any_store, trial)

    def test_while_nobody_looked(self, sqlite_store: str) -> None:
        async def trial(telling: Telling) -> None:
            telling.tell_many(2)
            async with opened(telling) as app:
                stream = Stream(app, "/api/stream", last_event_id="50")
                first = await stream.read()
                assert first is not None and (first.id, first.data["cursor"]) == (0, 0)
                assert await stream.numbers(2) == [1, 2]
                await stream.leave()

        run(sqlite_store, trial)


class TestEvents:
    """Streams of events that are there, and of those that are not."""

    def test_one_that_is_not_there(self, sqlite_store: str) -> None:
        async def trial(telling: Telling) -> None:
            async with opened(telling) as app:
                assert (await Stream(app, "/api/events/flood/stream").begun()).status == 404

        run(sqlite_store, trial)

    def test_one_that_is_added_later(self, sqlite_store: str) -> None:
        async def trial(telling: Telling) -> None:
            flood = Event(id="flood", title="Flood", query="flood")
            async with opened(telling) as app:
                both = await Stream(app, "/api/stream").begun()
                telling.live.events.add(StandingEvent(event=flood), "somebody")
                own = await Stream(app, "/api/events/flood/stream").begun()
                assert own.status == 200
                await asyncio.sleep(0.03)
                telling.run.commit([], {}, [update(1, "flood")], [], events=[*EVENTS, flood])
                assert await both.numbers(1) == await own.numbers(1) == [1]
                await both.leave()
                await own.leave()

        run(sqlite_store, trial)


class TestManyStreams:
    """Streams are limited, pinged, cut and ended."""

    def test_too_many_of_one_address(self, sqlite_store: str) -> None:
        async def trial(telling: Telling) -> None:
            async with opened(telling, replace(QUICK, streams=3, streams_of_one=2)) as app:
                first = await Stream(app, "/api/stream").begun()
                second = await Stream(app, "/api/stream").begun()
                third = await Stream(app, "/api/stream").begun()
                assert (first.status, second.status, third.status) == (200, 200, 429)
                assert int(third.headers["retry-after"]) > 0
                await first.leave()
                again = await Stream(app, "/api/stream").begun()
                elsewhere = await Stream(app, "/api/stream", "2001:db8::1").begun()
                assert app.state.tail.readers_of("2001:db8::/64") == 1
                beyond = await Stream(app, "/api/stream", "192.0.2.2").begun()
                assert (again.status, elsewhere.status, beyond.status) == (200, 200, 503)
                for one in (second, again, elsewhere):
                    await one.leave()
                assert app.state.tail.readers == 0 and app.state.tail.readers_of("127.0.0.1") == 0

        run(sqlite_store, trial)

    def test_one_that_is_silent_is_pinged(self, sqlite_store: str) -> None:
        async def trial(telling: Telling) -> None:
            async with opened(telling) as app:
                app.state.tail._ping_every_s = 0
                stream = Stream(app, "/api/stream")
                assert [(await stream.read()).kind for _ in range(2)] == ["run", "ping"]  # type: ignore[union-attr]
                telling.tell(update(1))
                assert await stream.numbers(1) == [1]
                await stream.leave()

        run(sqlite_store, trial)

    def test_one_that_takes_nothing_is_cut_and_the_others_go_on(self, sqlite_store: str) -> None:
        async def trial(telling: Telling) -> None:
            async with opened(telling) as app:
                tail = app.state.tail
                stuck, other = await Stream(app, "/api/stream").begun(), Stream(app, "/api/stream")
                await stuck.read()
                stuck.may_send.clear()
                telling.tell_many(3)
                assert await other.numbers(3) == [1, 2, 3]
                tail._cut(3600)
                assert not stuck.aborted.is_set()
                tail._cut(-1)
                await asyncio.wait_for(stuck.task, 120)
                assert stuck.aborted.is_set() and not other.aborted.is_set() and tail.readers == 1
                await other.leave()

        run(sqlite_store, trial)

    def test_all_end_when_the_server_does(self, sqlite_store: str) -> None:
        async def trial(telling: Telling) -> None:
            async with opened(telling) as app:
                streams = [await Stream(app, "/api/stream").begun() for _ in range(5)]
                app.state.ending()
                await asyncio.wait_for(asyncio.gather(*(one.task for one in streams)), 120)
                assert (await Stream(app, "/api/stream").begun()).status == 503

        run(sqlite_store, trial)

    def test_who_only_accounts_may_read_is_asked_again(self, sqlite_store: str) -> None:
        from tidings.annotation.store import Desk
        from tidings.web.visitors import COOKIE

        async def trial(telling: Telling) -> None:
            accounts = Desk(telling.store).accounts
            token = accounts.begin_session(accounts.add("reader").id)
            closed = replace(QUICK, open_reading=False, asked_again_s=0.0)
            async with opened(telling, closed) as app:
                assert (await Stream(app, "/api/stream").begun()).status == 401
                stream = await Stream(app, "/api/stream", cookie=f"{COOKIE}={token}").begun()
                assert stream.status == 200
                await asyncio.wait_for(stream.task, 120)

        run(sqlite_store, trial)

    def test_the_head_of_a_stream_is_all_that_head_gets(self, sqlite_store: str) -> None:
        async def trial(telling: Telling) -> None:
            async with opened(telling) as app:
                stream = await Stream(app, "/api/stream?after=0", method="HEAD").begun()
                await asyncio.wait_for(stream.task, 120)
                assert stream.status == 200 and await stream.read() is None and app.state.tail.readers == 0

        run(sqlite_store, trial)
