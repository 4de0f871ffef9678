"""The part of a text that says most, against every part there is."""

from __future__ import annotations

from random import Random

import pytest

from tidings.core.text.tokens import shared_analyzer
from tidings.evaluation.matching.pairs_out import PlacedWords, heaviest_span


def worth_of(text: str, start: int, end: int, weights: dict[str, float]) -> float:
    """By the definition: the weight of each word, -.4 for one without, nothing for a stop word."""
    total = 0.0
    for word in text[start:end].split():
        stems = shared_analyzer().stems(word)
        best = max((weights.get(stem, 0.0) for stem in stems), default=0.0)
        total += best if best > 0 or not stems else -0.4
    return total


def test_no_part_says_more_than_the_heaviest() -> None:
    draw = Random(4)
    for _ in range(60):
        words = draw.choices(
            ["ferry", "burned", "the", "goal", "port", "of", "coast"], k=draw.randrange(1, 12)
        )
        text = " ".join(words)
        weights = {"ferri": 1.0, "burn": draw.choice([0.3, 0.7]), "port": draw.choice([0.0, -1.0, 0.25])}
        start, end = heaviest_span(text, weights, shared_analyzer())
        starts = [0, *(place + 1 for place, sign in enumerate(text) if sign == " ")]
        ends = [*(place for place, sign in enumerate(text) if sign == " "), len(text)]
        most = max(worth_of(text, one, other, weights) for one in starts for other in ends if other > one)
        assert worth_of(text, start, end, weights) == pytest.approx(max(most, 0.0)), text
        assert (start, end) == PlacedWords(text, shared_analyzer()).heaviest_span(weights)


class Letters:
    """Every letter of a word is a stem."""

    def stems(self, text: str) -> tuple[str, ...]:
        return tuple(text)


def test_a_word_of_two_stems_counts_its_heavier_one() -> None:
    for heavy, light in ("ab", "ba"):
        words = PlacedWords(f"ab xx {heavy}", Letters())  # type: ignore[arg-type]
        assert words.heaviest_span({heavy: 0.5, light: 0.2}) == (0, 7), "0.5 - 0.4 + 0.5"
