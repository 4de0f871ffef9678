"""Words of a text as searching compares them: without case, accents and punctuation, in any script."""

from __future__ import annotations

import re
import unicodedata

from msgspec import Struct

__all__ = ["Query", "folded", "parse_query", "search_words"]

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts that write words together: of these each pair of letters is a word."""
_RUNS = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_VOICING = 8
"""The combining class of the voicing marks of kana, and of nothing else: か with one is が."""
_MOST_WORDS = 12
_LONGEST_QUERY = 300
_LONGEST_WORD = 60
_PARTS = re.compile(r'(-?)(?:"([^"]*)"?|(\S+))')


def folded(text: str) -> str:
    """A text without case and accents; the voicing marks of Japanese, which make another letter, stay.

    >>> folded("Córdoba Straße"), folded("ガス")
    ('cordoba strasse', 'ガス')
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    kept = (one for one in apart if unicodedata.combining(one) in (0, _VOICING))
    return unicodedata.normalize("NFC", "".join(kept))


def search_words(text: str) -> list[str]:
    """The words of a text, in order.

    >>> search_words("Renfe's Alvia, 79 dead"), search_words("地震が")
    (['renfe', 's', 'alvia', '79', 'dead'], ['地震', '震が'])
    """
    words = []
    for word in _WORD.findall(folded(text)):
        for run in _RUNS.findall(word):
            if _IS_UNSPACED.match(run):
                words += [run[at : at + 2] for at in range(len(run) - 1)] or [run]
            else:
                words.append(run[:_LONGEST_WORD])
    return words


class Query(Struct, frozen=True):
    """What is asked for: all these words (as beginnings), all these phrases, and none of those words."""

    words: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    without: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.phrases)

    def matches(self, text: str) -> bool:
        """Whether a text is what is asked for.

        >>> parse_query('"santiago station" derail -fire').matches("It derailed near Santiago station.")
        True
        """
        words = search_words(text)
        return (
            all(any(one.startswith(word) for one in words) for word in self.words)
            and all(_holds(words, phrase) for phrase in self.phrases)
            and not any(word in words for word in self.without)
        )


def parse_query(text: str) -> Query:
    """What somebody typed: words, "phrases", and -words that must not be there; whatever it is, it is a query.

    >>> parse_query('Derailed "santiago station" -drill')
    Query(words=('derailed',), phrases=(('santiago', 'station'),), without=('drill',))
    >>> bool(parse_query('"" -x ((')), bool(parse_query(""))
    (False, False)
    """
    words: dict[str, None] = {}
    phrases: dict[tuple[str, ...], None] = {}
    without: dict[str, None] = {}
    for minus, phrase, word in _PARTS.findall(text[:_LONGEST_QUERY]):
        parts = tuple(search_words(phrase or word))[:_MOST_WORDS]
        if minus and len(parts) == 1:
            without[parts[0]] = None
        elif phrase and len(parts) > 1:
            phrases[parts] = None
        else:
            words.update(dict.fromkeys(parts))
    return Query(tuple(words)[:_MOST_WORDS], tuple(phrases)[:3], tuple(without)[:_MOST_WORDS])


def _holds(words: list[str], phrase: tuple[str, ...]) -> bool:
    size = len(phrase)
    return any(tuple(words[at : at + size]) == phrase for at in range(len(words) - size + 1))
