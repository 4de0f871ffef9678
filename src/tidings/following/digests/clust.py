"""CLUST (Ghalandari and Ifrim, ACL 2020): clusters of documents near in time, each told under its day.

Rebuilt from the paper: documents at most a day apart are joined by the cosine of their tf-idf vectors; Markov
clustering; the day of a cluster is the one that its documents name most, else the day of its first publication;
clusters ranked by how many of their sentences name their day; CENTROID-OPT over the first five sentences of
each document.

Reconstructed: the inflation of 2; ties by the earlier day; stories of more than 1,500 documents are clustered in parts
of so many, in time order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tidings.core import Vector
from tidings.following.digests.centroid_opt import choose_central
from tidings.following.digests.choice import Choice, ChosenDays, is_candidate
from tidings.following.digests.markov import markov_clusters
from tidings.following.digests.sparse import add, dot, mean_of, unit
from tidings.following.digests.story import Story, StorySentence

__all__ = ["choose_clust"]

_FIRST_SENTENCES = 5
_DAYS_APART = 1
_LARGEST = 1_500


def choose_clust(story: Story, choice: Choice) -> ChosenDays:
    """Days and their sentences, the best day first."""
    sentences = _by_document(story)
    clusters = _clusters(story, sentences, choice)
    ranked = sorted((_ranked(story, cluster, sentences) for cluster in clusters), key=lambda entry: entry[:3])
    chosen: ChosenDays = {}
    for _, _, day, cluster in ranked:
        if len(chosen) >= choice.days:
            break
        if day in chosen or not story.first_day <= day <= story.last_day:
            continue
        candidates = [
            one for number in cluster for one in sentences[number][:_FIRST_SENTENCES] if is_candidate(one)
        ]
        said = choose_central(candidates, mean_of(one.vector for one in candidates), choice.sentences)
        if said:
            chosen[day] = said
    return chosen


def _by_document(story: Story) -> list[list[StorySentence]]:
    sentences: list[list[StorySentence]] = [[] for _ in story.published]
    for one in story.sentences:
        sentences[one.document].append(one)
    return sentences


def _clusters(story: Story, sentences: Sequence[Sequence[StorySentence]], choice: Choice) -> list[list[int]]:
    import numpy as np

    vectors = [_vector(own) for own in sentences]
    clusters: list[list[int]] = []
    for begin in range(0, len(vectors), _LARGEST):
        numbers = range(begin, min(begin + _LARGEST, len(vectors)))
        similarity = np.zeros((len(numbers), len(numbers)))
        for row in numbers:
            choice.progress(row, len(vectors))
            for column in range(row + 1, numbers.stop):
                if story.published[column] - story.published[row] > _DAYS_APART:
                    break
                value = dot(vectors[row], vectors[column])
                similarity[row - begin, column - begin] = similarity[column - begin, row - begin] = value
        clusters += [[begin + node for node in cluster] for cluster in markov_clusters(similarity)]
    return clusters


def _vector(sentences: Sequence[StorySentence]) -> Vector:
    total: Vector = {}
    for one in sentences:
        add(total, one.vector)
    return unit(total)


def _ranked(
    story: Story, cluster: list[int], sentences: Sequence[Sequence[StorySentence]]
) -> tuple[int, int, int, list[int]]:
    named = Counter(day for number in cluster for one in sentences[number] for day in one.days)
    day = min(named, key=lambda day: (-named[day], day)) if named else story.published[cluster[0]]
    return -named[day], -len(cluster), day, cluster
