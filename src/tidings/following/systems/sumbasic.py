"""`sumbasic`: sentences of frequent words, each word counting less once it has been said."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct

from tidings.core import Event, LanguageModel, Sentence, Update, VectorIndex, unit_vector
from tidings.following.systems.base import GatedFollower, QuerySystem
from tidings.following.systems.changed_numbers import EmittedNumbers

_DEEPEST = 40  # squarings of one probability, after which it is as good as zero


class SumBasic(QuerySystem, frozen=True, kw_only=True):
    """Emits the sentences with the most frequent words of each interval; an emitted word counts with its square.

    p(w) = n(w)/N over the stems of the interval (or of the event so far); a sentence scores the mean p of
    its stems; the best that holds the likeliest word is emitted, and p(w) <- p(w)^2 for its stems. Pure
    SumBasic is `similarity=1,carry=no,model=interval`; the rest makes it an update summarizer.
    """

    name: ClassVar[str] = "sumbasic"
    source: ClassVar[str] = (
        "Nenkova and Vanderwende, The impact of frequency on summarization, MSR-TR-2005-101"
    )

    length: Annotated[int, Meta(ge=1)] = 1
    model: Literal["interval", "event"] = "interval"
    carry: bool = True
    similarity: Annotated[float, Meta(ge=0, le=1)] = 0.35
    memory_hours: Annotated[float, Meta(ge=0)] = 0
    max_kept: Annotated[int, Meta(ge=1)] = 2_000

    def start(self, event: Event) -> SumBasicFollower:
        """A fresh follower of `event`."""
        return SumBasicFollower(self, event)


class _State(Struct, array_like=True):
    counts: dict[str, float]
    emitted: list[tuple[int, str]]
    numbers: Any


class SumBasicFollower(GatedFollower[SumBasic]):
    """Remembers the stems of what it emitted, and with model=event the counts of all words so far."""

    def __init__(self, system: SumBasic, event: Event) -> None:
        super().__init__(system, event)
        self._memory_s = round(system.memory_hours * 3600)
        self._restart(_State({}, [], ()))

    def _restart(self, state: _State) -> None:
        self._counts = LanguageModel(state.counts)
        self._index = VectorIndex()
        self._emitted: deque[tuple[int, tuple[str, ...]]] = deque()
        self._times_told: Counter[str] = Counter()
        self._numbers = EmittedNumbers(self._system.max_kept)
        self._numbers.restore(state.numbers)
        for time, stems in state.emitted:
            self._remember(tuple(stems.split()), time)

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Tell the best sentences of what was published since the last push."""
        self._evict(now)
        stems_of, admits = self._analyzer.stems, self._gate.admits
        offered = [(s, stems) for s in sentences if (stems := stems_of(s.text)) and admits(s.text, stems)]
        if not offered:
            return []
        if self._system.model == "event":
            for _, stems in offered:
                self._counts.add(stems)
            self._changed()
        return self._choose(offered, now)

    def _choose(self, offered: list[tuple[Sentence, tuple[str, ...]]], now: int) -> list[Update]:
        system = self._system
        shares = self._shares([stems for _, stems in offered])
        left = list(range(len(offered)))
        chosen: list[tuple[int, float]] = []
        while left and len(chosen) < system.length:
            # The likeliest word that any of the sentences left holds; ties go to the word first met.
            word = max((stem for i in left for stem in offered[i][1]), key=shares.__getitem__)
            scores = {
                i: sum(shares[stem] for stem in stems) / len(stems)
                for i in left
                if word in (stems := offered[i][1])
            }
            for best in sorted(scores, key=lambda i: (-scores[i], i)):
                left.remove(best)
                sentence, stems = offered[best]
                if self._repeats(sentence, stems) or not self._room(sentence.text):
                    continue
                chosen.append((best, scores[best]))
                self._remember(stems, now)
                self._numbers.add(sentence, stems)
                self._changed()
                for stem in set(stems):
                    shares[stem] **= 2
                break
        chosen.sort()
        return [self._tell(offered[i][0], now, max(score, 1e-12)) for i, score in chosen]

    def _shares(self, sentences: list[tuple[str, ...]]) -> dict[str, float]:
        counts: dict[str, float] = self._counts.counts
        size = self._counts.size
        shares = {}
        if self._system.model == "interval":
            counts = dict(Counter(stem for stems in sentences for stem in stems))
            size = sum(counts.values())
        for stem in dict.fromkeys(stem for stems in sentences for stem in stems):
            share = counts.get(stem, 1.0) / size
            if self._system.carry:
                share **= 2 ** min(self._times_told[stem], _DEEPEST)
            shares[stem] = share
        return shares

    def _repeats(self, sentence: Sentence, stems: Sequence[str]) -> bool:
        limit = self._system.similarity
        if limit == 1.0 or self._index.above(unit_vector(stems), limit) is None:
            return False
        return not self._numbers.has_change(sentence, stems)

    def _remember(self, stems: tuple[str, ...], time: int) -> None:
        self._emitted.append((time, stems))
        self._index.add(unit_vector(stems), time)
        self._times_told.update(set(stems))
        if len(self._emitted) > self._system.max_kept:
            self._forget_oldest()

    def _evict(self, now: int) -> None:
        while self._memory_s and self._emitted and self._emitted[0][0] < now - self._memory_s:
            self._forget_oldest()
            self._changed()

    def _forget_oldest(self) -> None:
        _, stems = self._emitted.popleft()
        self._index.remove_oldest()
        self._times_told.subtract(set(stems))
        for stem in set(stems):
            if not self._times_told[stem]:
                del self._times_told[stem]

    def _encode(self) -> bytes:
        emitted = [(time, " ".join(stems)) for time, stems in self._emitted]
        return msgspec.msgpack.encode(_State(self._counts.counts, emitted, self._numbers.state()))

    def _decode(self, data: bytes) -> None:
        self._restart(msgspec.msgpack.decode(data, type=_State))
