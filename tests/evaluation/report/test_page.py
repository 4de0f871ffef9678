"""The page as text; what a browser makes of it is in tests/browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from tests.evaluation.report.ferry import EVENT, JUDGMENTS, UPDATES, judged_timeline, update
from tests.sweeps import every
from tidings.core.display.palette import PALETTE
from tidings.core.display.plain import clean
from tidings.evaluation.report.charts import (
    NARROW,
    WIDE,
    casualty_chart,
    casualty_spec,
    coverage_chart,
    coverage_spec,
)
from tidings.evaluation.report.page import render_page
from tidings.following.report.timeline import TimelineReport, build_timeline

HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)> "quoted" & </style></title> \u202e\x00'


@pytest.fixture(scope="module")
def page() -> str:
    return render_page(judged_timeline())


class Outline(HTMLParser):
    """Tags, ids and addresses of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name in {"href", "src", "action", "xlink:href"}:
                self.links.append(value or "")


class TestPage:
    """One file, complete in itself."""

    def test_is_the_same_every_time(self, page: str) -> None:
        assert render_page(judged_timeline()) == page

    def test_fetches_nothing(self, page: str) -> None:
        outline = Outline(page)
        assert {link for link in outline.links if not link.startswith("#")} == {"data:,"}
        assert not {"script", "iframe", "object", "embed", "form", "base"} & set(outline.tags)
        assert "url(" not in page.replace("url(#", "")
        assert "@import" not in page

    def test_forbids_everything_remote(self, page: str) -> None:
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
        assert policy is not None
        assert policy.group(1).startswith("default-src &#39;none&#39;; style-src &#39;sha256-")

    def test_needs_no_style_that_its_policy_forbids(self, page: str) -> None:
        outline = Outline(page)
        assert "style" not in outline.attributes
        assert outline.tags.count("style") == 1
        assert not any(name.startswith("on") for name in outline.attributes)

    def test_has_no_id_twice_and_no_link_to_nowhere(self, page: str) -> None:
        outline = Outline(page)
        assert len(outline.ids) == len(set(outline.ids))
        assert {link[1:] for link in outline.links if link.startswith("#")} <= set(outline.ids)
        assert set(re.findall(r"url\(#([^)]+)\)", page)) <= set(outline.ids)

    def test_names_its_language_and_has_one_heading_of_the_first_rank(self, page: str) -> None:
        assert '<html lang="en">' in page
        assert Outline(page).tags.count("h1") == 1

    def test_shows_the_event_the_updates_the_nuggets_and_the_scores(self, page: str) -> None:
        for words in (
            "<h1>Fire on the ferry Estrela</h1>",
            "24 Jul 2013 18:30",
            '<mark class="deaths">At least 12 people were killed</mark>',
            '<span class="deaths-ink">31 dead</span>',
            '<span class="late early">−18 min</span>',
            "judged to match none of the nuggets",
            '<span class="late">missed</span>',
            'covered by <a href="#u2">update 2</a> of Coast Radio',
            '<th scope="row">nE[LG]</th>',
        ):
            assert words in page

    def test_without_judgments_claims_no_scores(self, plain: TimelineReport) -> None:
        page = render_page(plain, charts=False)
        assert 'id="nuggets"' not in page
        assert 'id="scores"' not in page
        assert "6 updates from 3 outlets, 24 Jul to 26 Jul 2013, each emitted when it was reported." in page

    def test_of_a_silent_run_still_lists_what_was_missed(self) -> None:
        page = render_page(judged_timeline(()))
        assert "No updates." in page
        assert page.count('<span class="late">missed</span>') == 6

    def test_names_a_date_only_when_given_one(self, plain: TimelineReport) -> None:
        assert "on 1 May 2030" in render_page(plain, charts=False, written="1 May 2030")
        assert "on 1 May 2030" not in render_page(plain, charts=False)


class TestHostileText:
    """Whatever documents, judgments and ids say stays text."""

    def test_is_escaped_everywhere(self) -> None:
        nasty = update('d"><u>', 1, HOSTILE, HOSTILE)
        event = replace(EVENT, title=HOSTILE, type=HOSTILE, query=HOSTILE)
        nuggets = tuple(replace(one, text=HOSTILE) for one in JUDGMENTS.nuggets)
        judgments = replace(JUDGMENTS, nuggets=nuggets, events=(event,))
        timeline = judged_timeline((*UPDATES, nasty), judgments)
        from dataclasses import replace as change

        page = render_page(change(timeline, event=event, system=HOSTILE))
        outline = Outline(page)
        assert not {"script", "img", "u"} & set(outline.tags)
        assert "\u202e" not in page
        assert "\x00" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page

    def test_half_a_letter_can_be_written(self) -> None:
        page = render_page(build_timeline(EVENT, [update("x", 1, "caf\udce9")]), charts=False)
        assert "caf\ufffd" in page
        page.encode("utf-8")


