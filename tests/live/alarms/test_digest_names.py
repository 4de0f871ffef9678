"""Digests of several channels stand beside each other in their folder."""

from __future__ import annotations

from pathlib import Path

from tests.live.pages.sites import NOON, live_in, update
from tidings.core.records.standing import Alarm, AlarmChannel, ChannelSettings
from tidings.live.alarms.digests import DigestMaker
from tidings.live.alarms.settings import DeliverySettings


def test_channels_of_like_names_have_files_of_their_own(tmp_path: Path) -> None:
    names = ["a/b", "a b", "a-b", "?", "!"]
    with live_in(str(tmp_path / "live.db"), outputs=[update(1)]) as site:
        maker = DigestMaker(site.live, DeliverySettings(digests=str(tmp_path)))
        settings = ChannelSettings(every="hour")
        channels = [
            site.live.channels.add(AlarmChannel(name=name, kind="digest-file", address="", settings=settings))
            for name in names
        ]
        alarm = Alarm(
            id="x", kind="digest", title="News", time=NOON, run=site.live.run, after_seq=0, until_seq=1
        )
        written = {maker.write(channel, alarm) for channel in channels}
    assert len(written) == len(names) and all(path.is_file() for path in written)
