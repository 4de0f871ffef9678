"""`sumfocus`: frequent words of the interval, and above all those of the query.

Source: Vanderwende, Suzuki, Brockett and Nenkova, Beyond SumBasic, Information Processing and Management 43, 2007.

    p(w) = (1 - λ) · p_text(w) + λ · p_query(w),        λ = .9
    p_text(w)  = n(w) / N                               over the stems of the interval
    p_query(w) = (tf(w, q) + ε) / (|q| + ε · V)         over the query; V different stems in the interval and the query

A sentence scores the mean p of its stems; the best that holds the likeliest stem is emitted, then p(w) <- p(w)^2 for
its stems, and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from tidings.core import Event, Vector
from tidings.following.systems.interval_followers import (
    Candidates,
    RankedIntervalFollower,
    RankedIntervalSystem,
    WaitingSentence,
)

_DEEPEST = 6  # squarings of one probability, after which it is as good as zero
_MOST_SAID = 5_000  # stems remembered


class SumFocus(RankedIntervalSystem, frozen=True, kw_only=True):
    """Emits the sentences of each interval with the most frequent words; those of the query count most.

    True to the source as far as it is described here: the mixture with λ = .9, smoothed, then SumBasic's choice.
    Reconstructed: the smoothing (additive), the stems of query and title as the topic's description, the
    interval as the text, and what is said in earlier intervals (`carry`, and the highest cosine to earlier updates).
    The paper's simplification of sentences is left out.
    """

    name: ClassVar[str] = "sumfocus"
    source: ClassVar[str] = "Vanderwende, Suzuki, Brockett and Nenkova, Beyond SumBasic, IP&M 43, 2007"

    minutes: Annotated[int, Meta(ge=1)] = 30
    least: Annotated[int, Meta(ge=1)] = 2
    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.2
    focus: Annotated[float, Meta(ge=0, le=1)] = 0.9
    epsilon: Annotated[float, Meta(gt=0)] = 0.01
    carry: bool = True

    def start(self, event: Event) -> SumFocusFollower:
        """A fresh follower of `event`."""
        return SumFocusFollower(self, event)


class SumFocusFollower(RankedIntervalFollower[SumFocus]):
    """Remembers, with `carry`, how often each stem was emitted."""

    def __init__(self, system: SumFocus, event: Event) -> None:
        super().__init__(system, event)
        self._query = Counter(self._analyzer.stems(f"{event.query} {event.title}"))
        self._said: dict[str, int] = {}

    def _candidates(self, waiting: Sequence[WaitingSentence], vectors: Sequence[Vector]) -> Candidates:
        shares = self._shares(waiting)
        left = dict.fromkeys(range(len(waiting)))
        while left:
            # The likeliest stem that any of the sentences left holds; ties go to the stem first met.
            word = max((stem for number in left for stem in waiting[number].stems), key=shares.__getitem__)
            scores = {
                number: sum(shares[stem] for stem in stems) / len(stems)
                for number in left
                if word in (stems := waiting[number].stems)
            }
            for number in sorted(scores, key=lambda number: (-scores[number], number)):
                del left[number]
                if (yield number, max(scores[number], 1e-12)):
                    for stem in set(waiting[number].stems):
                        shares[stem] **= 2
                    self._say(waiting[number].stems)
                    break

    def _shares(self, waiting: Sequence[WaitingSentence]) -> dict[str, float]:
        counts = Counter(stem for sentence in waiting for stem in sentence.stems)
        focus, epsilon, query = self._system.focus, self._system.epsilon, self._query
        text_size = sum(counts.values())
        query_size = sum(query.values()) + epsilon * len(counts.keys() | query.keys())
        shares = {}
        for stem, count in counts.items():
            share = (1.0 - focus) * count / text_size + focus * (query[stem] + epsilon) / query_size
            shares[stem] = share ** (2 ** min(self._said.get(stem, 0), _DEEPEST))
        return shares

    def _say(self, stems: Sequence[str]) -> None:
        if not self._system.carry:
            return
        for stem in dict.fromkeys(stems):
            # Taken out and put in again: the stems said last are at the end.
            self._said[stem] = self._said.pop(stem, 0) + 1
        while len(self._said) > _MOST_SAID:
            del self._said[next(iter(self._said))]

    def _own_state(self) -> Any:
        return list(self._said.items())

    def _restore_own(self, state: Any) -> None:
        self._said = dict(state)
