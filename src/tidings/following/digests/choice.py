"""What every digest system is asked for and gives, and the sentences that a day is told from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from tidings.following.digests.relevance import HEAD_SENTENCES
from tidings.following.digests.story import Story, StorySentence

__all__ = ["Choice", "ChosenDays", "candidates_by_day", "dated_candidates", "is_candidate"]

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
    return _by_day(story, lambda one: {*one.days, *_recent(one)} if one.place < HEAD_SENTENCES else one.days)


def dated_candidates(story: Story) -> dict[int, Sequence[StorySentence]]:
    """As `candidates_by_day`, but what names a day is told under no other one.

    A sentence of a head that names none may be of the day of publication or of the day before: of those of the two that
    its head names, else of both.
    """
    named: dict[int, set[int]] = {}
    for one in story.sentences:
        if one.place < HEAD_SENTENCES:
            named.setdefault(one.document, set()).update(one.days)

    def days_of(one: StorySentence) -> Iterable[int]:
        if one.days or one.elsewhen or one.place >= HEAD_SENTENCES:
            return one.days
        return _recent(one) & named[one.document] or _recent(one)

    return _by_day(story, days_of)


def _recent(one: StorySentence) -> set[int]:
    return {one.published, one.published - 1}


def _by_day(
    story: Story, days_of: Callable[[StorySentence], Iterable[int]]
) -> dict[int, Sequence[StorySentence]]:
    by_day: dict[int, list[StorySentence]] = {}
    for one in story.sentences:
        if is_candidate(one):
            for day in days_of(one):
                by_day.setdefault(day, []).append(one)
    return {day: _fewer(candidates) for day, candidates in by_day.items()}


def _fewer(candidates: list[StorySentence]) -> list[StorySentence]:
    if len(candidates) <= _MOST_CANDIDATES:
        return candidates
    order = sorted(range(len(candidates)), key=lambda place: (-candidates[place].weight, place))
    return [candidates[place] for place in sorted(order[:_MOST_CANDIDATES])]
