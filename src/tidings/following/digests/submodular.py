"""The submodular model of tilse (Martschat and Markert, CoNLL 2018): coverage, diversity and days, chosen greedily.

Rebuilt from the paper: f(S) = Σ_i min(Σ_{j in S} w_ij, α Σ_j w_ij) / max + Σ_days √(Σ_{j in S on the day} r_j) / max
+ Σ_{days of S} (sentences that name the day) / max, w the cosine, r_j the mean of w_j; each time the sentence that adds
most is taken, within so many days and so many sentences of a day. Each part is divided by its value for all candidates.

Reconstructed: α = 5 / n; a sentence stands under the first day that it names, else under its publication; candidates
are the 1,500 sentences most about the event that name a day or stand in the head of their document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidings.following.digests.choice import Choice, ChosenDays, is_candidate
from tidings.following.digests.relevance import HEAD_SENTENCES
from tidings.following.digests.story import Story, StorySentence

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ["choose_submodular"]

_MOST_CANDIDATES = 1_500
_SATURATION = 5.0
_BATCH = 256


def choose_submodular(story: Story, choice: Choice) -> ChosenDays:
    """Days and their sentences, the first that is chosen first."""
    import numpy as np

    candidates = _candidates(story)
    if not candidates:
        return {}
    likeness = _cosines(candidates)
    days = [day for day, _ in candidates]
    named: dict[int, int] = {}
    for one in story.sentences:
        for day in one.days:
            named[day] = named.get(day, 0) + 1
    numbers = {day: number for number, day in enumerate(sorted(set(days)))}
    day_of = np.array([numbers[day] for day in days])
    references = np.array([float(named.get(day, 0)) for day in sorted(numbers)])
    total = likeness.sum(axis=1)
    limit = total * _SATURATION / len(candidates)
    reward = total / len(candidates)
    whole = np.minimum(total, limit).sum() or 1.0
    diverse = np.sqrt(np.bincount(day_of, reward)).sum() or 1.0
    dated = references.sum() or 1.0
    covered = np.zeros(len(candidates))
    rewarded = np.zeros(len(numbers))
    left = np.ones(len(candidates), dtype=bool)
    counts: dict[int, int] = {}
    chosen: ChosenDays = {}
    most = choice.days * choice.sentences
    for step in range(most):
        choice.progress(step, most)
        begun = np.array([day in counts for day in days])
        open_now = left & np.array([counts.get(day, 0) < choice.sentences for day in days])
        if len(counts) >= choice.days:
            open_now &= begun
        places = np.flatnonzero(open_now)
        if not len(places):
            break
        gain = _coverage_gains(likeness, covered, limit, places) / whole
        before = rewarded[day_of[places]]
        gain += (np.sqrt(before + reward[places]) - np.sqrt(before)) / diverse
        gain += np.where(begun[places], 0.0, references[day_of[places]]) / dated
        place = int(places[int(np.argmax(np.round(gain, 12)))])
        left[place] = False
        covered += likeness[:, place]
        rewarded[day_of[place]] += reward[place]
        counts[days[place]] = counts.get(days[place], 0) + 1
        chosen.setdefault(days[place], []).append(candidates[place][1])
    return chosen


def _candidates(story: Story) -> list[tuple[int, StorySentence]]:
    candidates = []
    for one in story.sentences:
        if is_candidate(one) and (one.days or one.place < HEAD_SENTENCES):
            days = [day for day in one.days or (one.published,) if story.first_day <= day <= story.last_day]
            if days:
                candidates.append((days[0], one))
    order = sorted(range(len(candidates)), key=lambda place: (-candidates[place][1].weight, place))
    return [candidates[place] for place in sorted(order[:_MOST_CANDIDATES])]


def _cosines(candidates: list[tuple[int, StorySentence]]) -> ndarray[Any, Any]:
    import numpy as np

    columns: dict[str, int] = {}
    for _, one in candidates:
        for stem in one.vector:
            columns.setdefault(stem, len(columns))
    matrix = np.zeros((len(candidates), len(columns)))
    for row, (_, one) in enumerate(candidates):
        for stem, weight in one.vector.items():
            matrix[row, columns[stem]] = weight
    cosines: ndarray[Any, Any] = matrix @ matrix.T
    return cosines


def _coverage_gains(
    likeness: ndarray[Any, Any],
    covered: ndarray[Any, Any],
    limit: ndarray[Any, Any],
    places: ndarray[Any, Any],
) -> ndarray[Any, Any]:
    import numpy as np

    room = np.maximum(limit - covered, 0.0)
    gains = [
        np.minimum(likeness[:, places[begin : begin + _BATCH]], room[:, None]).sum(axis=0)
        for begin in range(0, len(places), _BATCH)
    ]
    return np.concatenate(gains)
