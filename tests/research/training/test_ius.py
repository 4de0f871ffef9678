"""Learning `ius`: what a cut-off earns, by brute force, and that learning helps on what it was learned from."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tidings.core.records import Update
from tidings.following.systems.features.word_models import WordModels
from tidings.research.systems.ius import Ius
from tidings.research.training.ius import Earnings, LabelledEvent, SentenceGains, best_cut, train, walk
from tidings.research.training.trainers import Training

LABELLED = SimpleNamespace(mean_words=10.0)
sentence_gains = st.builds(
    lambda nuggets, words: SentenceGains(
        nuggets,
        words,
        [(nugget, 2 * nugget, 2 * nugget + 3) for nugget in nuggets],
    ),
    st.dictionaries(st.integers(0, 5), st.floats(0.01, 1.5), max_size=3),
    st.integers(1, 40),
)


def spent(line: list[SentenceGains], known: set[int], price: float) -> float:
    """Σ gain − price · Σ V of telling a list, written down plainly."""
    total, covered = 0.0, set(known)
    for gains_of_sentence in line:
        new = set(gains_of_sentence.gains) - covered
        words = {
            word
            for nugget, start, end in gains_of_sentence.matched
            if nugget in new
            for word in range(start, end)
        }
        total += sum(gains_of_sentence.gains[n] for n in new) - price * (
            1 + max(0, gains_of_sentence.words - len(words)) / 10.0
        )
        covered |= new
    return total


@given(st.lists(sentence_gains, max_size=8), st.sets(st.integers(0, 5)), st.floats(0.01, 0.5))
def test_best_cut_by_brute_force(line, known, price):
    """No other cut-off earns more, and none shorter earns as much."""
    cut, value = best_cut(Earnings(LABELLED, set(known)), line, price)
    sums = [spent(line[:k], known, price) for k in range(len(line) + 1)]
    assert value == pytest.approx(max(sums), abs=1e-9)
    assert sums[cut] == pytest.approx(max(sums), abs=1e-9)
    assert all(total < sums[cut] for total in sums[:cut])


def test_earnings_are_the_official_ones(event):
    """What a walk says it earned is what the measures say of the same updates."""
    system = Ius(similarity=0.8)
    labelled_event = LabelledEvent.of(event, WordModels([], [], np.zeros((0, 2)), 0), system)
    updates = []

    def choose(turn):
        part = labelled_event.intervals[turn.number]
        for place in turn.order[:2]:
            s = part.sentences[place]
            updates.append(
                Update(event.event.id, s.doc_id, s.index, part.time, 1.0, s.text, s.published_time)
            )
        return 2

    earned = walk(
        labelled_event, system, lambda number, rows, earnings: [float(-i) for i in range(len(rows))], choose
    )
    official = event.score(updates)
    assert earned.updates == len(updates) > 20
    assert earned.mean == pytest.approx(official["H"], rel=1e-9)


def test_what_is_learned_fits_the_event_it_was_learned_from(event):
    """One event, few trees: the model follows it better than telling the first of every hour does."""
    learned = train([event, event], [], Training("ius", options={"trees": "10", "cut_trees": "5"}))
    assert learned.arrays["rank_features"].shape == (10, 7)
    assert set(learned.settings["scales"]) == {"trees", "linear"}
    assert [row["step"] for row in learned.curve] == sorted(row["step"] for row in learned.curve)
    assert max(row["H-linear"] for row in learned.curve) > 0.05
