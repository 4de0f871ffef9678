"""The ferry fire as timelines."""

from __future__ import annotations

import pytest

from tests.report.ferry import judged_timeline, plain_timeline
from tidings.report.timeline import Timeline


@pytest.fixture
def plain() -> Timeline:
    return plain_timeline()


@pytest.fixture
def judged() -> Timeline:
    return judged_timeline()
