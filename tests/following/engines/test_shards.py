"""Shards: events kept as one, in parts that give the same events again whenever they are read."""

from __future__ import annotations

import pytest
from hypothesis import example, given, strategies as st

from tests.following.engines.streams import FERRY, Kept
from tidings.core.errors import StoreError
from tidings.core.records import Document, Event, Sentence
from tidings.following.engines import shards, shards as states
from tidings.following.engines.offers import Offer, shard_of
from tidings.following.engines.settings import EngineSettings
from tidings.following.engines.shard_host import ShardHost
from tidings.following.engines.shards import EventState, Shard, ShardHead, pack_head, unpack_head
from tidings.following.engines.spark.stream_files import key_of, partition_of, shard_keys

IDS = [f"e{number}" for number in range(6)]
CHANGES = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(IDS), st.integers(0, 99)),
    st.tuples(st.just("remember"), st.sampled_from(IDS), st.integers(0, 99)),
    st.tuples(st.just("drop"), st.sampled_from(IDS), st.just(0)),
    st.tuples(st.just("wait"), st.sampled_from(IDS), st.integers(0, 99)),
    st.tuples(st.just("release"), st.just(""), st.integers(0, 99)),
    st.tuples(st.just("withdraw"), st.sampled_from(IDS), st.integers(0, 99)),
)


def offer(event_id: str, time: int, other: str = "other") -> Offer:
    document = Document(id=f"d{time}", published_time=time)
    sentences = [Sentence(document.id, number, f"Said {number}.", time) for number in range(2)]
    return Offer.of(document, 0, 0, [(event_id, sentences[:1]), (other, sentences)])


def change(shard: Shard, kind: str, event_id: str, number: int) -> None:
    if kind == "put":
        end = number * 10 if number % 2 else None
        event = Event(
            id=event_id, title=f"t{number}", query="q", end_time=end, description=f"Article: t{number}"
        )
        shard.put(event_id, EventState(number, event, None if number % 3 else b"f"))
    elif kind == "remember" and event_id in shard.events:
        shard.remember(event_id, bytes([number]) * (number % 40))
    elif kind == "drop":
        shard.drop(event_id)
    elif kind == "wait" and number >= shard.decided:  # what is older came too late
        shard.wait([offer(event_id, number)])
    elif kind == "release":
        shard.release(number)
        shard.decided = max(shard.decided, number)
    elif kind == "withdraw":
        shard.withdraw([event_id], lambda offer, _: offer.time > number)


@example([[("wait", "e0", 1), ("wait", "e3", 1), ("withdraw", "e3", 0)]], 0, False)
@given(st.lists(st.lists(CHANGES, max_size=6), max_size=12), st.sampled_from((0, 60, 1 << 16)), st.booleans())
def test_parts_give_the_same_events_again(batches: list[list[tuple]], least: int, small: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "_LEAST_SNAPSHOT", least)
        patch.setattr(shards, "_LARGEST_PART", 10 if small else 1 << 22)
        kept, shard = Kept(HOST), Shard()
        for batch in batches:
            was, before = kept.head.token, kept.again()
            for one in batch:
                change(shard, *one)
            kept.keep(shard)
            again = kept.again()
            for name in ("events", "waiting", "ends", "decided"):
                assert getattr(again, name) == getattr(shard, name), name
            times = [one.time for one in shard.waiting] + list(shard.ends.values())
            assert kept.head.wakes == min((time + 1 for time in times), default=None)
            if (before.events, before.waiting) != (shard.events, shard.waiting):
                assert kept.head.token != was


HOST = ShardHost(EngineSettings(system="first"))


def test_a_batch_adds_what_it_changed_alone() -> None:
    kept, shard = Kept(HOST), Shard()
    for number in range(100):
        shard.put(f"e{number}", EventState(number, FERRY, b"x" * 100))
    kept.keep(shard)
    shard.remember("e7", b"y")
    shard.remember("e8", b"x" * 100)
    kept.keep(shard)
    assert [len(part) > 1000 for part in kept.parts] == [True, False] and len(kept.parts[1]) < 24
    kept.keep(shard)
    assert len(kept.parts) == 2


def test_a_snapshot_comes_in_parts_of_some_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "_LARGEST_PART", 1000)
    monkeypatch.setattr(shards, "_LEAST_SNAPSHOT", 0)
    kept, shard = Kept(HOST), Shard()
    for number in range(100):
        shard.put(f"e{number}", EventState(number, FERRY, b"x" * 100))
    kept.keep(shard)
    assert len(kept.parts) == 10 and max(map(len, kept.parts)) < 2500
    assert kept.again().events == shard.events


def test_parts_of_another_head_are_refused() -> None:
    kept, shard = Kept(HOST), Shard()
    shard.put("e", EventState(0, FERRY, b"state"))
    kept.keep(shard)
    for parts in ([], [b"\xc1"], [*kept.parts, *kept.parts], [b"\xc1" + kept.parts[0][1:]]):
        with pytest.raises(StoreError, match="damaged"):
            Shard.of(parts, kept.head)


