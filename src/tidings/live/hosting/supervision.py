"""A service in a process of its own, begun again when it ends by itself; and that process.

    python -m tidings.live.hosting.supervision

reads its settings as one line of JSON from standard input, follows until that input ends or it is asked to stop, and
writes a line of JSON (a `ServiceStatus`) to standard output whenever something changed, and each second.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import IO

import msgspec
from msgspec import Struct

from tidings.core import TidingsError
from tidings.live.hosting.service import ServiceSettings, are_feeds, hosted_service
from tidings.sources import chosen_clock

_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 60.0
_STEADY_S = 60.0
_STATUS_EVERY_S = 1.0
_STOPPING_S = 2.0
_ALONE_S = 10.0
LONGEST_TURN_S = 120
"""A turn of polling takes a fraction of a second, and a few seconds where the store is locked or is cleared of old
documents."""


class ServiceStatus(Struct, frozen=True, kw_only=True):
    """How a service goes.

    `state` is `starting`, `following`, `ended` (its files were followed to their end), `failed` (it is begun again
    after a while) or `stopped`. `time` is what time it is for who follows (0: not known), `documents` how many were
    followed since the process began and `followed` since the run did, `followed_time` when the last of them was first
    seen, `inbox` the number of the last document that came, `trouble` what was said last, `starts` how often the
    process was begun. `turn_time` is when polling last looked at what is due, by its clock (0: nothing is polled), and
    `moved_time` when by that clock a document was followed last, or none waited (0: they wait for their interval).
    `recovering` is True after the process was begun again, until it has run for a minute.
    """

    state: str = "starting"
    time: int = 0
    turn_time: int = 0
    documents: int = 0
    followed: int = 0
    followed_time: int = 0
    inbox: int = 0
    trouble: str = ""
    starts: int = 0
    moved_time: int = 0
    recovering: bool = False

    @property
    def stalled_s(self) -> int:
        """Seconds for which documents have waited and none was followed; 0 where that is not known."""
        is_following = self.moved_time > 0 and self.state in ("starting", "following")
        return max(chosen_clock().now() - self.moved_time, 0) if is_following else 0

    @property
    def idle_s(self) -> int:
        """Seconds since polling last made a turn, by the clock that it goes by; 0 where nothing is polled."""
        is_polling = self.turn_time > 0 and self.state in ("starting", "following")
        return max(chosen_clock().now() - self.turn_time, 0) if is_polling else 0


class Supervisor:
    """Keeps a service running while the block runs, in a process that ends with this one, however this one ends.

    A service that ends by itself is begun again after a second, after twice as long each time that it ends within a
    minute, up to a minute. At the end of the block it has two seconds to commit what it is at; then it is killed, which
    costs nothing that was committed.

    Args:
        settings: of the service.
        say: called with what goes wrong.
        command: what is run; the service's process, unless a test says otherwise.
        first_wait_s: how long to wait before it is first begun again.
    """

    def __init__(
        self,
        settings: ServiceSettings,
        say: Callable[[str], None] = lambda line: None,
        *,
        command: Sequence[str] = (sys.executable, "-m", "tidings.live.hosting.supervision"),
        first_wait_s: float = _FIRST_WAIT_S,
    ) -> None:
        self._settings, self._say = settings, say
        self._command, self._first_wait_s = list(command), first_wait_s
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._keep, name="tidings-supervisor", daemon=True)
        self._status = ServiceStatus()
        self._begun_again: float | None = None

    @property
    def status(self) -> ServiceStatus:
        """How the service goes; may be asked by any thread."""
        with self._lock:
            again = self._begun_again
            recovering = again is not None and monotonic() - again < _STEADY_S
            return msgspec.structs.replace(self._status, recovering=recovering)

    def __enter__(self) -> Supervisor:
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._stopping.set()
        with self._lock:
            process = self._process
        if process is not None:
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()
            try:
                process.wait(_STOPPING_S)
            except subprocess.TimeoutExpired:
                process.kill()
        self._thread.join()

    def _keep(self) -> None:
        wait_s, starts = self._first_wait_s, 0
        while not self._stopping.is_set():
            began, starts = monotonic(), starts + 1
            with self._lock:
                self._begun_again = began if starts > 1 else None
            last_words = self._run_once(starts)
            if self._stopping.is_set():
                break
            if monotonic() - began > _STEADY_S:
                wait_s = self._first_wait_s
            trouble = last_words or "the follower process ended unexpectedly"
            self._note(msgspec.structs.replace(self.status, state="failed", trouble=trouble))
            self._say(f"{trouble}; restarting in {wait_s:.0f} s")
            self._stopping.wait(wait_s)
            wait_s = min(wait_s * 2, _LONGEST_WAIT_S)
        self._note(msgspec.structs.replace(self.status, state="stopped"))

    def _note(self, status: ServiceStatus) -> None:
        with self._lock:
            self._status = status

    def _run_once(self, starts: int) -> str:
        """Run the service until it ends; gives what it said of its end."""
        with self._lock:
            if self._stopping.is_set():
                return ""
            try:
                # A session of its own: Ctrl-C in a terminal is for this process alone, which tells the other one.
                process = subprocess.Popen(  # noqa: S603
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
            except OSError as error:
                return f"the follower process cannot start: {error.strerror}"
            self._process = process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        traces: deque[str] = deque(maxlen=1)
        reading = threading.Thread(target=self._listen, args=(process.stderr, traces), daemon=True)
        reading.start()
        with suppress(OSError, ValueError):
            process.stdin.write(msgspec.json.encode(self._settings) + b"\n")
            process.stdin.flush()
        trouble = ""
        for line in process.stdout:
            try:
                status = msgspec.json.decode(line, type=ServiceStatus)
            except msgspec.MsgspecError:
                continue
            self._note(msgspec.structs.replace(status, starts=starts))
            if status.trouble != trouble and status.state != "failed":
                self._say(status.trouble)
            trouble = status.trouble
        code = process.wait()
        reading.join()
        process.stdout.close()
        with suppress(OSError):
            process.stdin.close()
        if self.status.state == "failed":
            return self.status.trouble
        how = f"with {code}" if code >= 0 else f"by signal {-code}"
        return f"the follower process ended {how}" + "".join(f" ({line})" for line in traces)

    def _listen(self, errors: IO[bytes], last: deque[str]) -> None:
        # What the process prints is a defect's trace; its last line says the most.
        with errors:
            for line in errors:
                words = line.decode("utf-8", "replace").rstrip()
                if words:
                    last.append(words.strip())
                    self._say(words)


class _Progress:
    """When a document was followed last, or none waited."""

    def __init__(self, now: int) -> None:
        self._followed, self._time = 0, now

    def at(self, now: int, followed: int, came: int) -> int:
        """The same at `now`, when so many of those that came were followed."""
        if followed != self._followed or followed >= came:
            self._followed, self._time = followed, now
        return self._time


class _Reporter:
    """Says how the service goes; whoever started this process reads it."""

    def __init__(self) -> None:
        self._last = b""
        self._lock = threading.Lock()
        self.trouble = ""

    def say(self, line: str) -> None:
        self.trouble = line

    def report(self, status: ServiceStatus) -> None:
        line = msgspec.json.encode(msgspec.structs.replace(status, trouble=self.trouble))
        with self._lock:
            if line != self._last:
                self._last = line
                with suppress(OSError):  # whoever started this process is no more
                    os.write(1, line + b"\n")


def main() -> int:
    """Follow as the settings on standard input say, until that ends."""
    settings = msgspec.json.decode(sys.stdin.buffer.readline(), type=ServiceSettings)
    stopping, ended, reporter = threading.Event(), threading.Event(), _Reporter()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())

    def watch() -> None:
        # Until whoever started this process closes it, or is no more. Read and written without Python's buffers: a
        # process that ends while another thread holds one of them is aborted.
        while os.read(0, 4096):
            pass
        stopping.set()
        # What takes longer than this is begun again where it was committed last; nobody is there to wait for it.
        ended.wait(_ALONE_S)
        if not ended.is_set():
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    try:
        # Until it polls, what counts is when it began: it may hang before its first turn.
        begun_time = chosen_clock().now() if are_feeds(settings.streams) else 0
        reporter.report(ServiceStatus(turn_time=begun_time))
        with hosted_service(settings, stop=stopping.is_set, say=reporter.say) as service:
            progress = _Progress(chosen_clock().now())

            def status() -> ServiceStatus:
                moved_time = progress.at(chosen_clock().now(), service.run.followed, service.inbox.last_seq)
                return ServiceStatus(
                    state="ended" if service.run.is_over else "following",
                    time=service.time,
                    turn_time=service.turn_time or begun_time,
                    documents=service.run.documents,
                    followed=service.run.followed,
                    followed_time=service.run.followed_time,
                    inbox=service.inbox.last_seq,
                    moved_time=moved_time,
                )

            def tick() -> None:
                while not stopping.wait(_STATUS_EVERY_S):
                    reporter.report(status())
                    try:
                        service.tick()
                    except TidingsError as error:  # a store that is locked for long is looked at again
                        reporter.say(str(error))

            reporter.report(status())

            def group() -> None:
                while not stopping.wait(_STATUS_EVERY_S):
                    try:
                        service.stories.turn(stopping.is_set)
                    except TidingsError as error:  # is looked at again, with what is kept then
                        reporter.say(str(error))

            threading.Thread(target=tick, daemon=True).start()
            threading.Thread(target=group, daemon=True).start()
            for _ in service.run:
                pass
    except TidingsError as error:
        reporter.say(str(error))
        reporter.report(ServiceStatus(state="failed"))
        return 2
    finally:
        ended.set()
    return 0


if __name__ == "__main__":
    sys.exit(main())
