"""What a server gave: its head taken off, its chunks put together, its packing undone, all with limits."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from typing import Any

from msgspec import Struct

__all__ = ["MOST_PAYLOAD", "HttpPayload", "http_payload"]

MOST_PAYLOAD = 32 << 20
"""Bytes of a payload, unpacked; more is refused."""

_MOST_HEAD = 64 << 10
_MOST_CHUNKS = 1_000_000
_MOST_LAYERS = 3
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_SIZE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;[^\n]{0,4000})?\r?\n")
_STATUS = re.compile(rb"HTTP/\d[\d.]*[ \t]+(\d{3})")


class HttpPayload(Struct, frozen=True):
    """A payload, with what its head says of it.

    Args:
        data: the bytes, unpacked.
        status: HTTP's; 0 where there is no head.
        content_type: as the server called it.
        last_modified: as the server wrote it.
        fault: what is wrong with it, though it was read.
        refusal: why it cannot be read; "" where it can.
    """

    data: bytes
    status: int = 0
    content_type: str = ""
    last_modified: str = ""
    fault: str = ""
    refusal: str = ""


def http_payload(block: bytes) -> HttpPayload:
    r"""The payload of a block; without a head the block is the payload.

    >>> http_payload(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nFire\r\n0\r\n\r\n").data
    b'Fire'
    >>> http_payload(b"<p>Fire").data
    b'<p>Fire'
    """
    status = _STATUS.match(block)
    if status is None:
        return HttpPayload(block)
    end = _HEAD_END.search(block, 0, _MOST_HEAD)
    if end is None:
        return HttpPayload(b"", int(status[1]), refusal="a head of HTTP without an end")
    fields = _fields(block[: end.start()])
    data, fault, refusal = block[end.end() :], "", ""
    if "chunked" in fields.get("transfer-encoding", "").lower():
        data, fault = _joined(data)
    layers = [one.strip().lower() for one in fields.get("content-encoding", "").split(",")]
    layers = [one for one in layers if one not in ("", "identity", "none", "utf-8")]
    if len(layers) > _MOST_LAYERS:
        refusal = "a payload packed too often"
    for layer in reversed(layers if not refusal else ()):
        try:
            data, broken = _unpacked(layer, data)
        except OverflowError:
            data, refusal = b"", f"a payload of more than {MOST_PAYLOAD >> 20} MiB"
            break
        except LookupError:
            data, refusal = b"", "a payload packed in an unknown way"
            break
        fault = fault or broken
    return HttpPayload(
        data, int(status[1]), fields.get("content-type", ""), fields.get("last-modified", ""), fault, refusal
    )


def _fields(head: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    last = ""
    for line in head.decode("latin-1").splitlines()[1:]:
        if line[:1] in (" ", "\t") and last:
            fields[last] += " " + line.strip()
            continue
        name, _, value = line.partition(":")
        last = name.strip().lower()
        fields.setdefault(last, value.strip())
    return fields


def _joined(data: bytes) -> tuple[bytes, str]:
    # Crawlers often join the chunks and leave the head: what does not begin with a size is taken as it is.
    size = _SIZE.match(data)
    if size is None:
        return data, ""
    parts: list[bytes] = []
    at = 0
    for _ in range(_MOST_CHUNKS):
        size = _SIZE.match(data, at)
        if size is None:
            return b"".join(parts), "a payload with a bad chunk"
        length, begin = int(size[1], 16), size.end()
        if not length:
            return b"".join(parts), ""
        parts.append(data[begin : begin + length])
        at = begin + length
        if at >= len(data):
            return b"".join(parts), "a payload that is cut short"
        at += 2 if data.startswith(b"\r\n", at) else data.startswith(b"\n", at)
    return b"".join(parts), "a payload with a bad chunk"


def _unpacked(how: str, data: bytes) -> tuple[bytes, str]:
    if not data:
        return data, ""
    if how in ("gzip", "x-gzip"):
        return _inflated(data, 31) if data.startswith(b"\x1f\x8b") else (data, "")
    if how == "deflate":
        # By the standard with a head of zlib, by habit without.
        inflated, fault = _inflated(data, 15)
        return (inflated, fault) if inflated else _inflated(data, -15)
    if how == "br":
        return _read_out(data, _brotli)
    if how == "zstd":
        return _read_out(data, _zstandard)
    raise LookupError(how)


def _inflated(data: bytes, window: int) -> tuple[bytes, str]:
    parts: list[bytes] = []
    given = 0
    while data:
        decoder = zlib.decompressobj(window)
        try:
            parts.append(decoder.decompress(data, MOST_PAYLOAD + 1 - given))
        except zlib.error:
            return b"".join(parts), "a payload whose packing is damaged"
        given += len(parts[-1])
        if given > MOST_PAYLOAD:
            raise OverflowError
        if not decoder.eof:
            return b"".join(parts), "a payload that is cut short"
        data = decoder.unused_data if decoder.unused_data.startswith(b"\x1f\x8b") else b""
    return b"".join(parts), ""


def _read_out(data: bytes, opened: Callable[[bytes], Any]) -> tuple[bytes, str]:
    reader, given = opened(data), 0
    parts: list[bytes] = []
    while True:
        try:
            part = reader.read(1 << 16)
        except Exception as error:  # noqa: BLE001 whatever the library of the packing calls damage
            if isinstance(error, MemoryError):
                raise OverflowError from None
            return b"".join(parts), "a payload whose packing is damaged"
        if not part:
            return b"".join(parts), ""
        parts.append(part)
        given += len(part)
        if given > MOST_PAYLOAD:
            raise OverflowError


def _brotli(data: bytes) -> Any:
    from fastwarc.stream_io import BrotliReader

    return BrotliReader(io.BytesIO(data), fsspec_args=False)


def _zstandard(data: bytes) -> Any:
    import zstandard

    return zstandard.ZstdDecompressor(max_window_size=64 << 20).stream_reader(io.BytesIO(data))
