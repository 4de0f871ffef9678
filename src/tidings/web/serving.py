"""Listening: where, and until when; nobody who asks or takes an answer too slowly keeps a connection.

Each request noted when it is answered.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from time import perf_counter
from typing import Any, TypeAlias, cast

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from tidings.core import UsageError
from tidings.web.guards import Middleware, Shares
from tidings.web.visitors import SiteSettings

_FAILED = 500

Note: TypeAlias = Callable[[str, str, int, float, str], None]
"""Told the method, path without query, status (0: the reader was gone first), seconds and address of who asked."""


class RequestLog(Middleware):
    """ASGI middleware that tells `note` of each request, once it is answered or its reader is gone."""

    def __init__(self, app: ASGIApp, note: Note) -> None:
        super().__init__(app)
        self._note = note

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note its answer."""
        began, status = perf_counter(), 0

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        except Exception:
            status = status or _FAILED  # which is answered further out
            raise
        finally:
            client = scope.get("client")
            self._note(
                scope["method"], scope["path"], status, perf_counter() - began, client[0] if client else ""
            )


HEAD_WITHIN_S = 20.0
"""So long may the head of a request take."""


class TimedProtocol(H11Protocol):
    """A connection that ends when no whole head of a request comes in time.

    An application finds `abort` in the state of its request: it ends the connection, whatever is still to be sent.
    """

    def __init__(
        self,
        config: Any,
        server_state: Any,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        shares: Shares | None = None,
    ) -> None:
        super().__init__(config, server_state, {**app_state, "abort": self._abort}, _loop)
        self._shares = shares or Shares()
        self._head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless its address has too many connections already."""
        super().connection_made(transport)
        if self._shares.add(self.end, self.client[0] if self.client else ""):
            self._wait_for_head()
        else:
            self.end()

    def data_received(self, data: bytes) -> None:
        """Take what came; where it is no whole head, the time goes on."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()
        elif self._head_timer is None:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._stop_waiting()
        self._shares.remove(self.end)
        super().connection_lost(exc)

    def end(self) -> None:
        """End it: it counts no more from now on."""
        self.connections.discard(self)
        self._abort()

    def _wait_for_head(self) -> None:
        self._shares.note_waiting(self.end)
        self._head_timer = self.loop.call_later(HEAD_WITHIN_S, self._give_up)

    def _stop_waiting(self) -> None:
        self._shares.note_working(self.end)
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        self._head_timer = None
        if self.cycle is None or self.cycle.response_complete:
            self._abort()

    def _abort(self) -> None:
        if self.transport is not None:
            self.transport.abort()


_WAITING = 1024  # connections that the system holds before they are taken
_TAKEN_WITHIN_MS = 60_000  # an answer that nobody takes for so long ends its connection


def is_own(host: str) -> bool:
    """Whether an address is heard by this machine alone.

    >>> is_own("127.0.0.1"), is_own("localhost"), is_own("0.0.0.0")
    (True, True, False)
    """
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
            f"--host {host} lets others reach the desk, but no account has a password; "
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
    with suppress(AttributeError, OSError):  # Linux: who takes nothing for so long is gone
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _TAKEN_WITHIN_MS)
    try:
        listener.bind((host, port))
        listener.listen(_WAITING)
    except OSError as error:
        listener.close()
        raise UsageError(
            f"cannot listen on {host}:{port}: {error.strerror}; name another with --port"
        ) from error
    return listener


@contextmanager
def asked_to_end() -> Iterator[None]:
    """While the block runs SIGTERM ends it as Ctrl-C does; what ends in that way has ended well."""
    before: Any = None
    main = threading.current_thread() is threading.main_thread()
    if main:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):  # which uvicorn raises again when all is answered
            yield
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)


def serve(
    app: FastAPI,
    listener: socket.socket,
    settings: SiteSettings,
    ready: Callable[[str], None] | None = None,
    *,
    own_logs: bool = False,
) -> None:
    """Serve until the process is told to end (SIGTERM or Ctrl-C).

    Args:
        app: what is served.
        listener: a socket that listens.
        settings: how it is served.
        ready: called with the address that it is reached at.
        own_logs: whether whoever calls has set up where messages go.
    """
    _allow_many_files()
    shares = Shares(settings.connections, settings.connections_of_one, settings.trusted_proxies)
    logs: dict[str, Any] = {"log_config": None} if own_logs else {}
    config = uvicorn.Config(
        app,
        http=cast("type[TimedProtocol]", partial(TimedProtocol, shares=shares)),
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        proxy_headers=False,  # the application heeds them, and the root path, see make_site
        limit_concurrency=settings.connections or None,
        **logs,
    )
    host, port = listener.getsockname()[:2]
    own = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    with asked_to_end():
        if ready is not None:
            ready((settings.public_url or own) + settings.root_path)
        _Server(config, getattr(app.state, "ending", None)).run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that says when it begins to end: streams without end must not keep it."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._ending = ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._ending is not None:
            self._ending()
        await super().shutdown(sockets)


def _allow_many_files() -> None:
    """Let this process have as many connections open as the system lets it, and not the 1,024 of a shell."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != hard:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
