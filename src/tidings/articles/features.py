"""What the sentences of an article look like: features by which it is told what each of them does.

    sentences ──▶ words of each, one by one ──▶ with the document's shares and the neighbours ──▶ one row each

Nothing here knows an event; every feature is a number that a reader of the sentence could count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log1p
from typing import TYPE_CHECKING, Any

from tidings.articles.plain_text import plain
from tidings.articles.word_kinds import CLOSED_OPENERS, WORD_KINDS

if TYPE_CHECKING:
    from numpy import ndarray

    from tidings.articles.time_expressions import TimeExpression

__all__ = ["FEATURES", "Surface", "read_features", "read_surface"]

_SENTENCE = (
    "words",
    "log_words",
    "short",
    "long",
    "ends_well",
    "asks",
    "exclaims",
    "begins_quote",
    "quote_marks",
    "closed_opener",
    "definite_opener",
    "connective_opener",
    "asking_opener",
    "third_person_early",
    "first_person",
    "first_person_share",
    "second_person",
    "modal",
    "future",
    "saying",
    "past_share",
    "perfect",
    "opinion_share",
    "opinion",
    "furniture",
    "furniture_words",
    "negation",
    "present_share",
    "deed",
    "capitals",
    "capitals_inside",
    "upper_case",
    "not_ascii",
    "single_letters",
    "numbers",
    "any_number",
    "money",
    "colon",
    "dash",
    "bracket",
    "bar",
    "name_opener",
)
_TIMES = ("time", "time_now", "time_days", "time_weeks", "time_past", "time_ahead", "time_year")
_PLACE = (
    "place",
    "first",
    "first_3",
    "first_8",
    "relative_place",
    "inside_quote",
    "after_question",
    "after_furniture",
)
_DOCUMENT = (
    "document_sentences",
    "document_long",
    "document_first_person",
    "document_questions",
    "document_furniture",
    "document_saying",
    "document_quotes",
    "document_opinion",
    "document_words",
    "document_not_ascii",
)

FEATURES = (*_SENTENCE, *_TIMES, *_PLACE, *_DOCUMENT)
"""The features by name, in the order of the columns.

- words … name_opener: of the sentence itself. `*_share`, capitals, numbers, furniture_words per word; closed, definite,
  connective, asking, name: what its first words are; third_person_early: he, she, it … within six words and no name
  before; furniture: words of the page, not of the article; deed: killed, sealed, charged …; the others 0 or 1;
- time_*: it holds a time expression; one of the day of publication or the day before, of the week before, of 7 to 20
  days before, of longer ago, of later; one with its year;
- place …: log(1 + number) in the document, among the first 1, 3, 8, number per sentences; inside a quotation that
  began before; after a question; after furniture;
- document_*: log(1 + sentences), more than 100; shares of its sentences that hold first person, questions, furniture,
  saying, quotation marks, opinion; mean words; mean share of characters beyond ASCII.
"""

_WORD = re.compile(r"\w+(?:['.-]\w+)*")
_UPPER = re.compile(r"[A-Z]")
_DEFINITE = re.compile(
    r"[\"']?the (?:\w+ )?(?:company|firm|group|man|woman|government|team|report|move|attack|"
    r"country|city|official|singer|star|trial|jury|number|plan|announcement|two|doctor|agency|visit|meeting|decision|"
    r"incident|pair|couple|news|figure|figures|operation|deal|case|child|boy|girl|ship|vessel|ministry|suspect)\b"
)
_FURNITURE = re.compile(
    r"have your say|send us|your (?:comments|views)|read more|more on this|related (?:links|internet|stories)|"
    r"external (?:links|internet)|not responsible for|all rights|continue reading|see also|live text|"
    r"on javascript|uk time|programme|on (?:radio|bbc)|tune in|this page|top stories|most popular|"
    r"to play this|reports from \w+\s*\.?$|(?:photo|image|picture)s?:|end quote|\.(?:com|co|org|gov|uk)\b"
)
_BYLINE = re.compile(r"\s*By [A-Z]\w+ [A-Z]")
_ENGLISH_WORDS = (
    "the a an of in to and is are was were for on that it with as at by from he she they this his her "
    "its be has have had not but or who which will would said you we"
)
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_ONE_LETTER = frozenset("ai0123456789")
_CLOSING = frozenset(".!?\"'")
_KIND_OF = WORD_KINDS.get
_EARLY = 6
_HEADLINE = 12
_OTHER_WORDS = (
    "de la el los las del un una por para con que se le les des du et est une dans au aux der das und ist ein eine von "
    "mit den dem im zu di il che per non della da do os em um uma na og det som en av til het een van op w z nie sie"
)
_OTHERS = frozenset(_OTHER_WORDS.split())
"""Little words of other languages that are none of English: a headline without them may be English without its own."""


class Surface:
    """One sentence's own features, and what its neighbours and the document need of it."""

    __slots__ = (
        *(
            "asks",
            "first",
            "foreign",
            "furniture",
            "not_ascii",
            "opinion",
            "quotes",
            "row",
            "saying",
            "terse",
        ),
        *("text", "words"),
    )

    def __init__(self, text: str) -> None:
        self.text = text = plain(text)
        low = text.lower()
        words = _WORD.findall(text)
        joined = " ".join(words).lower()
        low_words = joined.split(" ") if joined else []
        size = len(words)
        count = max(1, size)
        kinds = [kind for kind in map(_KIND_OF, low_words) if kind]
        union = first = past = opinion = furniture = present = 0
        for kind in kinds:
            union |= kind
            first += kind & 1
            past += kind >> 7 & 1
            opinion += kind >> 9 & 1
            furniture += kind >> 10 & 1
            present += kind >> 14 & 1
        past += joined.count("ed ")
        initials = [word[0] for word in words]
        capitals = sum(map(str.isupper, initials))
        opens_capital = size > 0 and initials[0].isupper()
        opener = low_words[0] if low_words else ""
        opening = _KIND_OF(opener, 0)
        after = low_words[1] if opening & 2048 and len(low_words) > 1 else opener
        numbers = sum(map(str.isdigit, initials))
        signs = len(text) or 1
        self.words = size
        self.quotes = text.count('"')
        self.asks = "?" in text
        self.first = first > 0
        self.furniture = (
            furniture > 0
            or (bool(union & 65536) and _FURNITURE.search(low) is not None)
            or (opener == "by" and _BYLINE.match(text) is not None)
        )
        self.saying = bool(union & 64)
        self.opinion = opinion > 0
        english = sum([word in _ENGLISH for word in low_words])
        self.foreign = size > 5 and size > 12 * english
        self.terse = size <= _HEADLINE and text.isascii() and _OTHERS.isdisjoint(low_words)
        self.not_ascii = 0.0 if text.isascii() else sum([ord(sign) > 127 for sign in text]) / signs
        self.row = (
            size,
            log1p(size),
            size < 7,
            size > 45,
            text.rstrip()[-1:] in _CLOSING,
            self.asks,
            "!" in text,
            text[:1] == '"',
            min(self.quotes, 4),
            after in CLOSED_OPENERS,
            opener == "the" and _DEFINITE.match(low) is not None,
            bool(opening & 2048),
            bool(opening & 4096),
            _points_back(words, low_words),
            self.first,
            first / count,
            bool(union & 2),
            bool(union & 16),
            bool(union & 32),
            self.saying,
            past / count,
            bool(union & 256),
            opinion / count,
            self.opinion,
            self.furniture,
            furniture / count,
            bool(union & 8192),
            present / count,
            bool(union & 32768),
            capitals / count,
            (capitals - opens_capital) / count,
            len(_UPPER.findall(text)) / signs,
            self.not_ascii,
            sum([len(word) == 1 and word not in _ONE_LETTER for word in low_words]) / count,
            numbers / count,
            numbers > 0,
            bool(union & 131072) or "$" in text or "£" in text or "€" in text,
            ":" in text,
            " - " in text or "–" in text,
            "(" in text,
            "|" in text,
            opens_capital and size > 1 and words[1][0].isupper(),
        )


