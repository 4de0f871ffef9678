"""What followers share that decide sentence by sentence by a score: by their own level, or at a pace by the gate."""

from __future__ import annotations

from tidings.protocols import PaceKeeper
from tidings.records import Event, Sentence
from tidings.systems.base import StatefulFollower

__all__ = ["REPEAT", "ScoringFollower"]

REPEAT = 0.75
"""The cosine to an earlier update above which a sentence repeats it, and is not told at whatever pace."""


class ScoringFollower(StatefulFollower):
    """A follower that asks `_chooses` of each candidate, which it calls once and in order, whether to tell it.

    Its own limits (a level, a likeness to what was told) decide where no pace is set. At a pace they give way, so that
    it does not run out of candidates; what repeats an earlier update is then no candidate: it asks `_repeats`.
    """

    def __init__(self, event: Event) -> None:
        super().__init__(event)
        self._pace: PaceKeeper | None = None

    @property
    def is_paced(self) -> bool:
        """Whether a gate decides."""
        return self._pace is not None

    def keep_pace(self, gate: PaceKeeper) -> None:
        """Tell from now on what the gate admits."""
        self._pace = gate

    def _chooses(self, sentence: Sentence, score: float, *, own: bool) -> bool:
        """Whether to tell a candidate: the gate's word, without one its `own`; a budget's room is taken."""
        pace = self._pace
        if pace is None:
            return own and self._room(sentence.text)
        if not (pace.admits(score, sentence.doc_id) and self._room(sentence.text)):
            return False
        pace.count_update()
        return True

    def _repeats(self, likeness: float) -> bool:
        """Whether a candidate of this highest cosine to an update is none at a pace, because it repeats that one."""
        return self._pace is not None and likeness > REPEAT
