"""Places in a file of lines: where reading can go on, and whether the file is still the one it was."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Annotated, BinaryIO, cast
from zlib import crc32

import msgspec
from msgspec import Meta, Struct

from tidings.core.errors import TidingsError
from tidings.core.files.reading import (
    LIMITS,
    TAIL,
    Limits,
    Reached,
    is_regular,
    named,
    open_unpacked,
    read_chunks,
)
from tidings.core.records import Place

__all__ = ["FileOfLines"]

_CHUNK = 1 << 18
_HEAD = 1 << 12
Count = Annotated[int, Meta(ge=0)]


class _Cursor(Struct, frozen=True, array_like=True):
    # A place of a file: how many lines and bytes (unpacked) come before it, and by what to know it again.
    line: Count
    offset: Count
    tail_size: Annotated[int, Meta(ge=0, le=TAIL)]
    tail: int  # CRC-32 of so many bytes before the place
    packed: Count  # where to begin unpacking: the beginning of a member or frame, packed and unpacked
    unpacked: Count
    inode: int
    size: int
    changed_ns: int
    head_size: Annotated[int, Meta(ge=0, le=_HEAD)]
    head: int  # CRC-32 of so many bytes from the file's beginning, as they lie on the disk


class FileOfLines:
    """A file of lines, compressed or not, that is read from its beginning or from a place; close it when done.

    A place is trusted when the file is still the same one (its number in the file system) and has not changed since,
    or has only grown, and when its first 4 KiB and the 16 KiB before the place are what they were. In a compressed
    file reading begins at the last member or frame before the place; what lies between is unpacked and passed over.
    """

    def __init__(self, path: str | Path, limits: Limits = LIMITS) -> None:
        self.name = named(path)
        self._limits = limits
        self._unpacked = open_unpacked(path, limits)
        self._file = cast("BinaryIO", io.BufferedReader(self._unpacked, _CHUNK))
        self._reached = Reached()
        self._opened: os.stat_result | None = None
        self._head = (0, 0)
        if is_regular(path):
            self._opened = os.fstat(self._unpacked.fileno())
            self._head = self._crc_of_head(_HEAD)

    def __enter__(self) -> FileOfLines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def line(self) -> int:
        """How many lines come before what is read next."""
        return self._reached.line

    def blocks(self) -> Iterator[list[bytes]]:
        """The lines from here on, in blocks, without their line ends."""
        return read_chunks(self._file, self.name, self._limits, self._reached)

    def place(self) -> Place | None:
        """Where the file stands after the last block; None where it cannot be gone on from."""
        reached, opened = self._reached, self._opened
        if opened is None or not reached.whole:
            return None
        line, offset, tail = reached.line, reached.offset, reached.tail
        member: tuple[int, int] | None = (offset - len(tail), offset - len(tail))
        if self._unpacked.packed:
            member = self._unpacked.member_before(offset)
        if member is None:
            return None
        tail = tail[max(0, len(tail) - (offset - member[1])) :]

        def cursor() -> bytes:
            return msgspec.msgpack.encode(
                _Cursor(
                    line,
                    offset,
                    len(tail),
                    crc32(tail),
                    *member,
                    opened.st_ino,
                    opened.st_size,
                    opened.st_mtime_ns,
                    *self._head,
                )
            )

        return Place(cursor)

    def go_to(self, data: bytes) -> bool:
        """Go to a place by its cursor; False, and nothing was read, where it cannot be trusted."""
        try:
            cursor = msgspec.msgpack.decode(data, type=_Cursor)
        except (msgspec.MsgspecError, ValueError):
            return False
        opened = self._opened
        if (
            opened is None
            or opened.st_ino != cursor.inode
            or opened.st_size < max(cursor.size, cursor.packed)
        ):
            return False
        if opened.st_size == cursor.size and opened.st_mtime_ns != cursor.changed_ns:
            return False
        if self._crc_of_head(cursor.head_size) != (cursor.head_size, cursor.head):
            return False
        try:
            self._unpacked.begin_at(cursor.packed, cursor.unpacked)
            if not self._pass_over(cursor.offset - cursor.tail_size - cursor.unpacked):
                return False
            tail = self._file.read(cursor.tail_size)
        except TidingsError:  # damaged since: reading from the beginning will say so
            return False
        if len(tail) != cursor.tail_size or crc32(tail) != cursor.tail:
            return False
        self._reached = Reached(cursor.line, cursor.offset, tail)
        return True

    def _pass_over(self, size: int) -> bool:
        while size > 0:
            data = self._file.read(min(size, _CHUNK))
            if not data:
                return False
            size -= len(data)
        return not size

    def _crc_of_head(self, size: int) -> tuple[int, int]:
        # With pread the file's own position stays where it is.
        head = os.pread(self._unpacked.fileno(), size, 0)
        return len(head), crc32(head)
