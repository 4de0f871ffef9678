"""Numbers and tolls in text. The sentences were written for these tests."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings, strategies as st

from tests.sweeps import cases, every
from tidings.analysis.values import counts
from tidings.analysis.values.counts import find_casualties
from tidings.core import CASUALTIES, patterns_beside

TOLLS = cases(__file__, "tolls")


WORDS = "at least 1 45 1,200 killed people and were injured two hundred , . - dead to toll rose".split()  # noqa: SIM905


class TestTolls:
    @every("text, expected", TOLLS)
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

    @every(
        "text",
        [
            "1" * 100_000 + " killed",
            "1 " * 50_000 + "killed",
            "one hundred " * 9_000 + "killed",
            "killed " * 20_000,
            "A ſecond person has died, dozenſ were hurt, mıllıons displaced, 10 to 20 lakhſ fled",
        ],
    )
    def test_hostile_text(self, text):
        assert all(toll.value < 10**9 for toll in find_casualties(text))


def test_the_year_of_what_happened_once_is_no_count() -> None:
    for text in ("A toxin caused the premier's 2024 death in prison.", "Police closed a 2019 killing."):
        assert find_casualties(text) == [], text
    assert [one.value for one in find_casualties("The earthquake killed 2012 people.")] == [2012.0]


PATTERNS = patterns_beside(counts.__file__)


@pytest.mark.parametrize(
    "name",
    ["dead", "injured", "missing", "displaced", "arrested", "casualties", "before", "ordinal", "counted"],
)
@settings(max_examples=200)
@given(data=st.data())
def test_the_quick_look_passes_over_nothing(name, data):
    words = data.draw(st.from_regex(re.compile(PATTERNS[name], re.IGNORECASE), fullmatch=True))
    for text in (f"12 people {words}", f"{words}12 people", f"The {words}", f"revised, {words}, to 12"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(counts, "_may_count_people", lambda text: True)
            thorough = find_casualties(text)
        assert find_casualties(text) == thorough
