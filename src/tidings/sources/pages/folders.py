"""Folders of saved pages, texts, feeds, tables and archives; and the same packed in one file, zip or tar."""

from __future__ import annotations

import calendar
import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from tidings.core import (
    LIMITS,
    MIB,
    Content,
    FormatError,
    Item,
    LimitError,
    Limits,
    Notes,
    ReadingOptions,
    Unpacked,
    UsageError,
    compression_of,
    is_folder,
    is_regular,
    is_there,
    nothing_there,
    sniff,
)
from tidings.sources.pages.places import files_below, is_asset
from tidings.sources.recognition import recognise
from tidings.sources.registry import DOCUMENT_FORMATS, item_reader
from tidings.sources.tables.kinds import has_documents

_INSIDE = frozenset(("zip", "tar", "folder"))


def read_member(
    content: Content, options: ReadingOptions, notes: Notes, *, within: bool = False
) -> Iterator[Item]:
    """The items of one file among others; why it has none is noted, and its neighbours are read.

    Args:
        content: the file.
        options: how items are understood.
        notes: where it is said what was left out.
        within: whether it stands in an archive: an archive in an archive is not opened.
    """
    try:
        kind = recognise(content)
        if kind is None and has_documents(content):  # beside files of other kinds
            kind = DOCUMENT_FORMATS["json-lines"]
        if kind is None:
            notes.drop(content.name, "a file of no kind that is known")
        elif within and kind.name in _INSIDE:
            notes.drop(content.name, "an archive in an archive")
        else:
            yield from kind.read(content, options=options, notes=notes)
    except LimitError as error:
        notes.drop(content.name, "a file over a limit")
        notes.remark(str(error).splitlines()[0])
    except FormatError as error:
        notes.drop(content.name, "a file that is damaged or not what its name says")
        notes.remark(str(error).splitlines()[0])


