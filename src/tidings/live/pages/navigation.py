"""What stands at the head of every live page: where one can go, how the service goes, and what time it is for it.

To add a page to the head: its line in `NAVIGATION`.
"""

from __future__ import annotations

import re

from fastapi import Request
from msgspec import Struct

from tidings.core import Clock, clean
from tidings.live.hosting.supervision import ServiceStatus
from tidings.live.pages.visits import live_of, live_settings_of
from tidings.web import root_of

_APART_S = 600  # between the time of the news and the clock: then it is a replay
_WIDEST_TROUBLE = 160
_STATES = {
    "starting": "starting",
    "following": "following",
    "ended": "up to date",
    "stopped": "stopped",
}


class NavEntry(Struct, frozen=True):
    """A page that the head of every page leads to; with `editing`, only where someone may change something."""

    path: str
    title: str
    editing: bool = False


NAVIGATION: tuple[NavEntry, ...] = (
    NavEntry("/", "Events"),
    NavEntry("/stories", "Stories"),
    NavEntry("/away", "While you were away"),
    NavEntry("/search", "Search"),
    NavEntry("/sources", "Sources"),
    NavEntry("/alarms", "Alarms", editing=True),
    NavEntry("/edit", "Edit", editing=True),
)


_FOLDERS = re.compile(r"(?<![\w:/.])/(?:[^\s/,:]+/)+")


class ServiceLine(Struct, frozen=True, kw_only=True):
    """How the service goes, for readers.

    `words` say it, `is_failed` that it does not follow now. `time` is what time it is for the service (0: not known),
    shown as `moment`; `is_replay` says that this is not the time of the machine. `last_seq` is the run's last output.
    """

    words: str = ""
    is_failed: bool = False
    time: int = 0
    moment: str = ""
    is_replay: bool = False
    last_seq: int = 0


class Frame(Struct, frozen=True):
    """The head of a page: its entries with whether each is the page that is shown, and how the service goes.

    Who would have to sign in first is shown neither.
    """

    entries: tuple[tuple[NavEntry, bool], ...]
    service: ServiceLine
    demo: str


def frame_of(request: Request) -> Frame:
    """The head of the page that is asked for."""
    settings = live_settings_of(request)
    path = request.url.path.removeprefix(root_of(request)) or "/"
    entries = tuple(
        (entry, path == entry.path or (entry.path != "/" and path.startswith(f"{entry.path}/")))
        for entry in NAVIGATION
        if not (entry.editing and settings.read_only)
    )
    if not (settings.open_reading or getattr(request.state, "visitor", None)):
        return Frame((), ServiceLine(), settings.demo)
    return Frame(entries, service_line(request), settings.demo)


def service_line(request: Request, last_seq: int = 0) -> ServiceLine:
    """How the service goes that this process runs; nothing where it runs none."""
    status: ServiceStatus | None = request.app.state.status() if request.app.state.status else None
    if status is None:
        return ServiceLine(last_seq=last_seq)
    words = _STATES.get(status.state, status.state)
    if status.state == "failed":
        trouble = _FOLDERS.sub("", clean(status.trouble))  # where files lie is nothing for readers
        words = f"failed: {trouble[:_WIDEST_TROUBLE] or 'restarting soon'}"
    return ServiceLine(
        words=words,
        is_failed=status.state == "failed",
        time=status.time,
        moment=Clock().moment(status.time) if status.time else "",
        is_replay=bool(status.time) and abs(status.time - live_of(request).clock()) > _APART_S,
        last_seq=last_seq,
    )
