"""What readers say of updates now, as judgments that training can read."""

from __future__ import annotations

from collections.abc import Iterable

from tidings.core import EventLogEntry, ReaderMark

__all__ = ["marks_in_effect"]


def marks_in_effect(entries: Iterable[EventLogEntry]) -> dict[str, dict[str, ReaderMark]]:
    """The marks of a log, by event and update: the last one of each update, and none that was withdrawn.

    `not-about` judges an update as no news of the event, `known` as news that was told before.

    >>> from tidings.core.records.standing import EventLogEntry, ReaderMark
    >>> said = [ReaderMark(update_id="d1-0", text="It rains.", mark=mark) for mark in ("known", "not-about")]
    >>> of = {"kind": "marked", "event_id": "storm", "who": "ada", "recorded_ms": 0}
    >>> log = [EventLogEntry(seq=number, mark=mark, **of) for number, mark in enumerate(said)]
    >>> marks_in_effect(log)["storm"]["d1-0"].mark
    'not-about'
    """
    marks: dict[str, dict[str, ReaderMark]] = {}
    for entry in entries:
        if entry.mark is None:
            continue
        own = marks.setdefault(entry.event_id, {})
        own.pop(entry.mark.update_id, None)
        if not entry.mark.withdrawn:
            own[entry.mark.update_id] = entry.mark
    return {event_id: own for event_id, own in marks.items() if own}
