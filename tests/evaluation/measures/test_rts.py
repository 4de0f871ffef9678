"""The measures of real-time summarization on small cases worked out by hand, and what holds for any run."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.conftest import ROOT
from tests.sweeps import every
from tidings.cli import run
from tidings.core.errors import UsageError
from tidings.core.records import Cluster, Run, Update
from tidings.evaluation.formats.tweets import MobileJudgment, TweetJudgments
from tidings.evaluation.measures import Measure, parse_measure
from tidings.evaluation.measures.rts import prepare
from tidings.evaluation.measures.rts_mobile import prepare_mobile
from tidings.evaluation.measures.rts_rules import INFO, MODES, RULES, rules_named

START = rules_named("rts-2017-a").start_time()  # 29 July 2017, eight days
HOUR, DAY = 3600, 86400


def judged(*rows: tuple[str, int, int, str], start: int = START, topic: str = "RTS1") -> TweetJudgments:
    """Judgments of one topic from (tweet, label, seconds after the start, cluster or none) rows."""
    calendar = {rules.start_time(): rules.calendar() for rules in RULES.values()}[start]
    clusters: dict[str, list[str]] = {}
    for tweet, _, _, cluster in rows:
        if cluster:
            clusters.setdefault(cluster, []).append(tweet)
    return TweetJudgments(
        name="made up",
        grades={topic: {tweet: label for tweet, label, _, _ in rows}},
        clusters=tuple(Cluster(topic, name, tuple(tweets)) for name, tweets in clusters.items()),
        days={tweet: calendar[after // DAY] for tweet, _, after, _ in rows},
        times={tweet: start + after for tweet, _, after, _ in rows},
    )


def pushed(*rows: tuple[str, int], start: int = START, topic: str = "RTS1") -> Run:
    """A run of (tweet, seconds after the start) pushes."""
    return Run("", "r", [Update(topic, tweet, 0, start + after) for tweet, after in rows])


def listed(*rows: tuple[str, int, int], topic: str = "RTS1") -> Run:
    """A run of (tweet, day, rank) lines of digests."""
    return Run("", "r", [Update(topic, tweet, rank, START + day * DAY) for tweet, day, rank in rows])


def values(
    judgments: TweetJudgments, run: Run, mode: str = "official", rules: str = "rts-2017-a"
) -> dict[str, float]:
    prepared = prepare(judgments, rules, mode)  # type: ignore[arg-type]
    scores = prepared.score(run, [Measure(name) for name in _names(rules)])
    (topic,) = scores.per_event.values()
    return {measure.name: value for measure, value in topic.items()}


def _names(rules: str) -> list[str]:
    if RULES[rules].task == "digest":
        return list(RULES[rules].measures)
    return [*RULES["rts-2017-a"].measures, "ELG", "nCG"]


# Two clusters on the first day, one on the second, one of the first day again on the third; five silent days.
NEWS = judged(
    ("a1", 2, 1 * HOUR, "a"),
    ("a2", 1, 2 * HOUR, "a"),
    ("b1", 1, 3 * HOUR, "b"),
    ("x1", 0, 4 * HOUR, ""),
    ("c1", 1, DAY + HOUR, "c"),
    ("a3", 2, 2 * DAY + HOUR, "a"),
    ("x2", 0, 5 * DAY, ""),
)


class TestByHand:
    """Small cases."""

    @every("mode", MODES)
    def test_gain_cover_and_latency(self, mode: str) -> None:
        """a2 is the first of its cluster to be told, b1 the second day's cluster is missed."""
        found = values(NEWS, pushed(("a2", 2 * HOUR), ("x1", 5 * HOUR)), mode)
        eventful = 0.5 / 2
        assert found["EG-0"] == pytest.approx(eventful / 8)
        assert found["nCG-0"] == pytest.approx((0.5 / 1.5) / 8)
        assert found["GMP@.33"] == pytest.approx((0.33 * 0.5 - 0.67 * 1) / 8)
        assert found["latency_mean"] == found["latency_median"] == HOUR  # since a1, though a2 was pushed
        assert found["pushes"] == 2

    @every("mode", MODES)
    def test_a_cluster_is_new_only_once(self, mode: str) -> None:
        found = values(NEWS, pushed(("a1", HOUR), ("a2", 2 * HOUR)), mode)
        assert found["EG-0"] == pytest.approx((1.0 / 2) / 8)

    @every("mode", MODES)
    def test_silent_days(self, mode: str) -> None:
        """Two needless tweets on one of five silent days."""
        found = values(
            judged(*ROWS, ("x3", 0, 5 * DAY + 1, "")), pushed(("x2", 5 * DAY), ("x3", 5 * DAY + 1)), mode
        )
        assert found["EG-1"] == found["nCG-1"] == pytest.approx(4 / 8)
        assert found["EG-p"] == found["nCG-p"] == pytest.approx(4.8 / 8)

    def test_a_digest(self) -> None:
        """b1 at rank 2 of a day on which clusters worth 1 and 0.5 wait."""
        found = values(NEWS, listed(("x1", 0, 1), ("b1", 0, 2)), rules="rts-2017-b")
        dcg = (2**0.5 - 1) / 1.584962500721156
        ideal = (2**1 - 1) + (2**0.5 - 1) / 1.584962500721156
        assert found["nDCG@10-0"] == pytest.approx(dcg / ideal / 8)
        assert found["nDCG@10-1"] == pytest.approx((dcg / ideal + 5) / 8)

    def test_a_perfect_digest(self) -> None:
        run = listed(("a1", 0, 1), ("b1", 0, 2), ("c1", 1, 1))
        assert values(NEWS, run, rules="rts-2017-b")["nDCG@10-1"] == 1.0

    def test_latency_discount_of_2015(self) -> None:
        """A push 30 minutes and 59 seconds late loses 30 per cent."""
        start = rules_named("mb-2015-a").start_time()
        news = judged(("a1", 2, HOUR, "a"), start=start, topic="MB226")
        run = pushed(("a1", HOUR + 30 * 60 + 59), start=start, topic="MB226")
        for mode in MODES:
            found = values(news, run, mode, "mb-2015-a")
            assert found["ELG"] == pytest.approx((0.7 + 9) / 10)
            assert found["nCG"] == pytest.approx((0.7 + 9) / 10)

    def test_labels_that_came_from_a_repeated_tweet(self) -> None:
        """Until 2016, 3 and 4 stand for 1 and 2 passed on to a retweet."""
        for name in ("mb-2015-a", "rts-2016-a"):
            assert [rules_named(name).gain(label, "official") for label in (-1, 0, 1, 2, 3, 4)] == [
                0,
                0,
                0.5,
                1,
                0.5,
                1,
            ]
            assert [rules_named(name).gain(label, "guideline") for label in (-1, 0, 1, 2, 3, 4)] == [
                0,
                0,
                0.5,
                1,
                0.5,
                1,
            ]

    def test_an_even_number_of_latencies(self) -> None:
        found = values(NEWS, pushed(("a1", HOUR), ("b1", 5 * HOUR)))
        assert (found["latency_mean"], found["latency_median"]) == (HOUR, HOUR)

    def test_latency_of_the_run_is_that_of_all_its_pushes(self) -> None:
        """Not the mean of topics: one topic has two pushes, the other one."""
        two = judged(("q1", 1, 0, "q"), topic="RTS2")
        both = TweetJudgments(
            name="both",
            grades={**NEWS.grades, **two.grades},
            clusters=(*NEWS.clusters, *two.clusters),
            days={**NEWS.days, **two.days},
            times={**NEWS.times, **two.times},
        )
        run = Run(
            "",
            "r",
            [*pushed(("a1", HOUR), ("b1", 3 * HOUR)).updates, *pushed(("q1", 9), topic="RTS2").updates],
        )
        scores = prepare(both).score(run)
        assert scores.mean(Measure("latency_mean")) == 3
        assert scores.mean(Measure("pushes")) == 3
        assert list(scores.per_event) == ["RTS1", "RTS2"]


