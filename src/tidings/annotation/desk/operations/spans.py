"""Spans of one text found again in another that says the same, or nearly."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

__all__ = ["realigned"]

_WORD = re.compile(r"\S+")


def realigned(start: int, end: int, text: str, other: str) -> tuple[int, int] | None:
    """Where characters start..end of `text` stand in `other`; None where too little of them does, or they are space.

    Texts that differ by white space alone are aligned by character. Otherwise words are (in any case and without the
    signs around them); the span goes from the first to the last of its words that `other` has in the same place of the
    longest common parts, and half of its words must be among them.

    >>> one, other = "A  ferry burns in port.", "A ferry burns in port."
    >>> start, end = realigned(3, 14, one, other)
    >>> other[start:end]
    'ferry burns'
    >>> start, end = realigned(2, 12, "A big ferry burns.", "Reports: a big ferry is on fire.")
    >>> "Reports: a big ferry is on fire."[start:end]
    'big ferry'
    """
    if not 0 <= start < end <= len(text) or not text[start:end].strip():
        return None
    if text == other:
        return start, end
    if text.split() == other.split():
        return _by_character(start, end, text, other)
    ours, theirs = list(_WORD.finditer(text)), list(_WORD.finditer(other))
    inside = [number for number, word in enumerate(ours) if word.start() < end and word.end() > start]
    if not inside:
        return None
    if len(inside) == len(ours) and theirs:
        return theirs[0].start(), theirs[-1].end()
    matcher = SequenceMatcher(None, [_bare(w) for w in ours], [_bare(w) for w in theirs], autojunk=False)
    place = {
        block.a + step: block.b + step
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }
    met = [place[number] for number in inside if number in place]
    if 2 * len(met) < len(inside) or not met:
        return None
    return theirs[min(met)].start(), theirs[max(met)].end()


def _bare(word: re.Match[str]) -> str:
    return word.group().casefold().strip(".,;:!?\"'()[]“”‘’") or word.group()


def _by_character(start: int, end: int, text: str, other: str) -> tuple[int, int]:
    """The same characters of `other`, white space not counted."""
    first = sum(not char.isspace() for char in text[:start])
    count = sum(not char.isspace() for char in text[start:end])
    places = [place for place, char in enumerate(other) if not char.isspace()]
    return places[first], places[first + count - 1] + 1