def _points_back(words: Sequence[str], low_words: Sequence[str]) -> bool:
    # He, she, it … among the first words, with no name before.
    for number in range(min(_EARLY, len(low_words), len(words))):
        if _KIND_OF(low_words[number], 0) & 4:
            return True
        if number and words[number][0].isupper():
            return False
    return False


def read_surface(text: str) -> Surface:
    """The features that a sentence has by itself.

    >>> surface = read_surface("`` He is gone , '' she said .")
    >>> surface.text, surface.saying, surface.quotes
    ('"He is gone," she said.', True, 2)
    """
    return Surface(text)


def read_features(
    surfaces: Sequence[Surface], times: Sequence[Sequence[TimeExpression]], published: Any
) -> ndarray[Any, Any]:
    """One row for each sentence of a document, float32 of shape [sentences, features].

    `times` are the time expressions of each sentence, `published` the day of publication.
    """
    import numpy as np

    count = len(surfaces)
    rows = np.zeros((count, len(FEATURES)), dtype=np.float32)
    if not count:
        return rows
    rows[:, : len(_SENTENCE)] = [surface.row for surface in surfaces]
    at = len(_SENTENCE)
    ordinal = published.toordinal()
    for number, expressions in enumerate(times):
        if expressions:
            rows[number, at : at + len(_TIMES)] = _time_row(expressions, ordinal)
    at += len(_TIMES)
    numbers = np.arange(count, dtype=np.float32)
    marks = np.array([surface.quotes for surface in surfaces])
    before = np.concatenate(([0], np.cumsum(marks)[:-1]))
    rows[:, at] = np.log1p(numbers)
    rows[:, at + 1] = numbers < 1
    rows[:, at + 2] = numbers < 3
    rows[:, at + 3] = numbers < 8
    rows[:, at + 4] = numbers / count
    rows[:, at + 5] = before % 2
    rows[1:, at + 6] = [surface.asks for surface in surfaces[:-1]]
    rows[1:, at + 7] = [surface.furniture for surface in surfaces[:-1]]
    at += len(_PLACE)
    rows[:, at:] = (
        log1p(count),
        count > 100,
        sum(surface.first for surface in surfaces) / count,
        sum(surface.asks for surface in surfaces) / count,
        sum(surface.furniture for surface in surfaces) / count,
        sum(surface.saying for surface in surfaces) / count,
        sum(surface.quotes > 0 for surface in surfaces) / count,
        sum(surface.opinion for surface in surfaces) / count,
        sum(surface.words for surface in surfaces) / count,
        sum(surface.not_ascii for surface in surfaces) / count,
    )
    return rows


def _time_row(expressions: Sequence[TimeExpression], published: int) -> tuple[bool, ...]:
    now = days = weeks = past = ahead = year = False
    for one in expressions:
        last, first = one.last_day.toordinal() - published, one.first_day.toordinal() - published
        year = year or one.explicit
        if first > 0:
            ahead = True
        elif last < -20:
            past = True
        elif last - first <= 1:
            if last >= -1:
                now = True
            elif last >= -6:
                days = True
            else:
                weeks = True
    return True, now, days, weeks, past, ahead, year
