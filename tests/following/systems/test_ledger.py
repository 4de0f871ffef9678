"""What a ledger says of sentences that did not become updates."""

from __future__ import annotations

from tidings.core.records import Event, Sentence
from tidings.following.systems.ledger import LedgerFollower


def reasons(*texts: str, title: str = "", known: dict[tuple[str, int], str] | None = None) -> list[str]:
    follower = LedgerFollower(Event(id="e", title="Ferry fire", query="ferry fire selde"), known or {})
    follower.give([], [Sentence("d", n, text, 60, title=title) for n, text in enumerate(texts)], 60)
    return [one.reason for one in follower.ledger.sentences]


SALE = "The city council of Brennholm sold the old market hall to a bank on Monday evening."


def test_what_stands_in_a_document_without_half_of_the_query_is_about_another_event() -> None:
    assert reasons(SALE, "The ferry may carry shoppers there again.") == ["background", "unclear"]
    assert reasons(SALE) == ["off-topic"]
    assert reasons(SALE, title="Fire on the Selde ferry") == ["background"]


def test_a_reason_that_the_system_gave_stands() -> None:
    assert reasons(SALE, known={("d", 0): "marks"}) == ["marks"]


def test_articles_about_another_event_are_no_development() -> None:
    train = "The train was running at 192 kilometres an hour before the curve at Angrois."
    ferry = "The ferry is being towed to the port by two tugs after the fire."
    follower = LedgerFollower(Event(id="e", title="Ferry fire", query="ferry fire selde"), {})
    for doc_id, source, text in (
        ("a", "Wire", train),
        ("b", "Post", train),
        ("c", "Wire", ferry),
        ("d", "Post", ferry),
    ):
        follower.give([], [Sentence(doc_id, 0, text, 60, source)], 60)
    assert follower.ledger.counts == {"background": 2, "off-topic": 2}
    assert [group.text for group in follower.ledger.developments] == [ferry]
