"""Tweet timelines on small cases worked out by hand, and what holds for any timeline."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tidings.core.errors import UsageError
from tidings.core.records import Cluster, Run, Update
from tidings.evaluation.formats.tweets import TweetJudgments
from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.ttg import INFO, MEASURES, prepare

JUDGED = TweetJudgments(
    name="made up",
    grades={"MB1": {"a": 2, "b": 1, "c": 1, "d": 2}, "MB2": {"e": 1}},
    clusters=(Cluster("MB1", "1", ("a", "b")), Cluster("MB1", "2", ("c",)), Cluster("MB1", "3", ("d",)),
              Cluster("MB2", "1", ("e",))),
)  # fmt: skip


def told(*tweets: str, topic: str = "MB1") -> Run:
    return Run("", "r", [Update(topic, tweet, 1, 0) for tweet in tweets])


def values(run: Run, mode: str = "official") -> dict[str, float]:
    scores = prepare(JUDGED, mode).score(run)  # type: ignore[arg-type]
    return {measure.name: value for measure, value in scores.per_event["MB1"].items()}


class TestByHand:
    """Three clusters of weights 3, 1 and 2."""

    def test_two_clusters_in_four_tweets(self) -> None:
        """a and b say the same, x says nothing: W = 3 + 2."""
        found = values(told("a", "b", "d", "x"))
        assert found["cP"] == 2 / 4
        assert found["cR"] == 2 / 3
        assert found["cRw"] == 5 / 6
        assert found["cPw"] == 5 / (4 - 2 + 5)
        assert found["F1"] == pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))
        assert found["F1w"] == pytest.approx(2 * (5 / 7) * (5 / 6) / (5 / 7 + 5 / 6))

    def test_guidelines_know_no_weighted_precision(self) -> None:
        found = values(told("a", "b", "d", "x"), "guideline")
        assert found["F1w"] == pytest.approx(2 * (1 / 2) * (5 / 6) / (1 / 2 + 5 / 6))

    def test_a_timeline_is_a_set(self) -> None:
        assert values(told("a", "a", "a")) == values(told("a"))

    def test_a_topic_without_timeline_is_worth_nothing(self) -> None:
        """The scripts end with an error there."""
        scores = prepare(JUDGED).score(told("a"))
        assert set(scores.per_event["MB2"].values()) == {0.0}
        assert scores.mean(Measure("cP")) == 0.5

    def test_topics_that_were_not_judged_are_told_of(self) -> None:
        assert prepare(JUDGED).score(told("a", topic="MB9")).unjudged == ("MB9",)

    def test_which_tweets_hit_which_cluster(self) -> None:
        hits = prepare(JUDGED).explain(told("b", "a", "x"), "MB1")
        assert [(hit.cluster.id, hit.weight, hit.told_by) for hit in hits] == [
            ("1", 3, ("b", "a")),
            ("2", 1, ()),
            ("3", 2, ()),
        ]
        with pytest.raises(UsageError, match="was not judged"):
            prepare(JUDGED).explain(told(), "MB9")


class TestWrongJudgments:
    """Files of different years, or none."""

    def test_no_clusters(self) -> None:
        with pytest.raises(UsageError, match="no clusters"):
            prepare(TweetJudgments(name="f", grades={"MB1": {"a": 1}}, clusters=()))

    def test_a_tweet_without_label(self) -> None:
        with pytest.raises(UsageError, match="not in the qrels"):
            prepare(TweetJudgments(name="f", grades={}, clusters=(Cluster("MB1", "1", ("a",)),)))

    def test_a_mode_that_is_none(self) -> None:
        with pytest.raises(UsageError, match="official or guideline"):
            prepare(JUDGED, "lax")  # type: ignore[arg-type]


class TestForAnyTimeline:
    """What must hold whatever was told."""

    timelines = st.lists(st.sampled_from("abcdxyz"), max_size=9)

    @given(timelines)
    def test_all_are_shares_and_f_is_between(self, tweets: list[str]) -> None:
        found = values(told(*tweets))
        assert set(found) == set(MEASURES) == set(INFO)
        assert all(0 <= value <= 1 for value in found.values())
        for f, p, r in (("F1", "cP", "cR"), ("F1w", "cPw", "cRw")):
            low, high = sorted((found[p], found[r]))
            assert low - 1e-12 <= found[f] <= high + 1e-12

    @given(timelines, st.sampled_from("abcd"))
    def test_recall_never_falls(self, tweets: list[str], more: str) -> None:
        before, after = values(told(*tweets)), values(told(*tweets, more))
        assert after["cR"] >= before["cR"]
        assert after["cRw"] >= before["cRw"]

    @given(timelines)
    def test_a_needless_tweet_never_helps(self, tweets: list[str]) -> None:
        before, after = values(told(*tweets)), values(told(*tweets, "needless"))
        assert all(after[name] <= before[name] for name in MEASURES)
