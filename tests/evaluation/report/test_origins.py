"""Where updates come from and when events were: links that are safe to follow, and periods that are open."""

from __future__ import annotations

import io
import re
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace
from rich.console import Console

from tests.evaluation.report.ferry import EVENT, JUDGMENTS, START, UPDATES, update
from tests.sweeps import every
from tidings.core.display.clock import Clock
from tidings.core.display.plain import safe_url
from tidings.core.records import Event, Run, Update
from tidings.evaluation.measures import prepare
from tidings.evaluation.report.page import render_page
from tidings.evaluation.report.verdicts import judge
from tidings.following.report.terminal import LiveTimeline, print_timeline
from tidings.following.report.timeline import TimelineReport, build_timeline

GOOD = "https://coast.example/news/ferry?page=1&lang=en#top"
BAD = (
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "ftp://coast.example/a",
    "//coast.example/a",
    "https:///a",
    "https://",
    "https://bank.example@evil.example/",
    "https://user:word@evil.example",
    "https://coast.example/a b",
    "https://coast.example/\x1b]8;;",
    "https://coast.example/\u202egpj.exe",
    'https://coast.example/"onmouseover="alert(1)',
    "https://coast.example/<b>",
    "https://coast.example\\@evil.example",
    " https://coast.example",
    "https://coast.example\n",
    "https://coast.example/" + "a" * 3000,
    "",
)


class Links(HTMLParser):
    """The links of a page that lead out of it, with their words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[tuple[dict[str, str | None], str]] = []
        self._open: dict[str, str | None] | None = None
        self._words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a" and not str(dict(attrs)["href"]).startswith("#"):
            self._open, self._words = dict(attrs), ""

    def handle_data(self, data: str) -> None:
        self._words += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._open is not None:
            self.links.append((self._open, self._words))
            self._open = None


def linked(url: str, source: str = "Coast Radio", title: str = "Ferry <on> fire") -> TimelineReport:
    one = Update(EVENT.id, "a1", 0, START + 60, text="Smoke.", source=source, title=title, url=url)
    return build_timeline(EVENT, [one])


def printed(timeline: TimelineReport, **options: object) -> str:
    file = io.StringIO()
    print_timeline(Console(file=file, width=100, **options), timeline)  # type: ignore[arg-type]
    return file.getvalue()


class TestLinks:
    """From an update to its source."""

    def test_lead_to_the_source_by_outlet_and_title(self) -> None:
        latest, (attributes, words) = Links(render_page(linked(GOOD), charts=False)).links
        assert latest == (attributes, words)
        assert words == "Coast Radio: Ferry <on> fire"
        assert attributes == {"href": GOOD, "rel": "noopener noreferrer nofollow"}

    @every("url", BAD)
    def test_are_made_of_nothing_but_plain_addresses_of_the_web(self, url: str) -> None:
        assert safe_url(url) == ""
        page = render_page(linked(url), charts=False)
        assert not Links(page).links
        assert "Coast Radio: Ferry &lt;on&gt; fire" in page

    @every("url", [GOOD, "http://a.example", "HTTPS://a.example:8080/x", "https://é.example/水"])
    def test_are_made_of_every_usual_address(self, url: str) -> None:
        assert safe_url(url) == url

    def test_have_words_even_where_nothing_names_the_source(self) -> None:
        _, (_, words) = Links(render_page(linked(GOOD, "", ""), charts=False)).links
        assert words == "coast.example"

    def test_stand_nowhere_where_there_is_no_address(self) -> None:
        page = render_page(build_timeline(EVENT, [update("x", 1, "Smoke.", "")]), charts=False)
        assert not Links(page).links
        assert '<p class="source"><a class="number" href="#u1" aria-label="Update 1">1</a></p>' in page

    def test_open_from_terminals_that_know_links_and_change_nothing_in_others(self) -> None:
        coloured = printed(linked(GOOD), force_terminal=True, color_system="standard")
        assert f";{GOOD}\x1b\\" in coloured
        assert printed(linked(GOOD)) == printed(linked(""))
        assert "]8;" not in printed(
            linked("javascript:alert(1)"), force_terminal=True, color_system="standard"
        )


class TestOpenPeriods:
    """An absent time is never shown as a day."""

    OPEN = Event(id="fire-1", title="Fire at sea", query="fire")

    def test_have_words_for_every_case(self) -> None:
        clock = Clock()
        assert clock.period(START, START + 60) == "24 Jul 2013 18:30 – 24 Jul 2013 18:31"
        assert clock.period(START, None) == "from 24 Jul 2013 18:30"
        assert clock.period(None, START) == "until 24 Jul 2013 18:30"
        assert clock.period(None, None) == clock.moment(None) == "open"
        assert clock.period(0, 1, dash="-") == "1 Jan 1970 00:00 - 1 Jan 1970 00:00"

    @pytest.mark.parametrize("start", [None, START])
    @pytest.mark.parametrize("end", [None, START + 9000])
    @pytest.mark.parametrize("updates", [(), UPDATES])
    def test_name_no_year_but_those_of_the_news(
        self, start: int | None, end: int | None, updates: tuple[Update, ...]
    ) -> None:
        event = replace(self.OPEN, start_time=start, end_time=end)
        timeline = build_timeline(event, [replace(one, event_id=event.id) for one in updates])
        page = render_page(timeline)
        for text in (printed(timeline), page):
            assert not re.search(r"\b(1970|9999|0001)\b", re.sub(r"(?s)<style>.*?</style>", "", text))
            assert "None" not in text
        assert ("<dt>Updates</dt>" in page) == (bool(updates) and None in (start, end))

    def test_hold_judgments_as_well(self) -> None:
        judgments = replace(JUDGMENTS, events=(replace(EVENT, start_time=None, end_time=None),))
        for updates in ((), UPDATES):
            timeline = build_timeline(judgments.events[0], updates)
            judged = judge(timeline, Run("a", "b", updates), judgments, prepare(judgments))
            page = re.sub(r"(?s)<style>.*?</style>", "", render_page(judged))
            assert not re.search(r"\b(1970|9999)\b", page + printed(judged))

    def test_show_titles_and_no_id(self) -> None:
        timeline = build_timeline(self.OPEN, [])
        assert "<h1>Fire at sea</h1>" in render_page(timeline)
        assert "<title>Fire at sea: a timeline</title>" in render_page(timeline)
        assert "fire-1" not in printed(timeline) + render_page(timeline)
        bare = build_timeline(replace(self.OPEN, title=""), [])
        assert "<title>fire-1: a timeline</title>" in render_page(bare)
        assert "fire-1" in printed(bare)

    def test_let_no_id_steer_the_terminal(self) -> None:
        event = Event(id="\x1b]0;owned\x07\u202eid", title="", query="")
        text = printed(build_timeline(event, []), force_terminal=True)
        assert "\x1b]0" not in text
        assert "\u202e" not in text
        file = io.StringIO()
        live = LiveTimeline(Console(file=file, width=90), names_events=True)
        live.show(event, UPDATES[0])
        assert "\x1b" not in file.getvalue()
        assert "\u202e" not in file.getvalue()
