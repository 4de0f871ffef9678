"""What the conditions of rules see: a line to send, or nothing; what they remember of it, and when it may be sent.

A rule sends nothing in its quiet hours, nor more than so often within an hour. What it might not send is gathered and
goes, with what comes next, into one message as soon as the rule may send again.

Silence of sources: nothing came for so long, although someone looked all the while; and that something came again. The
time that counts is that of who follows: in a replay, that of the replay. Where nobody looked for ten minutes of the
machine's clock (it slept, or the service was stopped), it counts again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from math import isfinite
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, func, select

from tidings.core import (
    HOUR_S,
    AlarmItem,
    AlarmRule,
    EntityNew,
    EntityRanking,
    Output,
    QuietHours,
    SourceSilent,
    StorySpread,
    Update,
    UpdateAbove,
    ValueRose,
    ValueUpdate,
    format_duration,
    inbox_feeds,
    inbox_items,
    inboxes,
)


class Gathered(Struct, frozen=True, omit_defaults=True):
    """When the rule sent its last alarms, and what it gathered since: items, and how many beyond."""

    times: tuple[int, ...] = ()
    items: tuple[AlarmItem, ...] = ()
    more: int = 0
    last_seq: int = 0


class DayOfEntities(Struct, frozen=True, omit_defaults=True):
    """The day (YYYY-MM-DD) of an event's last ranking, its entities, and those that had an alarm."""

    date: str = ""
    entities: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()


class Sources(Struct, frozen=True, omit_defaults=True):
    """What was seen of sources: number of the last item, when each gave its last one, and since when each is silent.

    `since` is from when on they were looked at without a break, and `looked_ms` when they were looked at last by the
    machine's clock.
    """

    seq: int = 0
    since: int = 0
    looked_ms: int = 0
    last: dict[str, int] = {}
    silent: dict[str, int] = {}


class RuleMemory(Struct, frozen=True, omit_defaults=True):
    """All of it; `values` are those that the rule spoke of last, by event and attribute, `stories` the last ones."""

    telling: Gathered = Gathered()
    values: dict[str, dict[str, float]] = {}
    entities: dict[str, DayOfEntities] = {}
    sources: Sources = Sources()
    stories: tuple[str, ...] = ()


def alarm_id(*parts: object) -> str:
    """A digest of what an alarm is by.

    >>> alarm_id(1, "live", 7) == alarm_id(1, "live", 7), alarm_id(1, "live", 7) == alarm_id(1, "live", 8)
    (True, False)
    """
    return sha256(ascii(parts).encode("ascii")).hexdigest()[:32]


EarlierValue: TypeAlias = Callable[[str, str], float | None]
"""What a value (of an event, an attribute) was before the outputs that are looked at; None where it was not known."""

Kind: TypeAlias = Literal["update", "value", "entity"]

_MOST_ENTITIES = 40  # of a day that a rule remembers, and as many that it has announced


class Occasion:
    """What is worth an alarm: its kind, a line that says it, and the document behind it."""

    def __init__(
        self, kind: Kind, text: str, source: str = "", url: str = "", confidence: float | None = None
    ) -> None:
        self.kind: Kind = kind
        self.text, self.source, self.url, self.confidence = text, source, url, confidence


def occasion(
    rule: AlarmRule, memory: RuleMemory, output: Output, earlier: EarlierValue
) -> tuple[Occasion | None, RuleMemory]:
    """What a rule has to say of an output (None: nothing), and what it remembers after it.

    >>> rule = AlarmRule(name="all", when=UpdateAbove(worth=0.5))
    >>> update = Update("storm", "d1", 0, 60, 0.7, "A storm.")
    >>> occasion(rule, RuleMemory(), update, lambda event, attribute: None)[0].text
    'A storm.'
    """
    if rule.event_id and output.event_id != rule.event_id:
        return None, memory
    when = rule.when
    if isinstance(when, UpdateAbove) and isinstance(output, Update):
        return _update(when, output), memory
    if isinstance(when, ValueRose) and isinstance(output, ValueUpdate):
        return _value(when, memory, output, earlier)
    if isinstance(when, EntityNew) and isinstance(output, EntityRanking):
        return _entities(when, memory, output)
    return None, memory


def _update(when: UpdateAbove, update: Update) -> Occasion | None:
    if not update.confidence >= when.worth:
        return None
    text = update.text or update.title or update.id
    return Occasion("update", text, update.source, update.url, update.confidence)


