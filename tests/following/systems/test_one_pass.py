"""Following many events in one pass over a whole pool."""

from __future__ import annotations

import pytest

from tidings.following.stream.loop import follow_stream
from tidings.following.systems.registry import make
from tidings.sources.streams import read_events, read_stream


@pytest.mark.shared_data
def test_events_in_one_pass_are_told_as_each_alone(shared_data) -> None:
    """15 events followed in one pass over the pool of 2014 and each by itself: the same updates."""
    folder = shared_data / "trec-ts" / "2014"
    documents, events = list(read_stream(folder)), read_events(folder)
    together: dict[str, list] = {event.id: [] for event in events}
    for _, updates in follow_stream(documents, events, make("cosine")):
        for update in updates:
            together[update.event_id].append(update)
    for event in events[:5]:
        alone = [u for _, updates in follow_stream(documents, [event], make("cosine")) for u in updates]
        assert alone
        assert alone == together[event.id]
