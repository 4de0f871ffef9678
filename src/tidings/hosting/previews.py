"""Previews: what an event would have told of what an inbox has, in processes of their own with limits.

    python -m tidings.hosting.previews

reads what is asked as one line of JSON from standard input, writes a line (a `Preview`) as it goes on and the last one
when it is done, and ends when its standard input does.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic
from typing import IO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.errors import TidingsError, UsageError
from tidings.hosting.standing import replayed
from tidings.records import Output
from tidings.records.standing import StandingEvent
from tidings.store import open_store
from tidings.store.inbox import StoredInbox, open_inbox

__all__ = ["MOST_DOCUMENTS", "Preview", "PreviewSettings", "Previews", "check_since"]

MOST_DOCUMENTS = 20_000
_REMEMBERED = 20
_SAY_EVERY_S = 0.2


class PreviewSettings(Struct, frozen=True, kw_only=True):
    """What a preview is made of.

    Args:
        store: path or URL.
        inbox: the name of its inbox.
        standing: the event, its system and its pace.
        since: from when on (seconds UTC).
        most_documents: of more documents none is made.
        most_s: after so long it ends without an answer.
    """

    store: str
    inbox: str
    standing: StandingEvent
    since: int
    most_documents: int = MOST_DOCUMENTS
    most_s: float = 60.0


class Preview(Struct, frozen=True, kw_only=True):
    """How far a preview is: `state` is `made`, `done` or `failed`; then `trouble` says why.

    `read` of `documents` were read; `outputs` is all that would have been told.
    """

    state: str = "made"
    read: int = 0
    documents: int = 0
    outputs: tuple[Output, ...] = ()
    trouble: str = ""


class Previews:
    """Those that a server makes: a few at once, and the last ones remembered.

    Args:
        most: how many are made at once.
    """

    def __init__(self, most: int = 2) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._previews: OrderedDict[str, tuple[PreviewSettings, Preview]] = OrderedDict()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def begin(self, settings: PreviewSettings) -> str:
        """Begin one; gives the name by which it is asked for. UsageError where too many are being made."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            if len(self._processes) >= self._most:
                raise UsageError("other previews are being made at the moment; try again in a minute")
            process = subprocess.Popen(
                [sys.executable, "-m", "tidings.hosting.previews"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            self._processes[name] = process
            self._previews[name] = settings, Preview()
            while len(self._previews) > _REMEMBERED:
                self._previews.popitem(last=False)
        threading.Thread(target=self._watch, args=(name, settings, process), daemon=True).start()
        return name

    def find(self, name: str) -> tuple[PreviewSettings, Preview] | None:
        """What was asked, and how far it is; None where there is none of that name (any more)."""
        with self._lock:
            return self._previews.get(name)

    def stop(self) -> None:
        """End those that are being made."""
        with self._lock:
            processes = list(self._processes.values())
        for process in processes:
            process.kill()

    def _watch(self, name: str, settings: PreviewSettings, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        limit = threading.Timer(settings.most_s, process.kill)
        limit.daemon = True
        limit.start()
        last = Preview()
        try:
            with suppress(OSError):
                process.stdin.write(msgspec.json.encode(settings) + b"\n")
                process.stdin.flush()
            for last in _lines(process.stdout):
                self._note(name, last)
            process.wait()
        finally:
            limit.cancel()
            with suppress(OSError):
                process.stdin.close()
            process.stdout.close()
            with self._lock:
                del self._processes[name]
        if last.state == "made":
            far = f"{last.read:,} of {last.documents:,} documents were read"
            words = f"this took longer than {settings.most_s:.0f} seconds: {far}; ask for fewer days"
            if process.returncode != -9:
                words = f"this failed when {far}"
            self._note(name, replace(last, state="failed", trouble=words))

    def _note(self, name: str, preview: Preview) -> None:
        with self._lock:
            if name in self._previews:
                self._previews[name] = self._previews[name][0], preview


def check_since(inbox: StoredInbox, since: int, most: int = MOST_DOCUMENTS) -> None:
    """UsageError where more documents came since then than can be followed at once."""
    first = inbox.first_seq(since)
    count = 0 if first is None else inbox.last_seq - first + 1
    if count > most:
        raise UsageError(
            f"found {count:,} documents since then, expected {most:,} at most; ask for fewer days"
        )


def _lines(stream: IO[bytes]) -> Iterator[Preview]:
    decoder = msgspec.json.Decoder(Preview)
    return (decoder.decode(line) for line in stream)


def main() -> int:
    """Make the preview that standard input asks for."""
    settings = msgspec.json.decode(sys.stdin.buffer.readline(), type=PreviewSettings)

    def watch() -> None:
        # Until whoever asked is no more, or wants it no more. Read without Python's buffer: a process that ends while
        # another thread holds that is aborted.
        while os.read(0, 4096):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    next_line = 0.0

    def say(preview: Preview) -> None:
        sys.stdout.buffer.write(msgspec.json.encode(preview) + b"\n")
        sys.stdout.buffer.flush()

    def progress(read: int, documents: int) -> None:
        nonlocal next_line
        if monotonic() >= next_line:
            next_line = monotonic() + _SAY_EVERY_S
            say(Preview(read=read, documents=documents))

    try:
        with (
            open_store(settings.store) as store,
            open_inbox(store, settings.inbox, fetching=False) as inbox,
        ):
            check_since(inbox, settings.since, settings.most_documents)
            past = replayed(inbox, settings.standing, since=settings.since, progress=progress)
    except TidingsError as error:
        say(Preview(state="failed", trouble=str(error)))
        return 2
    say(Preview(state="done", read=past.documents, documents=past.documents, outputs=past.outputs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
