"""A pile of documents put in the order of their times, in memory where it is small, else through files.

What does not fit into memory is written away in *runs*, each in order, that are merged when all are there. Documents of
the same time stay in the order in which they came. Runs lie in files without a name, which the system takes away with
the process, however it ends.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from heapq import merge
from operator import itemgetter
from typing import IO

import msgspec

from tidings.core import Document, OutputError

MIB = 1 << 20
TEMPORARY = "TIDINGS_TEMP"
"""The variable of the environment that names the folder where large piles are sorted."""

_Entry = tuple[int, bytes]
_TIME = itemgetter(0)
_LENGTH = struct.Struct("<I")
_OVERHEAD = 130  # bytes that an entry takes in memory beside its document
_BUFFER = 1 << 17  # bytes written at once
_SPARE = 4 * MIB  # left free on the disk
_PAUSE = 128  # items between two looks at the memory taken
_ODD = b"{"[0]  # the first byte of a document kept as JSON; msgpack has another

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Document).decode


class Pile:
    """Documents added in any order, and given back by published_time, in bounded memory; to be closed when done.

    >>> with Pile() as pile:
    ...     for document in (Document(id="b", published_time=2), Document(id="a", published_time=1)):
    ...         pile.add(document)
    ...     len(pile), [document.id for document in pile]
    (2, ['a', 'b'])

    Args:
        memory_bytes: of how many bytes a run is, held in memory until then.
        folder: where runs are written; without, `temporary_folder()`.
        expected_bytes: about how large all of it will be, where that is known: too little room is then said at once.
        most_runs: so many are merged into one, so that no more files than a few times as many are open.
    """

    def __init__(
        self,
        *,
        memory_bytes: int = 64 * MIB,
        folder: str | None = None,
        expected_bytes: int = 0,
        most_runs: int = 32,
    ) -> None:
        self._memory_bytes, self._most_runs = memory_bytes, max(2, most_runs)
        self._folder, self._expected_bytes = folder, expected_bytes
        self._count = self._bytes = 0
        self._entries: list[_Entry] = []
        self._levels: list[list[IO[bytes]]] = []  # runs of runs of runs: the highest came first

    def __len__(self) -> int:
        return self._count

    def __enter__(self) -> Pile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of memory and files."""
        self._entries = []
        for level in self._levels:
            for run in level:
                run.close()
        self._levels = []

    def add(self, document: Document) -> None:
        """Put a document on the pile.

        Raises:
            OutputError: it has to be written away, and there is no room or no folder for it.
        """
        data = _pack(document)
        self._entries.append((document.published_time, data))
        self._count += 1
        self._bytes += len(data) + _OVERHEAD
        if self._bytes >= self._memory_bytes:
            self._write_away()

    def __iter__(self) -> Iterator[Document]:
        self._entries.sort(key=_TIME)
        runs = [_read(run) for level in reversed(self._levels) for run in level]
        entries: Iterable[_Entry] = merge(*runs, self._entries, key=_TIME) if runs else self._entries
        for _, data in entries:
            yield _unpack(data)

    def _write_away(self) -> None:
        self._entries.sort(key=_TIME)
        needed = self._bytes if self._levels else max(self._bytes, self._expected_bytes)
        entries, self._entries, self._bytes = self._entries, [], 0
        self._keep(self._write(entries, needed), 0)

    def _keep(self, run: IO[bytes], number: int) -> None:
        if number == len(self._levels):
            self._levels.append([])
        level = self._levels[number]
        level.append(run)
        if len(level) >= self._most_runs:
            needed = sum(os.fstat(file.fileno()).st_size for file in level)
            merged = self._write(merge(*map(_read, level), key=_TIME), needed)
            for file in level:
                file.close()
            level.clear()
            self._keep(merged, number + 1)

    def _write(self, entries: Iterable[_Entry], needed: int) -> IO[bytes]:
        folder = self._folder or temporary_folder()
        run: IO[bytes] | None = None
        try:
            free = shutil.disk_usage(folder).free
            if free < needed + _SPARE:
                raise _no_room(folder, f"{free // MIB:,} MiB free", f"{(needed + _SPARE) // MIB:,} MiB")
            run = tempfile.TemporaryFile(prefix="tidings-", dir=folder, buffering=_BUFFER)  # noqa: SIM115
            for _, data in entries:
                run.write(_LENGTH.pack(len(data)))
                run.write(data)
            run.flush()
        except OSError as error:
            if run is not None:
                _drop(run)
            raise _no_room(folder, f"that it cannot be written to ({error.strerror})", "room") from None
        return run


def in_order(documents: Iterable[Document]) -> Iterator[Document]:
    """The documents by published_time; those of the same time in the order in which they came.

    See `in_order_with_pauses` for what can be interrupted.

    >>> [d.id for d in in_order([Document(id="b", published_time=2), Document(id="a", published_time=1)])]
    ['a', 'b']
    """
    return (document for document in in_order_with_pauses(documents) if document is not None)


def in_order_with_pauses(documents: Iterable[Document]) -> Iterator[Document | None]:
    """The same, with None now and then while they are still being gathered, so that whoever asks can stop."""
    with Pile() as pile:
        for document in documents:
            pile.add(document)
            if not len(pile) % _PAUSE:
                yield None
        yield from pile


def temporary_folder() -> str:
    """Where large piles are sorted: TIDINGS_TEMP, else TMPDIR, else /var/tmp, which is on a disk as a rule."""
    for variable in (TEMPORARY, "TMPDIR"):
        if folder := os.environ.get(variable):
            return folder
    return "/var/tmp" if os.access("/var/tmp", os.W_OK | os.X_OK) else tempfile.gettempdir()  # noqa: S108


def _pack(document: Document) -> bytes:
    try:
        return _encode(document)
    except (UnicodeEncodeError, OverflowError):  # half a character of UTF-16, or a time beyond 64 bits
        return json.dumps(msgspec.to_builtins(document)).encode()


def _unpack(data: bytes) -> Document:
    if data[0] == _ODD:
        return msgspec.convert(json.loads(data), Document)
    return _decode(data)


class _Timed(msgspec.Struct):
    published_time: int


_decode_timed = msgspec.msgpack.Decoder(_Timed).decode


def _read(run: IO[bytes]) -> Iterator[_Entry]:
    run.seek(0)
    read, size_of = run.read, _LENGTH.unpack
    while head := read(4):
        data = read(size_of(head)[0])
        yield (_unpack(data) if data[0] == _ODD else _decode_timed(data)).published_time, data


def _drop(run: IO[bytes]) -> None:
    with suppress(OSError):  # what its buffer still held cannot be written either
        run.close()


def _no_room(folder: str, found: str, expected: str) -> OutputError:
    return OutputError(
        f"{folder}: {found} (expected {expected} to put a large pile of documents in order); "
        f"name another folder by the environment variable {TEMPORARY}"
    )
