"""Likely nuggets: by their own words and by the words that said them, none that shares nothing."""

from __future__ import annotations

from tidings.desk.likely import LikelyNuggets, pool_terms
from tidings.desk.pools import TopicPool
from tidings.records import PooledUpdate

TEXTS = ["A ferry burned near Bari.", "Twelve people died aboard.", "The blaze was put out.", "Rain in Oslo."]
NUGGETS = [("N1", "the ferry burned"), ("N2", "people died")]


def likely(nuggets: list[tuple[str, str]] = NUGGETS) -> LikelyNuggets:
    return LikelyNuggets(
        pool_terms(TopicPool(PooledUpdate("e", "d", n, text) for n, text in enumerate(TEXTS))), nuggets
    )


def test_words_that_said_a_nugget_count_as_its_own() -> None:
    assert likely().suggest("The blaze goes on.") == ()
    found = likely().suggest("The blaze goes on.", [("The blaze", "N1"), ("The blaze", "gone")])
    assert [(one.nugget_id, one.start, one.end) for one in found] == [("N1", 4, 9)]


def test_the_best_come_first_each_once_and_no_more_than_asked() -> None:
    text = "Twelve people died when a ferry burned."
    found = likely().suggest(text, [("people died", "N2"), ("died", "N2")])
    assert sorted(one.nugget_id for one in found) == ["N1", "N2"]
    assert found[0].score >= found[1].score
    assert likely().suggest(text, limit=1) == likely().suggest(text)[:1]


def test_without_nuggets_there_is_nothing_to_suggest() -> None:
    assert likely([]).suggest("A ferry.", [("A ferry", "N1")]) == ()
