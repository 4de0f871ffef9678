"""Messages to chat services through apprise, which comes with the extra `alerts`.

Apprise knows far more than chat services: files, commands and devices of this machine, and parameters that read a file
or ask an address before a message is sent. So only the kinds below are sent to, and of each only parameters that say
how a message looks or whom it is for. What apprise then connects to (it looks names up itself, and follows redirects)
is checked where the connection is made.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html import escape
from importlib.util import find_spec
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from tidings.core import UsageError
from tidings.live.alarms.senders.failures import NotDeliveredError
from tidings.sources import is_link_local, is_public

__all__ = ["CHAT_KINDS", "check_chat_address", "send_chat"]

_EVERYWHERE = frozenset({"format", "overflow"})

# By the beginning of an address, what may stand after its question mark. None of these names an address or a file.
CHAT_KINDS: dict[str, frozenset[str]] = {
    # Services with hosts of their own.
    "discord": frozenset({"avatar", "footer", "image", "ping", "thread", "tts"}),
    "gchat": frozenset({"key", "thread", "token", "workspace"}),
    "pbul": frozenset({"to"}),
    "pover": frozenset({"expire", "interval", "priority", "sound", "to"}),
    "slack": frozenset({"blocks", "footer", "image", "timestamp", "to", "token"}),
    "tgram": frozenset({"image", "mdv", "preview", "silent", "thread", "to", "topic"}),
    "webex": frozenset({"to", "token"}),
    "wxteams": frozenset({"to", "token"}),
    "zulip": frozenset({"to", "token"}),
    # Services whose host stands in the address.
    "gotify": frozenset({"priority"}),
    "matrix": frozenset({"image", "mode", "msgtype", "to", "token", "version"}),
    "mmost": frozenset({"botname", "channel", "channels", "image", "team", "to"}),
    "ntfy": frozenset({"auth", "image", "mode", "priority", "to", "token", "xtags"}),
    "rocket": frozenset({"avatar", "mode", "to", "webhook"}),
    "workflows": frozenset({"api-version", "id", "image", "pa", "powerautomate", "sig", "ver", "wrap"}),
}
CHAT_KINDS |= {f"{kind}s": CHAT_KINDS[kind] for kind in ("gotify", "matrix", "mmost", "ntfy", "rocket")}
CHAT_KINDS["workflow"] = CHAT_KINDS["workflows"]
"""The kinds of chat services that are sent to, with the parameters that an address of each may have."""


def check_chat_address(address: str) -> None:
    """UsageError where an address is of no chat service, or has a parameter that is not listed for its kind."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise _NO_ADDRESS from None
    # Apprise parts them at `;` too, and takes what stands after `#` to them.
    given = re.split("[&;?]", address.partition("?")[2])
    named = [unquote_plus(one.partition("=")[0]).strip() for one in given if one]
    kind = parts.scheme
    if "://" not in address or not kind or any(one.isspace() or not one.isprintable() for one in address):
        raise _NO_ADDRESS
    if kind not in CHAT_KINDS:
        raise UsageError(
            f"No messages are sent to {kind[:30]}:// addresses. Use a webhook or mail, or one of these chat services: "
            f"{', '.join(sorted(CHAT_KINDS))}."
        )
    allowed = CHAT_KINDS[kind] | _EVERYWHERE
    if refused := [name for name in named if name.lower() not in allowed]:
        raise UsageError(
            f"The parameter {refused[0][:40]!r} may not stand in a {kind}:// address here. "
            f"Take it out; these may: {', '.join(sorted(allowed))}."
        )
    if find_spec("apprise") is None:
        raise UsageError(
            "found no apprise, which sends to this kind of channel; install it with `pip install tidings[alerts]`"
        )
    _plugin(address)


_NO_ADDRESS = UsageError("This is not an address of a chat service. One looks like slack://TOKEN/…")


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
            f"{refused[0]} is not an address of the public internet; --allow-private-webhooks asks it anyway"
            if not allow_private
            else f"{refused[0]} is an address of the link alone, which is never asked"
        )
    if not arrived:
        raise NotDeliveredError("apprise could not send it; what it says about that stands in its own log")


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
