"""What a ledger says of sentences that did not become updates."""

from __future__ import annotations

from tidings.core.records import Event, Sentence, Update
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


def test_outlets_that_claim_something_else_are_not_two_of_one_development() -> None:
    closed = "The harbour master has closed the ferry terminal at Selde for nine days, the port said."
    open_ = "The harbour master has not closed the ferry terminal at Selde for nine days, the port said."
    for text, developments in ((closed, [closed]), (open_, [])):
        follower = LedgerFollower(Event(id="e", title="Ferry fire", query="ferry fire selde"), {})
        for doc_id, source, said in (("a", "Wire", closed), ("b", "Post", text)):
            follower.give([], [Sentence(doc_id, 0, said, 60, source)], 60)
        assert [group.text for group in follower.ledger.developments if group.is_of_outlets] == developments


def test_headlines_of_what_an_update_told_are_no_development() -> None:
    told = "The owner of the gravel company whose truck hit a school bus has been arrested, the sheriff said Thursday."
    follower = LedgerFollower(Event(id="e", title="", query="school bus crash"), {})
    follower.give([Update("e", "u", 0, 60, text=told)], [Sentence("u", 0, told, 60, "Echo")], 60)
    for doc_id, source, said in (
        ("a", "Wire", "Owner of gravel company arrested after fatal bus crash"),
        ("b", "Post", "Gravel company owner arrested in deadly school bus crash"),
    ):
        follower.give([], [Sentence(doc_id, 0, said, 60, source)], 60)
    assert follower.ledger.developments == []


def test_what_an_update_claims_in_other_words_is_no_development() -> None:
    told = "Eighty people have now died in the train derailment near Santiago, the regional government says."
    follower = LedgerFollower(Event(id="e", title="", query="santiago train derailment"), {})
    follower.give([Update("e", "u", 0, 60, text=told)], [Sentence("u", 0, told, 60, "Echo")], 60)
    for doc_id, source, said in (
        ("a", "Wire", "The train accident killed 80 people in Santiago, according to the latest count."),
        (
            "b",
            "Post",
            "The accident killed 80 people in Santiago, the latest count of the train crash shows.",
        ),
    ):
        follower.give([], [Sentence(doc_id, 0, said, 60, source)], 60)
    assert follower.ledger.developments == []


def test_what_repeats_an_update_covers_its_group() -> None:
    towed = "Two tugs are towing the burnt ferry to the port of Aldmouth."
    ready = "Two tugs are towing it to Aldmouth, where firemen wait, surveyors gather, and divers make ready."
    said = "Firemen wait at Aldmouth, surveyors gather, and divers make ready for the ferry."
    follower = LedgerFollower(Event(id="e", title="Ferry fire", query="ferry fire selde"), {})
    for doc_id, source, text in (("a", "Wire", said), ("b", "Post", said)):
        follower.give([], [Sentence(doc_id, 0, text, 60, source)], 60)
    assert [group.text for group in follower.ledger.developments] == [said]
    update = Update("e", "u", 0, 90, text=towed)
    follower.give([update], [Sentence("u", 0, towed, 90, "Echo")], 90)
    assert [group.text for group in follower.ledger.developments] == [said]
    sentence = Sentence("c", 0, ready, 120, "Echo", title="Ferry fire")
    follower._reasons[sentence.doc_id, 0] = "repeats"
    follower.give([], [sentence], 120)
    assert follower.ledger.developments == []


def test_articles_about_other_events_are_counted_apart() -> None:
    follower = LedgerFollower(Event(id="e", title="Ferry fire", query="ferry fire selde"), {})
    follower.give([], [Sentence("d", n, SALE, 60) for n in range(3)], 60)
    follower.give([], [Sentence("f", 0, "The ferry fire has damaged the harbour of Selde.", 60)], 60)
    assert (sum(follower.ledger.counts.values()), follower.ledger.own) == (4, 1)
