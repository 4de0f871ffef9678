"""Many assessors at once, and a server that is killed: no judgment lost, doubled or written over."""

from __future__ import annotations

import pytest

from tests.annotation.pages.crowd import try_crowd

pytestmark = pytest.mark.long


@pytest.mark.parametrize("kills", [0, 3])
def test_nothing_is_lost_or_doubled(any_store: str, kills: int) -> None:
    report = try_crowd(any_store, assessors=8, seconds=15, kills=kills)
    assert report.faults == []
    assert sum(act.status == 200 for act in report.acts) > 50
    assert report.kills == kills
