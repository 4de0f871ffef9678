"""Previews: the updates that an event would have of what an inbox has, in processes of their own with limits.

    python -m tidings.live.hosting.previews

is such a process (see `tidings.core.processes`): it is asked for one preview, and answers as it goes on.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tidings.core import (
    Output,
    OverrunError,
    StandingEvent,
    TidingsError,
    UsageError,
    Worker,
    WorkerError,
    open_store,
    serve,
)
from tidings.live.hosting.standing import replay
from tidings.sources import StoredInbox, open_inbox

MOST_DOCUMENTS = 20_000
_REMEMBERED = 20  # previews, those of others with them
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

    `read` of `documents` were read; `outputs` is all that would have been emitted.
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
        self._workers: dict[str, Worker] = {}

    def begin(self, settings: PreviewSettings) -> str:
        """Begin one; gives the name by which it is asked for. UsageError where too many are being made."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            if len(self._workers) >= self._most:
                raise UsageError("Other previews are running. Try again in a minute.")
            worker = self._workers[name] = Worker("tidings.live.hosting.previews")
            self._previews[name] = settings, Preview()
            while len(self._previews) > _REMEMBERED:
                self._previews.popitem(last=False)
        threading.Thread(target=self._watch, args=(name, settings, worker), daemon=True).start()
        return name

    def find(self, name: str) -> tuple[PreviewSettings, Preview] | None:
        """What was asked, and how far it is; None where there is none of that name (any more)."""
        with self._lock:
            return self._previews.get(name)

    def stop(self) -> None:
        """End those that are being made."""
        with self._lock:
            for worker in self._workers.values():
                worker.kill()

    def _watch(self, name: str, settings: PreviewSettings, worker: Worker) -> None:
        last, words = Preview(), ""
        try:
            for answer in worker.ask(msgspec.json.encode(settings), settings.most_s):
                last = msgspec.json.decode(answer, type=Preview)
                self._note(name, last)
        except OverrunError as error:
            words = f"this {error}: {{}}; ask for fewer days"
        except WorkerError:
            words = "this failed when {}"
        finally:
            worker.close()
            with self._lock:
                del self._workers[name]
        if words:
            far = f"{last.read:,} of {last.documents:,} articles were read"
            self._note(name, replace(last, state="failed", trouble=words.format(far)))

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
            f"{count:,} documents came since then, and {most:,} can be followed at once. Ask for fewer days."
        )


def _make(question: bytes, answer: Callable[[bytes], None]) -> None:
    """Make the preview that is asked for, and say how far it is."""
    settings = msgspec.json.decode(question, type=PreviewSettings)
    next_time = 0.0

    def say(preview: Preview) -> None:
        answer(msgspec.json.encode(preview))

    def progress(read: int, documents: int) -> None:
        nonlocal next_time
        if monotonic() >= next_time:
            next_time = monotonic() + _SAY_EVERY_S
            say(Preview(read=read, documents=documents))

    try:
        with (
            open_store(settings.store) as store,
            open_inbox(store, settings.inbox, fetching=False) as inbox,
        ):
            check_since(inbox, settings.since, settings.most_documents)
            past = replay(inbox, settings.standing, since=settings.since, progress=progress)
    except TidingsError as error:
        say(Preview(state="failed", trouble=str(error)))
        return
    say(Preview(state="done", read=past.documents, documents=past.documents, outputs=past.outputs))


if __name__ == "__main__":
    serve(_make)
