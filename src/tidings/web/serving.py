"""Listening: where, and until when."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from fastapi import FastAPI

from tidings.errors import UsageError
from tidings.web.settings import SiteSettings

__all__ = ["check_address", "is_own", "listening", "serve"]


def is_own(host: str) -> bool:
    """Whether an address is heard by this machine alone.

    >>> is_own("127.0.0.1"), is_own("localhost"), is_own("0.0.0.0")
    (True, True, False)
    """
    from ipaddress import ip_address

    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def check_address(host: str, *, has_accounts: bool) -> None:
    """UsageError where others could reach a desk that nobody has to sign in to yet."""
    if not is_own(host) and not has_accounts:
        raise UsageError(
            f"found --host {host} and no account with a password, expected accounts before others can reach the desk; "
            "begin on 127.0.0.1 and choose a password there, or give one with `tidings assess users --add NAME "
            "--password-file FILE`"
        )


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; UsageError where the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only where the protocol is named does asyncio send at once (TCP_NODELAY): without, the second half of each answer
    # waits for the browser to acknowledge the first, which takes it 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise UsageError(
            f"cannot listen on {host}:{port}: {error.strerror}; name another with --port"
        ) from error
    return listener


def serve(
    app: FastAPI, listener: socket.socket, settings: SiteSettings, ready: Callable[[str], None] | None = None
) -> None:
    """Serve until the process is told to end, or Ctrl-C; `ready` is called with the address that it is reached at."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        proxy_headers=settings.https,
    )
    host, port = listener.getsockname()[:2]
    own = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    with suppress(KeyboardInterrupt):  # which uvicorn raises again when all is answered
        if ready is not None:
            ready(settings.public_url or own)
        uvicorn.Server(config).run(sockets=[listener])
