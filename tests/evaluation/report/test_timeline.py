"""A timeline: order, days, tolls, pieces.

What judgments say about a timeline. The ferry's judgments are in ferry.py.
"""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from tests.evaluation.report.ferry import (
    EVENT,
    JUDGMENTS,
    START,
    UPDATES,
    judged_timeline,
    plain_timeline,
    update,
)
from tidings.analysis.values.numbers import Mention, Quantity
from tidings.core.display.clock import Clock
from tidings.core.display.plain import clean
from tidings.core.errors import UsageError
from tidings.core.records import Event, Run, Update
from tidings.evaluation.measures import Measure, prepare
from tidings.evaluation.report.verdicts import judge
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


class TestVerdicts:
    """On each update."""

    def test_name_the_status_of_each_update(self, judged: TimelineReport) -> None:
        kinds = [entry.verdict.kind for entry in judged.entries if entry.verdict]
        assert kinds == ["new", "new", "repeated", "new", "irrelevant", "unjudged"]

    def test_give_the_nuggets_earned_with_their_latency(self, judged: TimelineReport) -> None:
        verdict = judged.entries[1].verdict
        assert verdict is not None
        assert [(one.nugget_id, one.latency_s) for one in verdict.credits] == [("n2", -1080), ("n3", -360)]

    def test_say_who_told_it_before(self, judged: TimelineReport) -> None:
        verdict = judged.entries[2].verdict
        assert verdict is not None
        assert verdict.why == "says again: At least 12 dead (update 2)"

    def test_mark_the_words_that_told_it(self, judged: TimelineReport) -> None:
        told = "".join(piece.text for piece in pieces(judged.entries[0]) if piece.in_nugget)
        assert told == "Smoke is pouring from the ferry Estrela"

    def test_mark_no_words_where_the_run_has_another_text(self) -> None:
        other = (replace(UPDATES[0], text="Quite another wording of the same sentence."), *UPDATES[1:])
        assert not any(piece.in_nugget for piece in pieces(judged_timeline(other).entries[0]))

    def test_of_a_sentence_told_twice_credit_only_the_first(self) -> None:
        again = replace(UPDATES[0], time=UPDATES[0].time + 7200)
        timeline = judged_timeline((again, *UPDATES))
        kinds = [(entry.update.time, entry.verdict.kind) for entry in timeline.entries if entry.verdict]
        assert [kind for time, kind in kinds if time in (UPDATES[0].time, again.time)] == ["new", "repeated"]


class TestNuggets:
    """What became of each."""

    def test_found_and_missed(self, judged: TimelineReport) -> None:
        assert {fate.id: fate.update_number for fate in judged.nuggets} == {
            "n1": 1, "n2": 2, "n3": 2, "n4": 4, "n5": None, "n6": None,
        }  # fmt: skip

    def test_latency_is_that_of_the_credit(self, judged: TimelineReport) -> None:
        credited = {
            credit.nugget_id: credit.latency_s
            for entry in judged.entries
            for credit in (entry.verdict.credits if entry.verdict else ())
        }
        assert {fate.id: fate.latency_s for fate in judged.covered} == credited


class TestScores:
    """Come from tidings.evaluation.measures and from nowhere else."""

    def test_equal_what_scoring_gives(self, judged: TimelineReport) -> None:
        prepared = prepare(JUDGMENTS, "trec-2014")
        scored = prepared.score(Run("harbour", "cosine", UPDATES)).per_event[EVENT.id]
        for name in ("updates", "H", "nE[LG]", "C", "LC", "E[V]"):
            assert judged.scores[name] == scored[Measure(name)]
        assert "cH" not in judged.scores

    def test_the_curve_ends_at_the_scores(self, judged: TimelineReport) -> None:
        _, updates, C, LC = judged.curve[-1]
        assert updates == 6
        assert pytest.approx((judged.scores["C"], judged.scores["LC"])) == (C, LC)

    def test_of_a_silent_run_are_zero_and_all_nuggets_missed(self) -> None:
        timeline = judged_timeline(())
        assert timeline.scores["H"] == 0
        assert len(timeline.nuggets) == 6
        assert not timeline.covered

    def test_of_2013_skip_the_unjudged_and_have_no_headline(self) -> None:
        timeline = judge(
            plain_timeline(), Run("harbour", "cosine", UPDATES), JUDGMENTS, prepare(JUDGMENTS, "trec-2013")
        )
        verdict = timeline.entries[-1].verdict
        assert verdict is not None
        assert "left out" in verdict.why
        assert "H" not in timeline.scores

    def test_an_event_without_nuggets_is_the_users_error(self) -> None:
        other = Event(id="OTHER", title="Other", query="", start_time=0, end_time=1)
        with pytest.raises(UsageError, match=r"OTHER.*FERRY\.1"):
            judge(build_timeline(other, []), Run("a", "b", ()), JUDGMENTS, prepare(JUDGMENTS))
