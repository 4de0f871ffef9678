"""Revision histories: what a page said at which time, as folders of texts, JSON Lines, and MediaWiki's two forms.

MediaWiki's forms are the answer to `action=query&prop=revisions`, and the XML of its exports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from xml.parsers import expat

import msgspec
from msgspec import Struct
from msgspec.structs import replace

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
    open_bytes,
    plain_name,
    quote_value,
    read_jsonl,
    read_text,
    seconds,
    source_name,
)
from tidings.sources import files_below, page_item

_OUT = re.compile(
    r"<!--.*?(?:-->|\Z)|<ref\b[^<>]*/>|<(ref|gallery|math|timeline|syntaxhighlight)\b[^<>]*>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}")
_BRACKETS = re.compile(r"\[\[|\]\]")
_ADDRESS = re.compile(r"\[(?:https?:)?//[^\s\[\]]+ ?([^\[\]\n]*)\]")
_QUOTES = re.compile(r"'{2,5}")
_NAMED = {"&nbsp;": " ", "&ndash;": "\N{EN DASH}", "&mdash;": "\N{EM DASH}", "&lt;": "<", "&gt;": ">", "&quot;": '"',
          "&amp;": "&"}  # fmt: skip
_ENTITY = re.compile("|".join(_NAMED))
_FILES = re.compile(
    r"(?:file|image|category|datei|bild|kategorie|fichier|catégorie|archivo|categoría)\s*:", re.IGNORECASE
)


def without_markup(text: str) -> str:
    """The text of a page, a line for each paragraph, heading and item.

    >>> without_markup("{{Infobox|dead=4}}A '''train''' left [[rail|the rails]].<ref>[http://a.org A]</ref>")
    'A train left the rails.'
    """
    text = _resolve(_OUT.sub("", text), _BRACES, ("{{", "{|"), lambda inner: "")
    text = _resolve(text, _BRACKETS, ("[[",), _label)
    text = _QUOTES.sub("", _TAG.sub("", _ADDRESS.sub(r"\1", text)))
    text = _ENTITY.sub(lambda match: _NAMED[match[0]], text)
    lines = (" ".join(_without_lead(line.strip()).split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _without_lead(line: str) -> str:
    # Without what makes it a heading or an item.
    return line.strip("=") if line.startswith("=") and line.endswith("=") else line.lstrip("*#:;")


def _label(inner: str) -> str:
    if _FILES.match(inner):
        return ""
    return inner.rsplit("|", 1)[-1].lstrip(":")


def _resolve(text: str, marks: re.Pattern[str], opening: tuple[str, ...], shown: Callable[[str], str]) -> str:
    # In one pass, the innermost first: what stands between marks as `shown` gives it; what never ends stays.
    stack: list[tuple[str, list[str]]] = [("", [])]
    place = 0
    for match in marks.finditer(text):
        stack[-1][1].append(text[place : match.start()])
        place = match.end()
        mark = match[0]
        if mark in opening:
            stack.append((mark, []))
        elif len(stack) > 1:
            _, parts = stack.pop()
            stack[-1][1].append(shown("".join(parts)))
        else:
            stack[-1][1].append(mark)
    stack[-1][1].append(text[place:])
    return "".join(mark + "".join(parts) for mark, parts in stack)


MOST_BYTES = 512 << 20  # of an export of a page with its history
_CHUNK = 1 << 18  # bytes read at a time
_DEPTH = 32  # of elements within each other
_MEND = "ask for one title, with rvprop=ids|timestamp|user|comment|content and rvslots=main"


def read_query(path: str | Path, *, limits: Limits = LIMITS) -> list[Revision]:
    """The revisions of one page in an answer of MediaWiki's API, as they stand there.

    Raises:
        FormatError: it is none, or of more than one page, or has a revision without time or text.
        LimitError: it is larger than 512 MiB.
    """
    name = source_name(path)
    with open_bytes(path, limits=limits) as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise LimitError(
            f"{name}: more than {MOST_BYTES >> 20} MiB, too long for the history of one page. Split it."
        )
    try:
        whole = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError([Problem(name, 0, f"no JSON ({error})", "an answer of MediaWiki's API")]) from None
    pages = _pages(whole)
    if len(pages) != 1:
        found = f"{len(pages)} pages with revisions" if pages else "no page with revisions"
        raise FormatError([Problem(name, 0, found, "one page of `query` with its `revisions`", _MEND)])
    title = pages[0].get("title")
    revisions = []
    for at, revision in enumerate(pages[0]["revisions"]):
        where = f"revision {at + 1} of the page"
        if not isinstance(revision, dict):
            raise FormatError([Problem(name, 0, f"{where} that is no object", "an object", _MEND)])
        text = _content(revision)
        if text is None:
            if "texthidden" in revision or "suppressed" in revision:
                continue
            raise FormatError([Problem(name, 0, f"{where} without its text", "its text", _MEND)])
        time = _time(revision.get("timestamp"), name, 0)
        revisions.append(
            Revision(
                time=time,
                text=without_markup(text),
                id=_word(revision.get("revid")),
                title=_word(title),
                author=_word(revision.get("user")),
                comment=_word(revision.get("comment")),
            )
        )
    return revisions


def _pages(whole: Any) -> list[dict[str, Any]]:
    query = whole.get("query") if isinstance(whole, dict) else None
    pages = query.get("pages") if isinstance(query, dict) else None
    listed = list(pages.values()) if isinstance(pages, dict) else pages if isinstance(pages, list) else []
    return [page for page in listed if isinstance(page, dict) and isinstance(page.get("revisions"), list)]


def _content(revision: dict[str, Any]) -> str | None:
    slots = revision.get("slots")
    main = slots.get("main") if isinstance(slots, dict) else revision
    holder = main if isinstance(main, dict) else {}
    found = holder.get("content", holder.get("*"))
    return found if isinstance(found, str) else None


def _word(value: Any) -> str:
    return str(value) if isinstance(value, (str, int)) else ""


def _time(stated: Any, name: str, line: int) -> int:
    try:
        if not isinstance(stated, str):
            raise BadRecordError("no timestamp", "a timestamp such as 2013-07-24T18:41:00Z")
        return seconds(stated, "timestamp")
    except BadRecordError as error:
        raise FormatError([Problem(name, line, error.found, error.expected)]) from None


class _Export:
    # Collects the revisions of one page from the parser's calls, a revision at a time.

    def __init__(self, name: str) -> None:
        self.name = name
        self.revisions: list[Revision] = []
        self._path: list[str] = []
        self._parts: list[str] = []
        self._fields: dict[str, str] = {}
        self._title = ""
        self._pages = 0
        self._characters = 0
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._open
        self.parser.EndElementHandler = self._close
        self.parser.CharacterDataHandler = self._text

    def refuse(self, found: str, expected: str, mend: str = "") -> FormatError:
        return FormatError([Problem(self.name, self.parser.CurrentLineNumber, found, expected, mend)])

    def _doctype(self, *_: object) -> None:
        raise self.refuse(
            "a document type (DOCTYPE)", "plain XML without one", "remove it; exports have none"
        )

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        self._path.append(tag)
        if len(self._path) > _DEPTH or (len(self._path) == 1 and tag != "mediawiki"):
            raise self.refuse(
                f"the element {quote_value(tag)}",
                "<mediawiki>, an export of a wiki",
                "check that this is the right file",
            )
        if tag == "page":
            self._pages += 1
            if self._pages > 1:
                raise self.refuse("a second <page>", "the history of one page", "export one title")
        elif tag == "revision":
            self._fields = {}
        elif tag == "text" and "deleted" in attributes:
            self._fields["deleted"] = "deleted"
        self._parts = []

    def _text(self, text: str) -> None:
        self._characters += len(text)
        if self._characters > MOST_BYTES:
            raise LimitError(f"{self.name}: more than {MOST_BYTES >> 20} MiB of text. Split it.")
        self._parts.append(text)

    def _close(self, tag: str) -> None:
        self._path.pop()
        text, self._parts = "".join(self._parts), []
        above = self._path[-1] if self._path else ""
        if tag == "title" and above == "page":
            self._title = text
        elif tag == "revision":
            self._end_revision()
        elif above in ("revision", "contributor") and tag in _FIELDS and (tag != "id" or above == "revision"):
            self._fields.setdefault(_FIELDS[tag], text)

    def _end_revision(self) -> None:
        fields = self._fields
        if "deleted" in fields:
            return
        time = _time(fields.get("time"), self.name, self.parser.CurrentLineNumber)
        self.revisions.append(
            Revision(
                time=time,
                text=without_markup(fields.get("text", "")),
                id=fields.get("id", ""),
                title=self._title,
                author=fields.get("author", ""),
                comment=fields.get("comment", ""),
            )
        )


_FIELDS = {
    "id": "id",
    "timestamp": "time",
    "username": "author",
    "ip": "author",
    "comment": "comment",
    "text": "text",
}


def read_export(path: str | Path, *, limits: Limits = LIMITS) -> list[Revision]:
    """The revisions of the one page of an export (`pages-meta-history`, Special:Export), as they stand there.

    No document type is read and no entity expanded. Revisions whose text was deleted are left out.

    Raises:
        FormatError: it is no such export, is of more than one page, or has a revision without a time.
        LimitError: it has more than 512 MiB of text.
    """
    name = source_name(path)
    export = _Export(name)
    try:
        with open_bytes(path, limits=limits) as file:
            for chunk in _chunks(file):
                export.parser.Parse(chunk, False)
        export.parser.Parse(b"", True)
    except expat.ExpatError as error:
        fault = f"bad XML ({expat.ErrorString(error.code)})"
        raise FormatError([Problem(name, error.lineno, fault, "an export of MediaWiki")]) from None
    except (LookupError, ValueError) as error:
        raise export.refuse(f"an encoding that is not known ({error})", "UTF-8", "save it as UTF-8") from None
    return export.revisions


def _chunks(file: Any) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


MOST_CHARACTERS = 4_000_000  # of one revision
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
        raise UsageError(f"{name}: not a history of revisions. Use {_WAYS}.")
    collected.check()
    if not revisions:
        raise FormatError([Problem(name, 0, "no revision", _WAYS)])
    return _number(sorted(revisions, key=lambda revision: revision.time), name)


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


def _number(revisions: list[Revision], name: str) -> list[Revision]:
    # Each with an id: its own, else its time, with a number behind it where that is given already.
    given: dict[str, int] = {}
    for at, revision in enumerate(revisions, start=1):
        if revision.id and revision.id in given:
            found = f"revision {revision.id[:100]} twice (the {given[revision.id]}. and the {at}. by time)"
            raise FormatError([Problem(name, 0, found, "each id once", "take one of them away")])
        if revision.id:
            given[revision.id] = at
    numbered = []
    for at, revision in enumerate(revisions, start=1):
        own, count = revision.id or str(revision.time), 1
        while not revision.id and own in given:
            count += 1
            own = f"{revision.time}-{count}"
        given.setdefault(own, at)
        numbered.append(replace(revision, id=own))
    return numbered


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
            passed.drop(str(path), "Enter a text")
            continue
        if len(text) > MOST_CHARACTERS:
            raise LimitError(f"{path}: {len(text):,} characters; at most {MOST_CHARACTERS:,} are allowed")
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
