"""Entity rankings, and the same numbers from trec_eval and scikit-learn."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tidings.core.errors import UsageError
from tidings.core.records import EntityGrade, EntityRanking, Event, Judgments
from tidings.core.records.outputs import RankingRun
from tidings.evaluation.measures import Measure, UnknownEventError
from tidings.evaluation.measures.entities import (
    average_precision,
    ndcg,
    precision,
    prepare_rankings,
    serendipity,
)
from tidings.sources import bundled
from tidings.sources.streams import read_judgments

letters = st.sampled_from("abcdefgh")
rankings = st.lists(letters, unique=True, max_size=8)
graded = st.dictionaries(letters, st.integers(0, 4), min_size=1)


class TestLists:
    @given(rankings, graded, st.integers(1, 10))
    def test_equal_trec_eval(self, ranked: list[str], grades: dict[str, int], k: int) -> None:
        """P@k, AP and nDCG@k as ir_measures has them from trec_eval; relevant from grade 3, NDCG by grades."""
        ir_measures = pytest.importorskip("ir_measures")
        qrels = [ir_measures.Qrel("q", one, grade) for one, grade in grades.items()]
        run = [ir_measures.ScoredDoc("q", one, 100.0 - place) for place, one in enumerate(ranked)]
        wanted = [ir_measures.P(rel=3) @ k, ir_measures.AP(rel=3), ir_measures.nDCG @ k]
        official = ir_measures.calc_aggregate(wanted, qrels, run)
        relevant = {one for one, grade in grades.items() if grade >= 3}
        ours = [precision(ranked, relevant, k), average_precision(ranked, relevant), ndcg(ranked, grades, k)]
        assert ours == pytest.approx([official[measure] for measure in wanted])

    @given(st.lists(st.integers(0, 4), min_size=2, max_size=8), st.integers(1, 8))
    def test_ndcg_equals_scikit_learn(self, grades: list[int], k: int) -> None:
        metrics = pytest.importorskip("sklearn.metrics")
        names = [f"e{place}" for place in range(len(grades))]
        scores = [float(-place) for place in range(len(grades))]
        ours = ndcg(names, dict(zip(names, grades, strict=True)), k)
        assert ours == pytest.approx(metrics.ndcg_score([grades], [scores], k=k))

    @given(rankings, st.frozensets(letters), st.frozensets(letters), st.integers(1, 10))
    def test_serendipity_lies_between_0_and_1(
        self, ranked: list[str], relevant: frozenset[str], before: frozenset[str], k: int
    ) -> None:
        assert 0 <= serendipity(ranked, relevant, before, k) <= 1

    @given(rankings, st.frozensets(letters), st.frozensets(letters), st.integers(1, 10))
    def test_serendipity_is_at_least_precision_when_only_irrelevant_ones_were_expected(
        self, ranked: list[str], relevant: frozenset[str], before: frozenset[str], k: int
    ) -> None:
        """As in the paper's Table 2, where SRDP@10 exceeds P@10: it divides by the unexpected ones alone."""
        assert serendipity(ranked, relevant, before - relevant, k) >= precision(ranked, relevant, k)

    def test_serendipity_above_precision(self) -> None:
        ranked = ["old1", "new", "old2", "other"]
        assert precision(ranked, {"new"}, 4) == 0.25
        assert serendipity(ranked, {"new"}, {"old1", "old2"}, 4) == 0.5
        assert serendipity(ranked, {"new"}, set(ranked), 4) == 0  # nothing unexpected

    def test_a_repeated_entity_earns_once(self) -> None:
        assert precision(["a", "a"], {"a"}, 2) == 0.5
        assert average_precision(["a", "a"], {"a"}) == 1
        assert ndcg(["a", "a"], {"a": 1.0}) == 1


def judgments() -> Judgments:
    rows = [
        ("2013-07-24", "Renfe", 4, ("the operator",)),
        ("2013-07-24", "Madrid", 1, ()),
        ("2013-07-25", "Renfe", 3, ()),
        ("2013-07-25", "Judge Aláez", 4, ("Luis Aláez",)),
    ]
    return Judgments(
        name="test",
        events=(Event(id="TS14.1", title="", query="", start_time=0, end_time=1),),
        entities=tuple(
            EntityGrade("TS14.1", date, name, "", grade, aliases) for date, name, grade, aliases in rows
        ),
    )


def run(days: dict[str, list[str]], event: str = "1") -> RankingRun:
    return RankingRun(
        "t", "r", tuple(EntityRanking(event, date, tuple(names)) for date, names in days.items())
    )


class TestRuns:
    def test_names_aliases_and_capitals(self) -> None:
        scores = prepare_rankings(judgments()).score(
            run({"2013-07-24": ["The Operator"], "2013-07-25": ["luis aláez"]})
        )
        assert scores.mean(Measure("P", 1)) == 1.0
        assert scores.mean(Measure("MAP")) == (1 + 0.5) / 2

    def test_serendipity_is_against_the_run_of_the_day_before(self) -> None:
        told = run({"2013-07-24": ["Renfe", "Madrid"], "2013-07-25": ["Renfe", "Judge Aláez"]})
        at, day = Measure("SRDP", 2), "TS14.1/2013-07-25"
        assert (
            prepare_rankings(judgments()).score(told, [at]).per_event[day][at] == 1.0
        )  # only the judge is new
        assert prepare_rankings(judgments()).score(told, [at]).per_event["TS14.1/2013-07-24"][at] == 0.5
        other = run({"2013-07-24": ["Judge Aláez"], "2013-07-25": ["Judge Aláez", "x"]})
        assert prepare_rankings(judgments()).score(other, [at]).per_event[day][at] == 0.0
        assert prepare_rankings(judgments(), previous="judged").score(other, [at]).per_event[day][at] == 0.5

    def test_a_silent_day_scores_nothing(self) -> None:
        scores = prepare_rankings(judgments()).score(run({"2013-07-24": ["Renfe"], "2013-08-01": ["Renfe"]}))
        assert scores.silent == ("TS14.1/2013-07-25",)
        assert scores.unjudged == ("TS14.1/2013-08-01",)
        assert scores.mean(Measure("P", 1)) == 0.5

    def test_what_cannot_be_scored_is_refused(self) -> None:
        with pytest.raises(UnknownEventError, match="99"):
            prepare_rankings(judgments()).score(run({"2013-07-24": []}, event="99"))
        with pytest.raises(UsageError, match="no graded entities"):
            prepare_rankings(Judgments(name="test"))
        one = judgments()
        with pytest.raises(UsageError, match="graded twice"):
            prepare_rankings(
                Judgments(name="test", events=one.events, entities=one.entities + one.entities[:1])
            )

    def test_the_ideal_ranking_of_the_bundled_event(self) -> None:
        own = read_judgments(Path(bundled.path()))
        days: dict[str, list[EntityGrade]] = {}
        for grade in own.entities:
            days.setdefault(grade.date, []).append(grade)
        ideal = {
            date: [grade.entity for grade in sorted(grades, key=lambda grade: -grade.grade)]
            for date, grades in days.items()
        }
        scores = prepare_rankings(own).score(run(ideal, event=own.events[0].id))
        assert scores.mean(Measure("NDCG", 10)) == pytest.approx(1)
        assert scores.mean(Measure("MAP")) == pytest.approx(1)
        assert len(scores.over) == 8
