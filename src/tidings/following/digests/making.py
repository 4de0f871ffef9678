"""From documents and an event to its digest, by the system that is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date, tzinfo

from tidings.core import Digest, DigestDay, Document, Event, UsageError
from tidings.following.digests.choice import Choice, ChosenDays
from tidings.following.digests.clust import choose_clust
from tidings.following.digests.datewise import choose_datewise
from tidings.following.digests.ours import choose_ours
from tidings.following.digests.story import Story, read_story
from tidings.following.digests.submodular import choose_submodular

__all__ = ["DIGEST_SYSTEMS", "digest_of", "make_digest"]

DIGEST_SYSTEMS: dict[str, Callable[[Story, Choice], ChosenDays]] = {
    "ours": choose_ours,
    "datewise": choose_datewise,
    "clust": choose_clust,
    "submodular": choose_submodular,
}
"""Who chooses days and sentences, by the name that `--system` takes."""


def make_digest(
    documents: Iterable[Document],
    event: Event,
    *,
    dates: int = 30,
    sentences: int = 2,
    system: str = "ours",
    zone: tzinfo = UTC,
    chosen: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Digest:
    """An event by days: at most `dates` days with at most `sentences` sentences each, days in time order.

    Args:
        documents: any documents, in any order; those that are not about the event are passed over.
        event: what to tell of; its period bounds the days.
        dates, sentences: at most so many, at least 1.
        system: one of `DIGEST_SYSTEMS`.
        zone: on whose clock days are counted.
        chosen: the documents were chosen for the event already: none is passed over.
        progress: called with how much is done and of how much (0 while that is not known).

    Raises:
        UsageError: no such system, or a number below 1.

    >>> said = ("A ferry is on fire near Nador today.", "Divers searched the ferry on Wednesday.")
    >>> documents = [Document(id=f"d{n}", published_time=n * 86400, text=text) for n, text in enumerate(said, 5)]
    >>> digest = make_digest(documents, Event(id="1", title="", query="ferry fire"))
    >>> [(day.date, day.sentences[0].text) for day in digest.days]  # doctest: +ELLIPSIS
    [('1970-01-06', 'A ferry is on fire ...'), ('1970-01-07', 'Divers searched ...')]
    """
    if system not in DIGEST_SYSTEMS:
        raise UsageError(f"found digest system {system!r}, expected one of: {', '.join(DIGEST_SYSTEMS)}")
    for name, number in (("dates", dates), ("sentences", sentences)):
        if number < 1:
            raise UsageError(f"found {name} {number}, expected a number from 1 on")
    story = read_story(documents, event, zone=zone, chosen=chosen, progress=progress)
    return digest_of(story, DIGEST_SYSTEMS[system](story, Choice(dates, sentences, progress)), system)


def digest_of(story: Story, chosen: ChosenDays, system: str) -> Digest:
    """The digest of the days and sentences that a system has chosen."""
    support: dict[int, set[int]] = {}
    for number, day in enumerate(story.published):
        support.setdefault(day, set()).add(number)
    for one in story.sentences:
        for day in one.days:
            support.setdefault(day, set()).add(one.document)
    return Digest(
        event=story.event,
        system=system,
        days=tuple(
            DigestDay(
                date.fromordinal(day).isoformat(),
                tuple(one.evidence() for one in chosen[day]),
                len(support.get(day, ())),
            )
            for day in sorted(chosen)
            if chosen[day]
        ),
        documents=story.documents_read,
        story_documents=len(story.published),
        first_time=story.first_time,
        last_time=story.last_time,
    )
