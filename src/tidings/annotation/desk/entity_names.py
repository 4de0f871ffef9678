"""Where a text says one of some names, as a person would see it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import east_asian_width

__all__ = ["NameFinder", "parts_of"]

_WITHOUT_BLANKS = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
"""Thai and Lao, Burmese, Khmer: words stand without blanks between them, as in Chinese and Japanese."""
_APOSTROPHES = "'’ʼ"
_MOST_NAMES = 200
_MOST_CHARACTERS = 300


class NameFinder:
    """Finds names as whole words, written as they are given, with a capital in front, or all in capitals.

    `us` is not found where `US` is asked for, nor `may` where `May` is: only what is given in small letters is found
    with others. Endings that a language adds to names are not known.

    >>> finder = NameFinder(["Alberto Núñez Feijóo", "Feijóo", "class 730"])
    >>> finder.spans("FEIJÓO: the Class 730 train"), finder.spans("the Feijóos")
    ([(0, 6), (12, 21)], [])
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._pattern = _pattern(tuple(dict.fromkeys(" ".join(name.split()) for name in names)))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Half-open spans of characters, in order; the longest name where several begin at one place."""
        if self._pattern is None:
            return []
        return [match.span() for match in self._pattern.finditer(text)]

    def names_one(self, text: str) -> bool:
        """Whether the text says any of them."""
        return self._pattern is not None and self._pattern.search(text) is not None


@lru_cache(maxsize=4_096)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    written: dict[str, None] = {}
    for name in names[:_MOST_NAMES]:
        if name and len(name) <= _MOST_CHARACTERS:
            for form in (name, name[0].upper() + name[1:], name.upper()):
                written[form] = None
    if not written:
        return None
    return re.compile("|".join(map(_one, sorted(written, key=lambda form: (-len(form), form)))))


def _one(name: str) -> str:
    words = r"\s+".join(
        "".join(f"[{_APOSTROPHES}]" if char in _APOSTROPHES else re.escape(char) for char in word)
        for word in name.split()
    )
    before = r"(?<!\w)" if _bounded(name[0]) else ""
    after = r"(?!\w)" if _bounded(name[-1]) else ""
    return f"{before}{words}{after}"


def _bounded(char: str) -> bool:
    # Whether a word that begins or ends with it has to end there.
    if not (char.isalnum() or char == "_"):
        return False
    return east_asian_width(char) != "W" and not any(
        low <= ord(char) <= high for low, high in _WITHOUT_BLANKS
    )


def parts_of(text: str, names: Iterable[str]) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is one of the names.

    >>> parts_of("In Angrois it rains.", ["Angrois"])
    [('In ', False), ('Angrois', True), (' it rains.', False)]
    """
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in NameFinder(names).spans(text):
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    pieces.append((text[at:], False))
    return [(piece, named) for piece, named in pieces if piece]