@item_reader
def read_folder(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of all files of a folder and the folders in it, by the order of their names.

    Hidden files, pictures, styles and the like are passed over and counted, and so is what cannot be read. A link to a
    folder is followed once.

    Raises:
        UsageError: there is no such folder.
    """
    folder = content.path if content.path is not None else content.name
    if not is_folder(folder):
        raise (
            UsageError(f"{folder}: this is a file, not a folder")
            if is_there(folder)
            else nothing_there(folder, "folder")
        )
    for path, modified in files_below(folder, notes):
        yield from read_member(Content(str(path), path=path, modified_time=modified), options, notes)


_MEMBER = 64 * MIB  # bytes of a member of an archive
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)
_OUTSIDE = re.compile(r"^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0")


@item_reader
def read_zip(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of the files in a zip archive, by the order of their names.

    Nothing is written anywhere. Members that are encrypted, damaged, larger than 64 MiB, archives themselves, or named
    as if they stood outside of the archive are passed over and counted.

    Raises:
        FormatError: it is no zip archive.
        LimitError: its members unpack to more than `Limits` allows.
    """
    packed = content.data is not None or not is_regular(content.path or "-") or compression_of(content.name)
    whole: Any = io.BytesIO(content.read()) if packed else content.path
    try:
        archive = zipfile.ZipFile(whole)
    except _BROKEN:
        raise FormatError.of(content.name, 0, "no zip archive, or a damaged one", "a zip archive") from None
    with archive:
        yield from _zip_items(archive, content, options, notes)


def _zip_items(
    archive: zipfile.ZipFile, content: Content, options: ReadingOptions, notes: Notes, limits: Limits = LIMITS
) -> Iterator[Item]:
    budget = _Budget(content.name, limits)
    for info in sorted(archive.infolist(), key=lambda entry: entry.filename):
        name = f"{content.name}!{info.filename}"
        if not info.filename:
            notes.drop(name, "a file without a name")
            continue
        if info.is_dir():
            continue
        reason = _why_not(info.filename)
        reason = reason or ("an encrypted file" if info.flag_bits & 1 else "")
        reason = reason or ("a link" if info.external_attr >> 28 == 0xA else "")
        if reason:
            notes.drop(name, reason)
            continue
        try:
            with archive.open(info) as member:
                data = member.read(_MEMBER + 1)
        except _BROKEN:
            notes.drop(name, "a file that is damaged or packed in a way that is not known")
            continue
        budget.take(len(data), info.compress_size)
        if len(data) > _MEMBER:
            notes.drop(name, "a file over a limit")
            continue
        yield from _member(name, data, _seconds(info.date_time), options, notes)


@item_reader
def read_tar(content: Content, options: ReadingOptions, notes: Notes) -> Iterator[Item]:
    """The items of the files in a tar archive, in its order; it may be packed with gzip, xz or Zstandard.

    What is passed over is as with zip archives.

    Raises:
        FormatError: it is no tar archive, or is cut short before its first member.
        LimitError: it unpacks to more than `Limits` allows.
    """
    members = _tar_members(content)
    read = False
    while True:
        try:
            member = next(members, None)
        except (tarfile.TarError, EOFError, ValueError, OverflowError, FormatError) as error:
            if not read:
                if isinstance(error, FormatError):
                    raise
                raise FormatError.of(content.name, 0, "no tar archive", "a tar archive") from None
            notes.drop(content.name, "the rest of a damaged archive")
            return
        if member is None and not read:
            raise FormatError.of(content.name, 0, "no member", "a tar archive with files")
        if member is None:
            return
        read = True
        info, data = member
        name = f"{content.name}!{info.name}"
        reason = "" if info.isdir() else _why_not_member(info)
        if reason:
            notes.drop(name, reason)
        elif data is not None:
            yield from _member(name, data, int(info.mtime) if info.mtime > 0 else None, options, notes)


def _tar_members(content: Content) -> Iterator[tuple[tarfile.TarInfo, bytes | None]]:
    with _open_unpacked(content) as file:
        watched = _Watched(file)
        with tarfile.open(fileobj=cast("BinaryIO", watched), mode="r|") as archive:
            for info in archive:
                wanted = not info.isdir() and not _why_not_member(info)
                member = archive.extractfile(info) if wanted else None
                data = member.read() if member is not None else None
                if data is not None and len(data) < info.size:
                    raise tarfile.ReadError
                yield info, data
        while watched.read(MIB):  # so that damage behind the last member is seen too
            pass
        if watched.last.strip(b"\0"):
            raise tarfile.ReadError


class _Watched:
    # A file whose last bytes are remembered: a whole tar archive ends in zeros, and tarfile does not say.

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.last = file, b""

    def read(self, size: int) -> bytes:
        data = self.file.read(size)
        self.last = data[-tarfile.BLOCKSIZE :] or self.last
        return data


def _why_not_member(info: tarfile.TarInfo) -> str:
    reason = _why_not(info.name) or ("" if info.isreg() else "a link or no regular file")
    return reason or ("a file over a limit" if info.size > _MEMBER else "")


def _member(
    name: str, data: bytes, modified: int | None, options: ReadingOptions, notes: Notes
) -> Iterator[Item]:
    how = compression_of(name)
    if how and not name.lower().endswith((".warc.gz", ".arc.gz", ".tar.gz")):
        try:
            raw: Any = io.BufferedReader(io.BytesIO(data))
            data = io.BufferedReader(Unpacked(raw, name, how, LIMITS)).read(_MEMBER + 1)
        except (FormatError, LimitError):
            notes.drop(name, "a file that is damaged or packed in a way that is not known")
            return
        if len(data) > _MEMBER:
            notes.drop(name, "a file over a limit")
            return
    yield from read_member(Content(name, data=data, modified_time=modified), options, notes, within=True)


class _Budget:
    # How much the members of one archive may unpack to.

    def __init__(self, name: str, limits: Limits) -> None:
        self.name, self.limits = name, limits
        self.taken = self.packed = 0

    def take(self, size: int, packed: int) -> None:
        self.taken += size
        self.packed += max(packed, 1)
        limits = self.limits
        over = self.taken > limits.ratio_after_bytes and self.taken > self.packed * limits.max_ratio
        if over or self.taken > limits.max_bytes:
            raise LimitError(
                f"{self.name}: {self.taken // MIB:,} MiB in its first {self.packed // 1024:,} KiB (expected less "
                f"than {limits.max_ratio} times as much, and {limits.max_bytes // MIB:,} MiB in all); if you trust it, "
                "unpack it into a folder"
            )


def _why_not(name: str) -> str:
    if _OUTSIDE.search(name):
        return "a name outside of the archive"
    if any(part.startswith(".") or part == "__MACOSX" for part in name.split("/") if part != "."):
        return "a hidden file"
    return "a picture, style, script or the like" if is_asset(name) else ""


def _seconds(date: tuple[int, ...]) -> int | None:
    try:
        seconds = calendar.timegm((*date, 0, 0, 0))
    except (ValueError, OverflowError):
        return None
    return seconds if seconds > 0 else None


def _open_unpacked(content: Content) -> BinaryIO:
    # A tar archive's bytes, packed or not.
    if content.data is None:
        return content.open()
    raw: Any = io.BufferedReader(io.BytesIO(content.data))
    how = sniff(raw.peek(8)[:8])
    return cast("BinaryIO", io.BufferedReader(Unpacked(raw, content.name, how, LIMITS)) if how else raw)
