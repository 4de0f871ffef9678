"""What stands beside an event's story: figures and how they went, names of the day, outlets, days, what happens now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from tidings.core import HOUR_S, Clock, EntityRanking, Event, Support, Update, ValueUpdate, clean
from tidings.following import (
    TYPE_NAMES,
    CurrentValue,
    StatedSource,
    current_values,
    outlet_name,
    rankings_of_days,
    reconcile,
    source_of,
)
from tidings.live.store import LiveStore

WIDTH, HEIGHT = 200, 40
_ROOM = 3  # around the line, for its end mark


class SmallChart(Struct, frozen=True):
    """A line and the area below it in a box of `width` x `height`, and in words what they show."""

    line: str
    area: str
    words: str
    end_x: float
    end_y: float
    width: int = WIDTH
    height: int = HEIGHT


def activity(counts: Mapping[int, int], until: int, hours: int = 24, what: str = "update") -> SmallChart:
    """Updates (or `what` else) an hour over the last hours up to a time (seconds UTC); `counts` are by hour since 1970.

    >>> chart = activity({10: 2, 9: 1}, 10 * 3600 + 60, hours=4)
    >>> chart.words
    '3 updates in the last 4 hours, 2 in the past hour'
    >>> activity({}, 0).words
    'no updates in the last 24 hours'
    """
    last = until // HOUR_S
    numbers = [counts.get(hour, 0) for hour in range(last - hours + 1, last + 1)]
    whole = sum(numbers)
    words = f"{whole or 'no'} {what}{'s' if whole != 1 else ''} in the last {hours} hours"
    if numbers[-1] and numbers[-1] < whole:
        words += f", {numbers[-1]} in the past hour"
    return _draw([(place, number) for place, number in enumerate(numbers)], 0, max(4, *numbers), words)


def step_line(
    points: Sequence[tuple[int, float]],
    label: str,
    until: int | None = None,
    shown: Sequence[tuple[int, str]] = (),
) -> SmallChart | None:
    """How a value went: (time, value) in order of time, each holding until the next; None for fewer than two.

    `shown` are the values as readers write them.

    >>> step_line([(0, 2.0), (3600, 78.0)], "dead").words
    'dead: 2 from 1 Jan 1970 00:00, 78 from 1 Jan 1970 01:00'
    >>> step_line([(0, 2.0)], "dead") is None
    True
    """
    if len(points) < 2:
        return None
    clock = Clock()
    shown = shown or [(time, f"{value:,.0f}") for time, value in points]
    said = [f"{value} from {clock.moment(time)}" for time, value in shown[-12:]]
    steps = []
    for number, (time, value) in enumerate(points):
        if number:
            steps.append((time, points[number - 1][1]))
        steps.append((time, value))
    if until is not None and until > points[-1][0]:
        steps.append((until, points[-1][1]))
    low = min(0.0, *(value for _, value in points))
    return _draw(steps, low, max(value for _, value in points), f"{label}: {', '.join(said)}")


def _draw(points: Sequence[tuple[float, float]], low: float, high: float, words: str) -> SmallChart:
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


_CLOCK = Clock()
_MOST_NAMES = 8
_MOST_FIGURES = 2000  # values, from which the line of a figure is drawn
_MOST_SUPPORTS = 3000  # the latest, from which reports by outlets are counted
_MOST_NEWER = 50  # updates that may contradict a figure
_DAYS = 400  # a year with room to spare


class Figure(Struct, frozen=True):
    """A tracked value as it stands, who reports it, and how it went."""

    value: CurrentValue
    sources: tuple[StatedSource, ...]
    chart: SmallChart | None
    since: str


class Name(Struct, frozen=True):
    """Who or what mattered on a day: its name, its type in words, whether it is new, and a sentence that names it."""

    name: str
    type: str
    is_new: bool
    sentence: str
    source: StatedSource | None


class NamesOfDay(Struct, frozen=True):
    """The names of one day."""

    date: str
    day: str
    names: tuple[Name, ...]


class OutletCount(Struct, frozen=True):
    """An outlet: how many updates are its sentences, and how often it said what another one's update says."""

    name: str
    updates: int
    again: int


