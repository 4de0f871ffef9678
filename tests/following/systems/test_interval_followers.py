"""Followers that decide hour by hour: what they hold, when they decide, and what they count."""

from __future__ import annotations

import msgspec

from tests.following.systems.streams import FERRY
from tidings.core.records import Event, Sentence, Update
from tidings.following.systems.interval_followers import Batch, IntervalFollower, IntervalSystem


class Listing(IntervalSystem, frozen=True, kw_only=True):
    """Keeps what each interval brought."""

    def start(self, event: Event) -> Lister:
        return Lister(self, event)


class Lister(IntervalFollower):
    def __init__(self, system: Listing, event: Event) -> None:
        super().__init__(system, event)
        self.batches: list[tuple[int, list[tuple[str, int]], int, int]] = []

    def _decide(self, batch: Batch, now: int) -> list[Update]:
        waiting = [(one.sentence.doc_id, one.copies) for one in batch.waiting]
        self.batches.append((now, waiting, batch.offered, batch.documents))
        return []

    def _encode(self) -> bytes:
        return msgspec.msgpack.encode(self._waiting_state())

    def _decode(self, data: bytes) -> None:
        self._restore_waiting(msgspec.msgpack.decode(data))


def sentence(doc: str, time: int, text: str = "", index: int = 0) -> Sentence:
    return Sentence(doc, index, text or f"ferry fire {doc}", time)


def test_an_hour_is_decided_by_the_first_push_after_it():
    lister = Listing().start(FERRY)
    lister.push([sentence("a", 100)], 100)
    lister.push([sentence("b", 3599)], 3599)
    assert lister.batches == []
    lister.push([sentence("c", 3600)], 3600)
    assert lister.batches == [(3600, [("a", 1), ("b", 1)], 2, 2)]
    lister.push([], 9000)
    assert lister.batches[1:] == [(9000, [("c", 1)], 1, 1)]


def test_pushed_hour_by_hour_it_decides_in_the_same_push():
    lister = Listing().start(FERRY)
    lister.push([sentence("a", 100), sentence("b", 3599)], 3600)
    lister.push([sentence("c", 3600)], 7200)
    assert [(now, len(waiting)) for now, waiting, _, _ in lister.batches] == [(3600, 2), (7200, 1)]


def test_pushed_more_seldom_several_hours_are_one():
    lister = Listing().start(FERRY)
    lister.push([sentence("a", 100), sentence("b", 4000)], 7200)
    assert lister.batches == [(7200, [("a", 1), ("b", 1)], 2, 2)]


def test_a_push_across_the_end_of_an_hour_is_parted():
    lister = Listing().start(FERRY)
    lister.push([sentence("a", 3000), sentence("b", 3700)], 3800)
    assert lister.batches == [(3800, [("a", 1)], 1, 1)]
    lister.push([], 7200)
    assert lister.batches[1:] == [(7200, [("b", 1)], 1, 1)]


def test_what_comes_late_joins_the_open_hour():
    lister = Listing().start(FERRY)
    lister.push([sentence("b", 3700)], 3700)
    lister.push([sentence("a", 100)], 3800)
    assert lister.batches == []
    lister.push([], 7200)
    assert lister.batches == [(7200, [("b", 1), ("a", 1)], 2, 2)]


def test_copies_are_counted_and_strangers_only_counted():
    lister = Listing().start(FERRY)
    lister.push(
        [sentence("a", 1, "ferry fire"), sentence("b", 1, "ferry fire"), sentence("c", 1, "nothing to see")],
        1,
    )
    lister.push([], 3600)
    assert lister.batches == [(3600, [("a", 2)], 3, 3)]


def test_no_more_are_held_than_allowed():
    lister = Listing(max_held=2).start(FERRY)
    lister.push([sentence(name, 1) for name in "abcd"], 1)
    lister.push([], 3600)
    assert lister.batches == [(3600, [("a", 1), ("b", 1)], 4, 4)]


def test_minutes_set_the_length():
    lister = Listing(minutes=10).start(FERRY)
    lister.push([sentence("a", 599)], 599)
    lister.push([sentence("b", 600)], 600)
    assert [now for now, *_ in lister.batches] == [600]


def test_the_end_decides_on_the_open_hour_once():
    lister = Listing().start(FERRY)
    assert lister.finish(50) == [] and lister.batches == []
    lister.push([sentence("a", 100), sentence("b", 200)], 200)
    lister.finish(700)
    assert lister.batches == [(700, [("a", 1), ("b", 1)], 2, 2)]
    lister.finish(700)
    lister.push([], 7200)
    assert len(lister.batches) == 1


def test_a_sentence_that_waits_keeps_its_documents_title_and_address():
    one, other = Listing().start(FERRY), Listing().start(FERRY)
    given = Sentence("d", 3, "ferry fire", 5, "paper", title="Ferry \ud800", url="https://example.org/1")
    one.push([given, Sentence("e", 0, "port fire", 5)], 5)
    other.restore(one.state())
    kept = [waiting.sentence for waiting in other._waiting.values()]
    assert kept == [given, Sentence("e", 0, "port fire", 5)]


def test_held_sentences_survive_writing_whatever_they_hold():
    one, other = Listing().start(FERRY), Listing().start(FERRY)
    one.push([sentence("d\udc80", 5, "ferry fire \ud800 \x00", 3)], 5)
    other.restore(one.state())
    assert other.state() == one.state()
    one.push([], 3600)
    other.push([], 3600)
    assert other.batches == one.batches == [(3600, [("d\udc80", 1)], 1, 1)]