def _value(
    when: ValueRose, memory: RuleMemory, value: ValueUpdate, earlier: EarlierValue
) -> tuple[Occasion | None, RuleMemory]:
    if len(value.value) != 1 or (when.attributes and value.attribute not in when.attributes):
        return None, memory
    now, of_event = value.value[0], memory.values.get(value.event_id, {})
    if not isfinite(now):
        return None, memory
    before = of_event.get(value.attribute)
    if before is None:
        before = earlier(value.event_id, value.attribute) or 0.0
    rose = now > before and now >= before * (1 + when.share)
    # What fell by as much was reported too high: what rises from there on is news again.
    fell = now <= before * (1 - when.share) and now < before
    base = now if rose or fell else before
    values = {**memory.values, value.event_id: {**of_event, value.attribute: base}}
    memory = replace(memory, values=values)
    if not rose:
        return None, memory
    first = value.evidence[0] if value.evidence else None
    was = f", before {before:,g}" if before else ""
    text = f"{value.attribute}: {now:,.10g}{was}"
    return Occasion(
        "value",
        text,
        first.source if first else "",
        first.url if first else "",
        value.confidence,
    ), memory


def _entities(
    when: EntityNew, memory: RuleMemory, ranking: EntityRanking
) -> tuple[Occasion | None, RuleMemory]:
    before = memory.entities.get(ranking.event_id, DayOfEntities())
    announced = before.announced
    fresh = [
        place
        for place, name in enumerate(ranking.entities[: when.top])
        if name not in announced and _is_new(ranking, place, before)
    ]
    names = [ranking.entities[place] for place in fresh]
    after = DayOfEntities(
        ranking.date, ranking.entities[:_MOST_ENTITIES], (*announced, *names)[-_MOST_ENTITIES:]
    )
    memory = replace(memory, entities={**memory.entities, ranking.event_id: after})
    if not fresh:
        return None, memory
    evidence = ranking.evidence[fresh[0]] if fresh[0] < len(ranking.evidence) else None
    text = f"New key names on {ranking.date}: {', '.join(names)}"
    quoted = f" (“{evidence.text}”)" if evidence is not None and evidence.text else ""
    return Occasion(
        "entity", text + quoted, evidence.source if evidence else "", evidence.url if evidence else ""
    ), memory


def _is_new(ranking: EntityRanking, place: int, before: DayOfEntities) -> bool:
    if ranking.new:
        return ranking.new[place]
    # A ranking that does not say is held against the one before it.
    return bool(before.date) and ranking.entities[place] not in before.entities


_MOST_STORIES = 500  # of which a rule remembers that it has spoken


def look_at_story(
    when: StorySpread, memory: RuleMemory, story: str, reports: Sequence[int]
) -> RuleMemory | None:
    """What a rule remembers once it speaks of a story; None where it says nothing of it.

    Args:
        when: its condition.
        memory: what it remembers so far.
        story: the id of the story.
        reports: when each outlet first reported it, in order.

    >>> look_at_story(StorySpread(outlets=2, within_s=60), RuleMemory(), "a", [10, 70, 99]).stories
    ('a',)
    >>> look_at_story(StorySpread(outlets=3, within_s=60), RuleMemory(), "a", [10, 70, 99]) is None
    True
    """
    enough = len(reports) >= when.outlets and reports[when.outlets - 1] - reports[0] <= when.within_s
    if not enough or story in memory.stories:
        return None
    return replace(memory, stories=(*memory.stories, story)[-_MOST_STORIES:])


_BREAK_MS = 600_000  # without a look: the service was down, and silence is counted again
_NOTED_EVERY_MS = 60_000  # not at each look, which would write every second


