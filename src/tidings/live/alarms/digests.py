"""Digests: what is new since the last one, hourly or daily, as mail or as an HTML file.

A digest is an alarm in the outbox like any other, which names the outputs that it tells by their numbers; the words are
made when it is sent, and are the same each time. Its id is made of the channel and the hour or day, so that several
servers make one.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tidings.core import Alarm, AlarmChannel, ChannelSettings
from tidings.live.alarms.ids import alarm_id
from tidings.live.alarms.senders.failures import NotDeliveredError
from tidings.live.alarms.settings import DeliverySettings
from tidings.live.report.news import NewsOfEvent, news_of, render_news, text_of_news
from tidings.live.store import LiveStore, NumberedOutput

__all__ = ["DigestMaker", "last_moment"]

_PAGE, _PAGES = 500, 8


def last_moment(settings: ChannelSettings, now: float) -> int:
    """The last full hour, or the last day's hour at which a digest is made, before a time (seconds UTC).

    >>> last_moment(ChannelSettings(every="day", hour=7, zone="Europe/Berlin"), 1_700_000_000) % 86400 // 3600
    6
    >>> last_moment(ChannelSettings(every="hour"), 1_700_000_000) % 3600
    0
    """
    local = _local(settings, now)
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
            after_seq, made = self._live.outbox.told_until(channel.id)
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
                title=f"News of {self._written(channel, moment)}",
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
        from tidings.core import write_atomically

        if not self._settings.digests:
            raise NotDeliveredError("found no folder for digests, expected one; name it with --digests")
        # The number keeps apart what is called alike without its other characters.
        words = re.sub(r"[^\w-]+", "-", channel.name).strip("-") or "digest"
        name = f"{words}-{channel.id}"
        stamp = re.sub(r"[^\d]+", "-", self._written(channel, alarm.time)).strip("-")
        if alarm.kind == "test":
            stamp = "test"
        path = Path(self._settings.digests) / f"{name}-{stamp}.html"
        page = self.rendered(channel, alarm)[1].encode("utf-8", "replace")
        with write_atomically(path) as file:
            file.write(page)
        return path

    def _news(self, channel: AlarmChannel, alarm: Alarm) -> list[NewsOfEvent]:
        numbered: list[NumberedOutput] = []
        before = alarm.until_seq + 1
        event_id = channel.settings.event_id or None
        for _ in range(_PAGES):
            page = self._live.outputs.latest(event_id=event_id, before=before, limit=_PAGE)
            page = [one for one in page if one.seq > alarm.after_seq]
            numbered += page
            if len(page) < _PAGE:
                break
            before = page[-1].seq
        titles = {one.event.id: one.event.title or one.event.query for one in self._live.events.all()}
        return news_of(((one.seq, one.output) for one in reversed(numbered)), titles)

    def _written(self, channel: AlarmChannel, moment: int) -> str:
        every = channel.settings.every
        return _local(channel.settings, moment).strftime("%Y-%m-%d" if every == "day" else "%Y-%m-%d %H:00")


def _local(settings: ChannelSettings, time: float) -> datetime:
    try:
        return datetime.fromtimestamp(time, ZoneInfo(settings.zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return datetime.fromtimestamp(time, UTC)
