"""One assembly of what a run scored: silence, events without judgments, and what the means go over."""

from __future__ import annotations

from tidings.evaluation.measures import Measure
from tidings.evaluation.measures.run_scores import assemble, chosen

H, C = Measure("H"), Measure("C")
VALUES = {"a": {H: 0.4, C: 1.0}, "b": {H: 0.0, C: 0.0}, "c": {H: 0.2}}


def test_silent_and_unjudged_events_are_named_in_their_order() -> None:
    scores = assemble("t", "r", [H, C], VALUES, ["z", "a", "y"])
    assert scores.silent == ("b", "c")
    assert scores.unjudged == ("z", "y")
    assert scores.over == ("a", "b", "c")
    assert (scores.team, scores.run, scores.measures, scores.per_event) == ("t", "r", (H, C), VALUES)


def test_where_saying_nothing_may_be_right_silence_is_not_named() -> None:
    scores = assemble("t", "r", [H], VALUES, ["z"], silence=False)
    assert scores.silent == ()
    assert scores.unjudged == ("z",)


def test_means_go_over_what_is_asked_for() -> None:
    scores = assemble("t", "r", [H], VALUES, ["a"], over={"a"}.__contains__)
    assert scores.over == ("a",)
    assert scores.mean(H) == 0.4


def test_a_measure_that_an_event_lacks_leaves_it_out_of_the_mean() -> None:
    assert assemble("t", "r", [C], VALUES, ["a"]).mean(C) == 0.5


def test_means_that_are_no_means_are_kept() -> None:
    assert assemble("t", "r", [H], VALUES, ["a"], overall={H: 0.9}).mean(H) == 0.9


def test_values_are_chosen_by_name() -> None:
    assert chosen({"C": 0.5, "H": 0.1, "x": 3.0}, [H, Measure("LC"), C]) == {H: 0.1, C: 0.5}
