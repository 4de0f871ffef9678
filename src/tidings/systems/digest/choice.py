"""What every digest system is asked for and gives, and the sentences that a day is told from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from tidings.systems.digest.relevance import HEAD_SENTENCES
from tidings.systems.digest.story import Story, StorySentence

__all__ = ["Choice", "ChosenDays", "candidates_by_day", "is_candidate"]

_MOST_CANDIDATES = 400
"""Sentences of a day that are looked at, those most about the event; a day of a long story has tens of thousands."""

_FEWEST_STEMS = 4
_LONGEST_CHARS = 450

ChosenDays: TypeAlias = dict[int, list[StorySentence]]
"""Day number to its sentences, in the order in which they were chosen."""


class Choice(Struct):
    """How many days at most, how many sentences of each at most, and whom to tell how far the work is."""

    days: int
    sentences: int
    progress: Callable[[int, int], None] = lambda done, total: None


def is_candidate(one: StorySentence) -> bool:
    """Whether a sentence is long enough to tell something, and short enough to be one."""
    return len(one.stems) >= _FEWEST_STEMS and len(one.sentence.text) <= _LONGEST_CHARS


def candidates_by_day(story: Story) -> dict[int, Sequence[StorySentence]]:
    """For each day the sentences that name it, and those of the heads of documents published on it or the day after.

    In the order of the story; of a day that has too many those that are most about the event.
    """
    by_day: dict[int, list[StorySentence]] = {}
    for one in story.sentences:
        if not is_candidate(one):
            continue
        days = set(one.days)
        if one.place < HEAD_SENTENCES:
            days |= {one.published, one.published - 1}
        for day in days:
            by_day.setdefault(day, []).append(one)
    return {day: _fewer(candidates) for day, candidates in by_day.items()}


def _fewer(candidates: list[StorySentence]) -> list[StorySentence]:
    if len(candidates) <= _MOST_CANDIDATES:
        return candidates
    order = sorted(range(len(candidates)), key=lambda place: (-candidates[place].weight, place))
    return [candidates[place] for place in sorted(order[:_MOST_CANDIDATES])]
