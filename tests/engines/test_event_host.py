"""The host of an event: however a stream is cut, shuffled and dealt, it decides as the follow loop does."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.engines.streams import EVENTS, FERRY, Batches, documents, locally
from tests.sweeps import every
from tidings.engines import EngineSettings, EventHost, Place, states
from tidings.engines.pairs import Pair
from tidings.engines.states import HostState, pack_state, unpack_state
from tidings.errors import StoreError, UsageError
from tidings.formats import read_events, read_stream
from tidings.records import Document, Event, Sentence
from tidings.systems import register_system
from tidings.systems.base import SystemBase

BUNDLED = ROOT / "src" / "tidings" / "bundled" / "santiago-2013"
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
)
def test_however_a_stream_is_cut_the_outputs_are_those_of_the_loop(
    seed: int, cuts: list[int], system: str, interval: int, shards: int
) -> None:
    settings = EngineSettings(system=system, interval_s=interval, lateness_s=600)
    stream = documents(40, seed)
    engine = Batches(settings, shards=shards)
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
    assert [pair.doc_id for pair in engine.late] == ["late"]
    assert [output.doc_id for output in engine.end()] == ["a", "in-time", "b"]


def document(doc_id: str, time: int, text: str = "Ferry fire near the port.") -> Document:
    return Document(id=doc_id, published_time=time, sentences=(Sentence(doc_id, 0, text, time),))


def pair(doc_id: str, time: int) -> Pair:
    one = document(doc_id, time)
    return Pair.of(one, 0, one.sentences)


def test_an_event_that_is_over_leaves_nothing_behind() -> None:
    host = EventHost(EngineSettings(system="first:min_words=0"))
    first = host.take(None, [pair("a", 8999)], place=Place(0, FERRY), watermark=8000)
    assert first.state is not None and first.wakes == 9000
    last = host.take(first.state, [], watermark=9001)
    assert (last.state, last.wakes, [output.time for _, output in last.outputs]) == (None, None, [8999])
    assert host.take(None, [], watermark=9500).state is None


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

    settings = EngineSettings(system="engine-fails-once")
    host = EventHost(settings)
    kept = host.take(None, [pair("a", 1000)], place=Place(0, FERRY), watermark=1000).state
    more = host.take(kept, [pair("b", 1200), pair("c", 1300)], watermark=1001).state
    with pytest.raises(Exception, match="once"):
        host.take(more, [], watermark=1400)
    again = host.take(more, [], watermark=1400)
    assert unpack_state(again.state, settings.identity, "it").follower == b"a,b,c"


def test_an_event_is_changed_and_closed_while_it_is_followed() -> None:
    host = EventHost(EngineSettings(system="first:min_words=0"))
    kept = host.take(None, [pair("a", 1000)], place=Place(0, FERRY), watermark=1001)
    longer = Event(id="ferry", title="Ferry", query="ferry fire", end_time=20_000)
    changed = host.take(kept.state, [], watermark=1001, change=Place(0, longer))
    assert (changed.wakes, changed.refused) == (20_001, "")
    closed = host.take(changed.state, [pair("b", 1500)], watermark=1001, is_closed=True)
    assert closed.state is None and [output.doc_id for _, output in closed.outputs] == ["b"]


def test_states_say_what_they_are() -> None:
    settings = EngineSettings(system="first")
    other = EngineSettings(system="first", interval_s=60)
    state = HostState(event=FERRY, number=3, follower=b"f", waiting=[pair("a", 1000)], decided=5)
    data = pack_state(state, settings.identity)
    assert unpack_state(data, settings.identity, "e") == state
    for broken, words in (
        (b"", "damaged"),
        (data[:-1], "damaged"),
        (b"x" + data, "damaged"),
        (data.replace(b"tidings-event\x01", b"tidings-event\x00", 1), "cannot bring to version"),
        (data.replace(b"tidings-event\x01", b"tidings-event\x02", 1), "newer tidings"),
    ):
        with pytest.raises(StoreError, match=words):
            unpack_state(broken, settings.identity, "e")
    with pytest.raises(StoreError, match="another system"):
        unpack_state(data, other.identity, "e")
    assert settings.identity == EngineSettings(system="first", modules=("json",), lateness_s=9).identity


def test_a_state_of_an_earlier_version_is_brought_to_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = EngineSettings(system="first:min_words=0")
    earlier = EventHost(settings).take(None, [pair("a", 1000)], place=Place(0, FERRY), watermark=900).state
    monkeypatch.setattr(states, "VERSION", 2)
    monkeypatch.setattr(states, "MIGRATIONS", {1: lambda content: [*content]})
    taken = EventHost(settings).take(earlier, [], watermark=1001)
    assert [output.doc_id for _, output in taken.outputs] == ["a"]
    assert taken.state.startswith(b"tidings-event\x02")


@every(
    "settings, words",
    [
        (EngineSettings(system="cosine", about="30"), "updates in all"),
        (EngineSettings(system="no-such-system"), "no-such-system"),
        (EngineSettings(system="tidings", model="0" * 16), "another model"),
        (EngineSettings(system="cosine", model="0" * 16), "another model"),
    ],
)
def test_what_cannot_be_hosted_is_refused_with_words(settings: EngineSettings, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        settings.decider()


def test_a_system_that_is_not_registered_where_events_are_followed() -> None:
    with pytest.raises(
        UsageError, match=r"found no system 'somebodys' here, .* each worker; name the module"
    ):
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
    one, other = EventHost(settings), EventHost(settings)
    ferry = Event(id="ferry", title="Ferry", query="ferry")
    harbour = Event(id="ferry", title="Ferry", query="harbour")

    def pair(doc_id: str, time: int, text: str) -> Pair:
        return Pair.of(Document(id=doc_id, published_time=time), 0, [Sentence(doc_id, 0, text, time)])

    came = one.take(None, [pair("d1", 60, "The ferry is seen.")], place=Place(0, ferry))
    decided = one.take(came.state, [], watermark=61)
    changed = other.take(decided.state, [pair("d2", 90, "The harbour is seen.")], change=Place(0, harbour))
    later = one.take(changed.state, [], watermark=91)
    assert [output.text for _, output in later.outputs] == ["The harbour is seen."]
