"""Language models, sentence models and running quantiles."""

from __future__ import annotations

from math import exp, isclose, log

import pytest
from hypothesis import given, strategies as st

from tidings.core.text.language_model import (
    Additive,
    Dirichlet,
    JelinekMercer,
    LanguageModel,
    PaperAdditive,
    SentenceModels,
    own_mean_log,
)
from tidings.core.text.vectors import RunningQuantile

VOCABULARY = "abcdef"
stems = st.lists(st.sampled_from(VOCABULARY), max_size=12)


def model_of(*sentences):
    model = LanguageModel()
    for sentence in sentences:
        model.add(sentence)
    return model


class TestProbabilities:
    @given(stems, stems, st.sampled_from(["additive", "jelinek", "dirichlet"]), st.floats(0.01, 0.99))
    def test_sum_to_one_over_known_and_unknown(self, said, background, kind, amount):
        """Over the terms of the background and one class for all others."""
        behind = model_of(background, said)
        smoothing = {
            "additive": Additive(amount, behind.vocabulary + 1),
            "jelinek": JelinekMercer(amount, behind),
            "dirichlet": Dirichlet(amount * 100, behind),
        }[kind]
        model = model_of(said)
        total = sum(model.probability(term, smoothing) for term in [*behind.counts, "unknown"])
        assert isclose(total, 1.0, rel_tol=1e-9)

    def test_paper_additive_by_hand(self):
        # (2 + .01) / (1.01 · 3) and (0 + .01) / (1.01 · 3)
        model = model_of("aab")
        assert model.probability("a", PaperAdditive()) == pytest.approx(2.01 / 3.03)
        assert model.probability("z", PaperAdditive()) == pytest.approx(0.01 / 3.03)

    def test_mean_log_is_the_log_of_the_geometric_mean(self):
        model, smoothing = model_of("aab"), PaperAdditive()
        expected = (log(2.01 / 3.03) + log(0.01 / 3.03)) / 2
        assert model.mean_log(["a", "z"], smoothing) == pytest.approx(expected)
        assert model.mean_log([], smoothing) == float("-inf")
        assert LanguageModel().mean_log(["a"], smoothing) == float("-inf")

    @given(stems, stems)
    def test_remove_undoes_add(self, kept, gone):
        model = model_of(kept, gone)
        model.remove(gone)
        assert model.counts == model_of(kept).counts
        assert model.size == len(kept)

    def test_vocabulary_is_bounded_and_the_frequent_stay(self):
        model = LanguageModel(max_terms=100)
        for number in range(1_000):
            model.add(["often", f"once{number}"])
        assert model.vocabulary <= 100
        assert model.counts["often"] == 1_000
        assert model.size == sum(model.counts.values())


class TestSentenceModels:
    @given(
        st.lists(stems.filter(bool), max_size=15),
        stems.filter(bool),
        st.sampled_from(["paper", "additive", "jelinek", "dirichlet"]),
    )
    def test_equals_asking_each_model(self, kept, asked, kind):
        behind = model_of(*kept)
        smoothing = {
            "paper": PaperAdditive(),
            "additive": Additive(0.1, 50),
            "jelinek": JelinekMercer(0.6, behind),
            "dirichlet": Dirichlet(5.0, behind),
        }[kind]
        models = SentenceModels(most=1_000)
        for sentence in kept:
            models.add(sentence, 0)
        found = sorted(p for p, n in models.probabilities(asked, smoothing) for _ in range(n))
        expected = sorted(exp(model_of(sentence).mean_log(asked, smoothing)) for sentence in kept)
        assert found == pytest.approx(expected)
        assert own_mean_log(asked, smoothing) == pytest.approx(model_of(asked).mean_log(asked, smoothing))

    def test_forgets_by_number_and_by_time(self):
        models = SentenceModels(most=3)
        for time, stem in enumerate("abcdef"):
            models.add([stem, "x"], time)
        assert [stems for _, stems in models.items()] == [("d", "x"), ("e", "x"), ("f", "x")]
        assert models.evict(5) == 2
        assert set(models._postings) == {"f", "x"}
        assert sum(n for _, n in models.probabilities(["x"], PaperAdditive())) == 1


class TestRunningQuantile:
    @given(st.lists(st.floats(-5, 5), max_size=40), st.integers(1, 10))
    def test_equals_counting(self, values, window):
        quantile = RunningQuantile(window)
        for i, value in enumerate(values):
            latest = values[max(0, i + 1 - window) : i + 1]
            assert quantile.add(value) == (1 + sum(other < value for other in latest)) / len(latest)
        assert quantile.values() == values[-window:]

    def test_comes_back_from_its_values(self):
        one = RunningQuantile(5)
        for value in (3.0, 1.0, 2.0):
            one.add(value)
        other = RunningQuantile(5, one.values())
        assert [one.add(x) for x in (0.0, 9.0, 1.0, 4.0)] == [other.add(x) for x in (0.0, 9.0, 1.0, 4.0)]
