"""What is considered for telling, within which limits, and what changes at a pace."""

from __future__ import annotations

from math import log
from typing import Any

from msgspec import Struct

from tidings.analysis import Surfaces
from tidings.core import Sentence
from tidings.following.systems.tidings.text_features import WeighedText, casualties_of

__all__ = [
    "EMITTED_HALF_LIFE_S",
    "FRESH_S",
    "PACED_EMITTED",
    "PACED_LENGTH",
    "PACED_WORDS",
    "ArticleCandidate",
    "Candidate",
    "Limits",
    "is_no_news",
]

FRESH_S = 28 * 86_400
"""For how long after the first one all updates count in `emitted`: longer than the events that were learned from."""

EMITTED_HALF_LIFE_S = 16 * 86_400
"""How long it takes after that until an update counts half."""

PACED_EMITTED = 20
"""At a pace `emitted` grows no further than this."""

PACED_WORDS = 40
"""At a pace sentences of so many words may be told."""

PACED_LENGTH = (14.0, log(14.0))
"""At a pace the features `words` and `log_words` of every sentence."""


_NO_NEWS = frozenset({"none", "asks", "opines"})


def is_no_news(mode: str, surfaces: Surfaces, number: int) -> bool:
    """Whether a sentence is told at a pace only when all else is used up: asks, opines, or somebody's own word.

    Readers' comments are such. What somebody says of himself in quotation marks is another matter.
    """
    return mode in _NO_NEWS or bool(
        surfaces.first[number] and not surfaces.quotes[number] and mode != "quotes"
    )


class Limits(Struct, frozen=True):
    """How much is remembered, and which sentences are looked at."""

    min_words: int = 4
    max_words: int = 25
    memory: int = 512
    max_kept: int = 200
    max_sentences: int = 2_000
    article_words: int = 45
    longest: int = 60
    least_value: float = 0.1
    likeness: float = 0.4
    contained: float = 0.5
    same: float = 0.8

    @property
    def seen(self) -> int:
        """How many texts are known again."""
        return 8 * self.memory


class ArticleCandidate(Struct):
    """A sentence of a whole article under consideration: its words, and the decision's features."""

    sentence: Sentence
    weighed: WeighedText
    row: tuple[float, ...]
    rank: int = 0

    @property
    def stems(self) -> dict[str, float]:
        """Its stems, each once, with their weights."""
        return self.weighed.stems

    @property
    def norm(self) -> float:
        """The length of the vector that they make."""
        return self.weighed.norm

    @property
    def casualties(self) -> dict[str, int]:
        """So many people of each kind, as it counts them."""
        return casualties_of(self.sentence.text, self.weighed)


class Candidate(Struct, gc=False):
    """A sentence under consideration: its stems (each once) with their weights, its features, its rank at a pace."""

    stems: dict[str, float]
    norm: float
    casualties: dict[str, int]
    features: Any
    rank: int = 0
