"""Which sentences tell of a day: what is known of each candidate beside the others, and a learned weight for it.

The weights are learned from the words that sentences share with reference timelines; see
`scripts/digest_weights.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log1p
from typing import TYPE_CHECKING, Any

from tidings.core import Vector
from tidings.following.digests.relevance import dot, mean_of
from tidings.following.digests.story import Story, StorySentence, looks_ahead

if TYPE_CHECKING:
    from numpy import ndarray

CANDIDATE_FEATURES = (
    "near_of_nearest",
    "near",
    "about",
    "ahead",
    "length",
    "first",
    "names_day",
    "support",
    "news_value",
)
"""What is known of a candidate: its cosine to the centre of the day's candidates, as a share of the largest and as it
is; its cosine to the centre of the story; words of what is to come; stems, in tens; whether it is the first of its
document and whether it names the day; ln(1 + candidates of other documents that are like it); its news value."""

_NAMED = 2.0
"""How much a sentence that names the day counts for the day's centre, beside one of the head of its documents."""

_LIKE = 0.3
"""Cosine from which on a sentence of another document supports one."""

_CHRONOLOGY = 1.0
"""What a line of a chronology is worth beyond all else: it was written as a timeline is."""


def centre_of(story: Story) -> Vector:
    """The centre of a story: its sentences, each as far as it is about the event."""
    return mean_of(
        [sentence.vector for sentence in story.sentences], [sentence.weight for sentence in story.sentences]
    )


def cosines(candidates: Iterable[StorySentence]) -> ndarray[Any, Any]:
    """The cosines between sentences, shape [sentences, sentences]."""
    import numpy as np

    vectors = [candidate.vector for candidate in candidates]
    columns: dict[str, int] = {}
    for vector in vectors:
        for stem in vector:
            columns.setdefault(stem, len(columns))
    matrix = np.zeros((len(vectors), len(columns)))
    for row, vector in enumerate(vectors):
        for stem, weight in vector.items():
            matrix[row, columns[stem]] = weight
    products: ndarray[Any, Any] = matrix @ matrix.T
    return products


def sentence_features(
    candidates: Sequence[StorySentence],
    day: int,
    story: Story,
    centre: Vector,
    likeness: ndarray[Any, Any],
) -> ndarray[Any, Any]:
    """What is known of a day's candidates, shape [candidates, `CANDIDATE_FEATURES`].

    Args:
        centre: that of the story (`centre_of`).
        likeness: the cosines between the candidates.
    """
    import numpy as np

    own = mean_of(
        [candidate.vector for candidate in candidates],
        [
            (_NAMED if day in candidate.days else 1.0) * story.relevance[candidate.document]
            for candidate in candidates
        ],
    )
    near = [dot(candidate.vector, own) for candidate in candidates]
    nearest = max(near, default=0.0) or 1.0
    documents = np.array([candidate.document for candidate in candidates])
    support = ((likeness > _LIKE) & (documents[:, None] != documents[None, :])).sum(axis=1).tolist()
    rows = [
        (
            near[place] / nearest,
            near[place],
            dot(sentence.vector, centre),
            float(looks_ahead(sentence.text)),
            len(sentence.stems) / 10,
            float(sentence.place == 0),
            float(day in sentence.days),
            log1p(support[place]),
            sentence.news_value,
        )
        for place, sentence in enumerate(candidates)
    ]
    return np.array(rows).reshape(len(rows), len(CANDIDATE_FEATURES))


def worth_of_sentences(
    candidates: Sequence[StorySentence], features: ndarray[Any, Any], weights: Sequence[float]
) -> list[float]:
    """What each candidate is worth for its day."""
    return [
        round(sum(value * weight for value, weight in zip(row, weights, strict=True)), 12)
        + _CHRONOLOGY * sentence.chronology
        for sentence, row in zip(candidates, features.tolist(), strict=True)
    ]
