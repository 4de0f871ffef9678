"""Time expressions, resolved against the day of publication."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.conftest import ROOT
from tests.sweeps import cases, every
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

FRIDAY = date(2013, 7, 26)


def values(text: str, published: date = FRIDAY) -> list[str]:
    return [one.value for one in TimeReader(published).read(text)]


@every(
    "text, expected",
    cases(__file__, "words and their days", lists=True),
)
def test_words_and_their_days(text: str, expected: list[str]) -> None:
    assert values(text) == expected


@every(
    "text",
    cases(__file__, "what is no time"),
)
def test_what_is_no_time(text: str) -> None:
    assert values(text) == []


def test_a_letter_that_ignored_case_takes_for_another_ends_nothing() -> None:
    for text in (
        "laſt wınter",
        "this ſpring",
        "in the nıneties",
        "in the nıneteenth century",
        "on Chrıstmas Day",
    ):
        assert isinstance(values(text), list)


def test_another_time_is_told_of_until_it_is_left() -> None:
    """After a full date of long ago, a day without a year is of that year."""
    reader = TimeReader(date(2004, 8, 18))
    assert [one.value for one in reader.read("He was arrested on 4 July 1831.")] == ["1831-07-04"]
    assert [one.value for one in reader.read("On July 14 he was arrested again.")] == ["1831-07-14"]
    assert [one.value for one in reader.read("Two years later he was dead.")] == ["1833"]


def test_so_long_after_something_is_no_day_of_its_own() -> None:
    reader = TimeReader(date(2004, 8, 18))
    assert [one.value for one in reader.read("He was seen two days before.")] == ["2004-08-16"]
    assert reader.read("He was found 27 hours after the quake, and two days before his son.") == []


@given(st.text(max_size=200), st.dates(min_value=date(1, 1, 1), max_value=date(9999, 12, 31)))
def test_any_text_on_any_day(text: str, published: date) -> None:
    last_end = 0
    for one in TimeReader(published).read(text):
        assert last_end <= one.start < one.end <= len(text)
        assert one.first_day <= one.last_day
        last_end = one.end


@given(
    st.lists(
        st.sampled_from(
            [
                "on",
                "in",
                "last",
                "next",
                "two",
                "31",
                "30",
                "99",
                "days",
                "years",
                "decades",
                "ago",
                "later",
                "March",
                "February",
                "1600",
                "9998",
                "summer",
                "of",
                "the",
                "1990s",
                "0",
                "tomorrow",
                "weekend",
                "this",
                ",",
                "21st",
                "century",
                "100,000",
                "Friday",
            ]
        ),
        max_size=12,
    ),
    st.dates(),
)
def test_any_words_of_time_on_any_day(words: list[str], published: date) -> None:
    for one in TimeReader(published).read(" ".join(words)):
        assert one.first_day <= one.last_day


@pytest.mark.shared_data
def test_dates_of_a_corpus(shared_data: Path) -> None:
    """GUM's annotators resolved 782 dates; scripts/score_time_expressions.py prints .90."""
    from score_time_expressions import score

    right, total, _ = score(shared_data / "ner" / "gum")
    assert total > 700
    assert right / total > 0.88


def test_labels_name_sentences_and_answers() -> None:
    with (ROOT / "labels/articles/first-reading.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 3033
    assert {row["event"] for row in rows} == {row["alone"] for row in rows} == {"yes", "no"}
    assert {row["day"] for row in rows} == {"news", "background", "plan", "none"}
    assert {row["mode"] for row in rows} == {"states", "quotes", "asks", "opines", "supposes", "none"}
    assert all(0 <= int(row["start"]) < int(row["end"]) for row in rows)


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
