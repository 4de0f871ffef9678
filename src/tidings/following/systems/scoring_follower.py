"""What followers share that decide sentence by sentence by a score: by their own level, or at a pace by the gate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tidings.core import Event, Sentence, Update, shared_analyzer
from tidings.following.systems.base import QuerySystem, StatefulFollower, build_gate
from tidings.following.systems.stages import Surroundings

if TYPE_CHECKING:
    from tidings.following.systems.meanings import EncodedMeanings
    from tidings.following.systems.pace.gate import PaceGate

REPEAT = 0.75
"""The cosine to an earlier update above which a sentence repeats it, and is not emitted at whatever pace."""


class ScoringFollower(StatefulFollower):
    """A follower that asks `_chooses` of each candidate, which it calls once and in order, whether to tell it.

    Its own limits (a level, a likeness to what was emitted) decide where no pace is set. At a pace they give way, so
    that it does not run out of candidates; what repeats an earlier update is then no candidate: it asks `_repeats`.
    """

    def __init__(self, event: Event) -> None:
        super().__init__(event)
        self._pace: PaceGate | None = None
        self._meanings: EncodedMeanings | None = None
        self._defers = False

    @property
    def heeds(self) -> frozenset[str]:
        """The gate of a pace, and what the updates mean."""
        return frozenset({"gate", "meanings"})

    def enter(self, surroundings: Surroundings) -> None:
        """Emit what the gate admits, where there is one, and nothing that an update has said in other words."""
        super().enter(surroundings)
        self._pace, self._meanings = surroundings.gate, surroundings.meanings

    def _is_said(self, sentence: Sentence) -> bool:
        """Whether an update has said what a sentence says, where meanings are compared."""
        return self._meanings is not None and self._meanings.repeats(sentence.text, sentence.language)

    def _tell(self, sentence: Sentence, now: int, confidence: float) -> Update:
        if self._meanings is not None:
            self._meanings.note(sentence.text, sentence.language)
        return super()._tell(sentence, now, confidence)

    def _chooses(
        self, sentence: Sentence, score: float, *, own: bool, rank: int = 0, waits: bool = False
    ) -> bool:
        """Whether to tell a candidate: the gate's word, without one its `own`; a budget's room is taken.

        One that `waits` is emitted later: the gate is asked again then, or the room taken, as it is where the follower
        takes it for the main updates of a push first (`_defers`).
        """
        pace = self._pace
        if pace is None:
            return (
                own and not self._is_said(sentence) and (waits or self._defers or self._room(sentence.text))
            )
        if not pace.admits(score, sentence.doc_id, rank) or self._is_said(sentence):
            return False
        if not self._approves(sentence):
            return False
        if not self._room(sentence.text):
            return False
        pace.count_update(waits=waits)
        return True

    def _approves(self, sentence: Sentence) -> bool:
        """Whether a candidate that the gate admits is emitted; a follower that has more to ask says no to some."""
        return True

    def _repeats(self, likeness: float) -> bool:
        """Whether a candidate of this highest cosine to an update is none at a pace, because it repeats that one."""
        return self._pace is not None and likeness > REPEAT


_DOCUMENT = attrgetter("doc_id")


class QueryFollower(ScoringFollower):
    """A follower whose candidates match the query; at a pace that needs more of them, also their neighbours."""

    def __init__(self, system: QuerySystem, event: Event) -> None:
        super().__init__(event)
        self._analyzer = shared_analyzer(system.language)
        self._gate = build_gate(system, event)
        self._length = replace(self._gate, need=0)

    def _candidates(self, sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, tuple[str, ...], int]]:
        """The sentences to be scored, each with its stems and its rank.

        Rank 0: it matches the query. At a pace that these do not suffice for, of a document that does so as a whole,
        1: it holds some stem of the query; 2: another sentence of the document matches.
        """
        stems_of, admits = self._analyzer.stems, self._gate.admits
        if self._pace is None or not self._gate.need:
            for sentence in sentences:
                stems = stems_of(sentence.text)
                if admits(sentence.text, stems):
                    yield sentence, stems, 0
            return
        for _, group in groupby(sentences, key=_DOCUMENT):
            yield from self._ranked([(sentence, stems_of(sentence.text)) for sentence in group])

    def _ranked(
        self, document: Sequence[tuple[Sentence, tuple[str, ...]]]
    ) -> Iterator[tuple[Sentence, tuple[str, ...], int]]:
        assert self._pace is not None
        asked, need, wants = self._gate.stems, self._gate.need, self._pace.wants
        shared = [asked.intersection(stems) for _, stems in document]
        if len(frozenset().union(*shared)) < need:
            return
        matching = max(map(len, shared)) >= need
        for (sentence, stems), own in zip(document, shared, strict=True):
            rank = 0 if len(own) >= need else 1 if own else 2
            if (rank == 2 and not matching) or not self._length.admits(sentence.text, stems):
                continue
            if not rank or wants(rank, sentence.doc_id):
                yield sentence, stems, rank
