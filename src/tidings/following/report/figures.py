"""The figures that stand, with their ranges and who reports them, and who else says what an update says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tidings.analysis import currency_of, sum_in_words
from tidings.core import (
    ATTRIBUTES,
    Clock,
    Event,
    Evidence,
    Update,
    ValueUpdate,
    clean,
    duration_words,
    safe_url,
)
from tidings.following.report.timeline import Entry, TimelineReport
from tidings.following.values.stated import label_of

if TYPE_CHECKING:
    from rich.console import Console


_MOST_STATING = 3  # sources named with a figure
_MOST_BEFORE = 6  # earlier numbers shown with one


@dataclass(frozen=True, slots=True)
class CurrentValue:
    """One attribute as it stands: `number` as printed, `others` the range that is reported, and who says so.

    `series` are all values so far with their times, the current one last; `since` is when it became current.
    """

    attribute: str
    label: str
    number: str
    others: str
    confidence: float
    since: int
    evidence: tuple[Evidence, ...]
    sources: tuple[str, ...]
    series: tuple[tuple[int, str], ...]

    @property
    def hint(self) -> str:
        """The range and the sources, in a few words."""
        return "; ".join(part for part in (self.others, ", ".join(self.sources)) if part) or "as reported"

    @property
    def earlier(self) -> str:
        """What the value was before, up to six times, with arrows."""
        before = [number for _, number in self.series[:-1]][-_MOST_BEFORE:]
        return " → ".join(before)

    @property
    def words(self) -> str:
        """`78 dead reported (77 – 80; Reuters, BBC)`.

        >>> said = ValueUpdate("e", 60, "deaths", (78.0,), evidence=(Evidence("d", 0, source="BBC"),))
        >>> current_values([said])[0].words
        '78 dead reported (BBC)'
        >>> said = ValueUpdate("e", 60, "deaths", (28.0,), reported=(28.0, 31.0), qualifier="at least")
        >>> current_values([said])[0].words
        'at least 28 dead reported (reports differ: 28 to 31)'
        """
        inside = "; ".join(part for part in (self.others, ", ".join(self.sources)) if part)
        return f"{self.number} {self.label} reported" + (f" ({inside})" if inside else "")


def current_values(values: Iterable[ValueUpdate]) -> list[CurrentValue]:
    """The last value of each attribute of one event, deaths first; what is not tracked by readers comes last.

    >>> said = [ValueUpdate("e", 60 * n, "deaths", (float(n),)) for n in (2, 3)]
    >>> [(one.number, one.series) for one in current_values(said)]
    [('3', ((120, '2'), (180, '3')))]
    >>> current_values([ValueUpdate("e", 60, "location", (42.88, -8.545), place="Santiago, Spain")])[0].words
    'Santiago, Spain (42.88° N, 8.54° W) reported'
    """
    by_attribute: dict[str, list[ValueUpdate]] = {}
    for value in values:
        by_attribute.setdefault(value.attribute, []).append(value)
    order = {attribute: place for place, attribute in enumerate(ATTRIBUTES)}
    return [
        _current(attribute, by_attribute[attribute])
        for attribute in sorted(by_attribute, key=lambda name: (order.get(name, len(order)), name))
    ]


def _current(attribute: str, values: Sequence[ValueUpdate]) -> CurrentValue:
    last = values[-1]
    sources = dict.fromkeys(clean(evidence.source) for evidence in last.evidence if evidence.source)
    return CurrentValue(
        attribute=attribute,
        label=_degrees(last.value) if attribute == "location" else label_of(attribute),
        number=shown_number(last),
        others=shown_range(last),
        confidence=last.confidence,
        since=last.time,
        evidence=last.evidence,
        sources=tuple(sources)[:_MOST_STATING],
        series=tuple((value.time, shown_number(value)) for value in values),
    )


def _degrees(value: Sequence[float]) -> str:
    if len(value) != 2:
        return ""
    (north, east), sides = value, (("N", "S"), ("E", "W"))
    shown = [
        f"{abs(number):.2f}° {side[number < 0]}" for number, side in zip((north, east), sides, strict=True)
    ]
    return f"({', '.join(shown)})"


def shown_number(value: ValueUpdate) -> str:
    """A value as readers write it, how sure it is included; money in the currency in which it was said.

    >>> shown_number(ValueUpdate("e", 60, "deaths", (1234.0,), qualifier="at least"))
    'at least 1,234'
    >>> said = Evidence("d", 0, "The strike cost the port about 120 million euros.")
    >>> shown_number(ValueUpdate("e", 60, "financialimpact", (156e6,), evidence=(said,)))
    '€120 million'
    """
    if value.attribute == "location":
        return clean(value.place) or "a place at"
    return f"{value.qualifier} {_in_words(value, value.value[0])}".strip()


def shown_range(value: ValueUpdate) -> str:
    """Between which numbers the reports of a value are; empty where they agree."""
    if len(value.reported) != 2:
        return ""
    low, high = (_in_words(value, number) for number in value.reported)
    return f"reports differ: {low} to {high}"


def _in_words(value: ValueUpdate, number: float) -> str:
    if value.attribute != "financialimpact":
        return f"{number:,.0f}"
    said = [evidence.text for evidence in reversed(value.evidence)]
    return sum_in_words(number, currency_of(value.value[0], said))


def show_value(console: Console, event: Event | None, value: ValueUpdate) -> None:
    """Print a value as it changes, while a run goes on; `event` where several are followed."""
    from rich.text import Text

    name = f"{clean(event.title or event.id)}: " if event is not None else ""
    moment = Clock().moment(value.time)
    console.print(
        Text(f"{moment}  {name}{_current(value.attribute, [value]).words}", "bold"), highlight=False
    )


_MOST_SOURCES = 3  # outlets named with an update


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
        outlets = _list_words([source.outlet for source in self.sources if source.outlet])
        by = f" by {outlets}" if outlets else ""
        moment = f"{clock.short_day(self.since)} {clock.hour(self.since)}"
        others = f" ({self.others})" if self.others else ""
        return f"{self.number} {self.label}, as reported{by}, {moment}{others}"


def known_figures(timeline: TimelineReport) -> list[KnownFigure]:
    """The figures that stand at the end."""
    return [
        KnownFigure(
            current.attribute,
            current.number,
            current.label,
            current.others,
            current.since,
            _distinct([source_of(evidence) for evidence in current.evidence]),
            tuple(
                Step(
                    value.time, shown_number(value), source_of(value.evidence[0]) if value.evidence else None
                )
                for value in timeline.values
                if value.attribute == current.attribute
            ),
        )
        for current in current_values(timeline.values)
    ]


def _distinct(sources: Sequence[StatedSource]) -> tuple[StatedSource, ...]:
    by_outlet: dict[str, StatedSource] = {}
    for source in sources:
        by_outlet.setdefault(source.outlet, source)
    return tuple(by_outlet.values())[:_MOST_SOURCES]


def source_of(source: Update | Evidence) -> StatedSource:
    """Who says this sentence."""
    return StatedSource(
        outlet_name(source.source, source.url),
        clean(source.title),
        safe_url(source.url),
        source.published_time,
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
    """Who broke it, and who repeated it: `Repeated by 3 outlets, first by NewsHeap 8 min later`; "" where unknown.

    >>> from tidings.following.report.timeline import CasualtiesSoFar
    >>> none, said = CasualtiesSoFar(), Update("e", "a", 0, 60, text="Fire.", published_time=60, source="Wire")
    >>> again = (Evidence("b", 0, "Fire!", 540, "Coast Radio"), Evidence("c", 2, "Fire.", 900, "Post"))
    >>> support_words(Entry(1, said, "Fire.", (), none, none, again=again))
    'Repeated by 2 outlets, first by Coast Radio, 8 min later'
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
    if passed < 0:
        words = f"{outlet} broke it, {duration_words(passed)} earlier"
        return f"{words}; repeated by {number} outlets" if number > 1 else words
    when = f"{duration_words(passed)} later" if passed else "at the same time"
    if number == 1:
        return f"Repeated by {outlet}, {when}"
    return f"Repeated by {number} outlets, first by {outlet}, {when}"


def _list_words(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
