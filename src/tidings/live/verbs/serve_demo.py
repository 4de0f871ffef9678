"""`tidings serve demo`: the bundled event and two invented ones, replayed as they happened, only faster."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tidings.core import described, say
from tidings.web import VERB_OPTIONS, demo_store, needs_web

if TYPE_CHECKING:
    from tidings.core import StandingEvent


EVENT = "santiago-2013"
NAME = "editor"
QUERIES = (
    ("selde-ferry", "Fire on the Selde ferry", "ferry fire Selde Marta Lind"),
    ("brennholm-flood", "The flood in Brennholm", "flood Brennholm dyke river Brenn"),
)
"""Id, title and query of what is invented."""


@described(__file__, VERB_OPTIONS)
def serve_demo(
    speed: float = 600,
    port: int = 0,
    store: str | None = None,
    show_page: bool = True,
) -> None:
    """Watch a week of July 2013 pass on live pages: a train accident, a ferry fire, a flood. No network is needed.

    The train accident is real, and its articles were written for tidings; ferry and flood are invented. The printed
    link signs in once, without a password; you can follow an event of your own or change the others.
    """
    needs_web()
    from tidings.core import open_store
    from tidings.live.hosting.service import ServiceSettings, check_begun
    from tidings.live.hosting.supervision import Supervisor
    from tidings.live.pages.app import make_app
    from tidings.live.pages.settings import LiveSiteSettings
    from tidings.live.store import LiveStore
    from tidings.live.verbs.serve_options import add_events
    from tidings.web import SiteAccounts, asked_to_end, listening, serve as serve_app

    words = f"This is a demonstration: 24 to 31 July 2013, {speed:g} times as fast"
    site = LiveSiteSettings(links_sign_in=True, demo=words)
    with (
        asked_to_end(),
        listening("127.0.0.1", port) as listener,
        demo_store(store, "live.db") as url,
        open_store(url, durable=store is not None) as opened,
    ):
        desk, live = SiteAccounts(opened), LiveStore(opened)
        add_events(live, demo_events())
        account = desk.accounts.find(NAME) or desk.accounts.add(NAME)
        settings = ServiceSettings(store=url, streams=demo_streams(), speed=speed)
        check_begun(opened, settings)
        with Supervisor(settings, say) as supervisor:
            app = make_app(live, site, lambda: supervisor.status)

            def ready(address: str) -> None:
                link = f"{address}/welcome/{desk.accounts.invite(account.id)}"
                say(f"live at {address}", prefix="")
                say(f"{NAME}  {link}", prefix="")
                say("The link signs you in once as an editor. Press Ctrl-C to stop.")
                if show_page and sys.stderr.isatty():
                    from tidings.core import open_page

                    open_page(link)

            serve_app(app, listener, site, ready)


def demo_streams() -> tuple[str, ...]:
    """What is replayed: the documents of the bundled event, and the feeds of three invented outlets."""
    from tidings.sources import bundled

    feeds = sorted(str(path) for path in bundled.demo_feeds().iterdir())
    return (str(bundled.path(EVENT) / "documents.jsonl"), *feeds)


def demo_events() -> list[StandingEvent]:
    """What is followed."""
    from tidings.core import Event, StandingEvent, default_of
    from tidings.following import RunOptions
    from tidings.sources import bundled, read_events

    events = [
        *read_events(bundled.path(EVENT)),
        *(Event(id=event_id, title=title, query=query) for event_id, title, query in QUERIES),
    ]
    system, about = (default_of(RunOptions, name, "serve") for name in ("system", "about"))
    return [StandingEvent(event=event, system=system, about=about) for event in events]
