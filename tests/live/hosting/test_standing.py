"""Standing events that are begun with a past: each document of it counts once, and none of it is an alarm."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.live.pages.followed import documents, fill, follow_inbox, santiago, site
from tests.sweeps import every
from tidings.core.records import Output, Update
from tidings.core.records.standing import AlarmChannel, AlarmRule, StandingEvent, UpdateAbove
from tidings.live.alarms.watch import RuleWatch
from tidings.live.hosting.feed_health import inboxes_health
from tidings.live.hosting.standing import replay
from tidings.live.store import LIVE_RUN
from tidings.live.store.numbers import store_numbers

SINCE = documents(3)[-1].published_time


LATE = StandingEvent(
    event=replace(santiago().event, id="late"), system="random:probability=1,overlap=0", since=SINCE
)
COSINE = replace(LATE, system="cosine")


@every("after", [10, 14])
def test_a_document_that_came_again_counts_once_where_it_was(after: int, tmp_path: Path) -> None:
    """It came again, in the same second even, before the process that follows read on."""
    last = documents(10)[-1]
    first, rest = documents(after)[10:], documents(18)[after:]
    again = replace(last, published_time=first[-1].published_time if first else last.published_time)
    with site(str(tmp_path / "a.db"), santiago(), count=10) as (live, inbox):
        fill(inbox, [*first, again, *rest])
        live.events.add(LATE, "ada")
        follow_inbox(live.store, inbox)
        outputs = [one.output for one in live.outputs.after(0, event_id="late")]
        assert outputs == list(replay(inbox, LATE, since=SINCE).outputs)
        assert any(one.doc_id == last.id for one in outputs if isinstance(one, Update))


def test_a_past_is_no_alarm_and_what_follows_is(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), santiago(), count=16) as (live, inbox):
        channel = AlarmChannel(name="hook", kind="webhook", address="https://example.org/", secret="s")
        to = (live.channels.add(channel).id,)
        live.rules.add(AlarmRule(name="all", when=UpdateAbove(), event_id="late", channels=to))
        live.events.add(COSINE, "ada")
        follow_inbox(live.store, inbox, RuleWatch(live, LIVE_RUN, 0).beside)
        past = live.outputs.last_seq()
        assert live.outputs.latest(event_id="late", kinds=["update"]) and live.outbox.latest() == []
        fill(inbox, documents(32)[16:])
        follow_inbox(live.store, inbox, RuleWatch(live, LIVE_RUN, 0).beside)
        news = live.outputs.after(past, event_id="late", kinds=["update"])
        alarms = [one.alarm.items[0].seq for one in live.outbox.latest()]
        assert news and alarms[::-1] == [one.seq for one in news]


def test_what_an_event_tells_as_it_ends_is_news_beside_the_past_of_another(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), santiago("tidings:wait=6h"), count=16) as (live, inbox):
        seen: list[Output] = []
        (standing,) = live.events.all()
        live.events.change(replace(standing, state="closed"), "ada")
        live.events.add(COSINE, "ada")
        follow_inbox(live.store, inbox, lambda connection, numbered: seen.extend(one for _, one in numbered))
        assert {one.event_id for one in seen} == {standing.event.id}


def test_what_waits_to_be_followed_is_counted(tmp_path: Path) -> None:
    with site(str(tmp_path / "a.db"), santiago(), count=6) as (live, inbox):
        assert (inboxes_health(live)[0].waiting, store_numbers(live.store, LIVE_RUN).queue) == (0, 0)
        fill(inbox, documents(10)[6:])
        assert (inboxes_health(live)[0].waiting, store_numbers(live.store, LIVE_RUN).queue) == (4, 4)
