"""Stories of a service: what its inbox gets is grouped as it comes, and those that spread raise alarms."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from tidings.following import StoredStories
from tidings.live.alarms.watch import RuleWatch, SpreadStory
from tidings.live.store import LIVE_STORIES, LiveStore
from tidings.live.store.events import in_turn
from tidings.sources import StoredInbox

_PAGE = 100
_SHARE = 20  # writing may take one part in so many of the time


class StoryWatch:
    """Groups the documents of an inbox. It is asked by one thread.

    Args:
        live: the store.
        inbox: whose documents are grouped.
        watch: looks at the rules for stories.
    """

    def __init__(self, live: LiveStore, inbox: StoredInbox, watch: RuleWatch) -> None:
        self._live, self._inbox, self._watch = live, inbox, watch
        self._keeper: StoredStories | None = None
        self._read = 0
        self._next_write = 0.0

    def turn(self, stop: Callable[[], bool] = lambda: False) -> int:
        """Group what came since, and write it in the same transaction as its alarms; gives how many documents it was.

        Raises:
            StoreError: another process has grouped meanwhile, or the store cannot be written; the next turn begins
                with what is kept then.
        """
        try:
            return self._group(stop)
        except BaseException:
            self._keeper = None
            raise

    def _group(self, stop: Callable[[], bool]) -> int:
        if self._keeper is None:
            self._keeper = StoredStories(self._live.store, LIVE_STORIES)
            self._read = self._keeper.place
        count = 0
        while not stop():
            page = self._inbox.documents(self._read, _PAGE)
            for _ in self._keeper.add(document for _, document in page):
                pass
            if page:
                self._read = page[-1][0]
                count += len(page)
            if self._read > self._keeper.place and monotonic() >= self._next_write:
                self._write(self._keeper)
            if not page:
                break
        return count

    def _write(self, keeper: StoredStories) -> None:
        began = monotonic()
        with self._live.store.writing() as connection:
            in_turn(connection)
            changed = keeper.write_in(connection, self._read)
            spread = [
                SpreadStory(story.story, story.title, story.outlets, tuple(reports))
                for story in changed
                if len(reports := keeper.tracker.first_reports(story.story)) > 1
            ]
            if spread and self._live.rules.any(connection):
                self._watch.of_stories(connection, spread, keeper.tracker.latest_time)
        self._next_write = monotonic() + _SHARE * (monotonic() - began)
