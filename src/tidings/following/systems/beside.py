"""`values=yes`, `entities=yes`: any system with trackers beside it, in one pass through the stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from tidings.core import Event, Follower, Interest, Output, Sentence, System, Update
from tidings.following.systems.stages import Stage, StageFollower, Surroundings


class Beside(Stage, frozen=True, kw_only=True):
    """A tracker beside a system; a child says which."""

    def tracker(self) -> System:
        """What gives something else than updates."""
        raise NotImplementedError

    def interest(self, event: Event, inner: Interest | None, system: System) -> Interest | None:
        """What interests either of them."""
        tracked = self.tracker().interest(event)
        if inner is None or tracked is None or inner.language != tracked.language:
            return None
        return replace(
            inner, stems=inner.stems | tracked.stems, need=1, whole=inner.whole or tracked.whole, pooled=None
        )

    def start(self, event: Event, surroundings: Surroundings) -> BesideFollower:
        """A fresh tracker of `event`."""
        return BesideFollower(self.tracker(), event)


class ValuesBeside(Beside, frozen=True, kw_only=True):
    """Values and where the event is, beside the updates."""

    stage: ClassVar[str] = "values"
    remembers: ClassVar[str] = "the claims of each value"

    values: bool = False
    places: bool = False

    def tracker(self) -> System:
        """The tracker of values."""
        from tidings.following.systems.values import TrackedValues

        return TrackedValues(places=self.places)

    def start(self, event: Event, surroundings: Surroundings) -> BesideFollower:
        """A fresh tracker of `event`, which heeds the updates beside it."""
        return ValuesFollower(self.tracker(), event)


class EntitiesBeside(Beside, frozen=True, kw_only=True):
    """Entities beside the updates."""

    stage: ClassVar[str] = "entities"
    remembers: ClassVar[str] = "the entities so far"

    entities: bool = False

    def tracker(self) -> System:
        """The ranker of entities."""
        from tidings.following.systems.entities import default_system

        return default_system()


class BesideFollower(StageFollower):
    """Gives what is decided inside, then what the tracker gives for the same sentences."""

    def __init__(self, system: System, event: Event) -> None:
        self._system, self._event = system, event
        self._tracker: Follower = system.start(event)

    def give(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """All of these, and what is tracked."""
        return [*outputs, *self.track(outputs, sentences, now)]

    def track(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """What the tracker gives for these sentences (None: at the end), beside the outputs of inside."""
        return self._tracker.finish(now) if sentences is None else self._tracker.push(sentences, now)

    def state(self) -> bytes:
        """What the tracker remembers."""
        return self._tracker.state()

    def restore(self, data: bytes) -> None:
        """Become what gave `data`."""
        self._tracker = self._system.start(self._event)
        if data:
            self._tracker.restore(data)


class ValuesFollower(BesideFollower):
    """Values beside updates: none stands against what is emitted with it."""

    def track(
        self, outputs: Sequence[Output], sentences: Sequence[Sentence] | None, now: int
    ) -> Sequence[Output]:
        """The values that sentences and updates change."""
        from tidings.following.systems.values import ValueFollower

        assert isinstance(self._tracker, ValueFollower)
        updates = [output for output in outputs if isinstance(output, Update)]
        return self._tracker.push(sentences or (), now, updates)
