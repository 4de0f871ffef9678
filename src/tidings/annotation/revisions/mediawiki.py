"""Histories as MediaWiki gives them: the answer to `action=query&prop=revisions`, and the XML of its exports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.parsers import expat

import msgspec

from tidings.annotation.revisions.wikitext import without_markup
from tidings.core import (
    LIMITS,
    BadRecordError,
    FormatError,
    LimitError,
    Limits,
    Problem,
    Revision,
    named,
    open_bytes,
    quote_value,
    seconds,
)

__all__ = ["read_export", "read_query"]

MOST_BYTES = 512 << 20
_CHUNK = 1 << 18
_DEPTH = 32
_MEND = "ask for one title, with rvprop=ids|timestamp|user|comment|content and rvslots=main"


def read_query(path: str | Path, *, limits: Limits = LIMITS) -> list[Revision]:
    """The revisions of one page in an answer of MediaWiki's API, as they stand there.

    Raises:
        FormatError: it is none, or of more than one page, or has a revision without time or text.
        LimitError: it is larger than 512 MiB.
    """
    name = named(path)
    with open_bytes(path, limits=limits) as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise LimitError(
            f"{name}: found more than {MOST_BYTES >> 20} MiB, expected the history of one page; split it"
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
    for at, one in enumerate(pages[0]["revisions"]):
        where = f"revision {at + 1} of the page"
        if not isinstance(one, dict):
            raise FormatError([Problem(name, 0, f"{where} that is no object", "an object", _MEND)])
        text = _content(one)
        if text is None:
            if "texthidden" in one or "suppressed" in one:
                continue
            raise FormatError([Problem(name, 0, f"{where} without its text", "its text", _MEND)])
        time = _time(one.get("timestamp"), name, 0)
        revisions.append(
            Revision(
                time=time,
                text=without_markup(text),
                id=_word(one.get("revid")),
                title=_word(title),
                author=_word(one.get("user")),
                comment=_word(one.get("comment")),
            )
        )
    return revisions


def _pages(whole: Any) -> list[dict[str, Any]]:
    query = whole.get("query") if isinstance(whole, dict) else None
    pages = query.get("pages") if isinstance(query, dict) else None
    listed = list(pages.values()) if isinstance(pages, dict) else pages if isinstance(pages, list) else []
    return [one for one in listed if isinstance(one, dict) and isinstance(one.get("revisions"), list)]


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
            raise LimitError(
                f"{self.name}: found more than {MOST_BYTES >> 20} MiB of text, expected less; split it"
            )
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
    name = named(path)
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
