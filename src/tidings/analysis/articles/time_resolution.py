"""How each kind of time expression is resolved: from its words, the day of publication and the times named before."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from msgspec import Struct

from tidings.analysis.articles.time_words import (
    DAY_WORDS,
    DECADE_WORDS,
    HOLIDAYS,
    MONTHS,
    SEASONS,
    WEEKDAYS,
    number_of,
)


class TimeContext(Struct):
    """What an expression is resolved against: publication, the last time and the last day named, the words around."""

    published: date
    reference: date | None
    dated: date | None
    before: str
    after: str


Resolved = tuple[str, date, date] | None
Resolve = Callable[[re.Match[str], TimeContext], Resolved]

_AHEAD = re.compile(
    r"\b(?:will|would|shall|due|plan\w*|expect\w*|schedul\w*|next|until|till|by|from|starting|beginning|set to|to be"
    r"|is to|are to|going to|'ll|ahead of|before|later)\b[^.;]{0,60}$"
    r"|\b(?:scheduled to|due to|set to|agree[sd]? to (?!the\b))[^.;]{0,100}$",
    re.IGNORECASE,
)
_FAR_D = 400
"""Days by which a date must lie before publication for what follows to be counted from it."""


def _day(day: date) -> Resolved:
    return day.isoformat(), day, day


def _month(year: int, month: int) -> Resolved:
    if not 1 <= year <= 9998:
        return None
    first = date(year, month, 1)
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(1)
    return f"{year:04d}-{month:02d}", first, last


def _year(year: int) -> Resolved:
    if not 1 <= year <= 9998:
        return None
    return f"{year:04d}", date(year, 1, 1), date(year, 12, 31)


def _span(first: date, last: date) -> Resolved:
    return f"{first.isoformat()}/{last.isoformat()}", first, last


def _safe(year: int, month: int, day: int) -> Resolved:
    try:
        return _day(date(year, month, day))
    except ValueError:
        return None


def _month_number(text: str) -> int:
    return MONTHS[text.rstrip(".").lower()]


def _past_reference(context: TimeContext) -> date | None:
    reference = context.dated
    if reference is not None and abs((context.published - reference).days) > _FAR_D:
        return reference
    return None


def _nearest_year(month: int, day: int, context: TimeContext) -> int:
    """The year that puts a day nearest to the publication, or the one that the text is telling of."""
    reference = _past_reference(context)
    if reference is not None:
        return reference.year
    published = context.published
    ahead = bool(_AHEAD.search(context.before))

    def distance(year: int) -> float:
        try:
            days = (date(year, month, min(day, 28)) - published).days
        except ValueError:
            return 1e9
        return abs(days) if (days > 0) == ahead else abs(days) * 1.25

    return min((published.year - 1, published.year, published.year + 1), key=distance)


def resolve_full_date(match: re.Match[str], context: TimeContext) -> Resolved:
    """The day that is written whole: `24 July 2013`."""
    parts = match.groupdict()
    return _safe(int(parts["year"]), _month_number(parts["month"]), int(parts["day"]))


def resolve_iso_date(match: re.Match[str], context: TimeContext) -> Resolved:
    """The day that is written as in ISO 8601."""
    return _safe(int(match["year"]), int(match["mm"]), int(match["day"]))


def resolve_month_and_year(match: re.Match[str], context: TimeContext) -> Resolved:
    """A month of a year: `March 2011`."""
    return _month(int(match["year"]), _month_number(match["month"]))


def resolve_month_and_day(match: re.Match[str], context: TimeContext) -> Resolved:
    """A day without its year: that of the time named last, else the nearest."""
    month, day = _month_number(match["month"]), int(match["day"])
    return _safe(_nearest_year(month, day, context), month, day)


def resolve_month_alone(match: re.Match[str], context: TimeContext) -> Resolved:
    """A month without its year: `last August`, `in March`."""
    month = _month_number(match["month"])
    word = (match["which"] or "").lower()
    published = context.published
    if word in {"last", "this past"}:
        return _month(published.year - (month >= published.month), month)
    if word in {"next", "this coming"}:
        return _month(published.year + (month <= published.month), month)
    return _month(_nearest_year(month, 15, context), month)


def resolve_weekday(match: re.Match[str], context: TimeContext) -> Resolved:
    """The weekday on or before the day of publication; the next one where the words look ahead."""
    number = WEEKDAYS[match["weekday"].lower()]
    word = (match["which"] or "").lower()
    published = context.published
    back = (published.weekday() - number) % 7
    if word in {"last", "this past"}:
        return _day(published - timedelta(back or 7))
    if word in {"next", "this coming"} or (not word and _AHEAD.search(context.before)):
        ahead = (number - published.weekday()) % 7
        return _day(published + timedelta(ahead or (7 if word else 0)))
    return _day(published - timedelta(back))


def resolve_day_word(match: re.Match[str], context: TimeContext) -> Resolved:
    """A word for a day near that of publication: `yesterday`."""
    words = " ".join(match[0].lower().split())
    words = re.sub(r"\b(tomorrow|yesterday) (?:morning|afternoon|evening|night)\b", r"\1", words)
    return _day(context.published + timedelta(DAY_WORDS[words.removesuffix("'s").strip()]))


def _shift_months(day: date, months: int) -> tuple[int, int]:
    count = day.year * 12 + day.month - 1 + months
    return count // 12, count % 12 + 1


def _move(anchor: date, number: float, unit: str, sign: int) -> Resolved:
    unit = unit.lower().rstrip("s")
    if unit in {"minute", "hour"}:
        return _day(anchor + timedelta(sign * int(number * (1 / 24 if unit == "hour" else 1 / 1440))))
    if unit in {"day", "week", "fortnight"}:
        days = {"day": 1, "week": 7, "fortnight": 14}[unit]
        return _day(anchor + timedelta(sign * round(number * days)))
    if unit == "month":
        year, month = _shift_months(anchor, sign * round(number))
        return _month(year, month)
    years = number * (10 if unit == "decade" else 1)
    if years != int(years):
        year, month = _shift_months(anchor, sign * round(years * 12))
        return _month(year, month)
    return _year(anchor.year + sign * int(years))


def resolve_ago(match: re.Match[str], context: TimeContext) -> Resolved:
    """So many units before the day of publication."""
    number = number_of(match["number"]) + (0.5 if match["half"] else 0.0)
    return _move(context.published, number, match["unit"], -1)


def resolve_hence(match: re.Match[str], context: TimeContext) -> Resolved:
    """So many units after the day of publication."""
    return _move(context.published, number_of(match["number"]), match["unit"], 1)


_NAMED_BEHIND = re.compile(r"\s+[\w\"'“‘]")


def resolve_later(match: re.Match[str], context: TimeContext) -> Resolved:
    """So many units before or after the time named last; None where what it is before or after stands behind."""
    if match["way"].lower() in {"before", "after"} and _NAMED_BEHIND.match(context.after):
        return None  # 27 hours after the earthquake: whenever that was
    sign = -1 if match["way"].lower() in {"earlier", "before"} else 1
    anchor = context.reference or context.published
    return _move(anchor, number_of(match["number"]), match["unit"], sign)


def resolve_which_unit(match: re.Match[str], context: TimeContext) -> Resolved:
    """This, the last or the next week, month, year: of the publication, or of the time named last."""
    word, unit = match["which"].lower(), match["unit"].lower()
    published = context.published
    anchor = published
    if word.startswith(("that", "the same", "same", "the following", "the previous", "the next", "the")):
        anchor = context.reference or published
    step = {"last": -1, "next": 1, "the last": -1, "this coming": 1, "the following": 1, "the previous": -1}
    step |= {"the next": 1, "previous": -1, "following": 1}
    move = step.get(word, 0)
    if unit == "year":
        return _year(anchor.year + move)
    if unit == "month":
        return _month(*_shift_months(anchor, move))
    if unit == "day":
        return _day(anchor + timedelta(move))
    if unit == "week":
        monday = anchor - timedelta(anchor.weekday()) + timedelta(7 * move)
        return _span(monday, monday + timedelta(6))
    if unit == "weekend":
        if move >= 0 and word != "next" and anchor.weekday() < 3 and not _AHEAD.search(context.before):
            move = -1
        saturday = anchor - timedelta(anchor.weekday()) + timedelta(5 + 7 * move)
        return _span(saturday, saturday + timedelta(1))
    return None


def resolve_season(match: re.Match[str], context: TimeContext) -> Resolved:
    """A season of a year, or this, the last or the next one."""
    first, last = SEASONS[match["season"].lower()]
    word = (match["which"] or "").lower()
    published = context.published
    year = int(match["year"]) if match["year"] else published.year
    if not match["year"]:
        if word in {"last", "this past"} and published.month <= last:
            year -= 1
        elif word in {"next", "this coming"} and published.month >= first:
            year += 1
    begin, end = _month(year, first), _month(year + (last < first), last)
    return _span(begin[1], end[2]) if begin and end else None


def resolve_decade(match: re.Match[str], context: TimeContext) -> Resolved:
    """A decade, or the early, middle or late part of it; a century where it is written `1800s`."""
    digits = match["year"] or match["again"]
    begin = int(digits) if digits else 1900 + DECADE_WORDS[match["word"].lower()]
    part = (match["part"] or "").lower()
    length = 100 if begin % 100 == 0 and not part and begin < 2000 else 10
    first, last = begin, begin + length - 1
    if part.startswith("early"):
        last = begin + 4
    elif part.startswith("late"):
        first = begin + 5
    elif part.startswith("mid"):
        first, last = begin + 3, begin + 6
    return _span(date(first, 1, 1), date(last, 12, 31)) if first >= 1 else None


_ORDINALS = {"eighteenth": 18, "nineteenth": 19, "twentieth": 20, "twenty-first": 21}


def resolve_century(match: re.Match[str], context: TimeContext) -> Resolved:
    """A century by its number."""
    number = int(match["number"]) if match["number"] else _ORDINALS[match["word"].lower()]
    if not 1 <= number <= 21:
        return None
    return _span(date(max(1, (number - 1) * 100), 1, 1), date(number * 100 - 1, 12, 31))


def resolve_year(match: re.Match[str], context: TimeContext) -> Resolved:
    """A year that is written in digits."""
    return _year(int(match["year"]))


def resolve_holiday(match: re.Match[str], context: TimeContext) -> Resolved:
    """A day that has a name."""
    words = match["holiday"].lower().replace("’", "'")
    month, day = HOLIDAYS[words]
    if words == "9/11":
        return _day(date(2001, 9, 11))
    year = int(match["year"]) if match["year"] else _nearest_year(month, day, context)
    return _safe(year, month, day)


def resolve_end_of_year(match: re.Match[str], context: TimeContext) -> Resolved:
    """The last day of the year of publication."""
    return _day(date(context.published.year, 12, 31))
