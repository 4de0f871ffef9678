"""What all tests share."""

from __future__ import annotations

import gc
import os
import random
import signal
import socket
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.core.store.prepared import copied_stores
from tests.web.browser.chromium import browser

# One browser for all tests of a process: two at once are refused by Playwright.
__all__ = ["browser", "copied_stores"]

# How long an example takes says more about the machine than about the code: nothing is timed. The default tests try
# the same examples each time; the long ones others each time, and print how a failure is tried again.
settings.register_profile(
    "same",
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    derandomize=True,
    max_examples=20,
)
settings.register_profile(
    "other", settings.get_profile("same"), derandomize=False, max_examples=200, print_blob=True
)

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
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
)

# A test that asks for one of these fixtures is marked so: each mark has a target of its own in the Makefile.
MARKED_BY_FIXTURE = {"browser": "browser", "postgres_server": "postgres", "postgres_store": "postgres"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--shuffle SEED` runs the tests in another order: none may need what another leaves behind."""
    parser.addoption("--shuffle", metavar="SEED", help="run the tests in an order drawn by SEED")


def pytest_configure(config: pytest.Config) -> None:
    """Tests and the processes that they start find the same surroundings, wherever and however they are begun.

    A shell gives a job in the background signals that are ignored, and `exec` hands that on: a child could not be
    stopped by Ctrl-C. Time zone, language, width, colours, home and umask are those of nobody in particular.
    """
    is_long = "long" in str(config.getoption("markexpr", "")).replace("not long", "")
    settings.load_profile("other" if is_long else "same")
    for number in SIGNALS:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    for name in UNSET:
        os.environ.pop(name, None)
    home = tempfile.TemporaryDirectory(prefix="tidings-home-")
    config.add_cleanup(home.cleanup)
    os.environ |= {"TZ": "UTC", "LC_ALL": "C.UTF-8", "HOME": home.name, "TERM": "dumb"}
    if not is_long:  # for the processes that are started, and that is what runs the tests under -n
        os.environ["PYTHONHASHSEED"] = "0"
    if hasattr(time, "tzset"):
        time.tzset()
    os.umask(0o022)
    gc.disable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """A test is marked by what it asks for."""
    for fixture in getattr(item, "fixturenames", ()):
        if fixture in MARKED_BY_FIXTURE:
            item.add_marker(MARKED_BY_FIXTURE[fixture])
    if ROOT / "tests" / "following" / "kill" in item.path.parents:
        item.add_marker("kill")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--shuffle` the files are run in another order, and so are the tests of each."""
    seed = config.getoption("shuffle")
    if seed is None:
        return
    chance = random.Random(seed)
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.path, []).append(item)
    files = list(by_file.values())
    chance.shuffle(files)
    for file in files:
        chance.shuffle(file)
    items[:] = [item for file in files for item in file]


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
