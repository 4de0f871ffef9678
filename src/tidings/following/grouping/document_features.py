"""What a document gives to compare it with stories: stems, names, and days that it mentions.

A word counts by the position of its sentence: in the title twice, in the first three sentences one and a half times,
in the rest once; half of that where it is a place, since much goes on in each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias
from zlib import crc32

from tidings.analysis import bare_words, gazetteers, shipped_recogniser, token_spans
from tidings.core import Document, analyzer_of, cut, shingles
from tidings.following.background import usual

__all__ = ["DocumentFeatures", "Names", "position_weight", "read_features", "read_many"]

Names: TypeAlias = dict[str, tuple[float, str]]
"""A key (of a person the last word) to its weighted count and the name as written."""

BODY_SENTENCES = 25  # what follows is background more often than news
LEAD_SENTENCES = 3  # behind the title
TOGETHER = 16  # documents in which names are looked for at once
_LONGEST = 2_000  # characters of a sentence that are read
_TITLE_WEIGHT, _LEAD_WEIGHT = 2.0, 1.5  # how often a word there counts; elsewhere once
_PLACE_WEIGHT = 0.5  # of names of places, which many stories share
_COUNTRY_WEIGHT = 0.5  # a country is part of many stories at once
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WORD = re.compile(r"\w+(?:[’'-]\w+)*")
_DAY = re.compile(
    rf"\b(?:(?P<weekday>{'|'.join(WEEKDAYS)})"
    rf"|(?P<month>{_MONTH}) ?\.? (?P<day>[0-3]?\d)(?:st|nd|rd|th)?\b(?! ?:)"
    rf"|(?<![:\d.,-] )(?<![:\d.,-])(?P<first_day>[0-3]?\d)(?:st|nd|rd|th)?(?: of)? (?P<then_month>{_MONTH}))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DocumentFeatures:
    """What one document is compared by: weighted counts of stems and of names, and days.

    `title_words` leads from the stems of the title to its words, `title_names` counts the
    names in it; `weekdays` are 0 (Monday) to 6,
    `month_days` 100 × month + day; `shingles` are checksums of pairs of stems that stand
    together in the title and the first sentences.
    """

    language: str
    title: str
    title_words: dict[str, str]
    title_names: int
    words: dict[str, float]
    names: Names
    weekdays: frozenset[int]
    month_days: frozenset[int]
    shingles: frozenset[int]


def position_weight(index: int) -> float:
    """What a word counts in the sentence of that number: 0 is the title."""
    return _TITLE_WEIGHT if not index else _LEAD_WEIGHT if index <= LEAD_SENTENCES else 1.0


def read_features(document: Document) -> DocumentFeatures:
    """Read what a document is compared by."""
    return next(read_many((document,)))


def read_many(documents: Iterable[Document]) -> Iterator[DocumentFeatures]:
    """Read what documents are compared by, in their order; names are looked for in several documents at once."""
    documents = iter(documents)
    while group := tuple(islice(documents, TOGETHER)):
        texts = [_texts(document) for document in group]
        english = [number for number, (language, _) in enumerate(texts) if language in ("", "en")]
        tokens = [[_tokens(text) for text in texts[number][1] if text] for number in english]
        names: dict[int, tuple[Names, int]] = {}
        for number, sentences, spans in zip(
            english, tokens, shipped_recogniser().spans_of(tokens), strict=True
        ):
            in_title = len(spans[0]) if texts[number][1][0] else 0
            names[number] = _count_names(sentences, spans), in_title
        for number, (language, parts) in enumerate(texts):
            yield _features(language, parts, *names.get(number, ({}, 0)))


def _texts(document: Document) -> tuple[str, list[str]]:
    # The language, and the title ("" for none) with the first sentences.
    sentences = cut(document).sentences
    language = sentences[0].language if sentences else document.language
    title = " ".join(document.title.split())
    texts = [sentence.text[:_LONGEST] for sentence in sentences[: BODY_SENTENCES + 1]]
    if texts and texts[0] == title:
        texts.pop(0)
    return language, [title, *texts[:BODY_SENTENCES]]


def _tokens(text: str) -> list[str]:
    return [text[start:end] for start, end in token_spans(text)]


def _features(language: str, texts: Sequence[str], names: Names, title_names: int) -> DocumentFeatures:
    analyzer = analyzer_of(language)
    words: dict[str, float] = {}
    pairs: set[int] = set()
    for index, text in enumerate(texts):
        stems = analyzer.stems(text)
        weight = position_weight(index)
        for stem in stems:
            words[stem] = words.get(stem, 0.0) + weight
        if index <= LEAD_SENTENCES:
            pairs.update(crc32(pair.encode()) for pair in shingles(stems))
    weekdays, month_days = _days(texts)
    title = next(filter(None, texts), "")
    return DocumentFeatures(
        language=language,
        title=title,
        title_words={stem: word for word in _WORD.findall(title) for stem in analyzer.stems(word)},
        title_names=title_names,
        words={
            stem: count * _PLACE_WEIGHT if usual(stem).is_place else count for stem, count in words.items()
        },
        names=names,
        weekdays=weekdays,
        month_days=month_days,
        shingles=frozenset(pairs),
    )


def _count_names(
    sentences: Sequence[Sequence[str]], spans: Sequence[Sequence[tuple[int, int, str]]]
) -> Names:
    lists = gazetteers()
    names: Names = {}
    for tokens, found in zip(sentences, spans, strict=True):
        for start, end, kind in found:
            shown = " ".join(tokens[start:end])
            if shown.islower():
                continue  # a common word, such as "us" for us
            key = tokens[end - 1].lower() if kind == "PER" else " ".join(bare_words(shown))
            if key in lists.demonyms:
                key, shown = lists.demonyms[key], lists.demonyms[key].title()
            weight = _COUNTRY_WEIGHT if "country" in lists.words.get(key, ()) else 1.0
            count, first = names.get(key, (0.0, shown))
            names[key] = (count + weight, first)
    return names


def _days(texts: Sequence[str]) -> tuple[frozenset[int], frozenset[int]]:
    weekdays: set[int] = set()
    month_days: set[int] = set()
    for weekday, month, day in _stated_days(texts):
        if weekday:
            weekdays.add(WEEKDAYS.index(weekday.lower()))
        elif 1 <= int(day) <= 31:
            month_days.add(100 * (_MONTHS.index(month[:3].lower()) + 1) + int(day))
    return frozenset(weekdays), frozenset(month_days)


def _stated_days(texts: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    for text in texts:
        for match in _DAY.finditer(text):
            month = match["month"] or match["then_month"] or ""
            if month != "may":  # twelve may have died
                yield match["weekday"] or "", month, match["day"] or match["first_day"] or ""
