"""Small charts as paths for a template to draw: what happens now, and how a value went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from tidings.core import Clock

__all__ = ["SmallChart", "activity", "step_line"]

WIDTH, HEIGHT = 200, 40
_ROOM = 3
HOUR_S = 3600


class SmallChart(Struct, frozen=True):
    """A line and the area below it in a box of `width` x `height`, and in words what they show."""

    line: str
    area: str
    words: str
    end_x: float
    end_y: float
    width: int = WIDTH
    height: int = HEIGHT


def activity(counts: Mapping[int, int], until: int, hours: int = 24) -> SmallChart:
    """Updates an hour over the last hours up to a time (seconds UTC); `counts` are by hour since 1970.

    >>> chart = activity({10: 2, 9: 1}, 10 * 3600 + 60, hours=4)
    >>> chart.words
    '3 updates in the last 4 hours, 2 of them in this hour'
    >>> activity({}, 0).words
    'no update in the last 24 hours'
    """
    last = until // HOUR_S
    numbers = [counts.get(hour, 0) for hour in range(last - hours + 1, last + 1)]
    whole = sum(numbers)
    words = f"{whole or 'no'} update{'s' if whole > 1 else ''} in the last {hours} hours"
    if numbers[-1] and numbers[-1] < whole:
        words += f", {numbers[-1]} of them in this hour"
    return _drawn([(place, number) for place, number in enumerate(numbers)], 0, max(4, *numbers), words)


def step_line(points: Sequence[tuple[int, float]], label: str, until: int | None = None) -> SmallChart | None:
    """How a value went: (time, value) in order of time, each holding until the next; None for fewer than two.

    >>> step_line([(0, 2.0), (3600, 78.0)], "dead").words
    'dead: 2 from 1 Jan 1970 00:00, 78 from 1 Jan 1970 01:00'
    >>> step_line([(0, 2.0)], "dead") is None
    True
    """
    if len(points) < 2:
        return None
    clock = Clock()
    said = [f"{value:,.0f} from {clock.moment(time)}" for time, value in points[-12:]]
    steps = []
    for number, (time, value) in enumerate(points):
        if number:
            steps.append((time, points[number - 1][1]))
        steps.append((time, value))
    if until is not None and until > points[-1][0]:
        steps.append((until, points[-1][1]))
    low = min(0.0, *(value for _, value in points))
    return _drawn(steps, low, max(value for _, value in points), f"{label}: {', '.join(said)}")


def _drawn(points: Sequence[tuple[float, float]], low: float, high: float, words: str) -> SmallChart:
    first, last = points[0][0], points[-1][0]
    wide, tall = WIDTH - 2 * _ROOM, HEIGHT - 2 * _ROOM

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - first) / (last - first) if last > first else 1.0
        up = (y - low) / (high - low) if high > low else 0.0
        return round(_ROOM + across * wide, 1), round(HEIGHT - _ROOM - up * tall, 1)

    placed = [place(x, y) for x, y in points]
    line = "M" + "L".join(f"{x:g} {y:g}" for x, y in placed)
    area = f"{line}L{placed[-1][0]:g} {HEIGHT - _ROOM}L{placed[0][0]:g} {HEIGHT - _ROOM}Z"
    return SmallChart(line, area, words, *placed[-1])
