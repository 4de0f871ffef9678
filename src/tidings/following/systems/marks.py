"""Marks of readers, who may say what of an update is wrong.

What resembles a marked update from then on never reaches the system inside, unless it resembles as much what was
emitted and not marked. Likeness is the cosine of the stems of two texts, rare ones weighing more, without the words
that the event is followed by:

    resemblance(s) = max over marked m of cos(s, m) - c max over other updates u of cos(s, u)

A sentence is held back where that is at least the level of m's mark. Where nothing is marked, nothing is remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import fsum, log, sqrt
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from tidings.core import Event, MarkKind, Output, ReaderMark, Sentence, Update, analyzer_of, detect
from tidings.following.systems.stages import Stage, StageFollower, Surroundings

MOST_MARKED = 200
"""Marked updates that are remembered, and so many that are not marked; the oldest go first."""

MOST_UPDATES = 200  # remembered since the first mark

_LONGEST_TEXT = 1_000  # characters of a text that are looked at
_LONGEST = 60  # stems of a text that are looked at

_Vector = dict[str, float]


class Likeness(Struct, frozen=True):
    """From which resemblance on a sentence is held back, by the kind of mark, and the weight c of other updates."""

    not_about: float = 0.15
    known: float = 0.3
    contrast: float = 0.5


LEVELS = Likeness()
"""Those that are used; see docs/live/live-pages.md for how they were chosen."""


class Marks(Stage, frozen=True, kw_only=True):
    """Marks of readers, which are heeded; without any, nothing is held back and nothing remembered."""

    stage: ClassVar[str] = "marks"
    remembers: ClassVar[str] = "the marked updates, and what was emitted since"

    likeness: Likeness = LEVELS

    def start(self, event: Event, surroundings: Surroundings) -> MarksFollower:
        """What heeds the marks of updates of `event`."""
        return MarksFollower(event, self.likeness, surroundings)


class _Memory(Struct, array_like=True):
    """What was marked, as (update, mark, text), and what was emitted since the first mark, as (update, text)."""

    marked: list[tuple[str, MarkKind, str]]
    updates: list[tuple[str, str]]


class MarksFollower(StageFollower):
    """Holds back what resembles an update that a reader marked."""

    def __init__(
        self, event: Event, likeness: Likeness = LEVELS, surroundings: Surroundings | None = None
    ) -> None:
        self._likeness, self._surroundings = likeness, surroundings or Surroundings()
        self._query_text = f"{event.query} {event.title}"[:_LONGEST_TEXT]
        self._queries: dict[str, frozenset[str]] = {}
        self._marked: dict[str, tuple[MarkKind, str]] = {}
        self._updates: dict[str, str] = {}
        self._weights: _Vector | None = None
        self._rarest = 1.0
        self._marked_vectors: list[tuple[float, _Vector]] = []
        self._update_vectors: list[_Vector] = []

    def mark(self, mark: ReaderMark) -> None:
        """Hold back from now on what resembles an update; or no longer, where that is withdrawn."""
        if mark.mark == "wanted":
            return
        self._marked.pop(mark.update_id, None)
        if not mark.withdrawn:
            self._updates.pop(mark.update_id, None)
            self._marked[mark.update_id] = (mark.mark, mark.text[:_LONGEST_TEXT])
            _bound(self._marked, MOST_MARKED)
        elif self._marked:
            self._remember(mark.update_id, mark.text)
        if not self._marked:
            self._updates.clear()
        self._weights = None

    def receive(self, sentences: Sequence[Sentence], now: int) -> Sequence[Sentence]:
        """Those that resemble no marked update."""
        if not self._marked:
            return sentences
        kept: list[Sentence] = []
        held: list[Sentence] = []
        for sentence in sentences:
            (held if self.resembles(sentence.text) else kept).append(sentence)
        self._surroundings.leave(held, "marked")
        return kept

    def give(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """Those that resemble no marked update."""
        if not self._marked:
            return outputs
        # What waited inside since before it was marked comes out unasked: it is held back here.
        kept = [
            output for output in outputs if not (isinstance(output, Update) and self.resembles(output.text))
        ]
        for output in kept:
            if isinstance(output, Update) and output.text:
                self._remember(output.id, output.text)
        return kept

    def _remember(self, update_id: str, text: str) -> None:
        self._updates[update_id] = text[:_LONGEST_TEXT]
        _bound(self._updates, MOST_UPDATES)
        self._weights = None

    def resembles(self, text: str) -> bool:
        """Whether a text resembles what was marked, more than what was not."""
        if self._weights is None:
            self._weigh()
        own = self._vector(self._stems_of(text))
        best = max((_dot(own, vector) - level for level, vector in self._marked_vectors), default=-1.0)
        if best < 0.0:
            return False
        other = max((_dot(own, vector) for vector in self._update_vectors), default=0.0)
        return best - self._likeness.contrast * other >= 0.0

    def _stems_of(self, text: str) -> frozenset[str]:
        text = text[:_LONGEST_TEXT]
        code = "" if text.isascii() else detect(text)
        code = "" if code == "en" else code
        stems_of = analyzer_of(code, "english").stems
        query = self._queries.get(code)
        if query is None:
            query = self._queries[code] = frozenset(stems_of(self._query_text))
        return frozenset(stems_of(text)[:_LONGEST]) - query

    def _weigh(self) -> None:
        levels = {"not-about": self._likeness.not_about, "known": self._likeness.known}
        marked = [(levels[kind], self._stems_of(text)) for kind, text in self._marked.values()]
        updates = [self._stems_of(text) for text in self._updates.values()]
        texts = [*(stems for _, stems in marked), *updates]
        counts = Counter(stem for stems in texts for stem in stems)
        self._rarest = 1.0 + log(1 + len(texts))
        self._weights = {stem: 1.0 + log((1 + len(texts)) / (1 + count)) for stem, count in counts.items()}
        self._marked_vectors = [(level, self._vector(stems)) for level, stems in marked]
        self._update_vectors = [self._vector(stems) for stems in updates]

    def _vector(self, stems: frozenset[str]) -> _Vector:
        weights = self._weights or {}
        vector = {stem: weights.get(stem, self._rarest) for stem in stems}
        norm = sqrt(fsum(weight * weight for weight in vector.values()))
        return {stem: weight / norm for stem, weight in vector.items()}

    def state(self) -> bytes:
        """What was marked, where anything was, and what was emitted since."""
        if not self._marked:
            return b""
        marked = [(update_id, kind, text) for update_id, (kind, text) in self._marked.items()]
        return msgspec.msgpack.encode(_Memory(marked, list(self._updates.items())))

    def restore(self, data: bytes) -> None:
        """Become what gave `data`."""
        memory = msgspec.msgpack.decode(data, type=_Memory) if data else _Memory([], [])
        self._marked = {update_id: (kind, text) for update_id, kind, text in memory.marked}
        self._updates = dict(memory.updates)
        self._weights = None


def _bound(remembered: dict[str, Any], most: int) -> None:
    while len(remembered) > most:
        del remembered[next(iter(remembered))]


def _dot(vector: _Vector, other: _Vector) -> float:
    small, large = (vector, other) if len(vector) < len(other) else (other, vector)
    return fsum(weight * large[stem] for stem, weight in small.items() if stem in large)
