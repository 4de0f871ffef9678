"""What a reader finds where somebody else's file tells of one document, before it is understood."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Item"]


class Item(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One article, post or wire report as a feed, a page, a row of a table or an archive holds it.

    Everything is as it was written there, but that `title` and `text` are plain text: markup is taken off by the
    reader, paragraphs stand on lines of their own. What becomes of it (time, language, which other item it repeats) is
    decided by `tidings.sources.items`, which sees all items.

    Args:
        origin: where it stands, for messages: `world.xml:12`, `saved.zip!fire.html`.
        id: by which its outlet calls it (guid, atom:id, a column); "" where it has none.
        title: of the document, on one line.
        text: what it says; "" where there is a title alone.
        sentences: the same where the source has cut it; then `text` is "".
        url: where it stands on the web, without what only counts readers.
        source: the outlet.
        language: as declared there (`en-GB`); "" where nothing is.
        published: when it was published, as written there: text, or seconds or milliseconds since 1970.
        updated: when it was last changed, the same.
        file_time: when its file was last changed, in seconds UTC: used only where that is asked for.
    """

    origin: str
    id: str = ""
    title: str = ""
    text: str = ""
    sentences: tuple[str, ...] = ()
    url: str = ""
    source: str = ""
    language: str = ""
    published: str | int | float | None = None
    updated: str | int | float | None = None
    file_time: int | None = None
