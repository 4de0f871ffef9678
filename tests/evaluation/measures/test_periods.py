"""Measures that need a closed period say which end is open."""

from __future__ import annotations

import pytest

from tests.sweeps import every
from tidings.core.errors import UsageError
from tidings.core.records import Event
from tidings.evaluation.measures.run_scores import closed_period


@every(
    "start, end, lacking",
    [(None, 9, "no start"), (1, None, "no end"), (None, None, "no start or end")],
)
def test_an_open_period_is_refused(start: int | None, end: int | None, lacking: str) -> None:
    event = Event(id="e", title="", query="", start_time=start, end_time=end)
    with pytest.raises(UsageError, match=f"event e has {lacking}"):
        closed_period(event, "nI")
