"""The quick look before the patterns: it saves time, and changes nothing."""

from __future__ import annotations

import pytest

from tidings.articles.time_rules import CUED_RULES
from tidings.articles.time_words import DAY_WORDS, DECADE_WORDS, HOLIDAYS, MONTHS, SEASONS, WEEKDAYS

WORDS = (
    *MONTHS, *WEEKDAYS, *DAY_WORDS, *DECADE_WORDS, *HOLIDAYS, *SEASONS, "1944", "2013", "'90s", "1800s", "century",
    "ago", "in two weeks' time", "later", "the end of the year", "AD 70", "c. 400", "year 70", "last week",
)  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_asks_the_rules_that_their_patterns_would(word: str) -> None:
    for form in (word, word.capitalize(), word.title(), word.upper(), f"“{word}”", f"Élan {word.upper()}"):
        text = f"It fell {form} there."
        for cue, _ in CUED_RULES:
            assert cue.is_met(text, text.lower()) == (cue.pattern.search(text) is not None), form
