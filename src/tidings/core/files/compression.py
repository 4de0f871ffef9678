"""gzip, xz and Zstandard, unpacked piece by piece, with a limit on what may come out."""

from __future__ import annotations

import io
import lzma
import zlib
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from tidings.core.errors import FormatError, LimitError

_ENDINGS = {".gz": "gzip", ".tgz": "gzip", ".xz": "xz", ".txz": "xz", ".zst": "zstd"}
_MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_READ = 1 << 16  # packed bytes fed at once
_GIVE = 1 << 20  # the most that one step may unpack, so that a bomb is seen early
_MOST_MEMBERS = 4096  # beginnings of members that one may go back to
# An xz header can ask for gigabytes of memory; the highest preset (-9) needs 65 MiB.
_XZ_MEMORY = 256 << 20
# One byte of Zstandard can become 32 kB, and its decoder gives all of it at once.
_ZSTD_READ = 1 << 12


def compression_of(path: str | Path) -> str:
    """How a file is compressed, by its name: `gzip`, `xz`, `zstd`, or empty.

    >>> compression_of("a.run.gz"), compression_of("a.run")
    ('gzip', '')
    """
    return _ENDINGS.get(Path(path).suffix.lower(), "")


def plain_name(path: str | Path) -> str:
    """A file's name without the ending that says how it is compressed.

    >>> plain_name("runs/a.jsonl.zst")
    'a.jsonl'
    """
    name = Path(path).name
    return name[: -len(Path(name).suffix)] if compression_of(name) else name


def sniff(start: bytes) -> str:
    """How data beginning with `start` is compressed, by its first bytes; empty when it is not."""
    return next((how for magic, how in _MAGIC.items() if start.startswith(magic)), "")


MIB = 1 << 20


class Limits(Struct, frozen=True, kw_only=True):
    """How much a reader takes in before it refuses.

    Args:
        max_bytes: bytes after unpacking (16 GiB).
        max_whole_bytes: the same for files that are read as a whole, such as runs and judgments (1 GiB).
        max_ratio: bytes after unpacking for each byte before, once `ratio_after_bytes` were unpacked.
        ratio_after_bytes: where the ratio begins to count (64 MiB).
        max_line_bytes: the longest line (16 MiB).
    """

    max_bytes: int = 16 << 30
    max_whole_bytes: int = 1 << 30
    max_ratio: int = 250
    ratio_after_bytes: int = 64 * MIB
    max_line_bytes: int = 16 * MIB


LIMITS = Limits()


