"""Matchers that learn nothing: exact words, containment, BM25, cosine, and the sum of three likenesses.

What they give as a probability is a likeness from 0 to 1 and no probability: it is not calibrated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.core import Nugget, PooledUpdate, PossibleMatch, UsageError
from tidings.evaluation.matching.likeness import Likeness
from tidings.evaluation.matching.pairs_out import possible_matches
from tidings.evaluation.matching.texts import EventTexts

__all__ = ["BASELINES", "BaselineMatcher", "baseline_scores"]

Floats = NDArray[np.float32]

_MOST_BASE = 2.3


def _exact(event: EventTexts, likeness: Likeness) -> Floats:
    texts = [" ".join(("", *event.analyzer.stems(text), "")) for text in event.texts]
    nuggets = [" ".join(("", *event.analyzer.stems(nugget.text), "")) for nugget in event.nuggets]
    return np.array(
        [[float(len(nugget) > 1 and nugget in text) for nugget in nuggets] for text in texts],
        dtype=np.float32,
    ).reshape(len(texts), len(nuggets))


BASELINES: dict[str, Callable[[EventTexts, Likeness], Floats]] = {
    "exact": _exact,
    "containment": lambda event, likeness: likeness.contained,
    "bm25": lambda event, likeness: likeness.bm25 / np.float32(2.2),
    "cosine": lambda event, likeness: likeness.cosine,
    "soft": lambda event, likeness: likeness.soft,
    "sum": lambda event, likeness: likeness.base / np.float32(_MOST_BASE),
}
"""Each baseline: (texts, nuggets) from 0 to 1.

`exact`: the nugget's stems stand in a row in the text. `containment`, `bm25`, `cosine`, `soft`: as `Likeness` has them.
`sum`: its `base`, the sum of soft containment, cosine and vectors.
"""


def baseline_scores(by: str, event: EventTexts) -> Floats:
    """(texts, nuggets): the likeness of a baseline, 0 to 1.

    Raises:
        UsageError: there is no such baseline.
    """
    if by not in BASELINES:
        raise UsageError(f"found the matcher {by!r}, expected learned, {', '.join(BASELINES)}")
    return np.clip(BASELINES[by](event, Likeness.of(event)), 0.0, 1.0)


class BaselineMatcher:
    """A `Matcher` by one likeness.

    Args:
        by: a name of `BASELINES`.
        least: pairs of a lower likeness are none.
        language: of the texts.

    >>> nugget = Nugget("e", "N1", 0, 2, "a ferry burned")
    >>> update = PooledUpdate("e", "1700000000-d", 0, "The old ferry burned out.")
    >>> [(one.nugget_id, one.probability, one.start, one.end) for one in BaselineMatcher().match([nugget], [update])]
    [('N1', 1.0, 8, 20)]
    """

    def __init__(self, by: str = "containment", least: float = 0.2, language: str = "english") -> None:
        if by not in BASELINES:
            raise UsageError(f"found the matcher {by!r}, expected learned, {', '.join(BASELINES)}")
        self.by, self.least, self.language = by, least, language

    def match(self, nuggets: Sequence[Nugget], updates: Sequence[PooledUpdate]) -> Iterator[PossibleMatch]:
        """The pairs of at least `least`, in the order of the updates."""
        if not nuggets or not updates:
            return
        event = EventTexts(nuggets, updates, self.language)
        scores = baseline_scores(self.by, event)
        texts, numbers = np.nonzero(scores >= max(self.least, 1e-6))
        found = scores[texts, numbers].astype(np.float64)
        yield from possible_matches(event, updates, texts, numbers, found, 0.0)
