"""The kinds of channels: what a page calls each, which addresses it takes, and how an alarm is sent to it.

A further kind is its name in `ChannelKind`, a row of `CHANNEL_TYPES`, and a function that sends.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from tidings.core import Alarm, AlarmChannel, ChannelKind, UsageError
from tidings.live.alarms.digests import DigestMaker
from tidings.live.alarms.senders import (
    WebhookSender,
    alarm_text,
    check_chat_address,
    check_web_address,
    mail_of,
    parse_mail_address,
    send_chat,
    send_mail,
)
from tidings.live.alarms.settings import DeliverySettings, check_zone

_ADDRESS_CHARS = 2000


@dataclass(frozen=True)
class Senders:
    """What sending needs, made once for all deliveries of a store."""

    settings: DeliverySettings
    webhooks: WebhookSender
    digests: DigestMaker
    clock: Callable[[], float]


def _send_webhook(senders: Senders, channel: AlarmChannel, alarm: Alarm) -> Awaitable[None]:
    return senders.webhooks.send(channel, alarm, senders.clock())


def _send_chat(senders: Senders, channel: AlarmChannel, alarm: Alarm) -> None:
    settings = senders.settings
    text = alarm_text(alarm, settings.public_url)
    send_chat(channel.address, alarm.title, text, allow_private=settings.allow_private)


def _send_mail(senders: Senders, channel: AlarmChannel, alarm: Alarm) -> None:
    server, settings = parse_mail_address(channel.address), senders.settings
    if alarm.kind == "digest":
        message = mail_of(server, alarm, *senders.digests.rendered(channel, alarm))
    else:
        message = mail_of(server, alarm, alarm_text(alarm, settings.public_url))
    send_mail(server, message, allow_private=settings.allow_private)


def _write_digest(senders: Senders, channel: AlarmChannel, alarm: Alarm) -> None:
    senders.digests.write(channel, alarm)


@dataclass(frozen=True)
class ChannelType:
    """A kind of channel.

    Args:
        title: what a page calls it.
        send: sends an alarm; in a thread of its own, unless it gives something to await.
        check: UsageError where nothing could be sent to an address.
        example: an address of this kind; empty where it needs none.
        waits: whether `send` is to be awaited, so that several alarms may be on their way at once.
        shows_host: whether the host of an address may be shown; the rest of it never is.
    """

    title: str
    send: Callable[[Senders, AlarmChannel, Alarm], Awaitable[None] | None]
    check: Callable[[str], object] = lambda address: None
    example: str = ""
    waits: bool = False
    shows_host: bool = True


_MAIL = "smtp://NAME:PASSWORD@HOST:PORT/?from=ADDRESS&to=ADDRESS"

CHANNEL_TYPES: Mapping[ChannelKind, ChannelType] = {
    "webhook": ChannelType("Webhook", _send_webhook, check_web_address, "https://…", waits=True),
    "mail": ChannelType("Email", _send_mail, parse_mail_address, _MAIL),
    "apprise": ChannelType(
        "Chat (apprise)", _send_chat, check_chat_address, "slack://TOKEN/…", shows_host=False
    ),
    "digest-mail": ChannelType("Digest by email", _send_mail, parse_mail_address, _MAIL),
    "digest-file": ChannelType("Digest as a file", _write_digest),
}


def channel_type(kind: str) -> ChannelType:
    """The type of a kind; UsageError where there is none.

    >>> channel_type("mail").title
    'Email'
    """
    for name, known in CHANNEL_TYPES.items():
        if name == kind:
            return known
    raise UsageError(f"There is no kind of channel {kind[:30]!r}. Choose one of {', '.join(CHANNEL_TYPES)}.")


def check_channel(channel: AlarmChannel, settings: DeliverySettings) -> None:
    """UsageError where nothing could be sent to a channel."""
    if len(channel.address) > _ADDRESS_CHARS:
        raise UsageError(
            f"An address has at most {_ADDRESS_CHARS:,} characters; this has {len(channel.address):,}."
        )
    channel_type(channel.kind).check(channel.address)
    if channel.kind == "digest-file" and not settings.digests:
        raise UsageError(
            "This server has no folder for digests. Start it with `tidings serve --digests FOLDER`."
        )
    if channel.is_digest:
        check_zone(channel.settings.zone)
        if not 0 <= channel.settings.hour < 24:
            raise UsageError(f"A digest is made at an hour from 0 to 23, not {channel.settings.hour}.")


def shown_address(channel: AlarmChannel) -> str:
    """An address without what may be secret in it: names, passwords, paths.

    >>> shown_address(AlarmChannel(name="a", kind="webhook", address="https://me:secret@hooks.example.org/T0/B1?k=v"))
    'https://hooks.example.org/…'
    >>> shown_address(AlarmChannel(name="a", kind="apprise", address="slack://T0/B1/secret"))
    'slack://…'
    """
    kind = CHANNEL_TYPES.get(channel.kind)
    if kind is None:
        return "…"
    if not kind.example:
        return "a file"
    try:
        parts = urlsplit(channel.address)
        host = parts.hostname or ""
    except ValueError:
        return "…"
    return f"{parts.scheme}://{host}/…" if kind.shows_host else f"{parts.scheme}://…"


async def send_alarm(senders: Senders, channel: AlarmChannel, alarm: Alarm) -> None:
    """Send an alarm to a channel; NotDeliveredError where it has not arrived, UsageError where nothing can be sent."""
    kind = channel_type(channel.kind)
    if kind.waits:
        sending = kind.send(senders, channel, alarm)
        assert sending is not None
        await sending
    else:
        await _call_in_thread(lambda: kind.send(senders, channel, alarm))


async def _call_in_thread(call: Callable[[], object]) -> None:
    """Call it in a thread of its own, which does not keep the process from ending as one of a pool would."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def set_done(error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)

    def work() -> None:
        failure: BaseException | None = None
        try:
            call()
        except Exception as error:  # noqa: BLE001 - raised again where it was asked for
            failure = error
        with suppress(RuntimeError):  # nobody waits any more
            loop.call_soon_threadsafe(set_done, failure)

    threading.Thread(target=work, name="tidings-sender", daemon=True).start()
    await done
