"""Exact near-duplicates."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, strategies as st

from tests.sweeps import every
from tidings.core.text.near_duplicates import NearDuplicates, NearDuplicatesState, jaccard, shingles

sets = st.frozensets(st.sampled_from("abcdefghij"), max_size=7)
thresholds = st.sampled_from([0.1, 0.3, 0.5, 0.6, 2 / 3, 0.75, 0.8, 1.0])


class TestShingles:
    def test_runs_of_stems(self):
        assert shingles(["a", "b", "c", "b", "c"], 2) == {"a b", "b c", "c b"}
        assert shingles(["a", "b", "c", "d"], 3) == {"a b c", "b c d"}
        assert shingles(["a", "b", "a"], 1) == {"a", "b"}

    def test_short_sentences_are_one_run(self):
        assert shingles(["a", "b"], 3) == {"a b"}

    def test_jaccard_by_hand(self):
        assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
        assert jaccard(frozenset(), frozenset()) == 0.0


class TestIndex:
    @given(st.lists(sets, max_size=30), sets, thresholds)
    def test_finds_exactly_what_looking_at_all_finds(self, kept, asked, threshold):
        index = NearDuplicates(threshold=threshold)
        for number, members in enumerate(kept):
            index.add(str(number), members, 0)
        expected = [
            (str(number), jaccard(asked, members))
            for number, members in enumerate(kept)
            if jaccard(asked, members) >= threshold - 1e-9 and members
        ]
        assert index.find(asked, 0) == expected

    @given(st.lists(st.tuples(st.integers(0, 9), sets), max_size=30), sets, st.integers(1, 20), thresholds)
    def test_forgets_by_event_time(self, gaps, asked, keep_s, threshold):
        index = NearDuplicates(threshold=threshold, keep_s=keep_s)
        now, kept = 0, []
        for number, (gap, members) in enumerate(gaps):
            now += gap
            kept.append((now, str(number), members))
            index.add(str(number), members, now)
        expected = [
            key
            for time, key, members in kept
            if time >= now - keep_s and members and jaccard(asked, members) >= threshold - 1e-9
        ]
        assert [key for key, _ in index.find(asked, now)] == expected

    @given(st.lists(sets, max_size=30), thresholds)
    def test_admits_what_is_unlike_everything_admitted(self, stream, threshold):
        index = NearDuplicates(threshold=threshold)
        admitted: list[tuple[str, frozenset[str]]] = []
        for number, members in enumerate(stream):
            alike = [key for key, other in admitted if jaccard(members, other) >= threshold - 1e-9]
            assert index.admit(str(number), members, number) == (alike[0] if alike else None)
            if not alike and members:
                admitted.append((str(number), members))

    @given(st.lists(sets, max_size=20), sets)
    def test_state_comes_back(self, kept, asked):
        index, other = NearDuplicates(keep_s=10), NearDuplicates(keep_s=10)
        for number, members in enumerate(kept):
            index.add(str(number), members, number)
        data = msgspec.msgpack.encode(index.state())
        other.restore(msgspec.msgpack.decode(data, type=NearDuplicatesState))
        assert other.find(asked, len(kept)) == index.find(asked, len(kept))
        assert len(other) == len(index)

    def test_leaves_nothing_behind_when_all_is_old(self):
        index = NearDuplicates(keep_s=10, most=5)
        for number in range(100):
            index.add(str(number), frozenset((f"x{number}", "y")), number)
        assert len(index) == 5
        index.evict(1_000)
        assert (len(index), index._postings) == (0, {})

    @every("threshold", [0.0, -1.0, 1.5])
    def test_threshold_out_of_range(self, threshold):
        with pytest.raises(ValueError, match="above 0"):
            NearDuplicates(threshold=threshold)
