"""Judging a finished collection again: what counts as found, how courses add up, and the figures on TREC's topics."""

from __future__ import annotations

from math import isnan, isqrt

import pytest

from tests.evaluation.test_selection import NUGGETS, TEXTS, pool
from tests.sweeps import every
from tidings.core.records import Event, Judgments, Match, PooledUpdate
from tidings.evaluation.selection.selection import STRATEGIES
from tidings.evaluation.selection.simulation import (
    Course,
    judged_topics,
    mean_curve,
    one_queue,
    share_needed,
    simulate,
    summarise,
    topic_selection,
    topic_summaries,
)

COPY = PooledUpdate("e", "200-d", 0, TEXTS[2], published_time=200)


def collection() -> Judgments:
    told = [("100-d-0", "N1"), ("102-d-0", "N1"), ("104-d-0", "N1"), ("104-d-0", "N2"), ("200-d-0", "N2")]
    twice = [*told, told[0], ("elsewhere-0", "N1")]
    return Judgments(
        name="small",
        events=(Event(id="e", title="Ferry fire", query="ferry"), Event(id="f", title="None", query="none")),
        nuggets=NUGGETS,
        matches=tuple(Match("e", update, nugget, 0, 4) for update, nugget in twice),
        pool=(*pool(), COPY),
    )


def test_topics_without_matches_in_their_pool_are_left_out() -> None:
    (topic,) = judged_topics(collection())
    assert topic.event.id == "e"
    assert topic.matches == {
        "100-d-0": {"N1"},
        "102-d-0": {"N1"},
        "104-d-0": {"N1", "N2"},
        "200-d-0": {"N2"},
    }


def test_by_time_counts_come_as_the_updates_do_and_copies_with_their_first() -> None:
    (topic,) = judged_topics(collection())
    course = simulate(topic, topic_selection(topic), "time")
    assert course.matches == (0, 1, 1, 3, 3, 5, 5, 5, 5)
    assert course.relevant == (0, 1, 1, 2, 2, 3, 3, 3, 3)
    assert course.nuggets == (0, 1, 1, 2, 2, 2, 2, 2, 2)
    assert course.judgments == 8


@every("by", STRATEGIES)
def test_every_order_ends_with_all_and_is_the_same_again(by) -> None:
    (topic,) = judged_topics(collection())
    course = simulate(topic, topic_selection(topic), by, seed=3, most=2)
    assert (course.matches[-1], course.relevant[-1], course.nuggets[-1]) == (5, 3, 2)
    assert len(course.promised) == 8
    assert course == simulate(topic, topic_selection(topic), by, seed=3, most=2)


def test_an_order_that_learns_is_asked_again_after_each_few() -> None:
    (topic,) = judged_topics(collection())
    selection = topic_selection(topic)
    asked: list[int] = []
    order = selection.order
    selection.order = lambda judged, by, seed: (asked.append(len(judged)), order(judged, by, seed))[1]
    simulate(topic, selection, "yield", most=2)
    assert asked == [0, 1, 3, 5, 7]


def test_nuggets_need_not_be_known() -> None:
    (topic,) = judged_topics(collection())
    assert (
        topic_selection(topic).features.shape[1]
        == topic_selection(topic, nuggets=False).features.shape[1] + 4
    )


def course(event: str, *matches: int, seed: int = 0, by="yield", promised: tuple[float, ...] = ()) -> Course:
    relevant = tuple(map(isqrt, matches))
    return Course(event, by, seed, matches, relevant, relevant, promised or tuple(map(float, matches[:-1])))


def test_figures_are_means_over_topics_and_sums_where_they_say_so() -> None:
    rich, poor = course("a", 0, 8, 9, 9, 10), course("b", 0, 0, 1, 1, 2)
    made = summarise([rich, poor], target=0.9)
    assert made.quarter == pytest.approx((0.8 + 0) / 2)
    assert made.half == pytest.approx((0.9 + 0.5) / 2)
    assert made.half_least == pytest.approx(0.5)
    assert made.half_together == pytest.approx(10 / 12)
    assert (made.needed, made.needed_most) == (pytest.approx((0.5 + 1) / 2), 1)
    assert made.needed_together == pytest.approx(1)
    assert share_needed([rich, poor], "matches", 0.8) == pytest.approx(0.5)
    assert made.relevant == pytest.approx((3 / 3 + 1 / 1) / 2)
    assert (made.seeds, made.half_seeds) == (1, (made.half, made.half))
    assert made.area == pytest.approx((7.2 / 10 + 0.8 / 2) / 2)


def test_drawings_are_averaged_and_their_spread_is_said() -> None:
    made = summarise([course("a", 0, 1, 4, 4, 4), course("a", 0, 0, 0, 4, 4, seed=1)])
    assert (made.half, made.half_seeds, made.seeds) == (0.5, (0.0, 1.0), 2)
    (topic,) = topic_summaries([course("a", 0, 1, 4, 4, 4), course("a", 0, 0, 0, 4, 4, seed=1)])
    assert (topic.updates, topic.matches, topic.half, topic.needed) == (4, 4, 0.5, pytest.approx(0.625))
    assert mean_curve([course("a", 0, 1, 4, 4, 4), course("a", 0, 0, 0, 4, 4, seed=1)], points=2) == [
        0,
        0.5,
        1,
    ]


def test_one_queue_takes_what_promises_most_and_keeps_each_topics_order() -> None:
    rich = course("a", 0, 0, 8, 10, promised=(0.1, 5.0, 4.0))
    poor = course("b", 0, 1, 2, 2, promised=(0.5, 0.2, 0.05))
    assert one_queue([rich, poor]) == (0, 1, 2, 2, 10, 12, 12)
    assert one_queue([]) == (0,)
    assert summarise([rich, poor]).queue_half == pytest.approx(2 / 12)
    assert summarise([course("a", 0, 1, 2, 3, 4)]).queue_half == 0.5
    assert summarise([rich, poor]).queue_needed == pytest.approx(5 / 6)
    assert isnan(summarise([course("a", 0, 1, by="time")]).queue_half)


@pytest.mark.long
def test_half_of_the_pools_of_2014_hold_nine_tenths_of_the_matches(shared_data) -> None:
    from tidings.sources.streams import read_judgments

    topics = judged_topics(read_judgments(shared_data / "trec-ts" / "2014"))
    made = {
        by: summarise([simulate(topic, topic_selection(topic), by) for topic in topics])
        for by in ("time", "random", "yield")
    }
    assert made["yield"].half > 0.9
    assert made["yield"].needed < 0.48
    assert made["yield"].queue_half > 0.91
    assert made["yield"].half_least > made["random"].half_least
    assert max(made["time"].half, made["random"].half) < 0.52
