"""What every system keeps to: one suite over all of them, with their defaults and with their variants."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import groupby

import msgspec
import pytest

from tests.following.systems.streams import FERRY, HOSTILE, STORM, assert_resumable, follow, run, stream
from tests.sweeps import cases
from tidings.core import Analyzer, shared_analyzer
from tidings.core.protocols import Follower
from tidings.core.records import Event, Sentence
from tidings.following.systems.decider import DecidingFollower
from tidings.following.systems.interval_followers import IntervalFollower
from tidings.following.systems.news import NewsReader
from tidings.following.systems.registry import available, make
from tidings.following.systems.tidings.text_features import TextReader

VARIANTS = cases(__file__, "variants")
SPECS = [*available(), *VARIANTS]

pytestmark = pytest.mark.parametrize("spec", SPECS)


def test_tells_something(spec):
    """Without this the rest would prove nothing."""
    assert run(make(spec), list(stream(1)))


def test_deterministic(spec):
    """Two followers given the same input tell the same."""
    pushes = list(stream(1))
    one, other = make(spec).start(FERRY), make(spec).start(FERRY)
    assert follow(one, pushes) == follow(other, pushes)
    assert one.state() == other.state()


def test_resumed_equals_uninterrupted_at_every_cut(spec):
    """Stopped after any push and restored into a fresh follower, it goes on as if nothing had happened."""
    system, pushes = make(spec), list(stream(2, 22, casualties=True))
    whole, states, told = system.start(FERRY), [], []
    for sentences, now in pushes:
        told.append(whole.push(sentences, now))
        states.append(whole.state())
    for cut, state in enumerate(states):
        resumed = system.start(FERRY)
        resumed.restore(state)
        forget_encoded(resumed)
        assert resumed.state() == state
        assert [resumed.push(*push) for push in pushes[cut + 1 :]] == told[cut + 1 :]
        assert resumed.state() == states[-1]


def forget_encoded(follower: Follower) -> None:
    """Make a follower write its state anew, instead of giving back the bytes that it was given."""
    inner = innermost(follower)
    assert inner._cached is not None
    inner._cached = None


def innermost(follower: Follower) -> Follower:
    """The follower that decides, without the stages around it."""
    return follower.core if isinstance(follower, DecidingFollower) else follower


def test_what_is_told_at_the_end(spec):
    """The end tells what waited, at its own time, the same after a resume, no sentence twice, and once only."""
    system, pushes = make(spec), list(stream(12, 30))
    whole = system.start(FERRY)
    told = follow(whole, pushes)
    state, end = whole.state(), pushes[-1][1] + 60
    last = list(whole.finish(end))
    resumed = system.start(FERRY)
    resumed.restore(state)
    assert resumed.finish(end) == last
    assert resumed.state() == whole.state()
    assert all(update.time == end >= update.published_time for update in last)
    offered = {sentence.id: sentence for sentences, _ in pushes for sentence in sentences}
    assert all(offered[update.id].text == update.text for update in last)
    ids = [update.id for update in [*told, *last]]
    assert len(set(ids)) == len(ids)
    assert list(whole.finish(end)) == []


def test_finishing_is_as_if_time_went_on(spec):
    """What is told at the end is what the next interval would have told of it, and nothing where nothing waits."""
    system, pushes = make(spec), list(stream(13, 30))
    ended, going = system.start(FERRY), system.start(FERRY)
    assert [update.id for update in follow(ended, pushes)] == [update.id for update in follow(going, pushes)]
    later = pushes[-1][1] + 10**5
    assert [update.id for update in ended.finish(later)] == [update.id for update in going.push([], later)]


def test_every_interval_is_decided_on(spec):
    """A stream that ends within its first interval is told of at the end, by those that wait for it."""
    follower = make(spec).start(FERRY)
    pushes = [(sentences, 100 + n) for n, (sentences, _) in enumerate(stream(14, 12, gap_s=0))]
    pushes = [([msgspec.structs.replace(s, published_time=now) for s in some], now) for some, now in pushes]
    told = follow(follower, pushes)
    waits = isinstance(innermost(follower), IntervalFollower)
    last = list(follower.finish(200))
    assert not (told if waits else last)
    assert last or not waits


def test_restoring_replaces_what_was_known(spec):
    """A follower that has seen other things becomes the one whose state it is given."""
    system, pushes = make(spec), list(stream(3, 20))
    fresh, used = system.start(FERRY), system.start(FERRY)
    follow(used, pushes)
    used.restore(fresh.state())
    assert follow(used, pushes) == follow(fresh, pushes)


def test_followers_share_nothing(spec):
    """Two events followed side by side are told as each alone: sharding by event changes nothing."""
    system, pushes = make(spec), list(stream(4))
    one, other = system.start(FERRY), system.start(STORM)
    together = [(one.push(*push), other.push(*push)) for push in pushes]
    assert [update for told, _ in together for update in told] == run(make(spec), pushes, FERRY)
    assert [update for _, told in together for update in told] == run(make(spec), pushes, STORM)


def test_no_look_ahead(spec):
    """Whatever comes later, what was told before stays the same."""
    system, pushes, others = make(spec), list(stream(5)), list(stream(6))
    for cut in (1, 7, 20, 33):
        later = [(sentences, now + 10**6) for sentences, now in others]
        changed = run(system, pushes[:cut] + later)
        before = run(system, pushes[:cut])
        assert changed[: len(before)] == before
        assert all(update.time >= 10**6 for update in changed[len(before) :])


def test_times_and_copies(spec):
    """Updates carry the push's time, never earlier than their document's, and copy their sentence; none twice."""
    follower = make(spec).start(FERRY)
    offered, seen = {}, set()
    for sentences, now in stream(7):
        offered |= {sentence.id: sentence for sentence in sentences}
        for update in follower.push(sentences, now):
            sentence = offered[update.id]
            assert update.time == now >= update.published_time == sentence.published_time
            assert (update.text, update.source, update.event_id) == (sentence.text, sentence.source, FERRY.id)
            assert update.confidence > 0
            assert update.id not in seen
            seen.add(update.id)


def test_nothing_published_tells_nothing(spec):
    follower = make(spec).start(FERRY)
    state = follower.state()
    assert follower.push([], 60) == []
    assert follower.state() == state


def test_what_is_of_no_interest_changes_nothing(spec):
    """A system that says what interests an event lives up to it: of the rest nothing is told and nothing remembered.

    That rest does no more than an empty push at its time, and a follower that never saw it goes on as one that did.
    """
    system = make(spec)
    interest = system.interest(FERRY)
    if interest is None:
        return
    stems_of = shared_analyzer(interest.language).stems
    offered, pushed_empty, alone = (system.start(FERRY) for _ in range(3))
    passed_over = 0
    for sentences, now in stream(12, 60, gap_s=2_000):
        by_document = [list(group) for _, group in groupby(sentences, key=lambda one: one.doc_id)]
        met = [any(interest.met_by(stems_of(one.text)) for one in document) for document in by_document]
        rest = [
            one for document, is_met in zip(by_document, met, strict=True) if not is_met for one in document
        ]
        of_interest = [
            one for document, is_met in zip(by_document, met, strict=True) if is_met for one in document
        ]
        if rest:
            passed_over += 1
            assert offered.push(rest, now) == pushed_empty.push([], now) == []
            assert offered.state() == pushed_empty.state()
        updates = offered.push(sentences, now)
        assert updates == pushed_empty.push(of_interest, now)
        if of_interest:
            assert updates == alone.push(of_interest, now)
            assert offered.state() == pushed_empty.state() == alone.state()
    assert passed_over > 5


def test_hostile_text(spec):
    """No text breaks a follower, none makes a state that cannot be written, and resuming still holds."""
    system, pushes = make(spec), list(stream(8, 20, hostile=True))
    pushes.append(([Sentence("d\udc80\x00", n, text, 10**6) for n, text in enumerate(HOSTILE)], 10**6))
    pushes.append(([Sentence("later", 0, "ferry fire port", 10**6 + 1)], 10**6 + 1))
    assert_resumable(system, pushes)


@pytest.mark.parametrize("query", ["", "the of and", "🔥", "\x00", "ferry " * 500, "\udc80"])
def test_hostile_query(spec, query):
    """An event about nothing, or about far too much, can be followed."""
    event = Event(id="", title=query, query=query, start_time=0, end_time=10)
    assert {update.event_id for update in run(make(spec), list(stream(9, 5)), event)} <= {""}


def test_memory_is_bounded(spec):
    """On a stream without end a follower with limits stops growing, whatever is said."""
    name, _, said = spec.partition(":")
    limits = {"max_documents": 15, "max_kept": 15, "window": 15, "memory": 15}
    known = {option.name for option in available()[name].options}
    given = dict(part.split("=") for part in said.split(",") if part)
    options = given | {key: str(value) for key, value in limits.items() if key in known and key not in given}
    spec = f"{name}:{','.join(f'{key}={value}' for key, value in options.items())}"
    follower = make(spec).start(FERRY)
    sizes = []
    for number, (sentences, now) in enumerate(stream(10, 420, gap_s=300)):
        follower.push(sentences, now)
        if number in (289, 419):
            sizes.append((size_of(follower), len(follower.state())))
    assert sizes[1][0] < 1.25 * sizes[0][0] + 2_000
    assert sizes[1][1] < 1.25 * sizes[0][1] + 200


def size_of(thing: object) -> int:
    """Bytes of everything reachable from a follower, but for what all followers share."""
    total, seen, waiting = 0, set(), [thing]
    while waiting:
        item = waiting.pop()
        if id(item) in seen or isinstance(item, (Analyzer, TextReader, NewsReader, type)):
            continue
        seen.add(id(item))
        total += sys.getsizeof(item)
        if isinstance(item, Mapping):
            waiting.extend(item.keys())
            waiting.extend(item.values())
        elif isinstance(item, (list, tuple, set, frozenset)) or hasattr(item, "popleft"):
            waiting.extend(item)
        elif hasattr(item, "__dict__"):
            waiting.extend(vars(item).values())
    return total


def test_budget_of_updates(spec):
    """Under a budget no hour of event time holds more updates or words than it allows."""
    name, _, options = spec.partition(":")
    kept = [part for part in options.split(",") if part and "_per_hour" not in part]
    system = make(f"{name}:{','.join([*kept, 'updates_per_hour=3', 'words_per_hour=25'])}")
    updates = run(system, list(stream(11, 120, gap_s=700)))
    assert updates
    for update in updates:
        hour = [other for other in updates if update.time - 3600 < other.time <= update.time]
        assert len(hour) <= 3
        assert sum(len(other.text.split()) for other in hour) <= 25
    assert [key for key, _ in groupby(updates, key=lambda update: update.time)] == sorted(
        {u.time for u in updates}
    )
