"""Likely nuggets: by their words and by the words that said them; a matcher's before anything is matched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Event

import pytest

import tidings.annotation.desk.pools as module
from tidings.annotation.desk.pools import LikelyNuggets, TopicPool
from tidings.core.errors import UsageError
from tidings.core.records import Nugget, PooledUpdate, PossibleMatch

TEXTS = ["A ferry burned near Bari.", "Twelve people died aboard.", "The blaze was put out.", "Rain in Oslo."]
NUGGETS = [Nugget("e", "N1", 0, 1, "the ferry burned"), Nugget("e", "N2", 0, 1, "people died")]
POOL = TopicPool(PooledUpdate("e", "d", n, text) for n, text in enumerate(TEXTS))


def likely(nuggets: Sequence[Nugget] = NUGGETS) -> LikelyNuggets:
    return LikelyNuggets(POOL.terms, nuggets)


def matcher(monkeypatch: pytest.MonkeyPatch, error: Exception | None = None, go: Event | None = None) -> None:
    """One that says N2 of the first update, and nothing else; only once it may go."""

    class Stub:
        def match(
            self, nuggets: Sequence[Nugget], updates: Sequence[PooledUpdate]
        ) -> Iterator[PossibleMatch]:
            assert go is None or go.wait(60)
            if error is not None:
                raise error
            yield PossibleMatch("e", updates[0].id, "N2", 0.9, 2, 7)

    monkeypatch.setattr("tidings.evaluation.NuggetMatcher", Stub)


def asked(one: LikelyNuggets, text: str = TEXTS[0], matched: Sequence[tuple[str, str]] = ()) -> list[str]:
    return [found.nugget_id for found in one.suggest(text, matched)]


def test_what_the_matcher_says_stands_first_until_something_is_matched(monkeypatch) -> None:
    matcher(monkeypatch)
    one = LikelyNuggets(POOL.terms, NUGGETS, POOL, wait_s=10)
    assert asked(one) == ["N2", "N1"]
    assert (one.suggest(TEXTS[0])[0].start, one.suggest(TEXTS[0])[0].end) == (2, 7)
    assert [found.nugget_id for found in one.suggest(TEXTS[0], limit=1)] == ["N2"]
    assert asked(one, matched=[("ferry", "N1")]) == ["N1"]
    assert asked(one, TEXTS[1]) == ["N2"] and asked(one, TEXTS[3]) == []


def test_nothing_waits_for_the_matcher(monkeypatch) -> None:
    go = Event()
    matcher(monkeypatch, go=go)
    one = LikelyNuggets(POOL.terms, NUGGETS, POOL, wait_s=0.01)
    assert asked(one) == ["N1"]
    go.set()
    assert one._said is not None and one._said.result(10)
    assert asked(one) == ["N2", "N1"]


def test_without_the_matcher_likeness_alone_suggests(monkeypatch) -> None:
    matcher(monkeypatch, UsageError("no weights"))
    assert asked(LikelyNuggets(POOL.terms, NUGGETS, POOL, wait_s=10)) == ["N1"]
    matcher(monkeypatch)
    monkeypatch.setattr(module, "MOST_PAIRS", 7)
    assert asked(LikelyNuggets(POOL.terms, NUGGETS, POOL, wait_s=10)) == ["N1"]
    monkeypatch.setattr(module, "MOST_PAIRS", 8)
    assert asked(LikelyNuggets(POOL.terms, NUGGETS, POOL, wait_s=10)) == ["N2", "N1"]


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
