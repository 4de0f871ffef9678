"""Digests: what is new since the last one, hourly or daily, as mail or as an HTML file.

A digest is an alarm in the outbox like any other, which names the outputs that it tells by their numbers; the words are
made when it is sent, and are the same each time. Its id is made of the channel and the hour or day, so that several
servers make one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from tidings.core import (
    Alarm,
    AlarmChannel,
    ChannelSettings,
    Clock,
    EntityRanking,
    Event,
    Output,
    Update,
    ValueUpdate,
    clean,
    safe_url,
)
from tidings.evaluation import fill_template
from tidings.following import CurrentValue, current_values, reconcile
from tidings.live.alarms.conditions import alarm_id, local_time
from tidings.live.alarms.senders import NotDeliveredError
from tidings.live.alarms.settings import DeliverySettings
from tidings.live.store import LiveStore, NumberedOutput

_MOST_UPDATES = 40  # of an event in one mail; earlier ones are counted
_TOP = 5  # new names of an event in one mail


class NewsOfEvent(Struct, frozen=True, kw_only=True):
    """What is new of one event.

    `updates` are the last ones with their numbers, oldest first, and `earlier` how many came before them; `values` what
    changed, and `entities` those of the last ranking that were not named before.
    """

    event_id: str
    title: str
    updates: tuple[tuple[int, Update], ...]
    earlier: int = 0
    values: tuple[CurrentValue, ...] = ()
    entities: tuple[str, ...] = ()

    @property
    def figures(self) -> str:
        """The values in a line.

        >>> NewsOfEvent(event_id="storm", title="", updates=()).figures
        ''
        """
        parts = [
            value.words + (f", before {value.earlier}" if value.earlier else "") for value in self.values
        ]
        return "; ".join(parts)


def news_of(numbered: Iterable[tuple[int, Output]], events: Mapping[str, Event]) -> list[NewsOfEvent]:
    """Outputs by events, those with most updates first; a figure that a newer update contradicts has its range.

    >>> update = Update("storm", "d1", 0, 60, 0.7, "A storm.")
    >>> [one.title for one in news_of([(7, update)], {"storm": Event(id="storm", title="The storm", query="")})]
    ['The storm']
    """
    outputs: dict[str, list[tuple[int, Output]]] = {}
    for seq, output in numbered:
        outputs.setdefault(output.event_id, []).append((seq, output))
    news = []
    for event_id, of_event in outputs.items():
        updates = tuple((seq, output) for seq, output in of_event if isinstance(output, Update))
        rankings = [output for _, output in of_event if isinstance(output, EntityRanking)]
        last = rankings[-1] if rankings else EntityRanking(event_id, "", ())
        event = events.get(event_id) or Event(id=event_id, title="", query="")
        values = [output for _, output in of_event if isinstance(output, ValueUpdate)]
        fresh = [name for name, new in zip(last.entities, last.new, strict=False) if new]
        news.append(
            NewsOfEvent(
                event_id=event_id,
                title=clean(event.title or event.query or event_id),
                updates=updates[-_MOST_UPDATES:],
                earlier=max(len(updates) - _MOST_UPDATES, 0),
                values=tuple(
                    current_values(
                        reconcile(event, values, [update for _, update in updates[-_MOST_UPDATES:]])
                    )
                ),
                entities=tuple(map(clean, fresh[:_TOP])),
            )
        )
    return sorted(news, key=lambda event: (-len(event.updates) - event.earlier, event.event_id))


def _link(public_url: str, event_id: str, seq: int = 0) -> str:
    if not public_url:
        return ""
    return f"{public_url.rstrip('/')}/events/{quote(event_id, safe='')}" + (f"/updates/{seq}" if seq else "")


def render_news(news: list[NewsOfEvent], *, title: str, public_url: str = "") -> str:
    """The whole page as text; the same news give the same text."""
    return fill_template(
        "news.html.j2",
        "digest.css",
        filters={"moment": Clock().moment},
        news=news,
        title=title,
        link=lambda event_id, seq=0: safe_url(_link(public_url, event_id, seq)),
        count=sum(len(event.updates) + event.earlier for event in news),
    )


def text_of_news(news: list[NewsOfEvent], *, title: str, public_url: str = "") -> str:
    """The same as plain text.

    >>> update = Update("storm", "d1", 0, 60, 0.7, "A storm.", source="Wire")
    >>> print(text_of_news(news_of([(7, update)], {}), title="News"))
    News
    <BLANKLINE>
    storm
    <BLANKLINE>
    - A storm.
      1 Jan 1970 00:01 UTC · Wire
    """
    clock, lines = Clock(), [title]
    for event in news:
        lines += ["", event.title]
        if link := _link(public_url, event.event_id):
            lines.append(link)
        if event.figures:
            lines += ["", event.figures]
        if event.entities:
            lines += ["", f"New: {', '.join(event.entities)}"]
        if event.earlier:
            lines += ["", f"{event.earlier} earlier updates, then:"]
        for _, update in event.updates:
            source = f" · {clean(update.source)}" if update.source else ""
            lines += [
                "",
                f"- {' '.join(clean(update.text).split())}",
                f"  {clock.moment(update.time)} UTC{source}",
            ]
            if url := safe_url(update.url):
                lines.append(f"  {url}")
    return "\n".join(lines)


_PAGE, _PAGES = 500, 8  # outputs at once, and how often: a digest is of 4,000 at most


def last_moment(settings: ChannelSettings, now: float) -> int:
    """The last full hour, or the last day's hour at which a digest is made, before a time (seconds UTC).

    >>> last_moment(ChannelSettings(every="day", hour=7, zone="Europe/Berlin"), 1_700_000_000) % 86400 // 3600
    6
    >>> last_moment(ChannelSettings(every="hour"), 1_700_000_000) % 3600
    0
    """
    local = local_time(now, settings.zone)
    if settings.every == "hour":
        return int(now) // 3600 * 3600
    moment = local.replace(hour=settings.hour, minute=0, second=0, microsecond=0)
    if moment > local:
        moment = (moment - timedelta(days=1)).replace(hour=settings.hour)
    return int(moment.timestamp())


class DigestMaker:
    """Makes the digests of a store's channels."""

    def __init__(self, live: LiveStore, settings: DeliverySettings) -> None:
        self._live, self._settings = live, settings

    def put_due(self) -> int:
        """Put the digests that are due into the outbox; how many they are. Where nothing is new there is none."""
        now, count = self._live.clock(), 0
        for channel in self._live.channels.all():
            if not channel.is_digest or channel.disabled_ms is not None:
                continue
            moment = last_moment(channel.settings, now)
            after_seq, made = self._live.outbox.digested_until(channel.id)
            if moment <= max(made, channel.settings.since_time):
                continue
            after_seq = max(after_seq, channel.settings.since_seq)
            until_seq = self._live.outputs.last_seq()
            event_id = channel.settings.event_id
            new = self._live.outputs.after(after_seq, event_id=event_id or None, kinds=["update"], limit=1)
            if not new:
                continue
            alarm = Alarm(
                id=alarm_id("digest", channel.id, moment),
                kind="digest",
                title=f"News of {self._write(channel, moment)}",
                time=moment,
                run=self._live.run,
                after_seq=after_seq,
                until_seq=until_seq,
            )
            count += self._live.outbox.send(alarm, [channel.id])
        return count

    def rendered(self, channel: AlarmChannel, alarm: Alarm) -> tuple[str, str]:
        """A digest as plain text and as a page."""
        news = self._news(channel, alarm)
        options = {"title": alarm.title, "public_url": self._settings.public_url}
        return text_of_news(news, **options), render_news(news, **options)

    def write(self, channel: AlarmChannel, alarm: Alarm) -> Path:
        """Write a digest to its file; NotDeliveredError where that cannot be."""
        from tidings.core import write_bytes

        if not self._settings.digests:
            raise NotDeliveredError(
                "This server has no folder for digests. Start it with `tidings serve --digests FOLDER`."
            )
        # The number keeps apart what is called alike without its other characters.
        words = re.sub(r"[^\w-]+", "-", channel.name).strip("-") or "digest"
        name = f"{words}-{channel.id}"
        stamp = re.sub(r"[^\d]+", "-", self._write(channel, alarm.time)).strip("-")
        if alarm.kind == "test":
            stamp = "test"
        path = Path(self._settings.digests) / f"{name}-{stamp}.html"
        write_bytes(path, self.rendered(channel, alarm)[1].encode("utf-8", "replace"))
        return path

    def _news(self, channel: AlarmChannel, alarm: Alarm) -> list[NewsOfEvent]:
        numbered: list[NumberedOutput] = []
        before = alarm.until_seq + 1
        event_id = channel.settings.event_id or None
        for _ in range(_PAGES):
            page = self._live.outputs.latest(event_id=event_id, before=before, limit=_PAGE)
            page = [numbered for numbered in page if numbered.seq > alarm.after_seq]
            numbered += page
            if len(page) < _PAGE:
                break
            before = page[-1].seq
        events = {standing.event.id: standing.event for standing in self._live.events.all()}
        return news_of(((entry.seq, entry.output) for entry in reversed(numbered)), events)

    def _write(self, channel: AlarmChannel, moment: int) -> str:
        every = channel.settings.every
        return local_time(moment, channel.settings.zone).strftime(
            "%Y-%m-%d" if every == "day" else "%Y-%m-%d %H:00"
        )
