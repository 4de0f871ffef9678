"""The share of feedparser's own test dates that readers of dates get right: ours, feedparser, dateutil, fastfeedparser.

Two kinds: the dates of its unit tests (tests/test_date_parsers.py), and those of its well-formed feeds whose comment
says what they are in UTC. What has no meaning (25 hours, a year of five digits) is expected to be refused. A time
without a zone is UTC for all of them. feedparser is asked as it asks itself: each of its parsers in turn.

    python scripts/table_of_dates.py [feedparser-tests.tgz]
"""

from __future__ import annotations

import ast
import calendar
import re
import sys
import tarfile
import time
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC
from pathlib import Path

from frame import parser as command_line

from tidings.core.text.stated_times import StatedTimes

ARCHIVE = Path("../shared/data/feeds/feedparser-tests.tgz")
UNIT_TESTS = "tests/test_date_parsers.py"
_EXPECT = re.compile(r"Expect:.*?_parsed'\]\s*==\s*(\([\d, ]+\))")
_DATE = re.compile(
    r"<(?:\w+:)?(?:pubDate|published|updated|modified|issued|created|date|lastBuildDate)(?:\s[^<>]*)?>([^<]+)<"
)

Case = tuple[str, int | None]
Reader = Callable[[str], int | None]


def unit_cases(source: str) -> Iterator[Case]:
    """The (date, seconds) of the unit tests."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Tuple) and len(node.elts) == 3 and isinstance(node.elts[0], ast.Name):
            stated, expected = (ast.literal_eval(one) for one in node.elts[1:])
            if isinstance(stated, str):
                seconds = None if expected is None else calendar.timegm(expected)
                yield stated, None if seconds is None or seconds < 0 else seconds


def feed_cases(texts: Iterator[str]) -> Iterator[Case]:
    """Those of feeds that hold one date alone."""
    for text in texts:
        expected = _EXPECT.search(text)
        dates = set(_DATE.findall(text))
        if expected is not None and len(dates) == 1:
            yield dates.pop(), calendar.timegm(ast.literal_eval(expected[1]))


def readers() -> dict[str, Reader]:
    """Each reader as a function of the text of a date."""
    import dateutil.parser
    import fastfeedparser.main as fast
    from feedparser.datetimes import _parse_date

    def by_feedparser(stated: str) -> int | None:
        parsed = _parse_date(stated)
        return None if parsed is None else calendar.timegm(parsed)

    def by_dateutil(stated: str) -> int | None:
        moment = dateutil.parser.parse(stated)
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())

    def by_fastfeedparser(stated: str) -> int | None:
        parsed = fast._parse_date(stated)
        if not parsed:
            return None
        moment = dateutil.parser.parse(parsed)
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())

    return {
        "tidings": StatedTimes().read,
        "feedparser": by_feedparser,
        "dateutil": by_dateutil,
        "fastfeedparser": by_fastfeedparser,
    }


def answer(reader: Reader, stated: str) -> int | None:
    """What a reader makes of a date; None where it refuses it, or anything before 1970."""
    try:
        time = reader(stated)
    except (ValueError, OverflowError, TypeError, AttributeError):
        return None
    return None if time is None or time < 0 else time


def main() -> None:
    """Print the table."""
    parser = command_line(__doc__)
    parser.add_argument("archive", nargs="?", type=Path, default=ARCHIVE)
    parser.add_argument("--wrong", action="store_true", help="name the dates that tidings gets wrong")
    options = parser.parse_args()
    if not options.archive.exists():
        sys.exit(f"{options.archive}: there is no such file, expected feedparser's tests as one archive")
    warnings.simplefilter("ignore")
    with tarfile.open(options.archive) as archive:
        texts = {
            member.name: file.read().decode("utf-8", "replace")
            for member in archive
            if member.name.endswith((".xml", ".py")) and (file := archive.extractfile(member))
        }
    feeds = (text for name, text in texts.items() if "/wellformed/" in name)
    kinds = {"unit tests": list(unit_cases(texts[UNIT_TESTS])), "feeds": list(feed_cases(feeds))}
    asked = readers()
    print("| dates of | number | " + " | ".join(asked) + " |")
    print("|---|---|" + "---|" * len(asked))
    for name, cases in kinds.items():
        shares = []
        for reader in asked.values():
            right = sum(answer(reader, stated) == expected for stated, expected in cases)
            shares.append(f"{100 * right / len(cases):.1f} %")
        print(f"| {name} | {len(cases)} | " + " | ".join(shares) + " |")
    stated = [case[0] for case in kinds["feeds"]] * 50
    speeds = []
    for reader in asked.values():
        began = time.perf_counter()
        for one in stated:
            answer(reader, one)
        speeds.append(f"{len(stated) / (time.perf_counter() - began):,.0f}")
    print("| feeds, dates/s | | " + " | ".join(speeds) + " |")
    if options.wrong:
        for cases in kinds.values():
            for stated_date, expected in cases:
                if answer(asked["tidings"], stated_date) != expected:
                    print(f"{stated_date!r}: expected {expected}")


if __name__ == "__main__":
    main()
