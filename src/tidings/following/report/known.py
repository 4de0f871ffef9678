"""What a reader wants first: the figures that stand, who reports them, and who else says what an update says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tidings.core import Clock, Evidence, Update, clean, duration_words, safe_url
from tidings.following.report.casualties import KINDS
from tidings.following.report.timeline import Entry, TimelineReport
from tidings.following.report.values import current_values

__all__ = [
    "KnownFigure",
    "StatedSource",
    "Step",
    "known_figures",
    "outlet_name",
    "source_of",
    "support_words",
]

_MOST_SOURCES = 3


@dataclass(frozen=True, slots=True)
class StatedSource:
    """Who says something: the outlet, its article's title and address (http or https, else empty), and when."""

    outlet: str
    title: str
    url: str
    time: int


@dataclass(frozen=True, slots=True)
class Step:
    """One figure of a series, from `time` on; `source` is who was first to report it, where that is known."""

    time: int
    number: str
    source: StatedSource | None


@dataclass(frozen=True, slots=True)
class KnownFigure:
    """A figure that stands: `number` and `label` (78, dead), the range that others report, its sources, its series."""

    kind: str
    number: str
    label: str
    others: str
    since: int
    sources: tuple[StatedSource, ...]
    series: tuple[Step, ...]

    def words(self, clock: Clock) -> str:
        """`78 dead, as reported by Meseta Press and Northgate Wire, 26 Jul 10:48`."""
        outlets = _listed([source.outlet for source in self.sources if source.outlet])
        by = f" by {outlets}" if outlets else ""
        moment = f"{clock.short_day(self.since)} {clock.hour(self.since)}"
        others = f" ({self.others})" if self.others else ""
        return f"{self.number} {self.label}, as reported{by}, {moment}{others}"


def known_figures(timeline: TimelineReport) -> list[KnownFigure]:
    """The figures that stand at the end: the tracked values where the run holds some, else what its updates report."""
    if timeline.values:
        return [
            KnownFigure(
                current.attribute,
                current.number,
                current.label,
                current.others,
                current.since,
                _distinct([source_of(one) for one in current.evidence]),
                tuple(Step(time, number, None) for time, number in current.series),
            )
            for current in current_values(timeline.values)
        ]
    return [figure for kind in KINDS if (figure := _reported(timeline.entries, kind)) is not None]


def _reported(entries: Sequence[Entry], kind: str) -> KnownFigure | None:
    changes = [entry for entry in entries if getattr(entry.after, kind) != getattr(entry.before, kind)]
    if not changes:
        return None
    value, last = getattr(changes[-1].after, kind), changes[-1]
    sentences: list[Update | Evidence] = []
    for entry in entries[last.number - 1 :]:
        if any(counted.kind == kind and counted.value == value for counted in entry.casualties):
            sentences += [entry.update, *entry.again]
    return KnownFigure(
        kind,
        f"{value:,}",
        KINDS[kind],
        "",
        last.update.time,
        _distinct([source_of(one) for one in sentences]),
        tuple(
            Step(entry.update.time, f"{getattr(entry.after, kind):,}", source_of(entry.update))
            for entry in changes
        ),
    )


def _distinct(sources: Sequence[StatedSource]) -> tuple[StatedSource, ...]:
    by_outlet: dict[str, StatedSource] = {}
    for source in sources:
        by_outlet.setdefault(source.outlet, source)
    return tuple(by_outlet.values())[:_MOST_SOURCES]


def source_of(one: Update | Evidence) -> StatedSource:
    """Who says this sentence."""
    return StatedSource(
        outlet_name(one.source, one.url), clean(one.title), safe_url(one.url), one.published_time
    )


def outlet_name(source: str, url: str) -> str:
    """What readers call an outlet: by its name, else by the host of its article's address; "" where neither is known.

    >>> outlet_name("Meseta Press", ""), outlet_name("", "https://www.example.org/1"), outlet_name("", "javascript:x")
    ('Meseta Press', 'example.org', '')
    """
    if source or not safe_url(url):
        return clean(source)
    return url.split("/", 3)[2].lower().removeprefix("www.")


def support_words(entry: Entry) -> str:
    """`Also reported by 3 outlets, first by NewsHeap 8 min later`; "" where nothing is known of that.

    >>> from tidings.following.report.casualties import CasualtiesSoFar
    >>> none, said = CasualtiesSoFar(), Update("e", "a", 0, 60, text="Fire.", published_time=60, source="Wire")
    >>> again = (Evidence("b", 0, "Fire!", 540, "Coast Radio"), Evidence("c", 2, "Fire.", 900, "Post"))
    >>> support_words(Entry(1, said, "Fire.", (), none, none, again=again))
    'Also reported by 2 outlets, first by Coast Radio, 8 min later'
    """
    if entry.alone:
        return "No other outlet seen saying this"
    if not entry.again:
        return ""
    first, number = entry.again[0], len(entry.again)
    outlet = outlet_name(first.source, first.url)
    if not outlet:
        return f"Also in {number} other article{'s' if number != 1 else ''}"
    passed = first.published_time - (entry.update.published_time or entry.update.time)
    when = (
        "at the same time"
        if not passed
        else f"{duration_words(passed)} {'later' if passed > 0 else 'earlier'}"
    )
    if number == 1:
        return f"Also reported by {outlet}, {when}"
    return f"Also reported by {number} outlets, first by {outlet}, {when}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
