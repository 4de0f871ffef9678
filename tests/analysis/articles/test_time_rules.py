"""The quick look before the patterns: it saves time, and changes nothing."""

from __future__ import annotations

from datetime import date

from tests.sweeps import every
from tidings.analysis.articles.surfaces import Surfaces
from tidings.analysis.articles.time_expressions import TimeReader, rules_for
from tidings.analysis.articles.time_words import (
    DAY_WORDS,
    DECADE_WORDS,
    HOLIDAYS,
    MONTHS,
    SEASONS,
    WEEKDAYS,
    find_cues,
)

PUBLISHED = date(2013, 7, 26)
ALL_CUES = -1
WORDS = (
    *MONTHS, *WEEKDAYS, *DAY_WORDS, *DECADE_WORDS, *HOLIDAYS, *(f"last {one}" for one in SEASONS), "spring of 1944",
    "1944", "2013-05-02", "4 May", "May 4, 2013", "in June 2012", "1990s", "the 1990 's", "1990’s", "late 1800s",
    "19th century", "two weeks ago", "a year and a half ago", "in two weeks' time", "three days later",
    "a week before", "the end of the year", "year-end", "AD 70", "c. 400", "c.400", "the year 70", "last week",
    "that same day", "the following month", "this weekend", "this day", "last night", "the year 1831", "9/11",
)  # fmt: skip


@every("word", WORDS)
def test_asks_the_rules_that_find_something(word: str) -> None:
    for form in (
        word,
        word.capitalize(),
        word.title(),
        word.upper(),
        f"“{word}”",
        f"(Élan {word})",
        f"{word} n't",
    ):
        text = f"It fell {form} there."
        expected = TimeReader(PUBLISHED).read(text, ALL_CUES)
        assert TimeReader(PUBLISHED).read(text) == expected, form
        assert TimeReader(PUBLISHED).read(text, Surfaces([text]).cues[0]) == expected, form


def test_words_of_one_sentence_make_no_pair_with_those_of_the_next() -> None:
    texts = ["Nobody knows this", "Week by week it grew", "", "days", "ago"]
    assert Surfaces(texts).cues == [find_cues(text) for text in texts]
    assert not any(map(rules_for, Surfaces(texts).cues))


def test_most_words_ask_no_rule() -> None:
    text = "The company said that it would be a week of meetings, after which all of those in charge leave."
    assert rules_for(find_cues(text)) == ()
