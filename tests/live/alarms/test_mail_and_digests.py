"""Mail, chat and digests: what is sent, to whom, and what is refused."""

from __future__ import annotations

import asyncio
import email
import json
import socketserver
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.policy import default
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from tests.live.alarms.runs import NOON, LiveRun, ranking, update, value
from tests.live.pages.sites import live_in, update as shown_update
from tidings.core.records import Event, Update, ValueUpdate
from tidings.core.records.standing import Alarm, AlarmChannel, AlarmItem, ChannelSettings, UpdateAbove
from tidings.live.alarms.deliveries import Deliveries
from tidings.live.alarms.digests import DigestMaker, last_moment, news_of
from tidings.live.alarms.senders import (
    NotDeliveredError,
    alarm_text,
    mail_of,
    parse_mail_address,
    public_addresses,
    send_chat,
    send_mail,
)
from tidings.live.alarms.settings import DeliverySettings

HOUR = 3600


class MailServer(socketserver.ThreadingTCPServer):
    """A stand-in that takes mail; `answers` are what it says to a command instead of 250."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), MailHandler)
        self.messages: list[tuple[str, list[str], EmailMessage]] = []
        self.answers: dict[str, str] = {}

    @property
    def address(self) -> str:
        return (
            f"smtp://127.0.0.1:{self.server_address[1]}/?from=desk@example.org&to=a@example.org,b@example.org"
        )


class MailHandler(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        sender, receivers = "", []
        self.say(self.server.answers.get("hello", "220 here"))
        for line in self.rfile:
            words = line.decode().strip()
            command = words[:4].upper()
            if command == "MAIL":
                sender = words.partition("<")[2].partition(">")[0]
            if command == "RCPT":
                receivers.append(words.partition("<")[2].partition(">")[0])
            if command == "DATA":
                self.say("354 go on")
                lines = []
                while (one := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(one)
                message = email.message_from_bytes(b"".join(lines), policy=default)
                self.server.messages.append((sender, receivers, message))  # type: ignore[arg-type]
            self.say("221 bye" if command == "QUIT" else self.server.answers.get(command, "250 well"))
            if command == "QUIT":
                return

    def say(self, words: str) -> None:
        self.wfile.write(words.encode() + b"\r\n")


@contextmanager
def mail_server() -> Iterator[MailServer]:
    with MailServer() as server:
        thread = threading.Thread(target=lambda: server.serve_forever(0.01), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


ALARM = Alarm(
    id="a1",
    kind="gathered",
    title="Two things",
    time=NOON,
    items=(
        AlarmItem(
            kind="update", text="It rains.", time=NOON, title="The storm", seq=3, link="/events/s/updates/3"
        ),
        AlarmItem(kind="update", text="It pours.", time=NOON, source="Wire", url="javascript:alert(1)"),
    ),
    more=4,
)


class TestMail:
    def test_a_message_says_all_of_it_and_has_an_id_that_stays(self) -> None:
        with mail_server() as server:
            place = parse_mail_address(server.address)
            for _ in range(2):
                text = alarm_text(ALARM, "https://news.example.org")
                send_mail(place, mail_of(place, ALARM, text), allow_private=True)
        (sender, receivers, message), second = server.messages
        assert (sender, receivers) == ("desk@example.org", ["a@example.org", "b@example.org"])
        assert (message["Subject"], message["To"]) == ("Two things", "a@example.org, b@example.org")
        assert message["Message-ID"] == second[2]["Message-ID"] == "<a1@tidings.invalid>"
        body = message.get_content().replace("\r", "")
        assert (
            "The storm: It rains.\n15 Nov 2023 12:00\nhttps://news.example.org/events/s/updates/3\n" in body
        )
        assert "It pours.\n15 Nov 2023 12:00 · Wire\n" in body
        assert "javascript" not in body
        assert body.endswith("and 4 more\n")

    def test_a_title_makes_no_headers(self) -> None:
        place = parse_mail_address("smtp://mail.example.org/?from=a@example.org&to=b@example.org")
        message = mail_of(
            place, msgspec.structs.replace(ALARM, title="x\r\nBcc: evil@example.org" + "y" * 300), ""
        )
        assert message["Bcc"] is None
        assert len(message["Subject"]) == 150

    def test_what_a_server_refuses_is_said(self) -> None:
        for command, answer, words in (
            ("hello", "554 no", "answered 554"),
            ("MAIL", "550 no", "550"),
            ("RCPT", "550 no", "refused a@example.org"),
        ):
            with mail_server() as server:
                server.answers[command] = answer
                place = parse_mail_address(server.address)
                with pytest.raises(NotDeliveredError, match=words):
                    send_mail(place, mail_of(place, ALARM, "text"), allow_private=True)
        with pytest.raises(NotDeliveredError, match="the mail server: "):
            send_mail(place, mail_of(place, ALARM, "text"), allow_private=True)  # it is gone

    def test_a_password_goes_nowhere_without_tls_and_private_servers_are_not_asked(self) -> None:
        with mail_server() as server:
            place = parse_mail_address(server.address.replace("smtp://", "smtp://me:secret@"))
            with pytest.raises(NotDeliveredError, match="does not support TLS"):
                send_mail(place, mail_of(place, ALARM, "text"), allow_private=True)
            with pytest.raises(NotDeliveredError, match="not on the public internet"):
                send_mail(parse_mail_address(server.address), mail_of(place, ALARM, "text"))
            assert server.messages == []

    def test_ports(self) -> None:
        ports = [
            parse_mail_address(f"{start}/?from=a@b&to=c@d").port
            for start in ("smtp://m", "smtp://n:p@m", "smtps://m", "smtp://m:2525")
        ]
        assert ports == [25, 587, 465, 2525]


class TestChat:
    def test_without_apprise_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tidings.live.alarms.senders.find_spec", lambda name: None)
        with pytest.raises(NotDeliveredError, match=r"pip install -e '\.\[alerts\]'"):
            send_chat("slack://a/b/c", "title", "text")

    @pytest.mark.parametrize(
        ("address", "path", "named"),
        [("ntfy://{}/news?priority=high", "/", "news"), ("gotify://{}/AbCdEf0123456789", "/message", "Fire")],
    )
    @pytest.mark.filterwarnings("ignore::DeprecationWarning")
    def test_ntfy_and_gotify_get_title_and_text(self, address: str, path: str, named: str) -> None:
        pytest.importorskip("apprise")
        got: list[tuple[str, dict[str, str]]] = []

        class StandIn(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                got.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *words: object) -> None:
                pass

        with HTTPServer(("127.0.0.1", 0), StandIn) as server:
            thread = threading.Thread(target=server.handle_request)
            thread.start()
            place = address.format(f"127.0.0.1:{server.server_port}")
            send_chat(place, "Fire on the ferry", "1 missing", allow_private=True)
            thread.join()
        ((where, message),) = got
        assert where == path and named in str(message)
        assert (message["title"], message["message"]) == ("Fire on the ferry", "1 missing")

    def test_apprise_is_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sent: list[tuple[str, str]] = []

        class Plugin:
            works = True

            def notify(self, *, title: str, body: str) -> bool:
                sent.append((title, body))
                return self.works

        plugin = Plugin()
        module = ModuleType("apprise")
        module.Apprise = type("Apprise", (), {"instantiate": staticmethod(lambda url: plugin)})  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "apprise", module)
        monkeypatch.setattr("tidings.live.alarms.senders.find_spec", lambda name: module)
        send_chat("slack://a/b/c", "title", "text")
        assert sent == [("title", "text")]
        plugin.works = False
        with pytest.raises(NotDeliveredError, match="apprise could not"):
            send_chat("slack://a/b/c", "title", "text")
        module.Apprise.instantiate = staticmethod(lambda url: None)  # type: ignore[attr-defined]
        with pytest.raises(NotDeliveredError, match="not the address of a chat service"):
            send_chat("slack://a/b/c", "title", "text")

    @pytest.mark.parametrize("allow_private", [True, False])
    def test_apprise_never_connects_to_the_link_alone(
        self, monkeypatch: pytest.MonkeyPatch, allow_private: bool
    ) -> None:
        class Plugin:
            def notify(self, *, title: str, body: str) -> bool:
                with suppress(ConnectionRefusedError):
                    sys.audit("socket.connect", None, ("169.254.169.254", 80))  # as Python before it connects
                return False

        monkeypatch.setattr("tidings.live.alarms.senders.find_spec", lambda name: name)
        monkeypatch.setattr("tidings.live.alarms.senders._plugin", lambda address: Plugin())
        with pytest.raises(NotDeliveredError, match=r"169\.254\.169\.254 is link-local and never"):
            send_chat("ntfy://ntfy.example.org/a", "title", "text", allow_private=allow_private)


class TestDigests:
    def digest(
        self, run: LiveRun, kind: str = "digest-file", address: str = "", **settings: object
    ) -> AlarmChannel:
        chosen = ChannelSettings(since_time=NOON, **{"every": "hour", **settings})  # type: ignore[arg-type]
        channel = AlarmChannel(name="News of the day", kind=kind, address=address, settings=chosen)  # type: ignore[arg-type]
        return run.live.channels.add(channel)

    def test_each_tells_what_is_new_since_the_one_before_and_none_where_nothing_is(
        self, run: LiveRun
    ) -> None:
        run.commit(update(1))
        channel = self.digest(run, since_seq=1)
        maker = DigestMaker(run.live, DeliverySettings())
        run.commit(update(2), value(3))
        assert maker.put_due() == 0  # the hour is not over
        run.now = NOON + HOUR + 60
        assert maker.put_due() == 1
        assert maker.put_due() == 0
        run.commit(value(4), ranking("Ann"))
        run.now += HOUR
        assert maker.put_due() == 0  # no update is new
        run.commit(update(3, event="fire"))
        run.now += HOUR
        assert maker.put_due() == 1
        first, second = (one.alarm for one in run.deliveries())
        assert (first.after_seq, first.until_seq, second.after_seq, second.until_seq) == (1, 3, 3, 6)
        assert (first.title, first.time) == ("News of 2023-11-15 13:00", NOON + HOUR)
        assert first.id != second.id
        text, page = maker.rendered(channel, first)
        assert "Update 2." in text
        assert "Update 1." not in text
        assert "3 dead reported" in text
        assert "Update 2." in page
        assert maker.rendered(channel, first) == (text, page)
        text, _ = maker.rendered(channel, second)
        assert "a fire" in text
        assert "4 dead" in text
        assert "Update 2." not in text

    def test_two_servers_make_one(self, run_in_file: LiveRun, monkeypatch: pytest.MonkeyPatch) -> None:
        self.digest(run_in_file)
        run_in_file.commit(update(1))
        run_in_file.now += HOUR
        maker = DigestMaker(run_in_file.live, DeliverySettings())
        monkeypatch.setattr(run_in_file.live.outbox, "digested_until", lambda channel_id: (0, 0))
        assert [maker.put_due(), maker.put_due()] == [1, 0]

    def test_one_that_rests_makes_none_and_one_of_an_event_tells_only_that(
        self, run_in_file: LiveRun
    ) -> None:
        channel = self.digest(run_in_file, event_id="fire")
        run_in_file.commit(update(1))
        run_in_file.now += HOUR
        maker = DigestMaker(run_in_file.live, DeliverySettings())
        assert maker.put_due() == 0
        run_in_file.commit(update(2, event="fire"))
        run_in_file.live.channels.change(msgspec.structs.replace(channel, disabled_ms=1))
        assert maker.put_due() == 0
        run_in_file.live.channels.change(channel)
        assert maker.put_due() == 1
        text, _ = maker.rendered(channel, run_in_file.deliveries()[0].alarm)
        assert ("Update 2." in text, "Update 1." in text) == (True, False)

    def test_it_arrives_as_a_file_and_as_mail(self, run_in_file: LiveRun, tmp_path: Path) -> None:
        run = run_in_file
        run.live.outbox._clock = run.live.clock = time.time
        odd = msgspec.structs.replace(update(1), text="<script>alert(1)</script>", url="javascript:alert(1)")
        with mail_server() as server:
            self.digest(run)
            run.live.channels.add(
                AlarmChannel(
                    name="mail",
                    kind="digest-mail",
                    address=server.address,
                    settings=ChannelSettings(every="day", hour=0),
                )
            )
            run.live.channels.add(AlarmChannel(name="alarms", kind="mail", address=server.address))
            run.rule(UpdateAbove(), channels=(3,))
            run.commit(odd, update(2))
            folder = tmp_path / "digests"
            folder.mkdir()
            settings = DeliverySettings(
                allow_private=True,
                digests=str(folder),
                look_every_s=0.02,
                public_url="https://news.example.org/",
            )

            async def go() -> None:
                async with Deliveries(run.live, settings), asyncio.timeout(20):
                    while len(server.messages) < 3 or not list(folder.glob("*.html")):
                        await asyncio.sleep(0.01)

            with ThreadPoolExecutor(1) as beside:  # Chromium's driver has a loop in this thread
                beside.submit(asyncio.run, go()).result()
        (page,) = [path.read_text() for path in folder.iterdir()]
        assert next(folder.iterdir()).name.startswith("News-of-the-day-1-20")
        assert "&lt;script&gt;alert(1)" in page
        assert "<script" not in page
        assert "javascript:" not in page
        assert "https://news.example.org/events/storm/updates/2" in page
        messages = {message["Subject"]: message for _, _, message in server.messages}
        digest = next(message for subject, message in messages.items() if subject.startswith("News of "))
        assert digest.get_content_type() == "multipart/alternative"
        assert {"The storm: Update 2."} < set(messages)

    def test_without_a_folder_none_is_written(self, run_in_file: LiveRun) -> None:
        maker = DigestMaker(run_in_file.live, DeliverySettings())
        with pytest.raises(NotDeliveredError, match="--digests"):
            maker.write(self.digest(run_in_file), ALARM)

    def test_moments(self) -> None:
        daily = ChannelSettings(every="day", hour=7, zone="Europe/Berlin")
        morning = 1_700_028_000  # 7:00 in Berlin
        assert last_moment(daily, morning) == morning
        assert last_moment(daily, morning - 1) == morning - 86400
        assert last_moment(daily, morning + 86399) == morning
        # The night on which clocks went forward was an hour shorter.
        spring = 1_711_861_200  # 31 March 2024, 7:00 in Berlin
        assert last_moment(daily, spring - 1) == spring - 82800
        assert last_moment(ChannelSettings(every="hour"), NOON + 3599) == NOON
        assert last_moment(msgspec.structs.replace(daily, zone="Nowhere"), morning) == morning - 86400 + HOUR


@pytest.mark.parametrize("host", ["169.254.169.254", "fe80::1", "::ffff:169.254.169.254"])
@pytest.mark.parametrize("allow_private", [True, False])
def test_the_link_alone_is_never_asked(host: str, allow_private: bool) -> None:
    with pytest.raises(NotDeliveredError, match="link-local and never connected to"):
        public_addresses(host, 25, allow_private=allow_private)


def test_a_private_server_is_asked_where_that_is_allowed() -> None:
    assert public_addresses("127.0.0.1", 25, allow_private=True) == ["127.0.0.1"]
    with pytest.raises(NotDeliveredError, match="allow-private-webhooks"):
        public_addresses("127.0.0.1", 25, allow_private=False)


def test_digests_of_channels_of_like_names_have_files_of_their_own(tmp_path: Path) -> None:
    names = ["a/b", "a b", "a-b", "?", "!"]
    with live_in(str(tmp_path / "live.db"), outputs=[shown_update(1)]) as site:
        maker = DigestMaker(site.live, DeliverySettings(digests=str(tmp_path)))
        settings = ChannelSettings(every="hour")
        channels = [
            site.live.channels.add(AlarmChannel(name=name, kind="digest-file", address="", settings=settings))
            for name in names
        ]
        alarm = Alarm(
            id="x", kind="digest", title="News", time=NOON, run=site.live.run, after_seq=0, until_seq=1
        )
        written = {maker.write(channel, alarm) for channel in channels}
    assert len(written) == len(names) and all(path.is_file() for path in written)


def test_a_figure_in_a_digest_has_the_range_where_an_update_beside_it_differs() -> None:
    said = Update("e", "d1", 0, 90, 0.5, "The ferry fire left 11 people injured.", published_time=90)
    event = Event(id="e", title="Ferry fire", query="ferry fire")
    (news,) = news_of([(1, ValueUpdate("e", 60, "injuries", (9.0,))), (2, said)], {"e": event})
    assert "9 to 11" in news.figures
