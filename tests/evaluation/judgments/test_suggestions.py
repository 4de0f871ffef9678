"""What is suggested for an update: nuggets with spans, and clusters."""

from __future__ import annotations

from random import Random

import pytest

from tests.sweeps import cases, every
from tidings.core.records import Event, Match, Nugget, PooledUpdate, PossibleMatch
from tidings.core.text.tokens import shared_analyzer
from tidings.evaluation.matching.pairs_out import PlacedWords, heaviest_span
from tidings.evaluation.selection.next_updates import (
    NuggetSuggester,
    SuggestedNugget,
    likeliest,
)
from tidings.evaluation.selection.pool_texts import Terms
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
    analyzer = shared_analyzer("english")
    start, end = heaviest_span(text, dict.fromkeys(analyzer.stems(words), 1.0), analyzer)
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


def worth_of(text: str, start: int, end: int, weights: dict[str, float]) -> float:
    """By the definition: the weight of each word, -.4 for one without, nothing for a stop word."""
    total = 0.0
    for word in text[start:end].split():
        stems = shared_analyzer().stems(word)
        best = max((weights.get(stem, 0.0) for stem in stems), default=0.0)
        total += best if best > 0 or not stems else -0.4
    return total


def test_no_part_says_more_than_the_heaviest() -> None:
    draw = Random(4)
    for _ in range(60):
        words = draw.choices(
            ["ferry", "burned", "the", "goal", "port", "of", "coast"], k=draw.randrange(1, 12)
        )
        text = " ".join(words)
        weights = {"ferri": 1.0, "burn": draw.choice([0.3, 0.7]), "port": draw.choice([0.0, -1.0, 0.25])}
        start, end = heaviest_span(text, weights, shared_analyzer())
        starts = [0, *(place + 1 for place, sign in enumerate(text) if sign == " ")]
        ends = [*(place for place, sign in enumerate(text) if sign == " "), len(text)]
        most = max(worth_of(text, one, other, weights) for one in starts for other in ends if other > one)
        assert worth_of(text, start, end, weights) == pytest.approx(max(most, 0.0)), text
        assert (start, end) == PlacedWords(text, shared_analyzer()).heaviest_span(weights)


class Letters:
    """Every letter of a word is a stem."""

    def stems(self, text: str) -> tuple[str, ...]:
        return tuple(text)


def test_a_word_of_two_stems_counts_its_heavier_one() -> None:
    for heavy, light in ("ab", "ba"):
        words = PlacedWords(f"ab xx {heavy}", Letters())  # type: ignore[arg-type]
        assert words.heaviest_span({heavy: 0.5, light: 0.2}) == (0, 7), "0.5 - 0.4 + 0.5"
