"""Hosting a run over feeds: they are polled into the inbox of the run's store, and followed from there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tidings.core import UsageError
from tidings.following.hosting.output import default_store
from tidings.following.hosting.settings import absolute_name
from tidings.sources import Source

if TYPE_CHECKING:
    from tidings.core import ReadingOptions
    from tidings.following.hosting.runs import HostedRun
    from tidings.following.hosting.settings import RunSettings
    from tidings.sources import Polling, StoredInbox


class LiveSettings(Struct, frozen=True, kw_only=True):
    """How feeds are polled.

    Args:
        least_s, most_s: between which the interval of a feed lies.
        for_s: how long to poll; None forever.
        until: when to end; None for never. Seconds UTC.
        pages: whether the page of each new document is fetched.
        allow_private: whether hosts of a private network may be asked.
        contact: address or page of who runs this, for the User-Agent.
        keep_s, keep_bytes: how long, and how much of, what was followed stays in the inbox.
        offline: follow what the inbox has, and fetch nothing.
    """

    least_s: int = 300
    most_s: int = 21600
    for_s: int | None = None
    until: int | None = None
    pages: bool = False
    allow_private: bool = False
    contact: str = ""
    keep_s: int = 30 * 86400
    keep_bytes: int = 1 << 30
    offline: bool = False


class LiveRun:
    """A run over an inbox, and what fills it; `polling` is None where nothing does."""

    def __init__(self, run: HostedRun, polling: Polling | None) -> None:
        self.run, self.polling = run, polling


def inbox_name(streams: tuple[str, ...]) -> str:
    """How a store knows the inbox of these feeds and lists of feeds.

    >>> inbox_name(("https://b.example/feed", "https://a.example/feed"))
    'feeds of https://a.example/feed, https://b.example/feed'
    """
    from tidings.sources import is_address

    names = sorted({stream if is_address(stream) else absolute_name(stream) for stream in streams})
    return f"feeds of {', '.join(names)}"


@contextmanager
def host_live(
    settings: RunSettings,
    live: LiveSettings,
    *,
    stop: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[LiveRun]:
    """Set up a run over the feeds that `settings.streams` name; iterate over its `run` to follow it.

    Args:
        settings: as for `host`; `streams` are addresses of feeds and OPML lists.
        live: how they are polled.
        stop: asked after every interval; True ends the iteration there.
        say: called once for each feed that fails.

    Raises:
        UsageError: the settings do not fit; FormatError: a list cannot be read; StoreError: the store's.
    """
    from tidings.core import open_store
    from tidings.following.hosting.runs import host
    from tidings.sources import feed_addresses, inbox_source, open_inbox

    place = settings.store or default_store(settings.out)
    if not place:
        raise UsageError(
            f"--out {settings.out or 'nothing'} without --store (expected a store): what is fetched is kept there"
        )
    addresses = [] if live.offline else feed_addresses(settings.streams)
    name = inbox_name(settings.streams)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(place))
        inbox = stack.enter_context(open_inbox(store, name, fetching=not live.offline))
        polling = (
            None
            if live.offline
            else stack.enter_context(polling_into(addresses, inbox, live, settings.reading, say))
        )
        source = inbox_source(name, inbox, polling)
        # What comes has no period that could be known beforehand.
        unknown = Source(name, lambda: (), live=True)
        run = stack.enter_context(
            host(
                replace(settings, lateness_s=0),
                sources=[source],
                preview=[unknown],
                choice="corpus",
                stop=stop,
            )
        )
        yield LiveRun(run, polling)


def polling_into(
    addresses: list[str],
    inbox: StoredInbox,
    live: LiveSettings,
    reading: ReadingOptions,
    say: Callable[[str], None],
) -> Polling:
    """What polls feeds into an inbox while the block runs."""
    from tidings.core import Client, user_agent
    from tidings.sources import Manners, Poller, Polling, chosen_clock

    clock = chosen_clock()
    ends = [live.until] if live.until is not None else []
    if live.for_s is not None:
        ends.append(clock.now() + live.for_s)
    return Polling(
        lambda: Client(user_agent(live.contact), allow_private=live.allow_private),
        lambda client: Poller(
            addresses,
            inbox,
            client,
            clock,
            manners=Manners(least_s=live.least_s, most_s=live.most_s),
            options=reading,
            pages=live.pages,
            keep_s=live.keep_s,
            keep_bytes=live.keep_bytes,
            say=say,
        ),
        min(ends, default=None),
    )
