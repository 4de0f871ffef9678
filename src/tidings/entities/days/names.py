"""What of a recognised name is a name: its borders mended, and what names nobody who matters left out."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.entities.days.news_sources import NEWS_SOURCES
from tidings.entities.gazetteers import gazetteers
from tidings.entities.mentions import is_name
from tidings.entities.name_words import TIMES, TITLES, short_form
from tidings.text.stopwords import ENGLISH

__all__ = ["mended_spans"]

Span = tuple[int, int, str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EDGES = _words("' ’ \" “ ” ` `` '' . , ; : - -- – — ( ) [ ] / | * & # @ 's ’s > < ! ? _")
"""Tokens that neither begin nor end a name."""
_HEADING = _words("""
    breaking update updated live latest photos photo video videos pictures read watch share comments comment
    advertisement story highlights related more click here editor reporting writing copyright subscribe email
    print news topics tags
""")
"""Words of headings and of what stands around articles."""


def mended_spans(tokens: Sequence[str], spans: Sequence[Span], kept: frozenset[str]) -> list[Span]:
    """The spans of a sentence whose names stand for somebody, without what is no part of the name.

    Marks, articles and titles go from their beginnings, marks and `'s` from their ends. Left out are months and days,
    words of headings, stop words, and those who only bring the news (Reuters, CNN, Twitter) unless they are `kept`.

    >>> tokens = "The United Nations ' envoy told Reuters in May".split()
    >>> mended_spans(tokens, [(0, 4, "ORG"), (6, 7, "ORG"), (8, 9, "PER")], frozenset())
    [(1, 3, 'ORG')]
    """
    mended: list[Span] = []
    for begin, stop, kind in spans:
        start, end = begin, stop
        while start < end and _is_edge(tokens[start], first=True):
            start += 1
        while start < end and _is_edge(tokens[end - 1], first=False):
            end -= 1
        while end - start > 1 and kind == "PER" and short_form(tokens[start]) in TITLES:
            start += 1
        if start == end:
            continue
        words = [token.lower().strip(".") for token in tokens[start:end]]
        name = " ".join(words)
        if name in kept or (_is_somebody(words, name) and is_name(" ".join(tokens[start:end]))):
            mended.append((start, end, _type_of(name, kind)))
    return mended


def _is_edge(token: str, *, first: bool) -> bool:
    return token in _EDGES or (first and token.lower() in ("the", "a", "an"))


def _is_somebody(words: list[str], name: str) -> bool:
    if name in NEWS_SOURCES or len(name) < 2:
        return False
    if all(word in TIMES or word in _HEADING or word in ENGLISH - {"us"} or word.isdigit() for word in words):
        return False
    return not (len(words) == 1 and words[0] in gazetteers().demonyms)


def _type_of(name: str, kind: str) -> str:
    return "LOC" if kind != "LOC" and "country" in gazetteers().words.get(name, ()) else kind
