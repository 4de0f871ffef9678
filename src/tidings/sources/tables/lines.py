"""The lines of a text file in any encoding, in blocks and flat memory."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import BinaryIO

from tidings.core import LIMITS, MIB, FormatError, Limits, Notes, decode_mixed

_CHUNK = 1 << 18  # bytes read in one step
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
          (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
_STRAY = re.compile("[\udc80-\udcff]")


def encoding_of(start: bytes) -> str:
    """How a text that begins with these bytes is encoded, as Python calls it.

    >>> encoding_of("Überfall".encode()), encoding_of("date;text".encode("utf-16-le"))
    ('utf-8', 'utf-16-le')
    >>> encoding_of("Пожар на пароме у порта".encode("cp1251"))
    'cp1251'
    """
    for mark, name in _MARKS:
        if start.startswith(mark):
            return name
    even, odd = start[:2000:2].count(0), start[1:2000:2].count(0)
    if max(even, odd) > len(start[:2000]) // 8 and min(even, odd) * 8 < max(even, odd):
        return "utf-16-le" if odd > even else "utf-16-be"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
        return "utf-8"
    except UnicodeDecodeError:
        pass
    _, stray = decode_mixed(start)
    beyond = sum(byte > 0x7F for byte in start)
    if stray * 10 < beyond:
        return "utf-8"  # with a few bytes of another
    from resiliparse.parse.encoding import detect_encoding

    guessed = str(detect_encoding(start) or "")
    try:
        codecs.lookup(guessed)
    except LookupError:
        return "cp1252"
    return "cp1252" if guessed in ("utf-8", "ascii", "iso8859-1", "iso-8859-1") else guessed


def line_blocks(
    file: BinaryIO, name: str, notes: Notes, limits: Limits = LIMITS
) -> Iterator[tuple[int, list[str]]]:
    """Blocks of lines with their ends, each with the number of its first line; a line that is too long comes empty.

    Line ends may be `\\n`, `\\r\\n` or `\\r`. Bytes that are none of the encoding are read as Windows-1252.

    Raises:
        FormatError: binary data.
    """
    number, rest, skipping = 1, "", False
    for text in _decode(file, name, notes):
        lines = text.split("\n")
        if skipping and len(lines) > 1:
            skipping = False
            lines[0], rest = "", ""
        elif skipping:
            continue
        lines[0] = rest + lines[0]
        rest = lines.pop()
        if len(rest) > limits.max_line_bytes:
            notes.drop(
                f"{name}:{number + len(lines)}", f"a line of more than {limits.max_line_bytes // MIB} MiB"
            )
            rest, skipping = "", True
        if lines:
            if "\r" in text or "\r" in lines[0]:
                lines = [line.removesuffix("\r").replace("\r", " ") for line in lines]
            yield number, [line + "\n" for line in lines]
            number += len(lines)
    if rest:
        yield number, [rest.replace("\r", " ")]


def _decode(file: BinaryIO, name: str, notes: Notes) -> Iterator[str]:
    block = file.read(_CHUNK)
    encoding = encoding_of(block)
    decoder = codecs.getincrementaldecoder(encoding)("surrogateescape" if encoding == "utf-8" else "replace")
    if encoding not in ("utf-8", "utf-16", "utf-32"):
        notes.remark(f"{name}: read as {encoding}, which is not UTF-8")
    first = True
    mac = False
    while block:
        text = decoder.decode(block)
        if first:
            text = text.removeprefix("\ufeff")
            if text.count("\0") * 16 > len(text):
                mend = "check that this is the right file"
                raise FormatError.of(name, 1, "binary data (zero bytes)", "a table as text", mend)
            mac = "\n" not in text and "\r" in text[:-1]
            first = False
        if not text.isascii() and _STRAY.search(text):
            text, _ = decode_mixed(text.encode("utf-8", "surrogateescape"))
            notes.remark(f"{name}: some bytes are not UTF-8; they were read as Windows-1252")
        yield text.replace("\r", "\n") if mac else text
        block = file.read(_CHUNK)
    if last := decoder.decode(b"", final=True):
        yield last.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
