"""What all tests share."""

from __future__ import annotations

import gc
import os
import signal
import socket
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings

from tests.browser.chromium import browser
from tests.store.prepared import copied_stores

# One browser for all tests of a process: two at once are refused by Playwright.
__all__ = ["browser", "copied_stores"]

# No deadlines: how long an example takes says more about the machine than about the code.
settings.register_profile("quick", deadline=None, max_examples=15)
settings.register_profile("thorough", deadline=None, max_examples=200)

ROOT = Path(__file__).parents[1]

SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
]
UNSET = (
    "COLUMNS",
    "LINES",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR_FORCE",
    "TERMINAL_WIDTH",
    "DISPLAY",
    "WAYLAND_DISPLAY",
)
UNSET += (
    "LANG",
    "LANGUAGE",
    "LC_CTYPE",
    "LC_TIME",
    "LC_NUMERIC",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
    "PYTHONWARNINGS",
)


def pytest_configure(config: pytest.Config) -> None:
    """Tests and the processes that they start find the same surroundings, wherever and however they are begun.

    A shell gives a job in the background signals that are ignored, and `exec` hands that on: a child could not be
    stopped by Ctrl-C. Time zone, language, width, colours, home and umask are those of nobody in particular.
    """
    expression = str(config.getoption("markexpr", ""))
    settings.load_profile("thorough" if "long" in expression.replace("not long", "") else "quick")
    for number in SIGNALS:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    for name in UNSET:
        os.environ.pop(name, None)
    home = tempfile.TemporaryDirectory(prefix="tidings-home-")
    config.add_cleanup(home.cleanup)
    os.environ |= {"TZ": "UTC", "LC_ALL": "C.UTF-8", "HOME": home.name, "TERM": "dumb"}
    if hasattr(time, "tzset"):
        time.tzset()
    os.umask(0o022)
    gc.disable()


def pytest_collection_finish() -> None:
    """What was loaded and collected stays to the end: garbage is looked for in what tests make."""
    gc.enable()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Workers that run all tests compile a share of the files each before they collect, not every one all of them.

    In a fresh clone that is half a minute of work. What cannot be imported here is imported again, and reported, by
    what follows.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    number = int(worker["workerid"].removeprefix("gw"))
    for path in sorted((ROOT / "tests").rglob("test_*.py"))[number :: worker["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):
            pytest.Module.from_parent(session, path=path).obj  # noqa: B018 - it is imported to be asked for


@pytest.fixture(scope="session", autouse=True)
def only_this_machine():
    """Nothing that is tested may ask another machine: a connection to one fails."""
    connect = socket.socket.connect

    def local(one: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if host not in ("", "localhost", "::1") and not str(host).startswith("127."):
            raise PermissionError(f"a test reaches for {address}")
        connect(one, address)

    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", local)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of TREC data beside the checkout (or named by TIDINGS_DATA)."""
    folder = Path(os.environ.get("TIDINGS_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the TREC data is not here ({folder}); set TIDINGS_DATA to its folder")
    return folder
