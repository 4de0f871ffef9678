"""Asking a web server for one thing, within limits of time, size and addresses."""

from __future__ import annotations

import asyncio
import ssl
import sys
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from types import TracebackType

import httpcore
import httpx
from msgspec import Struct

from tidings import __version__
from tidings.core import LimitError
from tidings.sources.polling.addresses import CheckedBackend, PrivateAddressError

ENCODINGS = "gzip, deflate"
"""What is asked for; an answer in another encoding was not."""

_PIECE = 1 << 16
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
            raise ValueError(f"an answer packed as {encoding[:40]!r}, which was not asked for")
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
        return LimitError(f"more than {self._most / 1_000_000:g} MB")


ABOUT = "a reader of feeds that follows news events"
"""What the User-Agent says beside name and version where nobody has given an address to write to."""

_LAST_PORT = 65535


class ClientLimits(Struct, frozen=True, kw_only=True):
    """What one request may take: seconds to connect, between two pieces and in all; bytes of a body when unpacked."""

    connect_s: float = 10.0
    read_s: float = 20.0
    total_s: float = 60.0
    most_bytes: int = 20_000_000


class Response(Struct, frozen=True, kw_only=True):
    """What a request brought: a status with headers (names in small letters) and body, or an error in a few words.

    `status` is 0 where no answer came. `location` is where a redirect leads, as a whole address.
    """

    url: str
    status: int = 0
    headers: Mapping[str, str] = {}
    body: bytes = b""
    error: str = ""
    location: str = ""


def user_agent(contact: str = "") -> str:
    """How the client names itself.

    >>> user_agent("https://example.org/robot")  # doctest: +ELLIPSIS
    'tidings/... (+https://example.org/robot)'
    """
    return f"tidings/{__version__} ({'+' + contact if contact else ABOUT})"


class Client:
    """Asks servers; use it in an `async with`.

    Addresses are checked (`tidings.sources.polling.addresses`), certificates are verified (with the authorities of
    SSL_CERT_FILE where the environment names it), redirects are not followed, no cookies are kept, and proxies of the
    environment are not used, since a proxy would look up names for itself.

    Args:
        agent: the User-Agent.
        allow_private: whether addresses that are not of the public internet may be asked.
        limits: of each request.
        transport: asks instead; for tests.
    """

    def __init__(
        self,
        agent: str,
        *,
        allow_private: bool = False,
        limits: ClientLimits | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._limits = limits or ClientLimits()
        timeout = httpx.Timeout(self._limits.read_s, connect=self._limits.connect_s)
        self._client = httpx.AsyncClient(
            transport=transport or CheckedTransport(allow_private),
            headers={"user-agent": agent, "accept-encoding": ENCODINGS},
            timeout=timeout,
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
        status, came = 0, dict[str, str]()
        try:
            address = httpx.URL(url)
            if (
                address.scheme not in ("http", "https")
                or not address.host
                or (address.port or 0) > _LAST_PORT
            ):
                return Response(url=url, error="no address of the web: it begins with http:// or https://")
            async with (
                asyncio.timeout(self._limits.total_s),
                self._client.stream("GET", address, headers=dict(headers or {})) as answer,
            ):
                status, came = answer.status_code, _small(answer.headers)
                if answer.has_redirect_location:
                    location = str(address.join(came["location"]))
                    return Response(url=url, status=status, headers=came, location=location)
                body = Body(came.get("content-encoding", ""), self._limits.most_bytes)
                async for piece in answer.aiter_raw():
                    body.add(piece)
                return Response(url=url, status=status, headers=came, body=body.finish())
        except TimeoutError:
            error = f"no whole answer within {self._limits.total_s:g} s"
        except httpx.TimeoutException as failure:
            error = (
                "no connection in time" if isinstance(failure, httpx.ConnectTimeout) else "no answer in time"
            )
        except (PrivateAddressError, LimitError) as failure:
            error = str(failure)
        except httpx.ConnectError as failure:
            error = f"no connection: {_line(failure)}"
        except httpx.HTTPError as failure:
            error = f"an answer that broke off: {_line(failure)}"
        except (httpx.InvalidURL, ValueError, OverflowError, ExceptionGroup) as failure:
            error = _line(failure)
        finally:
            self._client.cookies.clear()
        # What was refused with a broken body was refused all the same.
        return Response(url=url, status=status if status >= 400 else 0, headers=came, error=error)


def _small(headers: httpx.Headers) -> dict[str, str]:
    return {name.lower(): value[:4096] for name, value in headers.items()}


def _line(error: Exception) -> str:
    words = " ".join(str(error).split())
    return words[:200] or type(error).__name__


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
