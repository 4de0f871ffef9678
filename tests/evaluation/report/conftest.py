"""The ferry fire as timelines."""

from __future__ import annotations

import pytest

from tests.evaluation.report.ferry import judged_timeline, plain_timeline
from tidings.following.report.timeline import TimelineReport


@pytest.fixture
def plain() -> TimelineReport:
    return plain_timeline()


@pytest.fixture
def judged() -> TimelineReport:
    return judged_timeline()
