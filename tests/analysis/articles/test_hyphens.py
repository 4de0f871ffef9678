"""Hyphens that a tokeniser set apart are put back, and dashes stay."""

from __future__ import annotations

from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.analysis.articles.hyphens import HYPHEN_PLACES, hyphen_features, rejoined


@every(
    "apart, together",
    [
        ("a 22-year - old man", "a 22-year-old man"),
        ("run - of - the - mill news", "run-of-the-mill news"),
        ("the Strauss - Kahn case", "the Strauss-Kahn case"),
        ("a ferry - which was full - was lost", "a ferry - which was full - was lost"),
        (
            "now eight confirmed cases in the UK - six in England , and two",
            "now eight confirmed cases in the UK - six in England , and two",
        ),
        ("no dash at all", "no dash at all"),
        ("- the beginning and the end -", "- the beginning and the end -"),
        ("", ""),
    ],
)
def test_hyphens_are_put_back_and_dashes_stay(apart, together):
    assert rejoined(apart) == together


@given(
    st.lists(st.sampled_from(["-", "well", "Ruiz", "'s", ",", "12", "placed", "é", "\ud800"]), max_size=12)
)
def test_nothing_but_blanks_around_dashes_goes(tokens):
    text = " ".join(tokens)
    assert rejoined(text).replace(" ", "") == text.replace(" ", "")


def test_features_hang_on_the_words_around():
    text = "He was late - as ever - and left ."
    assert hyphen_features(text, 11, 2) != hyphen_features(text, 11, 1)
    assert hyphen_features(text, 11, 2) != hyphen_features(text.replace("as", "well"), 11, 2)
    assert all(0 <= place < HYPHEN_PLACES for place in hyphen_features("-", 0, 1))
