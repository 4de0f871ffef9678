"""Asking web servers, within limits of time, size and addresses: nothing else in the package opens HTTP connections."""

from __future__ import annotations

import asyncio
import ssl
import sys
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from types import TracebackType
from typing import Literal
from urllib.parse import urlsplit

import httpcore
import httpx
from msgspec import Struct
from msgspec.structs import replace

from tidings.core.errors import LimitError
from tidings.core.network.addresses import CheckedBackend, PrivateAddressError

ENCODINGS = "gzip, deflate"
"""What is asked for; an answer in another encoding was not."""

_PIECE = 1 << 16  # bytes unpacked at a time, so that a limit holds before memory is full
_AUTOMATIC = 47  # zlib's window: the header of gzip or of zlib tells which


class Body:
    """Collects the body of an answer as it comes.

    >>> body = Body("gzip", most=100)
    >>> import gzip
    >>> body.add(gzip.compress(b"<rss/>")); body.finish()
    b'<rss/>'

    Args:
        encoding: of the answer, as its header Content-Encoding says.
        most: bytes that it may have when it is unpacked, and as it comes.

    Raises:
        LimitError: it has more; ValueError: it is not what it says it is.
    """

    def __init__(self, encoding: str, most: int) -> None:
        words = [
            word for word in encoding.lower().replace(" ", "").split(",") if word not in ("", "identity")
        ]
        if len(words) > 1 or (words and words[0] not in ("gzip", "x-gzip", "deflate")):
            raise ValueError(f"an answer packed as {encoding[:40]!r}, which was not requested")
        self._most, self._came = most, 0
        self._pieces: list[bytes] = []
        self._size = 0
        self._inflate = zlib.decompressobj(_AUTOMATIC) if words else None
        self._is_deflate = words == ["deflate"]
        self._is_begun = False

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self._came += len(data)
        if self._came > self._most:
            raise self._too_much()
        if self._inflate is None:
            self._keep(data)
            return
        if not self._is_begun and data:
            self._is_begun = True
            if self._is_deflate and data[0] & 0x0F != 8:  # some leave out the header of zlib
                self._inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            while data and not self._inflate.eof:
                self._keep(self._inflate.decompress(data, _PIECE))
                data = self._inflate.unconsumed_tail
        except zlib.error as error:
            raise ValueError("a body that cannot be unpacked") from error

    def finish(self) -> bytes:
        """All of it."""
        if self._inflate is not None and self._is_begun and not self._inflate.eof:
            raise ValueError("a body that is cut off")
        return b"".join(self._pieces)

    def _keep(self, data: bytes) -> None:
        self._size += len(data)
        if self._size > self._most:
            raise self._too_much()
        self._pieces.append(data)

    def _too_much(self) -> LimitError:
        most = f"{self._most:,} bytes" if self._most < 1_000_000 else f"{self._most / 1_000_000:g} MB"
        return LimitError(f"more than {most}")


ABOUT = "a reader of feeds that follows news events"
"""What the User-Agent says beside name and version where nobody has given an address to write to."""

_LAST_PORT = 65535  # ports have 16 bits


class ClientLimits(Struct, frozen=True, kw_only=True):
    """What one request may take: seconds to connect, between two pieces and in all; bytes of a body when unpacked.

    None is for no limit of the client's own.
    """

    connect_s: float = 10.0
    read_s: float | None = 20.0
    total_s: float | None = 60.0
    most_bytes: int = 20_000_000


class Response(Struct, frozen=True, kw_only=True):
    """What a request brought: a status with headers (names in lower case) and body, or an error in a few words.

    `status` is 0 where no answer came. `location` is where a redirect leads, as a whole address. `failure` says of an
    error what went wrong: the time was up, no connection was made, the answer broke off or was too large, or the
    address may not be asked.
    """

    url: str
    status: int = 0
    headers: Mapping[str, str] = {}
    body: bytes = b""
    error: str = ""
    failure: Literal["", "time", "connection", "broken", "size", "address"] = ""
    location: str = ""


def user_agent(contact: str = "") -> str:
    """How the clients name themselves.

    >>> user_agent("https://example.org/robot")  # doctest: +ELLIPSIS
    'tidings/... (+https://example.org/robot)'
    """
    return f"tidings/{version('tidings')} ({'+' + contact if contact else ABOUT})"


