"""Whether an update has told what a sentence of an article says: whether one holds most of its words.

The words that most of what is said of the event shares (its query, its topic) do not count: they are no news. But where
they are counted too, of a sentence of twelve words and more seven tenths repeat: early in a story the words of a report
that several outlets copy are all that is shared. Where the sentence counts something in a number that no update has
given, only nearly the same words repeat; more casualties than any update has told of are always news.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.following.systems.tidings.candidates import ArticleCandidate, Limits
    from tidings.following.systems.tidings.postings import Postings
    from tidings.following.systems.tidings.waiting import Wording

__all__ = ["repeats"]

_FEWEST = 2
_LONG = 12
_WHOLE = 0.7


def repeats(
    candidate: ArticleCandidate | Wording,
    emitted: Postings[str],
    common: frozenset[str] | set[str],
    casualties: Mapping[str, int],
    limits: Limits,
    has_new_number: Callable[[], bool],
    words_only: bool,
) -> bool:
    """Whether one of the updates, whose stems are `emitted`, has told what the candidate says.

    Args:
        candidate: a sentence with its stems, weighed, and its casualties.
        emitted: the stems of the updates.
        common: the stems that do not count.
        casualties: the highest number of each kind that an update has given.
        limits: `contained`, the share of a sentence's weight above which an update that holds it has told it; `same`,
            that share where a number is new.
        has_new_number: tells whether it counts something in a number that no update has given.
        words_only: ask for `same` of any sentence.
    """
    own = {stem: weight for stem, weight in candidate.stems.items() if stem not in common}
    if len(own) < _FEWEST:
        own = dict(candidate.stems)
    contained = _contained(own, emitted)
    if len(candidate.stems) >= _LONG:
        contained = max(contained, limits.contained * _contained(candidate.stems, emitted) / _WHOLE)
    if contained <= min(limits.same, limits.contained):
        return False
    if any(value > casualties.get(kind, 0) for kind, value in candidate.casualties.items()):
        return False
    return contained > (limits.same if words_only or has_new_number() else limits.contained)


def _contained(stems: Mapping[str, float], emitted: Postings[str]) -> float:
    """The largest share of the weight of these stems that one update holds."""
    row, _, weight = emitted.meet(dict(stems))
    if not len(row):
        return 0.0
    import numpy as np

    return float(np.bincount(row, weights=weight).max()) / sum(stems.values())
