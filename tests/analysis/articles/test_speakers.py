"""Who says what a sentence tells."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tidings.analysis.articles.reader import find_speaker


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Twelve people died, officials said.", "officials"),
        ("Twelve people died, police said on Friday.", "police"),
        ("Spanish police said on Friday that 12 people died.", "Spanish police"),
        ('"We saw smoke," said Ana Ruiz.', "Ana Ruiz"),
        ("The UN says at least 9,000 people have been killed.", "The UN"),
        ("Prime Minister Mariano Rajoy said that Spain was in mourning.", "Prime Minister Mariano Rajoy"),
        ("`` We saw smoke , '' a spokeswoman said .", "a spokeswoman"),
        ("In the north, 12 people died, according to Reuters.", "Reuters"),
        ("A ferry burnt off the coast on Friday.", ""),
        ("Nothing was said about the cause.", ""),
        ("", ""),
    ],
)
def test_sources(text, speaker):
    assert find_speaker(text) == speaker


@given(st.text(max_size=400))
def test_any_text(text):
    assert len(find_speaker(text)) <= 1_000


@pytest.mark.parametrize("text", ["the " * 400, "A " * 500, "of " * 400 + "said", "a-b " * 300 + ", said"])
def test_hostile_repetition_ends(text):
    assert isinstance(find_speaker(text), str)
