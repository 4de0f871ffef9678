"""Times as people read them."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.core.display.clock import Clock, duration_words, signed_duration
from tidings.core.errors import UsageError

DERAILED = 1374691260  # 2013-07-24 18:41 UTC, 20:41 in Madrid


class TestClock:
    """One clock for one report."""

    def test_says_utc_unless_told_otherwise(self) -> None:
        clock = Clock()
        assert (clock.label, clock.moment(DERAILED)) == ("UTC", "24 Jul 2013 18:41")

    def test_shows_another_zone_and_its_name(self) -> None:
        pytest.importorskip("zoneinfo").ZoneInfo("Europe/Madrid")
        clock = Clock("Europe/Madrid")
        assert (clock.label, clock.hour(DERAILED)) == ("Europe/Madrid", "20:41")
        assert clock.iso(DERAILED) == "2013-07-24T20:41:00+02:00"

    def test_puts_late_evening_into_the_next_day_of_an_eastern_zone(self) -> None:
        assert Clock().day(DERAILED) == "Wednesday 24 July 2013"
        assert Clock("Asia/Tokyo").day(DERAILED) == "Thursday 25 July 2013"

    @every("name", ["Europe/Atlantis", "../../etc/passwd", "\x00"])
    def test_refuses_a_zone_that_is_not_there(self, name: str) -> None:
        with pytest.raises(UsageError, match="time zone"):
            Clock(name)

    def test_survives_times_beyond_the_calendar(self) -> None:
        assert Clock().moment(10**15).startswith("31 Dec 9999")
        assert Clock().day(-(10**15)).endswith("1")


class TestDurations:
    """Lengths of time in at most two units."""

    @every(
        "seconds, words",
        cases(__file__, "units"),
    )
    def test_units(self, seconds: int, words: str) -> None:
        assert duration_words(seconds) == words

    def test_sign_tells_earlier_from_later(self) -> None:
        assert (signed_duration(60), signed_duration(-60)) == ("+1 min", "−1 min")
