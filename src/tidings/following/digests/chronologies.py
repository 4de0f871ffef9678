"""Chronologies among the documents of a story: articles whose lines begin with a date, and the day of each line.

    20 April: The rig explodes. | 22 April: It sinks. | The leak is found two days later. | 2011 | 3 January: …

A line without a year takes that of the line or heading before it, and the next one where the months begin again; before
any year is named, lines lie before the publication, each before the one that follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from msgspec import Struct

from tidings.analysis import MONTHS

_MONTH = "|".join(sorted(MONTHS, key=lambda name: (-len(name), name)))
_YEAR = r"(?:19|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_ENTRY = re.compile(
    rf"[\W_]{{0,6}}(?:(?P<before>{_YEAR})\b[ ,:.]{{0,3}})?(?:{_WEEKDAY}\b[ ,.]{{0,3}})?"
    rf"(?:(?P<day>{_DAY}) (?:of )?(?P<month>{_MONTH})\b\.?|(?P<month2>{_MONTH})\b\.? ?(?P<day2>{_DAY})\b(?!:))"
    rf"(?:[ ,]{{1,3}}(?P<after>{_YEAR})\b)?(?P<mark>\s*[:–—·-]+)?\s*",
    re.IGNORECASE,
)
_HEADING = re.compile(
    rf"[\W_]{{0,6}}(?:(?:{_MONTH})\b[ ,.]{{0,3}})?(?P<year>{_YEAR})\b[ :.–—-]{{0,4}}(?=[A-Z]|\Z)",
    re.IGNORECASE,
)
_FEWEST = 4
"""Lines with a date that make a chronology."""

_LEAST_SHARE = 0.1
"""Share of the sentences that begin with a date in a chronology."""

_LEAST_DISTINCT = 0.5
"""Days for each line with a date; the entries of a live page are of one day or two."""

_LEAST_ORDERED = 0.75
"""Share of its steps that go one way in time."""

_LONGEST_ENTRY = 4
"""Sentences that a line may have; what follows is no longer of its day."""


_KEPT_UP_DAYS = 183
"""Days for which a page may have been kept up to date behind its publication."""


class ChronologyLine(Struct, frozen=True):
    """A sentence of a chronology: the number of its day, and how many characters its date takes."""

    day: int
    start: int


class _Entry(Struct):
    place: int
    month: int
    day: int
    year: int
    start: int


def read_chronology(texts: Sequence[str], published: int) -> dict[int, ChronologyLine]:
    """For each sentence that a chronology tells under a day, that day; empty for other documents.

    Args:
        texts: the sentences of a document.
        published: the number of the day on which it was published.

    >>> texts = ["2010", "20 April: A rig explodes.", "22 April: It sinks.", "Oil leaks."]
    >>> texts += ["15 July: The well is capped.", "2011 3 January: A report is out."]
    >>> read = read_chronology(texts, date(2012, 5, 1).toordinal())
    >>> [(place, date.fromordinal(line.day).isoformat(), texts[place][line.start :]) for place, line in read.items()]
    ... # doctest: +NORMALIZE_WHITESPACE
    [(1, '2010-04-20', 'A rig explodes.'), (2, '2010-04-22', 'It sinks.'), (3, '2010-04-22', 'Oil leaks.'),
     (4, '2010-07-15', 'The well is capped.'), (5, '2011-01-03', 'A report is out.')]
    >>> read_chronology(["A ferry burnt on 3 May.", "On 4 May it sank."], 735000)
    {}
    """
    entries, years, breaks = _entries(texts)
    if len(entries) < max(_FEWEST, _LEAST_SHARE * len(texts)):
        return {}
    days = _days(entries, years, published)
    if len(set(days)) < max(_FEWEST, _LEAST_DISTINCT * len(days)):
        return {}
    steps = [later - earlier for earlier, later in pairwise(days)]
    rising, falling = (sum(step * way >= 0 for step in steps) for way in (1, -1))
    if max(rising, falling) < _LEAST_ORDERED * len(steps):
        return {}
    lines: dict[int, ChronologyLine] = {}
    ends = [*[entry.place for entry in entries[1:]], len(texts)]
    for entry, day, end in zip(entries, days, ends, strict=True):
        for place in range(entry.place, min(end, entry.place + _LONGEST_ENTRY)):
            if place > entry.place and place in breaks:
                break
            start = entry.start if place == entry.place else 0
            if place == entry.place + 1 and entry.start >= len(texts[entry.place].rstrip()):
                heading = _HEADING.match(texts[place])
                start = heading.end() if heading else 0
            lines[place] = ChronologyLine(day, start)
    return lines


def _entries(texts: Sequence[str]) -> tuple[list[_Entry], dict[int, int], set[int]]:
    # Lines with a date; years that are named, by sentence; headings, behind which no line goes on.
    entries: list[_Entry] = []
    years: dict[int, int] = {}
    breaks: set[int] = set()
    for place, text in enumerate(texts):
        match = _ENTRY.match(text[:80])
        if match is None:
            heading = _HEADING.match(text[:80])
            if heading is None:
                continue
            last = entries[-1] if entries else None
            if last is not None and last.place == place - 1 and last.start >= len(texts[place - 1].rstrip()):
                last.year = int(heading["year"])
                years[last.place] = last.year
            else:
                years[place] = int(heading["year"])
                breaks.add(place)
            continue
        month = MONTHS[(match["month"] or match["month2"]).lower()]
        day = int(re.sub(r"\D", "", match["day"] or match["day2"]))
        year = int(match["before"] or match["after"] or 0)
        entries.append(_Entry(place, month, day, year, match.end()))
        if year:
            years[place] = year
    return entries, years, breaks


def _days(entries: Sequence[_Entry], years: dict[int, int], published: int) -> list[int]:
    dates = [(entry.month, entry.day) for entry in entries]
    rising = sum(one <= other for one, other in pairwise(dates))
    if 2 * rising < len(dates) - 1 and not years:  # the latest first
        return _days(entries[::-1], years, published)[::-1]
    known: list[int] = []
    running, before, heading_at = 0, 0, sorted(years)
    for entry in entries:
        while heading_at and heading_at[0] <= entry.place:
            running, before = years[heading_at.pop(0)], 0
        if running and before > entry.month + 1:
            running += 1
        before = entry.month
        known.append(entry.year or running)
    # A page that was kept up to date speaks of days after its publication, too.
    limit, behind = date.fromordinal(published + _KEPT_UP_DAYS), False
    for place in reversed(range(len(entries))):
        month, day = dates[place]
        if not known[place]:
            later = month > limit.month + 1 if behind else dates[place] > (limit.month, limit.day)
            known[place] = limit.year - later
        limit, behind = _date(known[place], month, day), True
    return [_date(year, *when).toordinal() for year, when in zip(known, dates, strict=True)]


def _date(year: int, month: int, day: int) -> date:
    while True:
        try:
            return date(max(year, 1), month, day)
        except ValueError:  # 30 February
            day -= 1
