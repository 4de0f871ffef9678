"""A service: feeds polled, or files replayed, into a store, whose standing events are followed from there.

Stories of a service: what its inbox gets is grouped as it comes, and those that spread raise alarms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from time import monotonic, time

from msgspec import Struct

from tidings.core import (
    Arrival,
    Document,
    InboxChange,
    ReadingOptions,
    Store,
    StoreError,
    TakenError,
    UsageError,
    open_store,
)
from tidings.following import LiveSettings, StoredStories, inbox_name, polling_into
from tidings.live.alarms.watch import RuleWatch, SpreadStory
from tidings.live.hosting.standing import StandingRun
from tidings.live.store import LIVE_RUN, LIVE_STORIES, LiveStore
from tidings.live.store.events import in_turn
from tidings.sources import FillingThread, Polling, StoredInbox, inbox_source, is_polled, open_inbox

_PAGE = 100  # documents grouped before the service looks whether to stop
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
            StoreError: another process has grouped since, or the store cannot be written; the next turn begins
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


_TICK_S = 0.1  # between looks at the clock of a replay
_AT_ONCE = 500  # documents put into the inbox together


class Replay(FillingThread):
    """Fills an inbox in a thread of its own while the block runs.

    Args:
        documents: gives them in the order of their times; the same each time, since a replay that was stopped passes
            over as many as the inbox has.
        inbox: where they go.
        speed: seconds of the documents' time in a second; 0 for all at once.
    """

    def __init__(
        self, documents: Callable[[], Iterable[Document]], inbox: StoredInbox, *, speed: float = 0
    ) -> None:
        super().__init__("tidings-replay")
        self._documents, self._inbox, self._speed = documents, inbox, speed
        self._clock: tuple[float, int] | None = None
        self.last_time = 0
        """Of the last document that was put there."""

    @property
    def time(self) -> int:
        """What time it is in the replay (seconds UTC); that of the last document where there is no clock."""
        if self._clock is None or not self._speed or self.is_over:
            return self.last_time
        began, first = self._clock
        return first + int((monotonic() - began) * self._speed)

    def fill(self) -> None:
        """Put them there."""
        left = islice(self._documents(), self._inbox.last_seq, None)
        waiting: list[Arrival] = []
        for document in left:
            if self._clock is None:
                self._clock = monotonic(), document.published_time
            if waiting and (len(waiting) >= _AT_ONCE or document.published_time > self.time):
                self._put(waiting)
            while self._speed and document.published_time > self.time:
                if self.stopping.wait(_TICK_S):
                    return
            if self.stopping.is_set():
                return
            waiting.append(Arrival(document.source, document))
            self.last_time = document.published_time
        self._put(waiting)

    def _put(self, waiting: list[Arrival]) -> None:
        if waiting:
            now = waiting[-1].document.published_time
            self._inbox.commit(InboxChange(now=now, arrivals=tuple(waiting)))
            waiting.clear()


LIVE_INBOX = "feeds"
"""The inbox of a store that a service polls feeds into, whichever these are."""


class ServiceSettings(Struct, frozen=True, kw_only=True):
    """How a store's standing events are followed.

    Args:
        store: path or URL of the store.
        streams: feeds and lists of feeds, or files of documents.
        live: how feeds are polled.
        speed: of files, seconds of their time in a second; 0 for all at once.
    """

    store: str
    streams: tuple[str, ...] = ()
    live: LiveSettings = LiveSettings()
    speed: float = 0


class Service(Struct, frozen=True):
    """What goes on: the run that follows, the inbox, and what fills it."""

    run: StandingRun
    inbox: StoredInbox
    filling: Polling | Replay
    watch: RuleWatch
    stories: StoryWatch

    @property
    def time(self) -> int:
        """What time it is for who follows: the machine's, or that of the replay (0 before it began)."""
        if isinstance(self.filling, Replay):
            return self.filling.time
        return self.filling.status.time

    @property
    def turn_time(self) -> int:
        """When whoever polls last looked at what is due; 0 where files are replayed, or before it began."""
        return 0 if isinstance(self.filling, Replay) else self.filling.status.time

    def tick(self) -> None:
        """Look at what alarms may be due although nothing is emitted: silence of sources, and what was gathered."""
        self.watch.tick(self.time if isinstance(self.filling, Replay) else int(time()))


