"""Names that outlets spell differently: Gaddafi, Gadhafi, Qaddafi."""

from __future__ import annotations

import re
from functools import lru_cache

from tidings.core.files.data import data_beside

_ARTICLE = re.compile(r"^(?:al|el)-?(?=[^aeiou].{3})")
_DATA = data_beside(__file__)

_MOST_EDITS = 3  # words further apart are other names, whatever they sound like
_SHORTEST = 5  # shorter words sound alike by chance


@lru_cache(maxsize=1 << 16)
def sound_of(word: str) -> str:
    """A key that the ways to write a foreign name in Latin letters share; empty for words under five letters.

    Letters for sounds that English lacks become one (kh, gh, q, g, c → k; dh, th → d; …), a and e are one, o and u are
    one, doubled letters are single, and h is dropped after the first letter.

    >>> sound_of("gaddafi") == sound_of("gadhafi") == sound_of("qaddafi")
    True
    >>> sound_of("martin") == sound_of("morton")
    False
    """
    if len(word) < _SHORTEST or not word.isalpha():
        return ""
    word = _ARTICLE.sub("", word)
    for letters, sound in _DATA["sounds"].items():
        word = word.replace(letters, sound)
    key: list[str] = []
    for letter in word:
        sound = _DATA["letters"].get(letter, letter)
        if (sound != "h" or not key) and (not key or key[-1] != sound):
            key.append(sound)
    return "".join(key)


def is_spelling(word: str, other: str) -> bool:
    """Whether two words of the same sound are at most three edits apart: one name, spelled in two ways.

    >>> is_spelling("gaddafi", "gadhafi"), is_spelling("gaddafi", "gaddafi")
    (True, False)
    """
    if word == other or abs(len(word) - len(other)) > _MOST_EDITS:
        return False
    sound = sound_of(word)
    return bool(sound) and sound == sound_of(other) and _edits(word, other) <= _MOST_EDITS


def _edits(word: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for number, letter in enumerate(word, 1):
        last, row[0] = row[0], number
        for place, against in enumerate(other, 1):
            last, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, last + (letter != against))
    return row[-1]
