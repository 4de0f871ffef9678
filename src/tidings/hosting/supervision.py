"""A service in a process of its own, begun again when it ends by itself; and that process.

    python -m tidings.hosting.supervision

reads its settings as one line of JSON from standard input, follows until that input ends or it is told to stop, and
writes a line of JSON (a `ServiceStatus`) to standard output whenever something changed, and each second.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from time import monotonic

import msgspec
from msgspec import Struct

from tidings.errors import TidingsError
from tidings.hosting.service import ServiceSettings, hosted_service

__all__ = ["ServiceStatus", "Supervisor"]

_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 60.0
_STEADY_S = 60.0
_STATUS_EVERY_S = 1.0


class ServiceStatus(Struct, frozen=True, kw_only=True):
    """How a service goes.

    `state` is `starting`, `following`, `ended` (its files were followed to their end), `failed` (it is begun again
    after a while) or `stopped`. `time` is what time it is for who follows (0: not known), `documents` how many were
    followed since the process began, `inbox` the number of the last document that came, `trouble` what was said last.
    """

    state: str = "starting"
    time: int = 0
    documents: int = 0
    inbox: int = 0
    trouble: str = ""
    starts: int = 0


class Supervisor:
    """Keeps a service running while the block runs.

    Args:
        settings: of the service.
        say: is told of what goes wrong.
    """

    def __init__(self, settings: ServiceSettings, say: Callable[[str], None] = lambda line: None) -> None:
        self._settings, self._say = settings, say
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._keep, name="tidings-supervisor", daemon=True)
        self.status = ServiceStatus()

    def __enter__(self) -> Supervisor:
        self._thread.start()
        return self

    def __exit__(self, *failure: object) -> None:
        self._stopping.set()
        with self._lock:
            process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()
        self._thread.join()

    def _keep(self) -> None:
        wait_s, starts = _FIRST_WAIT_S, 0
        while not self._stopping.is_set():
            began, starts = monotonic(), starts + 1
            code = self._run_once(starts)
            if self._stopping.is_set():
                break
            if monotonic() - began > _STEADY_S:
                wait_s = _FIRST_WAIT_S
            trouble = self.status.trouble or f"the process that follows ended with {code}"
            self.status = msgspec.structs.replace(self.status, state="failed", trouble=trouble)
            self._say(f"{trouble}; it is begun again in {wait_s:.0f} s")
            self._stopping.wait(wait_s)
            wait_s = min(wait_s * 2, _LONGEST_WAIT_S)
        self.status = msgspec.structs.replace(self.status, state="stopped")

    def _run_once(self, starts: int) -> int:
        command = [sys.executable, "-m", "tidings.hosting.supervision"]
        with self._lock:
            if self._stopping.is_set():
                return 0
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
            self._process = process
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(msgspec.json.encode(self._settings) + b"\n")
            process.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass
        for line in process.stdout:
            try:
                status = msgspec.json.decode(line, type=ServiceStatus)
            except msgspec.MsgspecError:
                continue
            self.status = msgspec.structs.replace(status, starts=starts)
        process.stdout.close()
        return process.wait()


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
                sys.stdout.buffer.write(line + b"\n")
                sys.stdout.buffer.flush()


def main() -> int:
    """Follow as the settings on standard input say, until that ends."""
    settings = msgspec.json.decode(sys.stdin.buffer.readline(), type=ServiceSettings)
    stopping, reporter = threading.Event(), _Reporter()

    def watch() -> None:
        sys.stdin.buffer.read()  # until whoever started this process closes it, or is no more
        stopping.set()

    threading.Thread(target=watch, daemon=True).start()
    try:
        with hosted_service(settings, stop=stopping.is_set, say=reporter.say) as service:

            def status() -> ServiceStatus:
                return ServiceStatus(
                    state="ended" if service.run.is_over else "following",
                    time=service.time,
                    documents=service.run.documents,
                    inbox=service.inbox.last_seq,
                )

            def tick() -> None:
                while not stopping.wait(_STATUS_EVERY_S):
                    reporter.report(status())

            reporter.report(status())
            threading.Thread(target=tick, daemon=True).start()
            for _ in service.run:
                pass
    except TidingsError as error:
        reporter.say(str(error))
        reporter.report(ServiceStatus(state="failed"))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