ROWS = [
    (
        tweet,
        label,
        NEWS.times[tweet] - START,
        next((c.id for c in NEWS.clusters if tweet in c.update_ids), ""),
    )
    for tweet, label in NEWS.grades["RTS1"].items()
]


class TestInBothModes:
    """What guidelines leave open, and scripts decide."""

    @every("mode", MODES)
    def test_a_push_counts_on_the_day_of_its_tweet(self, mode: str) -> None:
        """c1, posted on the second day and pushed on the fourth, which is silent."""
        found = prepare(NEWS, "rts-2017-a", mode).explain(pushed(("c1", 3 * DAY)), "RTS1")  # type: ignore[arg-type]
        assert [day.emitted for day in found.days] == [0, 1, 0, 0, 0, 0, 0, 0]
        assert found.values["EG-0"] == 0.5 / 8
        assert found.values["latency_mean"] == 3 * DAY - (DAY + HOUR)

    @every("mode", MODES)
    def test_a_cluster_below_rank_ten_is_told(self, mode: str) -> None:
        lines = [(f"y{rank}", 0, rank) for rank in range(1, 11)]
        run = listed(*lines, ("d1", 0, 11), ("d2", 1, 1))
        news = judged(("d1", 2, HOUR, "d"), ("d2", 2, DAY + HOUR, "d"), ("e1", 1, DAY, "e"))
        assert values(news, run, mode, "rts-2017-b")["nDCG@10-0"] == 0

    @every("mode", MODES)
    def test_topics_that_were_not_judged_are_left_out(self, mode: str) -> None:
        run = Run("", "r", [*pushed(("a1", HOUR)).updates, *pushed(("a1", HOUR), topic="RTS9").updates])
        scores = prepare(NEWS, "rts-2017-a", mode).score(run)  # type: ignore[arg-type]
        assert list(scores.per_event) == ["RTS1"]
        assert scores.unjudged == ("RTS9",)
        assert scores.mean(Measure("EG-0")) == 1 / 8