def test_heads_say_what_they_are() -> None:
    settings = EngineSettings(system="first")
    other = EngineSettings(system="first", interval_s=60)
    head = ShardHead(b"token", 5, 6, 7, 8)
    data = pack_head(head, settings.identity)
    assert unpack_head(data, settings.identity) == (head, 3)
    for broken, words in (
        (b"", "damaged"),
        (data[:-1], "damaged"),
        (b"\x94\xc4\x00\x00\x00\xc0", "damaged, or of an earlier tidings"),
        (data.replace(b"tidings-shard\x03", b"tidings-shard\x01", 1), "cannot bring to version"),
        (data.replace(b"tidings-shard\x03", b"tidings-shard\x04", 1), "newer tidings"),
    ):
        with pytest.raises(StoreError, match=words):
            unpack_head(broken, settings.identity)
    with pytest.raises(StoreError, match="another system"):
        unpack_head(data, other.identity)
    assert settings.identity == EngineSettings(system="first", modules=("json",), lateness_s=9).identity


def test_parts_of_an_earlier_version_are_brought_to_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, shard = Kept(HOST), Shard()
    shard.put("ferry", EventState(0, FERRY, b"state"))
    shard.wait([offer("ferry", 60)])
    kept.keep(shard)
    earlier = pack_head(kept.head, b"settings")
    monkeypatch.setattr(states, "VERSION", 4)

    def renamed(part: list) -> list:
        events, arrived, released = part
        return [
            [
                [event_id, number, {**event, "title": "Renamed"}, *rest]
                for event_id, number, event, *rest in events
            ],
            arrived,
            released,
        ]

    with pytest.raises(StoreError, match="version 3, which this tidings cannot bring to version 4"):
        unpack_head(earlier, b"settings")
    monkeypatch.setattr(states, "MIGRATIONS", {3: renamed})
    head, version = unpack_head(earlier, b"settings")
    again = Shard.of(kept.parts, head, version)
    assert [state.event.title for state in again.events.values()] == ["Renamed"]
    assert again.waiting == shard.waiting
    kept.keep(again)  # all of it, since parts of two versions have no head
    assert kept.snapshots == 1 and kept.again().events == again.events


def test_events_are_dealt_evenly_and_always_alike() -> None:
    counts = [0] * 16
    for number in range(4000):
        counts[shard_of(f"event-{number}", 16)] += 1
    assert min(counts) > 180 and max(counts) < 330
    assert shard_of("ferry", 64) == 19  # CRC-32 of the id: what a checkpoint was begun with stays


@given(st.integers(1, 40), st.integers(1, 4))
def test_partitions_have_as_many_shards_each(partitions: int, each: int) -> None:
    keys = shard_keys(partitions * each, partitions)
    counts = [0] * partitions
    for key in keys:
        counts[partition_of(key, partitions)] += 1
    assert set(counts) == {each} and len(set(keys)) == len(keys)
    assert key_of("ferry", len(keys), partitions) in keys


def test_keys_are_hashed_as_spark_does() -> None:
    # Of Spark 4.3: pmod(hash(key), 4) of the ints 0 to 31, by partition.
    assert [[key for key in range(32) if partition_of(key, 4) == number] for number in range(4)] == [
        [12, 13, 14, 18, 25],
        [6, 9, 15, 16, 17, 19, 20, 23, 29, 30],
        [2, 4, 5, 10, 22, 28, 31],
        [0, 1, 3, 7, 8, 11, 21, 24, 26, 27],
    ]


def test_an_offer_keeps_who_gets_what() -> None:
    document = Document(id="d", published_time=60)
    first, second, third = (Sentence("d", number, f"Said {number}.", 60) for number in range(3))
    parts = [("a", [second]), ("b", [first, third]), ("c", [second])]
    one = Offer.of(document, 4, 7, parts)
    assert [(event_id, own) for event_id, own in one.parts()] == parts
    assert one.events == ["a", "b", "c"]
    assert one.without(frozenset("x")) is one
    assert one.without(frozenset("ac")).events == ["b"] and one.without(frozenset("abc")) is None
    assert list(one.without(frozenset("b")).parts()) == [parts[0], parts[2]]


def test_few_offers_find_their_places_among_many_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of all being put in order again for each part: there may be thousands."""
    kept, shard = Kept(HOST), Shard()
    shard.wait([offer("e", time) for time in range(100, 10_100)])
    kept.keep(shard)
    for _ in range(1000):
        shard.wait([offer("e", 5000)])
        kept.keep(shard)
    placed = []
    place = shards.insort
    monkeypatch.setattr(shards, "insort", lambda waiting, one: (placed.append(one), place(waiting, one)))
    assert kept.again().waiting == shard.waiting == sorted(shard.waiting)
    assert len(placed) == 1000 and len(kept.parts) == 1001
