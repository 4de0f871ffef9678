"""Sparse vectors and their index."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given, strategies as st

from tidings.core.text import vectors
from tidings.core.text.vectors import VectorIndex, cosine, unit_vector

stems = st.lists(st.sampled_from("abcdefgh"), max_size=8)


class TestVectors:
    def test_counts_are_scaled_to_length_one(self):
        # (2, 1) / sqrt(5)
        assert unit_vector(["a", "a", "b"]) == pytest.approx({"a": 2 / sqrt(5), "b": 1 / sqrt(5)})

    def test_cosine_by_hand(self):
        # (2, 1, 0)·(1, 0, 1) / (sqrt(5)·sqrt(2))
        assert cosine(unit_vector("aab"), unit_vector("ac")) == pytest.approx(2 / sqrt(10))

    @given(stems, stems)
    def test_cosine_is_symmetric_and_within_0_and_1(self, one, other):
        value = cosine(unit_vector(one), unit_vector(other))
        assert 0.0 <= value <= 1.0
        assert value == pytest.approx(cosine(unit_vector(other), unit_vector(one)), abs=1e-12)

    @given(stems.filter(bool))
    def test_cosine_to_itself_is_one(self, one):
        assert cosine(unit_vector(one), unit_vector(list(reversed(one)))) == 1.0


class TestVectorIndex:
    @given(
        st.lists(stems, max_size=25), stems, st.sampled_from([0.0, 0.2, 0.3, 0.5, 0.7, 0.9]), st.booleans()
    )
    def test_equals_looking_at_all(self, kept, asked, limit, sums):
        with pytest.MonkeyPatch.context() as patch:
            if not sums:
                patch.setattr(vectors, "_FEW", 0)
            self.check_all(kept, asked, limit)

    def check_all(self, kept, asked, limit):
        index = VectorIndex()
        for vector in kept:
            index.add(unit_vector(vector), 0)
        values = [cosine(unit_vector(asked), unit_vector(vector)) for vector in kept]
        above = index.above(unit_vector(asked), limit)
        assert (above is not None) == any(value > limit for value in values)
        assert above is None or values[above] > limit
        best, number = index.nearest(unit_vector(asked))
        assert best == max(values, default=0.0)
        assert number == (values.index(best) if best else None)

    @given(st.lists(stems, max_size=25), stems, st.integers(0, 25))
    def test_eviction_forgets_only_the_old(self, kept, asked, before):
        index = VectorIndex()
        for time, vector in enumerate(kept):
            index.add(unit_vector(vector), time)
        assert index.evict(before) == min(before, len(kept))
        values = [cosine(unit_vector(asked), unit_vector(vector)) for vector in kept[before:]]
        assert index.nearest(unit_vector(asked))[0] == max(values, default=0.0)

    def test_keeps_no_more_than_it_may(self):
        index = VectorIndex(most=3)
        numbers = [index.add(unit_vector([stem, "x"]), 0) for stem in "abcdef"]
        assert [number in index for number in numbers] == [False, False, False, True, True, True]
        assert index.above(unit_vector(["a"]), 0.0) is None
        assert set(index._postings) == {"d", "e", "f", "x"}
