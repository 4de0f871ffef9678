"""Questions to a judge that are asked once: what was answered is kept in a book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from tidings.analysis.judges.answers import MemoryAnswers, question_key
from tidings.analysis.judges.chat import ChatAnswer, ChatClient
from tidings.core import AnswerBook

__all__ = ["Questions"]

_MOST_PAUSES = 3


class Questions:
    """Asks a client, unless the book has the answer.

    Args:
        client: who is asked.
        book: where answers are kept; without one in memory.
        full: keep what was asked too, beside each answer.
        patient: where the client asks nobody for a while after failures, wait; after three such waits without an
            answer between them nobody is asked any more.
    """

    def __init__(
        self,
        client: ChatClient,
        book: AnswerBook | None = None,
        *,
        full: bool = False,
        patient: bool = False,
    ) -> None:
        self._client = client
        self._book: AnswerBook = MemoryAnswers() if book is None else book
        self._full, self._patient = full, patient
        self._pauses = 0

    @property
    def has_given_up(self) -> bool:
        """Whether the judge failed so long that nobody is asked any more; what the book has is still answered."""
        return self._pauses >= _MOST_PAUSES

    def ask(self, system: str, prompt: str, schema: Mapping[str, Any]) -> ChatAnswer:
        """What was answered, now or before; its outcome is `unasked` where nobody is asked any more.

        Raises JudgeError as `ChatClient.ask` does.
        """
        key = question_key(self._client.url, self._client.model, system, prompt)
        answer = self._kept(key)
        if answer is not None:
            return answer
        if self._patient and not self.has_given_up and self._client.wait():
            self._pauses += 1
        if self.has_given_up:
            return ChatAnswer(
                outcome="unasked", detail="not asked any more, since the judge failed too often"
            )
        answer = self._client.ask(system, prompt, schema, key)
        if answer.outcome in ("answered", "unreadable"):
            self._pauses = 0
        if self._full:
            answer = replace(answer, system=system, prompt=prompt)
        self._book.put(key, msgspec.json.encode(answer).decode())
        return answer

    def _kept(self, key: str) -> ChatAnswer | None:
        """The answer that the book has; what failed before the run began is asked anew."""
        written = self._book.get(key)
        if written is None:
            return None
        answer = msgspec.json.decode(written, type=ChatAnswer)
        has_failed = answer.outcome in ("timeout", "failed")
        return None if has_failed and answer.time < self._book.since else answer
