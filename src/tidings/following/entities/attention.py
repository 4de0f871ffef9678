"""How often pages were read, from public dumps, and collective attention as a soft label made of it.

How far the views of a page stand out (view outlier ratio):

VOR(e, t) = |v_{e,t} - m| / max(m, v_min),  m the median of the views in a window

("Balancing Novelty and Salience", CIKM 2015, section 4.2, Definition 1, formula (3); section 6.1: the window is 10
days, v_min was tuned). Series may have holes.

An hourly dump has a line `project title count bytes` for each page (`en Barack_Obama 997 123091092`), mostly gzipped;
its name (`pagecounts-20130415-140000.gz`, `pageviews-20150501-010000.gz`) tells when its hour ended. An answer of the
REST service is JSON, `{"items": [{"article": …, "timestamp": "2016010100", "views": …}]}`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from tidings.core import FormatError, Problem, UsageError, read_jsonl, read_lines, read_text, source_name

_NAME = re.compile(r"(?:pagecounts|pageviews|projectviews)-(\d{8}-\d{6})")
_HOURS = 24  # of a day: what is known of a day in part stands for all of it
_LEAST_HOURS = 12  # of a day whose views are known: the day is then scaled up to 24
_LONGEST = 1 << 16  # characters of a line of a dump


def page_title(name: str) -> str:
    """A name as titles of pages are written: a capital first, `_` for blanks, percent signs undone.

    >>> page_title("barack Obama"), page_title("Angela%20Merkel"), page_title("  ")
    ('Barack_Obama', 'Angela_Merkel', '')
    """
    words = unquote(name).replace("_", " ").split()
    title = "_".join(words)
    return title[:1].upper() + title[1:]


def read_hourly_views(
    paths: Iterable[str | Path], titles: Collection[str], *, projects: Collection[str] = ("en", "en.m")
) -> dict[str, dict[str, int]]:
    """The views of pages by day (YYYY-MM-DD, UTC), from dumps of hours in any order.

    A day of which at least half of the hours are there stands with its views scaled to 24 hours, others are missing. A
    page that a day's dumps do not list has 0 there. Lines of another number of columns, as real dumps hold some, are
    passed over.

    Args:
        paths: the dumps; compressed ones are unpacked as they are read.
        titles: the pages, with blanks or `_`.
        projects: whose views are added up.

    Raises:
        UsageError: a file name without the hour, or an hour twice.
        FormatError: a count of a wanted page that is none, or a damaged file.
    """
    wanted = {page_title(title): title for title in titles}
    prefixes = tuple(f"{project} ".encode() for project in projects)
    hours: dict[str, int] = {}
    sums: dict[tuple[str, str], int] = {}
    seen: dict[datetime, str] = {}
    for path in paths:
        hour = _hour_of(path)
        if hour in seen:
            raise UsageError(f"{source_name(path)}: the hour of {seen[hour]} again (expected each hour once)")
        seen[hour] = source_name(path)
        date = hour.strftime("%Y-%m-%d")
        hours[date] = hours.get(date, 0) + 1
        for number, line in read_lines(path):
            if not line.startswith(prefixes) or len(line) > _LONGEST:
                continue
            columns = line.decode("utf-8", "replace").split()
            title = wanted.get(page_title(columns[1])) if len(columns) == 4 else None
            if title is None:
                continue
            if not (columns[2].isascii() and columns[2].isdecimal() and len(columns[2]) < 16):
                raise FormatError(
                    [Problem(source_name(path), number, f"the count {columns[2][:40]!r}", "a number")]
                )
            sums[title, date] = sums.get((title, date), 0) + int(columns[2])
    dates = sorted(date for date, count in hours.items() if count >= _LEAST_HOURS)
    return {
        title: {date: round(sums.get((title, date), 0) * _HOURS / hours[date]) for date in dates}
        for title in wanted.values()
    }


def _hour_of(path: str | Path) -> datetime:
    stamp = _NAME.search(Path(path).name)
    try:
        ended = datetime.strptime(stamp[1] if stamp else "", "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
        return (ended - timedelta(seconds=1)).replace(minute=0, second=0)
    except (ValueError, OverflowError):
        raise UsageError(
            f"{source_name(path)}: no hour in the file's name (expected one like pagecounts-20130415-140000.gz)"
        ) from None


class _Item(Struct):
    article: str
    timestamp: str
    views: int


class _Answer(Struct):
    items: list[_Item]


def read_views_answer(path: str | Path) -> dict[str, dict[str, int]]:
    """The views by title and day in a file with an answer of the REST service, days without an item missing.

    Raises:
        FormatError: not such an answer.
    """
    return parse_answer(read_text(path).encode(), source_name(path))


def parse_answer(data: bytes, name: str) -> dict[str, dict[str, int]]:
    """The same from the answer's bytes; hours, where the answer has hours, are added up.

    >>> parse_answer(b'{"items":[{"article":"Genoa","timestamp":"2016010100","views":7}]}', "answer")
    {'Genoa': {'2016-01-01': 7}}
    """
    series: dict[str, dict[str, int]] = {}
    try:
        for item in msgspec.json.decode(data, type=_Answer).items:
            day = datetime.strptime(item.timestamp[:8], "%Y%m%d").strftime("%Y-%m-%d")
            if item.views < 0:
                raise ValueError(f"{item.views} views")
            own = series.setdefault(item.article, {})
            own[day] = own.get(day, 0) + item.views
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        expected = 'an answer of the page-view service: {"items": [{"article", "timestamp", "views"}]}'
        raise FormatError([Problem(name, 0, str(error)[:120], expected)]) from None
    return series


class _Line(Struct):
    title: str
    date: str
    views: int


def read_views(paths: Sequence[str], titles: Sequence[Sequence[str]]) -> list[tuple[str, dict[str, int]]]:
    """For each entity the page that was found, "" for none, and its views by day.

    Args:
        paths: answers of the REST service (`.json`), lines of `tidings entities views` (`.jsonl`), hourly dumps (all
            others); later files count where they say something else of a page's day.
        titles: for each entity the titles to look for, the first that is there counts.

    Raises:
        UsageError, FormatError: as `read_hourly_views` and `read_views_answer`.
    """
    known: dict[str, dict[str, int]] = {}

    def add(series: Mapping[str, Mapping[str, int]]) -> None:
        for title, views in series.items():
            known.setdefault(page_title(title), {}).update(views)

    kept = (".json", ".jsonl", ".jsonl.gz")
    dumps = [path for path in paths if not path.endswith(kept)]
    if dumps:
        wanted = sorted({page_title(title) for own in titles for title in own})
        hourly = read_hourly_views(dumps, wanted)
        add({title: views for title, views in hourly.items() if any(views.values())})
    for path in paths:
        if path.endswith(".json"):
            add(read_views_answer(path))
        elif path.endswith(kept):
            for line in read_jsonl(path, _Line, lambda line: line, what="title, date, views"):
                add({line.title: {line.date: line.views}} if line.title else {})
    found = []
    for own in titles:
        hit = next((page_title(title) for title in own if page_title(title) in known), "")
        found.append((hit, known.get(hit, {})))
    return found


WINDOW = 10
"""Days, as in the paper: the mean length of its timelines."""
LEAST_VIEWS = 10.0
"""v_min: views below which a median counts as this many."""
_LEAST_DAYS = 3  # with views, without which nothing is usual


def view_outlier_ratio(
    views: Mapping[str, float],
    day: str,
    *,
    window: int = WINDOW,
    least: float = LEAST_VIEWS,
    signed: bool = False,
    centred: bool = False,
) -> float | None:
    """VOR of a day (YYYY-MM-DD) in a series of views by day, 0 or more; None where the series cannot tell.

    It cannot where the day is missing, or fewer than 3 days of the window are there. A missing day is no day of no
    views: it is left out of the median.

    Args:
        views: by day; days may be missing.
        day: the day.
        window: days of the window: those up to the day, the day itself among them; with `centred` so many on each side.
        least: v_min, above 0.
        signed: bursts alone: v - m in place of |v - m|, below 0 where views fell.
        centred: look at later days too (for labels of what is past; never for a ranking of the day).

    >>> views = {"2013-04-13": 100, "2013-04-14": 120, "2013-04-15": 80, "2013-04-16": 1500}
    >>> view_outlier_ratio(views, "2013-04-16")
    12.636363636363637
    >>> view_outlier_ratio(views, "2013-04-17") is None
    True
    """
    try:
        centre = date.fromisoformat(day)
    except ValueError:
        return None
    if day not in views:
        return None
    ahead = window if centred else 0
    behind = window if centred else window - 1
    near = []
    for offset in range(-behind, ahead + 1):
        try:
            near.append(views.get((centre + timedelta(days=offset)).isoformat()))
        except OverflowError:
            near.append(None)
    present = [value for value in near if value is not None]
    if len(present) < _LEAST_DAYS:
        return None
    middle = float(median(present))
    away = views[day] - middle
    return float((away if signed else abs(away)) / max(middle, least))


def title_candidates(names: Mapping[str, int]) -> list[str]:
    """Titles of pages that an entity's names may have, the likeliest first: full names by how often they are used.

    >>> title_candidates({"Obama": 9, "Barack Obama": 3, "the President Obama": 1})
    ['Barack Obama', 'President Obama', 'Obama']
    """
    order: dict[str, tuple[bool, int]] = {}
    for name, count in names.items():
        words = name.replace("_", " ").split()
        while len(words) > 1 and words[0].lower() in ("the", "a", "an"):
            words = words[1:]
        while len(words) > 1 and words[-1] in ("'s", "’s"):
            words = words[:-1]
        title = " ".join(words)
        if title:
            rank = (len(words) > 1, order.get(title, (False, 0))[1] + count)
            order[title] = rank
    return sorted(order, key=lambda title: (not order[title][0], -order[title][1], title))
