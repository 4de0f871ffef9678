"""What a digest opens with: where things stand is never older than what happened, and no line breaks off."""

from __future__ import annotations

from tidings.core import Document, Event
from tidings.following.digests.opening import opening_lines
from tidings.following.digests.story import read_story

EVENT = Event(id="1", title="", query="selde ferry")
VOTE = "The parliament of Selde voted to sell the ferry to a bank on Monday, officials said."
DENIAL = "The owner of the Selde ferry denied that the parliament may sell it to a bank."
SALE = "The sale of the Selde ferry to a bank was approved by the parliament on Monday evening."


def opened(*said: tuple[int, str]) -> dict[str, str]:
    documents = [
        Document(id=f"d{hour}", published_time=86_400 + hour * 3_600, text=text) for hour, text in said
    ]
    return {line.kind: line.sentence.text for line in opening_lines(read_story(documents, EVENT))}


def test_where_things_stand_is_no_older_than_what_happened() -> None:
    # What somebody denies is never what happened.
    assert opened((1, VOTE), (9, DENIAL)) == {"happened": VOTE, "stands": DENIAL}
    assert opened((1, DENIAL), (9, VOTE)) == {"happened": VOTE, "disputed": DENIAL}


def test_a_sentence_that_breaks_off_is_not_quoted() -> None:
    assert opened((1, VOTE))["happened"] == VOTE
    assert opened((1, VOTE), (9, SALE.removesuffix("evening.") + "…"))["happened"] == VOTE
    assert not opened((1, VOTE[:-1] + "…"))


def test_what_happened_is_said_of_the_day_that_documents_name_most() -> None:
    rescue = "Divers searched the wreck of the Selde ferry again, report {}."
    sinking = "The Selde ferry sank in a storm on Thursday, 1 January 1970, with 40 people aboard."
    said = [(24 * day + hour, rescue.format(10 * day + hour)) for day in (2, 3) for hour in range(1, 6)]
    first = opened(*said)["happened"]
    assert first.startswith("Divers searched")
    said += [(24 * day + 12, f"{sinking} Report {day} says more.") for day in range(2, 7)]
    assert opened(*said)["happened"] == sinking
