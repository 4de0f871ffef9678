"""Tracked values for readers."""

from __future__ import annotations

import io

from rich.console import Console

from tidings.records import Event, Evidence, ValueUpdate
from tidings.report.values import current_values, print_values, show_value, shown_number

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
    assert current_values(SAID)[0].words == "1,234 dead reported (900 – 1,300 reported; Post, Wire, BBC)"
    assert current_values(SAID)[1].words == "40 injured reported"


def test_sums_and_places():
    assert shown_number("financialimpact", (1.5e9,)) == "$1.5 billion"
    assert shown_number("financialimpact", (350e6,)) == "$350 million"
    assert shown_number("financialimpact", (2e12,)) == "$2 trillion"
    assert shown_number("financialimpact", (75_000.0,)) == "$75,000"
    assert shown_number("location", (42.88, -8.54)) == "42.88, -8.54"


def test_printed():
    file = io.StringIO()
    console = Console(file=file, width=100)
    print_values(console, SAID)
    show_value(console, Event(id="e", title="Fire", query="fire"), SAID[0])
    show_value(console, None, SAID[0])
    printed = file.getvalue().splitlines()
    assert len(printed) == 4
    assert printed[0].startswith("1,234 dead reported")
    assert "Fire: 40 injured reported" in printed[2]
    assert "Fire" not in printed[3]


def test_what_strangers_wrote_cannot_steer_a_terminal():
    value = ValueUpdate("e", 60, "deaths\x1b[2J", (1.0,), evidence=(Evidence("d", 0, source="Post\x1b[2J"),))
    assert "\x1b" not in current_values([value])[0].words
