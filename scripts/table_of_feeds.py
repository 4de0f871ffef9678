"""The share of feedparser's own test files that each reader of feeds gets right: ours, feedparser, fastfeedparser.

A file says in a comment what is expected of it (`entries[0]['title'] == 'Example'`). What concerns titles, links,
dates, texts, languages and ids is compared, by the same rules for all three readers: titles and texts as they stand or
after markup is taken off on both sides, dates as seconds, links without a slash at their end.

    python scripts/table_of_feeds.py [feedparser-tests.tgz]
"""

from __future__ import annotations

import argparse
import ast
import calendar
import re
import sys
import tarfile
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any, cast

from tidings.core.errors import TidingsError
from tidings.core.files.reading import Content
from tidings.core.text.stated_times import StatedTimes
from tidings.sources.feeds.feed import read_channel, read_feed
from tidings.sources.feeds.markup import plain_text

ARCHIVE = Path("../shared/data/feeds/feedparser-tests.tgz")
READERS = ("tidings", "feedparser", "fastfeedparser")
GROUPS = ("wellformed", "entities", "encoding", "illformed", "json")
FIELDS = {
    "title": "title", "title_detail": "title", "link": "link", "summary": "text", "description": "text",
    "content": "text", "summary_detail": "text", "published": "date", "updated": "date", "created": "date",
    "published_parsed": "date", "updated_parsed": "date", "created_parsed": "date", "language": "language",
    "tagline": "text", "info": "text", "subtitle": "text", "id": "id", "guid": "id",
}  # fmt: skip
COLUMNS = ("title", "link", "date", "text", "language", "id")
_EXPECT = re.compile(r"Expect:\s*(.*?)\s*-->", re.DOTALL)
_HEADER = re.compile(r"^\s*Header:\s+([^:]+):\s*(.*?)\s*$", re.MULTILINE)
_ADDRESS = "http://127.0.0.1:8097/"


@dataclass(frozen=True)
class Expectation:
    """What one file wants: that a field of its feed (`entry` None) or of an item is a value."""

    file: str
    entry: int | None
    field: str
    value: Any


@dataclass(frozen=True)
class Case:
    """A test file as its reader gets it."""

    name: str
    data: bytes
    url: str
    content_type: str
    expectations: tuple[Expectation, ...]


def cases(archive: Path) -> Iterator[Case]:
    """The files that say what they expect of what is compared here."""
    with tarfile.open(archive) as files:
        for member in sorted(files.getmembers(), key=lambda one: one.name):
            parts = member.name.split("/")
            if not member.isfile() or not member.name.endswith(".xml") or not set(parts) & set(GROUPS):
                continue
            data = cast("Any", files.extractfile(member)).read()
            name = "/".join(parts[next(at for at, part in enumerate(parts) if part in GROUPS) :])
            yield case(name, data)


def case(name: str, data: bytes) -> Case:
    """One file with its expectations and the headers that its comment asks for."""
    text = text_of(data)
    match = _EXPECT.search(text)
    headers = {key.lower(): value for key, value in _HEADER.findall(text[:2000])}
    address = f"{_ADDRESS}tests/{name}"
    if place := headers.get("content-location"):
        address = place if "://" in place else _ADDRESS + place.lstrip("/")
    wanted = tuple(expectations(name, match[1])) if match else ()
    return Case(name, data, address, headers.get("content-type", ""), wanted)


def text_of(data: bytes) -> str:
    """Enough of a file to read its comment."""
    for mark, codec in ((b"\xff\xfe\0\0", "utf-32"), (b"\0\0\xfe\xff", "utf-32"), (b"\xff\xfe", "utf-16"),
                        (b"\xfe\xff", "utf-16"), (b"\0\0\0<", "utf-32-be"), (b"<\0\0\0", "utf-32-le"),
                        (b"\0<", "utf-16-be"), (b"<\0", "utf-16-le")):  # fmt: skip
        if data.startswith(mark):
            return data.decode(codec, "replace")
    return data.decode("utf-8", "replace")


def expectations(name: str, expression: str) -> Iterator[Expectation]:
    """The equalities of an expression that concern what is compared."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(" ".join(expression.split()), mode="eval").body
    except SyntaxError:
        return
    for part in tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]:
        if isinstance(part, ast.Compare) and len(part.ops) == 1 and isinstance(part.ops[0], ast.Eq):
            path = subscripts(part.left)
            try:
                value = ast.literal_eval(part.comparators[0])
            except ValueError:
                continue
            if path and path[0] == "entries" and len(path) > 2:
                entry, rest = path[1], path[2:]
            elif path and path[0] == "feed":
                entry, rest = None, path[1:]
            else:
                continue
            column = FIELDS.get(str(rest[0])) if rest else None
            if rest[-1] == "language" and (entry is not None or len(rest) == 1):
                column = "language"
            elif len(rest) > 1 and rest[-1] != "value":
                continue
            if column and (entry is not None or column in ("title", "link", "language", "text")):
                yield Expectation(name, cast("int | None", entry), column, value)


def subscripts(node: ast.expr) -> list[Any]:
    """`entries[0]['title']` as its parts."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [*subscripts(node.value), node.attr]
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return [*subscripts(node.value), node.slice.value]
    return []


