"""What judgments say about a timeline. The ferry's judgments are in ferry.py."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.evaluation.report.ferry import EVENT, JUDGMENTS, UPDATES, judged_timeline, plain_timeline
from tidings.core.errors import UsageError
from tidings.core.records import Event, Run
from tidings.evaluation.measures import Measure, prepare
from tidings.evaluation.report.verdicts import judge
from tidings.following.report.timeline import TimelineReport, build_timeline, pieces


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
