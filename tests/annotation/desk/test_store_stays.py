"""A store in which the desk has begun is never taken away again, however the process that made it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sweeps import every
from tidings.annotation.store import Desk
from tidings.core.store import open_store


@every("what", ["accounts", "projects"])
def test_an_error_leaves_the_store_that_was_made(tmp_path: Path, what: str) -> None:
    with pytest.raises(KeyboardInterrupt), open_store(str(tmp_path / "new.db")) as opened:
        getattr(Desk(opened), what).add("first")
        raise KeyboardInterrupt
    with open_store(str(tmp_path / "new.db"), read_only=True) as opened:
        assert [one.name for one in getattr(Desk(opened), what).all()] == ["first"]


def test_one_in_which_nothing_was_begun_goes(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), open_store(str(tmp_path / "new.db")):
        raise KeyboardInterrupt
    assert not (tmp_path / "new.db").exists()


@pytest.mark.long
def test_ctrl_c_ends_the_desk_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tidings", "assess", "serve", "--store", "desk.db", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        assert "The desk is at http://127.0.0.1:" in serving.stderr.readline()
        serving.send_signal(signal.SIGINT)
        assert serving.wait(120) == 0
        assert "interrupted" not in serving.stderr.read()
    with open_store(str(tmp_path / "desk.db"), read_only=True) as opened:
        assert [one.name for one in Desk(opened).accounts.all()] == ["lead"]
