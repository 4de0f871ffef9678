"""What is suggested for an update: nuggets with spans, and clusters."""

from __future__ import annotations

import pytest

from tidings.judgments.selection import suggest_clusters, suggest_nuggets
from tidings.judgments.selection.spans import likely_span
from tidings.records import Nugget

NUGGETS = (
    Nugget("e", "N1", 0, 2, "12 people were killed"),
    Nugget("e", "N2", 0, 2, "the ferry burned off the coast"),
    Nugget("e", "N3", 0, 2, "the captain was arrested"),
)


def test_the_likest_nugget_stands_first_and_unlike_ones_nowhere() -> None:
    told = suggest_nuggets("The ferry's captain was arrested in port.", NUGGETS)
    assert [one.nugget_id for one in told] == ["N3", "N2"]
    assert told[0].score > told[1].score > 0
    assert suggest_nuggets("Bread with olives", NUGGETS) == ()
    assert suggest_nuggets("Anything", ()) == ()


def test_what_was_matched_before_is_learned_from() -> None:
    text = "The skipper is in custody."
    assert suggest_nuggets(text, NUGGETS) == ()
    learned = suggest_nuggets(
        text, NUGGETS, [("The skipper was taken into custody", "N3"), ("skipper", "gone")]
    )
    assert [one.nugget_id for one in learned] == ["N3"]
    assert text[learned[0].start : learned[0].end] == "skipper is in custody"


def test_no_more_are_suggested_than_asked_for() -> None:
    assert len(suggest_nuggets("people ferry captain", NUGGETS, limit=2)) == 2


@pytest.mark.parametrize(
    ("text", "words", "span"),
    [
        ("Police said 12 people were killed there.", "12 people were killed", "12 people were killed"),
        (
            "12 said, in a long and winding statement on the matter, killed people",
            "12 killed people",
            "killed people",
        ),
        ("nothing of it", "12 killed", ""),
        ("", "12 killed", ""),
        ("Zwölf 🚢 ferries burned", "ferry burning", "ferries burned"),
    ],
)
def test_the_span_is_the_run_that_shares_most(text, words, span) -> None:
    start, end = likely_span(text, words)
    assert text[start:end] == span


def test_the_likest_cluster_stands_first() -> None:
    clusters = {"goal": ("A late goal", "Late goal wins"), "fire": ("Ferry on fire in port",), "empty": ()}
    assert [one.cluster_id for one in suggest_clusters("A late goal and fire", clusters)] == [
        "goal",
        "fire",
    ]
    assert len(suggest_clusters("A fire and a late goal", clusters, limit=1)) == 1
    assert suggest_clusters("A late goal", {}) == ()


def test_the_span_is_learned_from_the_nuggets_own_matches() -> None:
    text = "The skipper is in custody since noon."
    matched = [("The skipper was taken into custody", "N3"), ("since noon", "N1"), ("since noon", "N1")]
    (first, *_) = [one for one in suggest_nuggets(text, NUGGETS, matched) if one.nugget_id == "N3"]
    assert text[first.start : first.end] == "skipper is in custody"
