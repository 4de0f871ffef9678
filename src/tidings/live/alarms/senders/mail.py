"""Mail: an alarm or a digest, handed to a mail server.

The server is given as `smtp://NAME:PASSWORD@HOST:PORT/?from=ADDRESS&to=ADDRESS,ADDRESS`, or `smtps://…` where it is
reached by TLS from the beginning. On `smtp://` TLS is begun where the server offers it, and a password is never sent
without.
"""

from __future__ import annotations

import smtplib
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from email.message import EmailMessage
from email.utils import format_datetime, parseaddr
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Struct

from tidings.core import Alarm, Clock, UsageError
from tidings.live.alarms.senders.failures import NotDeliveredError
from tidings.sources import is_link_local, is_public

__all__ = [
    "MailServer",
    "addresses_of",
    "alarm_text",
    "mail_of",
    "parse_mail_address",
    "public_addresses",
    "send_mail",
]

_TIMEOUT_S = 10.0
_SUBJECT_CHARS = 150
_EXPECTED = "expected smtp://NAME:PASSWORD@HOST:PORT/?from=ADDRESS&to=ADDRESS"


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
        raise UsageError(f"found an address of a mail server that is none, {_EXPECTED}") from error
    if parts.scheme not in ("smtp", "smtps") or not host:
        raise UsageError(f"found an address that is not of a mail server, {_EXPECTED}")
    fields = parse_qs(parts.query)
    senders = _mailboxes(fields.get("from", []))
    receivers = _mailboxes(fields.get("to", []))
    if len(senders) != 1 or not receivers:
        raise UsageError(f"found a mail server without sender or receiver, {_EXPECTED}")
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
    boxes = [one.strip() for value in values for one in value.split(",") if one.strip()]
    for one in boxes:
        at = parseaddr(one)[1]
        if at != one or one.count("@") != 1 or not one.isprintable() or not one.isascii() or " " in one:
            raise UsageError(f"found {one!r} as an address of mail, expected one such as desk@example.org")
    return tuple(boxes)


def public_addresses(host: str, port: int, *, allow_private: bool) -> list[str]:
    """The addresses of a host that may be connected to; NotDeliveredError where there are none."""
    addresses = addresses_of(host, port)
    if not addresses:
        raise NotDeliveredError(f"the name {host} is not known")
    allowed = [one for one in addresses if (not is_link_local(one) if allow_private else is_public(one))]
    if not allowed and allow_private:
        raise NotDeliveredError(f"{host} is at {addresses[0]}, which is of the link alone and never asked")
    if not allowed:
        raise NotDeliveredError(
            f"{host} is at an address that is not of the public internet; "
            "--allow-private-webhooks asks it anyway"
        )
    return allowed


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses that a host has; none where nobody knows the name."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return list(dict.fromkeys(str(one[4][0]) for one in answers))


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
    """A message; its Message-ID is made of the alarm's id, so that a second copy can be told for one."""
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
        raise NotDeliveredError("the mail server offers no TLS, and a password is not sent without")
    if server.name:
        client.login(server.name, server.password)
    refused = client.send_message(message, server.sender, server.receivers)
    if refused:
        raise NotDeliveredError(f"the mail server refused {', '.join(refused)[:200]}")


def _client(server: MailServer, address: str, context: ssl.SSLContext) -> smtplib.SMTP:
    """A connection to an address that was checked, whatever the name means when it is looked up again."""
    if server.secure:
        secure = _Secure(timeout=_TIMEOUT_S, context=context)
        secure.connected_to = address
        return _connected(secure, server)
    plain = _Plain(timeout=_TIMEOUT_S)
    plain.connected_to = address
    return _connected(plain, server)


def _connected(client: smtplib.SMTP, server: MailServer) -> smtplib.SMTP:
    client._host = server.host  # type: ignore[attr-defined]  # what its certificate is held against
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
