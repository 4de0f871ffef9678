"""Silence of sources: nothing came for so long, although somebody looked all the while; and that something came again.

The time that counts is that of who follows: in a replay, that of the replay. Where nobody looked for ten minutes of the
machine's clock (it slept, or the service was stopped), it counts anew.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from tidings.core import AlarmItem, SourceSilent, format_duration, inbox_feeds, inbox_items, inboxes
from tidings.live.alarms.memory import Sources

__all__ = ["look_at_sources"]

_BREAK_MS = 600_000
_NOTED_EVERY_MS = 60_000


def look_at_sources(
    connection: Connection, inbox: str, when: SourceSilent, memory: Sources, now: int, looked_ms: int
) -> tuple[list[AlarmItem], Sources]:
    """What is to be told of sources now, and what is remembered of them after it.

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
        one
        for one in sorted(titles.keys() | last.keys())
        if not wanted or wanted in (one.casefold(), titles.get(one, "").casefold())
    ]
    if wanted and not feeds:
        groups = {when.source: 0}  # nothing ever came from there
    elif wanted:
        groups = {when.source: max(last.get(one, 0) for one in feeds)}
    else:
        groups = {one: last.get(one, 0) for one in feeds}
    items, silent = [], {name: at for name, at in memory.silent.items() if name in groups}
    for name, heard in groups.items():
        shown = titles.get(name) or name
        if name in silent and heard > silent[name]:
            quiet_s = max(heard - silent.pop(name), 0)
            text = f"{shown} is heard again after {format_duration(quiet_s)}"
            items.append(AlarmItem(kind="recovery", text=text, time=now, source=name))
        elif name not in silent and now - max(heard, since) >= when.after_s:
            silent[name] = max(heard, since)
            text = f"nothing came from {shown} for {format_duration(now - silent[name])}"
            items.append(AlarmItem(kind="silence", text=text, time=now, source=name))
    noted = looked_ms if not looks_on or looked_ms - memory.looked_ms >= _NOTED_EVERY_MS else memory.looked_ms
    after = Sources(seq=seq, since=since, looked_ms=noted, last=last, silent=silent)
    return items, after
