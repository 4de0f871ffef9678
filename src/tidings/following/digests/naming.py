"""Which days a sentence names, and whether it tells of them as something still to come."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tidings.analysis import TimeExpression

__all__ = ["is_of_other_times", "looks_ahead", "named_days"]

_AHEAD = re.compile(
    r"\b(?:will|would|shall|due|plan\w*|expect\w*|schedul\w*|next|until|till|set to|to be|(?:is|are|was|were) to"
    r"|going to|ahead of|tomorrow|coming|upcoming)\b|'ll\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\Z", re.IGNORECASE)


def looks_ahead(text: str) -> bool:
    """Whether a sentence holds words of what is to come.

    >>> looks_ahead("Ministers are due to meet on Friday ."), looks_ahead("Ministers met on Friday .")
    (True, False)
    """
    return _AHEAD.search(text) is not None


def named_days(text: str, times: Sequence[TimeExpression], published: int) -> tuple[int, ...]:
    """The days that time expressions of a sentence mean, each once, in rising order; months and years are no days.

    A weekday that was resolved to a day after the publication is the one before it where nothing looks ahead ("leaking
    from a rig that sank on Thursday").
    """
    days = set()
    for time in times:
        if time.first_day != time.last_day:
            continue
        day = time.first_day.toordinal()
        if (
            published < day <= published + 7
            and _WEEKDAY.match(text[time.start : time.end])
            and not looks_ahead(text)
        ):
            day -= 7
        days.add(day)
    return tuple(sorted(days))


def is_of_other_times(times: Sequence[TimeExpression], published: int) -> bool:
    """Whether time expressions speak of other times alone: none holds the day of publication or the day before.

    >>> from datetime import date
    >>> from tidings.analysis.articles.time_expressions import TimeReader
    >>> day = date(2013, 7, 26)
    >>> [is_of_other_times(TimeReader(day).read(text), day.toordinal()) for text in ("It opened in 1983.", "It opens.")]
    [True, False]
    """
    return bool(times) and not any(
        time.first_day.toordinal() <= published and time.last_day.toordinal() >= published - 1
        for time in times
    )
