"""Messages through apprise, which knows mail, chat services and others; it comes with the extra `alerts`.

What stands in its addresses is the service's own: after `slack://` comes a token, after `json://` a host. What has an
address as a host is checked before each message. Apprise then looks it up again and follows redirects, so whoever may
set channels could still reach this machine's network by way of a server of their own. Kinds that speak to this machine
itself, and not to a service, are refused.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from tidings.alarms.senders.failures import NotDeliveredError
from tidings.alarms.senders.mail import addresses_of, public_addresses
from tidings.errors import UsageError

__all__ = ["check_chat_address", "send_chat"]

_HTTPS = 443
_OF_THIS_MACHINE = frozenset(
    {
        "dbus",
        "glib",
        "gio",
        "blink1",
        "gnome",
        "kde",
        "qt",
        "macosx",
        "windows",
        "syslog",
        "rsyslog",
        "file",
        "exec",
        "include",
        "config",
    }
)


def check_chat_address(address: str) -> None:
    """UsageError where an address is none of apprise's, or one of this machine."""
    scheme = urlsplit(address).scheme.lower() if "://" in address else ""
    if not scheme or any(one.isspace() for one in address):
        raise UsageError("found an address that is none of apprise's, expected one such as slack://…")
    if scheme in _OF_THIS_MACHINE:
        raise UsageError(
            f"found an address of apprise's that begins with {scheme}://, expected one of a service"
        )
    if find_spec("apprise") is None:
        raise UsageError(
            "found no apprise, which sends to this kind of channel; install it with `pip install tidings[alerts]`"
        )
    _plugin(address)


def send_chat(address: str, title: str, text: str, *, allow_private: bool = False) -> None:
    """Send a message; NotDeliveredError where apprise could not."""
    try:
        check_chat_address(address)
    except UsageError as error:
        raise NotDeliveredError(str(error)) from error
    plugin = _plugin(address)
    for name in ("host", "smtp_host"):
        host, port = getattr(plugin, name, None), getattr(plugin, "port", None)
        # A token that stands where others have a host has no address.
        if not allow_private and isinstance(host, str) and addresses_of(host, _HTTPS):
            public_addresses(host, port if isinstance(port, int) else _HTTPS, allow_private=False)
    if not plugin.notify(body=text, title=title):
        raise NotDeliveredError("apprise could not send it; what it says about that stands in its own log")


def _plugin(address: str) -> Any:
    import apprise

    plugin = apprise.Apprise.instantiate(address)
    if plugin is None:
        raise UsageError("found an address that is none of apprise's, expected one such as slack://…")
    return plugin
