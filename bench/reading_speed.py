"""What is read each second, beside peers: web archives, feeds, tables, pages."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.frame import Row, best, speed
from tidings.core.files.reading import Content
from tidings.sources.feeds.feed import read_feed
from tidings.sources.feeds.markup import plain_text

RECORDS = 6000


def archive_rows() -> list[Row]:
    """One archive, packed record by record as crawlers do: requests, answers of 2.5 kB of text."""
    from tidings.core.files.reading import Content
    from tidings.sources.archives.web_archive import http_payload, read_records

    data = archive()
    content = Content("a.warc.gz", data=data)

    def ours() -> None:
        assert sum(len(http_payload(one.block).data) > 2000 for one in read_records(content)) == RECORDS / 2

    def fastwarcs() -> None:
        from fastwarc.warc import ArchiveIterator

        records = ArchiveIterator(io.BytesIO(data), fsspec_args=False, auto_decode="all")
        assert sum(len(one.reader.read()) > 2000 for one in records) == RECORDS / 2

    def warcios() -> None:
        from warcio.archiveiterator import ArchiveIterator

        records = ArchiveIterator(io.BytesIO(data))
        assert sum(len(one.content_stream().read()) > 2000 for one in records) == RECORDS / 2

    fault = "breaks off at a fault"
    found = [
        speed("records of WARC, payloads unpacked", RECORDS, ours, "records", "checked, places noted"),
        speed("the same by fastwarc alone", RECORDS, fastwarcs, "records", fault),
    ]
    if find_spec("warcio"):
        found.append(speed("the same by warcio", RECORDS, warcios, "records", fault))
    return found


def archive() -> bytes:
    """A WARC file of requests and answers (seed 1)."""
    rng = random.Random(1)
    words = ["ferry", "fire", "harbour", "rescue", "said", "the", "of", "crew", "island", "morning"]
    members = []
    for number in range(RECORDS):
        if number % 2:
            page = " ".join(rng.choices(words, k=400)).encode()
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: x\r\n\r\n<html><body><p>" + page
        else:
            block = b"GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: crawler\r\n\r\n"
        head = (
            f"WARC/1.0\r\nWARC-Type: {'response' if number % 2 else 'request'}\r\nWARC-Date: 2026-02-17T08:30:00Z\r\n"
            f"WARC-Target-URI: https://example.org/{number}\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
            f"Content-Type: application/http\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        members.append(gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0))
    return b"".join(members)


_ITEM = (
    "<item><title>A ferry burns off the coast, {0} saved</title><guid>{0}</guid><link>https://a.org/{0}</link>"
    "<description>&lt;p&gt;Two ships met at sea on day {0}.&lt;/p&gt;</description>"
    "<pubDate>Tue, 17 Feb 2026 08:30:00 GMT</pubDate></item>"
)


def feed_rows(data: Path) -> list[Row]:
    """Each reader on the same bytes, by CPU time: the news feeds of `data` where they are, and short items."""
    many = "".join(_ITEM.format(number) for number in range(5000))
    sets = [("short items", [f"<rss><channel><title>A Post</title>{many}</channel></rss>".encode()])]
    news = data / "feeds" / "news"
    if news.is_dir():
        sets.append(("news feeds", [path.read_bytes() for path in sorted(news.iterdir())]))
    timed = []
    for name, feeds in sets:
        contents = [Content("feed", data=feed) for feed in feeds]
        count = sum(1 for content in contents for _ in read_feed(content))
        megabytes = sum(map(len, feeds)) / 1e6
        note = f"{name}: {count:,} items, {megabytes:.1f} MB"
        for what, seconds in _times(contents, feeds):
            timed.append((what, count / seconds, "items", note))
    return timed


def _times(contents: list[Content], feeds: list[bytes]) -> list[tuple[str, float]]:
    import fastfeedparser
    import feedparser

    def without_markup(entry: Any) -> str:
        contents = entry.get("content") or [{}]
        return plain_text(contents[0].get("value") or entry.get("description") or "")

    def taken_off() -> None:
        for feed in feeds:
            for entry in fastfeedparser.parse(feed).entries:
                without_markup(entry)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            ("feeds read", best(lambda: [list(read_feed(content)) for content in contents])),
            (
                "feeds by fastfeedparser, markup as it is",
                best(lambda: list(map(fastfeedparser.parse, feeds))),
            ),
            ("feeds by fastfeedparser, markup taken off", best(taken_off)),
            ("feeds by feedparser, markup made safe", best(lambda: list(map(feedparser.parse, feeds)), 1)),
        ]


ROWS = 100_000
REPEATS = 3
_TEXT = (
    "A ferry with {number} people on board caught fire off the port of Nador on Tuesday, the coast guard said. "
    "Boats and two helicopters are on their way; {number} of those on board were brought to land so far, and the "
    'master of the ship, "still on the bridge", reports smoke in the engine room.'
)


def table_rows() -> list[Row]:
    """The best of three passes over each file, and of what the peers do with it."""
    with _files() as (table, lines, whole, parquet):
        found = [
            _measured(
                "CSV", lambda: _items(table), table, "items: columns chosen, quotes mended, markup looked for"
            ),
            _measured("CSV: csv.DictReader", lambda: _dict_reader(table), table, "dicts, no more"),
            _measured("JSON Lines", lambda: _items(lines), lines, "items"),
            _measured("JSON Lines: json.loads", lambda: _json_lines(lines), lines, "dicts, no more"),
            _measured("JSON, one list", lambda: _items(whole), whole, "items"),
            _measured(
                "JSON, one list: json.load",
                lambda: _json_whole(whole),
                whole,
                "dicts, no more; all in memory",
            ),
        ]
        if parquet is not None:
            found.append(_measured("Parquet", lambda: _items(parquet), parquet, "items"))
        try:
            import polars
        except ImportError:
            return found
        for kind, read, path in (
            ("CSV", polars.read_csv, table),
            ("JSON Lines", polars.read_ndjson, lines),
            ("Parquet", polars.read_parquet, parquet),
        ):
            if path is not None:
                rows = partial(lambda read, path: len(read(path).rows()), read, path)
                found.append(_measured(f"{kind}: Polars", rows, path, "tuples; all in memory"))
        return sorted(found)


def _measured(what: str, read: Callable[[], int], path: Path, note: str) -> Row:
    best = float("inf")
    for _ in range(REPEATS):
        began = time.perf_counter()
        count = read()
        best = min(best, time.perf_counter() - began)
        assert count == ROWS
    return (what, ROWS / best, "rows/s", f"{path.stat().st_size / best / 1e6:.0f} MB/s; {note}")


def _items(path: Path) -> int:
    from tidings.core.files.reading import as_content
    from tidings.sources.recognition import recognise

    kind = recognise(as_content(path))
    assert kind is not None
    return sum(1 for _ in kind.read(path))


def _dict_reader(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.DictReader(file))


def _json_lines(path: Path) -> int:
    with path.open(encoding="utf-8") as file:
        return sum(1 for line in file if json.loads(line))


def _json_whole(path: Path) -> int:
    return len(json.loads(path.read_text(encoding="utf-8")))


@contextmanager
def _files() -> Iterator[tuple[Path, Path, Path, Path | None]]:
    records = [
        {
            "id": f"n{number}",
            "published_at": f"2026-02-{1 + number % 28:02d}T{number % 24:02d}:{number % 60:02d}:00Z",
            "headline": f"Ferry on fire off Nador, report {number}",
            "body": _TEXT.format(number=number),
            "link": f"https://wire.example/{number}",
        }
        for number in range(ROWS)
    ]
    with tempfile.TemporaryDirectory() as folder:
        table, lines, whole = (Path(folder) / name for name in ("a.csv", "a.jsonl", "a.json"))
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(records[0]))
            writer.writeheader()
            writer.writerows(records)
        lines.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        whole.write_text(json.dumps(records), encoding="utf-8")
        parquet: Path | None = Path(folder) / "a.parquet"
        try:
            import pyarrow
            from pyarrow import parquet as written

            written.write_table(pyarrow.Table.from_pylist(records), parquet)
        except ImportError:
            parquet = None
        yield table, lines, whole, parquet


def _pages(archive: Path) -> list[bytes]:
    import gzip
    import tarfile

    with tarfile.open(archive) as file:
        members = [one for one in file if one.name.endswith(".html.gz")]
        return [gzip.decompress(part.read()) for one in members if (part := file.extractfile(one))]


def _speed(pages: list[bytes], read: Callable[[bytes], Any]) -> float:
    read(pages[0])
    start = time.process_time()
    for page in pages:
        read(page)
    return len(pages) / (time.process_time() - start)


def _by_tidings(page: bytes) -> None:
    from tidings.core.files.reading import Content
    from tidings.sources.pages.page import read_page

    list(read_page(Content("page", data=page)))


def _by_resiliparse(page: bytes) -> None:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    extract_plain_text(HTMLTree.parse_from_bytes(page, detect_encoding(page)), main_content=True)


def _by_trafilatura(page: bytes) -> None:
    from trafilatura import extract

    extract(page)


def page_rows(archive: Path) -> list[Row]:
    """Real article pages, 200 kB each in the mean, text and metadata; the peers read the text alone."""
    pages = _pages(archive)
    found = [
        ("pages by tidings", _speed(pages, _by_tidings), "pages", "text and metadata"),
        ("pages by resiliparse", _speed(pages, _by_resiliparse), "pages", "main content alone"),
    ]
    if find_spec("trafilatura"):
        found.append(("pages by trafilatura", _speed(pages, _by_trafilatura), "pages", "text alone"))
    return found
