"""The pool of a topic as it is judged: each update once for all of its exact copies, and which are nearly the same.

Items never change, so a pool that was read stays in memory until items are added to it.

`LikelyNuggets` says which updates are alike in their words, and which nuggets an update is likely to match.

The second is asked again and again while people judge: the terms are weighed once over the whole pool and the nuggets
made ready once, so that a question takes milliseconds and no judgment waits for it; what each judge has matched comes
with the question, as judges do not see each other's. Before a judge has matched anything the learned matcher knows more
than likeness does: what it says of the whole pool is worked out beside, once, and likeness alone suggests until it is
there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property, lru_cache
from threading import Lock
from weakref import ref

import msgspec
import numpy as np

from tidings.annotation.store import Desk
from tidings.core import NearDuplicates, Nugget, PooledUpdate, TidingsError, shared_analyzer, shingles
from tidings.evaluation import (
    Candidate,
    NuggetSuggester,
    SuggestedNugget,
    TermMatrix,
    Terms,
    candidates_of,
    likeliest,
)

MOST_PAIRS = 500_000
"""Updates times nuggets for which the matcher is asked, about two seconds of work; beyond, likeness alone suggests."""

_LEAST_COSINE = 0.15  # below, updates share no more than common words
_MOST_ALIKE = 300  # updates shown beside one
_WAIT_S = 0.1  # between looks for a matcher that is still at work
_beside = ThreadPoolExecutor(1, thread_name_prefix="likely-nuggets")

_ByText = dict[str, tuple[SuggestedNugget, ...]]


class LikelyNuggets:
    """The nuggets of a topic made ready.

    Args:
        terms: of its pool.
        nuggets: of the topic.
        pool: of which a matcher says what is likely before anything is matched; none for likeness alone.
        wait_s: how many seconds a question waits for what the matcher says; a tenth unless said.

    >>> from tidings.core.records import PooledUpdate
    >>> texts = ["12 people died.", "A ferry burned."]
    >>> pool = TopicPool(PooledUpdate("e", "d", n, text) for n, text in enumerate(texts))
    >>> nuggets = [Nugget("e", "N1", 0, 2, "12 people died"), Nugget("e", "N2", 0, 2, "a ferry burned off the coast")]
    >>> likely = LikelyNuggets(pool.terms, nuggets)
    >>> text = "Police said a ferry burned near the coast."
    >>> [one.nugget_id for one in likely.suggest(text)]
    ['N2']
    """

    def __init__(
        self,
        terms: Terms,
        nuggets: Sequence[Nugget],
        pool: TopicPool | None = None,
        wait_s: float | None = None,
    ) -> None:
        self._suggester = NuggetSuggester(terms, nuggets)
        few = pool is not None and len(pool.updates) * len(nuggets) <= MOST_PAIRS
        self.nuggets, self.pool = nuggets, pool if few else None
        self._wait_s = _WAIT_S if wait_s is None else wait_s
        self._lock = Lock()
        self._said: Future[_ByText] | None = None

    def suggest(
        self, text: str, matched: Iterable[tuple[str, str]] = (), limit: int = 5
    ) -> tuple[SuggestedNugget, ...]:
        """The nuggets that `text` most likely matches, best first; none that shares no term with it.

        Args:
            text: an update's.
            matched: (words that said a nugget, its id), of matches made so far.
            limit: how many at most.
        """
        known = list(matched)
        first = () if known else self._first().get(text, ())
        return self._suggester.knowing(known).suggest(text, limit, first=first)

    def _first(self) -> _ByText:
        """What the matcher says of each text of the pool; nothing until it is there."""
        if self.pool is None:
            return {}
        with self._lock:
            if self._said is None:
                self._said = _beside.submit(_match, ref(self))
        try:
            return self._said.result(self._wait_s)
        except (TimeoutError, TidingsError):
            return {}


def _match(likely: ref[LikelyNuggets]) -> _ByText:
    """Asks the matcher; nothing where other nuggets have taken the place of these since."""
    likely_one = likely()
    if likely_one is None or likely_one.pool is None:
        return {}
    from tidings.evaluation import NuggetMatcher

    found = likeliest(NuggetMatcher().match(likely_one.nuggets, list(likely_one.pool.updates.values())))
    return {likely_one.pool.updates[update].text: suggested for update, suggested in found.items()}


def like_text(pool: TopicPool, text: str) -> list[tuple[str, float]]:
    """All updates with the cosine of their words to those of `text`, 0..1; most alike first, the rest by time.

    >>> from tidings.core.records import PooledUpdate
    >>> pool = TopicPool([PooledUpdate("e", "d", n, text) for n, text in enumerate(["A goal.", "A fire."])])
    >>> [name for name, _ in like_text(pool, "Fires at sea")]
    ['d-1', 'd-0']
    """
    cosines = pool.matrix.cosines(pool.terms.matrix([shared_analyzer().stems(text)]))[:, 0]
    ranked = np.argsort(-cosines, kind="stable").tolist()
    return [(pool.candidates[number].id, float(cosines[number])) for number in ranked]


def like_update(pool: TopicPool, update: Candidate) -> list[tuple[str, float]]:
    """The other updates whose cosine to an update's words is at least 0.15, most alike first, at most 300.

    An update's likely cluster is that of the first of them which is in one; terms are weighed over the whole pool.

    >>> from tidings.core.records import PooledUpdate
    >>> texts = ["A goal.", "A fire at sea.", "The sea is on fire."]
    >>> pool = TopicPool([PooledUpdate("e", "d", n, text) for n, text in enumerate(texts)])
    >>> [name for name, _ in like_update(pool, pool.candidates[1])]
    ['d-2']
    """
    ranked = like_text(pool, update.text)
    near = [(name, cosine) for name, cosine in ranked if cosine >= _LEAST_COSINE and name != update.id]
    return near[:_MOST_ALIKE]


_SECONDS = re.compile(r"([0-9]{9,10})-", re.ASCII)
_NEAR = 0.5  # Jaccard's likeness of shingles: near copies
_KEPT = 16  # pools in memory


def known_time(time: int, update_id: str) -> int:
    """When an update was published; where nobody said it (0), the seconds with which its id begins, else 0.

    >>> known_time(0, "1326499800-dde1e7fa-49"), known_time(7, "1326499800-dde1e7fa-49"), known_time(0, "d-1")
    (1326499800, 7, 0)
    """
    found = _SECONDS.match(update_id)
    return time or (int(found[1]) if found else 0)


class TopicPool:
    """The updates of a topic.

    Args:
        updates: the pool's rows.

    >>> texts = {"a": "A ferry burns in port.", "b": "A  ferry burns in port.", "c": "Rain."}
    >>> pool = TopicPool(PooledUpdate("e", name, 0, text) for name, text in texts.items())
    >>> [one.copies for one in pool.candidates], pool.of("b-0").id
    ([('a-0', 'b-0'), ('c-0',)], 'a-0')
    """

    def __init__(self, updates: Iterable[PooledUpdate]) -> None:
        self.updates: dict[str, PooledUpdate] = {row.id: row for row in updates}
        self.candidates: tuple[Candidate, ...] = candidates_of(self.updates.values())
        self._places = {
            copy: number for number, update in enumerate(self.candidates) for copy in update.copies
        }

    def of(self, update_id: str) -> Candidate | None:
        """The update with its copies; None where it is not in the pool."""
        place = self._places.get(update_id)
        return None if place is None else self.candidates[place]

    def place(self, update_id: str) -> int | None:
        """Where it stands among the candidates, from 0."""
        return self._places.get(update_id)

    def time(self, candidate: Candidate) -> int:
        """When it was published; where nobody said it, the seconds with which its document's id begins, else 0.

        >>> pool = TopicPool([PooledUpdate("e", "1366055164-6f41", 3, "Runners cross the line.")])
        >>> pool.time(pool.candidates[0])
        1366055164
        """
        return known_time(candidate.time, candidate.id)

    def near(self, update_id: str, limit: int = 3) -> list[tuple[Candidate, float]]:
        """Other candidates that are nearly the same, the likest first: at least 0.5 by Jaccard, of runs of two stems.

        >>> texts = ["A ferry burns in the port of Oran.", "A ferry burns in the port of Bari.", "Rain."]
        >>> pool = TopicPool(PooledUpdate("e", "d", number, text) for number, text in enumerate(texts))
        >>> [(one.id, round(likeness, 2)) for one, likeness in pool.near("d-1")]
        [('d-0', 0.5)]
        """
        item = self.of(update_id)
        if item is None:
            return []
        found = [pair for pair in self._index.find(_shingles(item.text), now=0) if pair[0] != item.id]
        found.sort(key=lambda pair: -pair[1])
        return [(self.candidates[self._places[name]], likeness) for name, likeness in found[:limit]]

    @cached_property
    def terms(self) -> Terms:
        """The terms of the updates, weighed by how rare they are among them."""
        return Terms(self._stems)

    @cached_property
    def matrix(self) -> TermMatrix:
        """The updates by these terms."""
        return self.terms.matrix(self._stems)

    @property
    def _stems(self) -> list[tuple[str, ...]]:
        return [shared_analyzer().stems(update.text) for update in self.candidates]

    @cached_property
    def _index(self) -> NearDuplicates:
        index = NearDuplicates(threshold=_NEAR)
        for candidate in self.candidates:
            index.add(candidate.id, _shingles(candidate.text), time=0)
        return index


def _shingles(text: str) -> frozenset[str]:
    return shingles(shared_analyzer().stems(text))


def topic_pool(desk: Desk, project_id: int, topic: int, number: int | None = None) -> TopicPool:
    """The pool of a topic as it is now; the last ones that were asked for are kept.

    `number` is that of its last update, where it was just read.
    """
    if number is None:
        number = desk.projects.last_number(project_id, topic, "update")
    return _read(desk, project_id, topic, number)


@lru_cache(maxsize=_KEPT)
def _read(desk: Desk, project_id: int, topic: int, number: int) -> TopicPool:
    items = desk.projects.items(project_id, topic, "update")
    return TopicPool(msgspec.convert(item.content, PooledUpdate) for item in items)
