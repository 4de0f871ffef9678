"""Dates as people and programs write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from tests.sweeps import cases, every
from tidings.core.errors import UsageError
from tidings.core.text.date_fields import as_zone, find_date
from tidings.core.text.stated_times import StatedTimes, parse_duration

D = "2026-02-17T00:00:00"
T = "2026-02-17T08:30:00"


def seconds(moment: str) -> int:
    """Of a moment in UTC."""
    return int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp())


def shown(time: int | None) -> str | None:
    return None if time is None else datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%S")


CASES: list[tuple[str | int | float, str | None]] = [
    ("Tue, 17 Feb 2026 08:30:00 GMT", T),
    ("Mon, 17 Feb 2026 08:30 UT", T),
    ("17 Feb 26 08:30:00 EST", "2026-02-17T13:30:00"),
    ("Tue, 17 Feb 2026 08:30:00 PDT", "2026-02-17T15:30:00"),
    ("Tue, 17 Feb 2026 08:30:00 CET", "2026-02-17T07:30:00"),
    ("Tue, 17 Feb 2026 08:30:00 BST", "2026-02-17T07:30:00"),
    ("Tue, 17 Feb 2026 08:30:00 A", T),
    ("Tuesday, 17-Feb-26 08:30:00 GMT", T),
    ("2026-02-17T08:30:00Z", T),
    ("2026-02-17t08:30:00z", T),
    ("20260217T083000Z", T),
    ("20260217T0830", T),
    ("2026-W08-2T08:30:00Z", T),
    ("2026W082", D),
    ("2026-048", D),
    ("2026048", D),
    ("2026-048T08:30Z", T),
    ("2026-02-16T24:00:00Z", D),
    ("2026-02-17T08:30:00,123Z", T),
    ("2026-02-17T09:30:00+01", T),
    ("2026-02-17T09:30:00+0100", T),
    ("2026-02-17T09:30:00+01:00[Europe/Paris]", T),
    ("2026-02-17T09:30:00[Europe/Paris]", T),
    ("2026-02-17 09:30 Europe/Paris", T),
    ("1771317000", T),
    ("1771317000000", T),
    ("1771317000000000", T),
    ("1771317000000000000", T),
    ("1771317000.5", T),
    ("1.771317e9", T),
    (1771317000.25, T),
    (1771317000000, T),
    (20260217, D),
    ("20260217", D),
    ("20260217083000", T),
    ("202602170830", T),
    (20260217083000, T),
    ("17.02.2026 08:30", T),
    ("17/02/2026", D),
    ("02/17/2026", D),
    ("2026/02/17", D),
    ("2026.02.17", D),
    ("2026. 2. 17.", D),
    ("Feb 17, 2026 3:04 PM ET", "2026-02-17T20:04:00"),
    ("July 17, 2026 3:04 PM ET", "2026-07-17T19:04:00"),
    ("17 février 2026 à 08h30", T),
    ("17. Februar 2026, 08:30 Uhr", T),
    ("17. Februar 2026, 8.30 Uhr", T),
    ("17 de febrero de 2026, 08:30", T),
    ("17 febbraio 2026 08:30", T),
    ("17 de fevereiro de 2026 às 08h30", T),
    ("17 februari 2026 08:30", T),
    ("17 lutego 2026 r., godz. 08:30", T),
    ("17 февраля 2026 г. в 08:30", T),
    ("17 февраля 2026 г., 11:30 МСК", T),
    ("17 Şubat 2026 08:30", T),
    ("17 فبراير 2026 08:30", T),
    ("١٧ فبراير ٢٠٢٦ ٠٨:٣٠", T),
    ("١٧ فبراير ٢٠٢٦، ٨:٣٠ ص", T),
    ("17 شباط/فبراير 2026", D),
    ("१७ फ़रवरी २०२६ ०८:३०", T),
    ("17 फरवरी 2026, 08:30 बजे", T),
    ("2026年2月17日 8時30分", T),
    ("2026年02月17日 08:30", T),
    ("2026年2月17日", D),
    ("2026年2月17日 下午3:04", "2026-02-17T15:04:00"),
    ("2026년 2월 17일 8시 30분", T),
    ("2026년 2월 17일 오후 3:04", "2026-02-17T15:04:00"),
    ("2026년 2월 17일", D),
    ("Updated: February 17, 2026", D),
    ("Published on Tuesday, February 17th, 2026 at 8:30am", T),
    ("Last updated on 17th February 2026 08:30 GMT", T),
    ("Feb. 17, 2026", D),
    ("February 2026", None),
    ("2026-02", "2026-02-01T00:00:00"),
    ("2026", "2026-01-01T00:00:00"),
    ("2 hours ago", None),
    ("yesterday", None),
    ("Today at 5pm", None),
    ("soon", None),
    ("", None),
    ("17 Feb", None),
    ("Feb 17", None),
    ("Sun Jul 15 01:16:00 +0000 2012", "2012-07-15T01:16:00"),
    ("Tue Feb 17 2026 09:30:00 GMT+0100 (Central European Standard Time)", T),
    ("Tue Feb 17 08:30:00 2026", T),
    ("Tue Feb 17 08:30:00 UTC 2026", T),
    ("mar. 17 févr. 2026 08:30", T),
    ("Di, 17.2.2026, 08:30", T),
    ("17-Feb-2026", D),
    ("17Feb2026", D),
    ("2026-Feb-17", D),
    ("2026 February 17", D),
    ("8:30 a.m. EST February 17, 2026", "2026-02-17T13:30:00"),
    ("08:30, 17 February 2026", T),
    ("Feb 17 2026 12:00 AM", D),
    ("Feb 17 2026 12:00 PM", "2026-02-17T12:00:00"),
    ("02/17/26 08:30", T),
    ("17/02/26", D),
    ("2026-02-17Z", D),
    ("2026-02-17+01:00", "2026-02-16T23:00:00"),
    ("2026-02-17 08:30:00 -0000", T),
    ("2026-02-17 08:30:00 UTC", T),
    ("2026-02-17 08:30:00.000 +00:00", T),
    ("2026-02-17T08:30", T),
    ("2026-02-17T08:30:00.123456789Z", T),
    ("2026-02-17 8:30", T),
    ("2026-02-17 08:30:60", "2026-02-17T08:30:59"),
    ("2026-02-30", None),
    ("31/02/2026", None),
    ("1969-12-31T00:00Z", None),
    ("12:30", None),
    ("Chapter 3", None),
    ("3.5", None),
    ("60", None),
    ("Published 17 Feb 2026 08:30, updated 18 Feb 2026 09:00", T),
    ("17 Feb 2026 | 08:30", T),
    ("2026-02-17T08:30:00.000+0000", T),
    ("2013-01-27-01", None),
    ("Tue, 17 Feb 2026", D),
    ("17 mai 2026", "2026-05-17T00:00:00"),
    ("5 tháng 2 2026", None),
    ("１７ Feb ２０２６", D),
    ("17 Φεβρουαρίου 2026", D),
    ("17η Φεβρουαρίου 2026", D),
    ("17. únor 2026", D),
    ("2026. február 17. 08:30", T),
    ("17. helmikuuta 2026 klo 8.30", T),
    ("tiistai 17. helmikuuta 2026", D),
    ("1er février 2026", "2026-02-01T00:00:00"),
    ("1º de fevereiro de 2026", "2026-02-01T00:00:00"),
    ("Ngày 17/02/2026 08:30", T),
    ("2026-02-17T08:30:00 Z", T),
    ("Tue, 17 Feb 2026 08:30:00 Z", T),
    ("17 Feb 2026 08:30:00 +01:00", "2026-02-17T07:30:00"),
    ("Tue, 17 Feb 2026 08:30:00 GMT+1", "2026-02-17T07:30:00"),
    ("Thu, 30 Apr 2015 08:57:00 MEST", "2015-04-30T06:57:00"),
]


@every("stated, moment", CASES)
def test_dates_are_read(stated: str | int | float, moment: str | None) -> None:
    assert shown(StatedTimes().read(stated)) == moment


@every(
    "stated",
    [
        "Sun, 16 Dec 2012 1:2:3:4 GMT", "Sun, 16 zzz 2012 11:47:32 GMT", "Sun, Dec x 2012 11:47:32 GMT",
        "Sun, 16 Dec 2012 11:47:32 +zz:00", "Sun, 16 Dec 2012 11:47:32 +00:zz", "Sun, 99 Jun 2009 12:00:00 GMT",
        "2003-12-31T25:14:55Z", "2003-12-31T10:61:55Z", "2003-12-31T10:14:61Z", "22013", "013", "2013-xx-27",
        "2013-01-28T11:30:00-06:00Textra", "9999-12-31T23:59:59-23:00", "17 Feb 2026 24:30", "2026-367", "2026-W54-1",
        "Tue, 17 Feb 2026 08:30:00 +9900", "Tue, 17 Feb 2026 08:30:00 +0160", "Tue, 30 Feb 2026 08:30:00 GMT",
        "17/02/2026 25:00", "00/00/2026", "20261399", "-5", "1e999", "nan", "x" * 500, "17 Feb 2026 " * 40,
        float("nan"), float("inf"), -1, 10**40, 10**400, True,
    ],
)  # fmt: skip
def test_what_is_no_date_is_none(stated: str | float) -> None:
    assert StatedTimes().read(stated) is None


def test_a_zone_goes_for_times_that_name_none() -> None:
    times = StatedTimes(zone="Europe/Madrid")
    assert times.read("17 Feb 2026 08:30") == seconds("2026-02-17T07:30:00")
    assert times.read("17 Jul 2026 08:30") == seconds("2026-07-17T06:30:00")
    assert times.read("2026-02-17 08:30:00") == seconds("2026-02-17T07:30:00")
    assert times.read("17 Feb 2026 08:30 GMT") == seconds(T)
    assert times.counts["zone"] == 3


def test_hours_that_a_clock_shows_twice_or_never() -> None:
    times = StatedTimes(zone="Europe/Berlin")
    assert shown(times.read("2026-10-25 02:30:00")) == "2026-10-25T00:30:00"  # the first: summer time
    assert shown(times.read("2026-03-29 02:30:00")) == "2026-03-29T01:30:00"  # as winter time has it


@every(
    "dates, begins_with_day",
    cases(__file__, "all dates decide the order of day and month", lists=True),
)
def test_all_dates_decide_the_order_of_day_and_month(dates: list[str], begins_with_day: bool) -> None:
    times = StatedTimes()
    for date in dates:
        times.note(date)
    assert times.begins_with_day is begins_with_day
    assert shown(times.read("03/04/2026")) == (
        "2026-04-03T00:00:00" if begins_with_day else "2026-03-04T00:00:00"
    )
    assert times.counts["order"] == 1


def test_a_later_note_goes_for_dates_that_were_read_before() -> None:
    times = StatedTimes()
    assert shown(times.read("03/04/2026 10:00")) == "2026-04-03T10:00:00"
    times.note("02/17/2026")
    assert shown(times.read("03/04/2026 10:00")) == "2026-03-04T10:00:00"


def test_the_order_that_is_asked_for_stands() -> None:
    times = StatedTimes(day_first=False)
    times.note("17/02/2026")
    assert shown(times.read("03/04/2026")) == "2026-03-04T00:00:00"
    assert shown(times.read("17/02/2026")) == D
    assert not times.is_open("03/04/2026")


def test_open_dates_are_those_that_could_be_two() -> None:
    times = StatedTimes()
    assert [times.is_open(one) for one in ("03/04/2026", "17/02/2026", "04/04/2026", "3 April 2026", None, 5)] == [
        True, False, False, False, False, False,
    ]  # fmt: skip


def test_a_year_is_taken_only_when_asked() -> None:
    assert StatedTimes().read("17 Feb 08:30") is None
    assert StatedTimes().why_unread("17 Feb 08:30") == "a date without a year"
    times = StatedTimes(year=2026)
    assert times.read("17 Feb 08:30") == seconds(T)
    assert times.read("29 Feb") is None
    assert times.counts["year"] == 2


def test_days_of_spreadsheets_are_no_times() -> None:
    assert StatedTimes().read("46070.354166667") is None


@every(
    "stated, reason",
    cases(__file__, "the reason is said"),
)  # fmt: skip
def test_the_reason_is_said(stated: str | int | None, reason: str) -> None:
    assert StatedTimes().why_unread(stated) == reason


def test_what_is_assumed_is_counted() -> None:
    times = StatedTimes()
    for stated in ("2026-02", "2026-02-17", "2026-02-17T08:30Z"):
        times.read(stated)
    assert times.counts == {"zone": 2, "day": 1}


@every("zone", ["Atlantis", "Europe/Atlantis", "+25:00", "a", "../../etc/passwd", "\0"])
def test_a_zone_that_is_none_is_refused(zone: str) -> None:
    with pytest.raises(UsageError, match="expected a name such as Europe/Madrid"):
        as_zone(zone)


@given(st.integers(0, 4_102_444_799))
def test_times_survive_being_written(time: int) -> None:
    moment = datetime.fromtimestamp(time, UTC)
    for form in ("%Y-%m-%dT%H:%M:%SZ", "%a, %d %b %Y %H:%M:%S +0000", "%Y%m%dT%H%M%SZ", "%G-W%V-%uT%H:%M:%SZ",
                 "%Y-%jT%H:%M:%SZ", "%d.%m.%Y %H:%M:%S", "%d %B %Y %H:%M:%S"):  # fmt: skip
        stated = moment.strftime(form)
        if moment.strftime("%G") == f"{moment.year}":
            assert StatedTimes().read(stated) == time, stated


@given(
    st.one_of(
        st.text(),
        st.text(alphabet="0123456789/-.: TZ+W年月日pamFebr", max_size=60),
        st.floats(),
        st.integers(),
    )
)
def test_nothing_breaks_it(stated: str | float) -> None:
    times = StatedTimes()
    times.note(stated)
    time = times.read(stated)
    assert time is None or 0 <= time <= 253_402_300_799
    assert times.why_unread(stated)


@every("stated", ["1" * 200, "1 " * 100, "de" * 100, "1 de" * 50, "2026-" * 40, "12:" * 66, "feb " * 50])
def test_long_nonsense_takes_no_time(stated: str) -> None:
    assert find_date(stated) is None


def test_numbers_alone_with_a_time_have_one() -> None:
    found = find_date("13/04/2020 10:30")
    assert found is not None and (found.has_time, found.hour, found.minute) == (True, 10, 30)
    without = find_date("13/04/2020")
    assert without is not None and not without.has_time
    assert find_date("13/04/2020 25:30") is None


@every(
    "text, order",
    [
        ("13/02/2013", "day"),
        ("02/13/2013", "month"),
        ("12/02/2013", "either"),
        ("12/12/2013", ""),
        ("13.02.2013", ""),
    ],
)
def test_a_number_beyond_twelve_says_which_is_the_day(text: str, order: str) -> None:
    fields = find_date(text)
    assert fields is not None and fields.order == order


@every(
    "text, count", [("90", 90), ("90s", 90), ("2 m", 120), ("3h", 10_800), ("1d", 86_400), ("2w", 1_209_600)]
)
def test_a_duration_is_so_many_seconds(text: str, count: int) -> None:
    assert parse_duration(text, "--older") == count
