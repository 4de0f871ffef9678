"""The host of a shard: however a stream is cut, shuffled and dealt, it decides as the follow loop does."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import msgspec
import pytest
from hypothesis import given, strategies as st

from tests.conftest import ROOT
from tests.following.engines.streams import EVENTS, FERRY, Batches, Kept, documents, locally
from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.core.records import Document, Event, Sentence
from tidings.following.engines.offers import Offer
from tidings.following.engines.settings import EngineSettings, NumberedEvents
from tidings.following.engines.shard_host import Arrivals, ShardHost
from tidings.following.engines.shards import Shard, ShardHead
from tidings.following.systems.base import SystemBase
from tidings.following.systems.registry import register_system
from tidings.sources.streams import read_events, read_stream

BUNDLED = ROOT / "src" / "tidings" / "sources" / "bundled" / "santiago-2013"
SYSTEMS = ("first:min_words=0", "cosine:overlap=1", "centroid:overlap=1")


def disordered(stream: list[Document], lateness_s: int, random: Random) -> list[Document]:
    """The same documents in another order, none later than the lateness."""
    return sorted(
        stream, key=lambda one: (one.published_time + random.randrange(lateness_s // 2), random.random())
    )


@given(
    seed=st.integers(0, 10**6),
    cuts=st.lists(st.integers(0, 40), max_size=6),
    system=st.sampled_from(SYSTEMS),
    interval=st.sampled_from((0, 600, 3600)),
    shards=st.integers(1, 3),
    forgets=st.sampled_from(("nothing", "shards", "hosts")),
)
def test_however_a_stream_is_cut_the_outputs_are_those_of_the_loop(
    seed: int, cuts: list[int], system: str, interval: int, shards: int, forgets: str
) -> None:
    settings = EngineSettings(system=system, interval_s=interval, lateness_s=600)
    stream = documents(40, seed)
    engine = Batches(settings, shards=shards, forgets=forgets != "nothing", with_hosts=forgets == "hosts")
    coming = disordered(stream, 600, Random(seed))
    borders = [0, *sorted(cuts), len(coming)]
    for begin, end in pairwise(borders):
        engine.take(coming[begin:end])
    assert engine.end() == locally(stream, settings)
    assert not engine.late


@every(
    "system, interval",
    [("tidings", 0), ("sumbasic", 3600), ("tidings:values=yes", 0), ("cosine:about=10/day", 0)],
)
def test_systems_of_every_kind_are_hosted_alike(system: str, interval: int) -> None:
    settings = EngineSettings(system=system, interval_s=interval, support=True)
    stream = sorted(read_stream(BUNDLED), key=lambda one: (one.published_time, one.id))[:90]
    events = list(read_events(BUNDLED / "event.json"))
    engine = Batches(settings, events)
    for at in range(0, len(stream), 29):
        engine.take(stream[at : at + 29][::-1])
    expected = locally(stream, settings, events)
    assert engine.end() == expected
    assert len(expected) > 3


def test_a_stream_that_goes_on_after_its_end_goes_on_as_the_loop_does() -> None:
    settings = EngineSettings(system="cosine:overlap=1", lateness_s=0)
    stream = documents(80, 3)
    engine = Batches(settings)
    engine.take(stream[:50])
    first = len(engine.end())
    later = [one for one in stream[50:] if one.published_time > stream[49].published_time]
    engine.take(later)
    engine.end()
    assert engine.outputs[first:]
    assert engine.outputs == locally(stream[:50] + later, settings)


def test_what_comes_too_late_is_given_back_and_changes_nothing() -> None:
    settings = EngineSettings(system="first:min_words=0", lateness_s=100)
    engine = Batches(settings, [FERRY])
    engine.take([document("a", 2000)])
    engine.take([document("b", 3000)])
    engine.take([document("late", 1899), document("in-time", 2900)])
    assert [(event_id, offer.doc_id) for event_id, offer in engine.late] == [("ferry", "late")]
    assert [output.doc_id for output in engine.end()] == ["a", "in-time", "b"]


def document(doc_id: str, time: int, text: str = "Ferry fire near the port.") -> Document:
    return Document(id=doc_id, published_time=time, sentences=(Sentence(doc_id, 0, text, time),))


def offer(doc_id: str, time: int, text: str = "Ferry fire near the port.", *, version: int = 0) -> Offer:
    one = document(doc_id, time, text)
    return Offer.of(one, 0, version, [("ferry", one.sentences)])


class Versions:
    """Versions of one event; None where it is closed."""

    def __init__(self, *events: Event | None) -> None:
        self.events = events

    def of_batch(self, batch: str | None) -> NumberedEvents:
        return self.of_version(len(self.events) - 1)

    def of_version(self, version: int) -> NumberedEvents:
        event = self.events[version]
        return NumberedEvents(version, {} if event is None else {event.id: (0, event)})


def told(host: ShardHost, shard: Shard, came: Arrivals, events: Versions, watermark: int) -> list[str]:
    """The documents of what is told, when this has come and when time has then come so far."""
    emitted = list(host.take(shard, came, events=events, watermark=shard.decided).outputs)
    emitted += host.take(shard, events=events, watermark=watermark).outputs
    return [output.doc_id for _, output in emitted]


ONE = Versions(FERRY)


def test_an_event_that_is_over_leaves_nothing_behind() -> None:
    host, shard = ShardHost(EngineSettings(system="first:min_words=0")), Shard()
    kept = Kept(host)
    assert not told(host, shard, Arrivals([offer("a", 8999)]), ONE, 8000)
    kept.keep(shard)
    assert (kept.head.wakes, len(shard.waiting)) == (9000, 1)
    assert told(host, shard, Arrivals(), ONE, 9001) == ["a"]
    kept.keep(shard)
    assert (shard.events, shard.waiting, shard.ends, kept.head.wakes) == ({}, [], {}, None)
    again = kept.again()
    assert (again.events, again.waiting, again.decided) == ({}, [], 9001)


def test_a_failure_in_the_middle_leaves_the_host_as_it_was() -> None:
    @register_system("engine-fails-once")
    class FailsOnce(SystemBase, frozen=True):
        """Fails on its second document, the first time."""

        def start(self, event):
            return Failing()

    failed = []

    class Failing:
        def __init__(self) -> None:
            self.seen: list[str] = []

        def push(self, sentences, now):
            self.seen.append(sentences[0].doc_id)
            if len(self.seen) == 3 and not failed:
                failed.append(True)
                raise RuntimeError("once")
            return []

        def finish(self, now):
            return []

        def state(self) -> bytes:
            return ",".join(self.seen).encode()

        def restore(self, data: bytes) -> None:
            self.seen = data.decode().split(",")

    host, shard = ShardHost(EngineSettings(system="engine-fails-once")), Shard()
    kept = Kept(host)
    assert not told(host, shard, Arrivals([offer("a", 1000)]), ONE, 1001)
    assert not told(host, shard, Arrivals([offer("b", 1200), offer("c", 1300)]), ONE, 1001)
    kept.keep(shard)
    with pytest.raises(Exception, match="once"):
        told(host, shard, Arrivals(), ONE, 1400)
    shard = kept.again()
    assert not told(host, shard, Arrivals(), ONE, 1400)
    assert msgspec.msgpack.decode(shard.events["ferry"].follower)["system"][2] == b"a,b,c"


def test_an_event_is_changed_and_closed_while_it_is_followed() -> None:
    host, shard = ShardHost(EngineSettings(system="first:min_words=0")), Shard()
    longer = Event(id="ferry", title="Ferry", query="ferry fire", end_time=20_000)
    events = Versions(FERRY, longer, None)
    assert told(host, shard, Arrivals([offer("a", 1000)]), events, 1001) == ["a"]
    assert not told(host, shard, Arrivals(changes={"ferry": 1}), events, 1001)
    assert shard.ends == {"ferry": 20_000} and shard.keep(ShardHead(), host.due).head.wakes == 20_001
    came = Arrivals([offer("b", 1500)], {"ferry": 2})
    assert told(host, shard, came, events, 1001) == ["b"]
    assert not shard.events and not shard.waiting


def test_what_waits_for_an_event_that_now_ends_before_is_not_told() -> None:
    """Whenever the change comes: the outputs do not depend on how the stream was cut."""
    sooner = Event(id="ferry", title="Ferry", query="ferry fire", end_time=1400)
    events = Versions(FERRY, sooner)
    for at_once in (True, False):
        host, shard = ShardHost(EngineSettings(system="first:min_words=0")), Shard()
        came = Arrivals([offer("a", 1300), offer("b", 1500)], {"ferry": 1} if at_once else {})
        assert not told(host, shard, came, events, 1001)
        if not at_once:
            assert not told(host, shard, Arrivals(changes={"ferry": 1}), events, 1200)
        assert told(host, shard, Arrivals(), events, 2000) == ["a"]
        assert not shard.events and not shard.waiting


def test_an_event_that_is_closed_before_anything_was_decided() -> None:
    host, shard = ShardHost(EngineSettings(system="first:min_words=0")), Shard()
    events = Versions(FERRY, None)
    assert not told(host, shard, Arrivals([offer("a", 1300)]), events, 1001)
    assert told(host, shard, Arrivals(changes={"ferry": 1}), events, 1001) == ["a"]
    assert not shard.events and not shard.waiting
    assert not told(host, shard, Arrivals(changes={"ferry": 1, "other": 1}), events, 1001)


@every(
    "settings, words",
    [
        (EngineSettings(system="cosine", about="30"), "updates in all"),
        (EngineSettings(system="no-such-system"), "no-such-system"),
        (EngineSettings(system="first:most=9"), r"option 'most' .expected one of"),
        (EngineSettings(system="tidings", model="0" * 16), "another model"),
        (EngineSettings(system="cosine", model="0" * 16), "another model"),
    ],
)
def test_what_cannot_be_hosted_is_refused_with_words(settings: EngineSettings, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        settings.decider()


def test_a_system_that_is_not_registered_where_events_are_followed() -> None:
    with pytest.raises(UsageError, match=r"no system 'somebodys' here; .* each worker: name the module"):
        EngineSettings(system="somebodys:similarity=0.5").decider()
    with pytest.raises(UsageError, match="similarity"):
        EngineSettings(system="cosine:similarity=much").decider()


def test_a_system_that_shares_what_it_knows_of_events_is_refused() -> None:
    @register_system("engine-shares")
    class Shares(SystemBase, frozen=True):
        """Knows of other events."""

        shares_events = True

        def start(self, event): ...

    with pytest.raises(UsageError, match="share what they know"):
        EngineSettings(system="engine-shares").decider()
    assert len(EVENTS) == 3


def test_an_event_that_another_host_has_changed_is_not_followed_as_it_was() -> None:
    """What a host remembers is of use only while the event is the same, also where the follower's state is."""
    settings = EngineSettings(system="first:min_words=0")
    one, other = ShardHost(settings), ShardHost(settings)
    ferry = Event(id="ferry", title="Ferry", query="ferry")
    harbour = Event(id="ferry", title="Ferry", query="harbour")
    events, kept = Versions(ferry, harbour), Kept(one)
    shard = Shard()
    assert told(one, shard, Arrivals([offer("d1", 60, "The ferry is seen.")]), events, 61) == ["d1"]
    kept.keep(shard)
    shard = kept.again()
    assert not told(other, shard, Arrivals(changes={"ferry": 1}), events, 61)
    kept.keep(shard)
    shard = kept.again()
    assert told(one, shard, Arrivals([offer("d2", 90, "The harbour is seen.", version=1)]), events, 91) == [
        "d2"
    ]


def test_a_change_that_a_follower_cannot_take_up_is_refused_with_words() -> None:
    @register_system("engine-one-title")
    class OneTitle(SystemBase, frozen=True):
        """Follows no other event than it began with."""

        def start(self, event):
            return Titled(event.title)

    class Titled:
        def __init__(self, title: str) -> None:
            self.title = title

        def push(self, sentences, now):
            return []

        def finish(self, now):
            return []

        def state(self) -> bytes:
            return self.title.encode()

        def restore(self, data: bytes) -> None:
            if data.decode() != self.title:
                raise ValueError("another title")

    host, shard = ShardHost(EngineSettings(system="engine-one-title")), Shard()
    other = Event(id="ferry", title="Another", query="ferry")
    events = Versions(FERRY, other)
    told(host, shard, Arrivals([offer("a", 1000)]), events, 1001)
    decisions = host.take(shard, Arrivals(changes={"ferry": 1}), events=events, watermark=1001)
    assert [event_id for event_id, _ in decisions.refused] == ["ferry"]
    assert "event ferry: the change has no effect" in decisions.refused[0][1]
    assert shard.events["ferry"].event == FERRY
