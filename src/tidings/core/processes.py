"""Work done in a process of its own: within a time, and for no longer than whoever asked for it lives.

A `Worker` begins `python -m MODULE`, whose `main` calls `serve`, and may be asked again and again. A process that takes
longer than it may is ended by the kernel's timer, whatever it is at, so it never outlives its limit, even where whoever
began it was killed; one that waits for a question ends with its standard input.
"""

from __future__ import annotations

import os
import resource
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from typing import IO

from tidings.core.errors import TidingsError

_QUESTION = struct.Struct(">dQ")  # how many seconds it may take, and how many bytes it has
_ANSWER = struct.Struct(">q")
_NO_MORE = -1  # a length that no answer has


class WorkerError(TidingsError):
    """A process ended before it had answered."""


class OverrunError(WorkerError):
    """A process took longer than it may, and was ended."""


class Worker:
    """A process that answers questions, one at a time; it does not share anything with this one.

    Args:
        module: whose `main` calls `serve`.
    """

    def __init__(self, module: str) -> None:
        # A session of its own: Ctrl-C in a terminal is for whoever asks.
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    def ask(self, question: bytes, most_s: float) -> Iterator[bytes]:
        """The answers to a question, as they come.

        Args:
            question: what `serve` hands to its function.
            most_s: seconds until the last answer.

        Raises:
            OverrunError: it took longer; WorkerError: the process ended by itself. It can be asked no more.
        """
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None and answers is not None
        try:
            asked.write(_QUESTION.pack(most_s, len(question)))
            asked.write(question)
            asked.flush()
            while len(head := answers.read(_ANSWER.size)) == _ANSWER.size:
                if (size := _ANSWER.unpack(head)[0]) == _NO_MORE:
                    return
                if len(answer := answers.read(size)) < size:
                    break
                yield answer
        except OSError:  # it ended before it had read the question, or was closed in the meantime
            pass
        code = self._process.wait()
        if code == -signal.SIGALRM:
            raise OverrunError(f"took longer than {most_s:g} s")
        raise WorkerError(f"ended {f'with {code}' if code >= 0 else f'by signal {-code}'}")

    def kill(self) -> None:
        """End the process, whatever it is at; whoever waits for its answer gets a WorkerError."""
        self._process.kill()

    def close(self) -> None:
        """End the process, and let go of it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def serve(work: Callable[[bytes, Callable[[bytes], None]], None], *, most_bytes: int = 0) -> None:
    """Answer what a `Worker` asks, until it asks no more; then this process ends.

    Args:
        work: is given a question, and what to call with each answer to it.
        most_bytes: of memory; what needs more fails with a MemoryError. 0 for no limit.
    """
    if most_bytes:
        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends the process without asking Python
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGALRM,))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints is no answer
    questions: SimpleQueue[tuple[float, bytes]] = SimpleQueue()
    threading.Thread(target=_take, args=(sys.stdin.buffer, questions), daemon=True).start()

    def answer(answered: bytes) -> None:
        answers.write(_ANSWER.pack(len(answered)) + answered)
        answers.flush()

    try:
        while True:
            most_s, question = questions.get()
            signal.setitimer(signal.ITIMER_REAL, most_s)
            work(question, answer)
            signal.setitimer(signal.ITIMER_REAL, 0)
            answers.write(_ANSWER.pack(_NO_MORE))
            answers.flush()
    finally:
        os._exit(1)  # at once: the thread that waits for questions is not to be waited for


def _take(asked: IO[bytes], questions: SimpleQueue[tuple[float, bytes]]) -> None:
    while len(head := asked.read(_QUESTION.size)) == _QUESTION.size:
        most_s, size = _QUESTION.unpack(head)
        if len(question := asked.read(size)) < size:
            break
        questions.put((most_s, question))
    os._exit(0)  # whoever asked is no more, or wants no more
