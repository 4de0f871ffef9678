"""From text to tokens and stems, fast enough for a stream.

A token is a run of letters and digits in lower case, after apostrophes inside and around words were dropped
(`Nor'easter` is `noreaster`, `Israel's` is `israels`, whose stem is `israel`). Everything else separates. That is how
English is read; the words of other languages are those of `tidings.core.text.words`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache

from tidings.core.text.language_table import ICU, code_of, stemmer_of
from tidings.core.text.stopwords import ENGLISH

__all__ = ["LONGEST_TOKEN", "Analyzer", "analyzer_of", "shared_analyzer", "tokens"]

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

    def __init__(self, stemmer: str, stop: frozenset[str], limit: int) -> None:
        super().__init__()
        self._stem_word: Callable[[str], str] = str
        if stemmer == "arabic":
            from tidings.core.text.arabic import light_stem

            self._stem_word = light_stem
        elif stemmer:
            import Stemmer

            # No cache of its own: this is the cache.
            self._stem_word = Stemmer.Stemmer(stemmer, 0).stemWord
        self._stop = stop
        self._limit = limit
        self._lock = threading.Lock()  # a stemmer object is not made for several threads

    def __missing__(self, token: str) -> str:
        if len(token) > LONGEST_TOKEN:
            return token[:LONGEST_TOKEN]
        with self._lock:
            stem = "" if token in self._stop else str(self._stem_word(token))
            if len(self) >= self._limit:
                self.clear()
            self[token] = stem
        return stem


class Analyzer:
    """Text → stems without stop words, by the words, the stop words and Snowball's stemmer of one language.

    `language` is a code of ISO 639-1, or Snowball's name of a language. One that has no stemmer is not stemmed, one
    whose words are not known is read by Unicode's rules. `+icu` behind it asks for ICU's dictionaries (`zh+icu`).

    Everything remembered is a cache and bounded: `word_limit` tokens, and the stems of the last texts,
    at most `text_limit` (the same sentence is asked about by every event that it is offered to).
    Texts longer than 2,000 characters are never remembered. The result does not depend on the caches.

    >>> Analyzer().stems("The ferries were burning in the port's harbour")
    ('ferri', 'burn', 'port', 'harbour')
    >>> Analyzer("de").stems("Die Brücken waren gesperrt"), Analyzer("ja").stems("橋が流された")
    (('bruck', 'gesperrt'), ('橋', '流'))
    """

    def __init__(
        self,
        language: str = "english",
        stop: frozenset[str] | None = None,
        *,
        word_limit: int = 200_000,
        text_limit: int = 8_192,
    ) -> None:
        self.language = language
        self._tokens: Callable[[str], Iterable[str]] = tokens
        code = code_of(language)
        if code == "en":
            stop = ENGLISH if stop is None else stop
        else:
            self._tokens, own = _reader_of(code, icu=language.endswith(ICU))
            stop = own if stop is None else stop
        self._word_stems = _Stems(stemmer_of(language), stop, word_limit)
        self._stem_of = self._word_stems.__getitem__
        self._texts: dict[str, tuple[str, ...]] = {}
        self._text_limit = text_limit

    def stems(self, text: str) -> tuple[str, ...]:
        """The stems of `text` in order, repeated as often as they occur, stop words left out."""
        stems = self._texts.get(text)
        if stems is None:
            stems = tuple(filter(None, map(self._stem_of, self._tokens(text))))
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


def _reader_of(code: str, *, icu: bool) -> tuple[Callable[[str], list[str]], frozenset[str]]:
    """What reads the words of a language, and which of them are stop words, read in the same way."""
    from tidings.core.text.stopwords_by_language import STOP_WORDS
    from tidings.core.text.words import word_reader

    read = word_reader(code, icu=icu)
    return read, frozenset(read(" ".join(STOP_WORDS.get(code, "").split())))


@lru_cache(maxsize=64)
def shared_analyzer(language: str = "english") -> Analyzer:
    """One analyzer for everybody who wants `language`, so that its caches serve all followers.

    >>> shared_analyzer("de") is shared_analyzer("german")
    True
    """
    code = code_of(language)
    same = code + (ICU if language.endswith(ICU) else "")
    if same not in ("", language) and stemmer_of(same) == stemmer_of(language):
        return shared_analyzer(same)
    return Analyzer("english" if language == "en" else language)


def analyzer_of(language: str, otherwise: str = "english") -> Analyzer:
    """The shared analyzer of a document's language; of one that nobody has said, that of another.

    >>> analyzer_of("").language, analyzer_of("fr").language
    ('english', 'fr')
    """
    return shared_analyzer(language or otherwise)
