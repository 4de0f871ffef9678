"""Bodies of answers, unpacked piece by piece and never beyond a limit."""

from __future__ import annotations

import zlib

from tidings.core import LimitError

__all__ = ["ENCODINGS", "Body"]

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
