"""A timeline: order, days, tolls, pieces."""

from __future__ import annotations

from hypothesis import given, strategies as st
from msgspec.structs import replace

from tests.evaluation.report.ferry import EVENT, START, UPDATES, plain_timeline, update
from tidings.analysis.values.numbers import Mention, Quantity
from tidings.core.display.clock import Clock
from tidings.core.display.plain import clean
from tidings.core.records import Event, Update
from tidings.following.report.timeline import (
    CasualtiesSoFar,
    Entry,
    Origin,
    TimelineReport,
    build_timeline,
    casualties_in,
    pieces,
)


class TestBuild:
    """Updates in their places."""

    def test_orders_by_time_and_keeps_the_order_of_the_run_within_a_moment(self) -> None:
        first, second = update("x", 5, "First of two."), update("a", 5, "Second of two.")
        timeline = build_timeline(EVENT, [second, UPDATES[5], first][::-1])
        assert [entry.update.doc_id for entry in timeline.entries] == ["x", "a", "c2"]
        assert [entry.number for entry in timeline.entries] == [1, 2, 3]

    def test_groups_by_the_day_of_its_clock(self, plain: TimelineReport) -> None:
        assert [(day.name, len(day.entries)) for day in plain.days] == [
            ("Wednesday 24 July 2013", 3),
            ("Thursday 25 July 2013", 2),
            ("Friday 26 July 2013", 1),
        ]
        tokyo = build_timeline(EVENT, UPDATES, clock=Clock("Asia/Tokyo"))
        assert tokyo.days[0].name == "Thursday 25 July 2013"

    def test_takes_texts_and_sources_from_elsewhere_when_the_run_has_none(self) -> None:
        bare = Update(EVENT.id, "a1", 0, START + 60)
        timeline = build_timeline(
            EVENT, [bare], texts={"a1-0": "Smoke."}, origins={"a1-0": Origin("Harbour Post")}
        )
        assert (timeline.entries[0].text, timeline.sources) == ("Smoke.", ["Harbour Post"])

    def test_of_an_open_event_has_no_period_and_spans_its_updates(self) -> None:
        ever = Event(id="q", title="q", query="q", start_time=None, end_time=None)
        timeline = build_timeline(ever, UPDATES)
        assert timeline.period == (None, None)
        assert timeline.span == (UPDATES[0].time, UPDATES[-1].time)
        assert build_timeline(ever, []).span is None

    def test_spans_the_period_where_that_is_wider(self) -> None:
        assert EVENT.start_time is not None
        since = replace(EVENT, start_time=EVENT.start_time - 500, end_time=None)
        assert build_timeline(since, UPDATES).span == (since.start_time, UPDATES[-1].time)
        assert build_timeline(since, []).span == (since.start_time, since.start_time)

    def test_completes_what_an_update_lacks_and_changes_nothing_else(self) -> None:
        origin = Origin("Elsewhere", "A title", "https://elsewhere.example/1")
        own = Update(
            EVENT.id, "a1", 0, START, text="Smoke.", source="Harbour Post", url="https://own.example"
        )
        (entry,) = build_timeline(EVENT, [own], origins={"a1-0": origin}).entries
        assert entry.update == replace(own, title="A title")

    def test_is_called_by_its_title_or_else_by_its_id(self) -> None:
        assert build_timeline(EVENT, []).title == EVENT.title
        assert build_timeline(replace(EVENT, title=""), []).title == EVENT.id

    def test_stretches_its_period_to_updates_outside(self) -> None:
        late = update("z", 100, "A report is published.")
        assert build_timeline(EVENT, [late]).period == (EVENT.start_time, late.time)

    def test_of_a_silent_run_is_empty(self) -> None:
        timeline = build_timeline(EVENT, [])
        assert (timeline.days, timeline.sources, timeline.casualties) == ([], [], CasualtiesSoFar())


class TestTolls:
    """What stands after each update."""

    def test_rise_with_the_news_and_ignore_parts(self, plain: TimelineReport) -> None:
        assert [entry.changed for entry in plain.entries] == [
            [],
            [("deaths", "12 dead"), ("injuries", "40 injured")],
            [],
            [("deaths", "31 dead"), ("injuries", "85 injured")],
            [],
            [],
        ]

    def test_are_found_without_overlaps_and_only_for_dead_and_injured(self) -> None:
        text = "At least 12 people were killed, 40 were injured and 7 are missing."
        assert [(toll.attribute, toll.value) for toll in casualties_in(text)] == [
            ("deaths", 12),
            ("injuries", 40),
        ]


class TestPieces:
    """The text of an entry, cut where its dress changes."""

    def test_mark_the_toll(self, plain: TimelineReport) -> None:
        marked = [piece for piece in pieces(plain.entries[1]) if piece.kind]
        assert [piece.kind for piece in marked] == ["deaths", "injuries"]
        assert "12" in marked[0].text

    @given(
        st.text(max_size=40),
        st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60)), max_size=5),
    )
    def test_always_join_to_the_text_again(self, text: str, spans: list[tuple[int, int]]) -> None:
        none = CasualtiesSoFar()
        tolls = tuple(Mention("deaths", Quantity.exact(1), start, end) for start, end in spans)
        entry = Entry(1, UPDATES[0], text, tolls, none, none)
        assert "".join(piece.text for piece in pieces(entry)) == text

    @given(st.text(max_size=60))
    def test_cleaning_keeps_every_place(self, text: str) -> None:
        cleaned = clean(text)
        assert len(cleaned) == len(text)
        assert not any(ord(letter) < 32 or 0xD800 <= ord(letter) <= 0xDFFF for letter in cleaned)


def test_plain_timeline_has_no_verdicts() -> None:
    """Without judgments nothing is claimed."""
    timeline = plain_timeline()
    assert not timeline.judged
    assert all(entry.verdict is None for entry in timeline.entries)
