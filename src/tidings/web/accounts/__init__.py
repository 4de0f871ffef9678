"""Who may come in: accounts with passwords, links and sessions, the same for both sites of a store."""

from __future__ import annotations

import time
from collections.abc import Callable

from tidings.core import Store
from tidings.web.accounts.accounts import Accounts
from tidings.web.accounts.entrance import Entrance, Entrances

__all__ = ["Accounts", "Entrance", "Entrances", "SiteAccounts"]


class SiteAccounts:
    """The accounts of a store, and who is signed in. `clock` gives the time in seconds."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self.store = store
        self.clock = clock
        self.entrances = Entrances(store, clock)
        self.accounts = Accounts(store, clock)
