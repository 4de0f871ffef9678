"""Names that outlets spell differently, and words that only look like them."""

from __future__ import annotations

import pytest

from tests.sweeps import cases
from tidings.core import is_spelling, sound_of


@pytest.mark.parametrize(
    ("word", "others"),
    cases(__file__, "spellings of a name", lists=True),
)
def test_spellings_of_a_name(word: str, others: list[str]) -> None:
    for other in others:
        assert is_spelling(word, other) and is_spelling(other, word)
        assert sound_of(word) == sound_of(other)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("martin", "morton"),
        ("obama", "osama"),
        ("assad", "asset"),
        ("medvedev", "medvedchuk"),
        ("gaddafi", "gaddafi"),
        ("qadhdhafi", "gathafi"),  # of one sound, and four edits apart
        ("gadafi", "khadaffy"),
        ("iran", "iraan"),  # too short to tell
        ("covid19", "kovid19"),  # not a word
    ],
)
def test_other_words(word: str, other: str) -> None:
    assert not is_spelling(word, other)
