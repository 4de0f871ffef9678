"""Which documents are about an event: scores, the words that widen its query, and what is remembered of words."""

from __future__ import annotations

import pytest

from tests.sweeps import cases, every
from tidings.following.entities import days as retrieval
from tidings.following.entities.book import EntityBook, Named, in_day
from tidings.following.entities.days import Statistics, bm25, expansion_terms, ranked_documents
from tidings.following.entities.event_days import EntityMention
from tidings.following.entities.name_forms import LabelIndex, signatures


def seen(*documents: str) -> Statistics:
    statistics = Statistics()
    for text in documents:
        statistics.count(text.split(), new=set(text.split()), first=True)
    return statistics


def test_rare_words_and_short_documents_count_more() -> None:
    statistics = seen("storm coast", "storm bank", "storm vote", "bank vote")
    assert statistics.idf("coast") > statistics.idf("storm") > 0
    assert bm25({"coast": 1.0}, {"coast": 1}, 2, statistics) > bm25(
        {"coast": 1.0}, {"coast": 1}, 9, statistics
    )
    assert bm25({"storm": 1.0}, {"bank": 3}, 3, statistics) == 0


def test_bm25_by_hand() -> None:
    statistics = seen("a b", "a c c c")
    # idf(b) = log(1 + 1.5 / 1.5); mean length 3, length 2: 1.2 · (.25 + .75 · 2 / 3) = .9
    assert bm25({"b": 2.0}, {"b": 1, "a": 1}, 2, statistics) == pytest.approx(
        2 * 0.6931472 * 2.2 / 1.9, rel=1e-6
    )


def test_the_query_is_widened_by_what_sets_its_documents_apart() -> None:
    texts = ["ferri fire rossi crew", "ferri rossi crew", "bank vote", "bank crew vote", "vote elect"]
    documents = [dict.fromkeys(text.split(), 1) for text in texts]
    statistics = seen(*texts)
    terms = expansion_terms(documents[:2], statistics, ["ferri"])
    assert set(terms) == {"rossi", "crew"} and terms["rossi"] > terms["crew"]
    assert sum(terms.values()) == pytest.approx(1)
    assert len(expansion_terms(documents[:2], statistics, ["ferri"], most=1)) == 1
    # The fourth document says nothing of the query, but what its documents say.
    numbers = [number for _, number in ranked_documents(documents, ["ferri"], statistics)]
    assert set(numbers[:2]) == {0, 1} and numbers[2:] == [3, 2, 4]


def test_the_rarest_words_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "MOST_STEMS", 20)
    statistics = seen(*(f"often a{at} b{at}" for at in range(30)))
    assert len(statistics.document_counts) <= 20 and set(statistics.term_counts) == set(
        statistics.document_counts
    )
    assert statistics.document_counts["often"] == statistics.documents == 30


def test_spellings_are_found_again_and_others_are_not() -> None:
    labels = ["sergei lavrov", "world health organisation", "dzhokhar tsarnaev"]
    changed = ["sergey lavrov", "world health organization", "dzokhar tsarnaev"]
    index = LabelIndex()
    for number, (label, signature) in enumerate(zip(labels, signatures(labels), strict=True)):
        index.add(number, label, signature)
    near = [
        index.near(label, signature) for label, signature in zip(changed, signatures(changed), strict=True)
    ]
    assert near == [[0], [1], [2]]
    assert index.near("angela merkel", signatures(["angela merkel"])[0]) == []


def test_signatures_are_the_same_alone_and_together() -> None:
    labels = [f"name {at}" for at in range(50)] + ["", "北京"]
    assert all(
        (signatures([label])[0] == row).all() for label, row in zip(labels, signatures(labels), strict=True)
    )


@every(
    "query, spelt, expected",
    cases(__file__, "who the query names", lists=True),
)
def test_who_the_query_names(query: str, spelt: list[dict[str, int]], expected: list[bool]) -> None:
    book = EntityBook()
    ids = book.place(
        [Named("PER" if "Jackson" in str(one) else "LOC", one, {}) for one in spelt], "2013-01-01"
    )
    day = in_day(book, {number: [EntityMention(0, 0, 0, 1, "x")] for number in ids}, query)
    asked = {one.id: one.in_query for one in day}
    assert [asked[number] for number in ids] == expected
