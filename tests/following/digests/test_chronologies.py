"""Which documents are chronologies, and the day of each of their lines."""

from __future__ import annotations

from datetime import date

from tidings.following.digests.chronologies import read_chronology

PUBLISHED = date(2010, 6, 15).toordinal()


def days(*texts: str, published: int = PUBLISHED) -> dict[int, str]:
    read = read_chronology(texts, published)
    return {place: date.fromordinal(line.day).isoformat() for place, line in read.items()}


class TestChronology:
    def test_lines_without_a_year_lie_in_the_year_before_the_publication(self) -> None:
        texts = (
            "12 November: A rig is built.",
            "3 January: It sails.",
            "20 April: It explodes.",
            "22 April: It sinks.",
        )
        assert days(*texts) == {0: "2009-11-12", 1: "2010-01-03", 2: "2010-04-20", 3: "2010-04-22"}

    def test_a_page_that_was_kept_up_goes_on_behind_its_publication(self) -> None:
        texts = (
            "20 April: A rig explodes.",
            "22 April: It sinks.",
            "2 May: A well is drilled.",
            "5 August: It is sealed.",
        )
        assert days(*texts)[3] == "2010-08-05"

    def test_a_year_behind_a_date_that_stands_alone_is_its_year(self) -> None:
        texts = (
            "August 14", "2001 The head of the company resigns.",
            "October 12 2001 A lawyer sends a letter.",
            "October 16", "2001", "The company reports a loss.",
            "December 2 2001 It goes bankrupt.",
        )  # fmt: skip
        told = days(*texts, published=date(2006, 1, 30).toordinal())
        assert (told[1], told[2], told[5], told[6]) == (
            "2001-08-14",
            "2001-10-12",
            "2001-10-16",
            "2001-12-02",
        )

    def test_the_latest_may_stand_first(self) -> None:
        texts = (
            "June 3, 2010 - A cap is on.",
            "May 5, 2010 - A dome is lowered.",
            "April 22, 2010 - It sinks.",
        )
        assert days(*texts, "April 20, 2010 - A rig explodes.")[3] == "2010-04-20"

    def test_dates_are_cut(self) -> None:
        texts = ("20 April - A rig explodes.", "22 April - It sinks.", "2 May - A dive.", "3 May - A dome.")
        read = read_chronology(texts, PUBLISHED)
        assert texts[1][read[1].start :] == "It sinks."

    def test_a_live_page_a_report_and_nonsense_are_none(self) -> None:
        assert days(*["20 April 1002: Police say so."] * 9) == {}
        assert days("On 20 April a rig exploded.", "It sank on 22 April.", "22 April was a Thursday.") == {}
        assert days("31 February: No.", "32 May: No.", "0 May: No.", "May: No.") == {}
        assert days() == {}

    def test_the_thirtieth_of_february_is_the_last_of_it(self) -> None:
        texts = ("1 January: One.", "30 February: Two.", "3 March: Three.", "4 April: Four.")
        assert days(*texts)[1] == "2010-02-28"
