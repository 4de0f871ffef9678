"""A canary on loopback: whatever address is given, and wherever it leads, nothing is connected to there unasked."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import urllib.request
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from http.client import HTTPException
from types import ModuleType
from typing import Any

import pytest

from tests.sweeps import every
from tidings.core.errors import TidingsError, UsageError
from tidings.core.network import addresses
from tidings.core.network.client import Client
from tidings.core.records.standing import Alarm, AlarmChannel
from tidings.live.alarms import senders
from tidings.live.alarms.channel_types import check_channel
from tidings.live.alarms.senders import NotDeliveredError, WebhookSender
from tidings.live.alarms.settings import DeliverySettings
from tidings.sources.polling.once import fetch

INSIDE = "inside.example"
OUTSIDE = "127.0.0.2"  # stands for an address of the public internet

# How the canary is named, with {port} where its port stands.
NAMED = [
    "http://127.0.0.1:{port}/", "http://127.1:{port}/", "http://2130706433:{port}/", "http://0x7f000001:{port}/",
    "http://0x7f.0.0.1:{port}/", "http://017700000001:{port}/", "http://0177.0.0.1:{port}/", "http://0:{port}/",
    "http://127.000.000.001:{port}/", "http://0.0.0.0:{port}/", "http://[::]:{port}/", "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/", "http://[::ffff:7f00:1]:{port}/", "http://[::127.0.0.1]:{port}/",
    "http://[64:ff9b::7f00:1]:{port}/", "http://[2002:7f00:1::]:{port}/", "http://[fe80::1%25lo]:{port}/",
    "http://localhost:{port}/", "http://LOCALHOST.:{port}/", "http://a.localhost:{port}/", "http://ip6-localhost:{port}/",
    "http://localhost.localdomain:{port}/", "http://inside.example:{port}/", "http://inside.example.:{port}/",
    "http://news.example.org@127.0.0.1:{port}/", "http://news.example.org:80@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}#@news.example.org/", "http://127.0.0.1:{port}\\@news.example.org/",
    "http://①②⑦.0.0.1:{port}/", "http://127。0。0。1:{port}/", "https://127.0.0.1:{port}/",
    "http:127.0.0.1:{port}/", "http:///127.0.0.1:{port}/", "//127.0.0.1:{port}/", "HTTP://127.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/", "gopher://127.0.0.1:{port}/_x", "ws://127.0.0.1:{port}/", "dict://127.0.0.1:{port}/",
    "file://127.0.0.1:{port}/etc/hostname", "file:///etc/hostname", "data:text/html,hello", "unix:///run/canary.sock",
    "http+unix://%2Frun%2Fcanary.sock/", "jar:http://127.0.0.1:{port}/!/", "feed://127.0.0.1:{port}/",
]  # fmt: skip


class Canary:
    """Counts who connects to 127.0.0.1; `outside` answers on the same port of an address that may be asked."""

    def __init__(self) -> None:
        self.hits = 0
        self.redirect = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        self._inner, self._outer = socket.socket(), socket.socket()
        self._inner.bind(("127.0.0.1", 0))
        self.port = self._inner.getsockname()[1]
        self._outer.bind((OUTSIDE, self.port))
        self._threads = [
            threading.Thread(target=self._serve, args=(one,)) for one in (self._inner, self._outer)
        ]

    def __enter__(self) -> Canary:
        for one, thread in zip((self._inner, self._outer), self._threads, strict=True):
            one.listen()
            thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        for one, thread in zip((self._inner, self._outer), self._threads, strict=True):
            one.shutdown(socket.SHUT_RDWR)
            thread.join()
            one.close()

    def _serve(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                if listener is self._inner:
                    self.hits += 1
                with connection, suppress(OSError):
                    connection.settimeout(5)
                    connection.recv(65536)
                    connection.sendall(self.redirect)


@pytest.fixture
def canary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Canary]:
    real = socket.getaddrinfo

    def looked_up(host: Any, *rest: Any, **more: Any) -> Any:
        # A name that its owner lets lead inside; no other name is asked of anybody.
        name = str(host).rstrip(".").lower()
        if name == INSIDE:
            return real("127.0.0.1", *rest, **more)
        if name.endswith((".org", ".example", ".com", ".sh")):
            raise socket.gaierror("no such name")
        return real(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    is_public = addresses.is_public
    for module in (addresses, senders):
        monkeypatch.setattr(module, "is_public", lambda one: one == OUTSIDE or is_public(one))
    with Canary() as made:
        yield made


def run_aside(work: Coroutine[Any, Any, None]) -> None:
    """Run it in a thread of its own: Chromium's driver may have a loop in this one."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(asyncio.run, work).result()


def post(address: str, *, allow_private: bool = False) -> None:
    """Send an alarm to a webhook, whether or not its address would have been kept."""

    async def send() -> None:
        async with WebhookSender(allow_private=allow_private) as sender:
            alarm = Alarm(id="a", kind="test", title="A test", time=60)
            await sender.send(AlarmChannel(name="c", kind="webhook", address=address), alarm, 60)

    run_aside(send())


def poll(address: str, *, allow_private: bool = False) -> None:
    """Ask for a feed, as polling, pages of articles, robots.txt and page views do."""

    async def ask() -> None:
        async with Client("test", allow_private=allow_private) as client:
            await client.fetch(address)

    run_aside(ask())


ASKING: dict[str, Callable[..., object]] = {"a webhook": post, "a feed": poll, "a source": fetch}


@every("who, address", [(who, address) for who in ASKING for address in NAMED])
def test_no_name_of_this_machine_is_asked(who: str, address: str, canary: Canary) -> None:
    before = canary.hits
    with suppress(TidingsError):
        ASKING[who](address.format(port=canary.port))
    assert canary.hits == before


