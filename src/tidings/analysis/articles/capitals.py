"""Text in capitals, as tickers and some headlines are written: read as if it were written as others are."""

from __future__ import annotations

__all__ = ["lowered"]

_SHARE = 0.8
_FEWEST_LETTERS = 12
_CAPITALS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = _CAPITALS + _CAPITALS.lower()


def lowered(text: str) -> str:
    """The text in small letters behind its first one where nearly all of it is in capitals, else as it is.

    It keeps its length, so that places in the one are places in the other.

    >>> lowered("FERRY FIRE OFF NADOR KILLS 12, POLICE SAY."), lowered("NATO and the EU agree")
    ('Ferry fire off nador kills 12, police say.', 'NATO and the EU agree')
    """
    letters, capitals = _count(text)
    if letters < _FEWEST_LETTERS or capitals < _SHARE * letters:
        return text
    small = text[:1] + text[1:].lower()
    return small if len(small) == len(text) else text


def _count(text: str) -> tuple[int, int]:
    # Letters, and those that are capitals.
    if not text.isascii():
        return sum(map(str.isalpha, text)), sum(map(str.isupper, text))
    signs = text.encode()
    without = len(signs.translate(None, _CAPITALS))
    return len(signs) - len(signs.translate(None, _LETTERS)), len(signs) - without
