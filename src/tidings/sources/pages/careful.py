"""Pages read by trafilatura: more careful, and slower (the extra `quality`)."""

from __future__ import annotations

from tidings.core import UsageError

__all__ = ["careful_text"]


def careful_text(data: bytes, name: str) -> str:
    """The text of a page's article, a paragraph a line; "" where trafilatura finds none.

    Raises:
        UsageError: trafilatura is not installed.
    """
    try:
        from trafilatura import extract
    except ImportError:
        raise UsageError(
            "pages read with quality need trafilatura; install it with: pip install 'tidings[quality]'"
        ) from None
    try:
        text: str | None = extract(data, include_comments=False, include_tables=False)
    except (ValueError, RecursionError, AssertionError):  # of lxml, for what it cannot parse
        text = None
    return text or ""
