"""Events that are closed, begun anew or ended while offers wait for them."""

from __future__ import annotations

import msgspec
import pytest

from tests.following.engines.streams import FERRY, Batches, Kept
from tests.following.engines.test_shard_host import document, offer
from tidings.core.protocols import Interest
from tidings.core.records import Document, Event, Sentence, Update
from tidings.following.engines import shard_host
from tidings.following.engines.offers import Offer
from tidings.following.engines.settings import EngineSettings, NumberedEvents
from tidings.following.engines.shard_host import Arrivals, ShardHost
from tidings.following.engines.shards import Shard
from tidings.following.systems.base import SystemBase
from tidings.following.systems.registry import register_system

SETTINGS = EngineSettings(system="first:min_words=0")
SOONER = Event(id="ferry", title="Ferry fire", query="ferry fire", end_time=1100)


class Numbered:
    """Versions of events, each by its id with its number."""

    def __init__(self, *versions: dict[str, tuple[int, Event]]) -> None:
        self.versions = versions

    def of_batch(self, batch: str | None) -> NumberedEvents:
        return self.of_version(len(self.versions) - 1)

    def of_version(self, version: int) -> NumberedEvents:
        return NumberedEvents(version, self.versions[version])


class TellsAtTheEnd(SystemBase, frozen=True):
    """Tells how many documents there were, when it is asked."""

    def start(self, event):
        return Counting(event.id)


class Counting:
    def __init__(self, event_id: str) -> None:
        self.event_id, self.count, self.last = event_id, 0, 0

    def push(self, sentences, now):
        assert now >= self.last
        self.count, self.last = self.count + len(sentences), now
        return []

    def finish(self, now):
        assert now >= self.last
        return [Update(self.event_id, "d", self.count, now)]

    def state(self) -> bytes:
        return b"%d %d" % (self.count, self.last)

    def restore(self, data: bytes) -> None:
        self.count, self.last = map(int, data.split())


class TellsAll(SystemBase, frozen=True):
    """Tells each sentence that has one of the query's words."""

    def interest(self, event):
        return Interest(stems=frozenset(event.query.split()))

    def start(self, event):
        return Telling(event.id)


class Telling(Counting):
    def push(self, sentences, now):
        return [Update(self.event_id, one.doc_id, one.index, now, text=one.text) for one in sentences]

    def finish(self, now):
        return []


@pytest.fixture(autouse=True)
def _systems() -> None:
    register_system("engine-tells-at-the-end")(TellsAtTheEnd)
    register_system("engine-tells-all")(TellsAll)


COUNTING = EngineSettings(system="engine-tells-at-the-end")


def test_an_event_that_was_closed_in_between_begins_anew() -> None:
    """Whether it was closed and added again for one batch, or for two."""
    events = Numbered({"ferry": (0, FERRY)}, {}, {"ferry": (1, FERRY)})
    for calls in ([1, 2], [2]):
        host, shard = ShardHost(COUNTING), Shard()
        came = Arrivals([offer("a", 1000), offer("b", 1100)])
        given = host.take(shard, came, events=events, watermark=1000).outputs
        given += host.take(shard, events=events, watermark=1001).outputs
        came = Arrivals()
        given += host.take(shard, came, events=events, watermark=1001).outputs
        for version in calls:
            came = Arrivals([offer("c", 1200, version=2)] if version == 2 else [], {"ferry": version})
            given += host.take(shard, came, events=events, watermark=1001).outputs
        given += host.take(shard, Arrivals(last_time=1200), events=events, watermark=1001).outputs
        assert [(output.sentence_index, output.time) for _, output in given] == [(2, 1100), (1, 1200)]
        assert [order.number for order, _ in given] == [0, 1]


def test_an_event_is_closed_at_the_end_of_the_last_interval() -> None:
    settings = EngineSettings(system="engine-tells-at-the-end", interval_s=3600)
    host, shard = ShardHost(settings), Shard()
    events = Numbered({"ferry": (0, FERRY)}, {})
    came = Arrivals([offer("a", 4000)], {"ferry": 1})
    [(order, output)] = host.take(shard, came, events=events, watermark=3700).outputs
    assert (output.time, output.sentence_index, order.decided) == (7200, 1, 7200)


def test_a_follower_that_was_never_offered_anything_is_not_asked() -> None:
    for ending in (Arrivals(last_time=1300), Arrivals(changes={"ferry": 2}), Arrivals()):
        host, shard = ShardHost(COUNTING), Shard()
        events = Numbered({"ferry": (0, FERRY)}, {"ferry": (0, SOONER)}, {})
        came = Arrivals([offer("a", 1200)], {"ferry": 1})
        assert not host.take(shard, came, events=events, watermark=1000).outputs
        assert not host.take(
            shard, ending, events=events, watermark=1000 if ending.last_time else 1200
        ).outputs
        assert not shard.waiting and (shard.events == {} or not ending.last_time)


