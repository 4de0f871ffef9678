"""Events in versions: what a batch was offered to stays the same when it is done again.

Events that are changed while offers wait for them: each offer is decided by the event that it was made to.
"""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, strategies as st

from tests.following.engines.streams import FERRY, SHORT, STORM, Kept
from tests.following.engines.test_closing import Numbered
from tests.following.engines.test_shard_host import offer
from tests.sweeps import every
from tidings.core.errors import StoreError, UsageError
from tidings.core.records import Event, Update
from tidings.following.engines.offers import Offer
from tidings.following.engines.settings import EngineSettings, EventVersions, FixedEvents
from tidings.following.engines.shard_host import Arrivals, ShardHost
from tidings.following.engines.shards import Shard
from tidings.following.systems.base import SystemBase
from tidings.following.systems.registry import register_system


def test_numbers_stay_and_are_never_given_twice(tmp_path: Path) -> None:
    versions = EventVersions(tmp_path / "events")
    versions.write([FERRY, STORM])
    versions.write([FERRY])
    versions.write([SHORT, FERRY])
    changed = Event(id="ferry", title="Ferry", query="ferry")
    assert versions.write([SHORT, changed]) == ("ferry",) == versions.changed_in(3)
    assert versions.of_version(0).by_id == {"ferry": (0, FERRY), "storm": (1, STORM)}
    assert versions.of_version(3).by_id == {"ferry": (0, changed), "short": (2, SHORT)}
    assert versions.of_version(3).events == (changed, SHORT)
    assert versions.write([SHORT, changed]) == () and versions.latest == 3


def test_a_batch_keeps_the_version_of_who_asked_first(tmp_path: Path) -> None:
    versions = EventVersions(tmp_path / "events")
    versions.write([FERRY])
    assert versions.of_batch("5").version == 0
    versions.write([FERRY, STORM])
    assert (versions.of_batch("5").version, versions.of_batch("6").version) == (0, 1)
    assert versions.of_batch(None).version == 1
    with ThreadPoolExecutor(8) as pool:
        seen = {one.version for one in pool.map(lambda _: versions.of_batch("7"), range(64))}
    assert seen == {1}
    assert sorted(path.name for path in (tmp_path / "events" / "batches").iterdir()) == ["5", "6", "7"]
    versions.forget_batches(7)
    assert [path.name for path in (tmp_path / "events" / "batches").iterdir()] == ["7"]
    EventVersions(tmp_path / "none").forget_batches(7)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    versions = EventVersions(tmp_path / "events")
    versions.write([FERRY])
    (tmp_path / "events" / "000000.events").write_bytes(b"\xc1")
    with pytest.raises(StoreError, match=r"000000\.events"):
        versions.of_version(0)
    with pytest.raises(StoreError):
        versions.of_version(4)


def test_fixed_events_are_the_same_for_all() -> None:
    fixed = FixedEvents.of([FERRY, STORM])
    assert fixed.of_batch("3") is fixed.of_version(9) and fixed.of_batch(None).by_id["storm"] == (1, STORM)


def test_thousands_of_versions_are_read_anew(tmp_path: Path) -> None:
    """By a worker that begins when events have changed for long."""
    versions = EventVersions(tmp_path)
    for version in range(1200):
        event = Event(id="ferry", title=str(version), query="ferry")
        data = msgspec.msgpack.encode({"changed": [(0, "ferry", event)]})
        (tmp_path / f"{version:06d}.events").write_bytes(data)
    assert [versions.of_version(at).by_id["ferry"][1].title for at in (1100, 1199, 7)] == [
        "1100",
        "1199",
        "7",
    ]


def test_a_folder_that_is_begun_anew_has_other_versions(tmp_path: Path) -> None:
    versions = EventVersions(tmp_path / "events")
    versions.write([FERRY])
    versions.write([FERRY, STORM])
    assert len(versions.of_version(1).by_id) == 2
    shutil.rmtree(tmp_path / "events")
    versions.write([SHORT])
    versions.write([SHORT, FERRY])
    assert list(versions.of_version(0).by_id) == ["short"]
    assert list(versions.of_version(1).by_id) == ["short", "ferry"]


WORDS = ("ferry", "harbour", "storm")


def event(word: str, title: str = "Ferry") -> Event:
    return Event(id="ferry", title=title, query=word)


VERSIONS = Numbered(*({"ferry": (0, event(word))} for word in WORDS))


class TellsItsQuery(SystemBase, frozen=True):
    """Tells each document, with the query of the event and how many there were before."""

    def start(self, event):
        return Telling(event)


