"""The bytes of an archive, unpacked, kept for a while so that a reader that lost its way can go back."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import BinaryIO, cast

from tidings.core import (
    LIMITS,
    Content,
    FormatError,
    LimitError,
    Limits,
    TidingsError,
    Unpacked,
    open_raw,
    sniff,
)

_MOST_KEPT = 96 << 20  # bytes behind the reader that one may go back to
_READ = 1 << 16  # bytes unpacked in one step
_GZIP = b"\x1f\x8b\x08"
_LZ4 = b"\x04\x22\x4d\x18"
_MOST_STRETCHES = 1000  # of one file that are started over behind damage
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18", re.DOTALL)


class Tape:
    """A stretch of an archive as a file: what was read since `forget` can be read again.

    Damage is no error here but the end of the stretch: `damage` then says what it was. Positions count unpacked bytes;
    `place` is where the file itself stands, as messages tell it.

    >>> tape = Tape(io.BytesIO(b"WARC/1.0 one WARC/1.0 two"))
    >>> tape.read(13), tape.find(re.compile(b"two"), 3), tape.seek(9), tape.read(3)
    (b'WARC/1.0 one ', 22, 9, b'one')
    """

    def __init__(self, file: BinaryIO | io.RawIOBase, *, most_kept: int = _MOST_KEPT) -> None:
        self._file, self._most_kept = file, most_kept
        self._kept = bytearray()
        self._start = self._at = 0
        self._ended = False
        self.damage: TidingsError | None = None

    def read(self, size: int = -1) -> bytes:
        """As many bytes as asked for; fewer at the end of the stretch."""
        size = _READ if size < 0 else size
        self._fill(self._at + size)
        begin = self._at - self._start
        data = bytes(self._kept[begin : begin + size])
        self._at += len(data)
        return data

    def _fill(self, end: int) -> None:
        while not self._ended and self.end < end:
            try:
                data = self._file.read(_READ)
            except FormatError as error:
                self.damage, data = error, b""
            except OSError as error:
                if isinstance(error, io.UnsupportedOperation):
                    raise
                self.damage, data = FormatError([], 0), b""
            if not data:
                self._ended = True
                return
            self._kept += data
            if len(self._kept) > self._most_kept:
                self._drop(self.end - self._most_kept // 2)

    def _drop(self, before: int) -> None:
        if before > self._start:
            del self._kept[: before - self._start]
            self._start = before

    @property
    def start(self) -> int:
        """The first position that is still kept."""
        return self._start

    @property
    def end(self) -> int:
        """The position up to which was read."""
        return self._start + len(self._kept)

    def tell(self) -> int:
        """Where the next `read` begins."""
        return self._at

    def seek(self, position: int, whence: int = 0) -> int:
        """Go to a position that is kept, or as near to it as can be."""
        position += (0, self._at, self.end)[whence]
        self._fill(position)
        self._at = min(max(position, self._start), self.end)
        return self._at

    def close(self) -> None:
        """Nothing: whoever opened the file closes it."""

    def forget(self, before: int) -> None:
        """Let go what stands before a position; nobody will go back there."""
        if before - self._start > _READ:
            self._drop(min(before, self._at))

    def kept(self, begin: int, end: int) -> bytes:
        """What stands there, as far as it is kept."""
        return bytes(self._kept[max(begin - self._start, 0) : max(end - self._start, 0)])

    def search(self, mark: re.Pattern[bytes], begin: int, end: int) -> int | None:
        """Where a match of a mark ends, in what is kept between two positions; None where there is none."""
        match = mark.search(self._kept, max(begin - self._start, 0), max(end - self._start, 0))
        return self._start + match.end() if match else None

    def find(self, mark: re.Pattern[bytes], begin: int, longest: int = 64) -> int | None:
        """Where the next mark of at most `longest` bytes begins, at or after a position; None where none follows."""
        self._at = begin = max(begin, self._start)
        while True:
            self._fill(begin + _READ)
            if match := mark.search(self._kept, begin - self._start):
                return self._start + match.start()
            if self._ended:
                return None
            begin = max(begin, self.end - longest)
            self._drop(begin - 1)


class Places:
    """Where in a file the positions of a stretch stand: of a packed one the beginning of the member that holds it.

    >>> Places(io.BytesIO(b""), 7).of(3)
    10
    """

    def __init__(self, file: io.RawIOBase | BinaryIO, begin: int) -> None:
        self._file, self._begin, self._last = file, begin, begin

    def of(self, position: int) -> int:
        """The byte of the file from which on this position can be read."""
        if isinstance(self._file, Unpacked) and self._file.packed:
            member = self._file.member_before(position)
            self._last = member[0] if member else self._last
            return self._last
        return self._begin + position


def open_tapes(content: Content, limits: Limits = LIMITS) -> Iterator[tuple[Tape, Places]]:
    """The stretches of an archive, each with the places of its positions: one, unless a part of it is damaged.

    gzip, xz, Zstandard and LZ4 are known by the first bytes, whatever the name says. After damage in a gzip file the
    next stretch begins at its next member.

    Raises:
        LimitError: it unpacks to more than `limits` allow.
        UsageError: there is no such file, or it may not be read.
    """
    with _open(content) as file:
        how = sniff(file.peek(8)[:8])
        begin: int = 0
        opened: list[io.RawIOBase] = []  # one that nobody holds would close the file under the next
        for _ in range(_MOST_STRETCHES):
            unpacked = _unpack(file, content.name, how, limits, begin)
            opened.append(unpacked)
            tape, places = Tape(unpacked), Places(unpacked, begin)
            yield tape, places
            if tape.damage is None or how != "gzip" or not file.seekable():
                return
            following = _next_member(file, places.of(tape.end) + 1)
            if following is None:
                return
            begin = following


def _open(content: Content) -> io.BufferedReader:
    if content.data is None:
        return open_raw(content.path or "")
    return io.BufferedReader(cast("io.RawIOBase", io.BytesIO(content.data)))


def _unpack(file: io.BufferedReader, name: str, how: str, limits: Limits, begin: int) -> io.RawIOBase:
    start = file.peek(8)[:8] if not begin else b""
    if not how and (start.startswith(_LZ4) or _SKIPPABLE.match(start)):
        return _ByFastwarc(file, name, start, limits)
    if begin:
        file.seek(begin)
    unpacked = Unpacked(file, name, how, limits)
    if begin:
        unpacked.begin_at(begin, 0)
    return unpacked


def _next_member(file: io.BufferedReader, begin: int) -> int | None:
    file.seek(begin)
    before = b""
    while data := file.read(_READ * 4):
        before += data
        if (at := before.find(_GZIP)) >= 0:
            return file.tell() - len(before) + at
        before = before[-2:]
    return None


class _ByFastwarc(io.RawIOBase):
    """LZ4, and Zstandard that brings its dictionary along, as fastwarc unpacks them; counted against the limits."""

    def __init__(self, file: io.BufferedReader, name: str, start: bytes, limits: Limits) -> None:
        from fastwarc.stream_io import Lz4Reader, ZstdReader

        reader = Lz4Reader if start.startswith(_LZ4) else ZstdReader
        self._reader, self._name, self._limits = reader(file, fsspec_args=False), name, limits
        self._file, self._given = file, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._reader.read(len(buffer))
        self._given += len(data)
        caps, taken = self._limits, max(self._file.tell(), 1)
        if self._given > caps.max_bytes or (
            self._given > caps.ratio_after_bytes and self._given > taken * caps.max_ratio
        ):
            raise LimitError(
                f"{self._name}: {self._given >> 20:,} MiB came out of {max(taken >> 10, 1):,} KiB so far, "
                "more than is accepted; if you trust it, unpack it first"
            )
        buffer[: len(data)] = data
        return len(data)
