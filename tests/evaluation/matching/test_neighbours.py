"""Neighbours of texts and of nuggets: by hand, in blocks, and among many."""

from __future__ import annotations

import numpy as np
import pytest

from tests.evaluation.matching.test_learned import event_of
from tidings.evaluation.matching import neighbours
from tidings.evaluation.matching.likeness import Likeness
from tidings.evaluation.matching.neighbours import by_neighbours


def neighbours_of(texts: list[str], nuggets: list[str]):
    event = event_of(nuggets, texts)
    base = np.arange(len(texts) * len(nuggets), dtype=np.float32).reshape(len(texts), -1) / 10
    return event, base, by_neighbours(event, base, event.tf_idf())


def test_neighbours_vote_by_their_cosines_and_a_text_is_no_neighbour_of_its_own() -> None:
    texts = ["ferry burned port", "ferry burned coast", "ferry sank", "goal scored late", "goal missed late"]
    event, base, (_, votes, nearest) = neighbours_of(texts, ["ferry", "goal"])
    full = np.zeros((len(texts), event.width))
    full[event.entry_texts, event.entry_terms] = event.tf_idf()
    assert np.linalg.norm(full, axis=1) == pytest.approx(1)
    full[:, event.held_by < 2] = 0
    cosines = full @ full.T
    np.fill_diagonal(cosines, -1)
    for row in range(len(texts)):
        others = [other for other in range(len(texts)) if other != row]
        shares = cosines[row, others].clip(0)
        assert votes[row] == pytest.approx(shares @ base[others] / shares.sum(), abs=1e-5)
        assert nearest[row] == pytest.approx(shares.mean(), abs=1e-5)


def test_feedback_leaves_the_text_itself_out() -> None:
    texts = [
        "ferry burned port",
        "ferry burned coast",
        "ferry burned",
        "port ferry",
        "goal late",
        "goal late two",
    ]
    event, base, (feedback, _, _) = neighbours_of([*texts, "goal port"], ["ferry"])
    rows = np.zeros((len(event.texts), event.width))
    rows[event.entry_texts, event.entry_terms] = event.tf_idf()
    rows[:, event.held_by < 2] = 0
    for text in range(len(event.texts)):
        best = [one for one in np.argsort(-base[:, 0]) if one != text][:5]
        mean = base[best, 0] @ rows[best]
        assert feedback[text, 0] == pytest.approx(rows[text] @ mean / np.linalg.norm(mean), abs=1e-5)


def test_of_many_texts_a_part_is_looked_at_and_blocks_make_no_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [f"ferry burned {word} {other}" for word in "abcdefg" for other in "hijklm"]
    event, base, whole = neighbours_of(texts, ["ferry burned", "a h"])
    likeness = Likeness.of(event)
    monkeypatch.setattr(neighbours, "_AT_ONCE", 7)
    monkeypatch.setattr(neighbours, "_TEXTS_AT_ONCE", 5)
    monkeypatch.setattr("tidings.evaluation.matching.likeness._AT_ONCE", 5)
    for one, other in zip(whole, by_neighbours(event, base, event.tf_idf()), strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    assert Likeness.of(event).base == pytest.approx(likeness.base, abs=1e-5)
    monkeypatch.setattr(neighbours, "MOST_REFERENCES", 9)
    _, votes, _ = by_neighbours(event, base, event.tf_idf())
    assert votes.shape == base.shape
    assert not np.allclose(votes, whole[1])


def test_the_highest_are_the_first_of_equal_ones() -> None:
    values = np.array([0, 2, 1, 2, 2, 1], dtype=np.float32)
    assert [neighbours.highest(values, count).tolist() for count in (1, 2, 4, 6, 9)] == [
        [1],
        [1, 3],
        [1, 3, 4, 2],
        [1, 3, 4, 2, 5, 0],
        [1, 3, 4, 2, 5, 0],
    ]


def test_a_text_that_says_a_term_twice_says_it_a_logarithm_more() -> None:
    event = event_of([], ["ferry ferry burned", "ferry ferry", "burned coast"])
    twice, once = event.tf_idf()[:2]
    ferry, burned = (event.rarity[event.columns[stem]] for stem in ("ferri", "burn"))
    assert twice / once == pytest.approx((1 + np.log(2)) * ferry / burned, rel=1e-5)


def test_a_missing_term_counts_as_like_as_the_likest_term_of_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = event_of(["ferry"], ["boat ship", "ship boat", "ship", "goal"])
    vectors = np.zeros((event.width, 2), dtype=np.float32)
    for stem, vector in (("ferri", (1.0, 0.0)), ("boat", (0.9, 0.19**0.5)), ("ship", (0.7, 0.51**0.5))):
        vectors[event.columns[stem]] = vector
    monkeypatch.setattr("tidings.evaluation.matching.likeness.term_vectors", lambda terms, held_by: vectors)
    soft = Likeness.of(event).soft[:, 0]
    assert soft.tolist() == pytest.approx([0.64, 0.64, 0.32, 0.0], abs=1e-5), ".8 of (cosine - .5) / .5"
