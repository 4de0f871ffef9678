"""Items of feeds a second beside feedparser and fastfeedparser: rows of (what, amount per second, unit, note)."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from bench.text_speed import best
from tidings.core.files.reading import Content
from tidings.sources.feeds.feed import read_feed
from tidings.sources.feeds.markup import plain_text

Row = tuple[str, float, str, str]
_ITEM = (
    "<item><title>A ferry burns off the coast, {0} saved</title><guid>{0}</guid><link>https://a.org/{0}</link>"
    "<description>&lt;p&gt;Two ships met at sea on day {0}.&lt;/p&gt;</description>"
    "<pubDate>Tue, 17 Feb 2026 08:30:00 GMT</pubDate></item>"
)


def rows(data: Path) -> list[Row]:
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

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            ("feeds read", best(lambda: [list(read_feed(content)) for content in contents])),
            (
                "feeds by fastfeedparser, markup as it is",
                best(lambda: [fastfeedparser.parse(feed) for feed in feeds]),
            ),
            (
                "feeds by fastfeedparser, markup taken off",
                best(
                    lambda: [
                        [without_markup(one) for one in fastfeedparser.parse(feed).entries] for feed in feeds
                    ]
                ),
            ),
            (
                "feeds by feedparser, markup made safe",
                best(lambda: [feedparser.parse(feed) for feed in feeds], 1),
            ),
        ]
