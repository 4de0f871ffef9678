"""How an alarm is sent: by webhook, by mail, and to chat services.

A webhook is an alarm as JSON, posted to an address of the web, and signed.

Mail is an alarm or a digest, handed to a mail server. The server is given as
`smtp://NAME:PASSWORD@HOST:PORT/?from=ADDRESS&to=ADDRESS,ADDRESS`, or `smtps://…` where it is reached by TLS from the
beginning. On `smtp://` TLS is begun where the server offers it, and a password is never sent without.

Chat services are reached through apprise, which comes with the extra `alerts`. Apprise knows far more than chat
services: files, commands and devices of this machine, and parameters that read a file or ask an address before a
message is sent. So only the kinds below are sent to, and of each only parameters that say how a message looks or whom
it is for. What apprise then connects to (it looks names up itself, and follows redirects) is checked where the
connection is made.
"""

from __future__ import annotations

import hmac
import re
import smtplib
import socket
import ssl
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from functools import cache
from hashlib import sha256
from html import escape
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, unquote, unquote_plus, urlsplit

import msgspec
from msgspec import Struct

from tidings.core import (
    Alarm,
    AlarmChannel,
    Client,
    ClientLimits,
    Clock,
    TidingsError,
    UsageError,
    asked_wait_s,
    is_link_local,
    is_public,
    is_web_address,
    pip_install,
    user_agent,
)


class NotDeliveredError(TidingsError):
    """An alarm has not arrived; the message is one for the list of deliveries.

    `retry_after_s` is when the receiver wants to be asked again (None: it does not say).
    """

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


_EVERYWHERE = frozenset({"format", "overflow"})

CHAT_KINDS: dict[str, frozenset[str]] = {
    kind: frozenset(parameters)
    for kind, parameters in tomllib.loads(
        Path(__file__).with_name("chat_kinds.toml").read_text("utf-8")
    ).items()
}
"""The kinds of chat services that are sent to, with the parameters that an address of each may have."""


