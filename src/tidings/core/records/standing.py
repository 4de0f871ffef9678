"""Standing events: what a store follows until further notice, what people changed and said of them, and alarms.

Times are seconds UTC, save those that end in `_ms`, which are milliseconds.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tidings.core.records.documents import Event


class UpdateAbove(Struct, frozen=True, kw_only=True, tag_field="kind", tag="update"):
    """A new update whose confidence is at least `worth`; every one where that is 0."""

    worth: float = 0.0


class ValueRose(Struct, frozen=True, kw_only=True, tag_field="kind", tag="value"):
    """A value that rose by `share` (0.1: a tenth) above what it was when the rule spoke of it last.

    `attributes` are the values that count, such as deaths; all that are numbers where there are none. One that was not
    known before rose from nothing.
    """

    share: float = 0.1
    attributes: tuple[str, ...] = ()


class EntityNew(Struct, frozen=True, kw_only=True, tag_field="kind", tag="entity"):
    """An entity among the first `top` of the day that was not named before."""

    top: int = 3


class SourceSilent(Struct, frozen=True, kw_only=True, tag_field="kind", tag="silence"):
    """Nothing came from a source for `after_s` seconds; and then, that something came again.

    `source` is the address of a feed or the name of an outlet; where it is empty, each feed is looked at.
    """

    source: str = ""
    after_s: int = 6 * 3600


class StorySpread(Struct, frozen=True, kw_only=True, tag_field="kind", tag="story"):
    """A new story that at least `outlets` outlets reported within `within_s` seconds of its first report."""

    outlets: int = 5
    within_s: int = 3 * 3600


Condition: TypeAlias = UpdateAbove | ValueRose | EntityNew | SourceSilent | StorySpread


class QuietHours(Struct, frozen=True):
    """From and until which minute of the local day nothing is sent; `QuietHours(1320, 420)` is 22:00 to 7:00."""

    start: int
    end: int


class AlarmRule(Struct, frozen=True, kw_only=True):
    """What is worth an alarm.

    `event_id` is the one event that it holds for, or empty for all. `channels` are the numbers of those that its alarms
    go to. In `quiet` hours of the time zone `zone`, and beyond `most_an_hour` (0: no limit), what happens is gathered,
    and sent in one message afterwards. `disabled_ms` is since when it rests.
    """

    name: str
    when: Condition
    channels: tuple[int, ...] = ()
    event_id: str = ""
    zone: str = "UTC"
    quiet: QuietHours | None = None
    most_an_hour: int = 0
    id: int = 0
    disabled_ms: int | None = None


ChannelKind: TypeAlias = Literal["webhook", "mail", "apprise", "digest-mail", "digest-file"]


class ChannelSettings(Struct, frozen=True, kw_only=True):
    """What only digests need: how often, at which hour of the local day, of which event (empty: all), since when.

    `since_seq` is the number of the last output that the first digest does not tell, `since_time` when it was made.
    """

    every: Literal["hour", "day"] = "day"
    hour: int = 7
    zone: str = "UTC"
    event_id: str = ""
    since_seq: int = 0
    since_time: int = 0


class AlarmChannel(Struct, frozen=True, kw_only=True):
    """Where alarms go. `address` is an address of the web, of a mail server, or one of apprise's; `secret` signs."""

    name: str
    kind: ChannelKind
    address: str = ""
    secret: str = ""
    settings: ChannelSettings = ChannelSettings()
    id: int = 0
    disabled_ms: int | None = None

    @property
    def is_digest(self) -> bool:
        """Whether it gets digests, and no alarms."""
        return self.kind.startswith("digest")


AlarmKind: TypeAlias = Literal[
    "update", "value", "entity", "silence", "recovery", "story", "gathered", "digest", "test"
]


class AlarmItem(Struct, frozen=True, kw_only=True):
    """One thing that an alarm tells.

    `text` says it in a line. `seq` is the number of the output that it comes from (0: none) and the cursor of the
    pages; `link` leads to it, as a path. `source` and `url` are those of the document behind it.
    """

    kind: AlarmKind
    text: str
    time: int
    event_id: str = ""
    title: str = ""
    seq: int = 0
    link: str = ""
    source: str = ""
    url: str = ""
    confidence: float | None = None


class Alarm(Struct, frozen=True, kw_only=True):
    """What is sent. `id` stays the same however often it is sent, and wherever.

    `title` is a line for a subject, `event_id` the event that it is about (empty: several, or none). `more` counts what
    was gathered beyond `items`. `after_seq` and `until_seq` are what a digest tells: the outputs between them.
    """

    id: str
    kind: AlarmKind
    title: str
    time: int
    rule: str = ""
    run: str = ""
    event_id: str = ""
    items: tuple[AlarmItem, ...] = ()
    more: int = 0
    after_seq: int = 0
    until_seq: int = 0


class Delivery(Struct, frozen=True, kw_only=True):
    """An alarm on its way to a channel.

    `seq` counts all of them. `attempts` were made so far, the next one is due at `next_ms`, and nobody else makes it
    before `leased_until_ms`. `delivered_ms` is when it arrived (None: not yet), `error` what was wrong at the last
    attempt. One that `is_given_up` is not tried again.
    """

    seq: int
    alarm: Alarm
    channel_id: int
    rule_id: int
    created_ms: int
    next_ms: int
    leased_until_ms: int
    attempts: int
    delivered_ms: int | None
    error: str
    is_given_up: bool = False


StandingState: TypeAlias = Literal["followed", "paused", "closed"]

MarkKind: TypeAlias = Literal["not-about", "known", "wanted"]
"""What a reader says: an update is not about the event, or was known; a sentence should have been an update."""


class StandingEvent(Struct, frozen=True, kw_only=True):
    """An event that a store follows until further notice, as people last wanted it.

    `system` decides (name and options as `tidings.following.systems.make` takes them), at the pace `about` ("" for
    none). `since` is the time from which what had been fetched before the event was added is followed (None: nothing).
    `number` counts the store's standing events from 1, and `version` is the number of the last entry of the log that
    changed this one.
    """

    event: Event
    system: str = "tidings"
    about: str = ""
    state: StandingState = "followed"
    since: int | None = None
    number: int = 0
    version: int = 0


class ReaderMark(Struct, frozen=True, kw_only=True):
    """What a reader said of an update, or, with `withdrawn`, does not say any more."""

    update_id: str
    text: str
    mark: MarkKind
    withdrawn: bool = False


EventChange: TypeAlias = StandingEvent | ReaderMark

ChangeKind: TypeAlias = Literal["added", "changed", "paused", "resumed", "closed", "reopened", "marked"]


class EventLogEntry(Struct, frozen=True, kw_only=True):
    """One change of a standing event, or one mark of a reader; never changed itself.

    `who` is an account's name, or where else it came from. `recorded_ms` is when (milliseconds UTC). `applied` is how
    many documents of the stream had been followed when it took effect; None while it has not, -1 where it never will,
    since the event's follower cannot take it up.
    """

    seq: int
    kind: ChangeKind
    event_id: str
    who: str
    recorded_ms: int
    event: StandingEvent | None = None
    mark: ReaderMark | None = None
    applied: int | None = None
