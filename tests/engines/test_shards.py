"""Shards: events kept as one, in parts that give the same events again whenever they are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engines.streams import EVENTS, documents, locally
from tidings.engines import EngineSettings, EventHost, Pairing, Place, shards
from tidings.engines.shards import Arrivals, Shard, ShardHead, shard_of, take_shard
from tidings.errors import StoreError

IDS = [f"e{number}" for number in range(6)]
CHANGES = st.tuples(
    st.sampled_from(IDS),
    st.one_of(st.none(), st.binary(max_size=40)),
    st.one_of(st.none(), st.integers(0, 2**40)),
)


class Kept:
    """What an engine keeps of a shard."""

    def __init__(self) -> None:
        self.head, self.parts = ShardHead(), []
        self.snapshots = 0

    def keep(self, shard: Shard) -> None:
        kept = shard.keep(self.head)
        self.snapshots += kept.is_snapshot
        self.parts = list(kept.parts) if kept.is_snapshot else [*self.parts, *kept.parts]
        self.head = ShardHead.unpacked(kept.head.packed())

    def again(self) -> Shard:
        return Shard.of(self.parts, self.head)


@given(st.lists(st.lists(CHANGES, max_size=8), max_size=12), st.sampled_from((0, 60, 1 << 16)))
def test_parts_give_the_same_events_again(batches: list[list[tuple]], least: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shards, "_LEAST_SNAPSHOT", least)
        kept, shard, tokens = Kept(), Shard(), set()
        states: dict[str, bytes] = {}
        dues: dict[str, int] = {}
        for batch in batches:
            before = (dict(states), dict(dues))
            for event_id, state, wakes in batch:
                due = None if state is None else wakes
                shard.put(event_id, state, due)
                for mine, value in ((states, state), (dues, due)):
                    mine.pop(event_id, None)
                    if value is not None:
                        mine[event_id] = value
            was = kept.head.token
            kept.keep(shard)
            again = kept.again()
            assert (again.states, again.dues) == (states, dues) == (shard.states, shard.dues)
            assert kept.head.wakes == min(dues.values(), default=None)
            if before != (states, dues):
                assert kept.head.token != was
                tokens.add(kept.head.token)
        assert least or not tokens or kept.snapshots


def test_a_batch_adds_what_it_changed_alone() -> None:
    kept, shard = Kept(), Shard()
    for number in range(100):
        shard.put(f"e{number}", b"x" * 100, None)
    kept.keep(shard)
    shard.put("e7", b"y", 5)
    shard.put("e8", b"x" * 100, None)
    kept.keep(shard)
    assert [len(part) > 1000 for part in kept.parts] == [True, False] and len(kept.parts[1]) < 20
    kept.keep(shard)
    assert len(kept.parts) == 2


def test_parts_of_another_head_are_refused() -> None:
    kept, shard = Kept(), Shard()
    shard.put("e", b"state", 60)
    kept.keep(shard)
    for parts in ([], [b"\xc1"], [*kept.parts, *kept.parts]):
        with pytest.raises(StoreError, match="damaged"):
            Shard.of(parts, kept.head)
    with pytest.raises(StoreError, match="damaged"):
        ShardHead.unpacked(b"\xc1")


def test_events_are_dealt_evenly_and_always_alike() -> None:
    counts = [0] * 16
    for number in range(4000):
        counts[shard_of(f"event-{number}", 16)] += 1
    assert min(counts) > 180 and max(counts) < 330
    assert shard_of("ferry", 64) == 19  # CRC-32 of the id: what a checkpoint was begun with stays


def test_a_shard_gives_what_its_events_give_alone() -> None:
    settings = EngineSettings(system="cosine:overlap=1", lateness_s=300)
    stream = documents(60, 5)
    host, shard, kept = EventHost(settings), Shard(), Kept()
    pairing = Pairing(EVENTS, settings.decider())
    emitted, watermark = [], 0
    for at in range(0, 60, 20):
        arrivals: dict[str, Arrivals] = {}
        for document in stream[at : at + 20]:
            for number, pair in pairing.pairs(document):
                event = EVENTS[number]
                came = arrivals.setdefault(event.id, Arrivals(pairs=[], place=Place(number, event)))
                came.pairs.append(pair)
        for _, decision in take_shard(host, shard, arrivals, watermark):
            emitted += decision.outputs
        kept.keep(shard)
        shard = kept.again()
        watermark = stream[min(at + 19, 59)].published_time - 300
    for _, decision in take_shard(host, shard, {}, watermark, stream[-1].published_time):
        emitted += decision.outputs
    assert [output for _, output in sorted(emitted, key=lambda one: one[0])] == locally(stream, settings)
