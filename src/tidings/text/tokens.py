"""From text to tokens and stems, fast enough for a stream.

A token is a run of letters and digits in lower case, after apostrophes inside and around words were dropped
(`Nor'easter` is `noreaster`, `Israel's` is `israels`, whose stem is `israel`). Everything else separates.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache

from tidings.text.stopwords import ENGLISH

__all__ = ["LONGEST_TOKEN", "Analyzer", "shared_analyzer", "tokens"]

LONGEST_TOKEN = 64
"""Characters that are looked at of one token; hostile input holds tokens of many thousands."""

_APOSTROPHES = dict.fromkeys(map(ord, "'’ʼ＇"))
_ASCII = {code: (chr(code).lower() if chr(code).isalnum() else " ") for code in range(128)} | {ord("'"): None}
_WORDS = re.compile(r"[^\W_]+").findall


def tokens(text: str) -> list[str]:
    """The tokens of `text` in order, in lower case, stop words included.

    >>> tokens("At least 45 killed; the Nor'easter isn't over")
    ['at', 'least', '45', 'killed', 'the', 'noreaster', 'isnt', 'over']
    >>> tokens(" \\x00 -- ")
    []
    """
    if text.isascii():
        return text.translate(_ASCII).split()
    return _WORDS(text.translate(_APOSTROPHES).lower())


class _Stems(dict[str, str]):
    """Token → stem ("" for a stop word), filled on demand, emptied when it has grown too large."""

    def __init__(self, language: str, stop: frozenset[str], limit: int) -> None:
        import Stemmer

        super().__init__()
        self._stemmer = Stemmer.Stemmer(language, 0)  # no cache of its own: this is the cache
        self._stop = stop
        self._limit = limit
        self._lock = threading.Lock()  # a stemmer object is not made for several threads

    def __missing__(self, token: str) -> str:
        if len(token) > LONGEST_TOKEN:
            return token[:LONGEST_TOKEN]
        with self._lock:
            stem = "" if token in self._stop else str(self._stemmer.stemWord(token))
            if len(self) >= self._limit:
                self.clear()
            self[token] = stem
        return stem


class Analyzer:
    """Text → stems without stop words, by Snowball's stemmer of one language.

    Everything remembered is a cache and bounded: `word_limit` tokens, and the stems of the last texts,
    at most `text_limit` (the same sentence is asked about by every event that it is offered to).
    Texts longer than 2,000 characters are never remembered. The result does not depend on the caches.

    >>> Analyzer().stems("The ferries were burning in the port's harbour")
    ('ferri', 'burn', 'port', 'harbour')
    """

    def __init__(
        self,
        language: str = "english",
        stop: frozenset[str] = ENGLISH,
        *,
        word_limit: int = 200_000,
        text_limit: int = 8_192,
    ) -> None:
        self.language = language
        self._word_stems = _Stems(language, stop, word_limit)
        self._stem_of = self._word_stems.__getitem__
        self._texts: dict[str, tuple[str, ...]] = {}
        self._text_limit = text_limit

    def stems(self, text: str) -> tuple[str, ...]:
        """The stems of `text` in order, repeated as often as they occur, stop words left out."""
        stems = self._texts.get(text)
        if stems is None:
            stems = tuple(filter(None, map(self._stem_of, tokens(text))))
            if len(text) <= 2_000 and self._text_limit:
                if len(self._texts) >= self._text_limit:
                    self._texts.clear()
                self._texts[text] = stems
        return stems

    def stem(self, token: str) -> str:
        """The stem of one token in lower case; empty for a stop word.

        >>> Analyzer().stem("bombings"), Analyzer().stem("the")
        ('bomb', '')
        """
        return self._stem_of(token)


@lru_cache(maxsize=8)
def shared_analyzer(language: str = "english") -> Analyzer:
    """One analyzer for everybody who wants `language`, so that its caches serve all followers."""
    return Analyzer(language)
