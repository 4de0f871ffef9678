"""Which stories run in documents, in one call."""

from __future__ import annotations

from tidings.following.grouping.story_tracker import StoryTracker
from tidings.following.grouping.summaries import StorySummary
from tidings.following.library.arguments import ReadingArgument, as_time
from tidings.following.library.documents import Documents, as_documents

__all__ = ["stories"]


def stories(
    documents: Documents, *, at: object = None, least: int = 2, reading: ReadingArgument | None = None
) -> list[StorySummary]:
    """Group documents into stories, in order of time. The stories most widely reported of late come first.

    Args:
        documents: an iterable of documents or dicts, a table, or the path of a stream, as for `follow`.
        at: show the stories as they stood at this time (a datetime, or seconds since 1970 UTC), without documents
            published later. Default: the time of the latest document.
        least: leave out stories with fewer documents than this.
        reading: how files are read, as for `follow`.

    Returns:
        The stories, each with its title, key words, names, document ids, outlets and state.

    Raises:
        ArgumentTypeError, ArgumentValueError: these are not documents, or this is not a time.
        UsageError: there is no such file or folder.

    >>> fire = "The ferry Aurora caught fire off Brennholm; the coast guard took 212 people off."
    >>> again = "The coast guard took 212 people off the ferry Aurora, which burned off Brennholm."
    >>> found = stories(
    ...     [
    ...         {"id": "a", "published_time": 60, "title": "Ferry on fire off Brennholm", "text": fire},
    ...         {"id": "b", "published_time": 120, "title": "Fire on Brennholm ferry", "text": again},
    ...     ]
    ... )
    >>> [(story.title, story.documents) for story in found]
    [('Ferry on fire off Brennholm', ('a', 'b'))]
    """
    until = None if at is None else as_time(at, "at")
    given = as_documents(documents, reading=reading)
    in_order = sorted(given, key=lambda document: (document.published_time, document.id))
    tracker = StoryTracker()
    for _ in tracker.push_many(
        document for document in in_order if until is None or document.published_time <= until
    ):
        pass
    found = (*tracker.stories(until), *tracker.take_closed())
    return [story for story in found if len(story.documents) >= least]
