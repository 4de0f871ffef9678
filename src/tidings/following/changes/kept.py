"""The days that were answered, kept in a store: a run that is killed goes on from the last one that was committed.

A run of the store has a state for each topic (what the tracker remembers of it) and one for each day (its answers and a
checksum of its documents), written in one transaction. A day is kept when a later one has begun: until then documents
of it may come, and it is answered again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from zlib import crc32

import msgspec
from msgspec import Struct

from tidings.core import Document, ReadingOptions, StoredRun, UsageError, open_store
from tidings.following.changes.answering import ChangeTracker
from tidings.following.changes.formats import Answer, Topic

_COMMIT_EVERY_S = 1.0  # a stopped run loses a second at most
_DAY, _TOPIC = "day ", "topic "  # what the keys of a run's states begin with


class _AnsweredDay(Struct, frozen=True, array_like=True):
    """What a day was answered, by topic, and a checksum of its documents."""

    answers: dict[str, tuple[Answer, ...]]
    documents: int


class KeptDays:
    """The days that were answered; kept where there is a run of a store."""

    def __init__(self, tracker: ChangeTracker, run: StoredRun | None) -> None:
        self._tracker, self._run = tracker, run
        self._waiting: dict[str, bytes] = {}
        self._next_commit = 0.0
        self.days: dict[str, _AnsweredDay] = {}
        if run is not None and (states := run.load().states):
            days = {key: state for key, state in sorted(states.items()) if key.startswith(_DAY)}
            self.days = {
                key.removeprefix(_DAY): msgspec.msgpack.decode(state, type=_AnsweredDay)
                for key, state in days.items()
            }
            tracker.restore(
                {key.removeprefix(_TOPIC): state for key, state in states.items() if key not in days}
            )
        self._last_kept = max(self.days, default="")

    def answer(self, days: Iterable[tuple[str, Sequence[Document]]]) -> None:
        """Answer each day that was not answered before.

        Raises:
            UsageError: a day has other documents than when it was answered.
        """
        open_day = ""
        for day, documents in days:
            checksum = _checksum(documents)
            if day <= self._last_kept:
                if day not in self.days or self.days[day].documents != checksum:
                    raise UsageError(
                        f"{day}: its documents differ from those when it was answered; give the same ones, start "
                        "over with --restart, or name another --out"
                    )
                continue
            if open_day:
                self._keep(open_day)
            self.days[day] = _AnsweredDay(self._tracker.push(documents), checksum)
            open_day = day
        self._commit(finished=True)

    def _keep(self, day: str) -> None:
        if self._run is None:
            return
        self._waiting[_DAY + day] = msgspec.msgpack.encode(self.days[day])
        self._waiting.update({_TOPIC + tid: state for tid, state in self._tracker.state().items()})
        if time.monotonic() >= self._next_commit:
            self._commit()

    def _commit(self, *, finished: bool = False) -> None:
        if self._run is not None:
            self._run.commit((), self._waiting, (), (), finished=finished)
        self._waiting = {}
        self._next_commit = time.monotonic() + _COMMIT_EVERY_S


def _checksum(documents: Iterable[Document]) -> int:
    return crc32(b"".join(sorted(msgspec.msgpack.encode(document) for document in documents)))


@contextmanager
def begin_answers(
    store: str, name: str, topics: Sequence[Topic], reading: ReadingOptions, *, pool: str, restart: bool
) -> Iterator[StoredRun]:
    """The run that keeps answers, begun or taken up.

    Raises:
        UsageError: it was begun with other topics, or is read or weighted otherwise; StoreError: the store's.
    """
    weights = files(__package__).joinpath("weights.json").read_bytes()
    digests = {topic.tid: crc32(msgspec.json.encode(topic)) for topic in topics}
    settings = {
        **{f"topic {topic.tid}": f"{topic.label} [{digests[topic.tid]:08x}]" for topic in topics},
        "pool": pool,
        "reading": reading.in_words(),
        "model": f"{crc32(weights):08x}",
    }
    with open_store(store) as keeper, keeper.begin(name, settings, restart=restart) as run:
        yield run