def look_at_sources(
    connection: Connection, inbox: str, when: SourceSilent, memory: Sources, now: int, looked_ms: int
) -> tuple[list[AlarmItem], Sources]:
    """What is to be said of sources now, and what is remembered of them after it.

    Args:
        connection: to ask the store with.
        inbox: the name of the one that what comes is put in.
        when: the condition of a rule.
        memory: what was seen so far.
        now: what time it is for who follows.
        looked_ms: what time it is by the machine's clock.
    """
    looks_on = memory.looked_ms > 0 and looked_ms - memory.looked_ms <= _BREAK_MS
    since = memory.since if looks_on else now
    own = select(inboxes.c.id).where(inboxes.c.name == inbox).scalar_subquery()
    feeds_of = select(inbox_feeds.c.url, inbox_feeds.c.title).where(inbox_feeds.c.inbox_id == own)
    titles = {row.url: row.title for row in connection.execute(feeds_of)}
    newest = select(
        inbox_items.c.feed, func.max(inbox_items.c.first_seen_time), func.max(inbox_items.c.seq)
    ).where(inbox_items.c.inbox_id == own, inbox_items.c.seq > memory.seq)
    last, seq = dict(memory.last), memory.seq
    for feed, time, number in connection.execute(newest.group_by(inbox_items.c.feed)):
        last[feed] = max(time, last.get(feed, 0))
        seq = max(seq, number)
    wanted = when.source.casefold()
    feeds = [
        feed
        for feed in sorted(titles.keys() | last.keys())
        if not wanted or wanted in (feed.casefold(), titles.get(feed, "").casefold())
    ]
    if wanted and not feeds:
        groups = {when.source: 0}  # nothing ever came from there
    elif wanted:
        groups = {when.source: max(last.get(feed, 0) for feed in feeds)}
    else:
        groups = {feed: last.get(feed, 0) for feed in feeds}
    items, silent = [], {name: at for name, at in memory.silent.items() if name in groups}
    for name, heard in groups.items():
        shown = titles.get(name) or name
        if name in silent and heard > silent[name]:
            quiet_s = max(heard - silent.pop(name), 0)
            text = f"{shown} is back after {format_duration(quiet_s)}"
            items.append(AlarmItem(kind="recovery", text=text, time=now, source=name))
        elif name not in silent and now - max(heard, since) >= when.after_s:
            silent[name] = max(heard, since)
            text = f"{shown} has been quiet for {format_duration(now - silent[name])}"
            items.append(AlarmItem(kind="silence", text=text, time=now, source=name))
    noted = looked_ms if not looks_on or looked_ms - memory.looked_ms >= _NOTED_EVERY_MS else memory.looked_ms
    after = Sources(seq=seq, since=since, looked_ms=noted, last=last, silent=silent)
    return items, after


_MOST_ITEMS = 50  # in one alarm; the others are counted
_TEXT_CHARS = 300


def local_time(time: float, zone: str) -> datetime:
    """A time in a time zone; in UTC where there is no such zone (any more)."""
    try:
        return datetime.fromtimestamp(time, ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return datetime.fromtimestamp(time, UTC)


def minute_of_day(time: int, zone: str) -> int:
    """How many minutes a local day is old at a time.

    >>> minute_of_day(1_700_000_000, "Europe/Berlin"), minute_of_day(1_700_000_000, "UTC")
    (1393, 1333)
    """
    local = local_time(time, zone)
    return local.hour * 60 + local.minute


def is_quiet(quiet: QuietHours | None, minute: int) -> bool:
    """Whether a minute of the day is one of the quiet hours, which may last over midnight.

    >>> night, noon = QuietHours(1320, 420), QuietHours(720, 780)
    >>> [is_quiet(night, one) for one in (0, 419, 420, 1319, 1320)]
    [True, True, False, False, True]
    >>> is_quiet(noon, 719), is_quiet(noon, 720), is_quiet(noon, 780), is_quiet(None, 0)
    (False, True, False, False)
    """
    if quiet is None:
        return False
    if quiet.start <= quiet.end:
        return quiet.start <= minute < quiet.end
    return minute >= quiet.start or minute < quiet.end


def may_send(rule: AlarmRule, gathered: Gathered, time: int) -> bool:
    """Whether a rule may send something at a time."""
    if is_quiet(rule.quiet, minute_of_day(time, rule.zone)):
        return False
    within = sum(1 for sent in gathered.times if time - HOUR_S < sent <= time)
    return not rule.most_an_hour or within < rule.most_an_hour


def with_item(gathered: Gathered, item: AlarmItem) -> Gathered:
    """With one thing more that is to be sent."""
    last_seq = max(gathered.last_seq, item.seq)
    if len(gathered.items) >= _MOST_ITEMS:
        return replace(gathered, more=gathered.more + 1, last_seq=last_seq)
    short = item.text if len(item.text) <= _TEXT_CHARS else item.text[: _TEXT_CHARS - 1] + "…"
    return replace(gathered, items=(*gathered.items, replace(item, text=short)), last_seq=last_seq)


def without_items(rule: AlarmRule, gathered: Gathered, time: int) -> Gathered:
    """With what was gathered sent at a time."""
    recent = [*(sent for sent in gathered.times if time - HOUR_S < sent), time]
    return Gathered(times=tuple(recent[-rule.most_an_hour :]) if rule.most_an_hour else ())
