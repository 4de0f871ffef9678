"""A reader's process that takes for ever for some of what it is given: as far as anybody can see from outside."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from tidings.core.processes import serve
from tidings.sources.polling.readers import answer_question

__all__ = ["ENDLESS"]

ENDLESS = b"This is read for ever."


def _answer(question: bytes, answer: Callable[[bytes], None]) -> None:
    if ENDLESS in question:
        os.kill(os.getpid(), signal.SIGALRM)  # what its timer would do, without the wait
    answer_question(question, answer)


if __name__ == "__main__":
    serve(_answer)
