"""Small systems and checkpoints for the tests of following."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakSet

import msgspec

from tidings.core.protocols import Interest, Saved
from tidings.core.records import Document, EntityRanking, Event, Output, Sentence, Update, ValueUpdate


class Every:
    """Tells every `nth` sentence, and remembers how many it has seen; `calls` holds all it was given."""

    name = "every"

    def __init__(self, nth: int = 1, fail_at: str = "") -> None:
        self.nth, self.fail_at = nth, fail_at
        self.calls: list[tuple[str, int, list[str]]] = []

    def interest(self, event: Event) -> Interest | None:
        return None

    def start(self, event: Event) -> EveryFollower:
        return EveryFollower(self, event)


class EveryFollower:
    def __init__(self, system: Every, event: Event) -> None:
        self.system, self.event, self.seen = system, event, 0

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Update]:
        self.system.calls.append((self.event.id, now, [sentence.id for sentence in sentences]))
        told = []
        for one in sentences:
            if one.doc_id == self.system.fail_at:
                raise ValueError("no such word")
            assert one.published_time <= now
            self.seen += 1
            if self.seen % self.system.nth == 0:
                told.append(Update(self.event.id, one.doc_id, one.index, now, float(self.seen), one.text))
        return told

    def finish(self, now: int) -> list[Update]:
        return []

    def state(self) -> bytes:
        return msgspec.msgpack.encode(self.seen)

    def restore(self, data: bytes) -> None:
        self.seen = msgspec.msgpack.decode(data)


class Holding:
    """Holds `most` sentences, tells the oldest when one more comes, and all at the end; `asked` holds each finish."""

    name = "holding"

    def __init__(self, most: int = 2) -> None:
        self.most = most
        self.asked: list[tuple[str, int, int]] = []
        self.started: list[str] = []
        self.followers: WeakSet[HoldingFollower] = WeakSet()

    def interest(self, event: Event) -> Interest | None:
        return None

    def start(self, event: Event) -> HoldingFollower:
        self.started.append(event.id)
        follower = HoldingFollower(self, event)
        self.followers.add(follower)
        return follower


class HoldingFollower:
    def __init__(self, system: Holding, event: Event) -> None:
        self.system, self.event = system, event
        self.waiting: list[tuple[str, int]] = []
        self.given = 0

    def push(self, sentences: Sequence[Sentence], now: int) -> list[Output]:
        self.waiting += [(one.doc_id, one.index) for one in sentences]
        return self.give(max(0, len(self.waiting) - self.system.most), now)

    def finish(self, now: int) -> list[Output]:
        self.system.asked.append((self.event.id, now, len(self.waiting)))
        return self.give(len(self.waiting), now)

    def give(self, count: int, now: int) -> list[Output]:
        outputs: list[Output] = []
        for doc_id, index in self.waiting[:count]:
            self.given += 1
            outputs.append(Update(self.event.id, doc_id, index, now, float(self.given)))
        if outputs:
            outputs.append(ValueUpdate(self.event.id, now, "deaths", (float(self.given),)))
            outputs.append(EntityRanking(self.event.id, "1970-01-01", ("Ada",), now))
        del self.waiting[:count]
        return outputs

    def state(self) -> bytes:
        return msgspec.msgpack.encode((self.waiting, self.given))

    def restore(self, data: bytes) -> None:
        self.waiting, self.given = msgspec.msgpack.decode(data, type=tuple[list[tuple[str, int]], int])


class Memory:
    """A checkpoint in memory that can fail at a given commit, before or after keeping it."""

    def __init__(self) -> None:
        self.saved = Saved()
        self.updates: list[Update] = []
        self.late: list = []
        self.commits = 0
        self.fail_in: int | None = None

    def load(self) -> Saved:
        return self.saved

    def commit(self, positions, states, updates, late, *, finished=False) -> None:
        self.commits += 1
        if self.fail_in is not None:
            self.fail_in -= 1
            if self.fail_in < 0:
                raise ConnectionError("gone")
        self.saved = Saved(
            positions=tuple(positions), states={**self.saved.states, **states}, finished=finished
        )
        self.updates += updates
        self.late += late


def make_event(event_id: str = "e", start: int = 0, end: int = 10**9) -> Event:
    return Event(id=event_id, title="storm", query="storm", start_time=start, end_time=end)


def make_documents(times: Sequence[int], prefix: str = "d", sentences: int = 2) -> list[Document]:
    return [
        Document(
            id=f"{prefix}{number}",
            published_time=time,
            sentences=tuple(
                Sentence(f"{prefix}{number}", index, f"storm {number} {index}", time)
                for index in range(sentences)
            ),
        )
        for number, time in enumerate(times)
    ]
