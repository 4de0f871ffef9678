"""A page as it stood at one time."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Revision"]


class Revision(Struct, frozen=True, kw_only=True):
    """One text of a page's history.

    >>> Revision(time=1374692280, text="A train left the rails.").title
    ''

    Args:
        time: from when on the page said so, in seconds UTC.
        text: all that it said, as plain text.
        id: unique in its history.
        title: of the page then.
        author: who changed it.
        comment: why, as they said.
    """

    time: int
    text: str
    id: str = ""
    title: str = ""
    author: str = ""
    comment: str = ""
