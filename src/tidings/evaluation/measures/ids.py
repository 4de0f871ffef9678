"""Runs write `11` where judgments write `TS14.11`: finding what a run tells of each event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from tidings.core import bare_event_id
from tidings.evaluation.measures.scores import UnknownEventError

__all__ = ["EventIds"]


class _OfEvent(Protocol):
    @property
    def event_id(self) -> str:
        """The event as the run writes it."""


class _Run(Protocol):
    @property
    def team(self) -> str:
        """Who made it."""

    @property
    def name(self) -> str:
        """What it is called."""


T = TypeVar("T", bound=_OfEvent)


class EventIds:
    """The ids of the events that judgments list.

    >>> EventIds(["TS14.11"]).find("11"), EventIds(["TS14.11"]).find("TS13.11"), EventIds(["TS14.11"]).find("12")
    ('TS14.11', None, None)
    """

    def __init__(self, ids: Iterable[str]) -> None:
        listed = list(ids)
        self._ids = {bare_event_id(event_id): event_id for event_id in listed}
        self._ids |= {event_id: event_id for event_id in listed}

    def find(self, event_id: str) -> str | None:
        """The judgments' id for an event as a run writes it, None where there is none.

        Runs may leave the track's prefix out; with the prefix of another year it is another event.
        """
        bare = bare_event_id(event_id)
        judged_id = self._ids.get(event_id) or self._ids.get(bare)
        return None if judged_id and event_id not in (judged_id, bare) and judged_id != bare else judged_id

    def split(self, run: _Run, outputs: Iterable[T]) -> dict[str, Sequence[T]]:
        """What a run tells, by the judgments' ids, in the order of the run.

        Raises:
            UnknownEventError: some of it is of an event that is not listed.
        """
        groups: dict[str, list[T]] = {}
        by_written_id: dict[str, list[T]] = {}
        for one in outputs:
            group = by_written_id.get(one.event_id)
            if group is None:
                event_id = self.find(one.event_id)
                if event_id is None:
                    raise UnknownEventError(
                        one.event_id,
                        f"run {run.team} {run.name} tells of event {one.event_id}, which the judgments do not list",
                    )
                group = by_written_id[one.event_id] = groups.setdefault(event_id, [])
            group.append(one)
        return dict(groups)
