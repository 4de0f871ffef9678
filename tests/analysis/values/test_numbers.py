"""Numbers in text: what is one, what is none, and what no text may do to whoever reads it."""

from __future__ import annotations

import pytest

from tidings.analysis.values.numbers import LARGEST, find_quantities, number_of


def bounds(text: str) -> list[tuple[float, float, str]]:
    return [(one.low, one.high, one.qualifier) for one in find_quantities(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("45 dead", 45),
        ("1,234 dead", 1_234),
        ("12,345,678 dead", 12_345_678),
        ("1,23,456 dead", 123_456),
        ("12,34,567 dead", 1_234_567),
        ("1.234.567 dead", 1_234_567),
        ("1 234 dead", 1_234),
        ("1\u00a0234\u00a0567 dead", 1_234_567),
        ("٣٤ dead", 34),
        ("१२३ dead", 123),
        ("１２ dead", 12),
        ("١٬٢٣٤ dead", 1_234),
        ("１，２３４ dead", 1_234),
        ("1'234 dead", 1_234),
        ("1’234’567 dead", 1_234_567),
        ("12 000 dead", 12_000),
        ("twelve hundred", 1_200),
        ("7.45 million", 7_450_000),
        ("3 lakh people", 300_000),
        ("2.5 crore people", 25_000_000),
        ("20k people", 20_000),
        ("forty-five", 45),
        ("two hundred and six", 206),
        ("a dozen people", 12),
        ("three dozen", 36),
        ("half a million people", 500_000),
        ("a hundred thousand", 100_000),
        ("zero dead", 0),
        ("676+ injuries", 676),
        ("5 December, 238 deaths", 238),
    ],
)
def test_written_numbers(text, value):
    assert [one.value for one in find_quantities(text)] == [value]


@pytest.mark.parametrize(
    ("text", "low", "high", "qualifier"),
    [
        ("40-50 dead", 40, 50, "range"),
        ("forty to fifty dead", 40, 50, "range"),
        ("between 40 and 50 dead", 40, 50, "range"),
        ("10 to 20 billion", 10e9, 20e9, "range"),
        ("lowered from 80 to 78", 78, 78, ""),
        ("at least 45", 45, 45, "at least"),
        ("more than 45", 45, 45, "at least"),
        ("45 or more", 45, 45, "at least"),
        ("up to 45", 45, 45, "at most"),
        ("some 45", 45, 45, "about"),
        ("dozens of people", 24, 99, "about"),
        ("hundreds of thousands", 200_000, 999_999, "about"),
    ],
)
def test_bounds(text, low, high, qualifier):
    assert bounds(text) == [(low, high, qualifier)]


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "text", ["1 " * 5_000, "-" * 20_000, "one-" * 3_000, "1," * 3_000, "\ud800 12 \x00 dead", "٣" * 900]
)
def test_hostile_texts_end(text):
    assert all(0 <= one.low <= one.high < LARGEST for one in find_quantities(text))


def test_numbers_too_large_to_be_counted_are_none():
    assert number_of("999 trillion") == 999e12
    assert number_of("9999 trillion") is None
    assert number_of("people") is None
