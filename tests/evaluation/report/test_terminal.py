"""The timeline in a terminal."""

from __future__ import annotations

import io
import re

import pytest
from msgspec.structs import replace
from rich.console import Console

from tests.evaluation.report.ferry import EVENT, UPDATES, judged_timeline, update
from tests.sweeps import every
from tidings.core.records import ValueUpdate
from tidings.following.report.terminal import (
    LiveTimeline,
    headlines,
    print_headlines,
    print_timeline,
)
from tidings.following.report.timeline import TimelineReport, build_timeline


def printed(timeline: TimelineReport, width: int = 100, **options: object) -> str:
    file = io.StringIO()
    print_timeline(Console(file=file, width=width, **options), timeline)  # type: ignore[arg-type]
    return file.getvalue()


class TestTimeline:
    """Printed whole."""

    def test_says_the_event_its_period_and_its_clock(self, plain: TimelineReport) -> None:
        text = printed(plain)
        assert "Fire on the ferry Estrela" in text
        assert "24 Jul 2013 18:30 – 27 Jul 2013 18:30 · times are UTC" in text

    def test_heads_each_day_with_its_count(self, plain: TimelineReport) -> None:
        assert re.search(r"── Wednesday 24 July 2013 ─+ 3 updates ──", printed(plain))

    def test_shows_time_source_and_toll_in_one_line(self, plain: TimelineReport) -> None:
        line = next(line for line in printed(plain).splitlines() if "Coast Radio  At least 12" in line)
        assert line.startswith("19:24 ●")
        assert line.endswith("12 dead")

    def test_shows_the_toll_below_the_text_where_there_is_no_margin(self, plain: TimelineReport) -> None:
        assert "12 dead, 40 injured, as reported by Coast Radio" in printed(plain, 60)

    def test_says_who_reports_a_figure(self, plain: TimelineReport) -> None:
        lines = printed(plain).splitlines()
        place = next(number for number, line in enumerate(lines) if line.endswith(" 12 dead"))
        assert [line[-15:].strip() for line in lines[place + 1 : place + 4]] == [
            "40 injured",
            "as reported by",
            "Coast Radio",
        ]

    def test_names_no_outlet_for_a_figure_that_is_not_its_own(self) -> None:
        values = [ValueUpdate(EVENT.id, UPDATES[0].time, "deaths", (9.0,))]
        text = printed(build_timeline(EVENT, UPDATES[:1], values=values), 60)
        assert "9 dead, as reported\n" in re.sub(" +\n", "\n", text)

    @pytest.mark.parametrize("width", [24, 40, 60, 80, 108, 200])
    def test_never_writes_beyond_its_width(self, judged: TimelineReport, width: int) -> None:
        assert max(len(line) for line in printed(judged, width).splitlines()) <= min(width, 108)

    def test_writes_no_escapes_into_a_pipe(self, judged: TimelineReport) -> None:
        assert "\x1b" not in printed(judged)

    def test_colours_tolls_in_a_terminal(self, plain: TimelineReport) -> None:
        assert "\x1b[1;31m" in printed(plain, force_terminal=True, color_system="standard")

    def test_tells_verdicts_apart_without_colour(self, judged: TimelineReport) -> None:
        marks = re.findall(r"^\d\d:\d\d (\S)", printed(judged), re.MULTILINE)
        assert marks == ["●", "●", "○", "●", "·", "?"]

    def test_shows_nuggets_with_importance_and_latency(self, judged: TimelineReport) -> None:
        text = printed(judged)
        assert "★★★ Fire on the ferry Estrela  +12min" in text
        assert "At least 12 dead  −18min" in text
        assert "Covered 4 of 6 nuggets (67 %)" in text

    def test_uses_plain_letters_where_the_terminal_knows_no_others(self, judged: TimelineReport) -> None:
        class Ascii(io.StringIO):
            encoding = "ascii"

        file = Ascii()
        print_timeline(Console(file=file, width=80), judged)
        marks = {letter for letter in file.getvalue() if ord(letter) > 127}
        assert marks <= {"−"}

    def test_of_a_silent_run_says_so(self) -> None:
        assert "No updates." in printed(judged_timeline(()))

    def test_names_the_update_when_its_text_is_not_known(self) -> None:
        bare = replace(UPDATES[0], text="")
        assert "[a1-0: the run holds no text]" in printed(build_timeline(EVENT, [bare]))

    def test_lets_no_text_steer_the_terminal(self) -> None:
        nasty = update(
            "x", 1, "\x1b]0;owned\x07[bold]not markup[/bold] \u202egnirts\nsecond", "Bad\x1b[2JSource"
        )
        text = printed(build_timeline(EVENT, [nasty]), force_terminal=True, color_system=None)
        assert "\x1b]" not in text
        assert "\x1b[2J" not in text
        assert "\u202e" not in text
        assert "[bold]not markup[/bold]" in text


class TestLive:
    """One update at a time, as it is decided."""

    def test_heads_a_day_once_and_keeps_the_toll(self) -> None:
        file = io.StringIO()
        live = LiveTimeline(Console(file=file, width=100))
        for said in UPDATES:
            live.show(EVENT, said)
        text = file.getvalue()
        assert "18:42 ● Harbour Post  Smoke" in text
        assert text.count("Wednesday 24 July 2013 (UTC)") == 1
        assert text.count("12 dead") == 1
        assert (live.shown, live.casualties(EVENT).deaths) == (6, 31)

    @every(
        "text",
        ["In 1972 a fire killed 70 people.", "The fire killed 20,000 people.", "It could kill 40 people."],
    )
    def test_shows_no_figure_that_is_not_the_events(self, text: str) -> None:
        file = io.StringIO()
        live = LiveTimeline(Console(file=file, width=100))
        live.show(EVENT, replace(UPDATES[1], text=text))
        assert live.casualties(EVENT).deaths is None
        assert "as reported" not in file.getvalue()

    def test_names_events_when_asked_and_keeps_their_tolls_apart(self) -> None:
        file = io.StringIO()
        live = LiveTimeline(Console(file=file, width=100), names_events=True)
        other = replace(EVENT, id="OTHER", title="Another fire")
        live.show(EVENT, UPDATES[1])
        live.show(other, UPDATES[0])
        assert "Another fire Harbour Post" in file.getvalue()
        assert live.casualties(other).deaths is None


class TestHeadlines:
    """The few figures that a first reader needs."""

    def test_name_the_target_first(self, judged: TimelineReport) -> None:
        lines = headlines(judged)
        assert [line.name for line in lines] == ["H", "nE[LG]", "LC", "C", "latency"]
        assert lines[-1].value == "+3 min"  # latencies −18, −6, +12 min and +2 h

    def test_are_none_without_judgments(self, plain: TimelineReport) -> None:
        assert headlines(plain) == []

    @pytest.mark.parametrize("width", [60, 100])
    def test_print_within_the_width_and_name_what_was_missed(
        self, judged: TimelineReport, width: int
    ) -> None:
        file = io.StringIO()
        print_headlines(Console(file=file, width=width), judged)
        text = file.getvalue()
        assert "★★ The ferry is towed to port" in text
        assert max(map(len, text.splitlines())) <= width
