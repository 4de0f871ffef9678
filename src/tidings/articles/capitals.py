"""Text in capitals, as tickers and some headlines are written: read as if it were written as others are."""

from __future__ import annotations

__all__ = ["lowered"]

_SHARE = 0.8
_FEWEST_LETTERS = 12


def lowered(text: str) -> str:
    """The text in small letters behind its first one where nearly all of it is in capitals, else as it is.

    It keeps its length, so that places in the one are places in the other.

    >>> lowered("FERRY FIRE OFF NADOR KILLS 12, POLICE SAY."), lowered("NATO and the EU agree")
    ('Ferry fire off nador kills 12, police say.', 'NATO and the EU agree')
    """
    letters = sum(map(str.isalpha, text))
    if letters < _FEWEST_LETTERS or sum(map(str.isupper, text)) < _SHARE * letters:
        return text
    small = text[:1] + text[1:].lower()
    return small if len(small) == len(text) else text
