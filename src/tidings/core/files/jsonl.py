"""JSON Lines: one object a line, decoded by its shape, bad lines said in plain words; and places to read on from."""

from __future__ import annotations

import datetime
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO, Generic, TypeVar, cast
from zlib import crc32

import msgspec
from msgspec import Meta, Struct

from tidings.core.errors import Problems, TidingsError
from tidings.core.files.compression import LIMITS, Limits
from tidings.core.files.reading import (
    TAIL,
    Reached,
    is_regular,
    open_bytes,
    open_unpacked,
    read_chunks,
    source_name,
)
from tidings.core.records import Place

_CHUNK = 1 << 18  # bytes read at once
_HEAD = 1 << 12  # bytes by which a file is known again when it is read on
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
        self.name = source_name(path)
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

    def __exit__(self, *_: object) -> None:
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


S = TypeVar("S")
T = TypeVar("T")
P = TypeVar("P")

LATEST_TIME = 253402300799  # the last second of the year 9999
LOOK_ON = 10_000  # lines looked at for more faults after the first one
_TROUBLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError)
_MISSING = re.compile(r"Object missing required field `(.+?)`(?: - at `\$(.*)`)?")
_BEYOND = re.compile(r"(?:Expected `.+?` [<>]=? -?\d{19}|Integer value out of range)(?: - at `\$(.*)`)?")
_WRONG = re.compile(r"Expected `(.+?)`([^,]*?)(?:, got `(.+?)`)?(?: - at `\$(.*)`)?")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
"""What JSON calls the kinds that messages name."""
_KINDS_FOUND = _KINDS | {"float": "a number with a point"}
_TIMES = "write a time as 1374691260 or as 2013-07-24T18:41:00Z"


