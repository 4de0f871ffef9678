"""Rules looked at while a run is followed: alarms are written in the transaction of what caused them.

An update that was not committed has no alarm, and one that was has its alarm. A rule that is added tells what is
committed from then on, since it remembers nothing and looks at nothing older, save the values as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from tidings.core import (
    DAY_S,
    Alarm,
    AlarmItem,
    AlarmKind,
    Output,
    SourceSilent,
    StorySpread,
    ValueUpdate,
    format_duration,
)
from tidings.live.alarms.conditions import (
    Gathered,
    RuleMemory,
    alarm_id,
    look_at_sources,
    look_at_story,
    may_send,
    occasion,
    with_item,
    without_items,
)
from tidings.live.store import LiveStore
from tidings.live.store.events import in_turn
from tidings.live.store.rules import RememberingRule

_LOOKED_BACK = 200  # values before a value, among which the one before it is looked for
_TITLE_CHARS = 120
_OUTLETS_NAMED = 8  # in one line of an alarm


def plain(text: str) -> str:
    r"""A text in one line, as JSON can have it: what is no character becomes a question mark.

    >>> plain("a\n storm\ud800")
    'a storm?'
    """
    return " ".join(text.encode("utf-8", "replace").decode().split())


class SpreadStory(Struct, frozen=True):
    """A story that got documents: its outlets, and when each of them first reported it, in order."""

    id: str
    title: str
    outlets: tuple[str, ...]
    reports: tuple[int, ...]


class _Working:
    """A rule with what it remembers, while a transaction looks at it."""

    def __init__(self, remembering: RememberingRule) -> None:
        self.kept, self.rule = remembering, remembering.rule
        self.memory = remembering.memory(RuleMemory)


class RuleWatch:
    """Looks at a store's rules for one run.

    Args:
        live: the store.
        run: the run's name.
        begun: when the run was begun: one that is started over has alarms of its own.
        inbox: the name of the inbox that it follows, whose sources may be silent.
    """

    def __init__(self, live: LiveStore, run: str, begun: int, inbox: str = "") -> None:
        self._live, self._run, self._begun, self._inbox = live, run, begun, inbox

    def beside(self, connection: Connection, numbered: Sequence[tuple[int, Output]]) -> None:
        """In the transaction that commits outputs: write the alarms that they are worth."""
        if not self._live.rules.any(connection):
            return
        in_turn(connection)
        rules = [_Working(rule) for rule in self._live.rules.awake(connection)]
        earlier = self._earlier(numbered[0][0])
        for seq, output in numbered:
            for working in rules:
                reason, working.memory = occasion(working.rule, working.memory, output, earlier)
                if reason is None:
                    continue
                event_id = plain(output.event_id)
                item = AlarmItem(
                    kind=reason.kind,
                    text=plain(reason.text),
                    time=output.time,
                    event_id=event_id,
                    title=self._title(output.event_id),
                    seq=seq,
                    link=f"/events/{quote(event_id, safe='')}/updates/{seq}",
                    source=plain(reason.source),
                    url=plain(reason.url),
                    confidence=reason.confidence,
                )
                self._gather(connection, working, item, output.time)
        for working in rules:
            working.kept.remember(connection, working.memory)

    def of_stories(self, connection: Connection, stories: Sequence[SpreadStory], now: int) -> None:
        """In the transaction that writes stories: write the alarms that those which grew are worth.

        Args:
            connection: of the transaction.
            stories: those that got documents.
            now: the time of the latest document; a story that began long before it is not new.
        """
        for working in map(_Working, self._live.rules.awake(connection)):
            when = working.rule.when
            if not isinstance(when, StorySpread):
                continue
            for story in stories:
                memory = look_at_story(when, working.memory, story.id, story.reports)
                if memory is None or story.reports[0] < now - when.within_s - DAY_S:
                    continue
                working.memory = memory
                took = format_duration(max(story.reports[when.outlets - 1] - story.reports[0], 60))
                outlets = ", ".join(story.outlets[:_OUTLETS_NAMED])
                item = AlarmItem(
                    kind="story",
                    text=plain(f"a new story with {when.outlets} outlets within {took}: {outlets}"),
                    time=now,
                    title=plain(story.title),
                    link=f"/stories#s-{quote(story.id, safe='')}",
                )
                self._gather(connection, working, item, now)
            working.kept.remember(connection, working.memory)

    def tick(self, now: int) -> int:
        """Look at sources that may be silent, and send what was gathered and may be sent now, in a transaction.

        Args:
            now: what time it is for who follows.

        Returns:
            how many things were sent or gathered.
        """
        if not now:
            return 0
        with self._live.store.asking() as connection:
            if not self._has_work(connection, now):
                return 0
        with self._live.store.writing() as connection:
            in_turn(connection)
            count = 0
            for working in map(_Working, self._live.rules.awake(connection)):
                count += self._tick(connection, working, now)
                working.kept.remember(connection, working.memory)
            return count

    def _has_work(self, connection: Connection, now: int) -> bool:
        for working in map(_Working, self._live.rules.awake(connection)):
            if working.memory.telling.items and may_send(working.rule, working.memory.telling, now):
                return True
            if isinstance(working.rule.when, SourceSilent) and self._look(connection, working, now)[1]:
                return True
        return False

    def _tick(self, connection: Connection, working: _Working, now: int) -> int:
        count = 0
        if isinstance(working.rule.when, SourceSilent):
            items, _ = self._look(connection, working, now)
            for item in items:
                self._gather(connection, working, item, now)
            count += len(items)
        gathered = working.memory.telling
        if gathered.items and may_send(working.rule, gathered, now):
            self._send(connection, working, now)
            count += 1
        return count

    def _look(self, connection: Connection, working: _Working, now: int) -> tuple[list[AlarmItem], bool]:
        # What is to be said of sources, and whether anything else was seen than before.
        assert isinstance(working.rule.when, SourceSilent)
        before, looked_ms = working.memory.sources, int(self._live.clock() * 1000)
        items, after = look_at_sources(connection, self._inbox, working.rule.when, before, now, looked_ms)
        working.memory = replace(working.memory, sources=after)
        return items, after != before

    def _gather(self, connection: Connection, working: _Working, item: AlarmItem, now: int) -> None:
        working.memory = replace(working.memory, telling=with_item(working.memory.telling, item))
        if may_send(working.rule, working.memory.telling, now):
            self._send(connection, working, now)

    def _send(self, connection: Connection, working: _Working, now: int) -> None:
        rule, gathered = working.rule, working.memory.telling
        alarm = self._alarm(working, gathered, now)
        self._live.outbox.put(connection, alarm, rule.channels, rule_id=rule.id, seq=gathered.last_seq)
        working.memory = replace(working.memory, telling=without_items(rule, gathered, now))

    def _alarm(self, working: _Working, gathered: Gathered, now: int) -> Alarm:
        items, last = gathered.items, gathered.items[-1]
        by: tuple[object, ...] = (working.rule.id, self._run, self._begun)
        silence = (last.kind, last.source, last.time)
        linked = (last.link,) if last.kind == "story" else ()
        by = (*by, gathered.last_seq) if last.seq else (*by, *silence, *linked)
        count = len(items) + gathered.more
        events = {item.event_id for item in items}
        kind: AlarmKind | Literal["gathered"] = last.kind if count == 1 else "gathered"
        about = f"{last.title}: {last.text}" if last.title else last.text
        title = about if count == 1 else f"{working.rule.name}: {count} during quiet hours or over the limit"
        return Alarm(
            id=alarm_id(*by),
            kind=kind,
            title=title if len(title) <= _TITLE_CHARS else title[: _TITLE_CHARS - 1] + "…",
            time=now,
            rule=working.rule.name,
            run=self._run,
            event_id=events.pop() if len(events) == 1 and not gathered.more else "",
            items=items,
            more=gathered.more,
        )

    def _title(self, event_id: str) -> str:
        standing = self._live.events.find(event_id)
        return plain((standing.event.title or standing.event.query) if standing is not None else event_id)

    def _earlier(self, seq: int) -> Callable[[str, str], float | None]:
        def earlier(event_id: str, attribute: str) -> float | None:
            values = self._live.outputs.latest(
                event_id=event_id, kinds=["value"], before=seq, limit=_LOOKED_BACK
            )
            for value in values:
                output = value.output
                if (
                    isinstance(output, ValueUpdate)
                    and output.attribute == attribute
                    and len(output.value) == 1
                ):
                    return output.value[0]
            return None

        return earlier