def check_chat_address(address: str) -> None:
    """UsageError where an address is of no chat service, or has a parameter that is not listed for its kind."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise _NO_ADDRESS from None
    # Apprise parts them at `;` too, and takes what stands after `#` to them.
    given = re.split("[&;?]", address.partition("?")[2])
    named = [unquote_plus(parameter.partition("=")[0]).strip() for parameter in given if parameter]
    kind = parts.scheme
    if "://" not in address or not kind or any(char.isspace() or not char.isprintable() for char in address):
        raise _NO_ADDRESS
    if kind not in CHAT_KINDS:
        raise UsageError(
            f"Addresses of the kind {kind[:30]}:// are not supported. "
            f"Use a webhook, email, or one of these chat services: {', '.join(sorted(CHAT_KINDS))}."
        )
    allowed = CHAT_KINDS[kind] | _EVERYWHERE
    if refused := [name for name in named if name.lower() not in allowed]:
        raise UsageError(
            f"The parameter {refused[0][:40]!r} is not allowed in a {kind}:// address. "
            f"Remove it. Allowed parameters: {', '.join(sorted(allowed))}."
        )
    if find_spec("apprise") is None:
        raise UsageError(
            f"No apprise installed, which sends to chat services. Run: {pip_install('[alerts]')}"
        )
    _plugin(address)


_NO_ADDRESS = UsageError("This is not the address of a chat service. Enter one such as slack://TOKEN/….")


def send_chat(address: str, title: str, text: str, *, allow_private: bool = False) -> None:
    """Send a message; NotDeliveredError where apprise could not, or would have had to ask an address that may not be.

    Args:
        address: of the service, as apprise writes it.
        title, text: the message.
        allow_private: whether this machine and its network may be sent to.
    """
    try:
        check_chat_address(address)
    except UsageError as error:
        raise NotDeliveredError(str(error)) from error
    plugin = _plugin(address)
    with _checked_connections(allow_private=allow_private) as refused:
        # Not by `Apprise.notify`, which sends in a thread of its own: what that connects to would not be checked.
        arrived = plugin.notify(body=_as_plain_text(address, text), title=_as_plain_text(address, title))
    if refused:
        raise NotDeliveredError(
            f"{refused[0]} is link-local and never connected to"
            if allow_private or _is_link_local(refused[0])
            else f"{refused[0]} is not on the public internet. Allow it with --allow-private-webhooks."
        )
    if not arrived:
        raise NotDeliveredError("apprise could not send it. See the server's log.")


_NOTHING = "\u200b"  # a space of no width
_MARKS = re.compile(r"(?P<link>https?://[^\s<>]+)|<|@|(?<=\])(?=\()")


def _as_plain_text(address: str, text: str) -> str:
    """Text as a service takes it to show it as it is: what others wrote calls nobody and hides no address.

    >>> _as_plain_text("tgram://1:a/2", "<b>5 < 6</b>")
    '&lt;b&gt;5 &lt; 6&lt;/b&gt;'
    >>> ascii(_as_plain_text("discord://1/a", "@here <@1> [go](http://a.example/@b)"))
    "'@\\\\u200bhere <\\\\u200b@\\\\u200b1> [go]\\\\u200b(http://a.example/%40b)'"
    """
    kind, _, rest = address.lower().partition("://")
    chosen = re.search(r"[&;?]format=(\w+)", rest)
    form = chosen[1] if chosen else "html" if kind == "tgram" else "text"
    is_escaped = form == "html"

    def marked(found: re.Match[str]) -> str:
        if found["link"]:
            return found["link"].replace("@", "%40")
        return found[0] if is_escaped and found[0] == "<" else found[0] + _NOTHING

    harmless = _MARKS.sub(marked, text)
    if kind == "slack":  # apprise makes calls and hidden links of what ends so, whatever it begins with
        harmless = harmless.replace(">", "\u203a")
    return escape(harmless, quote=False) if is_escaped else harmless


def _plugin(address: str) -> Any:
    import apprise

    plugin = apprise.Apprise.instantiate(address)
    if plugin is None:
        raise _NO_ADDRESS
    return plugin


class _Sending(threading.local):
    """Whether this thread sends a message, what it may then connect to, and what it was refused."""

    refused: list[str] | None = None
    allow_private = False


_sending = _Sending()


@cache
def _check_connections_from_now_on() -> None:
    # There is no taking it away again: it looks at the threads that send, and costs the others next to nothing.
    sys.addaudithook(_check_connection)


@contextmanager
def _checked_connections(*, allow_private: bool) -> Iterator[list[str]]:
    """While the block runs this thread connects to no address that may not be asked; gives those that were refused."""
    _check_connections_from_now_on()
    refused: list[str] = []
    _sending.refused, _sending.allow_private = refused, allow_private
    try:
        yield refused
    finally:
        _sending.refused = None


def _check_connection(event: str, given: tuple[Any, ...]) -> None:
    # Python calls this before each connection is made, with its address, in the thread that makes it.
    if event not in ("socket.connect", "socket.sendto") or _sending.refused is None:
        return
    address = given[1]
    host = str(address[0]) if isinstance(address, tuple) else str(address)
    try:
        is_allowed = not is_link_local(host) if _sending.allow_private else is_public(host)
    except ValueError:  # a name, which would be looked up, or a socket of this machine
        is_allowed = False
    if not is_allowed:
        _sending.refused.append(host[:100])
        raise ConnectionRefusedError(f"{host[:100]} may not be asked")


def _is_link_local(host: str) -> bool:
    try:
        return is_link_local(host)
    except ValueError:  # no address
        return False


_TIMEOUT_S = 10.0
_SUBJECT_CHARS = 150
_NO_SERVER = "{}. Enter smtp://NAME:PASSWORD@HOST:PORT/?from=ADDRESS&to=ADDRESS"


class MailServer(Struct, frozen=True, kw_only=True):
    """Where mail is handed in, and who it is from and for."""

    host: str
    port: int
    sender: str
    receivers: tuple[str, ...]
    name: str = ""
    password: str = ""
    secure: bool = False


def parse_mail_address(address: str) -> MailServer:
    """What an address of a mail server says; UsageError where it is none.

    >>> server = parse_mail_address("smtps://desk:s%40crit@mail.example.org/?from=desk@example.org&to=a@example.org")
    >>> server.port, server.password, server.receivers
    (465, 's@crit', ('a@example.org',))
    """
    try:
        parts = urlsplit(address)
        port, host = parts.port, parts.hostname or ""
    except ValueError as error:
        raise UsageError(_NO_SERVER.format("This is not an address")) from error
    if parts.scheme not in ("smtp", "smtps") or not host:
        raise UsageError(_NO_SERVER.format("This is not the address of a mail server"))
    fields = parse_qs(parts.query)
    senders = _mailboxes(fields.get("from", []))
    receivers = _mailboxes(fields.get("to", []))
    if len(senders) != 1 or not receivers:
        raise UsageError(_NO_SERVER.format("The address lacks a sender or a recipient"))
    secure = parts.scheme == "smtps"
    return MailServer(
        host=host,
        port=port or (465 if secure else 587 if parts.username else 25),
        sender=senders[0],
        receivers=receivers,
        name=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        secure=secure,
    )


def _mailboxes(values: list[str]) -> tuple[str, ...]:
    boxes = [box.strip() for value in values for box in value.split(",") if box.strip()]
    for box in boxes:
        at = parseaddr(box)[1]
        if at != box or box.count("@") != 1 or not box.isprintable() or not box.isascii() or " " in box:
            raise UsageError(f"{box!r} is not an email address. Enter one such as desk@example.org.")
    return tuple(boxes)


def public_addresses(host: str, port: int, *, allow_private: bool) -> list[str]:
    """The addresses of a host that may be connected to; NotDeliveredError where there are none."""
    addresses = addresses_of(host, port)
    if not addresses:
        raise NotDeliveredError(f"The host {host} was not found.")
    allowed = [
        place for place in addresses if (not is_link_local(place) if allow_private else is_public(place))
    ]
    if not allowed and (allow_private or all(map(is_link_local, addresses))):
        raise NotDeliveredError(f"{host} is at {addresses[0]}, which is link-local and never connected to")
    if not allowed:
        raise NotDeliveredError(
            f"{host} is at an address that is not on the public internet. "
            "Allow it with --allow-private-webhooks."
        )
    return allowed


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses that a host has; none where nobody knows the name."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


def alarm_text(alarm: Alarm, public_url: str = "") -> str:
    """An alarm in words: a line for each thing that it tells, with where it is shown.

    >>> print(alarm_text(Alarm(id="a1", kind="test", title="A test", time=60)))
    A test
    """
    lines = [alarm.title]
    for item in alarm.items:
        about = f"{item.title}: " if item.title else ""
        when = Clock().moment(item.time)
        lines += ["", f"{about}{item.text}", f"{when}{' · ' + item.source if item.source else ''}"]
        if item.link and public_url:
            lines.append(public_url.rstrip("/") + item.link)
        elif item.url.startswith(("https://", "http://")):
            lines.append(item.url)
    if alarm.more:
        lines += ["", f"and {alarm.more} more"]
    return "\n".join(lines)


def mail_of(server: MailServer, alarm: Alarm, text: str, page: str = "") -> EmailMessage:
    """A message; its Message-ID is made of the alarm's id, so that a second copy is known for one."""
    from datetime import UTC, datetime

    message = EmailMessage()
    message["Subject"] = " ".join(alarm.title.split())[:_SUBJECT_CHARS]
    message["From"], message["To"] = server.sender, ", ".join(server.receivers)
    message["Date"] = format_datetime(datetime.fromtimestamp(alarm.time, UTC))
    message["Message-ID"] = f"<{alarm.id}@tidings.invalid>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(text)
    if page:
        message.add_alternative(page, subtype="html")
    return message


