"""The answer book of a store: what judges from outside answered, kept at once, whatever becomes of the run."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sqlalchemy import select

from tidings.core.store.digests import check_row, with_digest
from tidings.core.store.schema import judge_answers
from tidings.core.store.writing import bound, replace_rows

if TYPE_CHECKING:
    from tidings.core.store.store import Store

__all__ = ["StoredAnswers"]


class StoredAnswers:
    """The answers that a store keeps, those of all its runs together: the same question is asked once.

    Each is kept in a transaction of its own, before anything is decided by it: a run that is killed at any point finds
    it again, and decides the same. `since` is when that run began (seconds UTC).

    >>> import tempfile
    >>> from tidings.core.store import open_store
    >>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/example.db") as store:
    ...     book = StoredAnswers(store)
    ...     book.get("a7c5"), book.put("a7c5", "yes"), book.get("a7c5")
    (None, None, 'yes')
    """

    def __init__(self, store: Store, since: int = 0) -> None:
        self._store, self.since = store, since

    def get(self, key: str) -> str | None:
        """The answer to the question of this key; None where it was not asked. StoreError where it is damaged."""
        with self._store.asking() as connection:
            row = connection.execute(select(judge_answers).where(judge_answers.c.key == key)).one_or_none()
        if row is None:
            return None
        check_row(judge_answers, row, str(self._store), f"the answer to question {key}")
        return str(row.answer)

    def put(self, key: str, answer: str) -> None:
        """Keep an answer, in place of what was answered to this question before."""
        row = with_digest(judge_answers, {"key": key, "answer": answer, "answered_time": int(time.time())})
        with self._store.writing() as connection:
            self._store.check_in_place()
            replace_rows(connection, judge_answers, [bound(row)])
