"""One request: within its limits whatever a server does, and to no address that it may not ask."""

from __future__ import annotations

import asyncio
import gzip
import shutil
import socket
import ssl
import subprocess
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.sources.polling.servers import Reply, Served, serving
from tests.sweeps import cases, every
from tidings.core.network import addresses
from tidings.core.network.client import Client, ClientLimits, Response, user_agent

LIMITS = ClientLimits(connect_s=60, read_s=60, total_s=120, most_bytes=100_000)


def ask(url: str, *, allow_private: bool = True, limits: ClientLimits = LIMITS, **headers: str) -> Response:
    async def asked() -> Response:
        async with Client(user_agent(), allow_private=allow_private, limits=limits) as client:
            return await client.fetch(url, headers)

    return asyncio.run(asked())


def answered(
    reply: Reply | Callable[[socket.socket], None], limits: ClientLimits = LIMITS, **headers: str
) -> tuple[Response, Served]:
    whole = reply if isinstance(reply, Reply) else Reply(act=reply)
    with serving(lambda asked: whole) as served:
        return ask(served.url("/feed"), limits=limits, **headers), served


def sends(*pieces: bytes) -> Callable[[socket.socket], None]:
    return lambda connection: [connection.sendall(piece) for piece in pieces]  # type: ignore[func-returns-value]


def drips(head: bytes, piece: bytes) -> Callable[[socket.socket], None]:
    """Sends a piece after the other, until whoever asked has left."""

    def act(connection: socket.socket) -> None:
        connection.sendall(head)
        while True:
            connection.sendall(piece)
            time.sleep(0.02)

    return act


class TestAnswers:
    def test_one_that_is_well(self) -> None:
        response, served = answered(
            Reply(body=b"<rss/>", headers={"ETag": 'W/"x"'}), **{"if-none-match": '"a"'}
        )
        assert (response.status, response.body, response.error) == (200, b"<rss/>", "")
        assert response.headers["etag"] == 'W/"x"'
        sent = served.asked()[0].headers
        assert sent["user-agent"].startswith("tidings/")
        assert sent["if-none-match"] == '"a"'
        assert sent["accept-encoding"] == "gzip, deflate"
        assert "cookie" not in sent

    @every(
        "encoding, packed",
        [
            ("gzip", gzip.compress(b"<rss/>", mtime=0)),
            ("x-gzip", gzip.compress(b"<rss/>", mtime=0)),
            ("deflate", zlib.compress(b"<rss/>")),
            ("deflate", zlib.compress(b"<rss/>")[2:-4]),
            ("identity", b"<rss/>"),
            ("", b"<rss/>"),
        ],
    )
    def test_packed(self, encoding: str, packed: bytes) -> None:
        response, _ = answered(Reply(body=packed, headers={"content-encoding": encoding}))
        assert (response.body, response.error) == (b"<rss/>", "")

    def test_no_cookie_is_kept(self) -> None:
        async def twice(url: str) -> None:
            async with Client(user_agent(), allow_private=True) as client:
                await client.fetch(url)
                await client.fetch(url)

        with serving(lambda asked: Reply(headers={"set-cookie": "a=1"})) as served:
            asyncio.run(twice(served.url("/")))
        assert ["cookie" in asked.headers for asked in served.asked()] == [False, False]

    def test_a_redirect_is_given_as_a_whole_address_and_not_followed(self) -> None:
        response, served = answered(Reply(302, headers={"location": "../other?x=1"}))
        assert response.location == served.url("/other?x=1")
        assert len(served.log) == 1

    def test_the_status_of_a_refusal_counts_though_its_body_is_broken(self) -> None:
        response, _ = answered(sends(b"HTTP/1.1 429 X\r\nContent-Length: 99\r\nRetry-After: 60\r\n\r\nx"))
        assert (response.status, response.headers["retry-after"]) == (429, "60")


