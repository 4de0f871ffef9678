"""Writing files so that nothing is ever half written."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec
from msgspec import Struct

from tidings.core.errors import OutputError, UsageError
from tidings.core.files.compression import compression_of

# Controls but line ends, and marks that change the direction of what follows.
_CONTROLS = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]"
)

STANDARD_OUTPUT = "<stdout>"
"""How standard output is called in messages."""

# Names of what this process has open already: replacing the file behind them would be a surprise.
_OPEN_FILES = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")


class _Shown(io.RawIOBase):
    # A terminal that is written to: data is not shown as it is, where an id could steer what shows it.

    def __init__(self, terminal: io.RawIOBase) -> None:
        import codecs

        self._terminal = terminal
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        from tidings.core.display.plain import clean

        text = self._decoder.decode(bytes(data))
        lines = ["\t".join(map(clean, line.split("\t"))) for line in text.split("\n")]
        rest = memoryview("\n".join(lines).encode("utf-8"))
        while rest:
            rest = rest[self._terminal.write(rest) or 0 :]
        return len(data)


class _Checked(io.RawIOBase):
    # A file whose failures to write are OutputErrors that name it.

    def __init__(self, descriptor: int, name: str, *, direct: bool = False) -> None:
        self._descriptor = descriptor
        self._name = name
        self._direct = direct

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        try:
            return os.write(self._descriptor, data)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise failure(self._name, error, direct=self._direct) from None


def failure(name: str, error: OSError, *, direct: bool = False) -> OutputError:
    """The error for a file that could not be written, in words that say what to do.

    `direct` says that it was written to as it stands, so that a part may have arrived.
    """
    reason = "it is closed" if error.errno == errno.EBADF else error.strerror or str(error)
    left = "what was written before that is not all" if direct else "nothing was changed there"
    mend = "make its folder" if isinstance(error, FileNotFoundError) else "make room"
    mend = "open it" if error.errno == errno.EBADF else mend
    return OutputError(f"{name}: could not be written ({reason}); {left}: {mend}, or choose another place")


@contextlib.contextmanager
def write_atomically(path: str | Path) -> Iterator[BinaryIO]:
    """A binary file to write to, which takes its name only when all of it is safely on the disk.

    Compressed by the ending of the name. Until the end the file is a hidden temporary one in the same folder; when
    anything goes wrong it is removed and what stood under the name stays. `-` is standard output; pipes and
    devices such as /dev/stdout are written to directly.

    Raises:
        OutputError: the disk is full, the folder is missing or may not be written to, or the path is a folder.
    """
    name = STANDARD_OUTPUT if str(path) == "-" else str(path)
    if str(path) == "-":
        sys.stdout.flush()
        with _standard_output(name) as file:
            yield file
        return
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except (OSError, ValueError):
        mode = 0
    if stat.S_ISDIR(mode):
        raise OutputError(f"{name}: is a folder; name a file")
    if mode and (not stat.S_ISREG(mode) or name.startswith(_OPEN_FILES)):
        with _straight_to(path, name) as file:
            yield file
        return
    import tempfile

    target = Path(os.path.realpath(path))  # a link stays, what it leads to is replaced
    try:
        descriptor, temporary = tempfile.mkstemp(
            prefix=f".{target.name[:60]}.", suffix=".tmp", dir=target.parent
        )
    except (OSError, ValueError) as error:
        raise failure(name, error if isinstance(error, OSError) else OSError(str(error))) from None
    try:
        try:
            with _pack(_Checked(descriptor, name), path) as file:
                yield file
            os.fchmod(descriptor, stat.S_IMODE(mode) if mode else 0o666 & ~_umask())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, target)  # noqa: PTH105
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError) and _ours(error, temporary):
            raise failure(name, error) from None
        raise
    _sync_folder(target.parent)


def _ours(error: OSError, temporary: str) -> bool:
    # fsync, fchmod and close name no file; replace names the temporary one. Others' errors name theirs.
    return error.filename in {None, temporary}


@contextlib.contextmanager
def _standard_output(name: str) -> Iterator[BinaryIO]:
    try:
        descriptor = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        # A stand-in without a descriptor, as programs that call tidings may set.
        file = sys.stdout.buffer
        yield file
        file.flush()
        return
    raw: io.RawIOBase = _Checked(descriptor, name, direct=True)
    if os.isatty(descriptor):
        raw = _Shown(raw)
    buffered = io.BufferedWriter(raw, 1 << 16)
    yield cast("BinaryIO", buffered)
    buffered.flush()


@contextlib.contextmanager
def _straight_to(target: str | Path, name: str) -> Iterator[BinaryIO]:
    try:
        descriptor = os.open(target, os.O_WRONLY)
    except OSError as error:
        raise failure(name, error) from None
    try:
        with _pack(_Checked(descriptor, name, direct=True), target) as file:
            yield file
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _pack(raw: io.RawIOBase, path: str | Path) -> Iterator[BinaryIO]:
    # Closing happens only after a good end: a compressor that is closed writes, and may fail again.
    buffered = io.BufferedWriter(raw, 1 << 18)
    outer: Any = buffered
    how = compression_of(path)
    if how == "gzip":
        import gzip

        outer = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=buffered, mtime=0)
    elif how == "xz":
        import lzma

        outer = lzma.LZMAFile(buffered, "wb")  # noqa: SIM115
    elif how == "zstd":
        import zstandard

        outer = zstandard.ZstdCompressor(level=6, write_checksum=True).stream_writer(buffered, closefd=False)
    try:
        yield cast("BinaryIO", outer)
        if outer is not buffered:
            outer.close()
        buffered.flush()
    except BaseException:
        _forget(raw)
        raise


def _forget(raw: io.RawIOBase) -> None:
    # What is still buffered goes nowhere: the file is about to be removed.
    raw.write = len  # type: ignore[method-assign, assignment]


def _umask() -> int:
    # The only way to ask is to set it; a thread that makes a file in between would be unlucky, so ask /proc first.
    with contextlib.suppress(OSError, ValueError, IndexError):
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.split("Umask:")[1].split()[0], 8)
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


_READ_OF_FOLDERS = (
    "clusters",
    "dayepoch",
    "documents",
    "duplicates",
    "entities",
    "event",
    "judges",
    "links",
    "matches",
    "nuggets",
    "origin",
    "pool",
    "requests",
    "timelines",
    "topics",
    "updates",
    "values",
)
_READ_INSIDE = ("cluster", "dayepoch", "qrels", "updates")
"""What names of files of judgments hold, wherever in the name."""


def refuse_overwriting(
    outputs: Mapping[str, str | Path | Sequence[str] | None],
    inputs: Mapping[str, Iterable[str | Path | None]],
) -> None:
    """Raise UsageError where an output is a file that is read, be it by another name or link, or another output.

    Args:
        outputs: files that will be written, by the option that names each (or several); None and `-` are passed over.
        inputs: files and folders that are read, by what they are (`a stream`); of a folder, those of its files
            count that judgments and documents are read from.

    >>> refuse_overwriting({"--out": "a.jsonl"}, {"a stream": ["b.jsonl", "-"]})
    >>> refuse_overwriting({"--out": "a.jsonl"}, {"a stream": ["./a.jsonl"]})
    Traceback (most recent call last):
    tidings.core.errors.UsageError: a.jsonl: a stream as --out (expected another file): what is read stays as it is
    """
    written = [
        (option, Path(path))
        for option, paths in outputs.items()
        for path in ([paths] if isinstance(paths, str | Path) else paths or ())
        if path and str(path) != "-"
    ]
    for option, target in written:
        for what, paths in inputs.items():
            for path in paths:
                if not path or str(path) == "-":
                    continue
                if any(_same(target, file) for file in _files_of(Path(path))):
                    raise UsageError(
                        f"{target}: {what} as {option} (expected another file): what is read stays as it is"
                    )
    for number, (option, target) in enumerate(written):
        for other, place in written[:number]:
            if _same(target, place):
                raise UsageError(f"{target}: the same file as {other} and {option} (expected two)")


def need_folders(*outputs: str | Path | None) -> None:
    """Raise UsageError where a file is to be written into a folder that is not there, before work is done for it.

    >>> need_folders("a.jsonl", "-", None)
    >>> need_folders("no-such-folder/a.jsonl")
    Traceback (most recent call last):
    tidings.core.errors.UsageError: no-such-folder/a.jsonl: there is no folder no-such-folder; make it first
    """
    for output in outputs:
        if output and str(output) != "-" and not Path(output).parent.is_dir():
            raise UsageError(f"{output}: there is no folder {Path(output).parent}; make it first")


def _files_of(path: Path) -> Iterator[Path]:
    try:
        if not path.is_dir():
            yield path
            return
        for file in (*path.glob("*"), *path.glob("*/*")):
            name = file.name.lower()
            if (
                name.startswith(_READ_OF_FOLDERS)
                or file.suffix in {".timeline", ".tl"}
                or any(part in name for part in _READ_INSIDE)
            ):
                yield file
    except (OSError, ValueError):
        return  # a name that is none: whoever reads it says so


def _same(target: Path, path: Path) -> bool:
    try:
        if target.exists():
            # What is no plain file (a terminal, /dev/null) is not overwritten.
            return target.is_file() and path.exists() and target.samefile(path)
        return os.path.realpath(target) == os.path.realpath(path)
    except (OSError, ValueError):
        return False


def make_folder(folder: str | Path) -> Path:
    """The folder, made when it is not there; its own parents must exist.

    Raises:
        OutputError: it cannot be made, or a file stands there.
    """
    path = Path(folder)
    try:
        path.mkdir(exist_ok=True)
    except FileExistsError:
        raise OutputError(
            f"{folder}: is a file, but this is written as a folder; choose another name"
        ) from None
    except OSError as error:
        raise failure(str(folder), error) from None
    return path


@contextlib.contextmanager
def written_aside(folder: str | Path) -> Iterator[Path]:
    """A new folder within a folder, for files that are not yet in their place; it goes in the end.

    What could not be written is named as if it stood in its place. A folder that was made for it goes where the
    writing failed.
    """
    import tempfile

    was_there = Path(folder).exists()
    place = make_folder(folder)
    try:
        try:
            aside = tempfile.TemporaryDirectory(prefix=".export-", dir=place)
        except OSError as error:
            raise failure(str(folder), error) from None
        with aside as made:
            try:
                yield Path(made)
            except OutputError as error:
                raise OutputError(str(error).replace(made, str(folder))) from None
    except BaseException:
        if not was_there and not any(place.iterdir()):
            place.rmdir()
        raise


def move_files(made: Path, folder: Path, names: Iterable[str], former: Iterable[str]) -> None:
    """Move files of these names from one folder to another, and remove those that stood there before.

    Raises:
        OutputError: a file could not be moved.
    """
    moved = set(names)
    try:
        for name in sorted(moved):
            os.replace(made / name, folder / name)  # noqa: PTH105
        for name in sorted(set(former) - moved):
            if not (folder / name).is_dir():
                (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise failure(str(folder), error, direct=True) from None


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file, whole or not at all; `-` is standard output."""
    with write_atomically(path) as file:
        file.write(content)


