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
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from operator import itemgetter

from msgspec import Struct

from tidings.analysis.articles import time_resolution
from tidings.analysis.articles.time_resolution import (
    Resolve,
    Resolved,
    TimeContext,
    resolve_later,
    resolve_year,
)
from tidings.analysis.articles.time_words import (
    CUE_BITS,
    DECADE_WORDS,
    MONTH_PATTERN,
    NUMBER_PATTERN,
    UNIT_PATTERN,
    WEEKDAY_PATTERN,
    Cue,
    Pair,
    find_cues,
)
from tidings.core import data_beside, fill_references


class TimeCue(Struct, frozen=True):
    """What a sentence must hold for a rule to be asked.

    Its words must hold all cues of one of `needs` (see `tidings.analysis.articles.time_words`), and the text, where
    that alone says too little, what `pattern` finds.
    """

    needs: tuple[int, ...]
    pattern: re.Pattern[str] | None = None

    def is_met(self, cues: int) -> bool:
        """Whether the words of a sentence, which hold these cues together, hold what is needed."""
        return any(cues & need == need for need in self.needs)


class TimeRule(Struct, frozen=True):
    """How one kind of expression is found and resolved; `cue` is what a sentence must hold to be asked at all."""

    cue: TimeCue
    pattern: re.Pattern[str]
    resolve: Resolve
    deictic: bool = False
    explicit: bool = False
    dated: bool = False


_DATA = data_beside(__file__)
_BITS = {cue.name: int(cue) for cue in Cue} | {pair.name: int(pair) << CUE_BITS for pair in Pair}


def _read_rules() -> Iterator[TimeRule]:
    parts = _DATA["parts"] | {
        "month": f"(?P<month>{MONTH_PATTERN})",
        "weekday": WEEKDAY_PATTERN,
        "weekday_before": rf"(?:{WEEKDAY_PATTERN}\s*,?\s+)?",
        "number": NUMBER_PATTERN,
        "unit": UNIT_PATTERN,
        "decade": "|".join(DECADE_WORDS),
    }
    cues = {}
    for name, needs in _DATA["cues"].items():
        bits = tuple(sum(_BITS[cue] for cue in need.split()) for need in needs)
        seen = _DATA["seen"].get(name)
        cues[name] = TimeCue(bits, re.compile(seen) if seen else None)
    for rule in _DATA["rules"]:
        pattern = re.compile(
            fill_references(rule["pattern"], parts), re.IGNORECASE if rule.get("any_case") else re.NOFLAG
        )
        resolve: Resolve = getattr(time_resolution, f"resolve_{rule['resolve']}")
        kinds = rule.get("kinds", "").split()
        yield TimeRule(cues[rule["cue"]], pattern, resolve, **dict.fromkeys(kinds, True))


RULES = tuple(_read_rules())

_CUED_RULES = tuple(
    (cue, tuple((number, rule) for number, rule in enumerate(RULES) if rule.cue is cue))
    for cue in dict.fromkeys(rule.cue for rule in RULES)
)

CuedRules = tuple[tuple[re.Pattern[str] | None, tuple[tuple[int, TimeRule], ...]], ...]


@lru_cache(maxsize=4_096)
def rules_for(cues: int) -> CuedRules:
    """The rules to be asked of a sentence whose words hold these cues, with their numbers.

    They come in groups, each behind what the text must hold besides.
    """
    return tuple((cue.pattern, rules) for cue, rules in _CUED_RULES if cue.is_met(cues))


_COUNTED = r"people|civilians|troops|soldiers|barrels|homes|miles|feet|jobs|tonnes|cases"
_COUNTED_NOUN = re.compile(rf"\s+(?:{_COUNTED}|[a-z]+s\b)")
_COUNTED_AFTER_ALL = re.compile(rf"\s+(?:{_COUNTED})\b")
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|of|since|by|during|from|to|until|till|before|after|and|between|for|early|late|mid|through|around|about"
    r"|circa|year|the|[A-Z][a-z]+)\s+|[(\[,–—'’-]\s*|^\s*)$"
)


def is_year(context: TimeContext) -> bool:
    """Whether four digits are a year: what stands before says so, or nothing that is counted stands behind."""
    if _YEAR_BEFORE.search(context.before):
        return not _COUNTED_AFTER_ALL.match(context.after)
    return not _COUNTED_NOUN.match(context.after)


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
            before, after = text[max(0, start - 120) : start], text[end : end + 40]
            context = TimeContext(self.published, self.reference, self._dated, before, after)
            if rule.resolve is resolve_year and not is_year(context):
                continue
            resolved = _resolve(rule, match, context)
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


def _resolve(rule: TimeRule, match: re.Match[str], context: TimeContext) -> Resolved:
    try:
        return rule.resolve(match, context)
    except (
        OverflowError,
        ValueError,
        KeyError,
    ):  # before the year 1, after 9999, or a word of no table: `wınter`
        return None