def read_by_tidings(one: Case) -> dict[str, Any]:
    """What this reader makes of a file: texts of its feed and of its items."""
    content = Content(one.name, data=one.data, url=one.url, content_type=one.content_type)
    try:
        items = list(read_feed(content))
    except TidingsError:
        items = []
    channel = read_channel(content)
    return {
        "feed": {"title": [channel.title], "link": [channel.url], "language": [channel.language],
                 "text": [channel.description]},
        "entries": [
            {"title": [item.title], "link": [item.url], "text": [item.text or item.title], "id": [item.id],
             "language": [item.language], "date": [item.published, item.updated]}
            for item in items
        ],
    }  # fmt: skip


def read_by_a_peer(one: Case, parse: Any) -> dict[str, Any]:
    """The same of feedparser, and of what gives the same names."""
    read = parse(one)

    def first(entry: Any, *names: str) -> list[Any]:
        return [entry.get(name) for name in names]

    def shown(entry: Any) -> dict[str, list[Any]]:
        contents = [part for part in entry.get("content") or () if isinstance(part, dict)]
        details = [entry.get(name) or {} for name in ("title_detail", "summary_detail", "content_detail")]
        return {
            "title": first(entry, "title"),
            "link": first(entry, "link"),
            "id": first(entry, "id", "guid"),
            "text": [part.get("value") for part in contents]
            + first(entry, "summary", "description", "subtitle", "tagline", "info"),
            "language": [part.get("language") for part in (*contents, *details)] + first(entry, "language"),
            "date": first(entry, "published", "updated", "created"),
        }

    feed, entries = read.get("feed") or {}, read.get("entries") or []
    return {"feed": shown(feed), "entries": [shown(entry) for entry in entries]}


def parse_by_feedparser(one: Case) -> Any:
    """feedparser, with the headers that the file asks for."""
    import feedparser

    headers = {"content-location": one.url}
    if one.content_type:
        headers["content-type"] = one.content_type
    return feedparser.parse(one.data, response_headers=headers)


def parse_by_fastfeedparser(one: Case) -> Any:
    """fastfeedparser: it takes no headers."""
    import fastfeedparser

    return fastfeedparser.parse(one.data)


def is_right(wanted: Expectation, read: dict[str, Any]) -> bool:
    """Whether what was read holds what is expected."""
    entries = read["entries"]
    if wanted.entry is not None and wanted.entry >= len(entries):
        return False
    of = read["feed"] if wanted.entry is None else entries[wanted.entry]
    expected = forms(wanted.field, wanted.value)
    return any(expected & forms(wanted.field, value) for value in of.get(wanted.field, []))


def forms(field: str, value: Any) -> set[Any]:
    """The forms of a value in which all readers are compared: as it stands, and without markup."""
    if field in ("title", "text"):
        text = "" if value is None else str(value)
        return {" ".join(unescape(text).split()), " ".join(plain_text(text, is_markup=True).split())}
    return {compared(field, value)}


def compared(field: str, value: Any) -> Any:
    """The same of a date, a link, a language or an id."""
    if field == "date":
        return seconds(value)
    text = "" if value is None else str(value)
    if field == "link":
        return text.rstrip("/")
    if field == "language":
        return text.replace("_", "-").lower()
    return text.strip()


def seconds(value: Any) -> int | None:
    """A date as seconds UTC: a tuple of feedparser's, or text."""
    if isinstance(value, tuple | time.struct_time):
        return calendar.timegm(tuple(value))
    return StatedTimes().read(value) if value else None


def scores(archive: Path, *, shown: str = "") -> dict[str, dict[tuple[str, str], Counter[bool]]]:
    """For each reader, group and field: how many expectations are met and missed."""
    counts: dict[str, dict[tuple[str, str], Counter[bool]]] = {
        reader: defaultdict(Counter) for reader in READERS
    }
    for one in cases(archive):
        if not one.expectations:
            continue
        for reader in READERS:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    if reader == "tidings":
                        read = read_by_tidings(one)
                    else:
                        parse = parse_by_feedparser if reader == "feedparser" else parse_by_fastfeedparser
                        read = read_by_a_peer(one, parse)
            except (TidingsError, ValueError):
                read = {"feed": {}, "entries": []}
            for wanted in one.expectations:
                right = is_right(wanted, read)
                counts[reader][(one.name.split("/")[0], wanted.field)][right] += 1
                if shown == reader and not right:
                    of = (
                        read["feed"]
                        if wanted.entry is None
                        else read["entries"][wanted.entry : wanted.entry + 1]
                    )
                    print(one.name, wanted.field, "expected", repr(wanted.value), "read", of, file=sys.stderr)
    return counts


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("archive", nargs="?", type=Path, default=ARCHIVE)
    parser.add_argument(
        "--missed-by", default="", choices=["", *READERS], help="print what this reader misses"
    )
    arguments = parser.parse_args()
    counts = scores(arguments.archive, shown=arguments.missed_by)
    print("| files | field | expectations | " + " | ".join(READERS) + " |")
    print("|---|---|--:|" + "--:|" * len(READERS))
    keys = sorted(counts["tidings"], key=lambda key: (GROUPS.index(key[0]), COLUMNS.index(key[1])))
    for group, field in keys:
        row = [counts[reader][(group, field)] for reader in READERS]
        print(f"| {group} | {field} | {row[0].total()} | " + " | ".join(map(share, row)) + " |")
    totals = [sum(counts[reader].values(), Counter()) for reader in READERS]
    print(f"| all | all | {totals[0].total()} | " + " | ".join(map(share, totals)) + " |")


def share(counted: Counter[bool]) -> str:
    """Of all, how many are right, in per cent."""
    return f"{100 * counted[True] / counted.total():.1f}"


if __name__ == "__main__":
    main()
