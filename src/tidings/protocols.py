"""What the rooms expect of each other, one verb each.

A *system* is configuration and learned weights; `start(event)` gives a *follower*. A follower is
the plain function (event, state, sentences) -> (state, updates), written as an object: `push` takes
what was published since the last call in time order and sees nothing from after `now`. Whoever hosts it (the
follow loop, the web page, a distributed engine) keeps its state between calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct

from tidings.records import Event, LateDocument, Position, Sentence, Update

__all__ = ["Checkpoint", "Follower", "Saved", "System"]


@runtime_checkable
class Follower(Protocol):
    """One event being followed by one system."""

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        """Decide, at time `now` (seconds UTC), which of these sentences to tell.

        `sentences` are ordered by (published_time, doc_id, index) within a call, and all of them have
        published_time <= now; `now` never falls from call to call. Returned updates carry time == now.
        """
        ...

    def state(self) -> bytes:
        """Everything the follower remembers, in a form that holds no code (msgpack)."""
        ...

    def restore(self, data: bytes) -> None:
        """Become the follower whose `state()` gave `data`."""
        ...


@runtime_checkable
class System(Protocol):
    """A way of summarizing: immutable configuration, able to follow any number of events."""

    @property
    def name(self) -> str:
        """The registered name, as `--system` takes it."""
        ...

    def start(self, event: Event) -> Follower:
        """A fresh follower of `event`; two of them given the same input give the same updates."""
        ...


class Saved(Struct, frozen=True, kw_only=True):
    """What a checkpoint holds: where each source stands and what each event's follower remembers."""

    positions: tuple[Position, ...] = ()
    states: dict[str, bytes] = {}
    finished: bool = False


@runtime_checkable
class Checkpoint(Protocol):
    """Where the follow loop keeps a run, so that it can go on after being stopped anywhere."""

    def load(self) -> Saved:
        """What the last commit left; an empty `Saved` for a new run."""
        ...

    def commit(
        self,
        positions: Sequence[Position],
        states: Mapping[str, bytes],
        updates: Sequence[Update],
        late: Sequence[LateDocument],
        *,
        finished: bool = False,
    ) -> None:
        """Keep all of this, or none of it: positions, the states that changed, and what is new."""
        ...
