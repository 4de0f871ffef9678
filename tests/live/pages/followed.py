"""Live sites to test with: a store in which the bundled event is followed, and clients of its pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fastapi.testclient import TestClient

from tidings.core.records import Document, Output
from tidings.core.records.documents import Arrival, InboxChange
from tidings.core.records.standing import StandingEvent
from tidings.core.store import Store, open_store
from tidings.core.store.run import Beside
from tidings.live.hosting.standing import StandingRun
from tidings.live.pages.app import make_app
from tidings.live.pages.settings import LiveSiteSettings
from tidings.live.store import LIVE_RUN, LiveStore
from tidings.sources import bundled
from tidings.sources.inbox import StoredInbox, open_inbox
from tidings.sources.polling.live import inbox_source
from tidings.sources.streams import read_events, read_stream
from tidings.web.visitors import COOKIE

INBOX = "documents"


def documents(count: int | None = None) -> list[Document]:
    """The first documents of the bundled event, in the order of their times."""
    return sorted(read_stream(bundled.path()), key=lambda one: one.published_time)[:count]


def santiago(system: str = "cosine", about: str = "") -> StandingEvent:
    """The bundled event, until further notice."""
    return StandingEvent(event=read_events(bundled.path())[0], system=system, about=about)


def fill(inbox: StoredInbox, arriving: Sequence[Document]) -> None:
    """Put documents into an inbox."""
    arrivals = tuple(Arrival(one.source, one) for one in arriving)
    inbox.commit(InboxChange(now=arriving[-1].published_time, arrivals=arrivals))


class Quiet:
    """What fills an inbox that nothing comes into for now."""

    is_over = False

    def wait(self, seconds: float) -> None:
        """Nothing will come."""

    def check(self) -> None:
        """Nothing went wrong."""


def follow_inbox(store: Store, inbox: StoredInbox, *beside: Beside) -> list[Output]:
    """Follow what the inbox has, and all changes that wait; gives what that told."""
    live = LiveStore(store)
    words = {"streams": inbox.name, "interval": "document"}
    outputs: list[Output] = []
    with store.begin(LIVE_RUN, words, events=live.outputs.events()) as run:
        run.beside.extend(beside)
        source = inbox_source(inbox.name, inbox, Quiet())
        following: StandingRun

        def is_done() -> bool:
            return following.followed >= inbox.last_seq and not live.events.has_waiting()

        following = StandingRun(live, run, inbox, source, stop=is_done)
        for _, some in following:
            outputs += some
    return outputs


@contextmanager
def site(url: str, *standing: StandingEvent, count: int = 40) -> Iterator[tuple[LiveStore, StoredInbox]]:
    """A store that has followed these events through the first documents of the bundled one."""
    with open_store(url) as store:
        live = LiveStore(store)
        for one in standing:
            live.events.add(one, "ada")
        with open_inbox(store, INBOX) as inbox:
            fill(inbox, documents(count))
            follow_inbox(store, inbox)
            yield live, inbox


@contextmanager
def editor(
    live: LiveStore, settings: LiveSiteSettings | None = None, name: str = "ada"
) -> Iterator[TestClient]:
    """A client of its pages, signed in; on pages of a store it is named by an account."""
    app = make_app(live, settings or LiveSiteSettings(look_every_s=5))
    desk = app.state.desk
    account = desk.accounts.find(name) or desk.accounts.add(name)
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as client:
        client.cookies.set(COOKIE, desk.accounts.begin_session(account.id))
        yield client
