"""Rules looked at while a run is followed: alarms are written in the transaction of what caused them.

An update that was not committed has no alarm, and one that was has its alarm. A rule that is added tells what is
committed from then on, since it remembers nothing and looks at nothing older, save the values as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal
from urllib.parse import quote

from msgspec.structs import replace
from sqlalchemy import Connection

from tidings.core import Alarm, AlarmItem, AlarmKind, Output, SourceSilent, ValueUpdate
from tidings.live.alarms.conditions import (
    RuleMemory,
    Telling,
    alarm_id,
    look_at_sources,
    may_tell,
    occasion,
    with_item,
    without_items,
)
from tidings.live.store import LiveStore
from tidings.live.store.events import in_turn
from tidings.live.store.rules import RememberingRule

_LOOKED_BACK = 200
_TITLE_CHARS = 120


def plain(text: str) -> str:
    r"""A text in one line, as JSON can have it: what is no character becomes a question mark.

    >>> plain("a\n storm\ud800")
    'a storm?'
    """
    return " ".join(text.encode("utf-8", "replace").decode().split())


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
        begun: when the run was begun: one that is begun anew has alarms of its own.
        inbox: the name of the inbox that it follows, whose sources may be silent.
    """

    def __init__(self, live: LiveStore, run: str, begun: int, inbox: str = "") -> None:
        self._live, self._run, self._begun, self._inbox = live, run, begun, inbox

    def beside(self, connection: Connection, numbered: Sequence[tuple[int, Output]]) -> None:
        """In the transaction that commits outputs: write the alarms that they are worth."""
        if not self._live.rules.any(connection):
            return
        in_turn(connection)
        working = [_Working(one) for one in self._live.rules.awake(connection)]
        earlier = self._earlier(numbered[0][0])
        for seq, output in numbered:
            for one in working:
                reason, one.memory = occasion(one.rule, one.memory, output, earlier)
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
                self._tell(connection, one, item, output.time)
        for one in working:
            one.kept.remember(connection, one.memory)

    def tick(self, now: int) -> int:
        """Look at sources that may be silent, and tell what was gathered and may be told now, in a transaction.

        Args:
            now: what time it is for who follows.

        Returns:
            how many things were told or gathered.
        """
        if not now:
            return 0
        with self._live.store.asking() as connection:
            if not self._has_work(connection, now):
                return 0
        with self._live.store.writing() as connection:
            in_turn(connection)
            count = 0
            for one in map(_Working, self._live.rules.awake(connection)):
                count += self._tick(connection, one, now)
                one.kept.remember(connection, one.memory)
            return count

    def _has_work(self, connection: Connection, now: int) -> bool:
        for one in map(_Working, self._live.rules.awake(connection)):
            if one.memory.telling.items and may_tell(one.rule, one.memory.telling, now):
                return True
            if isinstance(one.rule.when, SourceSilent) and self._look(connection, one, now)[1]:
                return True
        return False

    def _tick(self, connection: Connection, one: _Working, now: int) -> int:
        count = 0
        if isinstance(one.rule.when, SourceSilent):
            items, _ = self._look(connection, one, now)
            for item in items:
                self._tell(connection, one, item, now)
            count += len(items)
        telling = one.memory.telling
        if telling.items and may_tell(one.rule, telling, now):
            self._send(connection, one, now)
            count += 1
        return count

    def _look(self, connection: Connection, one: _Working, now: int) -> tuple[list[AlarmItem], bool]:
        # What is to be told of sources, and whether anything else was seen than before.
        assert isinstance(one.rule.when, SourceSilent)
        before, looked_ms = one.memory.sources, int(self._live.clock() * 1000)
        items, after = look_at_sources(connection, self._inbox, one.rule.when, before, now, looked_ms)
        one.memory = replace(one.memory, sources=after)
        return items, after != before

    def _tell(self, connection: Connection, one: _Working, item: AlarmItem, now: int) -> None:
        one.memory = replace(one.memory, telling=with_item(one.memory.telling, item))
        if may_tell(one.rule, one.memory.telling, now):
            self._send(connection, one, now)

    def _send(self, connection: Connection, one: _Working, now: int) -> None:
        rule, telling = one.rule, one.memory.telling
        alarm = self._alarm(one, telling, now)
        self._live.outbox.put(connection, alarm, rule.channels, rule_id=rule.id, seq=telling.last_seq)
        one.memory = replace(one.memory, telling=without_items(rule, telling, now))

    def _alarm(self, one: _Working, telling: Telling, now: int) -> Alarm:
        items, last = telling.items, telling.items[-1]
        by: tuple[object, ...] = (one.rule.id, self._run, self._begun)
        silence = (last.kind, last.source, last.time)
        by = (*by, telling.last_seq) if last.seq else (*by, *silence)
        count = len(items) + telling.more
        events = {item.event_id for item in items}
        kind: AlarmKind | Literal["gathered"] = last.kind if count == 1 else "gathered"
        about = f"{last.title}: {last.text}" if last.title else last.text
        title = about if count == 1 else f"{one.rule.name}: {count} since it was quiet"
        return Alarm(
            id=alarm_id(*by),
            kind=kind,
            title=title if len(title) <= _TITLE_CHARS else title[: _TITLE_CHARS - 1] + "…",
            time=now,
            rule=one.rule.name,
            run=self._run,
            event_id=events.pop() if len(events) == 1 and not telling.more else "",
            items=items,
            more=telling.more,
        )

    def _title(self, event_id: str) -> str:
        standing = self._live.events.find(event_id)
        return plain((standing.event.title or standing.event.query) if standing is not None else event_id)

    def _earlier(self, seq: int) -> Callable[[str, str], float | None]:
        def earlier(event_id: str, attribute: str) -> float | None:
            values = self._live.outputs.latest(
                event_id=event_id, kinds=["value"], before=seq, limit=_LOOKED_BACK
            )
            for one in values:
                output = one.output
                if (
                    isinstance(output, ValueUpdate)
                    and output.attribute == attribute
                    and len(output.value) == 1
                ):
                    return output.value[0]
            return None

        return earlier
