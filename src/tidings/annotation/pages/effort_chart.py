"""A small chart of work by day, as boxes for a template to draw."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from msgspec import Struct

from tidings.annotation.desk.effort import WorkSession
from tidings.core import TASKS, Clock

__all__ = ["Bar", "EffortChart", "effort_chart"]

WIDTH, HEIGHT = 640, 150
_MOST_DAYS = 31
_SHADES = 6


class Bar(Struct, frozen=True):
    """A box of the chart: `shade` numbers its task's colour, `words` say it for those who point at it."""

    x: float
    y: float
    width: float
    height: float
    shade: int
    words: str


class EffortChart(Struct, frozen=True):
    """Minutes of work by day (UTC), a colour for each task; `labels` are (x, text) below, `key` (shade, task)."""

    bars: tuple[Bar, ...]
    labels: tuple[tuple[float, str], ...]
    key: tuple[tuple[int, str], ...]
    top_minutes: int
    words: str


def effort_chart(sessions: Iterable[WorkSession]) -> EffortChart | None:
    """The last month of work, at most 31 days; None where there was none.

    A session counts for the day on which it began.

    >>> chart = effort_chart([WorkSession("a", 0, 60_000, 2, {"matching": 120.0})])
    >>> chart.key, chart.top_minutes, chart.labels[0][1]
    (((0, 'Matches'),), 2, '1 Jan')
    """
    clock = Clock()
    minutes: dict[date, dict[str, float]] = {}
    for session in sessions:
        worked = minutes.setdefault(clock.at(session.start_ms // 1000).date(), {})
        for task, seconds in session.seconds.items():
            worked[task] = worked.get(task, 0.0) + seconds / 60
    if not any(sum(one.values()) for one in minutes.values()):
        return None
    last = max(minutes)
    first = max(min(minutes), last - timedelta(days=_MOST_DAYS - 1))
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    titles = {task.id: task.title for task in TASKS}
    present = [task for task in [*titles, ""] if any(minutes.get(day, {}).get(task, 0) > 0 for day in days)]
    shade = {task: min(number, _SHADES - 1) for number, task in enumerate(present)}
    top = max(sum(minutes.get(day, {}).values()) for day in days)
    step = WIDTH / len(days)
    thick = min(step * 0.7, 48.0)
    bars: list[Bar] = []
    labels: list[tuple[float, str]] = []
    for number, day in enumerate(days):
        x = number * step + (step - thick) / 2
        y = float(HEIGHT)
        for task in present:
            of_task = minutes.get(day, {}).get(task, 0.0)
            if of_task > 0:
                height = of_task / top * HEIGHT
                y -= height
                words = f"{day.day} {day:%b}, {titles.get(task, 'other')}: {of_task:.0f} min"
                bars.append(
                    Bar(round(x, 1), round(y, 1), round(thick, 1), round(height, 1), shade[task], words)
                )
        if number % max(1, len(days) // 8) == 0:
            labels.append((round(x + thick / 2, 1), f"{day.day} {day:%b}"))
    in_all = sum(sum(one.values()) for one in minutes.values())
    return EffortChart(
        tuple(bars),
        tuple(labels),
        tuple((shade[task], titles.get(task, "Other")) for task in present),
        round(top),
        f"{in_all:.0f} minutes of work on {len(minutes)} days, at most {top:.0f} on one.",
    )
