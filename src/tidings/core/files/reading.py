"""Opening and writing files: compression by file name, limits, and nothing half written.

`.gz`, `.xz` and `.zst` at the end of a name mean gzip, xz and Zstandard; `-` is standard input or output. What is
unpacked is limited (see `Limits`), so that a small file that unpacks without end is refused instead of filling memory.
"""

from __future__ import annotations

import io
import os
import os.path
import re
import stat
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from msgspec import Struct

from tidings.core.errors import FormatError, LimitError, UsageError
from tidings.core.files.compression import LIMITS, MIB, Limits, Unpacked, compression_of, sniff

COMPRESSED = ("", ".gz", ".xz", ".zst")
JSON_LINES = (".jsonl", ".ndjson")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):/+", re.IGNORECASE)


def ending(path: str | Path) -> str:
    """The last ending of a file's name in lower case, not counting the one of its compression.

    >>> ending("runs/a.JSONL.zst"), ending("a.run.gz"), ending("-")
    ('.jsonl', '.run', '')
    """
    name = Path(path)
    if name.suffix.lower() in COMPRESSED[1:]:
        name = name.with_suffix("")
    return name.suffix.lower()


def is_jsonl(path: str | Path) -> bool:
    """Whether a file's name says JSON Lines."""
    return ending(path) in JSON_LINES


def is_folder(path: str | Path) -> bool:
    """Whether there is a folder of this name; false, too, for a name that nothing can have."""
    return os.path.isdir(path)  # noqa: PTH112 (that of pathlib raises for a name that is too long)


def is_there(path: str | Path) -> bool:
    """Whether there is a file or folder of this name; false, too, for a name that nothing can have."""
    return os.path.exists(path)  # noqa: PTH110


def find(folder: str | Path, *names: str) -> Path | None:
    """The first of these files that a folder holds, compressed or not; None when there is none."""
    for name in names:
        for suffix in COMPRESSED:
            path = Path(folder) / (name + suffix)
            if path.is_file():
                return path
    return None


def part_files(folder: str | Path) -> tuple[Path, ...]:
    """The files of a folder that holds nothing but files of JSON Lines, of any names, in their order; else none.

    Files whose names begin with a point or `_` are passed over: something may still be written to them.
    """
    if not is_folder(folder):
        return ()
    paths = []
    for path in Path(folder).iterdir():
        if path.name.startswith((".", "_")):
            continue
        if not is_jsonl(path) or not path.is_file():
            return ()  # there may be millions
        paths.append(path)
    return tuple(sorted(paths))


def is_url(path: str | Path) -> bool:
    """Whether a URL stands for a path, also one that `Path` has made a path of.

    >>> is_url(Path("https://example.org/a.run")), is_url("a.run")
    (True, False)
    """
    return _SCHEME.match(str(path)) is not None


def nothing_there(path: str | Path, what: str = "file") -> UsageError:
    """The error for a path where nothing is; of a URL, also one that `Path` has made a path of, that it is one.

    >>> print(nothing_there(Path("https://example.org/a.run")))
    https://example.org/a.run: addresses cannot be read here; download the file first
    """
    if scheme := _SCHEME.match(str(path)):
        url = f"{scheme[1]}://{str(path)[scheme.end() :]}"
        return UsageError(f"{url}: addresses cannot be read here; download the {what} first")
    return UsageError(f"{path}: there is no such {what}; check the name")


def need_folder(folder: str | Path) -> Path:
    """The folder as a path; raises UsageError when it is no folder."""
    path = Path(folder)
    if is_folder(path):
        return path
    if is_there(path):
        raise UsageError(
            f"{folder}: this is a file, not a folder of judgments; name the folder that holds it"
        )
    raise nothing_there(folder, "folder")


_CHUNK = 1 << 18  # bytes read at a time
TAIL = 1 << 14  # the last bytes read, kept to tell whether a file ended within a line
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"


def source_name(path: str | Path) -> str:
    """The name of a source as messages give it.

    >>> source_name("-"), source_name("runs/a.run")
    ('<stdin>', 'runs/a.run')
    """
    return "<stdin>" if str(path) == "-" else str(path)


def open_bytes(path: str | Path, *, limits: Limits = LIMITS) -> BinaryIO:
    """Open a file for reading, unpacked; `-` is standard input.

    Standard input has no name, so there the first bytes tell whether it is compressed. Reading raises
    `FormatError` for a damaged or truncated archive, and for compressed data whose name does not say so, and
    `LimitError` for what unpacks beyond `limits`.

    Raises:
        UsageError: there is no such file, it is a folder, or it may not be read.
    """
    return cast("BinaryIO", io.BufferedReader(open_unpacked(path, limits), _CHUNK))


