"""Tracked values for readers."""

from __future__ import annotations

import io
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console

from tidings.analysis.values.numbers import DOLLARS
from tidings.cli import run as tidings
from tidings.core.records import Event, Evidence, Run, RunCard, Update, ValueUpdate
from tidings.evaluation.report.page import render_page
from tidings.following.outputs.outputs import write_updates
from tidings.following.report.figures import current_values, show_value, shown_number, shown_range
from tidings.following.report.terminal import print_timeline
from tidings.following.report.timeline import build_timeline

EVIDENCE = tuple(
    Evidence(f"d{n}", 0, "1,234 died.", 60, source)
    for n, source in enumerate(("Post", "Wire", "Post", "BBC", "CNN"))
)
SAID = [
    ValueUpdate("e", 60, "injuries", (40.0,)),
    ValueUpdate("e", 60, "deaths", (12.0,), 0.4, "d1", 0, (Evidence("d1", 0, "Twelve died.", 60, "Post"),)),
    ValueUpdate(
        "e",
        120,
        "deaths",
        (1234.0,),
        0.8,
        "d2",
        1,
        EVIDENCE,
        (900.0, 1300.0),
    ),
]


def test_the_last_value_of_each_attribute_deaths_first():
    deaths, injuries = current_values(SAID)
    assert (deaths.attribute, deaths.number, deaths.label) == ("deaths", "1,234", "dead")
    assert deaths.series == ((60, "12"), (120, "1,234"))
    assert (deaths.since, deaths.confidence) == (120, 0.8)
    assert (injuries.number, injuries.others, injuries.sources) == ("40", "", ())


def test_a_number_is_reported_with_its_range_and_its_sources():
    assert (
        current_values(SAID)[0].words == "1,234 dead reported (reports differ: 900 to 1,300; Post, Wire, BBC)"
    )
    assert current_values(SAID)[1].words == "40 injured reported"


def test_sums_and_places():
    def shown(attribute: str, *value: float, said: str = "") -> str:
        return shown_number(ValueUpdate("e", 60, attribute, value, evidence=(Evidence("d", 0, said),)))

    assert shown("financialimpact", 1.5e9) == "$1.5 billion"
    assert shown("financialimpact", 350e6) == "$350 million"
    assert shown("financialimpact", 2e12) == "$2 trillion"
    assert shown("financialimpact", 75_000.0) == "$75,000"
    assert shown("location", 42.88, -8.54) == "a place at"


def test_no_sum_is_shown_that_no_source_gives():
    # Sums are compared in dollars; a reader is told what was said.
    costs = "The strike cost the port about 120 million euros."
    value = ValueUpdate("e", 60, "financialimpact", (156e6,), evidence=(Evidence("d", 0, costs),))
    assert shown_number(value) == "€120 million"
    assert (
        shown_range(replace(value, reported=(130e6, 156e6))) == "reports differ: €100 million to €120 million"
    )
    yen = Evidence("d", 0, "Damage is put at 30 billion yen.")
    assert shown_number(replace(value, value=(30e9 * DOLLARS["JPY"],), evidence=(yen,))) == "JPY 30 billion"
    assert shown_number(replace(value, evidence=())) == "$156 million"


def test_printed():
    file = io.StringIO()
    console = Console(file=file, width=100)
    show_value(console, Event(id="e", title="Fire", query="fire"), SAID[0])
    show_value(console, None, SAID[0])
    printed = file.getvalue().splitlines()
    assert len(printed) == 2
    assert "Fire: 40 injured reported" in printed[0]
    assert "Fire" not in printed[1]


def test_what_strangers_wrote_cannot_steer_a_terminal():
    value = ValueUpdate("e", 60, "deaths\x1b[2J", (1.0,), evidence=(Evidence("d", 0, source="Post\x1b[2J"),))
    assert "\x1b" not in current_values([value])[0].words


EVENT = Event(id="e", title="Fire", query="fire", start_time=0, end_time=9_000)
SEVILLE = Update(
    "e", "x", 0, 300, text="The worst since 1972, when 70 people died in Seville.", published_time=300
)


class TestPage:
    """A page whose run tracked values shows them, with who says so, instead of what single updates say."""

    def page(self, values: list[ValueUpdate]) -> str:
        return render_page(build_timeline(EVENT, [SEVILLE], values=values), charts=False)

    def test_the_numbers_stand_at_the_head_and_in_a_section(self) -> None:
        page = self.page(SAID)
        head, _, section = page.partition('<section id="reported"')
        assert '<b class="deaths-ink">1,234</b> dead <span>(reports differ: 900 to 1,300)</span>' in head
        assert "as reported by Post, Wire, BBC" in head
        assert "before: 12" in section
        assert "“1,234 died.” Wire" in section

    def test_what_an_update_says_of_another_event_is_no_headline(self) -> None:
        assert ">70<" not in self.page(SAID)
        assert 'id="known"' in self.page(SAID)
        assert 'id="known"' not in self.page([])
        assert 'id="reported"' not in self.page([])

    def test_the_source_is_a_link_where_it_can_be_one(self) -> None:
        for url, is_linked in (("https://news.example/a?b=1", True), ("javascript:alert(1)", False)):
            evidence = Evidence("d", 0, "<b>12</b> died", 60, "Post", "Fire & smoke", url)
            page = self.page([ValueUpdate("e", 60, "deaths", (12.0,), evidence=(evidence,))])
            assert (f'href="{url}"' in page) == is_linked
            assert "Post: Fire &amp; smoke" in page
            assert "&lt;b&gt;12&lt;/b&gt; died" in page

    def test_in_a_terminal_they_stand_at_the_head(self) -> None:
        file = io.StringIO()
        print_timeline(Console(file=file, width=100), build_timeline(EVENT, [SEVILLE], values=SAID))
        assert "1,234 dead, as reported by Post, Wire and BBC" in file.getvalue()
        assert "70 dead" not in file.getvalue()


def test_a_timeline_shows_the_values_of_its_run(tmp_path: Path) -> None:
    run = Run(
        "us",
        "r",
        (SEVILLE,),
        RunCard(events=(EVENT,)),
        (*tuple(SAID), ValueUpdate("other", 60, "deaths", (999.0,))),
    )
    write_updates(tmp_path / "r.jsonl", [run])
    assert tidings(["timeline", str(tmp_path / "r.jsonl"), "--out", str(tmp_path / "p.html")]) == 0
    page = (tmp_path / "p.html").read_text()
    assert "1,234</b> dead" in page
    assert "87,654" not in page
