"""Reports: a timeline in the terminal and in one self-contained HTML file."""

from __future__ import annotations

from tidings.report.clock import Clock
from tidings.report.page import render_page
from tidings.report.terminal import LiveTimeline, print_timeline, print_update
from tidings.report.timeline import Timeline, build_timeline
from tidings.report.verdicts import judge

__all__ = [
    "Clock",
    "LiveTimeline",
    "Timeline",
    "build_timeline",
    "judge",
    "print_timeline",
    "print_update",
    "render_page",
]