def open_unpacked(path: str | Path, limits: Limits = LIMITS) -> Unpacked:
    """The same without a buffer before it."""
    raw = open_raw(path)
    try:
        return Unpacked(raw, source_name(path), _how(raw, path), limits)
    except BaseException:
        raw.close()
        raise


def _how(raw: io.BufferedReader, path: str | Path) -> str:
    written = compression_of(path)
    start = raw.peek(8)[:8]
    packed = sniff(start)
    if written == packed or (str(path) == "-" and packed):
        return packed
    suffix = {"gzip": ".gz", "xz": ".xz", "zstd": ".zst"}
    if packed and not written:
        mend = f"end its name in {suffix[packed]}, or unpack it first"
        raise FormatError.of(source_name(path), 0, f"{packed} data", "plain text", mend)
    if packed:
        raise FormatError.of(source_name(path), 0, f"{packed} data", f"{written} data", "correct its ending")
    if len(start) >= 6:
        mend = "if it is not compressed, remove the ending from its name"
        raise FormatError.of(source_name(path), 0, f"no {written} data", f"{written} data", mend)
    return written


def open_raw(path: str | Path) -> io.BufferedReader:
    """Open a file for reading as it stands, packed or not; `-` is standard input.

    Raises:
        UsageError: there is no such file, it is a folder, or it may not be read.
    """
    name = str(path)
    if name == "-":
        return _standard_input()
    try:
        # No O_NONBLOCK: a FIFO waits for its writer, as with any other tool.
        file = io.FileIO(name)
    except FileNotFoundError:
        raise nothing_there(name) from None
    except IsADirectoryError:
        raise UsageError(f"{name}: this is a folder; name a file in it") from None
    except ValueError as error:
        raise UsageError(f"{name!r}: not a file name ({error})") from None
    except OSError as error:
        raise UsageError(f"{name}: cannot be read ({error.strerror}); check its permissions") from None
    return io.BufferedReader(file, _CHUNK)


_peeked: dict[str, tuple[object, io.BufferedReader]] = {}


def peek_standard_input(size: int) -> bytes:
    """The first bytes of standard input, as many as have come; whoever opens it next gets them too."""
    reader = _standard_input()
    _peeked["-"] = (sys.stdin, reader)
    return reader.peek(size)[:size]


def _standard_input() -> io.BufferedReader:
    owner, reader = _peeked.pop("-", (None, None))
    if reader is not None and owner is sys.stdin and not reader.closed:
        return reader
    try:
        return io.BufferedReader(io.FileIO(sys.stdin.fileno(), closefd=False), _CHUNK)
    except AttributeError:
        raise UsageError("<stdin>: there is no standard input; name a file instead of -") from None
    except (OSError, ValueError):
        # A stand-in without a descriptor, as programs that call tidings may set.
        return io.BufferedReader(io.BytesIO(sys.stdin.buffer.read()), _CHUNK)


def is_regular(path: str | Path) -> bool:
    """Whether reading on in this file cannot make anyone wait: false for pipes, terminals and standard input."""
    if str(path) == "-":
        return False
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116
    except (OSError, ValueError):
        return False


def read_text(path: str | Path, *, notes: list[str] | None = None, limits: Limits = LIMITS) -> str:
    """The whole of a text file, with line ends as `\\n` and no byte order mark.

    Bytes that are not UTF-8 are read as Windows-1252, each as one character, and a line on that is added to
    `notes`: assessors' files hold a few. A file of 1 GiB and more is refused (`LimitError`).

    Raises:
        FormatError: UTF-16, or binary data.
    """
    name = source_name(path)
    with open_bytes(path, limits=limits) as file:
        data = _whole(file, name, limits.max_whole_bytes)
    check_encoding(data, name)
    if data.startswith(_UTF8_MARK):
        data = data[3:]
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        raise FormatError.of(
            name, line, "binary data (a zero byte)", "text", "check that this is the right file"
        )
    try:
        return data.decode()
    except UnicodeDecodeError:
        text, count = decode_mixed(data)
        if notes is not None:
            notes.append(f"{name}: {count} bytes are not UTF-8; they were read as Windows-1252")
        return text


