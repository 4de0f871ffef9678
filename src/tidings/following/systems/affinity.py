"""`affinity`: sentences that stand for a group of an hour's sentences, found by affinity propagation.

The baseline "AP" of Kedzie, McKeown and Diaz, ACL 2015 (their system without its predicted salience) and of later
papers. Similarities are cosines from which the largest is taken, so that all are <= 0; every sentence has the
same preference, their median.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, ClassVar

from msgspec import Meta

from tidings.core import Event, Vector
from tidings.following.systems.clustering import affinity_propagation
from tidings.following.systems.interval_followers import WaitingSentence
from tidings.following.systems.ranked_intervals import (
    Candidates,
    RankedIntervalFollower,
    RankedIntervalSystem,
)
from tidings.following.systems.tfidf import cosines

__all__ = ["Affinity"]


class Affinity(RankedIntervalSystem, frozen=True, kw_only=True):
    """Tells of each hour the sentences that stand for a group of at least two.

    True to the source: hourly batches without copies, sentences of ten words or more, hours of few sentences
    left out (there fewer than 10, here than 4, since a pool is a sample), affinity propagation with the median as
    preference and at most 100 rounds, groups of two or more, and a limit of .2264 to the likeness of earlier
    updates. Reconstructed: likeness is the cosine of tf·idf vectors (idf over the event's
    matching sentences so far), where the source has latent vectors learned from outside text; and behind the query's
    gate, where the source had relevant documents. An hour of very many sentences is cut at `max_held`.
    """

    name: ClassVar[str] = "affinity"
    source: ClassVar[str] = (
        "Kedzie, McKeown and Diaz, Predicting salient updates for disaster summarization, ACL 2015; "
        "Frey and Dueck, Science 315, 2007"
    )

    length: Annotated[int, Meta(ge=0, description="most sentences told of one interval; 0: any number")] = 0
    least: Annotated[
        int, Meta(ge=1, description="different matching sentences that an interval must have to be told of")
    ] = 4
    min_words: Annotated[int, Meta(ge=0, description="words of the shortest sentence that may be told")] = 10
    similarity: Annotated[
        float, Meta(ge=0, le=1, description="highest cosine (tf·idf) to any earlier update; 1: any")
    ] = 0.2264
    max_held: Annotated[
        int, Meta(ge=1, description="different sentences kept of one interval; later ones are passed over")
    ] = 200
    group: Annotated[
        int, Meta(ge=1, description="sentences that an update must stand for, itself counted")
    ] = 2
    damping: Annotated[float, Meta(ge=0, lt=1, description="share of the old message in the new one")] = 0.7
    rounds: Annotated[int, Meta(ge=1, description="most rounds of messages")] = 100

    def start(self, event: Event) -> AffinityFollower:
        """A fresh follower of `event`."""
        return AffinityFollower(self, event)


class AffinityFollower(RankedIntervalFollower):
    """Ranks exemplars by the size of their group; a score is the group's share of the hour."""

    def __init__(self, system: Affinity, event: Event) -> None:
        super().__init__(system, event)
        self._system = system

    def _candidates(self, waiting: Sequence[WaitingSentence], vectors: Sequence[Vector]) -> Candidates:
        system = self._system
        likeness = cosines(vectors)
        exemplars = affinity_propagation(likeness - likeness.max(), None, system.damping, system.rounds)
        sizes = Counter(exemplars.tolist())
        for number in sorted(sizes, key=lambda number: (-sizes[number], number)):
            if sizes[number] >= system.group:
                yield number, sizes[number] / len(waiting)
