"""What one address may ask for, who is believed to be which address, and requests that come too slowly.

How the desk listens.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from msgspec.structs import replace

from tests.live.pages.streaming import QUICK, Telling, served, telling_in, update
from tests.sweeps import every
from tidings.live.pages.app import make_app
from tidings.web import guards, serving
from tidings.web.guards import RateLimit, Shares, Tokens
from tidings.web.serving import RequestLog, listening


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Telling]:
    with telling_in(str(tmp_path_factory.mktemp("limits") / "live.db")) as made:
        made.tell(update(1))
        yield made


def client_of(telling: Telling, address: str = "192.0.2.1", **settings: Any) -> TestClient:
    app = make_app(telling.live, replace(QUICK, **settings))
    return TestClient(app, base_url="http://127.0.0.1", client=(address, 50000))


class TestRates:
    """A bucket of tokens for each address."""

    def test_who_asks_too_often_is_told_when_to_come_again(self, telling: Telling) -> None:
        client = client_of(telling, requests_per_s=0.01, requests_at_once=3)
        answers = [client.get("/api/events") for _ in range(5)]
        assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
        assert 90 <= int(answers[3].headers["retry-after"]) <= 100 and answers[3].json()["message"]
        assert answers[3].headers["x-content-type-options"] == "nosniff"

    def test_an_address_has_its_tokens_again_after_a_while(self) -> None:
        now = [0.0]
        tokens = Tokens(0.5, 2, lambda: now[0])
        assert [tokens.wait_s("a") for _ in range(3)] == [0, 0, 2]
        now[0] = 1.0
        assert tokens.wait_s("a") == 1  # asking in vain costs nothing
        now[0] = 2.0
        assert tokens.wait_s("a") == 0
        now[0] = 1000.0
        assert [tokens.wait_s("a") for _ in range(3)] == [0, 0, 2]  # never more than the most

    def test_what_is_remembered_of_addresses_is_bounded(self) -> None:
        tokens = Tokens(1, 1, lambda: 0.0)
        for number in range(20_000):
            tokens.wait_s(str(number))
        assert len(tokens._buckets) == 10_000
        assert tokens.wait_s("19999") > 0 and tokens.wait_s("0") == 0

    def test_there_are_none_where_none_are_set(self, telling: Telling) -> None:
        assert not [one for one in client_of(telling).app.user_middleware if one.cls is RateLimit]  # type: ignore[attr-defined]


def test_a_connection_that_waits_makes_room_for_the_last_place_and_not_before() -> None:
    ended: list[int] = []
    first, second, third = (partial(ended.append, number) for number in (1, 2, 3))
    shares = Shares(most=3)
    shares.add(first, "192.0.2.1")
    shares.note_waiting(first)
    assert shares.add(second, "192.0.2.2") and not ended
    assert shares.add(third, "192.0.2.3") and ended == [1]


def test_a_proxy_has_no_share_also_where_its_address_is_written_as_one_of_ipv6() -> None:
    shares = Shares(of_one=1, proxies=("10.0.0.0/8",))
    assert [shares.add(partial(int, number), "::ffff:10.1.2.3") for number in "12"] == [True, True]
    assert [shares.add(partial(int, number), "::ffff:192.0.2.1") for number in "34"] == [True, False]


def limited(telling: Telling, address: str, proxies: tuple[str, ...], forwarded: list[str]) -> list[int]:
    """What an address is answered that says for whom it asks, where each may ask once."""
    client = client_of(telling, address, requests_per_s=0.001, requests_at_once=1, trusted_proxies=proxies)
    return [client.get("/api/events", headers={"x-forwarded-for": one}).status_code for one in forwarded]


PROXY, OTHER = "10.1.2.3", "192.0.2.1"
ONE, TWO = "198.51.100.1", "198.51.100.2"
CASES = {
    "nobody is believed": (OTHER, (), [ONE, TWO], [200, 429]),
    "a stranger is not believed": (OTHER, ("10.0.0.0/8",), [ONE, TWO], [200, 429]),
    "a proxy is believed": (PROXY, ("10.0.0.0/8",), [ONE, TWO, ONE], [200, 200, 429]),
    "a network may be said by an address in it": (PROXY, ("10.9.9.9/8",), [ONE, TWO], [200, 200]),
    # What the asker wrote stands before what the proxy added.
    "what stands before is made up": (PROXY, (PROXY,), [f"1.1.1.1, {ONE}", f"2.2.2.2, {ONE}"], [200, 429]),
    "proxies in a row": (PROXY, ("10.0.0.0/8",), [f"{ONE}, 10.7.7.7", f"{TWO}, 10.7.7.7"], [200, 200]),
    "of IPv6 a network": (
        PROXY,
        (PROXY,),
        ["2001:db8::1", "2001:db8::2", "2001:db8:1::1"],
        [200, 429, 200],
    ),
}


@every("case", sorted(CASES))
def test_who_asks_is_said_by_proxies_that_are_trusted_alone(case: str, telling: Telling) -> None:
    address, proxies, forwarded, expected = CASES[case]
    assert limited(telling, address, proxies, forwarded) == expected


@every("is_trusted", [True, False])
def test_https_is_believed_of_trusted_proxies_alone(is_trusted: bool, telling: Telling) -> None:
    client = client_of(telling, "10.1.2.3", trusted_proxies=("10.1.2.3",) if is_trusted else ())
    feed = client.get("/events/ferry/feed.json", headers={"x-forwarded-proto": "https"}).json()
    assert feed["feed_url"].startswith("https:" if is_trusted else "http:")


@every("root_path", ["", "/news"])
def test_a_log_of_requests_has_the_address_that_a_trusted_proxy_says(
    root_path: str, telling: Telling
) -> None:
    noted: list[tuple[str, str, int, str]] = []

    def note(method: str, path: str, status: int, seconds: float, client: str) -> None:
        noted.append((method, path, status, client))

    app = make_app(telling.live, replace(QUICK, root_path=root_path, trusted_proxies=(PROXY,)))
    app.add_middleware(RequestLog, note=note)
    app.state.live = None  # so that what asks for it fails
    client = TestClient(app, base_url="http://127.0.0.1", client=(PROXY, 5), raise_server_exceptions=False)
    for path in ("/colours.css", "/api/events"):
        client.get(root_path + path, headers={"x-forwarded-for": ONE})
    assert noted == [
        ("GET", f"{root_path}/colours.css", 200, ONE),
        ("GET", f"{root_path}/api/events", 500, ONE),
    ]


def test_colours_of_all_pages_are_one_style_sheet(telling: Telling) -> None:
    answer = client_of(telling, "10.1.2.3").get("/colours.css")
    assert (
        answer.headers["content-type"].startswith("text/css") and "prefers-color-scheme: dark" in answer.text
    )


WHOLE = b"GET /api/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"


def said_to(address: tuple[str, int], *pieces: bytes) -> bytes:
    """What a server answers to raw bytes, until it ends the connection."""
    with socket.create_connection(address, timeout=120) as connection:
        got = b""
        with suppress(ConnectionError):
            for piece in pieces:
                connection.sendall(piece)
            while piece := connection.recv(65536):
                got += piece
        return got


class TestSlowRequests:
    """A connection on which nothing whole comes is ended."""

    def test_a_head_that_does_not_end(self, telling: Telling, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(serving, "HEAD_WITHIN_S", 0.2)
        with served(make_app(telling.live, QUICK)) as address:
            assert said_to(address) == b""
            assert said_to(address, b"GET /api/events HTTP/1.1\r\nhost: 127") == b""
            assert b"ferry" in said_to(address, WHOLE[:-2] + b"connection: close\r\n\r\n")

    @pytest.mark.long
    def test_a_second_head_that_does_not_end(self, telling: Telling, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(serving, "HEAD_WITHIN_S", 0.2)
        with (
            served(make_app(telling.live, QUICK)) as address,
            socket.create_connection(address, 120) as asker,
        ):
            asker.sendall(WHOLE)
            assert asker.recv(65536).startswith(b"HTTP/1.1 200")
            asker.sendall(b"GET / HTTP/1.1\r\nho")  # which ends the wait for another request
            with suppress(ConnectionError):
                while asker.recv(65536):
                    pass

    def test_a_stream_is_not_ended_by_that(self, telling: Telling, monkeypatch: pytest.MonkeyPatch) -> None:
        import time

        monkeypatch.setattr(serving, "HEAD_WITHIN_S", 0.1)
        with (
            served(make_app(telling.live, QUICK)) as address,
            socket.create_connection(address, 120) as reader,
        ):
            reader.sendall(b"GET /api/stream HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            while b"event: run" not in reader.recv(65536):
                pass
            time.sleep(0.3)
            telling.tell(update(2))
            assert b"Sentence 2." in reader.recv(65536)

    def test_a_body_that_does_not_end(self, telling: Telling, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(guards.BodyLimit.__init__, "__defaults__", (guards.MOST_BYTES, 0.2))
        head = b"POST /sign-in HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n"
        form = b"content-type: application/x-www-form-urlencoded\r\ncontent-length: 100\r\n\r\nname=a&pass"
        with served(make_app(telling.live, QUICK)) as address:
            assert said_to(address, head + form).startswith(b"HTTP/1.1 408")

    def test_one_that_is_too_long(self, telling: Telling) -> None:
        client = client_of(telling)
        form = {"content-type": "application/x-www-form-urlencoded"}
        answer = client.post("/sign-in", content=b"x" * (guards.MOST_BYTES + 1), headers=form)
        assert answer.status_code == 413
        with served(make_app(telling.live, QUICK)) as address:
            long = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: " + b"x" * 200_000 + b"\r\n\r\n"
            assert not said_to(address, long).startswith(b"HTTP/1.1 200")

    def test_more_connections_than_may_be(self, telling: Telling) -> None:
        """Those that ask for nothing make room, those that are answered do not."""
        settings = replace(QUICK, connections=4)
        with served(make_app(telling.live, settings), settings) as address:
            idle = [socket.create_connection(address, 120) for _ in range(10)]
            assert b"ferry" in said_to(address, WHOLE[:-2] + b"connection: close\r\n\r\n")
            readers = [streaming(address) for _ in range(3)]
            assert said_to(address, WHOLE).startswith(b"HTTP/1.1 503")
            for one in (*idle, *readers):
                one.close()

    def test_one_address_has_a_share_of_them(self, telling: Telling) -> None:
        settings = replace(QUICK, connections_of_one=2)
        with served(make_app(telling.live, settings), settings) as address:
            readers = [streaming(address) for _ in range(2)]
            assert said_to(address, WHOLE) == b""
            readers.append(streaming(address, "127.0.0.2"))
            for one in readers:
                one.close()
        proxied = replace(settings, trusted_proxies=("127.0.0.0/30",))
        with served(make_app(telling.live, proxied), proxied) as address:
            for one in [streaming(address) for _ in range(4)]:
                one.close()


def streaming(address: tuple[str, int], source: str = "127.0.0.1") -> socket.socket:
    """A reader whose stream has begun."""
    reader = socket.create_connection(address, 20, (source, 0))
    reader.sendall(b"GET /api/stream HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
    while b"event: run" not in reader.recv(65536):
        pass
    return reader


@pytest.mark.long
def test_a_server_with_open_streams_stops_at_once(telling: Telling, tmp_path: Path) -> None:
    """Also where one of them takes nothing."""
    import signal
    import subprocess
    import sys

    from tests.live.pages.streaming import telling_in as tell_in

    store = str(tmp_path / "live.db")
    with tell_in(store) as told:
        told.tell_many(400)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "tidings", "serve", "--no-follow", "--read-only", "--store", store]
        server = subprocess.Popen([*command, "--port", str(port)], stderr=subprocess.PIPE)
        assert server.stderr is not None and b"live at" in server.stderr.readline()
        readers = []
        for number in range(30):
            reader = socket.create_connection(("127.0.0.1", port), 120)
            reader.sendall(b"GET /api/stream?after=0 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            if number:
                while b"Sentence 400." not in reader.recv(2**20):
                    pass
            readers.append(reader)
        server.send_signal(signal.SIGTERM)
        code = server.wait(60)
        assert code == 0, server.stderr.read()
        for opened in (*readers, server.stderr):
            opened.close()


def test_answers_are_sent_at_once() -> None:
    """Both halves of an answer, head and body, go out without waiting for the browser's acknowledgement."""

    async def option() -> int:
        at_once: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            taken = writer.get_extra_info("socket")
            at_once.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with listening("127.0.0.1", 0) as listener:
            port = listener.getsockname()[1]
            server = await asyncio.start_server(answer, sock=listener)
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            found = await at_once
            writer.close()
            server.close()
        return found

    # In a thread of its own: Chromium's driver has a loop in this one.
    with ThreadPoolExecutor(1) as beside:
        assert beside.submit(asyncio.run, option()).result()
