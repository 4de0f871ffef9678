"""What is suggested for an update: nuggets with spans, and clusters."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.core.records import Event, Match, Nugget, PooledUpdate, PossibleMatch
from tidings.core.text.tokens import shared_analyzer
from tidings.evaluation.matching.pairs_out import likely_span
from tidings.evaluation.selection.pool_texts import Terms
from tidings.evaluation.selection.queue import (
    NuggetSuggester,
    SuggestedNugget,
    likeliest,
)
from tidings.evaluation.selection.simulation import JudgedTopic, suggestion_figures

NUGGETS = (
    Nugget("e", "N1", 0, 2, "12 people were killed"),
    Nugget("e", "N2", 0, 2, "the ferry burned off the coast"),
    Nugget("e", "N3", 0, 2, "the captain was arrested"),
)


def suggest(text, nuggets=NUGGETS, matched=(), limit=5):
    stems = shared_analyzer("english").stems
    texts = [nugget.text for nugget in nuggets] + [words for words, _ in matched] + [text]
    suggester = NuggetSuggester(Terms([stems(words) for words in texts]), nuggets)
    return suggester.knowing(matched).suggest(text, limit)


def test_the_likest_nugget_stands_first_and_unlike_ones_nowhere() -> None:
    told = suggest("The ferry's captain was arrested in port.")
    assert [one.nugget_id for one in told] == ["N3", "N2"]
    assert told[0].score > told[1].score > 0
    assert suggest("Bread with olives") == ()
    assert suggest("Anything", ()) == ()


def test_what_was_matched_before_is_learned_from() -> None:
    text = "The skipper is in custody."
    assert suggest(text) == ()
    learned = suggest(text, matched=[("The skipper was taken into custody", "N3"), ("skipper", "gone")])
    assert [one.nugget_id for one in learned] == ["N3"]
    assert text[learned[0].start : learned[0].end] == "skipper is in custody"


def test_no_more_are_suggested_than_asked_for() -> None:
    assert len(suggest("people ferry captain", limit=2)) == 2


@every(
    "text, words, span",
    cases(__file__, "the span is the run that shares most"),
)
def test_the_span_is_the_run_that_shares_most(text, words, span) -> None:
    start, end = likely_span(text, words)
    assert text[start:end] == span


def test_the_span_is_learned_from_the_nuggets_own_matches() -> None:
    text = "The skipper is in custody since noon."
    matched = [("The skipper was taken into custody", "N3"), ("since noon", "N1"), ("since noon", "N1")]
    (first, *_) = [one for one in suggest(text, matched=matched) if one.nugget_id == "N3"]
    assert text[first.start : first.end] == "skipper is in custody"


def test_figures_of_suggestions_are_those_counted_by_hand() -> None:
    texts = [
        "12 people were killed at sea",
        "the captain was arrested",
        "the skipper is held",
        "the skipper rests",
    ]
    pool = tuple(PooledUpdate("e", "d", place, text) for place, text in enumerate(texts))
    told = {"d-0": ["N1"], "d-1": ["N3", "N2"], "d-2": ["N3"], "d-3": ["N3"]}
    topic = JudgedTopic(Event(id="e", title="Ferry", query="ferry"), pool, NUGGETS, told)
    ends = {one.id: len(one.text) for one in pool}
    matches = [Match("e", name, nugget, 0, ends[name]) for name, own in told.items() for nugget in own]
    matches.append(Match("other", "d-3", "N1", 0, 5))
    # Of d-2 and d-3 nothing is known before d-2 is matched: "skipper" stands in no nugget.
    learned = suggestion_figures(topic, matches)
    assert (learned.first, learned.three) == (0.75, 0.75)
    assert learned.five == pytest.approx((1 + 1 / 2 + 0 + 1) / 4)
    assert learned.whole == 1 and learned.spans < 1
    assert suggestion_figures(topic, matches, learning=False).first == 0.5
    # What a matcher says stands first as long as nothing is matched: always, or at the first update only.
    first = {name: [SuggestedNugget("N3", 0.9, 0, 3)] for name in told}
    assert suggestion_figures(topic, matches, first, learning=False).first == 0.75
    assert suggestion_figures(topic, matches, first).first == 0.5
    assert suggestion_figures(topic, [*matches, Match("e", "d-0", "N3", 0, 3)], first).first == 0.75


def test_what_a_matcher_finds_likeliest_comes_once_and_no_more_than_asked_for() -> None:
    said = [PossibleMatch("e", "d-0", f"N{place}", place / 10, 0, 5) for place in (1, 3, 2)]
    assert [one.nugget_id for one in likeliest(said, limit=2)["d-0"]] == ["N3", "N2"]
    text = "the captain was arrested"
    suggester = NuggetSuggester(Terms([shared_analyzer().stems(text)]), NUGGETS)
    found = suggester.suggest(text, first=likeliest(said)["d-0"])
    assert [one.nugget_id for one in found] == ["N3", "N2", "N1"]


def test_the_fourth_and_fifth_suggestion_count_among_five() -> None:
    nuggets = tuple(Nugget("e", f"N{place}", 0, 2, "a ferry burned") for place in range(1, 6))
    update = PooledUpdate("e", "d", 0, "a ferry burned")
    topic = JudgedTopic(Event(id="e", title="Ferry", query="ferry"), (update,), nuggets, {"d-0": ["N5"]})
    made = suggestion_figures(topic, [Match("e", "d-0", "N5", 0, 14)])
    assert (made.first, made.three, made.five) == (0, 0, 1)
