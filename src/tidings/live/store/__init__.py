"""Standing events in a store: what is followed until further notice, what was emitted for it, and who has read it."""

from __future__ import annotations

import time
from collections.abc import Callable

from tidings.core import Store
from tidings.live.store.events import StandingEvents
from tidings.live.store.outbox import AlarmOutbox
from tidings.live.store.outputs import LiveOutputs, NumberedOutput, RunEnd, Stories
from tidings.live.store.readers import LiveReaders
from tidings.live.store.rules import AlarmChannels, AlarmRules
from tidings.live.store.search import Search

__all__ = [
    "LIVE_RUN",
    "LIVE_STORIES",
    "LiveOutputs",
    "LiveStore",
    "NumberedOutput",
    "RunEnd",
    "StandingEvents",
]

LIVE_STORIES = "live"
"""The name of the grouping that has the stories of a store's inbox."""

LIVE_RUN = "live"
"""The name of the run that follows a store's standing events."""


class LiveStore:
    """What live pages show of a store, and change in it.

    Args:
        store: that has all of it.
        run: the run whose outputs are shown.
        clock: gives the time in seconds.
    """

    def __init__(self, store: Store, run: str = LIVE_RUN, clock: Callable[[], float] = time.time) -> None:
        self.store, self.run, self.clock = store, run, clock
        self.events = StandingEvents(store, clock)
        self.outputs = LiveOutputs(store, run)
        self.channels, self.rules = AlarmChannels(store), AlarmRules(store)
        self.outbox = AlarmOutbox(store, clock)
        self.stories = Stories(store, self.outputs)
        self.search = Search(store, self.outputs)
        self.readers = LiveReaders(store, clock)
