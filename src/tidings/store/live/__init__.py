"""Standing events in a store: what is followed until further notice, what was told of it, and who has read it."""

from __future__ import annotations

import time
from collections.abc import Callable

from tidings.store.live.channels import AlarmChannels
from tidings.store.live.events import StandingEvents
from tidings.store.live.outbox import AlarmOutbox
from tidings.store.live.outputs import LiveOutputs, NumberedOutput, RunEnd
from tidings.store.live.readers import LiveReaders
from tidings.store.live.rules import AlarmRules
from tidings.store.live.search import Search
from tidings.store.live.stories import Stories
from tidings.store.store import Store

__all__ = ["LIVE_RUN", "LiveOutputs", "LiveStore", "NumberedOutput", "RunEnd", "StandingEvents"]

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
        self.channels, self.rules = AlarmChannels(store, clock), AlarmRules(store, clock)
        self.outbox = AlarmOutbox(store, clock)
        self.stories = Stories(store, self.outputs)
        self.search = Search(store, self.outputs)
        self.readers = LiveReaders(store, clock)