def is_web_address(text: str) -> bool:
    """Whether text is a whole address of the web that can be asked.

    >>> is_web_address("http://localhost:8000/v1"), is_web_address("localhost:8000"), is_web_address("https://a.b:0/")
    (True, False, False)
    """
    try:
        parts = urlsplit(text)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and text.isprintable()
            and " " not in text
        )
    except ValueError:
        return False


class Client:
    """Asks servers that strangers may have named; use it in an `async with`.

    Addresses are checked (`tidings.core.network.addresses`), certificates are verified (with the authorities of
    SSL_CERT_FILE where the environment names it), redirects are not followed, no cookies are kept, and proxies of the
    environment are not used, since a proxy would look up names for itself.

    Args:
        agent: the User-Agent.
        allow_private: whether addresses that are not on the public internet may be asked.
        limits: of each request.
        option: what a user gives to allow private addresses.
    """

    def __init__(
        self,
        agent: str,
        *,
        allow_private: bool = False,
        limits: ClientLimits | None = None,
        option: str = "--allow-private",
    ) -> None:
        self._limits = limits or ClientLimits()
        self._client = httpx.AsyncClient(
            transport=CheckedTransport(allow_private, option=option),
            headers={"user-agent": agent, "accept-encoding": ENCODINGS},
            timeout=httpx.Timeout(self._limits.read_s, connect=self._limits.connect_s),
            trust_env=False,
            follow_redirects=False,
        )

    async def __aenter__(self) -> Client:
        await self._client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.__aexit__(kind, error, trace)

    async def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> Response:
        """What asking for `url` brings; never raises for what a server or the network does."""
        return await self._send("GET", url, headers, None)

    async def post(self, url: str, content: bytes, headers: Mapping[str, str]) -> Response:
        """The status and headers with which `url` takes content; its body is not read. Never raises either."""
        return await self._send("POST", url, headers, content)

    async def _send(
        self, method: str, url: str, headers: Mapping[str, str] | None, content: bytes | None
    ) -> Response:
        head = Response(url=url)
        try:
            address = _address(url)
            async with (
                asyncio.timeout(self._limits.total_s),
                self._client.stream(method, address, headers=dict(headers or {}), content=content) as answer,
            ):
                head = _head(url, answer)
                if head.location or content is not None:
                    return head
                body = Body(head.headers.get("content-encoding", ""), self._limits.most_bytes)
                async for piece in answer.aiter_raw():
                    body.add(piece)
                return replace(head, body=body.finish())
        except _FAILURES as failure:
            return _failed(head, failure, self._limits.total_s)
        finally:
            self._client.cookies.clear()


