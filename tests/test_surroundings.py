"""What `conftest` sets for all tests: they pass in the background, far from Greenwich and on a narrow screen."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.conftest import ROOT

PROBE = """
import os, shutil, signal, subprocess, sys, time
from pathlib import Path

def test_probe():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert time.localtime(0).tm_hour == 0 and time.tzname[0] == "UTC"
    assert shutil.get_terminal_size((77, 5)).columns == 77
    assert Path.home().is_dir()
    assert "NO_COLOR" not in os.environ and "DISPLAY" not in os.environ
    mask = os.umask(0o022)
    assert mask == 0o022
    child = subprocess.Popen([sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"], stdout=-1)
    child.stdout.readline()
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=120)
    assert child.returncode in (-signal.SIGINT, 130)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals and masks of POSIX")
@pytest.mark.long
def test_odd_surroundings_do_not_reach_the_tests(tmp_path: Path) -> None:
    """A run whose signals are ignored, elsewhere, narrow, homeless and secretive."""
    probe = tmp_path / "test_probe.py"
    probe.write_text(textwrap.dedent(PROBE))
    odd = {"TZ": "Asia/Kolkata", "LC_ALL": "C", "COLUMNS": "40", "HOME": "/nonexistent", "NO_COLOR": "1"}

    def begin() -> None:
        os.umask(0o077)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.conftest",
        str(probe),
    ]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | odd | {"DISPLAY": ":9"},
        preexec_fn=begin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_other_machine_is_asked() -> None:
    with socket.socket() as one, pytest.raises(PermissionError, match="reaches for"):
        one.connect(("192.0.2.1", 80))
