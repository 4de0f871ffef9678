"""When a follower has been silent for too long while there is news, so that the best of the day is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["QuietWatch"]

_PATIENCE = 0.08
_LIMIT = 0.12
_LEAST_DAYS = 2
_FIRST_DOCUMENTS = 2
_RISE = 1.5
_FORGOTTEN = 0.8


class QuietWatch:
    """Counts days with news, of which a follower should not let too many pass in silence.

    The best of a day is called for when nothing was told today, and either nothing ever was (from the second document
    on), or no update came on 8 % of all days with news so far (on two at least), or today brings half as many documents
    again as a usual day and yesterday was silent. A day without documents about the event counts for nothing.

    >>> watch = QuietWatch(unit_s=86_400)
    >>> calls = []
    >>> for day in range(5):
    ...     watch.add_document(day * 86_400)
    ...     calls.append(watch.calls_for_best)
    >>> calls
    [False, False, True, True, True]
    >>> watch.note_update()
    >>> watch.calls_for_best
    False
    """

    def __init__(self, unit_s: int) -> None:
        self._unit_s = unit_s
        self._day: int | None = None
        self._days = self._silent_days = 0
        self._documents = 0
        self._usual = 0.0
        self._spoke_today = False
        self._is_mute = True

    @property
    def is_overdue(self) -> bool:
        """Whether nothing was told for so long that the best of today should be, even if too much was told before."""
        return not self._spoke_today and self._silent_days >= max(2 * _LEAST_DAYS, _LIMIT * self._days)

    @property
    def calls_for_best(self) -> bool:
        """Whether the best of today should be told, unless too much was told before."""
        if self._spoke_today:
            return False
        if self._is_mute and self._documents >= _FIRST_DOCUMENTS:
            return True
        if self._silent_days >= max(_LEAST_DAYS, _PATIENCE * self._days):
            return True
        return self._silent_days >= 1 and self._documents > max(2.0, _RISE * self._usual)

    @property
    def documents_a_day(self) -> float:
        """How many documents about the event a day with news brings, by the latest ones."""
        return max(1.0, self._usual, float(self._documents))

    def add_document(self, now: int) -> None:
        """Count a document about the event."""
        day = now // self._unit_s
        if day != self._day:
            if self._day is not None:
                self._silent_days = 0 if self._spoke_today else self._silent_days + 1
                share = max(1.0 - _FORGOTTEN, 1.0 / (self._days or 1))
                self._usual += share * (self._documents - self._usual)
            self._day, self._documents, self._spoke_today = day, 0, False
            self._days += 1
        self._documents += 1

    def note_update(self) -> None:
        """Note that something was told today."""
        self._spoke_today = True
        self._is_mute = False

    def state(self) -> list[Any]:
        """What was counted, as plain values."""
        return [
            self._day,
            self._days,
            self._silent_days,
            self._documents,
            self._usual,
            self._spoke_today,
            self._is_mute,
        ]

    def restore(self, state: Sequence[Any]) -> None:
        """Become what gave `state`."""
        (
            self._day,
            self._days,
            self._silent_days,
            self._documents,
            self._usual,
            self._spoke_today,
            self._is_mute,
        ) = state
