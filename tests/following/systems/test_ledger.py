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