class TestCharts:
    """Pictures with words."""

    def test_are_sound_xml_with_title_and_description(self, judged: TimelineReport) -> None:
        for chart in (coverage_chart(judged), casualty_chart(judged)):
            assert chart is not None
            for svg in (chart.wide, chart.narrow):
                root = ElementTree.fromstring(svg)
                children = [child.tag.rpartition("}")[2] for child in root][:2]
                assert children == ["title", "desc"]
                assert root.get("role") == "img"

    def test_describe_what_they_show(self, judged: TimelineReport) -> None:
        coverage, toll = coverage_chart(judged), casualty_chart(judged)
        assert coverage is not None
        assert toll is not None
        assert "Comprehensiveness ends at 77 %" in coverage.description
        assert toll.description == (
            "24 Jul 2013 19:24: 12 dead, 40 injured; 25 Jul 2013 20:30: 31 dead, 85 injured."
        )

    def test_use_no_colour_outside_the_palette(self, judged: TimelineReport) -> None:
        known = {colour.light for colour in PALETTE.values()}
        for chart in (coverage_chart(judged), casualty_chart(judged)):
            assert chart is not None
            used = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]+|[a-z]+)"', chart.wide)) - {
                "none",
                "transparent",
            }
            assert used <= known

    def test_hold_the_numbers_of_the_curve(self, judged: TimelineReport) -> None:
        values = coverage_spec(judged)["vconcat"][0]["data"]["values"]
        ends = [point["v"] for point in values if point["what"].endswith("(C)")]
        assert (ends[0], ends[-1]) == (0, round(judged.scores["C"], 4))

    def test_fit_a_phone(self, judged: TimelineReport) -> None:
        for spec_for in (coverage_spec, casualty_spec):
            for width in (WIDE, NARROW):
                spec = spec_for(judged, width)
                assert width - 40 <= spec.get("width", width) <= width
        chart = casualty_chart(judged)
        assert chart is not None
        found = re.search(r'width="(\d+)"', chart.narrow)
        assert found is not None
        assert int(found.group(1)) <= 360

    def test_are_left_out_where_there_is_nothing_to_draw(self) -> None:
        assert coverage_chart(build_timeline(EVENT, [])) is None
        assert casualty_chart(build_timeline(EVENT, UPDATES[:1])) is None

    def test_stay_small_for_thousands_of_updates(self) -> None:
        many = [update(f"d{number}", number / 1000, "Nothing new.") for number in range(6000)]
        values = coverage_spec(build_timeline(EVENT, many))["data"]["values"]
        assert len(values) <= 410
        assert values[-1]["n"] == 6000


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("paper", ["paper", "card"])
def test_every_ink_reads_on_every_paper(scheme: str, paper: str) -> None:
    """WCAG 2 contrast of at least 4.5:1 for all text colours, and for tolls on their own ground."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(one: str, other: str) -> float:
        low, high = sorted((light(getattr(PALETTE[one], scheme)), light(getattr(PALETTE[other], scheme))))
        return (high + 0.05) / (low + 0.05)

    inks = ["ink", "muted", "tide", "violet", "deaths", "injuries", "early"]
    pairs = [(ink, paper) for ink in inks]
    pairs += [
        ("deaths", "deaths-soft"),
        ("injuries", "injuries-soft"),
        ("ink", "tide-soft"),
        ("tide", "tide-soft"),
    ]
    pairs += [("ink", "told-soft"), ("muted", "tide-soft")]
    assert {pair: round(contrast(*pair), 2) for pair in pairs if contrast(*pair) < 4.5} == {}


class Said(HTMLParser):
    """The text of the first update that the page shows, as a browser would read it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.inside = self.ended = False
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = self.inside or (not self.ended and ("class", "said") in attrs)

    def handle_endtag(self, tag: str) -> None:
        self.ended = self.ended or (self.inside and tag == "p")
        self.inside = self.inside and tag != "p"

    def handle_data(self, data: str) -> None:
        self.words += data if self.inside else ""


@given(st.text(min_size=1, max_size=80))
def test_any_text_can_be_read_again(text: str) -> None:
    """Whatever an update says, the page says just that, cleaned of controls, and nothing else."""
    page = render_page(build_timeline(EVENT, [update("x", 1, text)]), charts=False)
    assert Said(page).words.strip() == clean(text).strip()


class TestCasualtyLabels:
    """The last figures of the chart of casualties."""

    def labels(self, *texts: str) -> list[dict[str, float]]:
        updates = [update(str(number), number, text) for number, text in enumerate(texts, start=1)]
        spec = casualty_spec(build_timeline(EVENT, updates))
        marks = [layer for layer in spec["layer"] if layer["mark"]["type"] == "text"]
        top = spec["encoding"]["y"]["scale"]["domain"][1]
        return [
            {
                "value": layer["data"]["values"][0]["v"],
                "y": -layer["data"]["values"][0]["v"] / top * spec["height"] + layer["mark"]["dy"],
                "dx": layer["mark"]["dx"],
                "top": top,
            }
            for layer in marks
        ]

    def test_stand_right_of_the_plot_and_below_its_top(self) -> None:
        (label,) = self.labels("At least 12 people were killed.")
        assert (label["value"], label["dx"] > 0) == (12, True)
        assert label["top"] > 12

    @every("injured", [12, 13, 2, 40, 300])
    def test_never_lie_on_each_other(self, injured: int) -> None:
        texts = [
            f"At least 12 people {were} killed and {injured} {hurt}."
            for were, hurt in (("were", "injured"), ("have been", "wounded"), ("are reported", "hurt"))
        ]
        dead, hurt = self.labels(*texts)
        assert abs(dead["y"] - hurt["y"]) >= 15
        if injured != 12:
            assert (dead["y"] < hurt["y"]) == (injured < 12)


def test_hours_stand_at_the_axis_of_a_story_of_few_days_and_days_at_that_of_a_long_one() -> None:
    formats = []
    for hours in (71, 73):
        event = replace(EVENT, end_time=EVENT.start_time + hours * 3600)
        axis = coverage_spec(build_timeline(event, UPDATES[:3]))["encoding"]["x"]["axis"]
        formats.append(axis["format"])
    assert formats == ["%-d %b %H:%M", "%-d %b"]