class TestWhereScriptsAndGuidelinesPart:
    """One test for each difference that docs/evaluation/differences.md tells of."""

    def test_silent_days_are_decided_by_the_run(self) -> None:
        """The third day offers cluster a alone: officially it is silent for whoever has told a before."""
        run = pushed(("a1", HOUR))
        official, guideline = (prepare(NEWS, "rts-2017-a", mode).explain(run, "RTS1").days for mode in MODES)
        assert [day.silent for day in official] == [False, False, True, True, True, True, True, True]
        assert [day.silent for day in guideline] == [False, False, False, True, True, True, True, True]
        assert values(NEWS, run)["EG-1"] == (1 + 6) / 8
        assert values(NEWS, run, "guideline")["EG-1"] == (1 + 5) / 8

    def test_the_ideal_gain_depends_on_the_run(self) -> None:
        """Cluster d of two days: told on the first, it is no longer missed on the second."""
        news = judged(("d1", 2, HOUR, "d"), ("d2", 2, DAY + HOUR, "d"), ("e1", 2, DAY + HOUR, "e"))
        run = pushed(("d1", HOUR), ("e1", DAY + HOUR))
        assert values(news, run)["nCG-0"] == (1 + 1) / 8
        assert values(news, run, "guideline")["nCG-0"] == (1 + 1 / 2) / 8

    def test_pain_of_silent_days_is_lost(self) -> None:
        run = pushed(("x2", 5 * DAY))
        assert values(NEWS, run)["GMP@.5"] == 0
        assert values(NEWS, run, "guideline")["GMP@.5"] == -0.5 / 8

    def test_unjudged_pushes_are_dropped(self) -> None:
        run = pushed(("a1", HOUR), ("nobody-looked", 2 * HOUR))
        assert values(NEWS, run)["EG-0"] == 1 / 8
        assert values(NEWS, run, "guideline")["EG-0"] == 0.5 / 8

    def test_139_seconds_are_added_in_2016(self) -> None:
        start = rules_named("rts-2016-a").start_time()
        news = judged(("a1", 2, HOUR, "a"), start=start)
        run = pushed(("a1", HOUR), start=start)
        assert values(news, run, rules="rts-2016-a")["latency_mean"] == 139
        assert values(news, run, "guideline", rules="rts-2016-a")["latency_mean"] == 0

    def test_pushes_before_the_tweet_are_dropped(self) -> None:
        """2017: one second early; 2016: the shift forgives 139. The guidelines know no such rule."""
        run = pushed(("a1", HOUR - 1))
        assert values(NEWS, run)["EG-0"] == 0
        assert values(NEWS, run, "guideline")["EG-0"] == 1 / 8
        start = rules_named("rts-2016-a").start_time()
        news = judged(("a1", 2, HOUR, "a"), start=start)
        early = [pushed(("a1", HOUR - seconds), start=start) for seconds in (139, 140)]
        assert [values(news, one, rules="rts-2016-a")["EG-0"] for one in early] == [0.1, 0]

    def test_more_than_ten_pushes_a_day(self) -> None:
        """The scripts divide by all and let -p fall below zero; the broker would have taken ten."""
        rows = [(f"y{i}", 0, 5 * DAY + i, "") for i in range(12)]
        run = pushed(*[(tweet, after) for tweet, _, after, _ in rows])
        found = values(judged(*ROWS, *rows), run)
        assert found["EG-p"] == pytest.approx((4 + 1 - 12 / 10) / 8)
        assert values(judged(*ROWS, *rows), run, "guideline")["EG-p"] == 4 / 8
        assert values(judged(*ROWS, *rows), run, "guideline")["pushes"] == 10

    def test_order_of_the_file_or_of_time(self) -> None:
        """Of two tweets of a cluster the scripts pay the first in the file, the guidelines the first in time."""
        run = pushed(("a1", 4 * HOUR), ("a2", 2 * HOUR))
        assert values(NEWS, run)["EG-0"] == (1 / 2) / 8
        assert values(NEWS, run, "guideline")["EG-0"] == (0.5 / 2) / 8

    def test_a_tweet_pushed_twice_has_its_last_time(self) -> None:
        run = pushed(("a1", 2 * HOUR), ("a1", 9 * HOUR))
        assert values(NEWS, run)["latency_mean"] == 8 * HOUR
        assert values(NEWS, run, "guideline")["latency_mean"] == HOUR

    def test_a_label_of_minus_one_in_2017(self) -> None:
        """The script of 2017 knows -2 only, and takes half a point for -1."""
        news = judged(("a1", -1, HOUR, "a"), ("b1", 2, 2 * HOUR, "b"))
        assert values(news, pushed(("a1", HOUR)))["EG-0"] == -0.5 / 8
        assert values(news, pushed(("a1", HOUR)), "guideline")["EG-0"] == 0

    def test_best_gain_of_the_cluster_in_2015(self) -> None:
        start = rules_named("mb-2015-a").start_time()
        news = judged(("a1", 2, HOUR, "a"), ("a2", 1, 2 * HOUR, "a"), start=start, topic="MB1")
        run = pushed(("a2", 2 * HOUR), start=start, topic="MB1")
        assert values(news, run, rules="mb-2015-a")["ELG"] == (1 + 9) / 10
        assert values(news, run, "guideline", rules="mb-2015-a")["ELG"] == (0.5 + 9) / 10

    def test_early_pushes_of_2015_earn_more_than_their_gain(self) -> None:
        start = rules_named("mb-2015-a").start_time()
        news = judged(("a1", 2, HOUR, "a"), start=start, topic="MB1")
        run = pushed(("a1", HOUR - 600), start=start, topic="MB1")
        assert values(news, run, rules="mb-2015-a")["nCG"] == pytest.approx((1.1 + 9) / 10)
        assert values(news, run, "guideline", rules="mb-2015-a")["nCG"] == 1

    def test_digests_by_line_or_by_rank(self) -> None:
        run = listed(("x1", 0, 2), ("a1", 0, 1))
        official, guideline = (values(NEWS, run, mode, "rts-2017-b")["nDCG@10-0"] for mode in MODES)
        assert official < guideline

    def test_a_digest_has_at_most_a_hundred_tweets(self) -> None:
        """Cluster a, told at rank 101 of the first day, is officially told by then."""
        lines = [(f"y{rank}", 0, rank) for rank in range(1, 101)]
        run = listed(*lines, ("a1", 0, 101), ("a3", 2, 1))
        official, guideline = (prepare(NEWS, "rts-2017-b", mode).explain(run, "RTS1") for mode in MODES)
        assert official.days[2].silent
        assert [one.status for one in guideline.days[2].tweets] == ["new"]

    def test_pushes_on_silent_days_are_not_counted(self) -> None:
        run = pushed(("a1", HOUR), ("x2", 5 * DAY))
        assert values(NEWS, run)["pushes"] == 1
        assert values(NEWS, run, "guideline")["pushes"] == 2

    def test_topics_with_worthless_clusters_do_not_end_scoring(self) -> None:
        """Where all of a day's clusters are worth nothing the scripts divide by zero."""
        news = judged(("a1", 0, HOUR, "a"))
        assert values(news, pushed(("a1", HOUR)))["nCG-0"] == 0