def send_mail(server: MailServer, message: EmailMessage, *, allow_private: bool = False) -> None:
    """Hand a message in; NotDeliveredError where the server does not take it for all its receivers."""
    addresses = public_addresses(server.host, server.port, allow_private=allow_private)
    context = ssl.create_default_context()
    try:
        client = _client(server, addresses[0], context)
        try:
            _hand_in(client, server, message, context)
        finally:
            with suppress(smtplib.SMTPException, OSError):
                client.quit()
    except smtplib.SMTPRecipientsRefused as error:
        raise NotDeliveredError(f"the mail server refused {', '.join(error.recipients)[:200]}") from error
    except smtplib.SMTPResponseException as error:
        raise NotDeliveredError(f"the mail server answered {error.smtp_code}") from error
    except (smtplib.SMTPException, OSError, ValueError) as error:
        raise NotDeliveredError(
            f"the mail server: {' '.join(str(error).split())[:200] or type(error).__name__}"
        ) from error


def _hand_in(
    client: smtplib.SMTP, server: MailServer, message: EmailMessage, context: ssl.SSLContext
) -> None:
    client.ehlo_or_helo_if_needed()
    if not server.secure and client.has_extn("starttls"):
        client.starttls(context=context)
        client.ehlo()
    elif not server.secure and server.name:
        raise NotDeliveredError("the mail server does not support TLS, so the password was not sent")
    if server.name:
        client.login(server.name, server.password)
    refused = client.send_message(message, server.sender, server.receivers)
    if refused:
        raise NotDeliveredError(f"the mail server refused {', '.join(refused)[:200]}")


