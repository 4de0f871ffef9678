"""`tidings.digest`: the story so far, by days."""

from __future__ import annotations

import os

from tidings.core import Digest, Run
from tidings.following.library.arguments import (
    ArgumentTypeError,
    ArgumentValueError,
    ReadingArgument,
    Time,
    as_reading_options,
)
from tidings.following.library.documents import Documents, Events, Query, as_documents, as_events


def digest(
    documents: Documents | Run,
    *,
    query: Query | None = None,
    events: Events | None = None,
    title: str | None = None,
    start: Time | None = None,
    end: Time | None = None,
    dates: int = 30,
    sentences: int = 2,
    system: str = "ours",
    zone: str = "UTC",
    shorten: bool = False,
    reading: ReadingArgument | None = None,
) -> Digest:
    """Summarize an event day by day in quoted sentences, each with its source.

    Each call starts from all documents, so a later call over a longer stream returns a longer digest. The same
    documents give the same digest, in any order.

    Args:
        documents: documents as for `tidings.follow`; or a `Run`, the path or URL of a store, or a file of updates. In
            those cases the digest is made of the run's updates.
        query: words that describe the event. Optional if `documents` is a run of one event.
        events: the event, instead of `query`: an `Event` record or dict, or the path of a file that holds one.
        title: the title of the event of `query`.
        start, end: the period that the digest covers, in any form of time. By default it has no bounds.
        dates: the largest number of days.
        sentences: the largest number of sentences per day.
        system: the system that chooses: `ours`, `datewise`, `clust` or `submodular`.
        zone: the time zone of the days, such as `"Europe/Madrid"`.
        shorten: drop parts that a sentence can do without. `pieces` then says which characters remain.
        reading: how to read files, as for `read_documents`.

    Raises:
        ArgumentTypeError (a TypeError), ArgumentValueError (a ValueError): an argument is invalid.
        UsageError: there is no such system or zone. FormatError, StoreError: something cannot be read.

    >>> documents = [
    ...     {"id": "a", "published_time": "2024-05-01T08:00:00Z", "text": "Ferry is on fire off Nador today."},
    ...     {"id": "b", "published_time": "2024-05-03T08:00:00Z", "text": "The ferry sank on Thursday off Nador."},
    ... ]
    >>> for day in digest(documents, query="ferry fire").days:
    ...     print(day.date, day.sentences[0].doc_id, day.sentences[0].text)
    2024-05-01 a Ferry is on fire off Nador today.
    2024-05-02 b The ferry sank on Thursday off Nador.
    """
    from tidings.core import Clock
    from tidings.following.digests.making import make_digest
    from tidings.following.hosting.digests import StoryInput, documents_of_run, open_story

    clock = Clock(zone)
    for name, number in (("dates", dates), ("sentences", sentences)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise ArgumentTypeError(f"{name}: {number!r} (expected a whole number)")
        if number < 1:
            raise ArgumentValueError(f"{name}: {number} (expected a number from 1 on)")
    asked = [] if query is None and events is None else as_events(query, events, title, start, end, reading)
    if len(asked) > 1:
        raise ArgumentValueError(f"{len(asked)} events (expected one): a digest covers one")
    if isinstance(documents, Run):
        event_id = asked[0].id if events is not None else None
        if not asked:
            asked = list(documents.card.events) if documents.card is not None else []
            ids = {update.event_id for update in documents.updates}
            if len(asked) != 1 or ids - {asked[0].id}:
                raise ArgumentTypeError(
                    "neither query nor events (expected one): the run is of several events"
                )
        story = StoryInput(documents_of_run(documents, event_id), asked[0], chosen=query is None)
    elif isinstance(documents, str | os.PathLike):
        story = open_story([os.fspath(documents)], asked, reading=as_reading_options(reading))
    else:
        if not asked:
            raise ArgumentTypeError('neither query nor events (expected one): query="words to look for"')
        story = StoryInput(as_documents(documents, reading=reading, query=query), asked[0])
    return make_digest(
        story.documents,
        story.event,
        dates=dates,
        sentences=sentences,
        system=system,
        zone=clock.zone,
        chosen=story.chosen,
        shorten=shorten,
    )
