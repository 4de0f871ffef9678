"""What `tidings serve` says on standard error: lines for people, or lines of JSON for whatever gathers logs."""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
import time
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from tidings.core import say

__all__ = ["KINDS", "LogKind", "ServeLog"]

LogKind: TypeAlias = Literal["text", "json"]
KINDS: tuple[LogKind, ...] = ("text", "json")
_SECRET = re.compile(r"/welcome/[\w-]+")


class ServeLog:
    """Says what happens, one line each.

    In JSON each line has `time` (UTC, in milliseconds), `level` (info, warning or error), `event` (what kind of thing
    happened: serving, follower, request, server, …), `message`, and what else there is to say of it.

    Args:
        kind: `text` or `json`.
    """

    def __init__(self, kind: LogKind) -> None:
        self.kind = kind
        self._lock = threading.Lock()

    def __call__(self, message: str, *, event: str = "note", level: str = "info", **more: Any) -> None:
        """Say it."""
        if self.kind == "text":
            say(message)
            return
        now = datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
        line = {"time": now, "level": level, "event": event, "message": message, **more}
        # Whoever reads logs must not be able to choose somebody's password, in a trace neither.
        text = _SECRET.sub(r"/welcome/\\u2026", json.dumps(line))
        with self._lock:
            print(text, file=sys.stderr, flush=True)  # noqa: T201

    def of_follower(self, message: str) -> None:
        """Say what is wrong with the process that follows."""
        self(message, event="follower", level="warning")

    def of_request(self, method: str, path: str, status: int, seconds: float, client: str) -> None:
        """Say, in JSON alone, that a request was answered; links that choose a password stay secret."""
        if self.kind == "json":
            took = round(seconds * 1000, 1)
            self(
                f"{method} {path} {status}",
                event="request",
                method=method,
                path=path,
                status=status,
                milliseconds=took,
                client=client,
            )

    def take_over(self) -> bool:
        """In JSON, have the server's own messages said here too; gives whether they are."""
        if self.kind == "json":
            handler = _Passing(self)
            for name in ("uvicorn", "uvicorn.error", "tidings"):
                logger = logging.getLogger(name)
                logger.handlers, logger.propagate = [handler], False
        return self.kind == "json"


class _Passing(logging.Handler):
    """Says what the server logs."""

    def __init__(self, log: ServeLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Say it; what failed with its trace."""
        more: dict[str, Any] = {}
        if record.exc_info:
            more["trace"] = logging.Formatter().formatException(record.exc_info)
        level = "error" if record.levelno >= logging.ERROR else "warning"
        self._log(record.getMessage(), event="server", level=level, **more)