class DirectClient:
    """Asks servers that the person at this machine has named, wherever they are; the thread waits for the answer.

    Redirects are not followed, and no cookies are kept.

    Args:
        agent: the User-Agent.
        headers: sent with each request.
        most_bytes: of an answer.
        proxies: whether the environment's proxies are used.
        encrypted: whether any address is one of https; certificates take long to load.
        clock: tells the time in seconds; for tests.
    """

    def __init__(
        self,
        agent: str,
        *,
        headers: Mapping[str, str] | None = None,
        most_bytes: int,
        proxies: bool = False,
        encrypted: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_bytes, self._clock = most_bytes, clock
        self._client = httpx.Client(
            headers={"user-agent": agent, "accept-encoding": ENCODINGS, **(headers or {})},
            verify=encrypted,
            trust_env=proxies,
            follow_redirects=False,
        )

    def __enter__(self) -> DirectClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def ask(self, url: str, total_s: float, *, json: object = None) -> Response:
        """What asking for `url`, or posting JSON to it, brings in that time; never raises for what a server does."""
        head, until = Response(url=url), self._clock() + total_s
        try:
            address, method = _address(url), "GET" if json is None else "POST"
            if total_s <= 0:
                raise TimeoutError
            with self._client.stream(method, address, json=json, timeout=total_s) as answer:
                head = _head(url, answer)
                body = Body(head.headers.get("content-encoding", ""), self._most_bytes)
                for piece in answer.iter_raw():
                    body.add(piece)
                    if self._clock() > until:
                        raise TimeoutError
                return replace(head, body=body.finish())
        except _FAILURES as failure:
            return _failed(head, failure, total_s)
        finally:
            self._client.cookies.clear()


_FAILURES = (
    TimeoutError,
    PrivateAddressError,
    LimitError,
    httpx.HTTPError,
    httpx.InvalidURL,
    ValueError,
    OverflowError,
    ExceptionGroup,
)


def _address(url: str) -> httpx.URL:
    address = httpx.URL(url)
    if address.scheme not in ("http", "https") or not address.host or (address.port or 0) > _LAST_PORT:
        raise httpx.InvalidURL("not a web address: it must begin with http:// or https://")
    return address


def _head(url: str, answer: httpx.Response) -> Response:
    headers = {name.lower(): value[:_LONGEST_HEADER] for name, value in answer.headers.items()}
    location = str(answer.url.join(headers["location"])) if answer.has_redirect_location else ""
    return Response(url=url, status=answer.status_code, headers=headers, location=location)


def _failed(head: Response, failure: BaseException, total_s: float | None) -> Response:
    words = " ".join(str(failure).split())[:_LONGEST_WORDS] or type(failure).__name__
    match failure:
        case TimeoutError():
            kind, error = "time", f"no complete answer within {total_s or 0:g} s"
        case httpx.ConnectTimeout():
            kind, error = "time", "no connection in time"
        case httpx.TimeoutException():
            kind, error = "time", "no answer in time"
        case LimitError():
            kind, error = "size", words
        case httpx.ConnectError():
            kind, error = "connection", f"no connection: {words}"
        case httpx.HTTPError():
            kind, error = "broken", f"an answer that broke off: {words}"
        case _:
            kind, error = "broken" if head.status else "address", words
    # What was refused with a broken body was refused all the same.
    status = head.status if head.status >= _REFUSED else 0
    return replace(head, status=status, error=error, failure=kind, location="")


_LONGEST_HEADER = 4096
"""Characters of a header that are kept."""

_LONGEST_WORDS = 200
"""Characters of what a library says of a failure that are passed on."""

_REFUSED = 400
"""From this status on a request was refused."""


class CheckedTransport(httpx.AsyncBaseTransport):
    """HTTP/1.1 over connections that CheckedBackend makes, with the same arguments."""

    def __init__(self, allow_private: bool, *, option: str = "--allow-private") -> None:
        _look_for_sniffio_once()
        self._backend = CheckedBackend(allow_private=allow_private, option=option)
        self._plain = self._pool(None)
        self._secure: httpcore.AsyncConnectionPool | None = None

    def _pool(self, certificates: ssl.SSLContext | None) -> httpcore.AsyncConnectionPool:
        return httpcore.AsyncConnectionPool(
            ssl_context=certificates,
            network_backend=self._backend,
            max_connections=100,
            max_keepalive_connections=20,
            keepalive_expiry=5.0,
        )

    def _pool_for(self, scheme: str) -> httpcore.AsyncConnectionPool:
        # The authorities are read when they are first needed.
        if scheme != "https":
            return self._plain
        if self._secure is None:
            self._secure = self._pool(httpx.create_ssl_context(trust_env=True))
        return self._secure

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Ask, with what can go wrong named as httpx names it."""
        url = request.url
        asked = httpcore.Request(
            method=request.method,
            url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _name_errors():
            answer = await self._pool_for(url.scheme).handle_async_request(asked)
        return httpx.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_Stream(answer),
            extensions=answer.extensions,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._plain.aclose()
        if self._secure is not None:
            await self._secure.aclose()


def _look_for_sniffio_once() -> None:
    # httpcore imports it several times a request; where it is not installed, each try looks through all folders.
    if "sniffio" not in sys.modules and find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]


class _Stream(httpx.AsyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _name_errors():
            async for piece in self._answer.aiter_stream():
                yield piece

    async def aclose(self) -> None:
        await self._answer.aclose()


@contextmanager
def _name_errors() -> Iterator[None]:
    """Raise the errors of the pool as those of httpx."""
    try:
        yield
    except tuple(inner for inner, _ in _ERRORS) as error:
        raise next(outer for inner, outer in _ERRORS if isinstance(error, inner))(str(error)) from error


_ERRORS: tuple[tuple[type[Exception], type[httpx.TransportError]], ...] = (
    (httpcore.ConnectTimeout, httpx.ConnectTimeout),
    (httpcore.TimeoutException, httpx.ReadTimeout),
    (httpcore.ConnectError, httpx.ConnectError),
    (httpcore.UnsupportedProtocol, httpx.UnsupportedProtocol),
    (httpcore.ProtocolError, httpx.RemoteProtocolError),
    (httpcore.NetworkError, httpx.ReadError),
)
