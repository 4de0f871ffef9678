"""A revision history from a folder of timed texts, JSON Lines, or MediaWiki's JSON or XML."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from tidings.annotation.revisions.mediawiki import read_export, read_query
from tidings.annotation.revisions.wikitext import without_markup
from tidings.core import (
    LATEST_TIME,
    LIMITS,
    BadRecordError,
    Content,
    FormatError,
    LimitError,
    Limits,
    Notes,
    Problem,
    Problems,
    ReadingOptions,
    Revision,
    UsageError,
    ending,
    is_folder,
    is_jsonl,
    is_there,
    nothing_there,
    plain_name,
    read_jsonl,
    read_text,
    seconds,
)
from tidings.sources import files_below, page_item

__all__ = ["read_revisions", "time_of_name"]

MOST_CHARACTERS = 4_000_000
_TEXTS = (".txt", ".text", ".md", ".markdown")
_PAGES = (".html", ".htm", ".xhtml", ".shtml")
_WIKI = (".wiki", ".mediawiki", ".wikitext")
_WAYS = (
    "a folder of timed texts (20130724-184100.txt), JSON Lines with time and text, or MediaWiki's JSON or XML"
)
_DATE = re.compile(
    r"(?<!\d)(\d{4})([-_.]?)(\d\d)\2(\d\d)"
    r"(?:[T_ .-]?(\d\d)[-:_.h]?(\d\d)(?:[-:_.m]?(\d\d))?)?(?!\d)\s?(Z|UTC|[+-]\d\d:?\d\d(?!\d))?"
)
_EPOCH = re.compile(r"(?<!\d)(\d{9,10})(?!\d)")


class _Line(Struct):
    time: int | str
    text: str
    title: str = ""
    id: str | int = ""
    author: str = ""
    comment: str = ""


def read_revisions(
    path: str | Path,
    *,
    problems: Problems | None = None,
    notes: list[str] | None = None,
    limits: Limits = LIMITS,
) -> list[Revision]:
    """The texts of a page by their times, each with an id of its own.

    A folder holds a file for each revision, `.txt`, `.md`, `.html` or `.wiki`, with its time in its name: seconds since
    1970 (`1374691260.txt`), ISO 8601 (`2013-07-24T18:41:00Z.html`) or `20130724-184100`; UTC where no zone stands
    there. Of pages the article is read, of wiki markup what it shows.

    Raises:
        FormatError: what is read is no history, with path:line of what is wrong.
        LimitError: a file, or a text, is too large.
        UsageError: there is nothing at `path`.
    """
    collected = Problems() if problems is None else problems
    name = str(path)
    if is_folder(path):
        revisions = _folder(Path(path), collected, notes, limits)
    elif name != "-" and not is_there(path):
        raise nothing_there(path, "file or folder")
    elif is_jsonl(path) or name == "-":
        revisions = list(read_jsonl(path, _Line, _of_line, problems=collected, limits=limits))
    elif ending(path) == ".json":
        revisions = read_query(path, limits=limits)
    elif ending(path) == ".xml":
        revisions = read_export(path, limits=limits)
    else:
        raise UsageError(f"{name}: found a file of another kind, expected {_WAYS}")
    collected.check()
    if not revisions:
        raise FormatError([Problem(name, 0, "no revision", _WAYS)])
    return _numbered(sorted(revisions, key=lambda one: one.time), name)


def _of_line(line: _Line) -> Revision:
    if len(line.text) > MOST_CHARACTERS:
        raise BadRecordError(f"a text of {len(line.text):,} characters", f"at most {MOST_CHARACTERS:,}")
    return Revision(
        time=seconds(line.time, "time"),
        text=_clean(line.text),
        id=str(line.id),
        title=line.title,
        author=line.author,
        comment=line.comment,
    )


def _clean(text: str) -> str:
    return text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")


def _numbered(revisions: list[Revision], name: str) -> list[Revision]:
    # Each with an id: its own, else its time, with a number behind it where that is given already.
    given: dict[str, int] = {}
    for at, one in enumerate(revisions, start=1):
        if one.id and one.id in given:
            found = f"revision {one.id[:100]} twice (the {given[one.id]}. and the {at}. by time)"
            raise FormatError([Problem(name, 0, found, "each id once", "take one of them away")])
        if one.id:
            given[one.id] = at
    made = []
    for at, one in enumerate(revisions, start=1):
        own, count = one.id or str(one.time), 1
        while not one.id and own in given:
            count += 1
            own = f"{one.time}-{count}"
        given.setdefault(own, at)
        made.append(replace(one, id=own))
    return made


def _folder(folder: Path, problems: Problems, notes: list[str] | None, limits: Limits) -> list[Revision]:
    passed = Notes()
    revisions = []
    for path, _ in files_below(folder, passed):
        kind = ending(path)
        if kind not in (*_TEXTS, *_PAGES, *_WIKI):
            passed.drop(str(path), "no text, page or wiki markup by its name")
            continue
        time = time_of_name(plain_name(path.name))
        if time is None:
            problems.add(
                str(path), 0, "a name without a time", "one such as 20130724-184100.txt or 1374691260.html"
            )
            continue
        title, text = _text(path, kind, notes, limits)
        if not text:
            passed.drop(str(path), "without text")
            continue
        if len(text) > MOST_CHARACTERS:
            raise LimitError(f"{path}: found {len(text):,} characters, expected at most {MOST_CHARACTERS:,}")
        revisions.append(Revision(time=time, text=text, id=str(path.relative_to(folder)), title=title))
    if notes is not None:
        notes += [f"{folder}: passed over {count:,} files: {why}" for why, count in passed.dropped.items()]
    return revisions


def _text(path: Path, kind: str, notes: list[str] | None, limits: Limits) -> tuple[str, str]:
    if kind in _PAGES:
        content = Content(str(path), path=path)
        item = page_item(content.read(limits), content, ReadingOptions())
        return item.title, _clean(item.text)
    text = read_text(path, notes=notes, limits=limits)
    return "", _clean(without_markup(text) if kind in _WIKI else text)


def time_of_name(name: str) -> int | None:
    """The time in a file's name, in seconds UTC; None where it has none.

    >>> names = ["1374691260.txt", "2013-07-24T18:41:00Z.html", "page-20130724-184100.md", "2013-07-24T20-41+0200.txt"]
    >>> {time_of_name(name) for name in names}
    {1374691260}
    >>> time_of_name("2013-07-24.txt"), time_of_name("notes-2.txt")
    (1374624000, None)
    """
    for match in _DATE.finditer(name):
        year, _, month, day, hour, minute, second, zone = match.groups()
        try:
            moment = datetime(
                int(year),
                int(month),
                int(day),
                int(hour or 0),
                int(minute or 0),
                int(second or 0),
                tzinfo=_zone(zone),
            )
        except ValueError:
            continue
        at = int(moment.timestamp())
        if 0 <= at <= LATEST_TIME:
            return at
    epoch = _EPOCH.search(name)
    return int(epoch[1]) if epoch is not None else None


def _zone(zone: str | None) -> timezone:
    if zone is None or zone[0] not in "+-":
        return UTC
    shift = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
    return timezone(shift if zone[0] == "+" else -shift)