class Telling:
    def __init__(self, event: Event) -> None:
        self.event, self.count = event, 0

    def push(self, sentences, now):
        assert self.event.query != "refused"
        first = sentences[0]
        self.count += 1
        return [Update("ferry", first.doc_id, 0, now, text=f"{self.event.query} {self.count}")]

    def finish(self, now):
        return [Update("ferry", "end", 0, now, text=f"{self.event.query} {self.count}")]

    def state(self) -> bytes:
        return b"%d" % self.count

    def restore(self, data: bytes) -> None:
        if self.event.query == "refused":
            raise UsageError("another query (expected the first one)")
        self.count = int(data)


@cache
def registered() -> str:
    register_system("engine-tells-its-query")(TellsItsQuery)
    return TellsItsQuery.name


def host_that_tells(*, interval_s: int = 0) -> ShardHost:
    return ShardHost(EngineSettings(system=registered(), interval_s=interval_s))


def texts(
    host: ShardHost, shard: Shard, came: Arrivals, watermark: int, versions: Numbered = VERSIONS
) -> list[str]:
    decisions = host.take(shard, came, events=versions, watermark=watermark)
    return [output.text for _, output in sorted(decisions.outputs, key=lambda one: one[0])]


@every("system", ["first:min_words=0", "cosine:overlap=1"])
def test_a_change_that_is_heard_when_what_waits_is_decided(system: str) -> None:
    """What was asked for is told, though the event asks for something else now."""
    host, shard = ShardHost(EngineSettings(system=system)), Shard()
    assert not texts(host, shard, Arrivals([offer("a", 1000, "The ferry is seen.")]), 900)
    came = Arrivals([offer("b", 1200, "People leave a harbour.", version=1)], {"ferry": 1})
    assert texts(host, shard, came, 1100) == ["The ferry is seen."]
    assert shard.events["ferry"].event == event("harbour")
    assert texts(host, shard, Arrivals(), 1300) == ["People leave a harbour."]


def test_a_change_of_which_its_offers_hear_first() -> None:
    host, shard = host_that_tells(), Shard()
    assert not texts(host, shard, Arrivals([offer("a", 1000), offer("b", 1100, version=1)]), 900)
    assert texts(host, shard, Arrivals(), 1200) == ["ferry 1", "harbour 2"]
    assert shard.events["ferry"].event == event("ferry")
    assert texts(host, shard, Arrivals(changes={"ferry": 1}, last_time=1200), 1200) == ["harbour 2"]


def test_an_interval_is_decided_by_the_newest_of_its_events() -> None:
    host, shard = host_that_tells(interval_s=600), Shard()
    came = Arrivals([offer("a", 1000, version=1), offer("b", 1100)])
    assert texts(host, shard, came, 1000) == []
    assert texts(host, shard, Arrivals(), 1200) == ["harbour 1"]


def test_an_offer_to_a_change_without_effect_is_decided_by_the_event_as_it_stays() -> None:
    versions = Numbered({"ferry": (0, event("ferry"))}, {"ferry": (0, event("refused"))})
    host, shard = host_that_tells(), Shard()
    assert not texts(host, shard, Arrivals([offer("a", 1000)]), 900, versions)
    assert texts(host, shard, Arrivals(), 1001, versions) == ["ferry 1"]
    offers = [offer("b", 1100, version=1), offer("c", 1200), offer("d", 1300, version=1)]
    assert not texts(host, shard, Arrivals(offers, {"ferry": 1}), 1001, versions)
    assert texts(host, shard, Arrivals(), 1400, versions) == ["ferry 2", "ferry 3", "ferry 4"]
    assert msgspec.msgpack.decode(shard.events["ferry"].follower)["system"][2] == b"4"


@given(
    versions=st.lists(st.integers(0, 2), min_size=1, max_size=12),
    heard=st.lists(st.integers(0, 12), min_size=2, max_size=2),
    together=st.integers(1, 5),
    forgets=st.sampled_from(("nothing", "shards", "hosts")),
)
def test_whenever_a_change_is_heard_each_offer_is_decided_by_its_own_event(
    versions: list[int], heard: list[int], together: int, forgets: str
) -> None:
    offers = [offer(f"d{at:02d}", 1000 + 10 * at, version=version) for at, version in enumerate(versions)]
    host, shard = host_that_tells(), Shard()
    kept, found = Kept(host), list[str]()
    for begin in range(0, len(offers), together):
        came = list[Offer](offers[begin : begin + together])
        new = [version for version, at in enumerate(sorted(heard), 1) if begin <= at < begin + together]
        changes = {"ferry": max(new)} if new else {}
        found += texts(host, shard, Arrivals(came, changes), 1000 + 10 * begin)
        kept.keep(shard)
        if forgets != "nothing":
            shard = kept.again()
        if forgets == "hosts":
            host = ShardHost(host.settings)
    found += texts(host, shard, Arrivals(), 3000)
    assert found == [f"{WORDS[version]} {count}" for count, version in enumerate(versions, 1)]
