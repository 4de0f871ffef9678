"""Answer books: what was answered is kept, so that nothing is asked twice."""

from __future__ import annotations

import json
from hashlib import sha256

__all__ = ["MemoryAnswers", "question_key"]

_MOST = 100_000


def question_key(url: str, model: str, system: str, prompt: str) -> str:
    """What a question is known by: SHA-256 over address, model and words, in hexadecimal digits.

    >>> question_key("http://localhost/v1", "m", "Be brief.", "Is it news?")[:8]
    'c7974c74'
    """
    parts = json.dumps([url, model, system, prompt])
    return sha256(parts.encode("ascii")).hexdigest()


class MemoryAnswers:
    """A book in memory, for runs that are not kept: `answers` may be others' too, `since` is when the run began.

    >>> book = MemoryAnswers()
    >>> book.get("a7c5"), book.put("a7c5", "yes"), book.get("a7c5")
    (None, None, 'yes')
    """

    def __init__(self, answers: dict[str, str] | None = None, since: int = 0) -> None:
        self._answers: dict[str, str] = {} if answers is None else answers
        self.since = since

    def get(self, key: str) -> str | None:
        """The answer to the question of this key; None where it was not asked."""
        return self._answers.get(key)

    def put(self, key: str, answer: str) -> None:
        """Keep an answer; the oldest go where there are very many."""
        if len(self._answers) >= _MOST:
            del self._answers[next(iter(self._answers))]
        self._answers[key] = answer
