"""Stories in a store: what has been grouped is kept, so that the next documents go on from there.

A tracker, its stories and its documents are written in one transaction. A process that is killed anywhere goes on from
the last one, with the documents that came since, and finds the stories that an undisturbed process finds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Select, delete, select, update

from tidings.core import (
    DAY_S,
    Document,
    Store,
    StoreError,
    bind_row,
    encode,
    followed_stories,
    insert_numbered,
    open_store,
    replace_rows,
    row_values,
    stories,
    story_documents,
    story_trackers,
    with_digest,
)
from tidings.following.grouping.story_tracker import QUIET_DAYS, StoryTracker
from tidings.following.grouping.summaries import StorySummary

__all__ = [
    "FollowedStories",
    "FollowedStory",
    "StoredStories",
    "StoryKeeper",
    "StoryLists",
    "story_keeper",
    "story_query",
]

STORIES = "stories"
"""The name of the grouping that `tidings stories --store` goes on with."""

_AT_ONCE = 500  # documents between two looks at the clock
_SHARE = 20  # writing may take one part in so many of the time


class FollowedStory(Struct, frozen=True, kw_only=True):
    """A story that someone follows: the event it became, and its profile as it was then.

    Of the story of an article, `profile` is the description of its event; "" where it was kept before that was used.
    """

    story: str
    event_id: str
    title: str
    query: str
    profile: str


def story_query(story: StorySummary) -> str:
    """The words by which a story is followed: its names and key words.

    >>> at = {"outlets": (), "first_time": 0, "last_time": 0, "state": "new"}
    >>> words = {"keywords": ("ferry", "fire"), "names": ("Port of Brennholm",), "documents": ("a",)}
    >>> story_query(StorySummary(story="a", title="Fire", **words, **at))
    'port brennholm ferry fire'
    """
    names = [word for name in story.names[:3] for word in name.lower().split() if len(word) > 2]
    return " ".join(
        dict.fromkeys((*names, *(word.lower() for word in story.keywords[:6] if not word.isdigit())))
    )


class StoryKeeper:
    """Documents grouped into stories that nothing keeps but memory."""

    def __init__(self) -> None:
        self.tracker = StoryTracker()

    def push_many(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Group documents; gives each, without its text, when that is done."""
        for document, _ in self.tracker.push_many(documents):
            yield replace(document, text="", sentences=())

    def write(self) -> None:
        """Nothing."""

    def closed(self) -> list[StorySummary]:
        """The stories that take no more documents."""
        return self.tracker.take_closed()

    def documents(self, ids: Iterable[str]) -> dict[str, Document]:
        """None."""
        return {}


@contextmanager
def story_keeper(store: str | None) -> Iterator[StoryKeeper]:
    """The stories of a store, or where none is named, of memory."""
    if store is None:
        yield StoryKeeper()
        return
    with open_store(store) as opened:
        yield StoredStories(opened)


class StoryLists:
    """The stories of one grouping of a store as they were last written, for who only looks."""

    def __init__(self, store: Store, name: str = STORIES) -> None:
        self._store, self.name = store, name

    def _own(self) -> Select[tuple[int]]:
        return select(story_trackers.c.id).where(story_trackers.c.name == self.name)

    def closed(self) -> list[StorySummary]:
        """The stories that take no more documents, the latest first."""
        return self._read(stories.c.closed == 1)

    def latest(self, since: int, most: int) -> list[StorySummary]:
        """The stories that had a document since a time (seconds UTC), the latest first, as they were written."""
        return self._read(stories.c.last_time >= since, most)

    def find(self, story_id: str) -> StorySummary | None:
        """A story by its id; None where there is none."""
        found = self._read(stories.c.story_id == story_id)
        return found[0] if found else None

    def _read(self, which: ColumnElement[bool], most: int | None = None) -> list[StorySummary]:
        query = select(stories).where(stories.c.tracker_id.in_(self._own()), which)
        rows = self._store.rows(query.order_by(stories.c.last_time.desc(), stories.c.story_id).limit(most))
        return [
            msgspec.json.decode(
                row_values(stories, row, str(self._store), f"the story {row.story_id!r}")["summary"],
                type=StorySummary,
            )
            for row in rows
        ]

    def documents(self, ids: Iterable[str]) -> dict[str, Document]:
        """The documents of these ids that were grouped, without their texts."""
        wanted, found = list(ids), dict[str, Document]()
        with self._store.asking() as connection:
            for start in range(0, len(wanted), _AT_ONCE):
                chosen = story_documents.c.document_id.in_(wanted[start : start + _AT_ONCE])
                query = select(story_documents).where(story_documents.c.tracker_id.in_(self._own()), chosen)
                for row in connection.execute(query):
                    kept = row_values(
                        story_documents, row, str(self._store), f"document {row.document_id!r} of a story"
                    )
                    found[kept["document_id"]] = Document(
                        id=kept["document_id"],
                        published_time=kept["time"],
                        source=kept["source"],
                        title=kept["title"],
                        url=kept["url"],
                    )
        return found