class DayCount(Struct, frozen=True):
    """A day and its updates; `share` is 100 for the day with most."""

    date: str
    day: str
    updates: int
    share: int


def figures_of(live: LiveStore, event: Event, until: int | None = None) -> list[Figure]:
    """The tracked values of an event, deaths first."""
    found = live.outputs.latest(event_id=event.id, kinds=["value"], limit=_MOST_FIGURES)
    values = [numbered.output for numbered in reversed(found) if isinstance(numbered.output, ValueUpdate)]
    latest = live.outputs.latest(event_id=event.id, kinds=["update"], limit=_MOST_NEWER)
    updates = [numbered.output for numbered in latest if isinstance(numbered.output, Update)]
    figures = []
    for current in current_values(reconcile(event, values, updates)):
        own = [value for value in values if value.attribute == current.attribute]
        points = [] if current.attribute == "location" else [(value.time, value.value[0]) for value in own]
        sources = {source.outlet: source for source in map(source_of, current.evidence) if source.outlet}
        figures.append(
            Figure(
                current,
                tuple(sources.values())[:4],
                step_line(points, current.label, until, current.series),
                _CLOCK.moment(current.since),
            )
        )
    return figures


def names_of(live: LiveStore, event: Event, day: str = "") -> NamesOfDay | None:
    """The names of a day, or of the last one with names."""
    found = live.outputs.latest(event_id=event.id, kinds=["entities"], limit=_DAYS)
    rankings = [numbered.output for numbered in reversed(found) if isinstance(numbered.output, EntityRanking)]
    wanted = [
        ranking for ranking in rankings_of_days(rankings) if ranking.entities and day in ("", ranking.date)
    ]
    return _names(wanted[-1]) if wanted else None


def _names(ranking: EntityRanking) -> NamesOfDay:
    names = []
    for place, name in enumerate(ranking.entities[:_MOST_NAMES]):
        evidence = ranking.evidence[place] if place < len(ranking.evidence) else None
        names.append(
            Name(
                clean(name),
                TYPE_NAMES.get(ranking.types[place], "") if place < len(ranking.types) else "",
                place < len(ranking.new) and ranking.new[place],
                clean(evidence.text) if evidence else "",
                source_of(evidence) if evidence else None,
            )
        )
    return NamesOfDay(ranking.date, _short_day(ranking.date), tuple(names))


def _short_day(day: str) -> str:
    from datetime import date

    try:
        when = date.fromisoformat(day)
    except ValueError:
        return clean(day)
    return f"{when.day} {when:%b} {when.year}"


def outlets_of(live: LiveStore, event: Event) -> list[OutletCount]:
    """The outlets of an event's updates and of what supports them, those with most updates first."""
    own: Counter[str] = Counter()
    for source, url, count in live.stories.by_outlet(event.id):
        if name := outlet_name(source, url if not source else ""):
            own[name] += count
    again: Counter[str] = Counter()
    for numbered in live.outputs.latest(event_id=event.id, kinds=["support"], limit=_MOST_SUPPORTS):
        if isinstance(numbered.output, Support) and numbered.output.same:
            again[outlet_name(numbered.output.evidence.source, numbered.output.evidence.url)] += 1
    names = sorted({*own, *again} - {""}, key=lambda name: (-own[name], -again[name], name))
    return [OutletCount(name, own[name], again[name]) for name in names]


def days_of(live: LiveStore, event: Event) -> list[DayCount]:
    """The days with updates, the last one first."""
    counts = live.stories.by_day(event.id)[-_DAYS:]
    most = max((count for _, count in counts), default=1)
    return [
        DayCount(f"{_CLOCK.at(start):%Y-%m-%d}", _CLOCK.short_day(start), count, round(100 * count / most))
        for start, count in reversed(counts)
    ]
