"""Runs whose outputs tests commit themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tidings.core.records import Document, EntityRanking, Event, Output, Update, ValueUpdate
from tidings.core.records.documents import Arrival, InboxChange, KeptFeed
from tidings.core.records.standing import AlarmChannel, AlarmRule, Condition, Delivery, StandingEvent
from tidings.core.store import StoredRun, open_store
from tidings.live.alarms.watch import RuleWatch
from tidings.live.store import LiveStore
from tidings.sources.inbox import StoredInbox, open_inbox

__all__ = ["NOON", "LiveRun", "live_run", "ranking", "update", "value"]

NOON = 1_700_049_600
"""2023-11-15 12:00 UTC."""


def update(number: int, *, event: str = "storm", time: int = NOON, confidence: float = 0.8) -> Update:
    return Update(event, f"d{number}", 0, time, confidence, f"Update {number}.", time, "Wire", "A title", "")


def value(number: float, *, event: str = "storm", attribute: str = "deaths", time: int = NOON) -> ValueUpdate:
    return ValueUpdate(event, time, attribute, (float(number),))


def ranking(names: str, new: str = "", *, date: str = "2023-11-15", event: str = "storm") -> EntityRanking:
    """`new` has a letter for each name: y or n."""
    flags = tuple(letter == "y" for letter in new)
    return EntityRanking(event, date, tuple(names.split()), NOON, new=flags)


class LiveRun:
    """A run of a store with two standing events; `now` is the machine's clock."""

    def __init__(self, live: LiveStore, run: StoredRun, inbox: StoredInbox, clock: list[float]) -> None:
        self.live, self.run, self.inbox = live, run, inbox
        self.watch = RuleWatch(live, run.name, run.created_time, inbox.name)
        run.beside.append(self.watch.beside)
        self._clock, self._number = clock, 0

    @property
    def now(self) -> float:
        return self._clock[0]

    @now.setter
    def now(self, time: float) -> None:
        self._clock[0] = time

    def rule(self, when: Condition, name: str = "rule", **options: object) -> AlarmRule:
        """A rule that goes to a channel of its own."""
        options.setdefault("channels", (self.channel(f"to {name}").id,))
        return self.live.rules.add(AlarmRule(name=name, when=when, **options))  # type: ignore[arg-type]

    def channel(self, name: str = "hook", address: str = "https://example.org/hook") -> AlarmChannel:
        return self.live.channels.add(AlarmChannel(name=name, kind="webhook", address=address, secret="s"))

    def commit(self, *outputs: Output) -> None:
        self.run.commit((), {}, outputs, ())

    def deliveries(self) -> list[Delivery]:
        """Oldest first."""
        return self.live.outbox.latest()[::-1]

    def texts(self) -> list[str]:
        """What each alarm tells, oldest first."""
        return ["; ".join(item.text for item in one.alarm.items) for one in self.deliveries()]

    def arrive(self, feed: str, time: int) -> None:
        """An item of a feed."""
        self._number += 1
        document = Document(id=f"item-{self._number}", text="", published_time=time, source=feed)
        feeds = (KeptFeed(url=feed, title=f"The {feed}"),)
        self.inbox.commit(InboxChange(now=time, arrivals=(Arrival(feed, document),), feeds=feeds))


@contextmanager
def live_run(store: str) -> Iterator[LiveRun]:
    with open_store(store) as opened, open_inbox(opened, "feeds") as inbox:
        clock = [float(NOON)]
        live = LiveStore(opened, clock=lambda: clock[0])
        events = [
            Event(id="storm", title="The storm", query="storm"),
            Event(id="fire", title="", query="a fire"),
        ]
        for event in events:
            live.events.add(StandingEvent(event=event), "test")
        with opened.begin("live", {}, events=events) as run:
            yield LiveRun(live, run, inbox, clock)