def are_feeds(streams: tuple[str, ...]) -> bool:
    """Whether streams are feeds and lists of feeds, which are polled; UsageError where only some are.

    >>> are_feeds(("https://news.example/rss", "feeds.opml")), are_feeds(("news.jsonl",))
    (True, False)
    """
    polled = [is_polled(stream) for stream in streams]
    if any(polled) and not all(polled):
        raise UsageError(
            f"{streams[polled.index(False)]} cannot be followed beside feeds, since files have times of their own. "
            "Name feeds and lists of feeds alone, or files alone."
        )
    return all(polled)


def check_sources(settings: ServiceSettings) -> None:
    """Raise UsageError or FormatError where the streams cannot be followed, before anything is made."""
    from tidings.following import check_streams
    from tidings.sources import feed_addresses

    if not settings.streams:
        raise UsageError("No SOURCE to follow. Name feeds, lists of feeds or files, or use --no-follow.")
    if are_feeds(settings.streams):
        feed_addresses(settings.streams)
    else:
        check_streams(settings.streams)


def check_begun(store: Store, settings: ServiceSettings) -> None:
    """UsageError where the store's run was begun with other sources than the settings have, and goes on with those."""
    words = _in_words(settings)
    for run in store.runs():
        if (
            run.name == LIVE_RUN
            and run.settings != words
            and (run.updates or any(p.released for p in run.positions))
        ):
            before = run.settings.get("streams", "none")
            raise UsageError(
                f"{store} follows {before}, not {words['streams']}. Name the sources that it follows, or another store "
                "with --store."
            )


def _in_words(settings: ServiceSettings) -> dict[str, str]:
    name = LIVE_INBOX if are_feeds(settings.streams) else inbox_name(settings.streams)
    return {"streams": name, "interval": "document"}


@contextmanager
def hosted_service(
    settings: ServiceSettings,
    *,
    stop: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[Service]:
    """Set up a service; iterate over its `run` to follow.

    Args:
        settings: what is followed, and where it is kept.
        stop: asked often; True ends the iteration.
        say: called for feeds that fail, and for changes that cannot take effect.

    Raises:
        UsageError: the settings do not fit; FormatError: a list cannot be read; StoreError: the store's, such as that
            another process follows it.
    """
    from tidings.sources import feed_addresses

    check_sources(settings)
    polled = are_feeds(settings.streams)
    name = LIVE_INBOX if polled else inbox_name(settings.streams)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(settings.store))
        live = LiveStore(store)
        try:
            inbox = stack.enter_context(open_inbox(store, name))
            words = _in_words(settings)
            run = stack.enter_context(store.begin(LIVE_RUN, words, events=live.outputs.events()))
        except TakenError as error:
            raise StoreError(
                f"{store}: another process follows it already, its updates are shown here; end one of the two, "
                "or start this one with --no-follow"
            ) from error
        filling: Polling | Replay
        if polled:
            addresses = feed_addresses(settings.streams)
            filling = polling_into(addresses, inbox, settings.live, ReadingOptions(), say)
        else:
            filling = Replay(_documents(settings, say), inbox, speed=settings.speed)
        stack.enter_context(filling)
        watch = RuleWatch(live, run.name, run.created_time, name)
        run.beside.append(watch.beside)
        source = inbox_source(name, inbox, filling)
        following = StandingRun(live, run, inbox, source, stop=stop, say=say)
        yield Service(following, inbox, filling, watch, StoryWatch(live, inbox, watch))


def _documents(settings: ServiceSettings, say: Callable[[str], None]) -> Callable[[], Iterator[Document]]:
    """The documents of files, in the order of their times; what was left out is said."""

    def read() -> Iterator[Document]:
        from heapq import merge

        from tidings.core import Document, Problems
        from tidings.following import open_sources
        from tidings.sources import Pile

        piles = []
        problems = Problems()
        for source in open_sources(settings.streams, "sampled", problems, ReadingOptions()):
            pile = source.pile() if source.pile is not None else Pile()
            for document in source.open():
                if isinstance(document, Document):
                    pile.add(document)
            piles.append(pile)
        for remark in problems.remarks:
            say(remark)
        try:
            yield from merge(*piles, key=lambda document: document.published_time)
        finally:
            for pile in piles:
                pile.close()

    return read
