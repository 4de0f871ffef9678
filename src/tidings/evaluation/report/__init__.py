"""Reports: a timeline in the terminal and in one self-contained HTML file.

Names are looked up when first used, so that a command which only prints a table loads no timeline.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.core import Clock
    from tidings.evaluation.report.page import render_page, save_page
    from tidings.evaluation.report.verdicts import judge
    from tidings.following import LiveTimeline, TimelineReport, build_timeline, print_timeline, print_update

__all__ = [
    "Clock",
    "LiveTimeline",
    "TimelineReport",
    "build_timeline",
    "judge",
    "print_timeline",
    "print_update",
    "render_page",
    "save_page",
]

_HOMES = {
    "Clock": "clock",
    "LiveTimeline": "terminal",
    "TimelineReport": "timeline",
    "build_timeline": "timeline",
    "judge": "verdicts",
    "print_timeline": "terminal",
    "print_update": "terminal",
    "render_page": "page",
    "save_page": "page",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