Int64 = Annotated[int, Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
"""A whole number as files may hold it: what lies beyond, no store and no column can take."""


class BadRecordError(ValueError):
    """A line that is JSON of the right shape but does not make sense; raised by the `build` of `read_jsonl`."""

    def __init__(self, found: str, expected: str, mend: str = "") -> None:
        super().__init__(found)
        self.found = found
        self.expected = expected
        self.mend = mend


def read_jsonl(
    path: str | Path,
    shape: type[S],
    build: Callable[[S], T],
    *,
    problems: Problems | None = None,
    what: str = "one JSON object a line",
    limits: Limits = LIMITS,
    decode: Callable[[bytes], S] | None = None,
) -> Iterator[T]:
    """What `build` makes of each line, in file order and flat memory; empty lines do not count.

    `decode` makes an object of a line where one `shape` does not say it all.

    Strict (the default): at the first bad line nothing more is given out; up to 10,000 further lines are looked at, so
    that their faults are reported together (not on a pipe or terminal, where that would mean waiting). With lenient
    `problems` bad lines are skipped and counted there.

    Raises:
        FormatError: bad lines, with path:line each.
    """
    with open_bytes(path, limits=limits) as file:
        blocks = read_chunks(file, source_name(path), limits)
        yield from _records(blocks, path, shape, build, problems, what, decode=decode)


def read_jsonl_places(
    path: str | Path,
    shape: type[S],
    build: Callable[[S], T],
    *,
    cursor: bytes = b"",
    problems: Problems | None = None,
    what: str = "one JSON object a line",
    limits: Limits = LIMITS,
) -> Iterator[T | Place] | None:
    """As `read_jsonl`, with a `Place` after every few hundred lines, from which reading can go on.

    Args:
        path: the file.
        shape: as there.
        build: as there.
        cursor: what such a place gave: read on from there.
        problems: as there.
        what: as there.
        limits: as there.

    Gives None where the cursor does not fit the file: it was written again since, or is no regular file.
    """

    file = FileOfLines(path, limits)
    if cursor and not file.go_to(cursor):
        file.close()
        return None

    def read() -> Iterator[T | Place]:
        with file:
            yield from _records(
                file.blocks(), path, shape, build, problems, what, before=file.line, place=file.place
            )

    return read()


def _records(
    blocks: Iterator[list[bytes]],
    path: str | Path,
    shape: type[S],
    build: Callable[[S], T],
    problems: Problems | None,
    what: str,
    *,
    before: int = 0,
    place: Callable[[], P | None] = lambda: None,
    decode: Callable[[bytes], S] | None = None,
) -> Iterator[T | P]:
    # `before` lines were read already; `place` is asked after each block.
    problems = problems if problems is not None else Problems()
    decode = decode or msgspec.json.Decoder(shape).decode
    number = before
    for lines in blocks:
        items: list[T] = []
        try:
            for line in lines:
                items.append(build(decode(line)))
        except _TROUBLE:
            done = len(items)  # the line after these is the odd one: empty, or bad
            careful = _Careful(lambda line: build(decode(line)), source_name(path), problems, what)
            items += careful.read(lines[done:], number + done)
            if careful.failed:
                yield from items
                if is_regular(path):
                    careful.look_on(blocks, number + len(lines))
                problems.check()
        number += len(lines)
        yield from items
        here = place()
        if here is not None:
            yield here


class _Careful(Generic[T]):
    # Line by line, naming what is wrong.

    def __init__(self, make: Callable[[bytes], T], name: str, problems: Problems, what: str) -> None:
        self._make = make
        self._name = name
        self._problems = problems
        self._what = what
        self.failed = False

    def read(self, lines: list[bytes], before: int) -> list[T]:
        """The good lines: in strict mode only those before the first bad one."""
        items: list[T] = []
        for number, line in enumerate(lines, start=before + 1):
            if not line or line.isspace():
                continue
            try:
                item = self._make(line)
            except _TROUBLE as error:
                self._problems.add(self._name, number, *explain(error, line, self._what))
                self.failed = self.failed or not self._problems.lenient
                if self._problems.full:
                    break
            else:
                if not self.failed:
                    items.append(item)
        return items

    def look_on(self, blocks: Iterable[list[bytes]], before: int) -> None:
        """Note the faults of the next lines too."""
        last = before + LOOK_ON
        for lines in blocks:
            if self._problems.full or before >= last:
                return
            self.read(lines[: last - before], before)
            before += len(lines)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A value of another kind than was asked for: the kind with its bound, what there was, and where (a.b[0]).

    Of a value of the right kind `found` says that it is out of bounds.
    """

    expected: str
    bound: str
    found: str
    place: str

    def wanted(self) -> str:
        """What was asked for, in words.

        >>> Mismatch("int | null", " >= 1", "str", "rounds").wanted()
        'a whole number or null >= 1'
        """
        return " or ".join(_KINDS.get(kind, kind) for kind in self.expected.split(" | ")) + self.bound


def mismatch_of(error: str) -> Mismatch | None:
    """What a message of msgspec says of a value of the wrong kind; None where it is about something else.

    >>> mismatch_of("Expected `int`, got `str` - at `$.sentences[0].start`")
    Mismatch(expected='int', bound='', found='str', place='sentences[0].start')
    >>> mismatch_of("Expected `int` >= 1 - at `$.rounds`")
    Mismatch(expected='int', bound=' >= 1', found='a value out of bounds', place='rounds')
    """
    match = _WRONG.fullmatch(error)
    if match is None:
        return None
    expected, bound, found, place = match.groups(default="")
    return Mismatch(expected, bound, found or "a value out of bounds", place.lstrip("."))


def missing_of(error: str) -> tuple[str, str] | None:
    """The key that a message of msgspec says is missing, and the place of its object; None where it says no such thing.

    >>> missing_of("Object missing required field `id` - at `$.nuggets[2]`")
    ('id', 'nuggets[2]')
    """
    match = _MISSING.fullmatch(error)
    return None if match is None else (match[1], (match[2] or "").lstrip("."))


def unknown_of(error: str) -> tuple[str, str]:
    """The key that a message of msgspec calls unknown, "" where it is about something else; and what it is about.

    >>> unknown_of("Object contains unknown field `rate` - at `$.systems[0]`")
    ('rate', 'systems[0]')
    >>> unknown_of("Invalid enum value 'best' - at `$.split.kind`")
    ('', 'split.kind')
    """
    words, _, place = error.partition(" - at `$")
    unknown = words.split("`")[1] if words.startswith("Object contains unknown field") else ""
    return unknown, place.rstrip("`").lstrip(".")


_NOT_OF_DOCUMENTS = {
    "event": "follow documents first: `tidings follow` writes their updates",
    "query": "give documents as a SOURCE, and words to look for with --query",
}
"""What to do with documents where lines of other files are read, by a key that these must have."""


def explain(error: BaseException, line: bytes, what: str) -> tuple[str, str, str]:
    """What was found, what was expected and how to mend it, for a line that could not be read."""
    if isinstance(error, BadRecordError):
        return error.found, error.expected, error.mend
    if isinstance(error, UnicodeDecodeError):
        return (
            "bytes that are not UTF-8",
            "UTF-8",
            "save the file as UTF-8, for example with `iconv -t UTF-8`",
        )
    if isinstance(error, RecursionError):
        return "brackets nested without end", what, ""
    message = str(error)
    if missing := missing_of(message):
        key, place = missing
        if not place and key in _NOT_OF_DOCUMENTS and b'"published_time"' in line:
            return "a document", what, _NOT_OF_DOCUMENTS[key]
        return f"no {key!r}" + (f" in {place}" if place else ""), what, f"add {key!r}"
    if match := _BEYOND.fullmatch(message):
        where = f" as {match[1].lstrip('.')!r}" if match[1] else ""
        return f"a number beyond 64 bits{where}", "a number that fits into 64 bits", ""
    wrong = mismatch_of(message)
    found = _KINDS_FOUND.get(wrong.found, wrong.found) if wrong else ""
    if wrong and wrong.place:
        mend = _TIMES if wrong.place.endswith("time") else ""
        return f"{found} as {wrong.place!r}", wrong.wanted(), mend
    why = f"no object but {found}" if wrong else message
    return f"{_glimpse(line)} ({why})", what, _hint(line)


def _glimpse(line: bytes) -> str:
    text = line[:60].decode("utf-8", "replace")
    return repr(text + ("..." if len(line) > 60 else ""))


def _hint(line: bytes) -> str:
    if b"\0" in line[:400]:
        return "this looks like binary data; check that this is the right file"
    if line.strip() in {b"{", b"["} or line.startswith(b"["):
        return "write each object on one line, without brackets around them all"
    if line.lstrip().startswith(b"<"):
        return "this looks like XML; check that this is the right file"
    if len(line.split()) == 7 and not line.lstrip().startswith(b"{"):
        return "this looks like a TREC run; do not end its name in .jsonl"
    if line.count(b"\t") >= 3:
        return "this looks like a table; do not end its name in .jsonl"
    return ""


def seconds(value: int | str, key: str) -> int:
    """A time as integer seconds UTC, from such a number or from ISO 8601 with a zone; parts of a second are cut off.

    Raises:
        BadRecordError: no zone, no date, negative, beyond the year 9999, or milliseconds.

    >>> seconds("2013-07-24T20:41:00+02:00", "published_time")
    1374691260
    """
    time = _from_iso(value, key) if isinstance(value, str) else value
    if 0 <= time <= LATEST_TIME:
        return time
    raise time_fault(time, key)


def time_fault(time: int, key: str) -> BadRecordError:
    """What is wrong with a time that is negative or too far off."""
    mend = ""
    if time > LATEST_TIME and 0 <= time // 1000 <= LATEST_TIME:
        mend = "this looks like milliseconds: divide by 1000"
    shown = str(time) if abs(time) < 10**30 else "a number of more than 30 digits"
    return BadRecordError(f"{key} {shown}", "whole seconds since 1970 UTC, from 0 to the year 9999", mend)


def _from_iso(text: str, key: str) -> int:
    expected = "whole seconds since 1970, or ISO 8601 with a zone such as 2013-07-24T18:41:00Z"
    shown = repr(text[:40] + ("..." if len(text) > 40 else ""))
    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        mend = "write the number without quotes" if text.strip().lstrip("-").isdigit() else ""
        raise BadRecordError(f"{key} {shown}", expected, mend) from None
    if moment.tzinfo is None:
        raise BadRecordError(f"{key} {shown} without a zone", expected, "add Z when the time is UTC")
    try:
        return int(moment.timestamp() // 1)
    except (OverflowError, ValueError):
        raise BadRecordError(f"{key} {shown}", expected) from None
