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
from functools import lru_cache
from operator import itemgetter

from msgspec import Struct

from tidings.analysis.articles.time_resolution import (
    Resolve,
    Resolved,
    TimeContext,
    resolve_ago,
    resolve_century,
    resolve_day_word,
    resolve_decade,
    resolve_end_of_year,
    resolve_full_date,
    resolve_hence,
    resolve_holiday,
    resolve_iso_date,
    resolve_later,
    resolve_month_alone,
    resolve_month_and_day,
    resolve_month_and_year,
    resolve_season,
    resolve_weekday,
    resolve_which_unit,
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

_D = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_Y = r"(?P<year>1\d{3}|20\d{2})"
_M = rf"(?P<month>{MONTH_PATTERN})"
_WD = rf"(?:{WEEKDAY_PATTERN}\s*,?\s+)?"
_NOT_IN_NUMBER = r"(?<![\d$£€#,.:/-])(?<![A-Z]-)"


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


def _cue(*needs: int, pattern: str = "") -> TimeCue:
    return TimeCue(needs, re.compile(pattern) if pattern else None)


def _pair(pair: Pair) -> int:
    return int(pair) << CUE_BITS


_MONTH_CUE = _cue(Cue.MONTH)
_MONTH_DAY_CUE = _cue(_pair(Pair.MONTH_DAY))
_DAY_MONTH_CUE = _cue(_pair(Pair.DAY_MONTH))
_MONTH_DAY_YEAR_CUE = _cue(_pair(Pair.MONTH_DAY) | Cue.YEAR)
_DAY_MONTH_YEAR_CUE = _cue(_pair(Pair.DAY_MONTH) | Cue.YEAR)
_MONTH_AND_YEAR_CUE = _cue(Cue.MONTH | Cue.YEAR)
_YEAR_CUE = _cue(Cue.YEAR)
_DAY_CUE = _cue(Cue.WEEKDAY)
_WORD_CUE = _cue(Cue.DAY_WORD, _pair(Pair.WHICH_PART_OF_DAY))
_AGO_CUE = _cue(_pair(Pair.UNIT_AGO))
_HENCE_CUE = _cue(_pair(Pair.UNIT_TIME))
_LATER_CUE = _cue(_pair(Pair.UNIT_LATER))
_UNIT_CUE = _cue(_pair(Pair.WHICH_UNIT), pattern=r"(?i)(?:year|month|week|day)s?\b")
_SEASON_CUE = _cue(_pair(Pair.WHICH_SEASON), Cue.SEASON | Cue.YEAR)
_DECADE_CUE = _cue(Cue.DECADE, _pair(Pair.DECADE_S), pattern=r"\d0\s?['’]?s|(?i:ties\b)")
_CENTURY_CUE = _cue(Cue.CENTURY)
_END_CUE = _cue(Cue.END | Cue.THE_YEAR)
_HOLIDAY_CUE = _cue(Cue.HOLIDAY)
_ERA_CUE = _cue(Cue.ERA, _pair(Pair.ERA_YEAR), pattern=r"\bAD\b|\bc\. ?\d|\byear \d")


class TimeRule(Struct, frozen=True):
    """How one kind of expression is found and resolved; `cue` is what a sentence must hold to be asked at all."""

    cue: TimeCue
    pattern: re.Pattern[str]
    resolve: Resolve
    deictic: bool = False
    explicit: bool = False
    dated: bool = False


def _rule(
    cue: TimeCue, pattern: str, resolve: Resolve, kinds: str = "", flags: re.RegexFlag = re.NOFLAG
) -> TimeRule:
    words = kinds.split()
    return TimeRule(
        cue, re.compile(pattern, flags), resolve, "deictic" in words, "explicit" in words, "dated" in words
    )


# Of two that begin at one place the longer wins, then the earlier.
RULES = (
    _rule(_MONTH_DAY_YEAR_CUE, rf"{_WD}{_M}\s+{_D}\s*,?\s+{_Y}\b", resolve_full_date, "explicit dated"),
    _rule(
        _DAY_MONTH_YEAR_CUE,
        rf"{_WD}(?:the\s+)?{_D}(?:\s+(?:day\s+)?of)?\s+{_M}\s*,?\s+{_Y}\b",
        resolve_full_date,
        "explicit dated",
    ),
    _rule(
        _YEAR_CUE,
        r"\b(?P<year>1\d{3}|20\d{2})-(?P<mm>0\d|1[0-2])-(?P<day>[0-3]\d)\b",
        resolve_iso_date,
        "explicit dated",
    ),
    _rule(_MONTH_AND_YEAR_CUE, rf"\b{_M}\s*,?\s+(?:of\s+)?{_Y}\b", resolve_month_and_year, "explicit dated"),
    _rule(_MONTH_DAY_CUE, rf"{_WD}\b{_M}\s+{_D}\b(?![,.:]?\d)", resolve_month_and_day, "dated"),
    _rule(
        _DAY_MONTH_CUE,
        rf"{_WD}(?:\bthe\s+)?(?<![\d.,:]){_D}(?:\s+(?:day\s+)?of)?\s+{_M}(?![a-z])",
        resolve_month_and_day,
        "dated",
    ),
    _rule(
        _MONTH_CUE,
        rf"\b(?:(?P<which>[Ll]ast|[Nn]ext|this past|this coming)\s+(?:uh\s+)?)?{_M}"
        r"(?![a-z]|\s+(?:I|we|you|he|she|it|they|be|not|have)\b)",
        resolve_month_alone,
    ),
    _rule(
        _DAY_CUE,
        rf"\b(?:(?P<which>[Ll]ast|[Nn]ext|this past|this coming|[Tt]his)\s+)?(?P<weekday>{WEEKDAY_PATTERN})(?![a-z])",
        resolve_weekday,
        "deictic",
    ),
    _rule(
        _WORD_CUE,
        r"\b(?:the day before yesterday|the day after tomorrow"
        r"|(?:tomorrow|yesterday)(?:\s+(?:morning|afternoon|evening|night))?"
        r"|(?:earlier|later) today|today|tonight|this (?:morning|afternoon|evening|day)|last night|overnight)\b",
        resolve_day_word,
        "deictic",
        re.IGNORECASE,
    ),
    _rule(
        _AGO_CUE,
        rf"\b(?P<number>{NUMBER_PATTERN})(?P<half>\s+and\s+a\s+half)?[ -]+(?P<unit>{UNIT_PATTERN})\s+ago\b",
        resolve_ago,
        "deictic",
        re.IGNORECASE,
    ),
    _rule(
        _HENCE_CUE,
        rf"\bin\s+(?P<number>{NUMBER_PATTERN})\s+(?P<unit>{UNIT_PATTERN})(?:'s?)?\s+time\b",
        resolve_hence,
        "deictic",
        re.IGNORECASE,
    ),
    _rule(
        _LATER_CUE,
        rf"\b(?P<number>{NUMBER_PATTERN})\s+(?P<unit>{UNIT_PATTERN})\s+(?P<way>later|earlier|before|after)\b",
        resolve_later,
        "",
        re.IGNORECASE,
    ),
    _rule(
        _UNIT_CUE,
        r"\b(?P<which>this coming|this past|last|next|this|that(?: same)?|the same|the following|the previous|the next"
        r"|the last)\s+(?P<unit>years?|month|weekend|week|day)\b",
        resolve_which_unit,
        "deictic",
        re.IGNORECASE,
    ),
    _rule(
        _SEASON_CUE,
        rf"\b(?P<which>)(?:the\s+)?(?P<season>spring|summer|autumn|fall|winter)\s+(?:of\s+)?{_Y}\b",
        resolve_season,
        "explicit",
        re.IGNORECASE,
    ),
    _rule(
        _SEASON_CUE,
        r"\b(?P<which>last|next|this past|this coming|this)\s+(?P<season>spring|summer|autumn|fall|winter)(?P<year>)\b",
        resolve_season,
        "deictic",
        re.IGNORECASE,
    ),
    _rule(
        _DECADE_CUE,
        r"\b(?:the\s+)?(?:(?P<part>early|mid|late|later)[- ]+)?(?:the\s+)?(?:(?P<year>1\d{2}0|20\d0)\s?['’]?s\b(?!\s)|"
        r"(?P<again>1\d{2}0|20\d0)s\b|(?P<word>" + "|".join(DECADE_WORDS) + r")\b)",
        resolve_decade,
        "explicit",
        re.IGNORECASE,
    ),
    _rule(
        _CENTURY_CUE,
        r"\b(?:the\s+)?(?:(?P<number>\d{1,2})(?:st|nd|rd|th)|(?P<word>eighteenth|nineteenth|twentieth|twenty-first))"
        r"[\s-]+[Cc]entury\b",
        resolve_century,
        "explicit",
    ),
    _rule(
        _END_CUE,
        r"\b(?:the\s+)?end\s+of\s+(?:the|this)\s+year\b|\byear[- ]end\b",
        resolve_end_of_year,
        "",
        re.IGNORECASE,
    ),
    _rule(
        _HOLIDAY_CUE,
        r"\b(?P<holiday>Christmas Day|Christmas Eve|New Year['’]s (?:Day|Eve)|Boxing Day|May Day|9/11)"
        rf"(?:\s*,?\s+{_Y})?\b",
        resolve_holiday,
    ),
    _rule(
        _YEAR_CUE,
        rf"{_NOT_IN_NUMBER}\b(?:the\s+year\s+)?{_Y}\b"
        r"(?![,.]\d|-(?:year|day|mile|foot|strong)|\s*(?:%|per\s?cent|°|am\b|pm\b|GMT|BST|local|hours|hrs))",
        resolve_year,
        "explicit",
    ),
    _rule(_ERA_CUE, r"\b(?:AD ?|c\. ?|the year )(?P<year>\d{2,3})\b(?![,.]?\d)", resolve_year, "explicit"),
)

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
