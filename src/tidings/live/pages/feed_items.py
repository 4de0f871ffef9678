"""An event's latest updates as the entries of a feed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import NAMESPACE_URL, uuid5

from msgspec import Struct

from tidings.core import Event, Update, safe_url
from tidings.live.store import NumberedOutput

__all__ = ["FeedItem", "feed_id", "feed_items", "readable"]

_WIDEST_TITLE = 110
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]")


class FeedItem(Struct, frozen=True, kw_only=True):
    """One entry: an id that stays, where it stands on our pages, what it says, since when, and who said so where."""

    id: str
    link: str
    title: str
    text: str
    time: int
    outlet: str
    source_title: str
    source_link: str


def readable(text: str) -> str:
    r"""The text without what XML cannot hold.

    >>> readable("a\x00\ud800 b\ufffe")
    'a b'
    """
    return _NOT_XML.sub("", text)


def feed_id(run: str, event: Event) -> str:
    """The id of an event's feed: the same wherever it is served."""
    return _urn("event", run, event.id)


def _urn(*parts: object) -> str:
    return uuid5(NAMESPACE_URL, "tidings:" + "\x1f".join(map(ascii, parts))).urn


def feed_items(run: str, site: str, page: str, updates: Sequence[NumberedOutput]) -> list[FeedItem]:
    """The entries of updates, in their order.

    Args:
        run: the name of the run.
        site: the address under which the site is reached, without a slash in the end.
        page: the event's page on it.
        updates: what was told; what is no update is left out.
    """
    return [_item(run, f"{site}{page}", one.seq, one.output) for one in updates if _is_update(one)]  # type: ignore[arg-type]


def _is_update(numbered: NumberedOutput) -> bool:
    return isinstance(numbered.output, Update)


def _item(run: str, page: str, seq: int, update: Update) -> FeedItem:
    # The id is made of what was told, and not of its number or address: told again in a run that is begun anew, or
    # served elsewhere, it is no news to whoever has read it.
    text = readable(update.text).strip() or "(no text)"
    return FeedItem(
        id=_urn("update", run, update.event_id, update.id, update.time),
        link=f"{page}/updates/{seq}",
        title=_title(text),
        text=text,
        time=update.time,
        outlet=readable(update.source).strip(),
        source_title=readable(update.title).strip(),
        source_link=safe_url(update.url),
    )


def _title(text: str) -> str:
    """The beginning of a text, up to the end of a word.

    >>> len(_title("word " * 100)), _title("A storm.")
    (105, 'A storm.')
    """
    text = " ".join(text.split())
    if len(text) <= _WIDEST_TITLE:
        return text
    begin = text[: _WIDEST_TITLE - 1]
    return f"{begin.rsplit(' ', 1)[0] if ' ' in begin else begin}…"
