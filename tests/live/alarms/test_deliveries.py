"""Alarms on their way: at least once, with one id, in order for each event, whatever a receiver does."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from tests.conftest import ROOT
from tests.live.alarms.receiver import PATHS, Receiver
from tests.live.alarms.runs import NOON, LiveRun, update
from tidings.core.records.standing import Alarm, AlarmChannel, Delivery, UpdateAbove
from tidings.live.alarms.channel_types import shown_address
from tidings.live.alarms.deliveries import Deliveries, retry_wait
from tidings.live.alarms.senders import NotDeliveredError, WebhookSender
from tidings.live.alarms.settings import DeliverySettings

QUICK = DeliverySettings(
    allow_private=True, look_every_s=0.02, send_s=0.15, lease_s=0.4, unit_s=0.005, longest_s=0.05
)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():
            await asyncio.sleep(0.01)


def in_loop(test: Callable[[], Awaitable[None]]) -> None:
    with ThreadPoolExecutor(1) as beside:  # Chromium's driver has a loop in this thread
        beside.submit(asyncio.run, test()).result()  # type: ignore[arg-type]


def closed_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def webhook(run: LiveRun, name: str, address: str) -> AlarmChannel:
    return run.live.channels.add(AlarmChannel(name=name, kind="webhook", address=address, secret="s"))


def real_clock(run: LiveRun) -> None:
    import time

    run.live.outbox._clock = time.time
    run.live.clock = time.time


def test_every_alarm_arrives_in_order_from_receivers_of_all_kinds(run: LiveRun) -> None:
    real_clock(run)

    async def go() -> None:
        async with Receiver(slow_s=0.02) as receiver:
            channels = [webhook(run, path, receiver.address(path)) for path in PATHS]
            gone = webhook(run, "gone", f"http://127.0.0.1:{closed_port()}/")
            run.rule(UpdateAbove(), channels=tuple(one.id for one in (gone, *channels)))
            async with Deliveries(run.live, QUICK) as deliveries:
                for number in range(6):
                    run.commit(update(number, event="fire" if number % 3 == 0 else "storm"))
                await until(lambda: all(len(receiver.arrivals(path)) == 6 for path in PATHS))
            assert deliveries.trouble == ""
            ids = {one.alarm.id for one in run.deliveries()}
            for path in PATHS:
                arrivals = receiver.arrivals(path)
                assert {one["id"] for one in arrivals} == ids
                for event in ("storm", "fire"):
                    seqs = [one["seqs"] for one in arrivals if one["event"] == event]
                    assert seqs == sorted(seqs)
            states = run.live.outbox.counts()
            assert states[gone.id] == (6, 0, 0)
            assert {states[one.id] for one in channels} == {(0, 6, 0)}
            errors = {one.error for one in run.deliveries() if one.channel_id == gone.id and one.attempts}
            assert all("no connection" in one for one in errors)

    in_loop(go)


def test_several_servers_deliver_from_one_store_once(run: LiveRun) -> None:
    real_clock(run)

    async def go() -> None:
        async with Receiver() as receiver:
            channel = webhook(run, "fine", receiver.address("fine"))
            run.rule(UpdateAbove(), channels=(channel.id,))
            for number in range(8):
                run.commit(update(number, event="fire" if number % 2 else "storm"))
            patient = msgspec.structs.replace(QUICK, lease_s=60, send_s=30)
            async with Deliveries(run.live, patient), Deliveries(run.live, patient):
                await until(lambda: run.live.outbox.counts()[channel.id] == (0, 8, 0))
            assert len(receiver.requests) == 8

    in_loop(go)


def test_what_is_sent_is_signed_and_says_how_to_check_it(run_in_file: LiveRun, tmp_path: Path) -> None:
    real_clock(run_in_file)

    async def go() -> None:
        async with Receiver() as receiver:
            channel = webhook(run_in_file, "fine", receiver.address("fine"))
            run_in_file.rule(UpdateAbove(), channels=(channel.id,))
            settings = msgspec.structs.replace(QUICK, public_url="https://news.example.org/")
            async with Deliveries(run_in_file.live, settings):
                run_in_file.commit(update(1))
                await until(lambda: bool(receiver.requests))
        (request,) = receiver.requests
        headers, body = request["headers"], request["body"]
        assert headers["content-type"] == "application/json"
        assert headers["user-agent"].startswith("tidings/")
        assert headers["x-tidings-id"] == request["id"] == run_in_file.deliveries()[0].alarm.id
        timestamp = headers["x-tidings-timestamp"]
        expected = hmac.new(b"s", timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
        assert headers["x-tidings-signature"] == f"sha256={expected}"
        item = msgspec.json.decode(body)["items"][0]
        assert item["link"] == "https://news.example.org/events/storm/updates/1"
        # The snippet of the docs says the same.
        page = (ROOT / "docs" / "live" / "alarms.md").read_text(encoding="utf-8")
        (snippet,) = re.findall(r"```python\n(.*?def is_genuine.*?)```", page, re.DOTALL)
        (tmp_path / "receiver_of_docs.py").write_text(snippet)
        space: dict[str, object] = {}
        exec(compile(snippet, "docs/live/alarms.md", "exec"), space)
        is_genuine = space["is_genuine"]
        signature = headers["x-tidings-signature"]
        assert is_genuine("s", timestamp, body, signature, now=int(timestamp))  # type: ignore[operator]
        assert not is_genuine("t", timestamp, body, signature, now=int(timestamp))  # type: ignore[operator]
        assert not is_genuine("s", timestamp, body + b" ", signature, now=int(timestamp))  # type: ignore[operator]
        assert not is_genuine("s", timestamp, body, signature, now=int(timestamp) + 301)  # type: ignore[operator]

    in_loop(go)


class TestWebhooks:
    @staticmethod
    async def problem(address: str, *, allow_private: bool = True) -> NotDeliveredError:
        channel = AlarmChannel(name="c", kind="webhook", address=address, secret="s")
        alarm = Alarm(id="a", kind="test", title="", time=NOON)
        async with WebhookSender(allow_private=allow_private) as sender:
            with pytest.raises(NotDeliveredError) as failure:
                await sender.send(channel, alarm, NOON)
        return failure.value

    def test_private_addresses_are_not_asked(self) -> None:
        async def go() -> None:
            async with Receiver() as receiver:
                port = receiver.address("").rsplit(":", 1)[1]
                for host in ("127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]"):
                    problem = await self.problem(f"http://{host}:{port}", allow_private=False)
                    assert "--allow-private-webhooks" in str(problem), host
                # The address of a cloud's machine about itself is not asked even where private ones are.
                problem = await self.problem("http://169.254.169.254/latest", allow_private=True)
                assert "never contacted" in str(problem) or "not on the public internet" in str(problem)
                assert not receiver.requests

        in_loop(go)

    def test_redirects_are_not_followed_and_waiting_is_heard_of(self) -> None:
        answers = [
            b"HTTP/1.1 302 -\r\nlocation: http://127.0.0.1/elsewhere\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 503 -\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 429 -\r\nretry-after: 99999999\r\ncontent-length: 0\r\n\r\n",
            b"nonsense\r\n\r\n",
        ]

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answers.pop(0))
            writer.close()

        async def go() -> None:
            server = await asyncio.start_server(answer, "127.0.0.1", 0)
            address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            problems = [await self.problem(address) for _ in range(4)]
            server.close()
            assert str(problems[0]) == "answered 302, and redirects are not followed"
            assert [one.retry_after_s for one in problems] == [None, 120, 6 * 3600, None]
            assert str(problems[1]) == "answered 503"
            assert "an answer that broke off" in str(problems[3])

        in_loop(go)

    def test_an_address_that_is_none_is_said_to_be(self) -> None:
        async def go() -> None:
            for address in ("http://[::1", "http://a b/", "ftp://example.org/", "http://x:99999/"):
                assert await self.problem(address)

        in_loop(go)


class TestWaiting:
    def made(self, attempts: int, alarm_id: str = "a") -> Delivery:
        alarm = Alarm(id=alarm_id, kind="test", title="", time=0)
        return Delivery(
            seq=1, alarm=alarm, channel_id=1, rule_id=0, created_ms=0, next_ms=0, leased_until_ms=0,
            attempts=attempts, delivered_ms=None, error="",
        )  # fmt: skip

    def test_it_grows_with_the_fourth_power_up_to_six_hours(self) -> None:
        waits = [retry_wait(self.made(number), DeliverySettings()) for number in (1, 2, 3, 10, 12, 13, 99)]
        for wait, expected in zip(waits, (1, 16, 81, 10_000, 20_736, 21_600, 21_600), strict=True):
            assert 0.9 * expected <= wait <= 1.1 * expected
        assert len({retry_wait(self.made(2, name), DeliverySettings()) for name in "abc"}) == 3

    def test_what_fails_for_days_is_given_up_and_the_next_one_goes(self, run_in_file: LiveRun) -> None:
        real_clock(run_in_file)

        async def go() -> None:
            gone = webhook(run_in_file, "gone", f"http://127.0.0.1:{closed_port()}/")
            run_in_file.rule(UpdateAbove(), channels=(gone.id,))
            run_in_file.commit(update(1), update(2))
            settings = msgspec.structs.replace(QUICK, give_up_s=0.1)
            async with Deliveries(run_in_file.live, settings):
                await until(lambda: run_in_file.live.outbox.counts()[gone.id] == (0, 0, 2))
            first, second = run_in_file.deliveries()
            assert first.attempts >= 1
            assert second.attempts >= 1
            assert "no connection" in first.error

        in_loop(go)


def test_a_server_that_stops_lets_go_of_what_it_was_sending(run_in_file: LiveRun) -> None:
    real_clock(run_in_file)

    async def go() -> None:
        import tidings.live.alarms.deliveries as module

        async with Receiver() as receiver:
            channel = webhook(run_in_file, "hangs", receiver.address("hangs"))
            run_in_file.rule(UpdateAbove(), channels=(channel.id,))
            run_in_file.commit(update(1))
            patient = msgspec.structs.replace(QUICK, lease_s=600, send_s=300)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(module, "_STOPPING_S", 0.05)
                async with Deliveries(run_in_file.live, patient):
                    await until(lambda: bool(receiver.requests))
            (delivery,) = run_in_file.deliveries()
            assert (delivery.attempts, delivery.leased_until_ms) == (0, 0)
            async with Deliveries(run_in_file.live, patient):
                await until(lambda: len(receiver.arrivals("hangs")) == 1)

    in_loop(go)


def test_a_receiver_that_wants_to_be_asked_later_is_and_has_no_more_than_its_places(
    run_in_file: LiveRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_clock(run_in_file)
    asked: list[str] = []

    async def later(sender: object, channel: AlarmChannel, alarm: Alarm, now: float) -> None:
        asked.append(alarm.id)
        if len(asked) > 2:
            await asyncio.sleep(3600)
        raise NotDeliveredError("answered 503", 500)

    monkeypatch.setattr(WebhookSender, "send", later)
    channel = webhook(run_in_file, "later", "https://example.org/")

    async def go() -> None:
        alarms = [
            Alarm(id=str(number), kind="test", title="", time=0, event_id=str(number)) for number in range(9)
        ]
        for alarm in alarms[:2]:
            run_in_file.live.outbox.send(alarm, [channel.id])
        patient = msgspec.structs.replace(QUICK, lease_s=600, send_s=300, at_once=3)
        async with Deliveries(run_in_file.live, patient):
            await until(lambda: all(one.error for one in run_in_file.deliveries()))
            for one in run_in_file.deliveries():
                assert one.next_ms > run_in_file.live.clock() * 1000 + 400_000
            for alarm in alarms[2:]:
                run_in_file.live.outbox.send(alarm, [channel.id])
            await until(lambda: len(asked) == 5)
            await asyncio.sleep(0.1)
            assert len(asked) == 5
            monkeypatch.setattr("tidings.live.alarms.deliveries._STOPPING_S", 0.01)

    in_loop(go)


def test_a_kind_of_channel_from_another_version_is_sent_nothing_and_the_list_says_so(run: LiveRun) -> None:
    real_clock(run)
    address = "smtp://mail.example.org/?from=a@example.org&to=b@example.org"
    channel = run.live.channels.add(AlarmChannel(name="F", kind="fax", address=address))  # type: ignore[arg-type]
    run.live.outbox.send(Alarm(id="a", kind="test", title="", time=0), [channel.id])

    async def go() -> None:
        async with Deliveries(run.live, QUICK):
            await until(lambda: all(delivery.error for delivery in run.deliveries()))

    in_loop(go)
    assert "no kind of channel 'fax'" in run.deliveries()[0].error
    assert shown_address(channel) == "…"


@pytest.mark.long
def test_fifty_kills(any_store: str, tmp_path: Path) -> None:
    """`python -m tests.live.alarms.kills STORE FOLDER KILLS` says what came; here it must be all."""
    command = [sys.executable, "-m", "tests.live.alarms.kills", any_store, str(tmp_path), "50"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
