"""Time expressions: the day, month, year or span that words speak of, resolved against the day of publication.

    "on Tuesday", published on Friday 26 July 2013   ->  2013-07-23
    "last month"                                     ->  2013-06
    "in March", after a sentence about 1831          ->  1831-03

Rules for English. What is written without a year is resolved against the *reference* where the text is telling of
another time (the last full date before it), else against the day of publication; weekdays look back, unless the words
around them look ahead. The value is written as in ISO 8601, at the precision of the words.
"""

from __future__ import annotations

import re
from datetime import date
from operator import itemgetter

from msgspec import Struct

from tidings.analysis.articles.time_cues import find_cues
from tidings.analysis.articles.time_resolution import Resolved, TimeContext, resolve_later, resolve_year
from tidings.analysis.articles.time_rules import RULES, TimeRule, is_year, rules_for

__all__ = ["TimeExpression", "TimeReader"]


class TimeExpression(Struct, frozen=True):
    """Words that speak of a time: characters start..end of the text, and the days that they mean, both included.

    `value` is the day (`2013-07-24`), month, year, or `first/last` of a span. `deictic` says that the words count from
    the day of publication (yesterday, last week), `explicit` that they hold their year themselves.
    """

    start: int
    end: int
    value: str
    first_day: date
    last_day: date
    deictic: bool = False
    explicit: bool = False


class TimeReader:
    """Reads the sentences of one document in their order and resolves the times that they speak of.

    Args:
        published: the day on which the document was published, as its readers count days.

    >>> reader = TimeReader(date(2013, 7, 26))
    >>> [one.value for one in reader.read("The train derailed on Wednesday; 80 died, the most since 1944.")]
    ['2013-07-24', '1944']
    >>> [one.value for one in reader.read("A court will hear the driver on Sunday.")]
    ['2013-07-28']
    >>> reader.read("Nothing of the kind.")
    []
    """

    def __init__(self, published: date) -> None:
        self.published = published
        self.reference: date | None = None
        self._dated: date | None = None

    def read(self, text: str, cues: int | None = None) -> list[TimeExpression]:
        """The time expressions of the next sentence, in their order; none overlaps another.

        `cues` are those of its words (`find_cues`), where they are known.
        """
        candidates = [
            (match.start(), -match.end(), number, match)
            for pattern, rules in rules_for(find_cues(text) if cues is None else cues)
            if pattern is None or pattern.search(text)
            for number, rule in rules
            for match in rule.pattern.finditer(text)
        ]
        if not candidates:
            return []
        candidates.sort(key=itemgetter(0, 1, 2))
        expressions = []
        last_end = 0
        for start, negative_end, number, match in candidates:
            if start < last_end:
                continue
            rule, end = RULES[number], -negative_end
            before, after = text[max(0, start - 80) : start], text[end : end + 40]
            context = TimeContext(self.published, self.reference, self._dated, before, after)
            if rule.resolve is resolve_year and not is_year(context):
                continue
            resolved = _resolved(rule, match, context)
            if resolved is None:
                continue
            value, first, last = resolved
            expressions.append(TimeExpression(start, end, value, first, last, rule.deictic, rule.explicit))
            last_end = end
            if rule.dated or rule.explicit or rule.resolve is resolve_later:
                self.reference = first
            if rule.dated or rule.resolve is resolve_later:
                self._dated = first
        return expressions


def _resolved(rule: TimeRule, match: re.Match[str], context: TimeContext) -> Resolved:
    try:
        return rule.resolve(match, context)
    except (OverflowError, ValueError):  # before the year 1 or after 9999
        return None
