"""`ours`: days ranked by relevant support, sentences that can be quoted alone, and nothing told under two days.

On top of DATEWISE (Ghalandari and Ifrim 2020): each count of a day is weighted by how far it is about the event; what
names a day is told under no other one, and counts twice for its day's centre; what does not stand alone is left out,
and what is like a sentence of a day chosen before is passed over; what was to come is told only of days of which
nothing else is told; a day before the first document needs several documents that name it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tidings.following.digests.centroid_opt import choose_central
from tidings.following.digests.choice import Choice, ChosenDays, dated_candidates
from tidings.following.digests.day_ranking import DayWeights, rank_days, shipped_weights
from tidings.following.digests.naming import looks_ahead
from tidings.following.digests.sparse import dot, mean_of
from tidings.following.digests.story import Story, StorySentence

__all__ = ["choose_ours"]

_NAMED = 2.0
"""How much a sentence that names the day counts for the day's centre, beside one of the head of its documents."""

_SAME = 0.5
"""Cosine to a sentence of the same day from which on a sentence adds nothing."""

_NEAR = 0.2
"""Weight from which on a sentence is preferred, where a day has enough of them."""

_LEAST_SHARE = 0.02
"""Share of a story's documents that must name a day before the first of them, for it to be told."""

_TOLD = 0.7
"""Cosine to a sentence of another day from which on a sentence is told already."""


def choose_ours(story: Story, choice: Choice, weights: DayWeights | None = None) -> ChosenDays:
    """Days and their sentences, the best day first."""
    by_day = dated_candidates(story)
    chosen: ChosenDays = {}
    told: list[StorySentence] = []
    first = min(story.published, default=0)
    support = _documents_naming(story)
    needed = _LEAST_SHARE * len(story.published)
    ranked = [
        day
        for day in rank_days(story, weights or shipped_weights()["ours"])
        if day >= first or support[day] >= needed
    ]
    for number, day in enumerate(ranked):
        if len(chosen) >= choice.days:
            break
        choice.progress(number, len(ranked))
        candidates = by_day.get(day, ())
        centre = mean_of(
            [one.vector for one in candidates],
            [(_NAMED if day in one.days else 1.0) * story.relevance[one.document] for one in candidates],
        )
        fresh = [one for one in candidates if one.readable and not _is_told(one, told)]
        facts = [one for one in fresh if not _is_plan(one, day)]
        nearer = [one for one in facts if one.weight >= _NEAR]
        if len(nearer) >= choice.sentences:
            facts = nearer
        sentences = choose_central(facts or fresh, centre, choice.sentences, same=_SAME)
        if sentences:
            chosen[day] = sentences
            told += sentences
    return chosen


def _documents_naming(story: Story) -> Counter[int]:
    pairs = {(one.document, day) for one in story.sentences for day in one.days}
    return Counter(day for _, day in pairs)


def _is_plan(one: StorySentence, day: int) -> bool:
    """Whether a sentence tells of the day as something still to come."""
    return one.published <= day and looks_ahead(one.sentence.text)


def _is_told(one: StorySentence, told: Sequence[StorySentence]) -> bool:
    return any(dot(one.vector, other.vector) >= _TOLD for other in told)
