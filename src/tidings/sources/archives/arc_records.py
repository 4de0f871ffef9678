"""The records of an ARC file, the form of web archives before WARC: a line about a page, then its bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tidings.sources.archives.records import BROKEN, MOST_BLOCK, ArchivedRecord
from tidings.sources.archives.tape import Places, Tape

__all__ = ["ARC_MARK", "records_of_arc"]

ARC_MARK = re.compile(rb"\A(?:\xef\xbb\xbf)?filedesc:")
_MOST_LINE = 16 << 10
# URL, address, time, type, then (version 2) status, checksum, location, offset and file, then the length. URLs of
# careless crawlers hold blanks, so the line is read from its end.
_LINE = re.compile(
    rb"(?:(?<=\n)|\A)(?P<url>[a-z][a-z0-9+.-]*:[^\r\n]{0,8000}) (?P<address>[0-9a-fA-F.:]{1,45}) (?P<date>\d{8,20}) "
    rb"(?P<type>[^ \r\n]{1,200}) (?:\S{1,20} \S{1,200} \S{1,8000} \d{1,19} \S{1,1000} )?(?P<length>[^ \r\n]{1,20})\r?\n"
)


def records_of_arc(tape: Tape, places: Places) -> Iterator[ArchivedRecord]:
    """Every record of a pre-WARC archive, versions 1 and 2; after one whose length is wrong, the next line that is
    about a page is looked for.
    """
    position = tape.find(_LINE, tape.tell(), _MOST_LINE)
    while position is not None:
        tape.forget(position)
        tape.seek(position)
        line = _LINE.match(tape.read(_MOST_LINE))
        if line is None:
            position = tape.find(_LINE, position + 1, _MOST_LINE)
            continue
        begin = position + line.end()
        tape.seek(begin)
        stated = line["length"].decode("latin-1")
        length = int(stated) if stated.isascii() and stated.isdigit() else -1
        block = tape.read(min(max(length, 0), MOST_BLOCK))
        fault = BROKEN if length < 0 else ""
        following: int | None = begin
        if length > MOST_BLOCK:
            fault = f"a record of more than {MOST_BLOCK >> 20} MiB"
            tape.seek(begin)
            following = tape.find(_LINE, begin, _MOST_LINE)
        elif not fault:
            following = tape.find(_LINE, begin + length, _MOST_LINE)
            fault = _fault_of(tape, begin, length, following)
            region = tape.kept(begin, tape.end if following is None else following) if fault else b""
            if hidden := _LINE.search(region):
                block, following = block[: hidden.start()].rstrip(b"\n"), begin + hidden.start()
        else:
            following = tape.find(_LINE, begin, _MOST_LINE)
        url = line["url"].decode("utf-8", "replace")
        yield ArchivedRecord(
            place=places.of(position),
            kind="warcinfo" if url.startswith("filedesc:") else "response",
            url=url,
            date=line["date"][:14].decode(),
            content_type=line["type"].decode("latin-1"),
            block=b"" if length > MOST_BLOCK else block,
            fault=fault,
            broken=length < 0 or length > MOST_BLOCK,
        )
        position = following


def _fault_of(tape: Tape, begin: int, length: int, following: int | None) -> str:
    end = begin + length
    if following is None and tape.end < end:
        return "a record that is cut short"
    if tape.kept(end, tape.end if following is None else following).strip():
        return "a record that states a wrong length"
    return ""
