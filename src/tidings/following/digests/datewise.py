"""DATEWISE (Ghalandari and Ifrim, ACL 2020): days by a learned ranker, candidates by PM-MEAN, CENTROID-OPT.

Rebuilt from the paper: seven counts of a day, divided by the length of their column in the story, weighted by linear
regression. A day's candidates are the sentences that name it and the heads of documents published on it or the day
after; its vector is the mean of the means of both; kept are those above the knee of their cosines to it.

Reconstructed: the knee (the point farthest below the line from the highest to the lowest cosine); what counts as a
sentence (4 stems, 450 characters); documents are those about the event, where the paper's code asks for a keyword.
"""

from __future__ import annotations

from collections.abc import Sequence

from tidings.following.digests.centroid_opt import choose_central
from tidings.following.digests.choice import Choice, ChosenDays, candidates_by_day
from tidings.following.digests.day_ranking import DayWeights, rank_days, shipped_weights
from tidings.following.digests.sparse import dot, mean_of
from tidings.following.digests.story import Story, StorySentence

__all__ = ["above_knee", "choose_datewise", "knee"]


def choose_datewise(story: Story, choice: Choice, weights: DayWeights | None = None) -> ChosenDays:
    """Days and their sentences, the best day first."""
    by_day = candidates_by_day(story)
    chosen: ChosenDays = {}
    ranked = rank_days(story, weights or shipped_weights()["datewise"])
    for number, day in enumerate(ranked):
        if len(chosen) >= choice.days:
            break
        choice.progress(number, len(ranked))
        candidates = above_knee(by_day.get(day, ()), day)
        sentences = choose_central(candidates, mean_of(one.vector for one in candidates), choice.sentences)
        if sentences:
            chosen[day] = sentences
    return chosen


def above_knee(candidates: Sequence[StorySentence], day: int) -> list[StorySentence]:
    """PM-MEAN: the candidates of a day that are nearest to what is said of it and published on it, nearest first."""
    named = mean_of(one.vector for one in candidates if day in one.days)
    published = mean_of(one.vector for one in candidates if one.published in (day, day + 1))
    centre = mean_of([vector for vector in (named, published) if vector])
    values = [round(dot(one.vector, centre), 12) for one in candidates]
    order = sorted(range(len(candidates)), key=lambda place: (-values[place], place))
    return [candidates[place] for place in order[: knee([values[place] for place in order])]]


def knee(values: Sequence[float]) -> int:
    """How many of some falling values stand before the knee; at least one, all of fewer than three.

    >>> knee([1.0, 0.9, 0.2, 0.1, 0.0]), knee([0.5, 0.4]), knee([])
    (2, 2, 0)
    """
    if len(values) < 3 or values[0] == values[-1]:
        return len(values)
    height, width = values[0] - values[-1], len(values) - 1
    below = [1.0 - place / width - (value - values[-1]) / height for place, value in enumerate(values)]
    return max(1, below.index(max(below)))
