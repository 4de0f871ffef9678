"""Take the pictures of live pages that the documentation shows: the events of the demonstration, followed to their end.

    python scripts/picture_live.py [--out docs/images] [--dark] [PAGE ...]

It needs Playwright and a Chromium (`scripts/install_browser.sh`); pictures are WebP.
"""

from __future__ import annotations

import os
import tempfile
from types import SimpleNamespace
from typing import Any

from pictures import only_wait, parse_arguments, start, take


def ask_for_preview(page: Any) -> None:
    """What an event would have emitted in the last days."""
    page.fill("input[name=query]", "flood Brennholm")
    page.fill("input[name=title]", "The flood in Brennholm")
    page.select_option("select[name=days]", "7")
    page.click("button:has-text('Preview')")
    page.wait_for_selector("h2", timeout=60_000)
    page.wait_for_timeout(3000)


PAGES = {
    "events": ("/", only_wait),
    "event": ("/events/santiago-2013", only_wait),
    "ferry": ("/events/selde-ferry", only_wait),
    "away": ("/away?since=7d", only_wait),
    "preview": ("/edit/new", ask_for_preview),
    "alarms": ("/alarms", only_wait),
}
"""By the picture's name: what is looked at, and what is done before it is taken."""


def main() -> int:
    """Follow the demonstration's events, serve what they gave, and take the pictures."""
    given = parse_arguments(__doc__, PAGES)
    from tidings.core.store import open_store
    from tidings.live.pages.app import make_app
    from tidings.live.pages.settings import LiveSiteSettings
    from tidings.live.store import LiveStore
    from tidings.web.serving import serve
    from tidings.web.visitors import COOKIE

    with tempfile.TemporaryDirectory() as folder:
        follow(f"{folder}/live.db")
        with open_store(f"{folder}/live.db") as store:
            settings = LiveSiteSettings()
            app = make_app(LiveStore(store), settings)
            address = start(lambda listener, ready: serve(app, listener, settings, ready))
            # As where alarms are sent, though here none is.
            app.state.deliveries = SimpleNamespace(trouble="")
            accounts = app.state.desk.accounts
            session = accounts.begin_session(accounts.add("editor").id)
            cookie = {"name": COOKIE, "value": session, "url": address}
            take(given, "live", address, PAGES, lambda _, context: context.add_cookies([cookie]))
    return 0


def follow(store: str) -> None:
    """Follow the demonstration's events into a store, as `tidings serve` does, until their documents end."""
    from tidings.core.records.standing import AlarmChannel, AlarmRule, SourceSilent, UpdateAbove, ValueRose
    from tidings.core.store import open_store
    from tidings.live.hosting.service import ServiceSettings, hosted_service
    from tidings.live.store import LiveStore
    from tidings.live.verbs.serve_demo import demo_events, demo_streams

    with open_store(store) as opened:
        live = LiveStore(opened)
        for event in demo_events():
            live.events.add(event, "pictures")
        hook = AlarmChannel(
            name="news desk", kind="webhook", address="https://desk.example.org/news", secret="s"
        )
        to = (live.channels.add(hook).id,)
        live.rules.add(AlarmRule(name="A toll that rose", when=ValueRose(share=0.1), channels=to))
        live.rules.add(
            AlarmRule(
                name="The ferry",
                when=UpdateAbove(worth=0.5),
                event_id="selde-ferry",
                most_an_hour=4,
                channels=to,
            )
        )
        live.rules.add(AlarmRule(name="Silence", when=SourceSilent(after_s=7200), channels=to))
    settings = ServiceSettings(store=store, streams=demo_streams())
    runs: list[Any] = []
    with hosted_service(settings, stop=lambda: bool(runs) and runs[0].is_over) as service:
        runs.append(service.run)
        for _ in service.run:
            pass


if __name__ == "__main__":
    os._exit(main())  # the server's thread ends with the process
