"""Numbers in text: what is one, what is none, and what no text may do to whoever reads it."""

from __future__ import annotations

import re

from hypothesis import given, settings, strategies as st

from tests.sweeps import cases, every
from tidings.analysis.values.numbers import (
    LARGEST,
    NUMBER,
    find_quantities,
    folded,
    may_number,
    number_of,
)


def bounds(text: str) -> list[tuple[float, float, str]]:
    return [(one.low, one.high, one.qualifier) for one in find_quantities(text)]


@every(
    "text, value",
    cases(__file__, "written numbers"),
)
def test_written_numbers(text, value):
    assert [one.value for one in find_quantities(text)] == [value]


@every(
    "text, low, high, qualifier",
    cases(__file__, "bounds"),
)
def test_bounds(text, low, high, qualifier):
    assert bounds(text) == [(low, high, qualifier)]


@every(
    "text",
    [
        "10^400 dead",
        "1" + "0" * 400 + " dead",
        "1e400 dead",
        "9" * 5_000,
        "on 9/11",
        "flight MH370",
        "Flight 370",
        "at 3:15 pm",
        "won 3-1",
        "call 555-1234 now",
        "0800 555-1234",
        "on 24 July",
        "on July 24",
        "in 1972",
        "since 2005",
        "45% of them",
        "45 percent",
        "45 per cent",
        "a 34-year-old",
        "aged 34",
        "Jackson, 48, was taken to hospital",
        "$20",
        "£5",
        "the F-16",
        "v1.2.3",
        "1,2,3",
        "#45",
        "page 12",
        "call +34 981 123 456",
        "one in five people",
        "two out of every three residents",
        "Boeing 777",
        "Route 66",
        "24/7",
        "on 12.7.2013",
        "١٫٥",
        "1,234,56",
        "two-thirds",
        "½",
        "∞",
        "the 1,000-bed hospital",
        "no numbers at all",
        "",
    ],
)
def test_what_is_no_count(text):
    assert find_quantities(text) == []


@every("text", ["1 " * 5_000, "-" * 20_000, "one-" * 3_000, "1," * 3_000, "\ud800 12 \x00 dead", "٣" * 900])
def test_hostile_texts_end(text):
    assert all(0 <= one.low <= one.high < LARGEST for one in find_quantities(text))


def test_numbers_too_large_to_be_counted_are_none():
    assert number_of("999 trillion") == 999e12
    assert number_of("9999 trillion") is None
    assert number_of("people") is None


@settings(max_examples=60)
@given(st.from_regex(re.compile(NUMBER, re.IGNORECASE), fullmatch=True))
def test_the_quick_look_passes_over_no_number(text):
    assert may_number(folded(text))


def test_what_was_read_once_is_no_less_whoever_changes_the_list() -> None:
    text = "At least 45 of forty to fifty; 2 dozen"
    first = find_quantities(text)
    expected = list(first)
    first.clear()
    assert find_quantities(text) == expected
