"""`ius`: intervals, ranking, what was told, and the cut-off."""

from __future__ import annotations

import numpy as np
import pytest

from tests.following.systems.streams import FERRY, follow, stream
from tidings.core.errors import UsageError
from tidings.core.models.files import Model, read_model
from tidings.core.records import ModelCard, Sentence
from tidings.core.text.vectors import cosine, unit_vector
from tidings.following.systems.registry import make
from tidings.research.systems.ius import (
    INTERVAL_FEATURES,
    SENTENCE_FEATURES,
    CutOff,
    EmittedHistory,
    Interval,
    interval_features,
    line_up,
    sentence_features,
)

HOUR = 3600


def interval(texts: list[str], time: int = HOUR) -> Interval:
    stems = [tuple(text.split()) for text in texts]
    return Interval(
        [Sentence(f"d{n}", 0, text, time - 1) for n, text in enumerate(texts)],
        stems,
        [unit_vector(words) for words in stems],
        [1] * len(texts),
        np.zeros((len(texts), len(SENTENCE_FEATURES) - 9)),
        len(texts),
        len(texts),
        0.0,
        time,
    )


def feature(names: tuple[str, ...], row: np.ndarray, name: str) -> float:
    return float(row[names.index(name)])


def test_what_was_told_makes_a_sentence_old():
    told = EmittedHistory(since=0, most=10)
    part = interval(["ferry fire port", "crew saved 45"])
    before = sentence_features(part, told)
    told.add(Sentence("e", 0, "crew saved 45", 10), ("crew", "save", "45"), 10)
    told.add(Sentence("f", 0, "ferry fire", 20), ("ferry", "fire"), 20)
    after = sentence_features(part, told)
    assert [feature(SENTENCE_FEATURES, row, "alike") for row in before] == [0.0, 0.0]
    assert feature(SENTENCE_FEATURES, after[0], "alike") == pytest.approx(2 / 6**0.5)
    assert feature(SENTENCE_FEATURES, before[1], "new_numbers") == 0.5
    assert feature(SENTENCE_FEATURES, after[1], "new_numbers") == 0.0
    assert feature(SENTENCE_FEATURES, after[0], "new_stems") == pytest.approx(1 / 3)


def test_central_is_the_mean_cosine_to_the_others():
    texts = ["ferry fire port", "ferry fire", "mayor speaks"]
    rows = sentence_features(interval(texts), EmittedHistory(0, 5))
    vectors = [unit_vector(text.split()) for text in texts]
    for number, row in enumerate(rows):
        others = [cosine(vectors[number], other) for k, other in enumerate(vectors) if k != number]
        assert feature(SENTENCE_FEATURES, row, "central") == pytest.approx(sum(others) / 2)


def test_line_up_is_by_score_and_repeats_nothing():
    part = interval(["ferry fire port", "ferry fire port crew", "mayor speaks", "divers search hull"])
    told = EmittedHistory(0, 5)
    told.add(part.sentences[2], part.stems[2], 5)
    rows = sentence_features(part, told)
    assert line_up(part, [0.1, 0.3, 0.9, 0.2], rows, 0.5, 8) == [1, 3]
    assert line_up(part, [0.1, 0.3, 0.9, 0.2], rows, 1.0, 8) == [2, 1, 3, 0]
    assert line_up(part, [0.1, 0.3, 0.9, 0.2], rows, 1.0, 2) == [2, 1]


def test_told_forgets_the_oldest_and_survives_writing():
    told = EmittedHistory(0, most=2)
    for n, words in enumerate((("a", "b"), ("c", "d"), ("e", "f"))):
        told.add(Sentence("d", n, " ".join(words), n), words, n)
    told.best.extend([0.5, 0.25])
    assert told.alike(unit_vector(("a", "b"))) == 0.0
    assert told.new_stems(("a", "c")) == 0.5
    again = EmittedHistory(0, most=2)
    again.restore(told.state())
    assert again.state() == told.state()
    assert list(again.best) == [0.5, 0.25]
    assert (again.number, again.last) == (3, 2)
    assert again.alike(unit_vector(("e", "f"))) == pytest.approx(1.0)
    assert again.evict(2) and again.alike(unit_vector(("c", "d"))) == 0.0
    assert again.number == 3


def test_interval_features_count_scores_at_depths():
    part = interval(["ferry fire", "crew saved", "mayor speaks"])
    told = EmittedHistory(0, 5)
    told.best.extend([0.1, 0.2, 0.6, 0.7])
    rows = sentence_features(part, told)
    row = interval_features(part, [1, 0, 2], [0.15, 0.5, -0.3], rows, told)
    assert feature(INTERVAL_FEATURES, row, "score_1") == 0.5
    assert feature(INTERVAL_FEATURES, row, "score_3") == feature(INTERVAL_FEATURES, row, "score_10") == -0.3
    assert feature(INTERVAL_FEATURES, row, "over_0.1") == pytest.approx(2 / 3)
    assert feature(INTERVAL_FEATURES, row, "over_0.2") == pytest.approx(1 / 3)
    assert feature(INTERVAL_FEATURES, row, "positive_sum") == pytest.approx(0.65)
    assert feature(INTERVAL_FEATURES, row, "best_rank") == 0.5


def test_linear_cut_off_is_weights_times_features():
    model = read_model("ius")
    row = np.random.default_rng(0).normal(size=len(INTERVAL_FEATURES))
    weights = model.array("cut_linear").astype(float)
    assert CutOff(model).length(row, "linear") == pytest.approx(weights[:-1] @ row + weights[-1])


def test_a_model_of_other_features_is_refused():
    shipped = read_model("ius")
    settings = shipped.settings | {"interval_features": ["held"]}
    with pytest.raises(UsageError, match="train it again"):
        CutOff(Model(card=ModelCard(system="ius"), arrays=shipped.arrays, settings=settings))


def test_generosity_moves_the_cut_off_and_most_bounds_it():
    pushes = list(stream(1, 80))
    told = [
        len(follow(make(f"ius:{said}").start(FERRY), pushes)) for said in ("generosity=0", "generosity=3")
    ]
    assert told[0] == 0 < told[1]
    updates = follow(make("ius:generosity=1000,most=2,similarity=1").start(FERRY), pushes)
    times = [update.time for update in updates]
    assert max(times.count(time) for time in times) == 2


def test_decided_when_the_hour_is_over():
    """Nothing is told in the hour in which it was published."""
    pushes = list(stream(1, 80))
    updates = follow(make("ius:generosity=2").start(FERRY), pushes)
    assert updates
    assert all(update.published_time // HOUR < update.time // HOUR for update in updates)