def test_many_events_closed_at_once_look_once_through_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    events = {f"e{n}": (n, Event(id=f"e{n}", title="t", query="ferry")) for n in range(1000)}
    ids = list(events)
    numbered = Numbered(events, {})
    host, shard = ShardHost(SETTINGS), Shard()
    came = [document(f"d{n}", 1000 + n) for n in range(2000)]
    offers = [Offer.of(one, 0, 0, [(ids[n % 1000], one.sentences)]) for n, one in enumerate(came)]
    host.take(shard, Arrivals(offers), events=numbered, watermark=0)
    looks = []
    withdraw = Shard.withdraw
    monkeypatch.setattr(Shard, "withdraw", lambda *given: (looks.append(1), withdraw(*given))[1])
    closing = Arrivals(changes=dict.fromkeys(ids, 1))
    assert len(host.take(shard, closing, events=numbered, watermark=0).outputs) == 2000
    assert len(looks) <= 2 and not shard.waiting and not shard.events


def test_what_an_event_is_told_twice_of_one_document_stays_in_order() -> None:
    """An article delivered twice within a second: the updates of the one, then those of the other."""
    texts = (
        ["The ferry fire.", "Two boats near the fire.", "Fire on a ferry."],
        ["A ferry fire at sea.", "The fire goes on."],
    )
    twice = [
        Document(
            id="d",
            published_time=1000,
            sentences=tuple(Sentence("d", at, text, 1000) for at, text in enumerate(own)),
        )
        for own in texts
    ]
    engine = Batches(EngineSettings(system="engine-tells-all"), [FERRY])
    engine.take(twice)
    told = [output.text for output in engine.end()]
    assert told in ([*texts[0], *texts[1]], [*texts[1], *texts[0]])


def test_memory_that_followers_take_is_counted_once(monkeypatch) -> None:
    monkeypatch.setattr(shard_host, "_RESIDENT_BYTES", 20_000)
    host, shard = ShardHost(SETTINGS), Shard()
    events = Numbered(*({"ferry": (0, Event(id="ferry", title=f"t{n}", query="ferry"))} for n in range(9)))
    kept = Kept(host)
    for version in range(9):
        came = Arrivals([offer(f"d{version}", 1000 + version, version=version)], {"ferry": version})
        host.take(shard, came, events=events, watermark=1000 + version)
        kept.keep(shard)
    assert len(host._residents) == 1 and host._resident_bytes == sum(
        size for _, size in host._residents.values()
    )


def test_documents_of_one_id_and_time_come_in_the_same_order_in_all_shards() -> None:
    events = [Event(id=name, title=name, query=name) for name in ("fire", "storm")]
    texts = (["A fire one.", "The storm is near."], ["A fire two."], ["A fire zero."])
    same = [
        Document(
            id="d",
            published_time=1000,
            sentences=tuple(
                Sentence("d", at, text, 1000, events=(("fire", "storm")[at],)) for at, text in enumerate(own)
            ),
        )
        for own in texts
    ]
    told = []
    for shards in (1, 4, 5):
        engine = Batches(EngineSettings(system="engine-tells-all"), events, shards=shards)
        engine.take(same[::-1] if shards == 1 else same)
        told.append([output.text for output in engine.end() if output.event_id == "fire"])
    assert len(told[0]) == 3 and told[0] == told[1] == told[2]


def test_what_is_older_than_the_end_of_the_stream_is_too_late() -> None:
    host, shard, events = ShardHost(SETTINGS), Shard(), Numbered({"ferry": (0, FERRY)})
    host.take(shard, Arrivals([offer("a", 2000)], last_time=2000), events=events, watermark=1500)
    late = host.take(shard, Arrivals([offer("b", 1900)]), events=events, watermark=1500)
    assert [one.doc_id for _, one in late.late] == ["b"] and late.bound == 2000


def test_a_follower_that_another_host_has_led_on_is_begun_from_its_state() -> None:
    one, other, events = ShardHost(COUNTING), ShardHost(COUNTING), Numbered({"ferry": (0, FERRY)})
    shard, kept = Shard(), Kept(one)
    for at, host in enumerate((one, other, one)):
        came = Arrivals([offer(f"d{at}", 1000 + at)])
        host.take(shard, came, events=events, watermark=1000 + at)
        host.take(shard, events=events, watermark=1001 + at)
        kept.keep(shard)
        shard = kept.again()
    assert msgspec.msgpack.decode(shard.events["ferry"].follower)["system"][2] == b"3 1002"


def test_within_an_interval_sentences_go_by_the_ids_of_their_documents() -> None:
    """Whatever the places of these in their streams."""
    settings = EngineSettings(system="engine-tells-all", interval_s=600)
    host, shard, events = ShardHost(settings), Shard(), Numbered({"ferry": (0, FERRY)})
    parts = [("z", 1), ("a", 2)]
    offers = [
        Offer.of(one, ordinal, 0, [("ferry", one.sentences)])
        for one, ordinal in ((document(name, 1800), place) for name, place in parts)
    ]
    # At the very end of what is released with them, one that goes on waiting.
    host.take(shard, Arrivals([offer("o", 1700), *offers]), events=events, watermark=1000)
    kept = Kept(host)
    host.take(shard, events=events, watermark=1800)
    kept.keep(shard)
    assert len(kept.again().waiting) == 2
    told = host.take(kept.again(), events=events, watermark=2400).outputs
    assert [output.doc_id for _, output in told] == ["a", "z"]
