"""Numbers and tolls in text. The sentences were written for these tests."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tidings.analysis.values.counts import find_casualties
from tidings.core import CASUALTIES

TOLLS = [
    (
        "At least 45 people were killed and more than 1,200 injured.",
        "deaths 45 at least, injuries 1200 at least",
    ),
    ("The death toll rose to 32, officials said.", "deaths 32"),
    ("The death toll from the quake has risen to at least 1 340 .", "deaths 1340 at least"),
    ("Police said three people , including a child , were killed .", "deaths 3"),
    ("12 dead , 58 hurt in theater shooting", "deaths 12, injuries 58"),
    ("A gunman killed six people and wounded three others", "deaths 6, injuries 3"),
    ("Two hundred and six passengers are still missing", "missing 206"),
    ("Seven bodies have been found and 29 people are still missing", "deaths 7, missing 29"),
    ("killing at least 49 people and injuring some 600", "deaths 49 at least, injuries 600 about"),
    ("Some 4,000 people were evacuated from the ship", "displaced 4000 about"),
    ("The crash left 50 dead and 703 injured", "deaths 50, injuries 703"),
    ("Thirty-eight people died", "deaths 38"),
    ("A total of 23 hostages were killed", "deaths 23"),
    ("16 people remain unaccounted for", "missing 16"),
    ("More than 3 million people were displaced", "displaced 3000000 at least"),
    ("The fire kills 289 in the north", "deaths 289"),
    ("It claimed the lives of 20 people", "deaths 20"),
    ("Police arrested 40 protesters", "arrested 40"),
    ("One person died, 2 others were hurt", "deaths 1, injuries 2"),
    ("40 people, including 3 children, died", "deaths 40"),
    ("Dozens of people were killed", ""),
    ("Hundreds were injured", ""),
    ("The bomb killed 3 days after the first", ""),
    ("In 2010 killed miners were honoured", ""),
    ("$45 million killed the deal", ""),
    ("A 29-year-old man was killed", ""),
    ("The ship is 290 metres long", ""),
    ("", ""),
]


WORDS = "at least 1 45 1,200 killed people and were injured two hundred , . - dead to toll rose".split()  # noqa: SIM905


class TestTolls:
    @pytest.mark.parametrize(("text", "expected"), TOLLS)
    def test_sentence(self, text, expected):
        found = [f"{t.attribute} {t.value:.0f} {t.quantity.qualifier}".strip() for t in find_casualties(text)]
        assert ", ".join(found) == expected

    def test_spans_hold_number_and_verb(self):
        text = "Police say at least 45 people were killed."
        (toll,) = find_casualties(text)
        assert text[toll.start : toll.end] == "at least 45 people were killed"

    @given(st.lists(st.sampled_from(WORDS)))
    def test_any_order_of_such_words(self, words):
        text = " ".join(words)
        for toll in find_casualties(text):
            assert toll.attribute in CASUALTIES
            assert toll.value >= 0
            assert 0 <= toll.start < toll.end <= len(text)

    @given(st.text(st.characters(exclude_categories=[]), max_size=200))
    def test_any_text(self, text):
        text += " 5 dead"
        assert all(0 <= t.start < t.end <= len(text) for t in find_casualties(text))

    @pytest.mark.parametrize(
        "text",
        [
            "1" * 100_000 + " killed",
            "1 " * 50_000 + "killed",
            "one hundred " * 9_000 + "killed",
            "killed " * 20_000,
        ],
    )
    def test_hostile_text(self, text):
        assert all(toll.value < 10**9 for toll in find_casualties(text))
