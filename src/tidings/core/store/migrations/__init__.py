"""How a store comes to its tables: numbered migrations, forward only, each in one transaction.

To add one: write `vNNN_words.py` beside these with a function `migrate(connection)`, and put it at the end of
`MIGRATIONS`; its place there is its number. What is in this list never changes again, because stores were made
by it: a migration says its tables itself, as they are after it, and asks nothing of `tidings.core.store.schema`, which
follows the newest. A row that it writes or widens gets its digest from `tidings.core.store.digests`. The tests kill
it at every statement, on a store of the version before it kept in tests/store/data/.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from tidings.core.store.migrations import (
    v001_runs,
    v002_outputs,
    v003_inbox,
    v004_desk,
    v005_answers,
    v006_live,
    v007_made_accounts,
)

__all__ = ["MIGRATIONS", "SCHEMA_VERSION"]

MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    v001_runs.migrate,
    v002_outputs.migrate,
    v003_inbox.migrate,
    v004_desk.migrate,
    v005_answers.migrate,
    v006_live.migrate,
    v007_made_accounts.migrate,
)
"""In their order; the first makes the tables of version 1 in an empty database."""

SCHEMA_VERSION = len(MIGRATIONS)
"""The version that this tidings reads and writes; a store of a higher one is refused."""