class StoredStories(StoryLists, StoryKeeper):
    """The stories of one grouping of a store.

    Args:
        store: that keeps them.
        name: of the grouping; a store may have several.

    Raises:
        StoreError: what is kept is damaged.
    """

    def __init__(self, store: Store, name: str = STORIES) -> None:
        StoryLists.__init__(self, store, name)
        StoryKeeper.__init__(self)
        row = store.row(select(story_trackers).where(story_trackers.c.name == name))
        self._id, self._version, self.place = 0, 0, 0
        self._began_after = 0
        if row is not None:
            kept = row_values(story_trackers, row, str(store), f"what is remembered of {name}")
            self._id, self._version, self.place = kept["id"], kept["version"], kept["place"]
            self.tracker = StoryTracker.restore(kept["state"])
            self._began_after = self.tracker.latest_time - QUIET_DAYS * DAY_S
        self._waiting: list[Document] = []
        self._next_write = 0.0

    def push_many(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Group documents, and write at times what came of it; `write` writes the rest.

        Those that were grouped before are passed over, and so are those older than a story stays open.
        """
        self._next_write = monotonic() + 1.0
        for document in self.add(documents):
            yield document
            if len(self._waiting) >= _AT_ONCE and monotonic() >= self._next_write:
                began = monotonic()
                self.write()
                self._next_write = monotonic() + _SHARE * (monotonic() - began)

    def add(self, documents: Iterable[Document]) -> Iterator[Document]:
        """As `push_many`, but nothing is written."""
        for document in StoryKeeper.push_many(self, filter(self._is_new, documents)):
            self._waiting.append(document)
            yield document

    def _is_new(self, document: Document) -> bool:
        return document.id not in self.tracker and document.published_time > self._began_after

    def write(self, place: int = 0) -> None:
        """Write what was grouped since this was done before, all of it or nothing.

        Args:
            place: the number of the last document of an inbox that was grouped.

        Raises:
            StoreError: another process has grouped documents here in the meantime.
        """
        if self._waiting or place > self.place or not self._id:
            with self._store.writing() as connection:
                self.write_in(connection, place)

    def write_in(self, connection: Connection, place: int = 0) -> list[StorySummary]:
        """As `write`, in a transaction of someone else's; gives the open stories that changed."""
        tracker = self.tracker
        closed, changed = tracker.take_closed(), tracker.take_changed()
        gone = tracker.take_merged()
        values = {
            "version": self._version + 1,
            "place": max(place, self.place),
            "time": tracker.latest_time,
            "state": tracker.state(),
        }
        if not self._id:
            self._id = insert_numbered(connection, story_trackers, {"name": self.name, **values})["id"]
        else:
            own = (story_trackers.c.id == self._id, story_trackers.c.version == self._version)
            row = with_digest(story_trackers, {"id": self._id, "name": self.name, **values})
            if connection.execute(update(story_trackers).where(*own).values(**row)).rowcount != 1:
                raise StoreError(
                    f"{self._store}: another process has grouped documents into its stories in the meantime; "
                    "try again, and let only one process do that at a time"
                )
        self._version, self.place = self._version + 1, max(place, self.place)
        for story_id in gone:
            connection.execute(
                delete(stories).where(stories.c.tracker_id == self._id, stories.c.story_id == story_id)
            )
        rows = [
            *(self._story_row(story, 0) for story in changed),
            *(self._story_row(story, 1) for story in closed),
        ]
        replace_rows(connection, stories, rows)
        replace_rows(
            connection, story_documents, [self._document_row(document) for document in self._waiting]
        )
        self._waiting = []
        return changed

    def _story_row(self, story: StorySummary, is_closed: int) -> tuple[object, ...]:
        row = {
            "tracker_id": self._id,
            "story_id": story.story,
            "last_time": story.last_time,
            "closed": is_closed,
            "summary": encode(story),
        }
        return bind_row(with_digest(stories, row))

    def _document_row(self, document: Document) -> tuple[object, ...]:
        row = {
            "tracker_id": self._id,
            "document_id": document.id,
            "time": document.published_time,
            "source": document.source,
            "title": document.title,
            "url": document.url,
        }
        return bind_row(with_digest(story_documents, row))


class FollowedStories:
    """The stories of a store that are followed, each by the profile that it had when that began."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def all(self) -> dict[str, FollowedStory]:
        """All of them, by the id of the story."""
        rows = self._store.rows(select(followed_stories))
        found = {}
        for row in rows:
            kept = row_values(followed_stories, row, str(self._store), f"the followed story {row.story_id!r}")
            found[kept["story_id"]] = FollowedStory(
                story=kept["story_id"],
                event_id=kept["event_id"],
                title=kept["title"],
                query=kept["query"],
                profile=kept["profile"],
            )
        return found

    def put(self, story: FollowedStory) -> None:
        """Keep how a story is followed, in place of what was kept before."""
        values = {
            "story_id": story.story,
            "event_id": story.event_id,
            "title": story.title,
            "query": story.query,
            "profile": story.profile,
        }
        with self._store.writing() as connection:
            replace_rows(connection, followed_stories, [bind_row(with_digest(followed_stories, values))])
