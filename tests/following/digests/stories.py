"""A small made-up story for the tests of digests: a ferry burns, sinks, is raised."""

from __future__ import annotations

from datetime import UTC, date, datetime

from tidings.core.records import Document, Event
from tidings.following.digests.story import Story, read_story

FERRY = Event(id="ferry", title="Ferry fire", query="ferry fire")


def at(day: str) -> int:
    """Noon of a day, in seconds UTC."""
    return int(datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC).timestamp())


def number(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def document(name: str, day: str, *sentences: str, title: str = "", url: str = "") -> Document:
    text = " ".join(sentences)
    return Document(id=name, published_time=at(day), source="Wire", title=title, url=url, text=text)


DOCUMENTS = (
    document(
        "a",
        "2024-05-01",
        "Fire broke out on the ferry Aurora off the port of Nador on Wednesday.",
        "He said it was terrible to see the smoke.",
        "Rescue boats saved 212 passengers from the burning ferry.",
        title="Ferry burns off Nador",
        url="https://example.org/a",
    ),
    document(
        "b",
        "2024-05-02",
        "The ferry Aurora sank on Thursday after the fire had burnt all night.",
        "Why was the fire alarm of the ferry silent?",
        "All passengers left the ferry when the fire broke out on Wednesday, officials said.",
    ),
    document(
        "c",
        "2024-05-20",
        "Salvage crews raised the wreck of the ferry Aurora on Monday.",
        "The ferry sank on 2 May after a fire in its engine room.",
        "On Monday a crane held the ferry above the water.",
    ),
    document(
        "d",
        "2024-05-20",
        "Shares of the bank fell on Monday after its results.",
        "Analysts had hoped for more.",
    ),
)


def story(*documents: Document, event: Event = FERRY) -> Story:
    return read_story(documents or DOCUMENTS, event)
