"""Take the pictures of live pages that the documentation shows: the bundled event, followed to its end.

    python scripts/picture_live.py [--out docs/images] [--dark] [PAGE ...]

It needs Playwright and a Chromium (`scripts/install_browser.sh`); pictures are WebP.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from picture_desk import CHROMIUM, HEIGHT, ROOT, WIDTH, as_webp

PAGES = {
    "events": "/",
    "event": "/events/santiago-2013",
    "update": "/events/santiago-2013/updates/12",
    "search": "/search?q=driver",
    "sources": "/sources",
}
"""By the picture's name: what is looked at."""


def main() -> int:
    """Follow the bundled event, serve what it told, and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("pages", nargs="*", default=[], help=f"of: {', '.join(PAGES)} (all unasked)")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    from tidings.store import open_store
    from tidings.store.live import LiveStore
    from tidings.web.live.app import make_app
    from tidings.web.live.settings import LiveSiteSettings
    from tidings.web.serving import listening as listening_at
    from tidings.web.serving import serve

    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        follow(f"{folder}/live.db")
        with open_store(f"{folder}/live.db") as store:
            settings = LiveSiteSettings(read_only=True)
            app = make_app(LiveStore(store), settings)
            listening, address = threading.Event(), []

            def ready(where: str) -> None:
                address.append(where)
                listening.set()

            def run() -> None:
                with listening_at("127.0.0.1", 0) as listener:
                    serve(app, listener, settings, ready)

            threading.Thread(target=run, daemon=True).start()
            if not listening.wait(30):
                return 1
            take(address[0], given.pages or list(PAGES), given.out, dark=given.dark)
    return 0


def follow(store: str) -> None:
    """Follow the bundled event into a store, as `tidings serve` does, until its documents end."""
    from tidings import bundled
    from tidings.formats import read_events
    from tidings.hosting.service import ServiceSettings, hosted_service
    from tidings.records.standing import StandingEvent
    from tidings.store import open_store
    from tidings.store.live import LiveStore

    system, about = "tidings:values=yes,entities=yes", "up to 40/day"
    with open_store(store) as opened:
        for event in read_events(bundled.path() / "event.json"):
            LiveStore(opened).events.add(StandingEvent(event=event, system=system, about=about), "pictures")
    settings = ServiceSettings(store=store, streams=(str(bundled.path() / "documents.jsonl"),))
    runs: list[Any] = []
    with hosted_service(settings, stop=lambda: bool(runs) and runs[0].is_over) as service:
        runs.append(service.run)
        for _ in service.run:
            pass


def take(address: str, names: list[str], out: Path, *, dark: bool) -> None:
    """Take the pictures of these names."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name in names:
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="dark" if dark else "light"
            )
            page = context.new_page()
            answer = page.goto(address + PAGES[name])
            if answer is None or not answer.ok:
                print(f"{name}: {PAGES[name]} answers {answer and answer.status}", file=sys.stderr)
                continue
            page.wait_for_timeout(600)
            picture = out / f"live-{name}.webp"
            picture.write_bytes(as_webp(browser, page.screenshot()))
            print(f"{picture}: {picture.stat().st_size / 1024:.0f} KiB")
            context.close()
        browser.close()


if __name__ == "__main__":
    os._exit(main())  # the server's thread ends with the process
