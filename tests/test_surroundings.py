"""What `conftest` sets for all tests: they pass in the background, far from Greenwich and on a narrow screen."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import textwrap
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest

from tests.conftest import ROOT, pytest_collection_modifyitems, pytest_itemcollected

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


def test_no_test_waits_for_time_in_a_browser() -> None:
    """What is waited for is a state: `ready` and `until` of tests/web/browser/chromium.py."""
    files = (path for path in (ROOT / "tests").rglob("*.py") if path.name != Path(__file__).name)
    assert [path.name for path in files if ".wait_for_timeout(" in path.read_text()] == ["chromium.py"]


def test_what_kills_has_a_target_of_its_own() -> None:
    """The folder is named in `conftest.py`; where it moves, its tests must not slip into the default ones."""

    class Item:
        path, fixturenames = next((ROOT / "tests").rglob("test_kill.py")), ()
        marks: ClassVar[list[str]] = []
        add_marker = marks.append

    pytest_itemcollected(Item())  # type: ignore[arg-type]
    assert Item.marks == ["kill"]


class TestMarks:
    """Which target of the Makefile a test belongs to."""

    def test_tests_are_marked_by_what_they_ask_for(self) -> None:
        class Item:
            path, fixturenames = (
                ROOT / "tests" / "web" / "test_page.py",
                ["people", "browser", "postgres_store"],
            )
            marks: ClassVar[list[str]] = []
            add_marker = marks.append

        pytest_itemcollected(Item())  # type: ignore[arg-type]
        assert Item.marks == ["browser", "postgres"]

    def test_the_default_tests_are_of_none_with_a_target_of_its_own(
        self, pytestconfig: pytest.Config
    ) -> None:
        wanted = pytestconfig.getini("addopts")
        assert {"browser", "postgres", "kill", "spark", "long"} <= set(" ".join(wanted).split())


def test_a_shuffled_run_has_every_test_file_by_file_and_the_same_order_for_a_seed() -> None:
    class Item:
        def __init__(self, file: int, number: int) -> None:
            self.path, self.number = Path(f"test_{file}.py"), number

    def shuffled(seed: str | None) -> list[tuple[str, int]]:
        items = [Item(file, number) for file in range(5) for number in range(4)]
        config = SimpleNamespace(getoption=lambda name: seed)
        pytest_collection_modifyitems(config, items)  # type: ignore[arg-type]
        return [(item.path.name, item.number) for item in items]

    plain = shuffled(None)
    assert plain == sorted(plain) != shuffled("3") == shuffled("3") != shuffled("4")
    assert sorted(shuffled("3")) == plain
    assert len(list(groupby(name for name, _ in shuffled("3")))) == 5
