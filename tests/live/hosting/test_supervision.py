"""What keeps a service running: begun again when it ends, and never left alone.

What is known of a service that had to be begun again, and of one that stands still.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tidings.core.records.standing import StandingEvent
from tidings.core.store import open_store
from tidings.live.hosting import supervision
from tidings.live.hosting.service import ServiceSettings
from tidings.live.hosting.supervision import ServiceStatus, Supervisor, _Progress
from tidings.live.store import LiveStore
from tidings.sources import bundled
from tidings.sources.streams import read_events

SETTINGS = ServiceSettings(store="none.db")
STATUS = 'import sys; sys.stdin.readline(); print(\'{"state": "following", "inbox": 7}\', flush=True); '


def until(reached: Callable[[], bool], seconds: float = 60) -> None:
    ends = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < ends, "this never came about"
        time.sleep(0.01)


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-S", "-c", STATUS + code)


def test_what_ends_is_begun_again_and_says_why() -> None:
    lines: list[str] = []
    command = python("raise KeyError('a defect')")
    with Supervisor(SETTINGS, lines.append, command=command, first_wait_s=0.01) as supervisor:
        until(lambda: supervisor.status.starts >= 3)
        until(lambda: supervisor.status.state == "failed")
        assert "ended with 1 (KeyError: 'a defect')" in supervisor.status.trouble
        assert supervisor.status.inbox == 7
    assert supervisor.status.state == "stopped"
    assert any("restarting in" in line for line in lines)


def test_what_cannot_be_begun_is_said() -> None:
    with Supervisor(SETTINGS, command=("/nowhere/at/all",), first_wait_s=0.01) as supervisor:
        until(lambda: supervisor.status.state == "failed")
        assert "cannot start: No such file" in supervisor.status.trouble


def test_a_failure_that_the_service_tells_is_told_as_it_stands() -> None:
    code = 'print(\'{"state": "failed", "trouble": "another process follows it"}\', flush=True); sys.exit(2)'
    lines: list[str] = []
    with Supervisor(SETTINGS, lines.append, command=python(code), first_wait_s=30) as supervisor:
        until(lambda: supervisor.status.state == "failed" and bool(lines))
    assert lines == ["another process follows it; restarting in 30 s"]


def test_a_process_that_fails_while_it_is_listened_for_says_so_and_ends(tmp_path: Path) -> None:
    """Its standard input is still open, and a thread waits for more: Python must not be aborted by that."""
    (tmp_path / "a.db").write_text("no database")
    (tmp_path / "a.jsonl").write_text("")
    asked = ServiceSettings(store=str(tmp_path / "a.db"), streams=(str(tmp_path / "a.jsonl"),))
    command = [sys.executable, "-m", "tidings.live.hosting.supervision"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(msgspec.json.encode(asked) + b"\n")
        process.stdin.flush()
        assert process.wait(60) == 2
        last = msgspec.json.decode(process.stdout.read().splitlines()[-1])
        assert last["state"] == "failed" and "not a store of tidings" in last["trouble"]
        assert process.stderr.read() == b""


@pytest.mark.long  # two seconds of patience
def test_what_does_not_end_is_ended() -> None:
    began = time.monotonic()
    with Supervisor(SETTINGS, command=python("import time; time.sleep(600)")) as supervisor:
        until(lambda: supervisor.status.state == "following")
    assert supervisor.status.state == "stopped" and time.monotonic() - began < 60


PARENT = """
import sys, time
from tidings.live.hosting.service import ServiceSettings
from tidings.live.hosting.supervision import Supervisor
with Supervisor(ServiceSettings(store=sys.argv[1], streams=(sys.argv[2],), speed=100)) as supervisor:
    while supervisor.status.inbox < 1:
        time.sleep(0.05)
    print(supervisor._process.pid, flush=True)
    time.sleep(600)
"""


@pytest.mark.long
def test_who_follows_ends_with_whoever_began_it(tmp_path: Path) -> None:
    store = str(tmp_path / "a.db")
    with open_store(store) as opened:
        LiveStore(opened).events.add(
            StandingEvent(event=read_events(bundled.path())[0], system="first"), "test"
        )
    documents = str(bundled.path() / "documents.jsonl")
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, store, documents], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        # A second one over the same store says who has it, and nothing of it is lost.
        with Supervisor(ServiceSettings(store=store, streams=(documents,))) as second:
            until(lambda: second.status.state == "failed")
            assert "another process follows it already" in second.status.trouble
        # The signal of a terminal is for the parent alone; one to the child has it begun again.
        os.kill(child, signal.SIGINT)
        until(lambda: _is_gone(child))
        parent.send_signal(signal.SIGKILL)
    until(lambda: _lock_is_free(store, documents))


def _is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def _lock_is_free(store: str, documents: str) -> bool:
    status = ServiceStatus()
    with Supervisor(ServiceSettings(store=store, streams=(documents,))) as one:
        until(lambda: one.status.state in ("failed", "following", "ended"))
        status = one.status
    return status.state != "failed"


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
