"""What is known of a word by itself, looked up once: its kinds, how it is written, whether it can be part of a time.

Each word, as it is written, has one number whose bits are facts. An article is a row of such numbers, over which its
sentences are counted all at once.
"""

from __future__ import annotations

import re

from tidings.analysis.articles.time_cues import word_cues
from tidings.analysis.articles.word_kinds import CLOSED_OPENERS, WORD_KINDS

__all__ = [
    "BY",
    "CAPITAL",
    "CLOSED_OPENER",
    "CUE_SHIFT",
    "DIGIT",
    "ED",
    "ENGLISH",
    "LONE_LETTER",
    "OTHER",
    "THE",
    "find_facts",
]

ENGLISH, CAPITAL, DIGIT, LONE_LETTER, ED, CLOSED_OPENER, THE, BY, OTHER = (
    1 << place for place in range(18, 27)
)
"""A common word; begins with a capital, a digit; is one letter; ends in `ed`; points back; `the`; `by`; is foreign."""

CUE_SHIFT = 27
"""Above so many bits are the cues of time expressions; below are the kinds of `WordKind` and what is named here."""

_ENGLISH_WORDS = (
    "the a an of in to and is are was were for on that it with as at by from he she they this his her "
    "its be has have had not but or who which will would said you we"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_OTHER_WORDS = (
    "de la el los las del un una por para con que se le les des du et est une dans au aux der das und ist ein eine von "
    "mit den dem im zu di il che per non della da do os em um uma na og det som en av til het een van op w z nie sie"
)
_OTHERS = frozenset(_OTHER_WORDS.split())
"""Little words of other languages that are none of English: a headline without them may be English without its own."""

_ONE_LETTER = frozenset("ai0123456789")
_LONGEST, _MOST = 64, 100_000


_WORD = re.compile(r"\w+(?:['.-]\w+)*")
_INSIDE = "'.-"
_BETWEEN = {
    code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_" or chr(code) in _INSIDE)
}
_NO_WORD = -1


def find_facts(text: str) -> list[int]:
    """The facts of each word of a text in plain form: letters and digits, with `'`, `.` or `-` between them.

    >>> [bool(facts & CAPITAL) for facts in find_facts("The U.S. - which didn't - left.")]
    [True, True, False, False, False]
    """
    if not text.isascii():
        return [_FACTS[word] for word in _WORD.findall(text)]
    pieces = text.translate(_BETWEEN).rstrip(" '.-").split()
    words = list(map(_FACTS_OF, pieces))
    if _NO_WORD in words:
        return [_FACTS[word] for piece in pieces for word in _WORD.findall(piece)]
    return words


class _Facts(dict[str, int]):
    """Piece of text → the facts of the one word that it holds, or none; filled on demand, emptied when too large."""

    def __missing__(self, piece: str) -> int:
        words = _WORD.findall(piece)
        facts = _facts(words[0]) if len(words) == 1 else _NO_WORD
        if len(piece) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[piece] = facts
        return facts


_SINGLE_WORDS: dict[str, int] = {}
for _bit, _words in (
    (ENGLISH, _ENGLISH),
    (CLOSED_OPENER, CLOSED_OPENERS),
    (THE, ("the",)),
    (BY, ("by",)),
    (OTHER, _OTHERS),
):
    for _word in _words:
        _SINGLE_WORDS[_word] = _SINGLE_WORDS.get(_word, 0) | _bit
for _word, _kinds in WORD_KINDS.items():
    _SINGLE_WORDS[_word] = _SINGLE_WORDS.get(_word, 0) | _kinds


def _facts(word: str) -> int:
    low, initial = word.lower(), word[0]
    facts = _SINGLE_WORDS.get(low, 0)
    if initial.isupper():
        facts |= CAPITAL
    elif initial.isdigit():
        facts |= DIGIT
    if len(low) == 1 and low not in _ONE_LETTER:
        facts |= LONE_LETTER
    if low.endswith("ed"):
        facts |= ED
    return facts | word_cues(word) << CUE_SHIFT


_FACTS = _Facts()
_FACTS_OF = _FACTS.__getitem__
