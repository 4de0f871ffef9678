"""Tokens and stems."""

from __future__ import annotations

import Stemmer
from hypothesis import given, strategies as st

from tidings.core.text.tokens import ENGLISH, LONGEST_TOKEN, Analyzer, light_stem, shared_analyzer, tokens

any_text = st.text(st.characters(), max_size=200)


class TestTokens:
    def test_separates_at_everything_but_letters_and_digits(self):
        assert tokens("Ferry-fire: 45 dead, U.S. says") == ["ferry", "fire", "45", "dead", "u", "s", "says"]

    def test_drops_apostrophes_of_all_kinds(self):
        assert tokens("Nor'easter Nor’easter Israel's") == ["noreaster", "noreaster", "israels"]

    def test_knows_letters_beyond_ascii(self):
        assert tokens("Pérez in ÅRHUS, 地震。") == ["pérez", "in", "århus", "地震"]

    def test_ascii_and_other_text_are_treated_alike(self):
        """The fast way for ASCII text gives what the other way gives for the same words."""
        text = "It's 3.5 o'clock_now, (U.S.) Nor'easter\x00end\x1fx\x7fy"
        assert tokens(text) == tokens(text + " é")[:-1]

    @given(any_text)
    def test_never_gives_empty_or_spaced_tokens(self, text):
        assert all(token and not any(c.isspace() for c in token) for token in tokens(text))

    @given(st.text(st.characters(max_codepoint=127), max_size=100))
    def test_both_ways_agree_on_any_ascii_text(self, text):
        assert tokens(text) == tokens(text + " é")[:-1]


class TestAnalyzer:
    def test_a_light_stem_keeps_two_letters_and_cuts_endings_alone(self):
        assert [light_stem(word) for word in ("مات", "فيضانات", "المدينة", "وصل")] == [
            "مات",
            "فيضان",
            "مدينة",
            "وصل",
        ]

    def test_stems_as_snowball_does_and_leaves_out_stop_words(self):
        words = ["the", "bombings", "injured", "hundreds", "running", "marathons", "in", "boston"]
        expected = tuple(Stemmer.Stemmer("english").stemWords([w for w in words if w not in ENGLISH]))
        assert Analyzer().stems(" ".join(words)) == expected

    def test_repeats_stay(self):
        assert Analyzer().stems("flood flood floods") == ("flood", "flood", "flood")

    def test_very_long_tokens_are_cut(self):
        assert Analyzer().stems("x" * 100_000) == ("x" * LONGEST_TOKEN,)

    def test_lone_surrogates_and_nuls_are_separators(self):
        assert Analyzer().stems("fire\udc80port\x00quay") == ("fire", "port", "quay")

    def test_caches_stay_within_their_limits(self):
        analyzer = Analyzer(word_limit=100, text_limit=10)
        for number in range(1_000):
            analyzer.stems(f"word{number} other{number}")
        assert len(analyzer._word_stems) <= 100
        assert len(analyzer._texts) <= 10

    @given(st.lists(any_text, max_size=30))
    def test_what_was_asked_before_changes_nothing(self, texts):
        small = Analyzer(word_limit=3, text_limit=2)
        for text in texts:
            assert small.stems(text) == Analyzer().stems(text)

    def test_one_language_is_analysed_by_one_analyzer(self):
        assert shared_analyzer("english") is shared_analyzer("english")
        assert shared_analyzer("spanish").stem("terremotos") == "terremot"