def _client(server: MailServer, address: str, context: ssl.SSLContext) -> smtplib.SMTP:
    """A connection to an address that was checked, whatever the name means when it is looked up again."""
    client: _Secure | _Plain
    client = _Secure(timeout=_TIMEOUT_S, context=context) if server.secure else _Plain(timeout=_TIMEOUT_S)
    client.connected_to = address
    client._host = server.host  # type: ignore[union-attr]  # what its certificate is held against
    code, _ = client.connect(server.host, server.port)
    if code != 220:
        client.close()
        raise NotDeliveredError(f"the mail server answered {code}")
    return client


class _Plain(smtplib.SMTP):
    connected_to = ""

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return socket.create_connection((self.connected_to, port), timeout)


class _Secure(smtplib.SMTP_SSL):
    connected_to = ""

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        plain = socket.create_connection((self.connected_to, port), timeout)
        wrap: Callable[..., socket.socket] = self.context.wrap_socket
        return wrap(plain, server_hostname=host)


_CONNECT_S = 10.0
_LONGEST_RETRY_S = 6 * 3600  # however long a server asks to wait


def webhook_body(alarm: Alarm, public_url: str = "") -> bytes:
    """What is posted: the alarm as JSON, its keys in order, with whole addresses where that of the pages is given.

    >>> webhook_body(Alarm(id="a1", kind="test", title="A test", time=60))[:34]
    b'{"event_id":"","id":"a1","items":['
    """
    value = msgspec.to_builtins(alarm)
    for name in ("after_seq", "until_seq"):
        del value[name]
    for item in value["items"]:
        if item["link"]:
            item["link"] = public_url.rstrip("/") + item["link"]
    return msgspec.json.encode(value, order="deterministic")


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """What X-Tidings-Signature says: HMAC-SHA-256, by the channel's secret, of the timestamp, a full stop and the body.

    >>> signature("secret", "60", b"{}")[:20]
    'sha256=dab8c36dca4be'
    """
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, sha256)
    return f"sha256={digest.hexdigest()}"


def check_web_address(address: str) -> None:
    """UsageError where nothing could be posted to an address."""
    if not is_web_address(address):
        raise UsageError("Enter a web address for the webhook, such as https://hooks.example.org/….")


class WebhookSender:
    """Posts alarms; use it in an `async with`.

    Only addresses of the public internet are connected to, unless others are allowed, and redirects are not followed.
    What is answered beside the status is not read.

    Args:
        allow_private: whether other addresses may be connected to.
        public_url: where readers reach the pages.
    """

    def __init__(self, *, allow_private: bool = False, public_url: str = "") -> None:
        self._public_url = public_url
        # How long an alarm may take in all is the settings' of deliveries.
        limits = ClientLimits(connect_s=_CONNECT_S, read_s=None, total_s=None)
        self._client = Client(
            user_agent(), allow_private=allow_private, limits=limits, option="--allow-private-webhooks"
        )

    async def __aenter__(self) -> WebhookSender:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def send(self, channel: AlarmChannel, alarm: Alarm, now: float) -> None:
        """Post an alarm; NotDeliveredError unless it is answered with a status of 200 to 299."""
        body, timestamp = webhook_body(alarm, self._public_url), str(int(now))
        headers = {
            "content-type": "application/json",
            "x-tidings-id": alarm.id,
            "x-tidings-timestamp": timestamp,
            "x-tidings-signature": signature(channel.secret, timestamp, body),
        }
        answer = await self._client.post(channel.address, body, headers)
        if answer.error:
            raise NotDeliveredError(answer.error)
        if not 200 <= answer.status < 300:
            moved = ", and redirects are not followed" if 300 <= answer.status < 400 else ""
            wait_s = asked_wait_s(answer.headers, int(now))
            raise NotDeliveredError(
                f"answered {answer.status}{moved}", None if wait_s is None else min(wait_s, _LONGEST_RETRY_S)
            )