TWEETS = [f"t{i}" for i in range(12)]
judgments_of_any_kind = st.lists(
    st.tuples(
        st.sampled_from(TWEETS),
        st.integers(-2, 2),
        st.integers(0, 8 * DAY - 1),
        st.sampled_from(["", "a", "b", "c"]),
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda row: row[0],
).map(lambda rows: judged(*sorted(rows, key=lambda row: row[2])))
pushes_of_any_kind = st.lists(
    st.tuples(st.sampled_from([*TWEETS, "u1", "u2"]), st.integers(-DAY, 10 * DAY)), max_size=40
).map(lambda rows: pushed(*rows))
lists_of_any_kind = st.lists(
    st.tuples(st.sampled_from([*TWEETS, "u1"]), st.integers(-1, 9), st.integers(1, 30)), max_size=40
).map(lambda rows: listed(*rows))


class TestForAnyRun:
    """What must hold whatever was judged and told."""

    @given(judgments_of_any_kind, pushes_of_any_kind)
    def test_silence_is_worth_the_same_in_both_families(self, news: TweetJudgments, run: Run) -> None:
        """EG-1 - EG-0 = nCG-1 - nCG-0, and so for -p: they part only on silent days."""
        for mode in MODES:
            found = values(news, run, mode)
            assert found["EG-1"] - found["EG-0"] == pytest.approx(found["nCG-1"] - found["nCG-0"])
            assert found["EG-p"] - found["EG-0"] == pytest.approx(found["nCG-p"] - found["nCG-0"])

    @given(judgments_of_any_kind, pushes_of_any_kind)
    def test_variants_are_ordered_and_bounded(self, news: TweetJudgments, run: Run) -> None:
        found = values(news, run, "guideline")
        for stem in ("EG", "nCG"):
            assert 1 + 1e-12 >= found[f"{stem}-p"] >= found[f"{stem}-1"] >= found[f"{stem}-0"] >= 0

    @given(judgments_of_any_kind, lists_of_any_kind)
    def test_digests_are_ordered_and_bounded(self, news: TweetJudgments, run: Run) -> None:
        for mode in MODES:
            found = values(news, run, mode, "rts-2017-b")
            assert found["nDCG@10-p"] >= found["nDCG@10-1"] >= found["nDCG@10-0"]
        assert found["nDCG@10-p"] <= 1 + 1e-12
        assert found["nDCG@10-0"] >= 0

    @given(judgments_of_any_kind)
    def test_silence_earns_the_share_of_silent_days(self, news: TweetJudgments) -> None:
        for mode in MODES:
            silent = prepare(news, "rts-2017-a", mode).explain(pushed(), "RTS1")
            share = sum(day.silent for day in silent.days) / 8
            for name in ("EG-1", "EG-p", "nCG-1", "nCG-p"):
                assert silent.values[name] == share
            assert silent.values["EG-0"] == silent.values["nCG-0"] == silent.values["GMP@.5"] == 0

    @given(judgments_of_any_kind, pushes_of_any_kind, st.randoms(use_true_random=False))
    def test_the_order_of_lines_says_nothing_to_the_guidelines(self, news, run, draw) -> None:
        by_time = {update.time: update for update in run.updates}  # one push a second
        lines = list(by_time.values())
        shuffled = draw.sample(lines, len(lines))
        assert values(news, Run("", "r", lines), "guideline") == values(
            news, Run("", "r", shuffled), "guideline"
        )

    @given(judgments_of_any_kind, pushes_of_any_kind)
    def test_explained_days_add_up(self, news: TweetJudgments, run: Run) -> None:
        for mode in MODES:
            told = prepare(news, "rts-2017-a", mode).explain(run, "RTS1")
            assert len(told.days) == 8
            for day in told.days:
                new = [one.cluster for one in day.tweets if one.status == "new"]
                assert len(new) == len(set(new))
                assert day.gain == pytest.approx(sum(one.gain for one in day.tweets[:10]))
            clusters = [one.cluster for day in told.days for one in day.tweets if one.status == "new"]
            assert len(clusters) == len(set(clusters))


class TestExplain:
    """Why a topic scored as it did."""

    def test_each_tweet_says_what_became_of_it(self) -> None:
        run = pushed(("a2", 2 * HOUR), ("a1", 3 * HOUR), ("x1", 5 * HOUR), ("u", 6 * HOUR))
        first, *_ = prepare(NEWS, "rts-2017-a", "guideline").explain(run, "RTS1").days
        assert (first.day, first.silent, first.emitted, first.gain, first.best, first.pain) == (
            "20170729", False, 4, 0.5, 1.5, 3,
        )  # fmt: skip
        assert [(one.tweet, one.status, one.cluster, one.gain, one.latency_s) for one in first.tweets] == [
            ("a2", "new", "a", 0.5, HOUR),
            ("a1", "repeated", "a", 0.0, None),
            ("x1", "irrelevant", "", 0.0, None),
            ("u", "unjudged", "", 0.0, None),
        ]

    def test_an_unknown_topic(self) -> None:
        with pytest.raises(UsageError, match="judged are RTS1"):
            prepare(NEWS).explain(pushed(), "RTS9")


class TestTelephones:
    """Judgments made on telephones."""

    JUDGED = (
        MobileJudgment("RTS1", "a", 1, 2),
        MobileJudgment("RTS1", "a", 2, -1),
        MobileJudgment("RTS1", "b", 3, 1),
        MobileJudgment("RTS1", "c", 4, 2),
        MobileJudgment("RTS2", "d", 5, 0),
    )
    BEGIN = rules_named("rts-2016-mobile").start_time()

    def test_counts_precision_and_utility(self) -> None:
        run = pushed(("a", 1), ("b", 2), ("z", 3), ("c", -1), start=self.BEGIN)
        elsewhere = pushed(("a", 1), start=self.BEGIN, topic="RTS9")
        scores = prepare_mobile(self.JUDGED).score(Run("", "r", [*run.updates, *elsewhere.updates]))
        assert scores.unjudged == ("RTS9",)
        found = {measure.name: value for measure, value in scores.per_event["RTS1"].items()}
        assert found == {
            "relevant": 1, "redundant": 1, "not_relevant": 1, "unjudged": 1, "pushes": 3,
            "P-strict": 1 / 3, "P-lenient": 2 / 3, "utility-strict": -1, "utility-lenient": 1,
        }  # fmt: skip
        assert scores.mean(Measure("pushes")) == 3
        assert scores.mean(Measure("P-strict")) == 1 / 3  # of the sums, not the mean over topics

    def test_only_ten_pushes_a_day_reach_the_telephone(self) -> None:
        rows = [(f"z{i}", i) for i in range(10)]
        late = pushed(*rows, ("a", 99), start=self.BEGIN)
        early = pushed(("a", 99), *rows, start=self.BEGIN)
        counted = [
            [
                prepare_mobile(self.JUDGED, mode=mode).score(run).mean(Measure("relevant"))
                for run in (late, early)
            ]
            for mode in MODES
        ]
        assert counted == [[0, 1], [0, 0]]  # by line, by time

    def test_without_judgments(self) -> None:
        with pytest.raises(UsageError, match="no assessments"):
            prepare_mobile([])


class TestWrongJudgments:
    """Files of different years, or none."""

    def test_nothing_judged(self) -> None:
        with pytest.raises(UsageError, match="no topic is judged"):
            prepare(TweetJudgments(name="f", grades={}, clusters=()))

    def test_a_cluster_of_a_topic_that_was_not_judged(self) -> None:
        with pytest.raises(UsageError, match="topic RTS2, which the qrels do not judge"):
            prepare(TweetJudgments(name="f", grades=NEWS.grades, clusters=(Cluster("RTS2", "1", ("a",)),)))

    @every("field, lacks", [("grades", "qrels"), ("days", "table of days")])
    def test_a_tweet_without_label_or_day(self, field: str, lacks: str) -> None:
        parts = {name: getattr(NEWS, name) for name in ("name", "grades", "clusters", "days", "times")}
        parts[field] = {"RTS1": {}} if field == "grades" else {}
        with pytest.raises(UsageError, match=f"but not in the {lacks}"):
            prepare(TweetJudgments(**parts))

    def test_rules_and_modes_that_are_none(self) -> None:
        with pytest.raises(UsageError, match="known are mb-2015-a"):
            rules_named("rts-2018-a")
        with pytest.raises(UsageError, match="expected official or guideline"):
            prepare(NEWS, "rts-2017-a", "lax")  # type: ignore[arg-type]
        with pytest.raises(UsageError, match="prepare_mobile"):
            prepare(NEWS, "rts-2016-mobile")


def test_measures_are_found_by_their_names() -> None:
    """Also those with an @ of their own."""
    for name in INFO:
        assert str(parse_measure(name, INFO)) == name
    for rules in RULES.values():
        assert set(rules.measures) <= set(INFO)


PAGE = (ROOT / "docs" / "evaluation" / "differences.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`((?:tests/[\w/]+\.py::)?(?:Test\w+::)?test_\w+)`", PAGE)


@cache
def texts_of_tests() -> dict[str, str]:
    """The text of each file of tests, by its path: only those that hold a name are looked at closely."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return {str(file.relative_to(ROOT)): file.read_text(encoding="utf-8") for file in files}


@cache
def names_in(path: str) -> set[str]:
    """The names of a file's tests, alone and with their class."""
    names = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{item.name}" for item in node.body if isinstance(item, ast.FunctionDef)}
    return names


@every("name", NAMED)
def test_each_named_test_exists(name: str) -> None:
    path, _, inner = name.rpartition(".py::")
    if path:
        assert inner in names_in(f"{path}.py")
        return
    inner = name.rpartition("::")[2]
    everywhere = (names_in(path) for path, text in texts_of_tests().items() if f"def {inner}(" in text)
    assert any(known == name or known.endswith(f"::{name}") for names in everywhere for known in names)


def test_there_are_some() -> None:
    assert len(NAMED) > 20


BEGIN = 1501286400  # 29 July 2017


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Judgments of one topic with one cluster on the first of eight days."""
    (tmp_path / "batch-qrels.txt").write_text("RTS1 Q0 1 2\nRTS1 Q0 2 -2\n")
    (tmp_path / "batch-clusters.json").write_text('{"RTS1": {"clusters": {"c": {"tweets": ["1"]}}}}')
    (tmp_path / "batch-tweets2dayepoch.txt").write_text(f"1 20170729 {BEGIN}\n2 20170730 {BEGIN + 86400}\n")
    (tmp_path / "mobile-qrels.txt").write_text("RTS1 1 1470100000 2\n")
    return tmp_path


def scores(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[tuple[str, str, str], float]:
    """(run, event, measure) to value."""
    assert run(["score", *map(str, arguments), "--per-event", "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(set(line) == {"team", "run", "event", "measure", "value"} for line in lines)
    return {(line["run"], line["event"], line["measure"]): line["value"] for line in lines}


def test_pushes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every measure has its name and its value for each topic."""
    path = folder / "a.run"
    path.write_text("RTS1\t1\t0729-00:00:09\tus\nRTS1\t2\t0730-00:00:09\tus\n")
    found = scores(capsys, path, "-j", folder, "--rules", "rts-2017-a")
    names = "EG-1 EG-0 EG-p nCG-1 nCG-0 nCG-p GMP@.33 GMP@.5 GMP@.66 latency_mean latency_median pushes"
    assert [name for _, event, name in found if event == "RTS1"] == names.split()
    assert found["us", "RTS1", "EG-1"] == (1 + 6) / 8
    assert found["us", "all", "EG-p"] == pytest.approx((1 + 6 + 0.9) / 8)
    assert found["us", "RTS1", "latency_mean"] == 9
    assert found["us", "RTS1", "GMP@.5"] == 0.5 / 8
    found = scores(capsys, path, "-j", folder, "--rules", "rts-2017-a", "--mode", "guideline", "-m", "GMP@.5")
    assert found["us", "RTS1", "GMP@.5"] == 0


@pytest.mark.parametrize(
    ("rules", "name", "value"), [("rts-2017-a", "EG-1", 7 / 8), ("rts-2017-b", "nDCG@10-p", 7 / 8)]
)
def test_an_empty_run_is_right_about_silent_days(
    folder: Path, capsys: pytest.CaptureFixture[str], rules: str, name: str, value: float
) -> None:
    path = folder / "silence.run"
    path.write_text("")
    assert scores(capsys, path, "-j", folder, "--rules", rules)["silence", "all", name] == value


def test_telephones(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "a.run"
    path.write_text("RTS1 1 1470100000 us\n")
    assert scores(capsys, path, "-j", folder, "--rules", "rts-2016-mobile")["us", "all", "P-strict"] == 1


def test_timelines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels.txt").write_text("MB1 Q0 1 2\n")
    (tmp_path / "clusters.json").write_text('{"topics": {"MB1": {"clusters": [["1"]]}}}')
    path = tmp_path / "ttg.run"
    path.write_text("MB1 Q0 1 1 1.0 us\nMB1 Q0 2 2 0.5 us\n")
    found = scores(capsys, path, "-j", tmp_path, "--rules", "ttg-2014")
    names = [name for _, event, name in found if event == "MB1"]
    assert set(names) == {"cP", "cR", "cRw", "F1", "F1w", "cPw"}
    assert found["us", "MB1", "cP"] == 0.5


def test_what_is_wrong_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "a.run"
    path.write_text("RTS1 1 5 us\nRTS1 1 us\nRTS7 1 5 us\n")
    assert run(["score", str(path), "-j", str(folder), "--rules", "rts-2017-a"]) == 2
    assert f"{path}:2: 3 columns" in capsys.readouterr().err
    assert run(["score", str(path), "-j", str(folder), "--rules", "rts-2017-a", "--lenient"]) == 0
    said = capsys.readouterr().err
    assert "skipped 1 bad line" in said
    assert "run us tells of RTS7, for which there are no judgments; skipped" in said
    assert run(["score", str(path), "-j", str(folder), "--rules", "rts-2017-a", "-m", "EG"]) == 2
    assert "did you mean" in capsys.readouterr().err
    assert run(["score", str(path), "-j", str(folder / "none"), "--rules", "rts-2017-a"]) == 2
    assert "there is no such folder" in capsys.readouterr().err


@pytest.mark.parametrize("rules", ["mb-2015-a", "mb-2015-b", "rts-2016-a", "rts-2016-b"])
def test_judgments_of_another_year_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], rules: str
) -> None:
    """No tweet of theirs is of the evaluation, so every day would look silent and every run perfect."""
    path = folder / "silence.run"
    path.write_text("")
    assert run(["score", str(path), "-j", str(folder), "--rules", rules]) == 2
    assert f"tweets of 20170729 to 20170730 (expected some of {RULES[rules].first_day}" in (
        capsys.readouterr().err
    )
