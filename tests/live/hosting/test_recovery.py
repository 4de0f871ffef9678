"""What is known of a service that had to be begun again, and of one that stands still."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.live.hosting.test_supervision import SETTINGS, STATUS, until
from tidings.live.hosting import supervision
from tidings.live.hosting.supervision import Supervisor, _Progress


def test_it_recovers_once_it_has_run_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = str(tmp_path / "failed")
    code = (
        f"{STATUS}import os; os.path.exists({mark!r}) or (open({mark!r}, 'w'), os._exit(1)); sys.stdin.read()"
    )
    command = (sys.executable, "-S", "-c", code)
    monkeypatch.setattr(supervision, "_STEADY_S", 1e6)
    with Supervisor(SETTINGS, command=command, first_wait_s=0.01) as supervisor:
        assert not supervisor.status.recovering
        until(lambda: supervisor.status.starts == 2 and supervisor.status.state == "following")
        assert supervisor.status.recovering
        monkeypatch.setattr(supervision, "_STEADY_S", 0.0)
        assert not supervisor.status.recovering


def test_time_stands_only_while_documents_wait_and_none_is_followed() -> None:
    progress = _Progress(100)
    assert progress.at(110, followed=0, came=0) == 110
    assert progress.at(120, followed=0, came=3) == 110
    assert progress.at(130, followed=1, came=3) == 130
    assert progress.at(140, followed=1, came=9) == 130
    assert progress.at(150, followed=9, came=9) == 150
