"""The event that comes with tidings: a stream of short news documents and what people judged in it.

The folder is in tidings' own judgments format (event.json, documents.jsonl, nuggets.jsonl and so on).
docs/sources/bundled-event.md says what is true in it, what is simplified and what is invented. The same documents are
there as the outlets' feeds too; beside them stand feeds of three invented outlets, for the demonstration of live pages.
"""

from __future__ import annotations

from pathlib import Path

from tidings.core import UsageError

__all__ = ["demo_feeds", "feeds", "names", "path"]


def names() -> tuple[str, ...]:
    """The names of the bundled events, sorted.

    >>> names()
    ('santiago-2013',)
    """
    folders = Path(__file__).parent.iterdir()
    return tuple(sorted(folder.name for folder in folders if (folder / "event.json").is_file()))


def path(name: str = "santiago-2013") -> Path:
    """The folder of a bundled event; raises UsageError for a name that is not bundled.

    >>> sorted(file.name for file in path().iterdir())[:3]
    ['clusters.jsonl', 'documents.jsonl', 'entities.jsonl']
    """
    folder = Path(__file__).parent / name
    if name not in names():
        raise UsageError(f"no bundled event {name!r}; there is {', '.join(names())}")
    return folder


def feeds() -> Path:
    """The folder with the feeds of the bundled event's outlets, and `feeds.opml`, which lists them.

    >>> (feeds() / "feeds.opml").is_file(), len(list(feeds().iterdir()))
    (True, 11)
    """
    return Path(__file__).parent / "feeds"


def demo_feeds() -> Path:
    """The folder with the feeds of three invented outlets in an invented country, of the days of the bundled event.

    >>> sorted(file.stem for file in demo_feeds().iterdir())
    ['aldmouth-echo', 'brennholm-gazette', 'coast-wire']
    """
    return Path(__file__).parent / "demo-feeds"