def _whole(file: BinaryIO, name: str, most: int) -> bytes:
    parts = []
    size = 0
    while part := file.read(4 * MIB):
        size += len(part)
        if size > most:
            raise LimitError(
                f"{name}: more than {most // MIB:,} MiB; a file of this kind is read as a whole, so split it"
            )
        parts.append(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def check_encoding(start: bytes, name: str) -> None:
    """Raise `FormatError` when a file begins with the byte order mark of UTF-16 or UTF-32."""
    if start[:2] in _UTF16 or start[:4] == b"\0\0\xfe\xff":
        mend = "save it as UTF-8, for example with `iconv -f UTF-16 -t UTF-8`"
        raise FormatError.of(name, 1, "UTF-16 or UTF-32 text", "UTF-8", mend)


def decode_mixed(data: bytes) -> tuple[str, int]:
    """UTF-8 with stray bytes read as Windows-1252, and how many there were.

    >>> decode_mixed(b"caf\\xe9 \\xc3\\xa9")
    ('café é', 1)
    """
    text = data.decode("utf-8", "surrogateescape")
    stray = {ord(char) for char in set(text) if "\udc80" <= char <= "\udcff"}
    table = {code: bytes([code - 0xDC00]).decode("cp1252", "replace") for code in stray}
    return text.translate(table), sum(text.count(chr(code)) for code in stray)


class Reached:
    """How far an open file of lines was given out: lines, bytes (unpacked), and the last of these bytes.

    `whole` is false once a last line without its end was given out.
    """

    def __init__(self, line: int = 0, offset: int = 0, tail: bytes = b"") -> None:
        self.line = line
        self.offset = offset
        self.tail = tail
        self.whole = True

    def advance(self, lines: int, data: bytes) -> None:
        """Note that these lines were given out, which were this data."""
        self.line += lines
        self.offset += len(data)
        self.tail = data[-TAIL:] if len(data) >= TAIL else (self.tail + data)[-TAIL:]


def read_chunks(
    file: BinaryIO, name: str, limits: Limits = LIMITS, reached: Reached | None = None
) -> Iterator[list[bytes]]:
    """The lines of an open file, in blocks as they arrive, without their line ends.

    Never waits for more than what is there: a line read from a pipe is given out at once. The last line may lack
    its end. Raises `LimitError` for a line beyond the limit, `FormatError` for UTF-16. `reached` is where the file
    stands, and is kept up to date.
    """
    read = cast("io.BufferedReader", file).read1
    reached = reached if reached is not None else Reached()
    first = not reached.offset
    rest = b""
    while block := read(_CHUNK):
        if first:
            while len(rest) + len(block) < 4 and (more := read(_CHUNK)):
                block += more
            check_encoding(block, name)
            if block.startswith(_UTF8_MARK):
                block = block[3:]
                reached.offset += 3
            first = False
        end = block.rfind(b"\n") + 1
        if not end:
            rest += block
            if len(rest) > limits.max_line_bytes:
                raise LimitError(
                    f"{name}:{reached.line + 1}: a line of more than {limits.max_line_bytes // MIB:,} MiB "
                    f"(expected one record a line); check that this is the right file"
                )
            continue
        data = rest + block[:end]
        rest = block[end:]
        lines = data.split(b"\n")
        lines.pop()
        reached.advance(len(lines), data)
        yield lines
    if rest:
        reached.whole = False
        yield [rest]


def read_lines(path: str | Path, *, limits: Limits = LIMITS) -> Iterator[tuple[int, bytes]]:
    """Each line of a file with its number (from 1), without its line end; memory stays flat."""
    number = 0
    with open_bytes(path, limits=limits) as file:
        for lines in read_chunks(file, source_name(path), limits):
            for line in lines:
                number += 1
                yield number, line.removesuffix(b"\r")


_HEAD = 4096  # bytes by which a format is recognized


class ReadingOptions(Struct, frozen=True, kw_only=True):
    """How the items of other people's files are understood.

    Args:
        zone: of times that name none: an IANA name (`Europe/Madrid`) or an offset (`+02:00`); "" for UTC.
        year: of dates that name none; None leaves these dates unread.
        day_first: whether 03/04/2026 is the 3rd of April; None decides by all dates of the file.
        columns: pairs of a field (id, time, title, text, url, outlet, language) and the column of a table with it.
        file_times: whether a file's own time stands for a date that it does not tell.
        quality: whether pages are read with more care, and more slowly (the extra `quality`).
        language: of all documents; "" decides for each.
        allow_private: whether addresses of a private network may be fetched.
    """

    zone: str = ""
    year: int | None = None
    day_first: bool | None = None
    columns: tuple[tuple[str, str], ...] = ()
    file_times: bool = False
    quality: bool = False
    language: str = ""
    allow_private: bool = False

    def in_words(self) -> str:
        """What differs from what is usual, as a run keeps it; "" where nothing does.

        >>> ReadingOptions(zone="Europe/Madrid", day_first=True, columns=(("time", "date"),)).in_words()
        'zone Europe/Madrid, day first, column date as time'
        """
        order = "" if self.day_first is None else "day first" if self.day_first else "month first"
        words = [
            f"zone {self.zone}" if self.zone else "",
            f"year {self.year}" if self.year is not None else "",
            order,
            *[f"column {column} as {field}" for field, column in self.columns],
            "file times" if self.file_times else "",
            "with care" if self.quality else "",
            f"language {self.language}" if self.language else "",
        ]
        return ", ".join(word for word in words if word)


class Notes:
    """What was left out while reading, and what else a reader of the report should know.

    >>> notes = Notes()
    >>> notes.drop("world.xml:7", "no date"); notes.drop("world.xml:9", "no date"); notes.remark("times without a zone")
    >>> notes.dropped, notes.examples, notes.remarks
    (Counter({'no date': 2}), [('world.xml:7', 'no date'), ('world.xml:9', 'no date')], ['times without a zone'])
    """

    _KEPT = 20

    def __init__(self) -> None:
        self.dropped: Counter[str] = Counter()
        self.examples: list[tuple[str, str]] = []
        self.remarks: list[str] = []

    def drop(self, origin: str, reason: str) -> None:
        """Note that what stands at `origin` is no document; `reason` is short and the same for its like."""
        self.dropped[reason] += 1
        if len(self.examples) < self._KEPT:
            self.examples.append((origin, reason))

    def remark(self, remark: str) -> None:
        """Note something once; of many remarks only the first are kept."""
        if remark not in self.remarks and len(self.remarks) < self._KEPT:
            self.remarks.append(remark)


class Content:
    """A file, a member of an archive, or what a server gave: its name, and its bytes as often as wanted.

    >>> content = Content("a.txt", data=b"A ferry burns.")
    >>> content.head(), content.read()
    (b'A ferry burns.', b'A ferry burns.')

    Args:
        name: as messages call it: a path, `saved.zip!fire.html`, a URL.
        path: of the file; None where `data` holds it. `-` is standard input, which can be read once.
        data: the bytes; None where they stand in a file.
        url: where it was fetched; "" for a file.
        content_type: as a server or an archive names it.
        modified_time: when the file was last changed, in seconds UTC.
    """

    __slots__ = ("content_type", "data", "modified_time", "name", "path", "url")

    def __init__(
        self,
        name: str,
        *,
        path: str | Path | None = None,
        data: bytes | None = None,
        url: str = "",
        content_type: str = "",
        modified_time: int | None = None,
    ) -> None:
        self.name, self.path, self.data = name, path, data
        self.url, self.content_type, self.modified_time = url, content_type, modified_time

    def open(self, limits: Limits = LIMITS) -> BinaryIO:
        """The bytes as a file, unpacked where the name says that they are packed."""
        return io.BytesIO(self.data) if self.data is not None else open_bytes(self.path or "", limits=limits)

    def head(self, size: int = _HEAD) -> bytes:
        """The first bytes; of standard input and pipes none, as they can be read only once."""
        if self.data is not None:
            return self.data[:size]
        if self.path is None or not is_regular(self.path):
            return b""
        with self.open() as file:
            return file.read(size)

    def read(self, limits: Limits = LIMITS) -> bytes:
        """All bytes. Raises LimitError for more than a file may have that is read as a whole."""
        most = limits.max_whole_bytes
        if self.data is not None:
            data = self.data
        else:
            with self.open(limits) as file:
                data = file.read(most + 1)
        if len(data) > most:
            raise LimitError(
                f"{self.name}: more than {most // MIB:,} MiB (expected less): it is read as a whole; split it"
            )
        return data


def as_content(source: str | Path | Content) -> Content:
    """A path as content; content as it is."""
    if isinstance(source, Content):
        return source
    modified = int(Path(source).stat().st_mtime) if is_regular(source) else None
    return Content(source_name(source), path=source, modified_time=modified)
