"""What is piped in: tidings' own documents, which are followed as they come, or a file of other people's."""

from __future__ import annotations

import io

from tidings.core import (
    LIMITS,
    MIB,
    Content,
    FormatError,
    LimitError,
    Unpacked,
    named,
    open_bytes,
    peek_standard_input,
    sniff,
)
from tidings.sources.recognition import recognise
from tidings.sources.tables.kinds import is_json_lines

__all__ = ["piped_content"]

_HEAD = 4096
_MARKS = b"\xef\xbb\xbf \t\r\n"


def piped_content() -> Content | None:
    """What standard input holds, read to its end, where that is a feed, a page, a table or an archive.

    Its first bytes decide. None where they are tidings' own documents, or of no kind that is known: then nothing is
    taken from it, and it can be read as it comes.

    Raises:
        LimitError: it is larger than what is read as a whole.
        FormatError: it is packed, and damaged.
    """
    start = peek_standard_input(4 * _HEAD)
    head = _unpacked(start)
    name, first = named("-"), head.lstrip(_MARKS)[:1]
    if first == b"{" and not is_json_lines(Content("a.jsonl", data=head), head):
        return None
    content_type = "application/json" if first and first in b"[{" else ""
    if recognise(Content(name, data=head, content_type=content_type)) is None:
        return None
    with open_bytes("-") as file:
        data = file.read(LIMITS.max_whole_bytes + 1)
    if len(data) > LIMITS.max_whole_bytes:
        most = f"{LIMITS.max_whole_bytes // MIB:,} MiB"
        raise LimitError(
            f"{name}: found more than {most}, expected less from a pipe; save it, and name the file"
        )
    return Content(name, data=data, content_type=content_type)


def _unpacked(start: bytes) -> bytes:
    # The first bytes of what is packed; none where they cannot be unpacked.
    if not (how := sniff(start)):
        return start[:_HEAD]
    buffer = bytearray(_HEAD)
    try:
        with Unpacked(io.BufferedReader(io.BytesIO(start)), named("-"), how, LIMITS) as file:
            return bytes(buffer[: file.readinto(buffer)])
    except FormatError:
        return b""