def json_text(value: object, indent: int = 2) -> str:
    """A value as JSON, for people to read too."""
    return msgspec.json.format(msgspec.json.encode(value), indent=indent).decode()


def write_json(path: str | Path, value: object, *, indent: int = 2) -> None:
    """Write a value as JSON that people can read, whole or not at all."""
    write_bytes(path, json_text(value, indent).encode() + b"\n")


def write_tsv(path: str | Path, rows: Iterable[Sequence[str]]) -> None:
    """Write rows whose cells are apart by tabs, each cell on one line, whole or not at all."""
    with write_atomically(path) as file:
        for cells in rows:
            file.write("\t".join(" ".join(cell.split()) for cell in cells).encode("utf-8", "replace") + b"\n")


def write_jsonl(path: str | Path, lines: Iterable[Struct | dict[str, Any]]) -> None:
    """Write one JSON object a line, whole or not at all; to standard output with every control escaped."""
    encode = msgspec.json.Encoder().encode_into
    buffer = bytearray()
    steady: Callable[[bytearray], bytes | bytearray] = _steady if str(path) == "-" else lambda lines: lines
    with write_atomically(path) as file:
        for line in lines:
            try:
                encode(line, buffer, -1)
            except UnicodeEncodeError:
                mend = "its input holds bytes that are not UTF-8: save that as UTF-8 first"
                raise OutputError(
                    f"{path}: JSON can hold no broken text such as {line!r:.200}; {mend}"
                ) from None
            buffer += b"\n"
            if len(buffer) > 1 << 16:
                file.write(steady(buffer))
                buffer.clear()
        file.write(steady(buffer))


def escape_controls(text: str) -> str:
    r"""The text with what would steer a terminal or turn a line around written as JSON would: `\u001b`, `\u202e`.

    >>> print(escape_controls("a\x1b[31m\u202eb"))
    a\u001b[31m\u202eb
    """
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _steady(lines: bytearray) -> bytes | bytearray:
    # JSON escapes the oldest controls only; the same object may be written with the others escaped.
    return lines if lines.isascii() and 0x7F not in lines else escape_controls(lines.decode()).encode()