class Unpacked(io.RawIOBase):
    """A readable file giving the unpacked bytes of `raw`.

    Raises `FormatError` for damage and truncation, `LimitError` for what goes beyond the limits.
    """

    def __init__(self, raw: io.BufferedReader, name: str, how: str, caps: Limits) -> None:
        self._raw = raw
        self._name = name
        self._how = how
        self._caps = caps
        self._taken = 0
        self._given = 0
        self._waiting = memoryview(b"")
        self._fed = b""
        self._decoder: Any = None
        self._whole_members = 0
        self._members: deque[tuple[int, int]] = deque([(0, 0)], _MOST_MEMBERS)

    @property
    def packed(self) -> bool:
        """Whether the file is compressed."""
        return bool(self._how)

    def fileno(self) -> int:
        """The descriptor of the file underneath."""
        return self._raw.fileno()

    def member_before(self, offset: int) -> tuple[int, int] | None:
        """Where the last member or frame that begins at or before `offset` of the text begins: packed, and unpacked.

        None where too many have begun since.
        """
        while len(self._members) > 1 and self._members[1][1] <= offset:
            self._members.popleft()
        return self._members[0] if self._members[0][1] <= offset else None

    def begin_at(self, packed: int, unpacked: int) -> None:
        """Go to the beginning of a member or frame that `member_before` gave; nothing may have been read yet."""
        self._raw.seek(packed)
        self._taken, self._given = packed, unpacked
        self._members.clear()

    def readable(self) -> bool:
        """Always true."""
        return True

    def close(self) -> None:
        """Close the file underneath too."""
        self._raw.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        """Put unpacked bytes into `buffer`; 0 at the end."""
        if not self._how:
            got = self._raw.readinto1(buffer)
            self._count(got, got)
            return got
        while not self._waiting:
            piece = self._next()
            if piece is None:
                return 0
            self._waiting = memoryview(piece)
        size = min(len(buffer), len(self._waiting))
        buffer[:size] = self._waiting[:size]
        self._waiting = self._waiting[size:]
        return size

    def _count(self, taken: int, given: int) -> None:
        self._taken += taken
        self._given += given
        caps = self._caps
        if self._given > caps.max_bytes:
            raise LimitError(
                f"{self._name}: more than {caps.max_bytes >> 20:,} MiB of text; split it into several files"
            )
        if self._given > caps.ratio_after_bytes and self._given > self._taken * caps.max_ratio:
            raise LimitError(
                f"{self._name}: {self._given >> 20:,} MiB came out of {max(self._taken >> 10, 1):,} KiB so far, "
                f"more than {caps.max_ratio} times as much; text does not compress that well: if you "
                "trust the file, unpack it first"
            )

    def _damage(self, found: str) -> FormatError:
        mend = "the copy or download stopped early, or the file is damaged: fetch it again"
        return FormatError.of(self._name, 0, found, f"a whole {self._how} file", mend)

    def _next(self) -> bytes | None:
        # One step of unpacking: some bytes (maybe none), or None at the end.
        fed = self._fed
        if not fed:
            fed = self._raw.read1(_ZSTD_READ if self._how == "zstd" else _READ)
            if not fed:
                if self._decoder is not None or not self._whole_members:
                    raise self._damage("a truncated one" if self._taken else "an empty one")
                return None
        if self._decoder is None:
            fed = self._start_member(fed)
            if not fed:
                return b""
        size = len(fed)
        try:
            piece, self._fed, ended = self._decode(fed)
        except _faults(self._how) as error:
            raise self._refusal(error) from None
        if ended:
            self._decoder = None
            self._whole_members += 1
        self._count(size - len(self._fed), len(piece))
        return piece

    def _start_member(self, fed: bytes) -> bytes:
        if self._whole_members:
            # Zeros after the last member are padding, as the tools themselves allow.
            stripped = fed.lstrip(b"\0")
            self._count(len(fed) - len(stripped), 0)
            fed = stripped
            if not fed:
                self._fed = b""
                return fed
        self._decoder = _DECODERS[self._how]()
        if not self._members or self._members[-1] != (self._taken, self._given):
            self._members.append((self._taken, self._given))
        return fed

    def _decode(self, fed: bytes) -> tuple[bytes, bytes, bool]:
        # The piece, what of the input was not used yet, and whether the member ended.
        decoder = self._decoder
        if self._how == "gzip":
            piece = decoder.decompress(fed, _GIVE)
            return piece, decoder.unconsumed_tail or decoder.unused_data, decoder.eof
        if self._how == "xz":
            piece = decoder.decompress(b"" if fed is _MORE else fed, _GIVE)
            if decoder.eof:
                return piece, decoder.unused_data, True
            return piece, b"" if decoder.needs_input else _MORE, False
        piece = decoder.decompress(fed)
        return piece, decoder.unused_data if decoder.eof else b"", decoder.eof

    def _refusal(self, error: Exception) -> FormatError | LimitError:
        if "emory" in str(error):
            return LimitError(
                f"{self._name}: unpacking it needs more than 256 MiB of memory; unpack it first"
            )
        return self._damage(f"damage ({error})")


# Stands for "the xz decoder holds more output, ask again without input"; never fed itself.
_MORE = b"more"


def _zstd_decoder() -> Any:
    import zstandard

    return zstandard.ZstdDecompressor(max_window_size=128 << 20).decompressobj()


def _faults(how: str) -> tuple[type[Exception], ...]:
    """What a decoder raises for data that it cannot unpack."""
    if how != "zstd":
        return zlib.error, lzma.LZMAError, ValueError
    import zstandard

    return (zstandard.ZstdError,)


_DECODERS: dict[str, Callable[[], Any]] = {
    "gzip": lambda: zlib.decompressobj(31),
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY),
    "zstd": _zstd_decoder,
}