class TestFaults:
    @pytest.mark.parametrize(
        ("act", "error"),
        [
            (sends(), "broke off"),
            (sends(b"HTTP/1.1 200 OK\r\nContent-Le"), "broke off"),
            (sends(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort"), "broke off"),
            (sends(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"), "broke off"),
            (sends(b"\x16\x03\x01\x00 garbage\r\n\r\n"), "broke off"),
            (sends(b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 50_000 + b"\r\n"), "broke off"),
            (sends(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 300_000), "broke off"),
            (sends(b"HTTP/1.1 200 OK\r\n\r\n", *[b"x" * 50_000] * 3), "more than 100,000 bytes"),
        ],
    )
    def test_is_said_in_a_few_words(self, act: Callable[[socket.socket], None], error: str) -> None:
        response, _ = answered(act)
        assert error in response.error
        assert (response.status, response.body) == (0, b"")
        assert "\n" not in response.error

    @every(
        "act, error, short",
        [
            (lambda connection: connection.recv(1), "no answer in time", {"read_s": 0.2}),
            (drips(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n"), "no complete answer within 0.3 s", {"total_s": 0.3}),
            (drips(b"HTTP/1.1 200 OK\r\n\r\n", b"x"), "no complete answer within 0.3 s", {"total_s": 0.3}),
        ],
    )
    def test_of_waiting(
        self, act: Callable[[socket.socket], None], error: str, short: dict[str, float]
    ) -> None:
        response, _ = answered(act, replace(LIMITS, **short))
        assert (response.error, response.status, response.body) == (error, 0, b"")

    @every(
        "encoding, packed, error",
        [
            ("gzip", gzip.compress(bytes(50_000_000), mtime=0), "more than 100,000 bytes"),
            ("deflate", zlib.compress(bytes(50_000_000)), "more than 100,000 bytes"),
            ("gzip", gzip.compress(b"<rss/>" * 100, mtime=0)[:-20], "a body that is cut off"),
            ("gzip", b"<rss/>", "a body that cannot be unpacked"),
            ("br", b"<rss/>", "which was not requested"),
            ("gzip, gzip", b"<rss/>", "which was not requested"),
        ],
    )
    def test_of_packing(self, encoding: str, packed: bytes, error: str) -> None:
        response, _ = answered(Reply(body=packed, headers={"content-encoding": encoding}))
        assert error in response.error

    @every(
        "url",
        cases(__file__, "addresses that are none"),
    )
    def test_addresses_that_are_none(self, url: str) -> None:
        assert ask(url).error

    def test_no_server(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        assert ask(f"http://127.0.0.1:{port}/").error.startswith("no connection")
        assert "is not known" in ask("http://nothing.invalid/").error


class TestPrivateAddresses:
    @every("host", ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]"])
    def test_those_of_the_link_are_never_asked(self, host: str) -> None:
        for allowed in (True, False):
            error = ask(f"http://{host}:1/latest", allow_private=allowed).error or ""
            assert (
                "a link-local address, which is never contacted" in error and "--allow-private" not in error
            )

    @every(
        "host",
        cases(__file__, "are not asked"),
    )
    def test_are_not_asked(self, host: str) -> None:
        response = ask(f"http://{host}:1/feed", allow_private=False)
        assert "is not on the public internet; --allow-private" in response.error

    @every("host", ["0177.0.0.1", "0x7f.0.0.1", "127.0.0.1.", "①27.0.0.1"])
    def test_in_no_disguise(self, host: str) -> None:
        assert ask(f"http://{host}:1/feed", allow_private=False).error

    @every("address", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8", "2002:808:808::"])
    def test_public_ones_may_be(self, address: str) -> None:
        assert addresses.is_public(address)

    def test_the_connection_goes_to_the_address_that_was_checked(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A name that is looked up a second time, and then is another address, changes nothing."""
        looked_up: list[str] = []

        async def look_up(host: str, port: int, timeout: float | None) -> list[str]:
            looked_up.append(host)
            return ["10.0.0.1", "127.0.0.1"] if len(looked_up) == 1 else ["10.0.0.1"]

        monkeypatch.setattr(addresses, "_look_up", look_up)
        monkeypatch.setattr(addresses, "is_public", lambda address: address == "127.0.0.1")
        with serving(lambda asked: Reply(body=b"<rss/>")) as served:
            response = ask(served.url("/feed", "news.example"), allow_private=False)
        assert (response.status, response.body) == (200, b"<rss/>")
        assert looked_up == ["news.example"]
        assert served.asked()[0].headers["host"] == f"news.example:{served.port}"

    def test_the_next_address_is_tried_where_one_does_not_answer(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def look_up(host: str, port: int, timeout: float | None) -> list[str]:
            return ["127.0.0.2", "127.0.0.1"]

        monkeypatch.setattr(addresses, "_look_up", look_up)
        with serving(lambda asked: Reply(body=b"<rss/>")) as served:
            assert ask(served.url("/feed", "news.example")).status == 200


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificate")
    names = "subjectAltName=DNS:news.localhost"
    subprocess.run(
        [
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
            ),
            *("-days", "2", "-subj", "/CN=news.localhost", "-addext", names),
            *("-keyout", "key.pem", "-out", "certificate.pem"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder / "certificate.pem"


class TestCertificates:
    @pytest.fixture
    def port(self, certificate: Path):
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate, certificate.with_name("key.pem"))
        server = socket.create_server(("127.0.0.1", 0))

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                try:
                    with context.wrap_socket(connection, server_side=True) as secure:
                        secure.recv(9999)
                        secure.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<rss/>")
                except OSError:
                    connection.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()

    def test_are_verified(self, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("SSL_CERT_FILE", raising=False)
        response = ask(f"https://news.localhost:{port}/")
        assert "certificate" in response.error.lower()

    def test_an_authority_of_ones_own(
        self, port: int, certificate: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert ask(f"https://news.localhost:{port}/").body == b"<rss/>"
        assert "certificate" in ask(f"https://other.localhost:{port}/").error.lower()


def test_the_environment_names_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    response, _ = answered(Reply(body=b"<rss/>"))
    assert response.status == 200
