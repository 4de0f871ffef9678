"""Spans of characters, as the desk has them, and of bytes, as the official scorers of TREC files read them."""

from __future__ import annotations

from collections.abc import Collection

from tidings.core import Match

__all__ = ["byte_span", "with_byte_spans"]


def byte_span(text: str, start: int, end: int) -> tuple[int, int]:
    """The offsets in the text's UTF-8 bytes of the characters from `start` up to `end`.

    >>> byte_span("Núñez was there", 6, 9), byte_span("plain", 1, 3)
    ((8, 11), (1, 3))
    """
    if text.isascii():
        return start, end
    first = len(text[:start].encode("utf-8", "surrogateescape"))
    return first, first + len(text[start:end].encode("utf-8", "surrogateescape")) + max(
        0, end - max(len(text), start)
    )


def with_byte_spans(
    matches: list[Match], texts: dict[str, str], listed: Collection[tuple[str, int, int]]
) -> list[Match]:
    """Matches with offsets in bytes; those that a TREC file listed so keep what it said."""
    from msgspec.structs import replace

    made = []
    for match in matches:
        text = texts.get(match.update_id, "")
        if not text.isascii() and (match.update_id, match.start, match.end) not in listed:
            start, end = byte_span(text, match.start, match.end)
            match = replace(match, start=start, end=end)  # noqa: PLW2901 - the same match, in other units
        made.append(match)
    return made
