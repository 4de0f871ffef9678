"""What a run tells of one event, by position in its file: looked at only where a judgment stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.core import Run, Update, UpdateColumns

__all__ = ["NOTHING", "EventUpdates", "by_event"]


@dataclass(frozen=True, slots=True)
class EventUpdates:
    """One event's updates in the order of the run's file.

    `ids` are their update ids; `positions` says where in the run each stands.
    """

    source: Sequence[Update]
    ids: list[str]
    positions: Sequence[int]

    def __len__(self) -> int:
        return len(self.ids)

    def time(self, number: int) -> int:
        """The decision time of the event's update of that number."""
        source, position = self.source, self.positions[number]
        return source.time(position) if isinstance(source, UpdateColumns) else source[position].time

    def written_times(self) -> list[str]:
        """The decision time of each, as text."""
        source, positions = self.source, self.positions
        if not isinstance(source, UpdateColumns):
            return [str(source[position].time) for position in positions]
        if isinstance(positions, range):
            return source.written_times(positions.start, positions.stop)
        return [time for position in positions for time in source.written_times(position, position + 1)]

    def confidences(self) -> list[float]:
        """The confidence of each."""
        source = self.source
        if isinstance(source, UpdateColumns):
            return [source.confidence(position) for position in self.positions]
        return [source[position].confidence for position in self.positions]

    def update(self, number: int) -> Update:
        """The event's update of that number."""
        return self.source[self.positions[number]]


NOTHING = EventUpdates((), [], ())


def by_event(run: Run) -> dict[str, EventUpdates]:
    """The run's updates apart by event id as written, in order of first appearance."""
    source = run.updates
    if isinstance(source, UpdateColumns):
        return _by_block(source)
    ids: dict[str, list[str]] = {}
    positions: dict[str, list[int]] = {}
    for position, update in enumerate(source):
        ids.setdefault(update.event_id, []).append(update.id)
        positions.setdefault(update.event_id, []).append(position)
    return {event: EventUpdates(source, ids[event], positions[event]) for event in ids}


def _by_block(source: UpdateColumns) -> dict[str, EventUpdates]:
    blocks: dict[str, list[tuple[int, int]]] = {}
    for event, start, end in source.blocks:
        blocks.setdefault(event, []).append((start, end))
    by_event_id = {}
    for event, ranges in blocks.items():
        start, end = ranges[0]
        if len(ranges) == 1:
            by_event_id[event] = EventUpdates(source, source.ids(start, end), range(start, end))
        else:
            positions = [position for start, end in ranges for position in range(start, end)]
            ids = [one for start, end in ranges for one in source.ids(start, end)]
            by_event_id[event] = EventUpdates(source, ids, positions)
    return by_event_id
