"""What the ledger says of sentences that nobody gave a reason for."""

from __future__ import annotations

from tidings.core import Event, Sentence
from tidings.following.systems.ledger import LedgerFollower

EVENT = Event(id="e", title="Fire on the Selde ferry", query="ferry fire Selde Marta Lind")


def left(*said: tuple[str, str, str]) -> LedgerFollower:
    follower = LedgerFollower(EVENT, {})
    for doc_id, source, text in said:
        follower.give([], [Sentence(doc_id, 0, text, 60, source)], 60)
    return follower


def test_articles_about_another_event_are_no_background_and_no_development() -> None:
    train = "The train was running at 192 kilometres an hour before the curve at Angrois."
    ferry = "The ferry Marta Lind is being towed to the port by two tugs after the fire."
    follower = left(("a", "Wire", train), ("b", "Post", train), ("c", "Wire", ferry), ("d", "Post", ferry))
    assert follower.ledger.counts == {"background": 2, "off-topic": 2}
    assert [group.text for group in follower.ledger.developments] == [ferry]


def test_half_of_the_title_is_enough() -> None:
    follower = left(
        ("a", "Wire", "A ferry with 164 passengers is on fire off Aldmouth, the coast guard said.")
    )
    assert "off-topic" not in follower.ledger.counts