@every("who", sorted(ASKING))
def test_it_is_asked_with_permission(who: str, canary: Canary) -> None:
    before = canary.hits
    ASKING[who](f"http://127.0.0.1:{canary.port}/", allow_private=True)
    assert canary.hits == before + 1


@every("who, status", [(who, status) for who in (*ASKING, "a chat") for status in (301, 302, 303, 307, 308)])
def test_no_redirect_leads_to_it(
    who: str, status: int, canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("127.0.0.1", INSIDE):
        there = f"http://{name}:{canary.port}/"
        canary.redirect = (
            f"HTTP/1.1 {status} Moved\r\nlocation: {there}\r\ncontent-length: 0\r\n\r\n".encode()
        )
        before = canary.hits
        with suppress(TidingsError):
            if who == "a chat":
                with asked_by_apprise(monkeypatch, f"http://{OUTSIDE}:{canary.port}/"):
                    senders.send_chat("slack://a/b/c", "title", "text")
            else:
                ASKING[who](f"http://{OUTSIDE}:{canary.port}/")
        assert canary.hits == before


@contextmanager
def asked_by_apprise(monkeypatch: pytest.MonkeyPatch, url: str) -> Iterator[None]:
    """A stand-in for apprise that asks an address, follows redirects, and says of failures only that there was one."""

    class Plugin:
        def notify(self, *, title: str, body: str) -> bool:
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            try:
                with opener.open(url, timeout=60):
                    return True
            except (OSError, HTTPException):
                return False

    module = ModuleType("apprise")
    module.Apprise = type("Apprise", (), {"instantiate": staticmethod(lambda given: Plugin())})  # type: ignore[attr-defined]
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "apprise", module)
        patch.setattr(senders, "find_spec", lambda name: module)
        yield


HTTP_NAMED = [one for one in NAMED if one.startswith("http://") and one.isascii()]


@every("address", HTTP_NAMED)
def test_whatever_apprise_asks_is_checked_as_it_connects(
    address: str, canary: Canary, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = canary.hits
    with asked_by_apprise(monkeypatch, address.format(port=canary.port)), pytest.raises(NotDeliveredError):
        senders.send_chat("slack://a/b/c", "title", "text")
    assert canary.hits == before


def test_apprise_asks_this_machine_with_permission(canary: Canary, monkeypatch: pytest.MonkeyPatch) -> None:
    with asked_by_apprise(monkeypatch, f"http://127.0.0.1:{canary.port}/"):
        senders.send_chat("ntfy://ntfy.example.org/a", "title", "text", allow_private=True)
        assert canary.hits == 1
        with pytest.raises(NotDeliveredError, match=r"127\.0\.0\.1 is not on the public internet"):
            senders.send_chat("ntfy://ntfy.example.org/a", "title", "text")
    assert canary.hits == 1


CHATS = [
    "workflows://a.example.org/id/sig/?template=http://127.0.0.1/x", "workflows://a/b/c/?TEMPLATE=file:///etc/passwd",
    "workflows://a/b/c/?format=text;template=file:///etc/passwd", "workflows://a/b/c/?%74emplate=file:///etc/passwd",
    "workflows://a/b/c/?to=x#c?template=file:///etc/passwd", "slack://a/b/c/#c?template=file:///etc/passwd",
    "slack://a/b/c?+template=file:///x", "slack://a/b/c?:key=value", "discord://1/2?avatar_url=http://127.0.0.1/",
    "ntfy://a/b?attach=file:///etc/passwd", "ntfy://a/b?click=x", "tgram://1:a/2?content=x&template=/etc/passwd",
    "slack://a/b/c?redirect=yes", "slack://a/b/c?store=no", "gotify://a/b?verify=no", "matrix://a/b?path=/x",
    "nostr://a?relay=ws://127.0.0.1/", "json://a.example.org/", "xml://a.example.org/", "form://a.example.org/",
    "https://hooks.slack.com/services/a/b/c", "http://a.example.org/", "mailto://a:b@example.org", "apprise://a/b",
    "file:///etc/passwd", "config://a", "syslog://", "dbus://", "windows://", "mqtt://a/b", "script:///bin/sh",
    "slack://", "slack:a", "slack", "", "slack://[", "slack://a b", "slack://a\x7f",
]  # fmt: skip


@every("address", CHATS)
def test_kinds_and_parameters_of_chats_that_are_not_listed_are_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before apprise sees them; an address that asks for nothing of the kind gets as far as apprise."""
    seen: list[str] = []
    module = ModuleType("apprise")
    module.Apprise = type("Apprise", (), {"instantiate": staticmethod(seen.append)})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "apprise", module)
    monkeypatch.setattr(senders, "find_spec", lambda name: module)
    with pytest.raises(UsageError):
        check_channel(AlarmChannel(name="c", kind="apprise", address=address), DeliverySettings())
    assert seen == [address] if address == "slack://" else not seen
    with pytest.raises(UsageError):
        senders.check_chat_address("rockets://user:word@chat.example.org/#general?avatar=yes&format=text")
    assert seen[-1].startswith("rockets:")


@every("host", ["127.0.0.1", "2130706433", "localhost", "[::ffff:127.0.0.1]", INSIDE])
def test_no_mail_server_of_this_machine_is_connected_to(host: str, canary: Canary) -> None:
    server = senders.parse_mail_address(f"smtp://{host}:{canary.port}/?from=a@example.org&to=b@example.org")
    before = canary.hits
    with pytest.raises(NotDeliveredError):
        senders.send_mail(server, EmailMessage())
    assert canary.hits == before
