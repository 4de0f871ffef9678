"""Tracked values for readers: each number as reported, with its range and its sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tidings.core import Clock, Event, Evidence, ValueUpdate, clean

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["LABELS", "CurrentValue", "current_values", "print_values", "show_value", "shown_number"]

LABELS = {
    "deaths": "dead",
    "injuries": "injured",
    "missing": "missing",
    "displaced": "displaced",
    "arrested": "arrested",
    "financialimpact": "in damage",
    "location": "",
}
"""What readers call each attribute, in the order in which they want to know it."""

_MOST_SOURCES = 3
_MOST_BEFORE = 6


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
    order = {attribute: place for place, attribute in enumerate(LABELS)}
    return [
        _current(attribute, by_attribute[attribute])
        for attribute in sorted(by_attribute, key=lambda one: (order.get(one, len(order)), one))
    ]


def _current(attribute: str, values: Sequence[ValueUpdate]) -> CurrentValue:
    last = values[-1]
    others = ""
    if len(last.reported) == 2:
        low, high = (shown_number(attribute, (number,)) for number in last.reported)
        others = f"{low} – {high} reported"
    sources = dict.fromkeys(clean(one.source) for one in last.evidence if one.source)
    return CurrentValue(
        attribute=attribute,
        label=_degrees(last.value) if attribute == "location" else LABELS.get(attribute, clean(attribute)),
        number=_shown(last),
        others=others,
        confidence=last.confidence,
        since=last.time,
        evidence=last.evidence,
        sources=tuple(sources)[:_MOST_SOURCES],
        series=tuple((value.time, _shown(value)) for value in values),
    )


def _shown(value: ValueUpdate) -> str:
    if value.attribute == "location":
        return clean(value.place) or "a place at"
    return shown_number(value.attribute, value.value)


def _degrees(value: Sequence[float]) -> str:
    if len(value) != 2:
        return ""
    (north, east), sides = value, (("N", "S"), ("E", "W"))
    shown = [
        f"{abs(number):.2f}° {side[number < 0]}" for number, side in zip((north, east), sides, strict=True)
    ]
    return f"({', '.join(shown)})"


def shown_number(attribute: str, value: Sequence[float]) -> str:
    """A value as readers write it.

    >>> shown_number("deaths", (1234.0,)), shown_number("financialimpact", (2.5e9,))
    ('1,234', '$2.5 billion')
    """
    if attribute == "location":
        return ", ".join(f"{number:.2f}" for number in value)
    number = value[0]
    if attribute != "financialimpact":
        return f"{number:,.0f}"
    for scale, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= scale:
            return f"${number / scale:.3g} {name}"
    return f"${number:,.0f}"


def show_value(console: Console, event: Event | None, value: ValueUpdate) -> None:
    """Print a value as it changes, while a run goes on; `event` where several are followed."""
    from rich.text import Text

    name = f"{clean(event.title or event.id)}: " if event is not None else ""
    moment = Clock().moment(value.time)
    console.print(
        Text(f"{moment}  {name}{_current(value.attribute, [value]).words}", "bold"), highlight=False
    )


def print_values(console: Console, values: Iterable[ValueUpdate]) -> None:
    """Print what is known now, a line for each attribute."""
    from rich.text import Text

    for current in current_values(values):
        console.print(Text(current.words, "bold"), highlight=False)
