"""The assessors' desk in a store: accounts, projects with what is judged in them, and the log of judgments."""

from __future__ import annotations

import time
from collections.abc import Callable

from tidings.annotation.store.log import Act, DeskLog, Recorded
from tidings.annotation.store.objects import WHOLE_TOPIC, Choice, Claim, Claims, ObjectView, Standing
from tidings.annotation.store.projects import USUAL_TASKS, Projects
from tidings.annotation.store.transfer import Transfer
from tidings.core import Store
from tidings.web import Entrance, SiteAccounts

__all__ = [
    "USUAL_TASKS",
    "WHOLE_TOPIC",
    "Act",
    "Choice",
    "Claim",
    "Claims",
    "Desk",
    "Entrance",
    "ObjectView",
    "Recorded",
    "Standing",
]


class Desk(SiteAccounts):
    """What the desk keeps in a store. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        super().__init__(store, clock)
        self.projects = Projects(store, clock)
        self.log = DeskLog(store, clock)
        self.claims = Claims(store, clock)
        self.transfer = Transfer(store)
