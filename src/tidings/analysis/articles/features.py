"""What the sentences of an article look like: features by which it is told what each of them does.

    sentences ──▶ words of each, one by one ──▶ with the document's shares and the neighbours ──▶ one row each

Nothing here knows an event; every feature is a number that a reader of the sentence could count.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log1p
from typing import TYPE_CHECKING, Any

from tidings.analysis.articles.surfaces import SENTENCE_FEATURES, Surfaces

if TYPE_CHECKING:
    from numpy import ndarray

    from tidings.analysis.articles.time_expressions import TimeExpression

__all__ = ["FEATURES", "read_features"]

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

FEATURES = (*SENTENCE_FEATURES, *_TIMES, *_PLACE, *_DOCUMENT)
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


def read_features(
    surfaces: Surfaces,
    times: Sequence[Sequence[TimeExpression]],
    published: Any,
    part: slice = slice(None),
) -> ndarray[Any, Any]:
    """One row for each sentence of a document, float32 of shape [sentences, features].

    `times` are the time expressions of each sentence, `published` the day of publication, `part` which of the
    sentences are this document.
    """
    import numpy as np

    count = len(surfaces.texts[part])
    rows = np.zeros((count, len(FEATURES)), dtype=np.float32)
    if not count:
        return rows
    rows[:, : len(SENTENCE_FEATURES)] = surfaces.rows[part]
    at = len(SENTENCE_FEATURES)
    ordinal = published.toordinal()
    for number, expressions in enumerate(times):
        if expressions:
            rows[number, at : at + len(_TIMES)] = _time_row(expressions, ordinal)
    at += len(_TIMES)
    numbers = np.arange(count, dtype=np.float32)
    quotes, asks, furniture = surfaces.quotes[part], surfaces.asks[part], surfaces.furniture[part]
    before = np.concatenate(([0], np.cumsum(quotes)[:-1]))
    rows[:, at] = np.log1p(numbers)
    rows[:, at + 1] = numbers < 1
    rows[:, at + 2] = numbers < 3
    rows[:, at + 3] = numbers < 8
    rows[:, at + 4] = numbers / count
    rows[:, at + 5] = before % 2
    rows[1:, at + 6] = asks[:-1]
    rows[1:, at + 7] = furniture[:-1]
    at += len(_PLACE)
    rows[:, at:] = (
        log1p(count),
        count > 100,
        np.count_nonzero(surfaces.first[part]) / count,
        sum(asks) / count,
        sum(furniture) / count,
        np.count_nonzero(surfaces.saying[part]) / count,
        sum(number > 0 for number in quotes) / count,
        np.count_nonzero(surfaces.opinion[part]) / count,
        sum(surfaces.words[part]) / count,
        sum(surfaces.not_ascii[part]) / count,
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
