"""`tidings.Tracker`: pushed one by one, the outputs are those of `tidings.follow`."""

from __future__ import annotations

import contextlib
import random

import msgspec
import pytest
from hypothesis import given, strategies as st

import tidings
from tests.following.library.streams import FERRY, STORM, documents
from tests.sweeps import cases, every
from tidings.core.errors import LateStreamError, TidingsError
from tidings.core.records import Event
from tidings.following.stream.kernel import FollowerError

ENDLESS = Event(id="all", title="All", query="ferry storm fire coast port")
EVENTS = [FERRY, STORM, ENDLESS]
SYSTEMS = cases(__file__, "systems")

made_alike = st.fixed_dictionaries(
    {
        "system": st.sampled_from(SYSTEMS),
        "interval": st.sampled_from([None, 900, 7200]),
        "lateness": st.sampled_from([0, 300, 5_000]),
    }
)


def all_of(followed):
    """What is followed, also where so many documents come too late that this is said at the end."""
    outputs = []
    with contextlib.suppress(LateStreamError):
        for output in followed:
            outputs.append(output)
    return outputs


def push_all(tracker, stream):
    return [output for document in stream for output in tracker.push(document)] + tracker.finish()


@given(seed=st.integers(0, 10**6), arguments=made_alike)
def test_pushed_or_followed_is_the_same(seed, arguments):
    stream = documents(seed, 40)
    tracker = tidings.Tracker(events=EVENTS, **arguments)
    followed = tidings.follow(stream, events=EVENTS, **arguments)
    assert push_all(tracker, stream) == all_of(followed)
    for count in ("documents", "sentences", "late_count", "updates", "time", "complete"):
        assert getattr(tracker.tally, count) == getattr(followed.tally, count), count


@given(seed=st.integers(0, 10**6), arguments=made_alike, data=st.data())
def test_taken_up_anywhere_it_goes_on_alike(seed, arguments, data):
    """Outputs before the state and after restoring it are together those of one tracker."""
    stream = documents(seed, 40)
    whole = all_of(tidings.follow(stream, events=EVENTS, **arguments))
    stops = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=3)))
    tracker, outputs, begin = tidings.Tracker(events=EVENTS, **arguments), [], 0
    for stop in stops:
        for document in stream[begin:stop]:
            outputs += tracker.push(document)
        begin = stop
        state = tracker.state()
        assert tracker.state() == state
        tracker = tidings.Tracker(events=EVENTS, **arguments)
        tracker.restore(state)
        assert tracker.state() == state
    for document in stream[begin:]:
        outputs += tracker.push(document)
    assert outputs + tracker.finish() == whole


def test_some_of_these_streams_say_something():
    for system in SYSTEMS:
        assert len(list(tidings.follow(documents(3, 40), events=EVENTS, system=system))) > 3, system


def test_without_lateness_it_answers_at_once():
    tracker = tidings.Tracker(query="ferry fire", system="first", lateness=0)
    (update,) = tracker.push({"id": "a", "published_time": 60, "text": "A ferry on fire."})
    assert update.doc_id == "a"
    assert tracker.push({"id": "b", "published_time": 50, "text": "A ferry on fire."}) == []
    assert tracker.tally.late_count == 1


def test_with_lateness_it_waits_until_nothing_earlier_can_come():
    tracker = tidings.Tracker(query="ferry fire", system="first", lateness=100)
    assert tracker.push({"id": "a", "published_time": 100, "text": "A ferry on fire."}) == []
    assert tracker.push({"id": "b", "published_time": 50, "text": "A ferry on fire?"}) == []
    assert [update.doc_id for update in tracker.push({"id": "c", "published_time": 200, "text": "x"})] == [
        "b",
        "a",
    ]


def test_a_bad_document_leaves_it_as_it_was():
    tracker = tidings.Tracker(query="ferry fire", system="first", lateness=0)
    state = tracker.state()
    for bad in ({"id": "a"}, 3, "news", None, {"id": "a", "published_time": "x", "text": ""}):
        with pytest.raises((TypeError, ValueError), match="document"):
            tracker.push(bad)
    assert tracker.state() == state
    assert tracker.push({"id": "a", "published_time": 60, "text": "A ferry on fire."})


def test_after_its_end_it_takes_nothing():
    tracker = tidings.Tracker(query="ferry fire", system="first")
    tracker.push({"id": "a", "published_time": 60, "text": "A ferry on fire."})
    assert len(tracker.finish()) == 1
    for call in (tracker.finish, lambda: tracker.push({"id": "b", "published_time": 60, "text": "x"})):
        with pytest.raises(TidingsError, match="has finished"):
            call()
    other = tidings.Tracker(query="ferry fire", system="first")
    other.restore(tracker.state())
    with pytest.raises(TidingsError, match="has finished"):
        other.finish()
    assert other.state() == tracker.state()
    assert b"on fire" not in tracker.state(), "what was decided on need not be kept"


class TestRestore:
    def test_another_tracker_is_refused(self):
        state = tidings.Tracker(query="ferry fire", system="cosine").state()
        for arguments, message in [
            ({"query": "ferry fire", "system": "first"}, r"system 'cosine' \(expected 'first'\)"),
            ({"query": "ferry fire", "system": "cosine", "lateness": 5}, r"lateness 600 \(expected 5\)"),
            ({"query": "ferry fire", "system": "cosine", "interval": 5}, r"interval 0 \(expected 5\)"),
            ({"query": "ferry fire", "system": "cosine", "mixed": True}, r"mixed False \(expected True\)"),
            ({"events": FERRY, "system": "cosine"}, r"events \['query'\] \(expected \['ferry'\]\)"),
            ({"query": "storm", "system": "cosine"}, "state of other events"),
        ]:
            with pytest.raises(TidingsError, match=message):
                tidings.Tracker(**arguments).restore(state)

    @every("data", [b"", b"\xc1", b"\x90", msgspec.msgpack.encode({"system": 3}), b"\xff" * 99])
    def test_what_is_no_state_is_refused(self, data):
        tracker = tidings.Tracker(query="ferry fire", system="cosine")
        with pytest.raises(ValueError, match="not a tracker's state"):
            tracker.restore(data)
        with pytest.raises(TypeError, match="a str"):
            tracker.restore("state")


def test_a_system_that_fails_is_named_and_cannot_go_on(monkeypatch):
    from tidings.following.systems.first import FirstFollower

    tracker = tidings.Tracker(query="ferry fire", system="first", lateness=0)
    tracker.push({"id": "a", "published_time": 60, "text": "A ferry on fire."})
    monkeypatch.setattr(FirstFollower, "push", lambda self, sentences, now: 1 / 0)
    with pytest.raises(FollowerError, match="ZeroDivisionError"):
        tracker.push({"id": "b", "published_time": 70, "text": "A ferry on fire."})
    monkeypatch.undo()
    for call in (
        tracker.finish,
        tracker.state,
        lambda: tracker.push({"id": "c", "published_time": 80, "text": "x"}),
    ):
        with pytest.raises(TidingsError, match="has failed"):
            call()


def test_it_forgets_what_was_decided():
    tracker = tidings.Tracker(query="ferry fire", system="first", lateness=60)
    rng, time = random.Random(1), 0
    sizes = []
    for number in range(400):
        time += rng.randint(0, 30)
        tracker.push({"id": f"d{number}", "published_time": time, "text": "Nothing."})
        sizes.append(len(tracker.state()))
    assert max(sizes[200:]) < 2 * max(sizes[:100])
